"""evalb's table: a row of counts for every sentence, and the summary of all and of those up to a length.

Rows and summary have evalb's own columns, so that whatever reads evalb's output reads this, and a table that evalb
printed for another parser is read here.  Every figure is made of a row's counts.  As in evalb a sentence without a
usable parse is an error (status 1) and one without words that count is skipped (status 2); neither is in any sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from engine.common.errors import EngineError, RowError
from engine.evaluation.parseval import SentenceScore

VALID, ERROR, SKIPPED = 0, 1, 2
CUTOFF = 40
MOST_ROWS = 1_000_000
"""A table is held as a whole."""
_RULE = "=" * 76
_HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
)
_NUMBER = r"\s*(\d{1,9})"
_SHARE = r"\s+(\d{1,3}\.\d+|-?nan)"
_ROW = re.compile(rf"{_NUMBER}\s+(\d{{1,9}})\s+([012]){_SHARE}{_SHARE}" + r"\s+(\d{1,9})" * 6 + rf"{_SHARE}\s*")
_MESSAGE = re.compile(r"\s*\d+ ?: ")
"""What evalb says of a sentence on standard error, which may stand between the rows."""
_CUTOFF = re.compile(r"-- len<=(\d{1,5}) --")
_TOLERANCE = 0.011
"""Shares are printed with two places."""


class EvalbRow(NamedTuple):
    """The counts of one sentence.

    Attributes
    ----------
    number
        Of the sentence, from 1.
    length
        Tokens but traces.
    status
        :data:`VALID`, :data:`ERROR` or :data:`SKIPPED`.
    matched, gold, test, crossing
        Brackets that match, those of the gold tree and of the parse, and of the parse those that cross one of gold's.
    words, tags
        Tokens that count, and those of them with the gold tag.
    """

    number: int
    length: int
    status: int
    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    tags: int

    @classmethod
    def of(cls, number: int, score: SentenceScore) -> EvalbRow:
        """The row of a sentence that was scored."""
        if score.failed or not score.tokens:
            return cls(number, score.length, ERROR if score.failed else SKIPPED, 0, 0, 0, 0, 0, 0)
        counts = (score.matched, score.gold, score.proposed, score.crossing, score.tokens, score.tags_correct)
        return cls(number, score.length, VALID, *counts)

    @property
    def f1(self) -> float:
        """F1 in per cent."""
        return _share(2 * self.matched, self.gold + self.test)

    def __str__(self) -> str:
        """The row as evalb prints it."""
        brackets = f"{self.matched:3d}    {self.gold:3d}  {self.test:3d}    {self.crossing:3d}"
        shares = f"{_share(self.matched, self.gold):6.2f} {_share(self.matched, self.test):6.2f}"
        tags = f"{self.words:4d}  {self.tags:4d}   {_share(self.tags, self.words):6.2f}"
        return f"{self.number:4d}  {self.length:3d}    {self.status}  {shares}   {brackets}   {tags}"


@dataclass(frozen=True, slots=True)
class EvalbSummary:
    """What evalb's summary says of some rows; shares in per cent."""

    sentences: int
    errors: int
    skipped: int
    recall: float
    precision: float
    f1: float
    complete: float
    crossing: float
    no_crossing: float
    two_or_less_crossing: float
    tag_accuracy: float

    @classmethod
    def of(cls, rows: Sequence[EvalbRow]) -> EvalbSummary:
        """Sum up some rows."""
        valid = [row for row in rows if row.status == VALID]
        matched, gold, test = (sum(map(attrgetter(name), valid)) for name in ("matched", "gold", "test"))
        count = len(valid)
        return cls(
            len(rows),
            sum(row.status == ERROR for row in rows),
            sum(row.status == SKIPPED for row in rows),
            _share(matched, gold),
            _share(matched, test),
            _share(2 * matched, gold + test),
            _share(sum(row.matched == row.gold == row.test for row in valid), count),
            sum(row.crossing for row in valid) / max(count, 1),
            _share(sum(not row.crossing for row in valid), count),
            _share(sum(row.crossing <= 2 for row in valid), count),
            _share(sum(row.tags for row in valid), sum(row.words for row in valid)),
        )

    @property
    def valid(self) -> int:
        """Sentences that are in the sums."""
        return self.sentences - self.errors - self.skipped

    def lines(self) -> Iterator[str]:
        """The lines of evalb's summary."""
        for title, count in (
            ("Number of sentence", self.sentences),
            ("Number of Error sentence", self.errors),
            ("Number of Skip  sentence", self.skipped),
            ("Number of Valid sentence", self.valid),
        ):
            yield f"{title:<25} = {count:6d}"
        for title, share in (
            ("Bracketing Recall", self.recall),
            ("Bracketing Precision", self.precision),
            ("Bracketing FMeasure", self.f1),
            ("Complete match", self.complete),
            ("Average crossing", self.crossing),
            ("No crossing", self.no_crossing),
            ("2 or less crossing", self.two_or_less_crossing),
            ("Tagging accuracy", self.tag_accuracy),
        ):
            yield f"{title:<25} = {share:6.2f}"


@dataclass(frozen=True, slots=True)
class EvalbTable:
    """The rows of a whole file, and the length up to which the summary's second part goes."""

    rows: tuple[EvalbRow, ...]
    cutoff: int = CUTOFF

    def summary(self, longest: int | None = None) -> EvalbSummary:
        """The summary of all rows, or of those of at most so many tokens."""
        return EvalbSummary.of([row for row in self.rows if longest is None or row.length <= longest])

    def __str__(self) -> str:
        """The table as evalb prints it."""
        valid = [row for row in self.rows if row.status == VALID]
        sums = [sum(counts) for counts in zip(*(row[3:] for row in valid), strict=True)] if valid else [0] * 6
        matched, gold, test, crossing, words, tags = sums
        total = (
            f"{_share(matched, gold):22.2f} {_share(matched, test):6.2f} {matched:6d} {gold:5d} {test:5d}"
            f"  {crossing:5d}  {words:5d} {tags:5d}   {_share(tags, words):6.2f}"
        )
        lines = [*map(str, self.rows), _RULE, total, "=== Summary ===", "", "-- All --", *self.summary().lines(), ""]
        lines += [f"-- len<={self.cutoff} --", *self.summary(self.cutoff).lines()]
        return f"{_HEAD}{_RULE}\n" + "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready to be written as JSON."""
        parts = {"all": self.summary(), f"len<={self.cutoff}": self.summary(self.cutoff)}
        return {
            "rows": [row._asdict() for row in self.rows],
            "summary": {name: {**asdict(part), "valid": part.valid} for name, part in parts.items()},
        }


class TableDifference(NamedTuple):
    """How two parsers did on the same sentences: on how many the first has the higher F1, the lower, and the same."""

    better: int
    worse: int
    same: int


def compared(first: EvalbTable, second: EvalbTable) -> TableDifference:
    """Hold two tables of the same sentences against each other; raise :class:`EngineError` if they are of others."""
    if len(first.rows) != len(second.rows):
        raise EngineError(f"one table has {len(first.rows):,} sentences, the other {len(second.rows):,}")
    better = worse = same = 0
    for one, other in zip(first.rows, second.rows, strict=True):
        both = one.status == other.status == VALID
        if one.length != other.length or (both and one.gold != other.gold):
            raise EngineError(
                f"sentence {one.number} has {one.length} tokens and {one.gold} gold brackets in one table, "
                f"{other.length} and {other.gold} in the other: they are not of the same gold trees"
            )
        if both:
            better += one.f1 > other.f1
            worse += one.f1 < other.f1
            same += one.f1 == other.f1
    return TableDifference(better, worse, same)


def is_evalb_table(text: str) -> bool:
    """Whether a text begins like evalb's output."""
    lines = text.lstrip("\ufeff").split("\n", 3)
    return len(lines) > 1 and lines[0].split()[:2] == ["Sent.", "Matched"] and lines[1].split()[:2] == ["ID", "Len."]


def read_evalb_table(text: str | Iterable[str], name: str = "table") -> EvalbTable:
    """Read what evalb printed, or another program in its form; raise :class:`RowError` at the first row that is wrong.

    Parameters
    ----------
    text
        The whole of it, or its lines; the summary is not read but made again from the rows.
    name
        What to call it in an error.
    """
    rows: list[EvalbRow] = []
    cutoff = CUTOFF
    rules = 0
    for number, line in enumerate(text.splitlines() if isinstance(text, str) else text, 1):
        if line.startswith("===="):
            rules += 1
        elif rules == 1 and line.strip() and not _MESSAGE.match(line):
            if len(rows) == MOST_ROWS:
                raise RowError(f"a table has {MOST_ROWS:,} rows at most; cut it into several", name, number)
            rows.append(_row(line.rstrip("\r\n"), name, number))
        elif rules > 1 and (match := _CUTOFF.match(line)):
            cutoff = int(match[1])
    if not rules:
        raise RowError("this is not a table of evalb: it has no line of ====", name, 1)
    return EvalbTable(tuple(rows), cutoff)


def _row(line: str, name: str, number: int) -> EvalbRow:
    match = _ROW.fullmatch(line)
    if match is None:
        raise RowError("a row of evalb's table has 12 numbers, ID to accuracy; this one does not", name, number)
    cells = match.groups()
    row = EvalbRow(*map(int, (*cells[:3], *cells[5:11])))
    if row.status == VALID:
        if row.matched > min(row.gold, row.test) or row.tags > row.words:
            raise RowError("more brackets or tags match than there are", name, number)
        for printed, share in ((cells[3], _share(row.matched, row.gold)), (cells[4], _share(row.matched, row.test))):
            if "nan" not in printed and abs(float(printed) - share) > _TOLERANCE:
                raise RowError(f"the row says {printed} %, but its counts give {share:.2f} %", name, number)
    return row


def _share(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0


def table_of(scores: Iterable[SentenceScore], cutoff: int = CUTOFF) -> EvalbTable:
    """The table of sentences that were scored, in their order."""
    return EvalbTable(tuple(EvalbRow.of(number, score) for number, score in enumerate(scores, 1)), cutoff)
