"""Help: the manual, the tour, the sheet of shortcuts, the click that asks, finding anything by its name, about."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, qVersion
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import markup
from engine.common.resources import read_bundled
from engine.explain.glosses import (
    Gloss,
    column_gloss,
    menu_gloss,
    part_gloss,
    preset_gloss,
    setting_gloss,
    tag_gloss,
)
from engine.model.model import Model
from engine.settings import PRESETS
from explorer.canvas.canvas import Canvas
from explorer.kit.actions import HELP, Action, action
from explorer.kit.appearance import icon
from explorer.kit.messages import Messages
from explorer.kit.tables import RowsView
from explorer.panels.inspector import text_gloss
from explorer.panels.sentence_bar import ChipRow, SentenceBar
from explorer.panels.settings import SWITCHES, SettingsStrip
from explorer.panels.stage_view import StageView
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.view_state import ViewState
from explorer.stages.player import StageStrip
from explorer.stages.stages import number_of, stage_named
from explorer.window.actions import WindowActions
from explorer.window.crash_reports import CrashDialog, CrashReports
from explorer.window.files import FileController
from explorer.window.manual import INDEX, ManualWindow, anchor_of, manual_folder
from explorer.window.palette import Command, CommandPalette, commands
from explorer.window.preferences import TOUR_SHOWN, AppearanceController
from explorer.window.shortcuts import ShortcutSheet
from explorer.window.tour import Step, Tour, tour_steps

# About: which version this is, under which licence, on whose work it stands, and what it runs on.

PROGRAM = "parse-explorer"
PARTS = (
    ("PySide6-Essentials", "Qt for Python", "LGPL 3.0"),
    ("numpy", "numpy", "BSD"),
    ("numba", "numba", "BSD"),
    ("networkx", "networkx", "BSD"),
    ("matplotlib", "matplotlib, with the DejaVu fonts", "its own, after PSF; Bitstream Vera"),
)
"""What the program stands on: the name of its distribution, what to call it, and its licence."""
_SIZE = (560, 560)


def version_of(distribution: str) -> str:
    """The version of something that is installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def versions() -> list[tuple[str, str]]:
    """Everything that matters for a report of a fault, and which version of it this is."""
    found = [("Parse Explorer", version_of(PROGRAM)), ("Python", platform.python_version()), ("Qt", qVersion())]
    found += [(title, version_of(name)) for name, title, _ in PARTS]
    return [*found, ("System", f"{platform.system()} {platform.release()}, {sys.platform} {platform.machine()}")]


def credits() -> list[str]:
    """The paragraphs of the manual's credits."""
    index = read_bundled(manual_folder() / "index.md")
    _, _, rest = index.partition("## Credits")
    paragraphs = [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", rest.split("\n## ")[0])]
    return [part for part in paragraphs if part]


def report(model: Model | None, path: str) -> str:
    """The versions, and the model that is open, as text to copy."""
    lines = [f"{name}: {version}" for name, version in versions()]
    if model is not None:
        lines.append(f"Model: {Path(path).name}")
    return "\n".join(lines) + "\n"


def about_html(model: Model | None, path: str) -> str:
    """What this is, and on what it stands."""
    parts = [
        "<p>Michael Collins, <i>A New Statistical Parser Based on Bigram Lexical Dependencies</i> (ACL 1996), in full, "
        "with all its working shown.</p>",
        "<h4>Versions</h4>",
        _table(versions()),
        "<h4>Licences</h4>",
        "<p>Parse Explorer is free software under the MIT licence.  It stands on:</p>",
        _table([(title, licence) for _, title, licence in PARTS]),
        "<h4>Credits</h4>",
        *(f"<p>{paragraph.replace('*', '')}</p>" for paragraph in credits()),
    ]
    if model is not None:
        # Both are whoever made the model's.
        parts.append(f"<h4>Model: {markup(Path(path).stem)}</h4>")
        given = [markup(str(text), quote=False) for text in model.metadata.get("credits", ())]
        parts += [f"<p>{text}</p>" for text in given] or ["<p>The model names no sources.</p>"]
    return "".join(parts)


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td>{name}</td><td style='padding-left:24px'>{value}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


class AboutDialog(QDialog):
    """Says what this is; a button copies the versions."""

    def __init__(self, model: Model | None, path: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Parse Explorer")
        self._report = report(model, path)
        picture = QLabel()
        picture.setPixmap(icon("app", "#b84a00", "#b84a00").pixmap(48, 48))
        title = QLabel(f"<b style='font-size:large'>Parse Explorer</b><br>version {version_of(PROGRAM)}")
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(picture)
        head.addWidget(title, 1)
        self.text = QTextBrowser()
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(12)
        self.text.setHtml(about_html(model, path))
        self.text.setAccessibleName("About Parse Explorer")
        self.copy = QPushButton("Copy versions")
        self.copy.setToolTip("Put the versions on the clipboard, for a report of a fault")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._report))
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.copy)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 16, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)
        self.resize(*_SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


# What a place of the window is about: the gloss of the thing there, and by that the page of the manual.

_FIELDS = {"beam-field": "beam", "threshold-field": "threshold"}


class Topics:
    """Finds what a place is about.

    Parameters
    ----------
    actions
        Everything that the window can do, by which a button or an entry of a menu is known.
    """

    def __init__(self, actions: Callable[[], Iterable[Action]]) -> None:
        self._actions = actions

    def at(self, widget: QWidget, place: QPoint) -> Gloss | None:
        """What stands at a place of a widget; failing that, what the part of the window is about that holds it."""
        held: QWidget | None = widget
        while held is not None:
            found = self._of(held, held.mapFromGlobal(widget.mapToGlobal(place)))
            if found is not None:
                return found
            held = held.parentWidget()
        return None

    def _of(self, widget: QWidget, place: QPoint) -> Gloss | None:
        match widget:
            case Canvas():
                id = widget.at(widget.viewport().mapFrom(widget, place))
                return next(iter(widget.glosses_of(id)), None) if id is not None else None
            case QHeaderView():
                return self._head(widget, place)
            case RowsView():
                index = widget.indexAt(widget.viewport().mapFrom(widget, place))
                if not index.isValid():
                    return None
                return widget.rows_model.gloss(index) or widget.rows_model.column_gloss(index.column())
            case ChipRow():
                index = widget.indexAt(widget.viewport().mapFrom(widget, place))
                return tag_gloss(widget.chips.chips[index.row()].tag) if index.isValid() else None
            case QTextEdit() | QPlainTextEdit():
                return text_gloss(widget, widget.viewport().mapFrom(widget, place))
            case QMenu():
                action = widget.actionAt(place)
                return self.of_action(action.objectName()) if action is not None else None
            case QToolButton() if widget.defaultAction() is not None:
                return self.of_action(widget.defaultAction().objectName())
        if widget.objectName() in _FIELDS:
            return setting_gloss(_FIELDS[widget.objectName()])
        return part_gloss(widget.objectName())

    @staticmethod
    def _head(head: QHeaderView, place: QPoint) -> Gloss | None:
        section = head.logicalIndexAt(place)
        view = head.parentWidget()
        if section < 0:
            return None
        if isinstance(view, RowsView):
            return view.rows_model.column_gloss(section)
        return column_gloss(str(head.model().headerData(section, head.orientation(), Qt.ItemDataRole.DisplayRole)))

    def of_action(self, name: str) -> Gloss | None:
        """What an action is about: a setting, a preset, or what its menu is for."""
        if name in SWITCHES:
            return setting_gloss(SWITCHES[name])
        number = name.removeprefix("preset-")
        if number.isdigit() and int(number) in PRESETS:
            return preset_gloss(int(number))
        action = next((one for one in self._actions() if one.name == name), None)
        gloss = menu_gloss(action.menu) if action is not None else None
        return Gloss(action.title, action.tip, gloss.page) if action is not None and gloss is not None else None


# Shift+F1, then a click: which thing help is wanted about.

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class HelpPointer(QObject):
    """Takes the next click away from whatever it falls on, and tells what that is about.

    Parameters
    ----------
    topic_at
        What a place of a widget is about.

    Signals
    -------
    asked
        Something was clicked: its gloss, or ``None`` if nothing is known of it.
    stopped
        It is over, by a click or by Esc.
    """

    asked = Signal(object)
    stopped = Signal()

    def __init__(self, topic_at: Callable[[QWidget, QPoint], Gloss | None], parent: QObject) -> None:
        super().__init__(parent)
        self._topic_at = topic_at
        self._pressed = False
        self.active = False

    def start(self) -> None:
        """Wait for the click."""
        if self.active:
            self.stop()
            return
        self.active = True
        self._pressed = False
        QApplication.setOverrideCursor(Qt.CursorShape.WhatsThisCursor)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def stop(self) -> None:
        """Wait no longer."""
        if self.active:
            self.active = False
            QApplication.restoreOverrideCursor()
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self.stopped.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swallow the click; menus open as ever, so that their entries can be clicked."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.stop()
            return True
        if not isinstance(watched, QWidget) or not isinstance(event, QMouseEvent) or isinstance(watched, QMenuBar):
            return False
        if event.type() in _PRESSES:
            self._pressed = True
            return True
        if event.type() == QEvent.Type.MouseButtonRelease:
            if self._pressed:
                self._answer(watched, event)
            return True
        return False

    def _answer(self, watched: QWidget, event: QMouseEvent) -> None:
        wanted = event.button() == Qt.MouseButton.LeftButton
        popup = QApplication.activePopupWidget()
        gloss = self._topic_at(watched, event.position().toPoint()) if wanted else None
        if popup is not None:
            popup.close()
        self.stop()
        if wanted:
            self.asked.emit(gloss)


# Help: the manual, the tour, the sheet of shortcuts, the click that asks, finding anything by its name, about.

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
        self.entries: Callable[[], Sequence[Action]] = lambda: ()
        self._topics = Topics(lambda: self.entries())
        self.pointer = HelpPointer(self._topics.at, self)
        self.pointer.asked.connect(self._answer)
        self.manual: ManualWindow | None = None
        self.palette: CommandPalette | None = None
        self.tour: Tour | None = None
        # What there is to find and to lead through is known when the window is built.
        self.commands: Callable[[], Sequence[Command]] = lambda: ()
        self.menus: Callable[[], Sequence[QMenu]] = lambda: ()
        self.steps: Callable[[], Sequence[Step]] = lambda: ()

    # The manual

    def open_manual(self, place: str = INDEX, term: str = "") -> None:
        """Show a place of the manual, and mark a word there."""
        if self.manual is None:
            self.manual = ManualWindow(self._parent)
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
        from explorer.output.printing import PrintPreview, markdown_printout

        text = read_bundled(manual_folder() / page)
        title = text.partition("\n")[0].lstrip("# ")
        printout = markdown_printout(title, text, manual_folder())
        over = self.manual if self.manual is not None else self._parent
        preview = PrintPreview("Print preview", [printout], self._preferences, self._messages, over)
        preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        preview.open()

    @action("manual", "Manual", HELP, "F1")
    def open_page_of_stage(self) -> None:
        """Open the manual at the page of this stage; it can be searched."""
        stage = stage_named(self.view.stage)
        self.open_manual(f"tour.md#{anchor_of(f'{number_of(stage.name)}. {stage.title}')}")

    def search_manual(self, query: str) -> None:
        """Search the manual for words."""
        self.open_manual()
        if self.manual is not None:
            self.manual.search_for(query)

    # A click that asks

    @action("what-is-this", "What is this?", HELP, "Shift+F1")
    def ask(self) -> None:
        """Then click anything: the manual opens at its page."""
        self.pointer.start()
        if self.pointer.active:
            self._messages.show(_ASK)

    def _answer(self, gloss: Gloss | None) -> None:
        if gloss is None:
            self._messages.show("The manual says nothing about this")
        else:
            self.open_manual(gloss.page, gloss.name)

    # Finding

    @action("palette", "Find anything …", HELP, "Ctrl+K", icon="search")
    def open_palette(self) -> None:
        """Find actions, settings, themes, files and pages."""
        palette = CommandPalette(self.commands(), self.search_manual, self._parent)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.destroyed.connect(self._palette_closed)
        self.palette = palette
        palette.show()
        palette.edit.setFocus()

    def _palette_closed(self) -> None:
        self.palette = None

    # The tour, the shortcuts, about

    @action("tour", "Tour", HELP, "Alt+F1", separated=True)
    def start_tour(self) -> None:
        """Seven steps through the window, in each of which you do something yourself."""
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

    @action("shortcuts", "Keyboard shortcuts", HELP, "Ctrl+/")
    def show_shortcuts(self) -> None:
        """Every key of the window on one sheet."""
        ShortcutSheet(self.menus(), self._parent).open()

    @action("crash-report", "Show crash report …", HELP, "Ctrl+Shift+F1", separated=True)
    def show_crash_report(self) -> None:
        """What went wrong inside the program the last time, to read, copy or save; without your sentences."""
        found = CrashReports(self._preferences.folder).files()
        if not found:
            self._messages.show("There is no crash report: nothing has gone wrong inside the program")
            return
        CrashDialog(found[0], self._sentences, self._preferences, self._messages.show_error, self._parent).open()

    def _sentences(self) -> list[str]:
        document = self.editor.document
        return [document.line.text, *(line.text for line in document.lines if line is not document.line)]

    @action("about", "About", HELP, "Ctrl+F1")
    def show_about(self) -> None:
        """Version, licences, credits, the model that is loaded, and what it runs on."""
        document = self.editor.document
        path = document.model_name if document.live else document.model
        AboutDialog(self._parses.model, path, self._parent).open()


# What help has to tell of a window: what there is to find, and what the tour leads through.


class HelpedParts(NamedTuple):
    """The parts of the window that help speaks of."""

    sentence_bar: SentenceBar
    settings_strip: SettingsStrip
    stage_strip: StageStrip
    stages: StageView
    inspector: QDockWidget
    panel_toggles: Sequence[QAction]


def connect_help(
    help: Help, parts: HelpedParts, actions: WindowActions, appearance: AppearanceController, files: FileController
) -> None:
    """Tell help what there is to find, which menus there are, and which parts the tour shows."""

    def everything() -> list[Command]:
        return commands(actions, parts.panel_toggles, appearance, files, parts.settings_strip, help.open_manual)

    def inspector() -> QWidget:
        parts.inspector.show()
        return parts.inspector

    def steps() -> tuple[Step, ...]:
        return tour_steps(
            help.editor,
            help.view,
            parts.sentence_bar,
            parts.stage_strip,
            parts.stages.canvas,
            parts.stages.tabs,
            inspector,
            parts.settings_strip,
            lambda: help.palette is not None,
        )

    help.commands, help.steps, help.entries = everything, steps, lambda: actions.entries
    help.menus = lambda: list(actions.menus.values())
