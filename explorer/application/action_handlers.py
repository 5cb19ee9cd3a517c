"""What every action of the window does, by its name in :mod:`explorer.application.actions`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.settings import FULL_DISTANCE, ORDER_ONLY, PRESETS
from explorer.document.stage_navigation import STAGES
from explorer.stages.stage_view import TABLE, TWIN

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow


def handlers(window: MainWindow) -> dict[str, Callable[..., None]]:
    """The functions behind the actions; a switch's is called with its state."""
    session, view = window.session, window.view
    files, player = window.files, window.player
    canvas = view.canvas
    found: dict[str, Callable[..., None]] = {
        "new": files.new_session,
        "open": files.open_dialog,
        "open-model": files.open_model_dialog,
        "save": files.save,
        "save-as": files.save_as,
        "export": window.leaving.export,
        "quit": window.leave,
        "undo": session.undo_stack.undo,
        "redo": session.undo_stack.redo,
        "copy-picture": window.leaving.copy_picture,
        "copy-tree": window.leaving.copy_tree,
        "copy-explanation": lambda: window.inspector.copy_text(),
        "copy-latex": lambda: window.inspector.copy_latex(),
        "copy-twin": lambda: window.leaving.copy_text(canvas.text_twin, "Picture copied as text"),
        "edit-sentence": window.edit_sentence,
        "next-sentence": lambda: session.choose(session.document.current + 1),
        "previous-sentence": lambda: session.choose(session.document.current - 1),
        "remove-sentence": lambda: session.remove_lines([session.document.current]),
        "parse-all": session.parse_all,
        "zoom-in": canvas.zoom_in,
        "zoom-out": canvas.zoom_out,
        "fit": canvas.fit,
        "actual-size": canvas.actual_size,
        "text-larger": lambda: window.looks.scale_text(window.looks.text_scale * 1.1),
        "text-smaller": lambda: window.looks.scale_text(window.looks.text_scale / 1.1),
        "text-normal": lambda: window.looks.scale_text(1.0),
        "theme": window.looks.next_theme,
        "reduce-motion": window.looks.set_reduce_motion,
        "tree-beside": window.set_beside,
        "compact-tree": window.set_compact,
        "twin": lambda on: view.tabs.setCurrentIndex(TWIN if on else TABLE),
        "step-back": lambda: player.step(False),
        "step-forward": lambda: player.step(True),
        "previous-stage": lambda: session.set_stage(session.stage - 1),
        "next-stage": lambda: session.set_stage(session.stage + 1),
        "play": player.play,
        "run-to": window.run_to,
        "cancel": session.cancel,
        "wider-beam": lambda: session.set_settings(beam=float(f"{session.settings.beam * 1.5:.3g}")),
        "narrower-beam": lambda: session.set_settings(beam=max(1.1, float(f"{session.settings.beam / 1.5:.3g}"))),
        "no-beam": lambda: session.set_settings(beam=float("inf")),
        "smallest-beam": lambda: window.what_if.find_smallest_beam(),
        "punctuation-rule": lambda on: session.set_settings(punctuation_rule=on),
        "ignore-tags": lambda on: session.set_settings(ignore_tags=on),
        "tag-distribution": lambda on: session.set_settings(tag_distribution=on),
        "full-distance": lambda on: session.set_settings(distance=FULL_DISTANCE if on else ORDER_ONLY),
        "lexical": lambda on: session.set_settings(lexical=on),
        "force": lambda: window.what_if.set_selected(False),
        "forbid": lambda: window.what_if.set_selected(True),
        "lift-all": lambda: session.lift(session.line.what_ifs),
        "palette": window.help.open_palette,
        "tour": window.help.show_tour,
        "about": window.help.show_about,
    }
    found.update(window.compare.handlers())
    found.update(window.knowledge.handlers())
    for number in range(len(STAGES)):
        found[f"stage-{number + 1}"] = lambda _on, number=number: window.go_to(number)
    for number in PRESETS:
        found[f"preset-{number}"] = lambda _on, number=number: window.choose_preset(number)
    return found
