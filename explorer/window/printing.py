"""Prints what a window shows: the picture of a stage, all of them, the comparison, the explanation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from explorer.classroom.references import References
from explorer.compare.controller import ComparisonController
from explorer.kit.actions import FILE, action
from explorer.kit.features import Feature
from explorer.kit.messages import Messages
from explorer.kit.tasks import Worker
from explorer.panels.inspector import Inspector
from explorer.panels.stage_view import StageView
from explorer.session.document import plain
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.stages.stage import Stage
from explorer.stages.stages import count_in_words

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog

    from explorer.output.printing import Printout, PrintPreview

# Printing is loaded when it is asked for: a start does not wait for it.
_NOTHING = "there is no picture to print; type a sentence first"


class PrintController(Feature):
    """Prints and previews what is shown.

    Parameters
    ----------
    parses, stages, inspector, comparison
        What is shown, and who draws and explains it.
    preferences, messages
        Paper and colours of the last time, and where messages are shown.
    parent
        The window over which dialogs open.
    """

    def __init__(
        self,
        parses: ParseService,
        stages: StageView,
        inspector: Inspector,
        comparison: ComparisonController,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._parses = parses
        self._stages = stages
        self._inspector = inspector
        self._comparison = comparison
        self._preferences = preferences
        self._messages = messages
        self._parent = parent
        self._worker = Worker("print", newest_only=True, parent=parent)
        self.dialog: QPrintDialog | None = None
        self.preview: PrintPreview | None = None

    def printouts(self) -> list[Printout]:
        """What can be printed now, what is in the middle of the window first."""
        found: list[Printout] = []
        if self._comparison.is_shown and self._comparison.comparisons.comparison is not None:
            found.append(self._compared())
        if self._parses.shown is not None and self._parses.shown.sentence.positions:
            stage = self._stages.stage
            found.append(self._pictures(stage.title, [stage]))
            found.append(self._explained())
            found.append(self._pictures(f"All {count_in_words().lower()} stages", list(self._stages.stages.values())))
        return found

    def _pictures(self, title: str, chosen: Sequence[Stage]) -> Printout:
        """The pictures of stages, each on pages of its own; the pages of several are all upright."""
        from explorer.output.pages import Page, Paper, joined_pages, opened_trees, picture_pages
        from explorer.output.printing import PicturePrintout
        from explorer.pictures.drawing import Drawing, Metrics
        from explorer.pictures.layout import Room
        from explorer.pictures.ruler import columns_of

        result, parse = self._parses.result, self._parses.shown
        assert result is not None and parse is not None
        tree = self._stages.parse_stage.options.tree
        sentence = plain(result.request.line.text)
        notes = [f"{result.request.provenance(result.reading)}"]
        what_ifs = result.request.line.what_ifs
        if what_ifs:
            names = map(References(result.reading.tagged.proper_words).constraint_name, what_ifs)
            notes.append(f"What if: {'; '.join(names)}")

        def draw(stage: Stage, metrics: Metrics, room: Room) -> list[Drawing]:
            drawing = stage.draw(parse, metrics, columns_of(parse, metrics), room)
            opened = opened_trees(parse, metrics, room, drawing.folded, tree) if stage.folds_trees else []
            return [drawing, *opened]

        def lay_out(paper: Paper, metrics: Metrics) -> tuple[Paper, list[Page]]:
            pages = [
                picture_pages(
                    partial(draw, stage, metrics), sentence, [stage.title, *notes], metrics, paper, len(chosen) == 1
                )
                for stage in chosen
            ]
            return joined_pages(pages, sentence, metrics)

        return PicturePrintout(title, lay_out)

    def _compared(self) -> Printout:
        from explorer.compare.export import comparison_pages
        from explorer.output.printing import PicturePrintout

        comparison = self._comparison.comparisons.comparison
        assert comparison is not None
        return PicturePrintout("Comparison", lambda paper, metrics: comparison_pages(comparison, metrics, paper))

    def _explained(self) -> Printout:
        from PySide6.QtGui import QTextDocument

        from explorer.output.printing import TextPrintout
        from explorer.pictures.theme import Theme

        explanation = self._inspector.explanation

        def fill(document: QTextDocument, theme: Theme) -> None:
            ink, muted, hairline, accent = map(theme.colour, ("ink", "muted", "hairline", "accent"))
            written = explanation.html(ink, muted, hairline, accent, folded=frozenset())
            # On paper nothing can be folded away.
            document.setHtml(written.replace("▾", ""))

        return TextPrintout("Explanation", fill)

    def _print(self, place: int) -> None:
        """Lay out what is shown, then ask for a printer."""
        from explorer.kit.fonts import SharedMetrics
        from explorer.output.printing import chosen_paper, chosen_theme, open_print_dialog

        printouts = self.printouts()
        if not printouts:
            self._messages.show(_NOTHING, True)
            return
        printout, metrics = printouts[place], SharedMetrics()
        paper, theme = chosen_paper(self._preferences), chosen_theme(self._preferences)

        def ask(_: object) -> None:
            self.dialog = open_print_dialog(printout, theme, self._messages, self._parent)
            self.dialog.finished.connect(self._dialog_closed)

        self._worker.request(lambda job: printout.prepare(paper, metrics), ask, self._messages.show_error)

    def _dialog_closed(self) -> None:
        self.dialog = None

    @action("print", "Print …", FILE, "Ctrl+P", separated=True)
    def print_shown(self) -> None:
        """Print the picture of the stage, or the comparison if that is shown."""
        self._print(0)

    @action("print-preview", "Print preview …", FILE, "Ctrl+Alt+O")
    def open_preview(self) -> None:
        """See the pages first; choose what is printed, A4 or Letter, colours or grey, or save them as PDF."""
        self._open_preview()

    @action("print-explanation", "Print explanation …", FILE, "Ctrl+Alt+I")
    def preview_explanation(self) -> None:
        """See what the inspector says as pages, and print them."""
        self._open_preview(explanation_first=True)

    def _open_preview(self, explanation_first: bool = False) -> None:
        from PySide6.QtCore import Qt

        from explorer.output.printing import PrintPreview, TextPrintout

        printouts = self.printouts()
        if not printouts:
            self._messages.show(_NOTHING, True)
            return
        if explanation_first:
            printouts.sort(key=lambda one: not isinstance(one, TextPrintout))
        preview = PrintPreview("Print preview", printouts, self._preferences, self._messages, self._parent)
        preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        preview.destroyed.connect(self._preview_closed)
        self.preview = preview
        preview.open()

    def _preview_closed(self) -> None:
        self.preview = None
