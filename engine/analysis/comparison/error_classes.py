"""Classes of errors, after Kummerfeld, Hall, Curran and Klein (2012, "Parser Showdown at the Wall Street Corral").

The parse is turned into the gold tree repair by repair (:mod:`engine.analysis.comparison.tree_repairs`); repairs that
belong together are one error, and what was moved, added, removed or relabelled says of which kind it is:

* a moved phrase is a **PP**, **NP**, **modifier** or **clause attachment**, by what was moved; a noun phrase moved from
  one verb to another is a **verb's argument**;
* **co-ordination** is what they define, "cases in which a conjunction is an immediate sibling of the nodes being moved,
  or is the leftmost or rightmost node being moved": a node added or removed around a conjunction or beside one is none;
* a node with a level of its own label under it (``NP -> NP PP``), added or removed, attaches its other children: so
  it is of the kinds of attachments, unless it is a conjunct that stands beside that level;
* a node inside a baseNP is **NP internal**, all of one baseNP together;
* another label on the same words is a **different label**;
* a node added or removed over a word and nothing else is a **single-word phrase**; over the same words as another
  phrase it is a **unary**, also if these are one word, and also beside a phrase that was moved: in their figure of two
  unaries one is ``S`` over ``(VP (VBG Following))``, the other ``NP`` over ``NP``;
* any other node is a **missing** or an **extra phrase**; words moved without a phrase count as what they would head,
  and where they would head none of these as **other**.

Where this differs from the program that they published the manual says why (`resources/manual/tour.md`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.analysis.comparison.editable_nodes import grown
from engine.analysis.comparison.tree_comparison import (
    Span,
    View,
    counted,
    f1_of,
    narrowing,
    own_lexicaliser,
    quoted,
    split,
)
from engine.analysis.comparison.tree_repairs import RepairKind, Repairs, TreeRepair
from engine.common.errors import EngineError
from engine.structure.constituents import CONJUNCTIONS
from engine.trees.tree import LabelledSpan, Tree
from engine.trees.tree_normalisation import clean

GOLD = "gold"
"""What a description calls the right tree."""
CLAUSES = frozenset({"S", "SBAR", "SINV", "SQ", "SBARQ", "VP", "RRC", "FRAG"})
VERBAL = frozenset({"VP", "S", "SINV", "SQ", "SBAR", "SBARQ"})
NOUN_PHRASES = frozenset({"NP", "NX", "NML", "NAC", "WHNP"})
MODIFIERS = frozenset({"ADVP", "ADJP", "PRT", "QP", "PRN", "INTJ", "WHADVP", "WHADJP"})
ADVERBS = frozenset({"RB", "RBR", "RBS", "JJ", "JJR", "JJS", "UH"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "CD", "DT", "EX", "WP", "WDT"})


class ErrorClass(StrEnum):
    """What a parser got wrong."""

    PP = "PP attachment"
    NP = "NP attachment"
    MODIFIER = "modifier attachment"
    CLAUSE = "clause attachment"
    COORDINATION = "co-ordination"
    ARGUMENT = "verb's argument"
    NP_INTERNAL = "NP internal"
    UNARY = "unary"
    LABEL = "different label"
    SINGLE_WORD = "single-word phrase"
    MISSING = "missing phrase"
    EXTRA = "extra phrase"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ParseError:
    """One error: brackets that are wrong for one reason.

    Attributes
    ----------
    kind
        What was got wrong.
    missing, extra
        The brackets that are missing from the parse, and those that it has in their place (tokens as unit).
    start, end
        The tokens that were attached wrongly, or that the brackets are over.
    words
        These tokens without punctuation.
    description
        The error in one sentence.
    f1
        By how many points F1 of the sentence rises if this error alone is repaired.
    """

    kind: ErrorClass
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    start: int
    end: int
    words: str
    description: str
    f1: float


def classify_errors(parse_tree: Tree, gold_tree: Tree, held_against: str = GOLD) -> list[ParseError]:
    """The errors of a parse, those that cost most first.

    Every bracket in which the trees differ (as PARSEVAL counts) belongs to exactly one of them.  `held_against` is what
    the descriptions call the second tree, where it is not gold but another parse.
    """
    parse, gold = View.of(parse_tree, own_lexicaliser()), View.of(gold_tree, own_lexicaliser())
    if parse.sentence.words != gold.sentence.words:
        raise EngineError("the two trees have different words, so they cannot be compared")
    places = narrowing(gold.sentence.tags)
    proposed, wanted = parse.spans(places), gold.spans(places)
    matching, missing, extra = split(proposed, wanted)
    if not missing and not extra:
        return []
    kept = [place == token for token, place in enumerate(places[:-1])]
    tokens = [token for token, is_kept in enumerate(kept) if is_kept]
    roots = [grown(cleaned, kept) for tree in (parse_tree, gold_tree) if (cleaned := clean(tree, collapse=False))]
    repairs = list(Repairs(*roots).run())
    scene = _Scene(gold.sentence.words, tokens, wanted, _Pool(missing), _Pool(extra), held_against)
    found = []
    for group in scene.groups(repairs):
        error = scene.error(group)
        gained = len(error.missing)
        before = f1_of(len(matching), len(wanted), len(proposed))
        after = f1_of(len(matching) + gained, len(wanted), len(proposed) + gained - len(error.extra))
        found.append((after - before, error))
    found.sort(key=lambda pair: (-pair[0], pair[1].start))
    return [replace(error, f1=gain) for gain, error in found]


class _Pool:
    """Differing brackets that no error has taken yet."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans: dict[tuple[str, int, int], list[Span]] = {}
        for span in spans:
            self._spans.setdefault(counted(span), []).append(span)

    def peek(self, key: tuple[str, int, int]) -> Span | None:
        """A bracket, if there still is one."""
        return next(iter(self._spans.get(key, ())), None)

    def take(self, key: tuple[str, int, int], most: int) -> list[Span]:
        """Take up to so many equal brackets."""
        spans = self._spans.get(key, [])
        taken, spans[:most] = spans[:most], []
        return taken


@dataclass(slots=True)
class _Scene:
    """One sentence whose errors are classified: its tokens, which of them count, and the brackets that differ."""

    words: Sequence[str]
    tokens: Sequence[int]
    gold: Sequence[Span]
    missing: _Pool
    extra: _Pool
    held_against: str

    def span(self, bracket: LabelledSpan) -> tuple[str, int, int]:
        """A bracket over words as one over tokens."""
        label, start, end = bracket
        return label, self.tokens[start], self.tokens[end - 1] + 1

    def text(self, start: int, end: int) -> str:
        """Some of the words, for a description."""
        return quoted([self.words[token] for token in self.tokens[start:end]])

    def groups(self, repairs: Sequence[TreeRepair]) -> list[list[TreeRepair]]:
        """Repairs that are one error: those that finish another, that mend what it spoilt, that share a baseNP."""
        owner = list(range(len(repairs)))

        def root(number: int) -> int:
            while owner[number] != number:
                number = owner[number]
            return number

        spoilt: dict[LabelledSpan, list[int]] = {}
        bases: dict[tuple[int, int], int] = {}
        for number, repair in enumerate(repairs):
            if repair.follows:
                owner[root(number)] = root(number - 1)
            for bracket, times in repair.mended.items():
                debts = spoilt.get(bracket, [])
                for _ in range(min(times, len(debts))):
                    owner[root(number)] = root(debts.pop())
            for bracket, times in repair.spoilt.items():
                spoilt.setdefault(bracket, []).extend([number] * times)
            if self._kind(repair) is ErrorClass.NP_INTERNAL:
                first = bases.setdefault(self._base(repair), number)
                owner[root(number)] = root(first)
        grouped: dict[int, list[TreeRepair]] = {}
        for number, repair in enumerate(repairs):
            grouped.setdefault(root(number), []).append(repair)
        return list(grouped.values())

    def _base(self, repair: TreeRepair) -> tuple[int, int]:
        """The smallest noun phrase of gold around a repair."""
        _, start, end = self.span(("", repair.start, repair.end))
        around = [
            (span.end - span.start, span.start, span.end)
            for span in self.gold
            if span.label == "NP" and span.start <= start and end <= span.end and not span.inside
        ]
        return min(around, default=(0, start, end))[1:]

    def error(self, group: Sequence[TreeRepair]) -> ParseError:
        """The error that a group of repairs mends; its F1 is not known yet."""
        mended: Counter[LabelledSpan] = Counter()
        for repair in group:
            mended.update(repair.mended)
        for repair in group:
            mended.subtract(repair.spoilt)
        main = max(group, key=lambda one: (one.kind is RepairKind.MOVE, one.mended.total(), -group.index(one)))
        kind = self._kind(main)
        missing: list[Span] = []
        extra: list[Span] = []
        for bracket, times in mended.items():
            if times > 0:
                key = self.span(bracket)
                found = self.missing.take(key, times)
                missing += found
                extra += self.extra.take(key, times - len(found))
        _, start, end = self.span(("", main.start, main.end))
        if kind in _ATTACHMENTS and main.kind in (RepairKind.ADD, RepairKind.REMOVE):
            first, last = self._hanging(main)
            _, start, end = self.span(("", first, last))
        words = " ".join(self.words[token] for token in self.tokens if start <= token < end)
        description = self._description(main, kind)
        return ParseError(kind, tuple(sorted(missing)), tuple(sorted(extra)), start, end, words, description, 0.0)

    # What kind a repair is of.

    def _kind(self, repair: TreeRepair) -> ErrorClass:
        if repair.kind is RepairKind.RELABEL:
            return ErrorClass.NP_INTERNAL if self._inside(repair) else ErrorClass.LABEL
        if repair.kind is RepairKind.MOVE:
            if CONJUNCTIONS & {repair.labels[0], repair.labels[-1], *repair.siblings}:
                return ErrorClass.COORDINATION
            return _attachment(repair.labels, repair.before[0], repair.after[0])
        if self._inside(repair):
            return ErrorClass.NP_INTERNAL
        if repair.over_word:
            return ErrorClass.SINGLE_WORD
        label, start, end = repair.before
        if len(repair.children) == 1 or (label and (start, end) == (repair.start, repair.end)):
            return ErrorClass.UNARY
        hanging = self._rest(repair)
        if hanging:
            return _attachment([child[0] for child in hanging], repair.labels[0], label)
        return ErrorClass.MISSING if repair.kind is RepairKind.ADD else ErrorClass.EXTRA

    def _inside(self, repair: TreeRepair) -> bool:
        """Whether the brackets of a repair lie inside baseNPs."""
        spans = [span for key in repair.mended for span in self._differing(self.span(key))]
        return bool(spans) and all(span.inside for span in spans)

    def _differing(self, key: tuple[str, int, int]) -> list[Span]:
        return [span for pool in (self.missing, self.extra) if (span := pool.peek(key)) is not None]

    @staticmethod
    def _rest(repair: TreeRepair) -> tuple[LabelledSpan, ...]:
        """What an added or removed node hangs on a node of its own label; nothing if it has none as first or last.

        A conjunct is co-ordinated with the other, and not attached to it.
        """
        label, children = repair.labels[0], repair.children
        if len(children) < 2 or label not in (children[0][0], children[-1][0]):
            return ()
        rest = children[1:] if children[0][0] == label else children[:-1]
        return rest if CONJUNCTIONS.isdisjoint((rest[0][0], rest[-1][0])) else ()

    def _hanging(self, repair: TreeRepair) -> tuple[int, int]:
        rest = self._rest(repair)
        return (rest[0][1], rest[-1][2]) if rest else (repair.start, repair.end)

    # What it is in words.

    def _description(self, repair: TreeRepair, kind: ErrorClass) -> str:
        start, end = repair.start, repair.end
        what = self.text(start, end)
        label = repair.labels[0]
        if repair.kind is RepairKind.RELABEL:
            return f"{what} is labelled {repair.before[0]}, in {self.held_against} {repair.after[0]}."
        if repair.kind is RepairKind.MOVE:
            return self._attached(start, end, repair.before, repair.after)
        outer = (repair.before[0] or "the top", repair.before[1], repair.before[2])
        rest = self._rest(repair)
        if kind in _ATTACHMENTS and rest:
            first, last = self._hanging(repair)
            own = (label, start, end)
            low_in_gold = repair.kind is RepairKind.ADD
            return self._attached(first, last, outer if low_in_gold else own, own if low_in_gold else outer)
        if repair.kind is RepairKind.ADD:
            return f"{label} over {what} is missing."
        return f"{label} over {what} is not in {self.held_against}."

    def _attached(self, start: int, end: int, before: LabelledSpan, after: LabelledSpan) -> str:
        def place(bracket: LabelledSpan) -> str:
            label, first, last = bracket
            # Without what is attached, which says nothing about where.
            if first == start < end < last:
                first = end
            elif first < start < end == last:
                last = start
            return f"{label} {self.text(first, last)}"

        return f"{self.text(start, end)} is attached to {place(before)}, in {self.held_against} to {place(after)}."


_ATTACHMENTS = frozenset(
    {
        ErrorClass.PP,
        ErrorClass.NP,
        ErrorClass.MODIFIER,
        ErrorClass.CLAUSE,
        ErrorClass.ARGUMENT,
        ErrorClass.OTHER,
    }
)


def _attachment(labels: Sequence[str], before: str, after: str) -> ErrorClass:
    """What kind of attachment it is to hang nodes of these labels on one parent and not on another."""
    if "PP" in labels:
        return ErrorClass.PP
    if CLAUSES & set(labels):
        return ErrorClass.CLAUSE
    if NOUN_PHRASES & set(labels):
        return ErrorClass.ARGUMENT if {before, after} <= VERBAL else ErrorClass.NP
    if MODIFIERS & set(labels):
        return ErrorClass.MODIFIER
    if {before, after} <= NOUN_PHRASES:
        return ErrorClass.NP_INTERNAL
    # Nothing but words.
    if NOUNS & set(labels):
        return ErrorClass.NP
    return ErrorClass.MODIFIER if ADVERBS & set(labels) else ErrorClass.OTHER
