"""The dialog of handouts: from what, what is asked, with or without the key; beside it the pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.model.model import Model
from explorer.classroom.handout import ARROWS, GAPS, KEYS, NO_KEY, WORKSHEETS, Handout, HandoutMaker, handout_pages
from explorer.classroom.lesson import Lesson
from explorer.classroom.lesson_file import read_lesson
from explorer.classroom.worksheets import plain_text
from explorer.kit.controls import filled
from explorer.kit.file_dialogs import ask_open
from explorer.kit.file_kinds import LESSON
from explorer.kit.forms import Choice, FormField, Line, Several
from explorer.kit.messages import Messages
from explorer.output.pages import Page, Paper
from explorer.output.printing import PicturePrintout, PrintPreview
from explorer.pictures.drawing import Metrics
from explorer.pictures.theme import COLOURLESS
from explorer.session.document import Document, plain
from explorer.session.preferences import Preferences

_KEY = "handout/key"
_LESSON, _SENTENCES, _FILE = "lesson", "sentences", "file"
_ASKED = {_LESSON: "handout/ask-lesson", _SENTENCES: "handout/ask-sentences"}
"""What is asked is remembered of each: a lesson has questions of its own, of a sentence something must be asked."""
_MOST_LISTED = 500
_LIST_HEIGHT = 160
_LATER_MS = 200
"""Milliseconds in which somebody may choose more before pages are made."""


class HandoutDialog(PrintPreview):
    """Chooses what goes on a handout, and shows its pages.

    Parameters
    ----------
    lesson, path
        The lesson that is played and its file; ``None`` for none.
    document
        The sentences of the list, and how they are parsed.
    model
        Which parses them, and the lesson where it names no model.
    preferences, messages, parent
        As for :class:`PrintPreview`.
    """

    # For what is copied.
    default_theme = COLOURLESS

    def __init__(
        self,
        lesson: Lesson | None,
        path: Path | None,
        document: Document,
        model: Model,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__("Handout", [], preferences, messages, parent)
        self._lesson = lesson
        self._path = path
        self._document = document
        self._model = model
        self._made: tuple[tuple[object, ...], Handout] | None = None
        self.sentences = QListWidget()
        self.sentences.setAccessibleName("Sentences of the handout")
        self.sentences.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sentences.setSpacing(2)
        self.sentences.setMaximumHeight(_LIST_HEIGHT)
        self._fill_source()
        self._fill_sentences()
        self.rows.insertRow(2, "Sentences", self.sentences)
        self.fields.set_shown("what", False)
        self.fields.show(title="Sentences", key=preferences.text(_KEY, NO_KEY))
        self._recall()
        self._later = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._later.timeout.connect(self._choose)
        self.fields["source"].activated.connect(lambda _: self._source_chosen())
        self.sentences.itemChanged.connect(lambda _: self._later.start())
        for name, chosen in (("title", "textChanged"), ("asked", "changed"), ("key", "currentIndexChanged")):
            getattr(self.fields[name], chosen).connect(lambda *_: self._later.start())
        self._show_fields()
        self._choose()

    def own_fields(self) -> Sequence[FormField]:
        """From what a handout is made, what is asked, and whether with the key."""
        return (
            Choice("source", "From"),
            Line("title", "Title"),
            Several("asked", "Ask", choices={name: (title, "") for name, title in WORKSHEETS.items()}, columns=1),
            Choice("key", "Key", choices=KEYS),
        )

    @property
    def settled(self) -> bool:
        """Whether the pages that are shown are those that are chosen."""
        return not self._later.isActive() and super().settled

    # What can be chosen

    def _fill_source(self) -> None:
        lesson = {_LESSON: f"Lesson: {plain_text(self._lesson.title)}"} if self._lesson is not None else {}
        filled(self.fields["source"], {**lesson, _SENTENCES: "Sentences of the list", _FILE: "A lesson from a file …"})

    def _fill_sentences(self) -> None:
        for number, line in enumerate(self._document.lines[:_MOST_LISTED]):
            item = QListWidgetItem(plain(line.text, 200))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            here = number == self._document.current
            item.setCheckState(Qt.CheckState.Checked if here else Qt.CheckState.Unchecked)
            item.setToolTip(no_markup(item.text()))
            self.sentences.addItem(item)
        self.sentences.setCurrentRow(min(self._document.current, _MOST_LISTED - 1))

    def _recall(self) -> None:
        """Ask what was asked the last time, of a lesson or of sentences."""
        kept = self._preferences.names(_ASKED[self._kind])
        asked = kept or ([ARROWS, GAPS] if self._kind == _SENTENCES else [])
        with QSignalBlocker(self.fields["asked"]):
            self.fields.show(asked=[name for name in WORKSHEETS if name in asked])

    @property
    def _kind(self) -> str:
        return _LESSON if self.fields.value("source") == _LESSON else _SENTENCES

    def _show_fields(self) -> None:
        chosen = self.fields.value("source") == _SENTENCES
        self.fields.set_shown("title", chosen)
        self.rows.setRowVisible(self.sentences, chosen)

    def _source_chosen(self) -> None:
        if self.fields.value("source") == _FILE:
            if path := ask_open(self, self._preferences, "A lesson", LESSON):
                self.open_lesson(path)
            else:
                self.fields["source"].setCurrentIndex(0)
        self._recall()
        self._show_fields()
        self._later.start()

    def open_lesson(self, path: Path) -> None:
        """Make a handout of the lesson in a file; what is wrong with it is said beside the pages."""
        try:
            self._lesson, self._path = read_lesson(path), path
        except EngineError as error:
            self.note.setText(str(error))
            return
        self._fill_source()
        self._recall()
        self._show_fields()
        self._choose()

    # Pages

    def _choose(self) -> None:
        """Make the pages of what is chosen."""
        asked, key = self.fields.value("asked"), self.fields.value("key")
        self._preferences.keep_names(_ASKED[self._kind], asked)
        self._preferences.keep(_KEY, key)
        lesson = self._lesson if self._kind == _LESSON else None
        rows = range(self.sentences.count())
        chosen = tuple(row for row in rows if self.sentences.item(row).checkState() == Qt.CheckState.Checked)
        title = self.fields.value("title") or "Sentences"
        same = (lesson, asked, () if lesson is not None else (chosen, title))

        def made() -> Handout:
            if self._made is None or self._made[0] != same:
                maker = HandoutMaker(self._model)
                if lesson is not None:
                    handout = maker.of_lesson(lesson, self._path, asked)
                else:
                    lines = [self._document.lines[row] for row in chosen]
                    handout = maker.of_sentences(title, lines, self._document.settings, asked)
                self._made = (same, handout)
            return self._made[1]

        def lay_out(paper: Paper, metrics: Metrics) -> tuple[Paper, list[Page]]:
            return paper, handout_pages(made(), metrics, paper, key)

        self.set_printouts([PicturePrintout(plain_text(lesson.title) if lesson is not None else title, lay_out)])
