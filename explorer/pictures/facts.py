"""What the pictures of one parse show: looked up in the engine once, and kept with the parse.

Looking everything up takes some hundredths of a second for a long sentence; :func:`look_up` can be called for it from
another thread.  No number is made here: probabilities come from the explainer, the ledger and the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from engine.chart.parse import Parse
from engine.chart.trace import PRUNING_REASONS, Edge, Trace, TracedParse, trace_parse
from engine.common.characters import as_read, long_words_cut
from engine.estimates.ledger import Candidate
from engine.explain.subjects import NodeId, PunctuationId, Subject, WordId
from engine.structure.dependencies import BaseNP, Relation
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from explorer.pictures.layout import PlacedNode

SPAN_WORDS = 6
"""Words of a span that are written out."""


@dataclass(frozen=True, slots=True)
class ScoredArrow:
    """AF(j) by positions: from `modifier` to `head` (−1: the root), with its triple, F̂ and log F̂."""

    modifier: int
    head: int
    relation: Relation
    estimate: float
    log: float


@dataclass(frozen=True, slots=True)
class CellFacts:
    """What a cell of the chart shows: survivors, the best label and its head, and how many were pruned, by reason.

    `first` and `count` are the number of its first edge and how many there were.  All parses of the chart share it.
    """

    start: int
    end: int
    survivors: int
    label: str
    head: int
    score: float
    pruned: dict[str, int]
    first: int
    count: int


def edge_label(edge: Edge) -> str:
    """Return what to call what an edge builds; a tag that the model does not know has no label."""
    return edge.label or edge.head_tag


class Facts:
    """Everything that the pictures of one parse show."""

    def __init__(self, parse: Parse) -> None:
        # The parse keeps its facts alive, not the other way round: hold only its parts.
        self.sentence = parse.sentence
        self.tokens = [long_words_cut(as_read(word)) for word in parse.sentence.words]
        self.token_tags = parse.sentence.tags
        self.words = [long_words_cut(as_read(word)) for word in parse.sentence.proper_words]
        self.tags = parse.sentence.proper_tags
        self.positions = parse.sentence.positions
        self.position_of = {token: position for position, token in enumerate(self.positions)}
        self.basenps = parse.basenps
        self.reduced = parse.reduced
        self.gap_tags = parse.gap_tags
        # D by positions, from left to right: modifier, head (−1: the root) and triple.
        self.attachments = parse.arrows
        self.fallback = parse.fallback
        self.log_probability = parse.log_probability
        self.tagging = parse.tagging
        self.roots = parse.roots
        self.tree = parse.tree
        self.trace = parse.chart
        self._explainer = parse.explainer()
        # Pictures made of this, kept by whoever makes them.
        self.pictures: dict[Hashable, object] = {}

    def take_chart(self, other: Facts) -> None:
        """Take over what is known of the chart from another parse of the same sentence with the same chart."""
        if self.trace is None or self.trace is not other.trace:
            raise ValueError("the two parses have different charts")
        self.__dict__["chart"] = other.chart
        if (self.basenps, self.tags, self.in_chart) == (other.basenps, other.tags, other.in_chart):
            self.pictures = other.pictures

    @cached_property
    def base_of(self) -> dict[int, BaseNP]:
        """The baseNP of every word that is in one."""
        return {position: base for base in self.basenps for position in range(base.start, base.end)}

    @cached_property
    def gaps(self) -> list[dict[str, float]]:
        """P̂ of the five tags of the gaps before words 1, 2, ... (section 2.5)."""
        return [self._explainer.gap_distribution(position) for position in range(1, len(self.words))]

    @cached_property
    def arrows(self) -> tuple[ScoredArrow, ...]:
        """D with each arrow's F̂, from left to right."""
        factors = self._explainer.arrows(self.roots, self.fallback)
        found = []
        for modifier, head, relation in self.attachments:
            factor = factors.get(modifier)
            estimate, log = (factor.probability, factor.log) if factor is not None else (1.0, 0.0)
            found.append(ScoredArrow(modifier, head, relation, estimate, log))
        return tuple(found)

    @cached_property
    def candidates(self) -> dict[int, tuple[Candidate, ...]]:
        """For every reduced word all heads and relations that it could have, the most probable first."""
        return {modifier: self._explainer.candidates(modifier, self.basenps) for modifier in self.reduced}

    def parts_to_look_up(self) -> Iterator[None]:
        """Look up what every picture needs, part by part: all heads of 400 words take more than a second."""
        yield
        _ = self.gaps
        yield
        _ = self.arrows
        for modifier in self.reduced:
            yield
            # The explainer remembers it.
            self._explainer.candidates(modifier, self.basenps)
        _ = self.best_candidates
        yield
        _ = self.chart
        yield
        _ = self.in_chart

    @cached_property
    def best_candidates(self) -> dict[tuple[int, int], Candidate]:
        """For every pair (modifier, head) the most probable relation."""
        best: dict[tuple[int, int], Candidate] = {}
        for modifier, ranked in self.candidates.items():
            for candidate in ranked:
                best.setdefault((modifier, candidate.head), candidate)
        return best

    @cached_property
    def chart(self) -> list[CellFacts]:
        """The cells of the chart in the order in which they were filled, then those that have no edge."""
        return _chart(self.trace) if self.trace is not None else []

    @cached_property
    def in_chart(self) -> TracedParse | None:
        """Where the parse is in the chart; ``None`` if no chart was kept."""
        return trace_parse(self.trace, self.roots, self.tags) if self.trace is not None else None

    @cached_property
    def chart_edges(self) -> dict[tuple[int, int], tuple[Edge, ...]]:
        """By span of the chart the edges that build the items of this parse over it, the topmost first."""
        if self.trace is None or self.in_chart is None:
            return {}
        return {span: tuple(map(self.trace.edge, numbers)) for span, numbers in self.in_chart.edges_by_span.items()}

    def words_in(self, first: int, last: int) -> list[int]:
        """Return the positions of the words among tokens ``first .. last``."""
        return [self.position_of[token] for token in range(first, last) if token in self.position_of]

    def quoted(self, start: int, end: int) -> str:
        """Return the words ``start .. end``; of many the first and the last."""
        words = self.words[start:end]
        return " ".join(words) if len(words) <= SPAN_WORDS else f"{words[0]} … {words[-1]}"

    def tree_nodes(self, collapsed: frozenset[Subject] = frozenset()) -> PlacedNode:
        """Return the printed tree, with head-children, as nodes to be placed."""
        return _Nodes(self, collapsed).node(self.tree, 0)


def _chart(trace: Trace) -> list[CellFacts]:
    return [
        CellFacts(
            one.start,
            one.end,
            one.survivors,
            one.label,
            one.head,
            one.score,
            {reason: count for reason, count in zip(PRUNING_REASONS[1:], one.reason_counts[1:], strict=True) if count},
            one.first,
            sum(one.reason_counts),
        )
        for one in trace.overview()
    ]


class _Nodes:
    """Makes nodes of the printed tree, finding each head-child by the head-word of its span."""

    def __init__(self, facts: Facts, collapsed: frozenset[Subject]) -> None:
        self.facts = facts
        self.collapsed = collapsed
        self.token = 0
        # The printed tree does not say what is the head; constituents over the same words do, all of them alike.
        self.heads = {(node.start, node.end): node.head for root in facts.roots for node in root.walk()}
        self.proper = [0]
        for tag in facts.token_tags:
            self.proper.append(self.proper[-1] + (tag not in PUNCTUATION_TAGS))

    def node(self, tree: Tree, depth: int) -> PlacedNode:
        start = self.token
        if tree.word is not None:
            self.token += 1
            position = self.facts.position_of.get(start)
            return PlacedNode(
                tree.label, start, start + 1, PunctuationId(start) if position is None else WordId(position)
            )
        children = [self.node(child, depth + 1) for child in tree.children]
        end = self.token
        first, last = self.proper[start], self.proper[end]
        identity: Subject = NodeId(first, last, tree.label, depth)
        head = self.heads.get((first, last), -1)
        head_child = -1
        for index, child in enumerate(children):
            if self.proper[child.start] <= head < self.proper[child.end]:
                head_child = index
        folded = identity in self.collapsed
        return PlacedNode(tree.label, start, end, identity, [] if folded else children, head_child, folded)


_FACTS: WeakKeyDictionary[Parse, Facts] = WeakKeyDictionary()


def facts_of(parse: Parse) -> Facts:
    """Return the facts of a parse, looked up at the first call."""
    found = _FACTS.get(parse)
    if found is None or found.trace is not parse.chart:
        found = _FACTS[parse] = Facts(parse)
    return found


def look_up(parse: Parse, check: Callable[[], None] = lambda: None) -> None:
    """Look up what every picture of the parse will need; for calling from another thread.

    Parameters
    ----------
    parse
        The parse.
    check
        Called before every part of it; what it raises ends the work.
    """
    facts = facts_of(parse)
    check()
    parse.ledger()
    for _ in facts.parts_to_look_up():
        check()
