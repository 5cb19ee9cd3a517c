"""The status of each sentence of the list once it was parsed: its mark, F1, triples, verdict and error classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.structure.dependencies import Relation
from engine.study.parseval import Summary, score_pair
from engine.study.provenance import Provenance
from engine.text.input import is_tree
from engine.trees.tree import Tree
from explorer.session.document import TextLine

if TYPE_CHECKING:
    # What judges is loaded when somebody judges.
    from engine.study.treebank_report import Judgement

PARSED, RIGHT, DIFFERS, FRAGMENTS, FAILED = "parsed", "right", "differs from gold", "fragments", "failed"
"""What can become of a sentence; the second and third only where there is a gold tree."""
UNSEEN = "not parsed yet"
OUT_OF_DATE = "out of date"
SIGNS = {PARSED: "✓", RIGHT: "=", DIFFERS: "≠", FRAGMENTS: "…", FAILED: "✕"}
"""Each mark has its own shape: no meaning by colour alone."""
FURTHER_BACKOFF_SIGN = "↧"
"""Beside the words of a sentence whose tree was found with further back-off only."""


@dataclass(frozen=True, slots=True)
class SentenceStatus:
    """What became of a sentence of the list.

    Attributes
    ----------
    mark
        One of the marks above.
    provenance
        The model, settings and tags under which it was so.
    f1
        F1 of its parse in per cent, if there is a gold tree.
    triples
        The triples of its parse.
    verdict
        Why it differs from its gold tree, once that was asked; else empty.
    classes
        The classes of its errors, once they were asked for.
    further_backoff
        Whether its tree was found with further back-off only.
    tree
        Its parse in brackets, for whoever searches the parses; empty if there is none.
    """

    mark: str
    provenance: Provenance | None = None
    f1: float | None = None
    triples: frozenset[Relation] = frozenset()
    verdict: str = ""
    classes: tuple[str, ...] = ()
    further_backoff: bool = False
    tree: str = ""

    def is_up_to_date(self, line: TextLine, now: Provenance | None) -> bool:
        """Return whether it is what one would find `now`, which names the source of the tags of gold trees.

        Where the tags of a sentence without a gold tree come from, its own text says.
        """
        known = self.provenance
        if known is None or now is None:
            return False
        return known == (now if is_tree(line.text) else replace(now, tags=known.tags))


def status_of(parse: Parse, gold: Tree | None, provenance: Provenance | None = None) -> SentenceStatus:
    """Tell the status that a parse gives its sentence."""
    triples = frozenset(arrow.relation for arrow in parse.dependencies)
    further, tree = bool(parse.further_backoff), parse.tree.brackets()
    if gold is None:
        mark = FRAGMENTS if parse.fallback else PARSED
        return SentenceStatus(mark, provenance, None, triples, further_backoff=further, tree=tree)
    score = score_pair(gold, parse.tree)
    alone = Summary()
    alone.add(score)
    mark = FRAGMENTS if parse.fallback else RIGHT if score.complete else DIFFERS
    return SentenceStatus(mark, provenance, alone.f1, triples, further_backoff=further, tree=tree)


def status_of_judgement(judged: Judgement, provenance: Provenance) -> SentenceStatus:
    """Tell the status of a sentence that was judged against its gold tree."""
    mark = FRAGMENTS if judged.fallback else DIFFERS
    if judged.matched == judged.gold == judged.proposed:
        mark = RIGHT
    classes = tuple(dict.fromkeys(str(mistake.kind) for mistake in judged.errors))
    further = bool(judged.further_backoff)
    return SentenceStatus(
        mark, provenance, judged.f1, frozenset(), str(judged.kind), classes, further, judged.parse_tree
    )


class SentenceStatuses(QObject):
    """What is known of the sentences of the list, by sentence.

    Signals
    -------
    changed
        Something is known of some sentences that was not known before.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_line: dict[TextLine, SentenceStatus] = {}

    @property
    def by_line(self) -> Mapping[TextLine, SentenceStatus]:
        """All that is known; grows while sentences are parsed."""
        return self._by_line

    def __getitem__(self, line: TextLine) -> SentenceStatus:
        return self._by_line[line]

    def __contains__(self, line: object) -> bool:
        return line in self._by_line

    def __iter__(self) -> Iterator[TextLine]:
        return iter(self._by_line)

    def __len__(self) -> int:
        return len(self._by_line)

    def get(self, line: TextLine) -> SentenceStatus | None:
        """Return the status of a sentence; ``None`` if it was not parsed yet."""
        return self._by_line.get(line)

    def add(self, found: Mapping[TextLine, SentenceStatus]) -> None:
        """Add what was found; what is known of a sentence's errors under the same model and settings stays."""
        for line, status in found.items():
            before = self._by_line.get(line)
            if before is not None and not status.verdict and before.provenance == status.provenance:
                status = replace(status, verdict=before.verdict, classes=before.classes)
            self._by_line[line] = status
        self.changed.emit()

    def clear(self) -> None:
        """Forget everything: the sentences are others now."""
        self._by_line.clear()
        self.changed.emit()
