"""What is in treebanks, in tabs: overview, labels, tags, lengths, head rules, broken trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTabWidget

from engine.gate.text_stream import read_text
from engine.training.survey import (
    NOT_PENN,
    BrokenTree,
    Ranked,
    TreebankSurvey,
    is_known_label,
    is_known_tag,
    rule_text,
    share_text,
)
from engine.trees.treebank import corpus_name
from explorer.kit.controls import holder, in_column, quiet_label, split
from explorer.kit.messages import as_sentence, error_text
from explorer.kit.tables import Row, RowsView
from explorer.kit.tasks import Job, Worker

OVERVIEW, LABELS, TAGS, LENGTHS, HEAD_RULES, BROKEN = range(6)
_TITLES = ("Overview", "Labels", "Tags", "Lengths", "Head rules", "Broken trees")
_BEFORE, _AFTER = 3, 8
"""So many lines are shown before and after a broken place."""
_BAR = 30
_MOST_CHARACTERS = 2000
NOTHING = "Add treebanks, and what is in them is shown here before anything is trained."
_RULES_NOTE = (
    "How many heads each line of the table chose, of constituents with two or more children; punctuation is left out. "
    "‘Moved for CC’ counts the heads that co-ordination then moved to an earlier conjunct."
)


_PAGE = (8, 8, 8, 0)


class SurveyTabs(QTabWidget):
    """Shows what a look at treebanks found."""

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.note = quiet_label(NOTHING)
        self.note.setWordWrap(True)
        self.overview = RowsView(("", ""), stretch=1, name="What is in the treebanks")
        self.overview.horizontalHeader().setVisible(False)
        self.labels = RowsView(("label", "count", "share", "remark"), (1, 2), 3, "Labels of the treebanks")
        self.tags = RowsView(("tag", "count", "share", "remark"), (1, 2), 3, "Tags of the treebanks")
        self.lengths = RowsView(("tokens", "sentences", "share", ""), (1, 2), 3, "Lengths of the sentences")
        self.rules = RowsView(
            ("line", "rule", "heads", "share", "moved for CC"), (0, 2, 3, 4), 1, "Head rules and what they decide"
        )
        self.broken = RowsView(("file", "line", "column", "what is wrong"), (1, 2), 3, "Broken trees")
        self.place = QPlainTextEdit(readOnly=True)
        self.place.setAccessibleName("Text of the broken tree")
        self.place.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.place.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.place.setTabChangesFocus(True)
        self.place.setFrameShape(QFrame.Shape.NoFrame)
        self.place.setPlaceholderText("Choose a broken tree to see its text, with the place marked.")
        self._reading = Worker("read broken tree", newest_only=True, parent=self)
        both = split(self.broken, self.place, sizes=(320, 160))
        self.rules_note = quiet_label(_RULES_NOTE)
        self.rules_note.setWordWrap(True)
        pages = (
            holder(in_column(self.note, (self.overview, 1), margins=_PAGE)),
            self.labels,
            self.tags,
            self.lengths,
            holder(in_column(self.rules_note, (self.rules, 1), margins=_PAGE)),
            both,
        )
        for page, title in zip(pages, _TITLES, strict=True):
            self.addTab(page, title)
        self.broken.chosen.connect(lambda id: self._open(id))
        self.broken.activated_row.connect(lambda id: self._open(id))
        self._survey: TreebankSurvey | None = None

    @property
    def survey(self) -> TreebankSurvey | None:
        """What is shown."""
        return self._survey

    def show_note(self, text: str) -> None:
        """Say something in place of the overview."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def show_survey(self, found: TreebankSurvey | None) -> None:
        """Show what was found; ``None`` for nothing."""
        self._survey = found
        self.place.clear()
        if found is None:
            for view in (self.overview, self.labels, self.tags, self.lengths, self.rules, self.broken):
                view.set_rows([])
            self.setTabText(BROKEN, _TITLES[BROKEN])
            return
        self.overview.set_rows([Row(pair) for pair in found.overview()])
        self.labels.set_rows(_counted(found.labels, is_known_label))
        self.tags.set_rows(_counted(found.tags, is_known_tag))
        groups = found.lengths.groups()
        most = max((count for _, _, count in groups), default=1)
        self.lengths.set_rows(
            [
                Row(
                    (
                        f"{first}–{last}",
                        f"{count:,}",
                        share_text(count, found.sentences),
                        _bar(count / most),
                    )
                )
                for first, last, count in groups
            ]
        )
        self.rules.set_rows(
            [
                Row(
                    (
                        str(use.line or "–"),
                        rule_text(use),
                        f"{use.heads:,}",
                        share_text(use.heads, found.heads),
                        f"{use.moved:,}",
                    )
                )
                for use in found.head_rules
            ]
        )
        unruled = ", ".join(f"{name} ({count:,})" for name, count in found.labels_without_rules)
        more = f" Labels without a line of their own, for which those of * decide: {unruled}." if unruled else ""
        self.rules_note.setText(_RULES_NOTE + more)
        self.broken.set_rows(
            [
                Row((corpus_name(one.file), str(one.line), str(one.column), one.problem), one, tip=one.file)
                for one in found.broken
            ]
        )
        count = f" ({found.broken_count:,})" if found.broken_count else ""
        self.setTabText(BROKEN, _TITLES[BROKEN] + count)

    def _open(self, one: object) -> None:
        """Show the text of a broken tree."""
        if not isinstance(one, BrokenTree):
            return

        def work(job: Job) -> str:
            return place_text(one)

        def on_error(error: Exception) -> None:
            self.place.setPlainText(as_sentence(error_text(error)))

        self._reading.request(work, self.place.setPlainText, on_error)


def place_text(one: BrokenTree) -> str:
    """The lines around a broken place, with their numbers, and a mark below the place itself."""
    lines = read_text(Path(one.file)).split("\n")
    first, last = max(1, one.line - _BEFORE), min(len(lines), one.line + _AFTER)
    width = len(str(last))
    shown = []
    for number in range(first, last + 1):
        text, start = lines[number - 1], 0
        if number == one.line and one.column > _MOST_CHARACTERS // 2:
            # Of a very long line what is about the place.
            start = one.column - _MOST_CHARACTERS // 2
        shown.append(f"{number:{width}} │ {text[start : start + _MOST_CHARACTERS].replace(chr(9), ' ')}")
        if number == one.line:
            shown.append(f"{'':{width}} │ {' ' * (one.column - 1 - start)}▲ column {one.column}: {one.problem}")
    return "\n".join(shown)


def _bar(share: float) -> str:
    """A bar of signs, which is read in a table like any text."""
    return "▇" * round(_BAR * share)


def _counted(counts: Ranked, known: Callable[[str], bool]) -> list[Row]:
    whole = sum(count for _, count in counts)
    return [
        Row((name, f"{count:,}", share_text(count, whole), "" if known(name) else NOT_PENN), chosen=not known(name))
        for name, count in counts
    ]
