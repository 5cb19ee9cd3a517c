"""Help: the manual, the tour, the sheet of shortcuts, the click that asks, finding anything by its name, about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QTextEdit, QWidget

from explorer.application.actions import ACTIONS
from explorer.application.command_palette import Command, CommandPalette
from explorer.application.crash_reports import CrashReports
from explorer.application.preferences_dialog import TOUR_SHOWN
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.preferences import Preferences
from explorer.document.stage_navigation import STAGES
from explorer.document.view_state import ViewState
from explorer.explanations.glosses import Gloss
from explorer.graphics.theme import LIGHT, Theme
from explorer.help.about import AboutDialog
from explorer.help.crash_dialog import CrashDialog
from explorer.help.help_pointer import HelpPointer, TextGlosses
from explorer.help.manual import INDEX, anchor_of, manual_folder
from explorer.help.manual_window import ManualWindow
from explorer.help.shortcut_sheet import ShortcutSheet
from explorer.help.topics import Topics
from explorer.help.tour import Step, Tour

_ASK = "Click the thing that you want to know about; Esc if none"


class Help(QObject):
    """The help of one window.

    Parameters
    ----------
    editor, view, parses
        The document, which names the model, the stage that is shown, and the model itself.
    preferences, messages
        Where it is noted that the tour was shown, and where messages are shown.
    parent
        The window over which help opens.
    """

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        self.view = view
        self._parses = parses
        self._preferences = preferences
        self._messages = messages
        self._parent = parent
        self._theme = LIGHT
        self._topics = Topics(ACTIONS)
        self.pointer = HelpPointer(self._topics.at, self)
        self.pointer.asked.connect(self._answer)
        self.manual: ManualWindow | None = None
        self.palette: CommandPalette | None = None
        self.tour: Tour | None = None
        # What there is to find and to lead through is known when the window is built.
        self.commands: Callable[[], Sequence[Command]] = lambda: ()
        self.menus: Callable[[], Sequence[QMenu]] = lambda: ()
        self.steps: Callable[[], Sequence[Step]] = lambda: ()

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions about help do."""
        return {
            "palette": self.open_palette,
            "manual": self.open_page_of_stage,
            "what-is-this": self.ask,
            "tour": self.start_tour,
            "shortcuts": self.show_shortcuts,
            "crash-report": self.show_crash_report,
            "about": self.show_about,
        }

    def explain_signs_in(self, *views: QTextEdit | QPlainTextEdit) -> None:
        """Show glosses over the signs in these widgets of text."""
        TextGlosses(views, self)

    def set_theme(self, theme: Theme) -> None:
        """Show help in other colours."""
        self._theme = theme
        if self.manual is not None:
            self.manual.set_theme(theme)

    # Finding

    def open_palette(self) -> None:
        """Find anything by a few letters."""
        palette = CommandPalette(self.commands(), self.search_manual, self._theme, self._parent)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.destroyed.connect(self._palette_closed)
        self.palette = palette
        palette.show()
        palette.edit.setFocus()

    def _palette_closed(self) -> None:
        self.palette = None

    # The manual

    def open_manual(self, place: str = INDEX, term: str = "") -> None:
        """Show a place of the manual, and mark a word there."""
        if self.manual is None:
            self.manual = ManualWindow(self._theme, self._parent)
            self.manual.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.manual.destroyed.connect(self._manual_closed)
            self.manual.print_wanted.connect(self.print_page)
        self.manual.show()
        self.manual.open(place, term)
        self.manual.raise_()
        self.manual.activateWindow()

    def _manual_closed(self) -> None:
        self.manual = None

    def print_page(self, page: str) -> None:
        """Show a page of the manual as it is printed."""
        # Loaded when it is asked for: a start does not wait for it.
        from explorer.export.printing import PrintPreview
        from explorer.export.printout import markdown_printout

        text = (manual_folder() / page).read_text(encoding="utf-8")
        title = text.partition("\n")[0].lstrip("# ")
        printout = markdown_printout(title, text, manual_folder())
        over = self.manual if self.manual is not None else self._parent
        preview = PrintPreview("Print preview", [printout], self._preferences, self._messages, over)
        preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        preview.open()

    def open_page_of_stage(self) -> None:
        """Show what the manual says of the stage that is shown."""
        stage = self.view.stage
        self.open_manual(f"tour.md#{anchor_of(f'{stage + 1}. {STAGES[stage]}')}")

    def search_manual(self, query: str) -> None:
        """Search the manual for words."""
        self.open_manual()
        if self.manual is not None:
            self.manual.search_for(query)

    # A click that asks

    def ask(self) -> None:
        """Open the manual's page about whatever is clicked next."""
        self.pointer.start()
        if self.pointer.active:
            self._messages.show(_ASK)

    def _answer(self, gloss: Gloss | None) -> None:
        if gloss is None:
            self._messages.show("The manual says nothing about this")
        else:
            self.open_manual(gloss.page, gloss.name)

    # The tour, the shortcuts, about

    def start_tour(self) -> None:
        """Lead through the window, from the first step."""
        if self.tour is not None:
            self.tour.leave()
        self._preferences.keep(TOUR_SHOWN, True)
        self.tour = Tour(self.steps(), self._parent)
        self.tour.ended.connect(self._tour_ended)

    def offer_tour(self) -> None:
        """Start the tour if it never was: at the first start."""
        if not self._preferences.flag(TOUR_SHOWN):
            self.start_tour()

    def _tour_ended(self) -> None:
        self.tour = None

    def show_shortcuts(self) -> None:
        """Show every key."""
        ShortcutSheet(self.menus(), self._theme, self._parent).open()

    def show_crash_report(self) -> None:
        """Show the newest crash report, if there is one."""
        found = CrashReports(self._preferences.folder).files()
        if not found:
            self._messages.show("There is no crash report: nothing has gone wrong inside the program")
            return
        CrashDialog(found[0], self._sentences, self._messages.show_error, self._parent).open()

    def _sentences(self) -> list[str]:
        document = self.editor.document
        return [document.line.text, *(line.text for line in document.lines if line is not document.line)]

    def show_about(self) -> None:
        """Show what this is, and on what it stands."""
        document = self.editor.document
        path = document.model_name if document.live else document.model
        AboutDialog(self._parses.model, path, self._parent).open()
