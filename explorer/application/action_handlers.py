"""What the actions on the document and on the stages do, by their names in :mod:`explorer.application.actions`."""

from __future__ import annotations

from collections.abc import Callable

from engine.settings import FULL_DISTANCE, ORDER_ONLY
from explorer.document.document_editor import DocumentEditor
from explorer.document.view_state import ViewState
from explorer.panels.settings_strip import LEAST_BEAM
from explorer.stages.player import Player
from explorer.stages.stage_view import TABLE, TWIN, StageView

Handlers = dict[str, Callable[..., object]]
"""What each action does, by its name; a switch is called with its state."""
_BEAM_STEP = 1.5


def document_handlers(editor: DocumentEditor) -> Handlers:
    """The actions that change the document."""

    def scale_beam(factor: float) -> None:
        editor.set_settings(beam=max(LEAST_BEAM, float(f"{editor.settings.beam * factor:.3g}")))

    return {
        "undo": editor.undo_stack.undo,
        "redo": editor.undo_stack.redo,
        "next-sentence": lambda: editor.choose(editor.document.current + 1),
        "previous-sentence": lambda: editor.choose(editor.document.current - 1),
        "remove-sentence": lambda: editor.remove_lines([editor.document.current]),
        "wider-beam": lambda: scale_beam(_BEAM_STEP),
        "narrower-beam": lambda: scale_beam(1 / _BEAM_STEP),
        "no-beam": lambda: editor.set_settings(beam=float("inf")),
        "punctuation-rule": lambda on: editor.set_settings(punctuation_rule=on),
        "ignore-tags": lambda on: editor.set_settings(ignore_tags=on),
        "tag-distribution": lambda on: editor.set_settings(tag_distribution=on),
        "full-distance": lambda on: editor.set_settings(distance=FULL_DISTANCE if on else ORDER_ONLY),
        "lexical": lambda on: editor.set_settings(lexical=on),
        "further-backoff": lambda on: editor.set_settings(further_backoff=on),
        "expected-f1": lambda on: editor.set_settings(expected_f1=on),
        "gold-tags": editor.set_gold_tags,
    }


def stage_handlers(view: ViewState, stages: StageView, player: Player) -> Handlers:
    """The actions that change the view state."""
    canvas = stages.canvas
    return {
        "zoom-in": canvas.zoom_in,
        "zoom-out": canvas.zoom_out,
        "fit": canvas.fit,
        "actual-size": canvas.actual_size,
        "tree-beside": stages.parse_stage.set_beside,
        "compact-tree": stages.parse_stage.set_compact,
        "twin": lambda on: stages.tabs.setCurrentIndex(TWIN if on else TABLE),
        "step-back": lambda: player.step(False),
        "step-forward": lambda: player.step(True),
        "previous-stage": lambda: view.set_stage(view.stage - 1),
        "next-stage": lambda: view.set_stage(view.stage + 1),
        "play": player.play,
    }
