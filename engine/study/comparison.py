"""Two trees of the same words compared: brackets, arrows, and factor against factor of their ledgers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.estimates.ledger import Difference, Factor, FactorKind, Ledger, align
from engine.settings import FurtherBackoff
from engine.structure.constituents import CORE, Constituent, Lexicaliser
from engine.structure.dependencies import Relation, analyse
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.parseval import EQUAL_LABELS, SentenceScore, score_pair
from engine.tagger.tagger import TagDistribution
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, ROOT_LABELS, Tree, clean

# Two trees of the same words: which constituents and which dependencies they share, and which they do not.
#
# What is compared is what PARSEVAL counts (section 4) and what the model scores (section 2.1), side by side.  The
# brackets inside baseNPs are the first and not the second, so they are marked.  Everywhere in this package the first
# tree is the one that is judged, as a rule the parse, and the second the one it is judged by, as a rule gold.


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A constituent of a printed tree.

    Attributes
    ----------
    start, end
        Its first token and one past its last.  Punctuation at the edges is left out, so two constituents over the same
        words have the same span wherever their commas hang.
    label
        Its label.
    inside
        Whether it lies inside a baseNP, which no factor of the score looks at.
    """

    start: int
    end: int
    label: str
    inside: bool = False

    def __str__(self) -> str:
        return f"{self.label} {self.start}–{self.end}"


@dataclass(frozen=True, slots=True, order=True)
class Arrow:
    """A dependency between two tokens: `head` is −1 for the head of the sentence."""

    modifier: int
    head: int
    relation: Relation


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """What two trees share and where they differ.

    Attributes
    ----------
    first, second
        The words with the tags that each tree gives them.  Spans and arrows count tokens from 0, punctuation
        included; ``first.positions.index(token)`` is a token's number without punctuation, as the parser counts.
    matching, missing, extra
        Constituents in both trees (as the second has them), in the second alone, and in the first alone.
    matching_arrows, missing_arrows, extra_arrows
        Dependencies of the reduced sentence with their relation, in the same three groups.
    parseval
        The counts of PARSEVAL, the second tree taken for gold.
    same_structure
        Whether the model holds the two for one tree: the same baseNPs, constituents and heads, whatever stands inside
        baseNPs and wherever punctuation hangs.
    wrong_tags
        Tokens whose tags differ.
    """

    first: TaggedSentence
    second: TaggedSentence
    matching: tuple[Span, ...]
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    matching_arrows: tuple[Arrow, ...]
    missing_arrows: tuple[Arrow, ...]
    extra_arrows: tuple[Arrow, ...]
    parseval: SentenceScore
    same_structure: bool
    wrong_tags: tuple[int, ...]

    @property
    def same_brackets(self) -> bool:
        """Whether the two have the same constituents: PARSEVAL's complete match."""
        return not self.missing and not self.extra

    @property
    def identical(self) -> bool:
        """Whether the two are the same to every eye: structure, brackets inside baseNPs too, and tags."""
        return self.same_structure and self.same_brackets and not self.wrong_tags

    @property
    def internal_brackets(self) -> tuple[Span, ...]:
        """Differing baseNP-internal brackets, which the score does not see."""
        return tuple(span for span in (*self.missing, *self.extra) if span.inside)

    @property
    def f1(self) -> float:
        """F1 of the first tree in per cent."""
        return f1_of(self.parseval.matched, self.parseval.gold, self.parseval.proposed)


def f1_of(matched: int, gold: int, proposed: int) -> float:
    """F1 in per cent; of no constituents at all 100."""
    return 100.0 * 2 * matched / (gold + proposed) if gold + proposed else 100.0


def compare_trees(first: Tree, second: Tree, rules: HeadRules | None = None) -> TreeComparison:
    """Compare two trees of the same words.

    Parameters
    ----------
    first, second
        The parse and the gold tree, as they were made or read: traces, function tags and the root label are taken away.
    rules
        Head rules that say what modifies what; the project's own if none are given (``model.rules``).
    """
    lexicaliser = Lexicaliser(rules) if rules is not None else own_lexicaliser()
    left, right = View.of(first, lexicaliser), View.of(second, lexicaliser)
    if left.sentence.words != right.sentence.words:
        raise EngineError("the two trees have different words, so they cannot be compared")
    # The second tree says which tokens are punctuation and do not count, as in PARSEVAL.
    places = narrowing(right.sentence.tags)
    matching, missing, extra = split(left.spans(places), right.spans(places))
    arrows, wanted = set(left.arrows), set(right.arrows)
    tags = zip(left.sentence.tags, right.sentence.tags, strict=True)
    return TreeComparison(
        left.sentence,
        right.sentence,
        matching,
        missing,
        extra,
        tuple(sorted(arrows & wanted)),
        tuple(sorted(wanted - arrows)),
        tuple(sorted(arrows - wanted)),
        score_pair(second, first),
        left.structure == right.structure,
        tuple(token for token, (one, other) in enumerate(tags) if one != other),
    )


@dataclass(frozen=True, slots=True)
class View:
    """One tree as it is compared: its words, its brackets, and what the model sees of it."""

    sentence: TaggedSentence
    brackets: tuple[tuple[str, int, int], ...]
    internal_brackets: Counter[tuple[str, int, int]]
    arrows: tuple[Arrow, ...]
    structure: Counter[tuple[str, int, int, int, bool, bool]]

    @classmethod
    def of(cls, tree: Tree, lexicaliser: Lexicaliser) -> View:
        """Return the view of a tree as it was read."""
        whole = clean(tree, collapse=False)
        collapsed = clean(tree)
        if whole is None or collapsed is None:
            raise EngineError("the tree has no words to compare")
        sentence = TaggedSentence.from_tree(whole)
        root = lexicaliser.constituent(collapsed)
        internal_brackets: Counter[tuple[str, int, int]] = Counter()
        arrows: list[Arrow] = []
        tokens = sentence.positions
        if root is not None:
            analysis = analyse(root, sentence.proper_tags)
            numbers = [-1, *(tokens[position] for position in analysis.reduced)]
            arrows = [Arrow(numbers[one.modifier], numbers[one.head], one.relation) for one in analysis.dependencies]
            internal_brackets.update(
                (label, tokens[start], tokens[end - 1] + 1)
                for base in analysis.basenps
                for label, start, end in base.inside
            )
        brackets = tuple(bracket for bracket in whole.constituents() if bracket[0] not in ROOT_LABELS)
        return cls(sentence, brackets, internal_brackets, tuple(arrows), _structure(root, tokens))

    def spans(self, places: Sequence[int]) -> list[Span]:
        """Return all constituents, without the punctuation at their edges (see :func:`narrowing`)."""
        found = []
        internal_brackets = self.internal_brackets.copy()
        for label, start, end in self.brackets:
            narrowed = narrow(places, start, end)
            if narrowed is not None:
                inside = internal_brackets[(label, *narrowed)] > 0
                if inside:
                    internal_brackets[(label, *narrowed)] -= 1
                found.append(Span(*narrowed, label, inside))
        return found


def same_structure(
    first: Sequence[Constituent], first_tokens: Sequence[int], second: Constituent, second_tokens: Sequence[int]
) -> bool:
    """Return whether the model holds the roots of a parse and a tree for the same (see :class:`TreeComparison`)."""
    return len(first) == 1 and _structure(first[0], first_tokens) == _structure(second, second_tokens)


def narrowing(tags: Iterable[str]) -> list[int]:
    """For every token (and one past the last) the first non-punctuation token from it on."""
    kept = [tag not in PUNCTUATION_TAGS for tag in tags]
    places = [len(kept)] * (len(kept) + 1)
    for token in range(len(kept) - 1, -1, -1):
        places[token] = token if kept[token] else places[token + 1]
    return places


def narrow(places: Sequence[int], start: int, end: int) -> tuple[int, int] | None:
    """Return a span without the punctuation at its edges; ``None`` if nothing else is in it."""
    first = places[start]
    if first >= end:
        return None
    last = end - 1
    while places[last] != last:
        last -= 1
    return first, last + 1


def split(first: Sequence[Span], second: Sequence[Span]) -> tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]:
    """Constituents of `second` that `first` has, those that it lacks, and those of `first` alone.

    They match as PARSEVAL matches them: as a multiset, ``PRT`` as good as ``ADVP``.
    """
    free = Counter(map(counted, first))
    matching, missing = [], []
    for span in second:
        if free[counted(span)]:
            free[counted(span)] -= 1
            matching.append(span)
        else:
            missing.append(span)
    # Of equal ones the last are the extra ones.
    extra = []
    for span in reversed(first):
        if free[counted(span)]:
            free[counted(span)] -= 1
            extra.append(span)
    return tuple(matching), tuple(missing), tuple(reversed(extra))


def counted(span: Span) -> tuple[str, int, int]:
    """Return a constituent as PARSEVAL counts it."""
    return EQUAL_LABELS.get(span.label, span.label), span.start, span.end


def _structure(root: Constituent | None, tokens: Sequence[int]) -> Counter[tuple[str, int, int, int, bool, bool]]:
    return Counter(
        (
            node.label,
            tokens[node.start],
            tokens[node.end - 1] + 1,
            tokens[node.head],
            node.is_base,
            node.head_label == CORE,
        )
        for node in (root.walk() if root is not None else ())
        if node.children or node.is_base
    )


@cache
def own_lexicaliser() -> Lexicaliser:
    """Return the view of trees by the head rules of the project."""
    return Lexicaliser(load_head_rules())


# Differences of two ledgers, factor against factor: where one tree wins over another, and by how much.


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What two trees pay for the same thing.

    Attributes
    ----------
    kind
        The sort of factor; of a word that heads the sentence in one
        tree and modifies another word in the other tree, the second tree's kind.
    first, second
        Each tree's factor, with its counts, levels, λ and Δ; ``None`` where a tree has none (a unary step or a
        dependency of a word that a baseNP of the other tree absorbs).
    contribution
        log of the second's minus log of the first's, in nats: above zero the second tree gains here.
    """

    kind: FactorKind
    first: Factor | None
    second: Factor | None
    contribution: float

    @property
    def what(self) -> str:
        """The row in words: what the first tree has against what the second has."""
        first = self.first.what if self.first is not None else "nothing"
        second = self.second.what if self.second is not None else "nothing"
        return first if first == second else f"{first} against {second}"


@dataclass(frozen=True, slots=True)
class LedgerDifference:
    """All differing factors of two trees, those that differ most first.

    Attributes
    ----------
    rows
        Factors that differ, aligned by what they score: the same gap, the same modifier, the same unary decision.
    equal_count, equal_sum
        How many factors both trees share, and the sum of their logarithms.
    first_total, second_total
        The scores of both trees.
    """

    rows: tuple[LedgerRow, ...]
    equal_count: int
    equal_sum: float
    first_total: float
    second_total: float

    @property
    def total(self) -> float:
        """The second score minus the first: the sum of the contributions, −∞ if the second tree is impossible."""
        return math.fsum(row.contribution for row in self.rows)


def ledger_difference(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution | str | None,
    first: Tree | Parse,
    second: Tree | Parse,
) -> LedgerDifference:
    """Return every factor in which two trees of the same words differ.

    Parameters
    ----------
    parser
        Model and settings to score them with; under a re-ranker its features are factors too.
    sentence
        What was parsed: with the tagger's distribution the tags are a part of the score, if the settings say so
        (presets 4 and 5).  Each tree has its own tags.  Text is read as :meth:`Parser.parse` reads it; ``None`` if tags
        are given.
    first, second
        The trees, or parses of this parser.
    """
    if sentence is not None:
        sentence = parser.prepare(sentence)
    distribution = sentence if isinstance(sentence, TagDistribution) else None
    # A tree is scored as the parse that it is held against.
    further = max(
        (one.further_backoff for one in (first, second) if isinstance(one, Parse)), default=FurtherBackoff.NONE
    )
    return difference_of(*(_ledger(parser, distribution, one, further) for one in (first, second)))


def difference_of(first: Ledger, second: Ledger) -> LedgerDifference:
    """Two ledgers, aligned by what their factors score."""
    differing, equal = align(first, second)
    rows = tuple(_row(line) for line in differing)
    return LedgerDifference(rows, len(equal), math.fsum(factor.log for factor in equal), first.total, second.total)


def _row(line: Difference) -> LedgerRow:
    return LedgerRow(line.kind, line.first, line.second, 0.0 - line.difference)


def _ledger(
    parser: Parser, distribution: TagDistribution | None, tree: Tree | Parse, further_backoff: FurtherBackoff
) -> Ledger:
    if isinstance(tree, Parse):
        if tree.fallback:
            raise EngineError("fragments have no score to compare")
        return tree.ledger()
    return parser.score(tree, distribution, further_backoff).ledger
