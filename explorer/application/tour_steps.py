"""The seven steps of the tour: what each speaks of, what to do, and how the window tells that it was done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from explorer.document.document_editor import DocumentEditor
from explorer.document.view_state import ViewState
from explorer.help.tour import Step

EXAMPLE = "Mary saw the man with the telescope."
Part = Callable[[], QWidget]


def tour_steps(
    editor: DocumentEditor,
    view: ViewState,
    sentence_bar: QWidget,
    stage_strip: QWidget,
    picture: QWidget,
    tables: QWidget,
    inspector: Part,
    settings: QWidget,
    palette_open: Callable[[], bool],
) -> tuple[Step, ...]:
    """Make the steps.

    Parameters
    ----------
    editor, view
        What tells whether a step was done.
    sentence_bar, stage_strip, picture, tables, inspector, settings
        The parts of the window that the steps speak of; the inspector is shown when its step comes.
    palette_open
        Whether the command palette is open.
    """

    def another(value: Callable[[], object]) -> Callable[[], Callable[[], bool]]:
        """Done as soon as a value is another one than at the beginning."""

        def begin() -> Callable[[], bool]:
            before = value()
            return lambda: value() != before

        return begin

    def something_else_selected() -> Callable[[], bool]:
        before = view.selection
        return lambda: view.selection is not None and view.selection != before

    def opened() -> Callable[[], bool]:
        return palette_open

    return (
        Step(
            "Type a sentence",
            f"Click into this field, type plain English and press <b>Enter</b>, for instance<br><i>{EXAMPLE}</i>",
            "Every word stands below with its tag, and the sentence is parsed. Point at a tag to read what it means; "
            "click it to choose another one.",
            lambda: sentence_bar,
            another(lambda: editor.line.text),
            (picture,),
        ),
        Step(
            "Six stages lead to the parse",
            "The parser works in stages, from the words to the tree. Click another stage here, or press <b>←</b>.",
            "The words keep their places from stage to stage. <b>→</b> and <b>←</b> step, <b>F5</b> plays all steps.",
            lambda: stage_strip,
            another(lambda: view.stage),
            (picture,),
        ),
        Step(
            "Click anything",
            "Whatever the picture shows can be asked about. Click a word, a gap, an arrow or a label.",
            "What you clicked is selected, here and in every other stage.",
            lambda: picture,
            something_else_selected,
        ),
        Step(
            "Read why",
            "The inspector explains what is selected, with the paper’s formula and this sentence’s own numbers. Click "
            "something else in the picture, and see how it follows.",
            "Point at a symbol such as η, λ or F̂ to read what it means. A count that is underlined opens the training "
            "sentences that it counted.",
            inspector,
            something_else_selected,
            (picture,),
        ),
        Step(
            "Ask what if",
            "Go to the stage <b>Parse</b> and drag the head of an arrow to another word; or right-click a word, a "
            "gap or a label and choose what to force.",
            "The sentence is parsed again as you want it, and the price is shown under <i>What-ifs</i>. <b>Ctrl+Z</b> "
            "takes it back.",
            lambda: picture,
            another(lambda: editor.line.what_ifs),
            (tables,),
        ),
        Step(
            "Change the model’s settings",
            "Choose another preset, move the beam β, or switch something on or off.",
            "The sentence was parsed again at once. Presets (1) to (4) are the paper’s own models, (5) goes beyond it.",
            lambda: settings,
            another(lambda: (editor.document.preset, editor.settings)),
            (picture,),
        ),
        Step(
            "Find everything with Ctrl+K",
            "Press <b>Ctrl+K</b> and type a few letters: actions, settings, themes, files and pages of the manual.",
            "That was the tour. <b>F1</b> opens the manual, <b>Shift+F1</b> and a click tell about a single thing. The "
            "Help menu starts the tour again.",
            lambda: picture,
            opened,
        ),
    )
