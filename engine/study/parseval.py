"""PARSEVAL, the measures of the paper's section 4, as evalb computes, parametrises and prints them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from operator import attrgetter, eq, mul
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import EngineError, RowError
from engine.gate.text_stream import read_text
from engine.trees.tree import ROOT_LABELS, LabelledSpan, Tree, bare_label

# Parameter files of evalb (``.prm``): what is left out of the count, and which labels are one.
#
# The names and what they mean are those of evalb's own documentation; ``COLLINS.prm`` is what everything here counts by
# unless another file is named.

_IGNORED = frozenset({"DEBUG", "MAX_ERROR", "EQ_WORD", "QUOTE_LABEL"})
"""What does not bear on the count here: the words of both trees are the same ones, and no error ends it."""
_MOST_LENGTH = 10_000
_NUMBER = re.compile(r"\d{1,9}")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """What a parameter file says.

    Attributes
    ----------
    deleted
        ``DELETE_LABEL``: a token with this tag is left out, and so is the bracket of a constituent with this label.
        Traces and root labels always are.
    without_length
        ``DELETE_LABEL_FOR_LENGTH``: tokens with this tag do not count for a sentence's length.  Traces never do.
    equal
        ``EQ_LABEL``: from a label to the one that it is counted as.
    labeled
        ``LABELED``: whether labels matter at all.
    cutoff
        ``CUTOFF_LEN``: the longest sentence of the summary's second part.
    name
        What to call them.
    """

    deleted: frozenset[str] = frozenset({",", ":", "``", "''", "."})
    without_length: frozenset[str] = frozenset()
    equal: Mapping[str, str] = field(default_factory=lambda: {"PRT": "ADVP"})
    labeled: bool = True
    cutoff: int = 40
    name: str = "COLLINS.prm"


COLLINS = EvalbParameters()
"""``COLLINS.prm``, by which the paper counts; its punctuation lacks the straight quote, which the parser's has."""


def read_parameters(path: str | Path) -> EvalbParameters:
    """Read a parameter file; raise :class:`EngineError` that names the line that is wrong."""
    return parse_parameters(read_text(path).split("\n"), str(path))


def parse_parameters(lines: Iterable[str], name: str = "parameters") -> EvalbParameters:
    """Read the lines of a parameter file; ``#`` starts a comment."""
    deleted: set[str] = set()
    without_length: set[str] = set()
    pairs: list[tuple[str, str]] = []
    numbers: dict[str, int] = {"LABELED": 1, "CUTOFF_LEN": 40}
    for number, line in enumerate(lines, 1):
        # A label may be the mark itself: evalb takes it for a comment at the beginning of a line only.
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        key, values = fields[0], fields[1:]
        if key in ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH") and len(values) == 1:
            (deleted if key == "DELETE_LABEL" else without_length).add(values[0])
        elif key == "EQ_LABEL" and len(values) == 2:
            pairs.append((values[0], values[1]))
        elif key in numbers and len(values) == 1 and _NUMBER.fullmatch(values[0]) and int(values[0]) <= _MOST_LENGTH:
            numbers[key] = int(values[0])
        elif key not in _IGNORED:
            known = "DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, EQ_LABEL, LABELED and CUTOFF_LEN"
            raise RowError(f"`{line.strip()[:_SHOWN]}` is no parameter of evalb; it has {known}", name, number)
    return EvalbParameters(
        frozenset(deleted),
        frozenset(without_length),
        _joined(pairs),
        bool(numbers["LABELED"]),
        numbers["CUTOFF_LEN"],
        name,
    )


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """From every label that equals another to the first that was named of all that equal it."""
    found: dict[str, str] = {}
    for one, other in pairs:
        first, second = found.get(one, one), found.get(other, other)
        if first != second:
            found = {label: first if kept == second else kept for label, kept in found.items()}
            found[second] = first
    return found


# PARSEVAL: the measures of the paper's section 4 ("Results").
#
# The counting is that of ``evalb`` with Collins's parameter file ``COLLINS.prm``, so that a
# figure from here may be laid beside the paper's table of results:
#
# - traces, function tags and indices are taken away, and so are tokens tagged as commas, colons,
#   quotes or final punctuation; a constituent left without tokens vanishes;
# - ``ADVP`` and ``PRT`` are one label (the footnote of section 4);
# - the root label is never counted, ``X -> X`` counts twice, and brackets match as a multiset;
# - sums are taken over all sentences before dividing, so long sentences weigh more.
#
# It parts from ``evalb`` in four places:
#
# - the GOLD tags alone say which tokens are deleted, where ``evalb`` asks each tree for its own and
#   as a rule throws the sentence out if the two disagree;
# - a sentence without a usable parse costs recall, where ``evalb`` leaves it out;
# - an empty root label, ``ROOT`` and ``S1`` are roots too, where ``evalb`` knows ``TOP`` only;
# - ``ADVP|PRT`` is read as its first label, where ``evalb`` keeps it as a separate label.

Heads = Mapping[int, int]
"""From a token's position to its head's, -1 for the head of the sentence."""

EQUAL_LABELS = COLLINS.equal
"""``EQ_LABEL`` of ``COLLINS.prm``: the label on the left is counted as the one on the right."""
MEASURES = {
    "sentences": ("Sentences", "{}"),
    "labeled_recall": ("LR", "{:.1f}%"),
    "labeled_precision": ("LP", "{:.1f}%"),
    "f1": ("F1", "{:.1f}%"),
    "crossing": ("CBs", "{:.2f}"),
    "no_crossing": ("0 CBs", "{:.1f}%"),
    "two_or_less_crossing": ("<=2 CBs", "{:.1f}%"),
    "complete_match": ("Complete", "{:.1f}%"),
    "tag_accuracy": ("Tags", "{:.1f}%"),
    "attachment": ("Attached", "{:.1f}%"),
    "failed": ("Failed", "{}"),
    "skipped": ("Skipped", "{}"),
}
"""Each measure of :class:`Summary`: its title in :func:`summary_table` (in ASCII, for any terminal) and its form."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The counts of one sentence (section 4), from which every measure is summed.

    Attributes
    ----------
    gold, proposed, matched
        Number of constituents in the treebank's parse, in the parser's, and in both.
    crossing
        Number of proposed constituents that cross one or more of the treebank's.
    tokens, tags_correct
        Number of tokens that are not deleted, and how many of them have the treebank's tag.
    length
        Number of all tokens but traces, punctuation included.
    complete, failed
        Whether the two trees have the same constituents; whether there was no parse to score,
        since none was found or it has other tokens.
    """

    gold: int
    proposed: int
    matched: int
    crossing: int
    tokens: int
    tags_correct: int
    length: int
    complete: bool
    failed: bool = False


class _Pair:
    """Two trees brought to the same tokens; `usable` says whether that worked."""

    def __init__(self, gold: Tree, proposed: Tree | None, parameters: EvalbParameters) -> None:
        words, tags, spans = _flatten(gold)
        kept = [tag not in parameters.deleted for tag in tags]
        # places[i] is how many kept tokens precede token i: a position among all tokens,
        # looked up here, becomes a position among those that count.
        places = list(accumulate(kept, initial=0))
        self.length = len(words) - sum(tag in parameters.without_length for tag in tags)
        self.tokens = places[-1]
        self.gold = _brackets(spans, places, parameters)
        self.proposed: Counter[LabelledSpan] = Counter()
        self.tags_correct = 0
        self.usable = False
        if proposed is not None:
            proposed_words, proposed_tags, proposed_spans = _flatten(proposed)
            if proposed_words == words:
                self.usable = True
                self.proposed = _brackets(proposed_spans, places, parameters)
                # A product of truths: whether the token counts and has the same tag in both trees.
                self.tags_correct = sum(map(mul, kept, map(eq, tags, proposed_tags)))


def _flatten(tree: Tree) -> tuple[list[str], list[str], list[LabelledSpan]]:
    """Return words, tags and constituents of ``clean(tree, collapse=False)``, constituents in pre-order.

    In one pass and without a second tree, which takes a third of the time.  What dominated nothing
    but traces is among the constituents with equal ends; :func:`_brackets` drops it.
    """
    words: list[str] = []
    tags: list[str] = []
    spans: list[LabelledSpan] = []

    def visit(nodes: list[Tree]) -> None:
        for node in nodes:
            label = bare_label(node.label)
            if node.word is None:
                place, start = len(spans), len(words)
                spans.append((label, start, start))
                visit(node.children)
                spans[place] = (label, start, len(words))
            elif label != "-NONE-":
                words.append(node.word)
                tags.append(label)

    visit([tree])
    return words, tags, spans


def _brackets(
    spans: Iterable[LabelledSpan], places: Sequence[int], parameters: EvalbParameters
) -> Counter[LabelledSpan]:
    equal, deleted = parameters.equal, parameters.deleted | ROOT_LABELS
    counted = (span for span in spans if places[span[1]] != places[span[2]] and span[0] not in deleted)
    if not parameters.labeled:
        return Counter(("", places[start], places[end]) for _, start, end in counted)
    return Counter((equal.get(label, label), places[start], places[end]) for label, start, end in counted)


def _crossing(extra: Counter[LabelledSpan], gold: Counter[LabelledSpan]) -> Iterator[LabelledSpan]:
    """Yield those of `extra` that overlap a bracket of `gold` with neither inside the other."""
    spans = {(start, end) for _, start, end in gold}
    for bracket in extra.elements():
        _, start, end = bracket
        # A span that gold has as well, under another label, cannot cross: a tree does not cross itself.
        if (start, end) not in spans and any(
            left < start < right < end or start < left < end < right for left, right in spans
        ):
            yield bracket


def score_pair(gold: Tree, proposed: Tree | None, parameters: EvalbParameters = COLLINS) -> SentenceScore:
    """Count what the measures of section 4 need for one sentence.

    Parameters
    ----------
    gold, proposed
        The treebank's tree as it was read, with root, traces and function tags, and the parser's
        over all tokens of `gold` but traces, or ``None`` if it found no parse.
    parameters
        What is left out of the count, and which labels are one.

    Returns
    -------
    SentenceScore
        For ``None``, and for a tree with other tokens than `gold`, the score is `failed`: no
        proposed constituents, and all of the treebank's lost.
    """
    pair = _Pair(gold, proposed, parameters)
    # What matches is in the treebank's tree and cannot cross it, so only the rest is looked at.
    extra = pair.proposed - pair.gold
    return SentenceScore(
        gold=pair.gold.total(),
        proposed=pair.proposed.total(),
        matched=pair.proposed.total() - extra.total(),
        crossing=sum(1 for _ in _crossing(extra, pair.gold)),
        tokens=pair.tokens,
        tags_correct=pair.tags_correct,
        length=pair.length,
        complete=pair.usable and pair.gold == pair.proposed,
        failed=not pair.usable,
    )


def attachment_score(gold_heads: Heads, proposed_heads: Heads) -> tuple[int, int]:
    """Count the modifiers that hang on the right word: unlabeled dependencies (section 2, Figure 1(c)).

    Parameters
    ----------
    gold_heads, proposed_heads
        For each modifier its head; a token that is not in the mapping (punctuation) does not count.

    Returns
    -------
    tuple of int
        How many modifiers have the same head in both, and how many there are in gold.
    """
    correct = sum(proposed_heads.get(modifier) == head for modifier, head in gold_heads.items())
    return correct, len(gold_heads)


def _percent(part: int, whole: int) -> float:
    # evalb's convention: a share of nothing is 0.
    return 100.0 * part / whole if whole else 0.0


@dataclass(slots=True)
class Summary:
    """The measures of section 4 over the sentences added so far; percentages run from 0 to 100.

    Attributes
    ----------
    sentences, failed, skipped
        All sentences added, those without a usable parse (``evalb``'s errors), and those that
        were parsed but are nothing but punctuation (which ``evalb`` skips too).

    Notes
    -----
    A failed sentence takes part in recall, where all its constituents are lost, and thereby in
    F1.  As in ``evalb`` it takes no part in crossing brackets, complete match and tagging
    accuracy: with no proposal there is nothing that could cross, and it should not pass for a
    sentence with 0 crossing brackets.  Where `failed` is above zero these are flattering.
    """

    sentences: int = 0
    failed: int = 0
    skipped: int = 0
    gold_brackets: int = 0
    proposed_brackets: int = 0
    matched_brackets: int = 0
    crossing_brackets: int = 0
    sentences_without_crossing: int = 0
    sentences_with_two_or_less: int = 0
    sentences_complete: int = 0
    tokens: int = 0
    tags_correct: int = 0
    dependencies_correct: int = 0
    dependencies_gold: int = 0

    def add(self, score: SentenceScore, dependencies: tuple[int, int] | None = None) -> None:
        """Take in one sentence, with the result of :func:`attachment_score` if there is one."""
        self.sentences += 1
        if dependencies is not None:
            self.dependencies_correct += dependencies[0]
            self.dependencies_gold += dependencies[1]
        self.gold_brackets += score.gold
        if score.failed:
            self.failed += 1
        elif score.tokens == 0:
            self.skipped += 1
        else:
            self.proposed_brackets += score.proposed
            self.matched_brackets += score.matched
            self.crossing_brackets += score.crossing
            self.sentences_without_crossing += score.crossing == 0
            self.sentences_with_two_or_less += score.crossing <= 2
            self.sentences_complete += score.complete
            self.tokens += score.tokens
            self.tags_correct += score.tags_correct

    @property
    def scored(self) -> int:
        """Sentences with a parse and at least one token: ``evalb``'s valid sentences."""
        return self.sentences - self.failed - self.skipped

    @property
    def labeled_recall(self) -> float:
        """LR: per cent of the treebank's constituents that were proposed."""
        return _percent(self.matched_brackets, self.gold_brackets)

    @property
    def labeled_precision(self) -> float:
        """LP: per cent of the proposed constituents that the treebank has."""
        return _percent(self.matched_brackets, self.proposed_brackets)

    @property
    def f1(self) -> float:
        """The harmonic mean of LR and LP; the paper gives the two only."""
        return _percent(2 * self.matched_brackets, self.gold_brackets + self.proposed_brackets)

    @property
    def crossing(self) -> float:
        """CBs: crossing brackets per sentence, an average and no percentage."""
        return self.crossing_brackets / self.scored if self.scored else 0.0

    @property
    def no_crossing(self) -> float:
        """0 CBs: per cent of sentences without a crossing bracket."""
        return _percent(self.sentences_without_crossing, self.scored)

    @property
    def two_or_less_crossing(self) -> float:
        """≤ 2 CBs: per cent of sentences with two crossing brackets or fewer."""
        return _percent(self.sentences_with_two_or_less, self.scored)

    @property
    def complete_match(self) -> float:
        """Per cent of sentences with all brackets right, none missing and none extra."""
        return _percent(self.sentences_complete, self.scored)

    @property
    def tag_accuracy(self) -> float:
        """Per cent of tokens, punctuation left out, with the treebank's tag."""
        return _percent(self.tags_correct, self.tokens)

    @property
    def attachment(self) -> float | None:
        """Per cent of the treebank's dependencies that were found; ``None`` if none were added."""
        return _percent(self.dependencies_correct, self.dependencies_gold) if self.dependencies_gold else None

    def as_dict(self) -> dict[str, int | float | None]:
        """Return all of :data:`MEASURES`, ready to be written as JSON."""
        return {name: getattr(self, name) for name in MEASURES}


def summary_table(summaries: Mapping[int | None, Summary]) -> str:
    """Lay summaries out as the paper's table of results, one row for each cut-off length.

    A measure that no summary has (attachment, if no dependencies were added) gets no column.
    """
    columns = [["Length", *("all" if limit is None else f"<={limit}" for limit in summaries)]]
    for name, (title, form) in MEASURES.items():
        values = [getattr(summary, name) for summary in summaries.values()]
        if any(value is not None for value in values):
            columns.append([title, *("-" if value is None else form.format(value) for value in values)])
    aligned = [[cell.rjust(max(map(len, column))) for cell in column] for column in columns]
    return "\n".join("  ".join(row) for row in zip(*aligned, strict=True))


# evalb's table: a row of counts for every sentence, and the summary of all and of those up to a length.
#
# Rows and summary have evalb's own columns, so that whatever reads evalb's output reads this, and a table that evalb
# printed for another parser is read here.  Every figure is made of a row's counts.  As in evalb a sentence without a
# usable parse is an error (status 1) and one without words that count is skipped (status 2); neither is in any sum.

VALID, ERROR, SKIPPED = 0, 1, 2
CUTOFF = 40
MOST_ROWS = 1_000_000
"""A table is held as a whole."""
_RULE = "=" * 76
_HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
)
_NUMBER_COLUMN = r"\s*(\d{1,9})"
_SHARE = r"\s+(\d{1,3}\.\d+|-?nan)"
_ROW = re.compile(rf"{_NUMBER_COLUMN}\s+(\d{{1,9}})\s+([012]){_SHARE}{_SHARE}" + r"\s+(\d{1,9})" * 6 + rf"{_SHARE}\s*")
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
        """Return the row of a sentence that was scored."""
        if score.failed or not score.tokens:
            return cls(number, score.length, ERROR if score.failed else SKIPPED, 0, 0, 0, 0, 0, 0)
        counts = (score.matched, score.gold, score.proposed, score.crossing, score.tokens, score.tags_correct)
        return cls(number, score.length, VALID, *counts)

    @property
    def f1(self) -> float:
        """F1 in per cent."""
        return _share(2 * self.matched, self.gold + self.test)

    def __str__(self) -> str:
        """Return the row as evalb prints it."""
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
        """Yield the lines of evalb's summary."""
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
        """Return the summary of all rows, or of those of at most so many tokens."""
        return EvalbSummary.of([row for row in self.rows if longest is None or row.length <= longest])

    def __str__(self) -> str:
        """Return the table as evalb prints it."""
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
        """Return all of it, ready to be written as JSON."""
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
    """Return whether a text begins like evalb's output."""
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
    """Return the table of sentences that were scored, in their order."""
    return EvalbTable(tuple(EvalbRow.of(number, score) for number, score in enumerate(scores, 1)), cutoff)
