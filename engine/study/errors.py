"""Errors in classes, after Kummerfeld and others (2012): the repairs that turn a parse into the gold tree, and their
kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from engine.common.errors import EngineError
from engine.structure.constituents import CONJUNCTIONS
from engine.structure.distance import VERB_TAGS
from engine.study.comparison import Span, View, counted, f1_of, narrowing, own_lexicaliser, split
from engine.study.parseval import EQUAL_LABELS
from engine.trees.tree import ROOT_LABELS, LabelledSpan, Tree, clean

# Nodes of trees that can be edited, over the words that count, for :mod:`engine.study.errors`.


class Node:
    """A node of a tree that is being repaired; a word is a node without children."""

    __slots__ = ("children", "end", "label", "parent", "start")

    def __init__(self, label: str, start: int, end: int, children: list[Node]) -> None:
        self.label = label
        self.start = start
        self.end = end
        self.children = children
        self.parent: Node | None = None
        for child in children:
            child.parent = self

    @property
    def bracket(self) -> LabelledSpan:
        """The node as PARSEVAL counts it."""
        return EQUAL_LABELS.get(self.label, self.label), self.start, self.end

    def phrases(self) -> Iterator[Node]:
        """Yield the node and all below it that are not words, in pre-order."""
        stack = [self] if self.children else []
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for child in reversed(node.children) if child.children)

    def above(self) -> Iterator[Node]:
        """Yield the nodes over it, the lowest first; not the unlabelled top."""
        node = self.parent
        while node is not None and node.parent is not None:
            yield node
            node = node.parent


def grown(tree: Tree, kept: Sequence[bool]) -> Node:
    """Return a clean tree without the tokens that do not count, under an unlabelled top."""
    position = 0
    token = 0

    def build(tree: Tree) -> list[Node]:
        nonlocal position, token
        if tree.word is not None:
            token += 1
            if not kept[token - 1]:
                return []
            position += 1
            return [Node(tree.label, position - 1, position, [])]
        children = [node for child in tree.children for node in build(child)]
        if not children or tree.label in ROOT_LABELS:
            return children
        return [Node(tree.label, children[0].start, children[-1].end, children)]

    nodes = build(tree)
    return Node("", 0, position, nodes)


def phrases_below(top: Node) -> Iterator[Node]:
    """Yield all nodes under the top that are not words."""
    for child in top.children:
        yield from child.phrases()


def labels_beside(node: Node) -> tuple[str, ...]:
    """Labels of the neighbours of a node."""
    siblings = node.parent.children if node.parent is not None else [node]
    place = siblings.index(node)
    return (
        siblings[place - 1].label if place else "",
        siblings[place + 1].label if place + 1 < len(siblings) else "",
    )


def children_of(node: Node) -> tuple[LabelledSpan, ...]:
    """Labels and spans of the children of a node."""
    return tuple((child.label, child.start, child.end) for child in node.children)


def is_over_a_word(node: Node) -> bool:
    """Return whether a node has no child but a word."""
    return len(node.children) == 1 and not node.children[0].children


def makes_a_unary(node: Node, first: int, last: int) -> bool:
    """Return whether a new node over some of the children of another would stand over the same
    words as one that is there.
    """
    is_whole = last - first == len(node.children) and node.parent is not None
    return is_whole or (last - first == 1 and bool(node.children[first].children))


def _edge(node: Node, side: int) -> Node:
    """Return the first word under a node (side 0), or the last (−1)."""
    while node.children:
        node = node.children[side]
    return node


def splice(node: Node) -> None:
    """Put the children of a node in its place."""
    parent = node.parent
    assert parent is not None
    place = parent.children.index(node)
    parent.children[place : place + 1] = node.children
    for child in node.children:
        child.parent = parent
    node.parent = None


def measure(node: Node) -> None:
    """Set the spans of nodes by those of the words below."""
    for child in node.children:
        if child.children:
            measure(child)
    if node.children:
        node.start, node.end = node.children[0].start, node.children[-1].end


# Repairs that turn a parse into the gold tree, one by one.
#
# Four repairs are known: move one or several neighbouring subtrees to another parent, relabel a node, remove one, add
# one.  Each must leave fewer wrong brackets than there were, and of several the one that mends most is taken, moves
# first; so what is one mistake to a reader, a phrase attached in the wrong place, is one repair, whatever number of
# brackets it has spoilt (after Kummerfeld, Hall, Curran and Klein 2012).  Any extra bracket can be removed, and when
# none is left every missing one can be added, so the end is always the gold tree.
#
# What a move leaves behind or needs at its new place is a part of it, unaries apart: a node more or less over the same
# words is wrong wherever the moved phrase hangs.

LEAST_MOVED = 2
"""Brackets that a move must mend to be preferred to adding and removing."""
WIDE_MOVE = 3
"""Brackets that a move must mend to be preferred to a relabelling."""


class RepairKind(StrEnum):
    """What one repair does to a tree."""

    MOVE = "move"
    RELABEL = "relabel"
    REMOVE = "remove"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class TreeRepair:
    """One repair.

    Attributes
    ----------
    kind
        What is done.
    labels
        Of the nodes moved; of the node that was relabelled, removed or added.
    start, end
        Words that they cover.
    before, after
        Brackets of the parent before and after a move; of a relabelled node what it was and what it is; of a node
        removed or added the bracket of its parent, twice.
    siblings
        Labels beside what was moved, removed or added: on the left and right in its old place, then in its new one.
    edges
        Of what was moved: the tags of its first word and its last.
    children, over_word
        Of a node removed or added: labels and spans of its children; whether it has no child but a word.
    mended, spoilt
        Brackets that were wrong and no longer are, and the other way round; with how often, as a multiset.
    """

    kind: RepairKind
    labels: tuple[str, ...]
    start: int
    end: int
    before: LabelledSpan
    after: LabelledSpan
    siblings: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    children: tuple[LabelledSpan, ...] = ()
    over_word: bool = False
    mended: Counter[LabelledSpan] = field(default_factory=Counter)
    spoilt: Counter[LabelledSpan] = field(default_factory=Counter)
    follows: bool = False
    """Whether it only finishes what the repair before it began."""


class _Move(NamedTuple):
    parent: Node
    first: int
    last: int
    target: Node
    place: int
    """Where among the children of the target: before the child of this number, the moved ones not counted."""


_Change = tuple[LabelledSpan, LabelledSpan | None]
"""A node's bracket before and after a move; none if the node goes."""


class Repairs:
    """Repairs a parse step by step until it has the brackets of gold."""

    def __init__(self, parse: Node, gold: Node) -> None:
        self.top = parse
        self.wanted = Counter(node.bracket for child in gold.children for node in child.phrases())
        self.held = Counter(node.bracket for node in self._phrases())
        # In pre-order, so that of several on the same words the higher one is added first.
        self._order = {node.bracket: place for place, node in enumerate(phrases_below(gold))}
        self._origins: dict[LabelledSpan, list[LabelledSpan]] = {}
        """Which brackets of the parse the extra ones were before moves changed their words."""

    def _phrases(self) -> Iterator[Node]:
        return phrases_below(self.top)

    @property
    def wrong(self) -> Counter[LabelledSpan]:
        """Brackets that are wrong, missing and extra ones together."""
        return (self.held - self.wanted) + (self.wanted - self.held)

    def run(self) -> Iterator[TreeRepair]:
        """Repair until nothing is wrong."""
        while self.held != self.wanted:
            move, gain = self._best_move()
            if move is not None and gain >= WIDE_MOVE:
                yield from self._moved(move)
                continue
            pair = self._mislabelled()
            if pair is not None:
                yield self._relabel(*pair)
            elif move is not None and gain >= LEAST_MOVED:
                yield from self._moved(move)
            else:
                yield self._remove_or_add()

    # Moves.

    def _best_move(self) -> tuple[_Move | None, int]:
        best: tuple[int, int, int, int] | None = None
        chosen = None
        if not self.held - self.wanted:
            return None, 0
        missing = [bracket[1:] for bracket in self.wanted - self.held]
        edges = {edge for span in missing for edge in span}
        for move in self._moves(edges):
            gain, spoilt = self._gain(self._changes(move))
            if gain < 1:
                continue
            gain += self._following(move, missing)
            if gain < LEAST_MOVED:
                continue
            size = move.last - move.first
            words = move.parent.children[move.last - 1].end - move.parent.children[move.first].start
            rank = (gain, -spoilt, -size, -words)
            if best is None or rank > best:
                best, chosen = rank, move
        return chosen, best[0] if best is not None else 0

    def _moves(self, edges: set[int]) -> Iterator[_Move]:
        """Yield every way to hang a run of sisters on another node with the words in their order.

        What a move brings begins or ends where the run does, so one of its `edges` is that of a missing bracket.
        """
        for parent in list(self._phrases()):
            count = len(parent.children)
            for first in range(count):
                for last in range(first + 1, count + 1):
                    run_edges = (parent.children[first].start, parent.children[last - 1].end)
                    if last - first < count and (run_edges[0] in edges or run_edges[1] in edges):
                        yield from self._destinations(parent, first, last)

    def _destinations(self, parent: Node, first: int, last: int) -> Iterator[_Move]:
        count = len(parent.children)
        left = parent.children[first - 1] if first else None
        right = parent.children[last] if last < count else None
        if right is None:
            node = parent
            while node.parent is not None and node.parent.parent is not None:
                place = node.parent.children.index(node) + 1
                node = node.parent
                yield _Move(parent, first, last, node, place)
                if place < len(node.children):
                    right = node.children[place]
                    break
        if left is None:
            node = parent
            while node.parent is not None and node.parent.parent is not None:
                place = node.parent.children.index(node)
                node = node.parent
                yield _Move(parent, first, last, node, place)
                if place:
                    left = node.children[place - 1]
                    break
        while left is not None and left.children:
            yield _Move(parent, first, last, left, len(left.children))
            left = left.children[-1]
        while right is not None and right.children:
            yield _Move(parent, first, last, right, 0)
            right = right.children[0]

    def _changes(self, move: _Move) -> list[_Change]:
        """Return the nodes whose words a move changes: what their brackets are before and after it."""
        parent, first, last, target, _ = move
        start, end = parent.children[first].start, parent.children[last - 1].end
        over = [target, *target.above()]
        changes: list[_Change] = []
        for node in (parent, *parent.above()):
            if node in over:
                break
            label = node.bracket[0]
            if node is parent and self._leaves_its_twin(move):
                changes.append((node.bracket, None))
            else:
                rest = (label, end, node.end) if node.start == start else (label, node.start, start)
                changes.append((node.bracket, rest))
        under = [parent, *parent.above()]
        for node in over:
            if node in under:
                break
            changes.append((node.bracket, (node.bracket[0], min(start, node.start), max(end, node.end))))
        return changes

    @staticmethod
    def _leaves_its_twin(move: _Move) -> bool:
        """Return whether a move out of a node leaves it with one child that has the same label,
        and then takes its place.
        """
        parent = move.parent
        rest = parent.children[: move.first] + parent.children[move.last :]
        twin = len(rest) == 1 and bool(rest[0].children) and rest[0].label == parent.label
        return twin and parent not in (move.target, *move.target.above())

    def _gain(self, changes: Sequence[_Change]) -> tuple[int, int]:
        """Return how many wrong brackets fewer there are after a change, and how many it makes wrong."""
        changed = Counter(after for _, after in changes if after is not None)
        changed.subtract(before for before, _ in changes)
        gain = spoilt = 0
        for bracket, number in changed.items():
            before = abs(self.held[bracket] - self.wanted[bracket])
            after = abs(self.held[bracket] + number - self.wanted[bracket])
            gain += before - after
            spoilt += max(after - before, 0)
        return gain, spoilt

    @staticmethod
    def _following(move: _Move, missing: Sequence[tuple[int, int]]) -> int:
        """Return how many missing brackets could be added around the new place of what is moved."""
        run = move.parent.children[move.first : move.last]
        start, end = run[0].start, run[-1].end
        target = move.target
        inner = {(child.start, child.end) for child in target.children if child.children}
        borders = {start, end, *(child.start for child in target.children), *(child.end for child in target.children)}
        low, high = min(target.start, start), max(target.end, end)
        return sum(
            low <= first and last <= high and last - first < high - low and (first, last) not in inner
            for first, last in missing
            if {first, last} & {start, end} and first in borders and last in borders and (first, last) != (start, end)
        )

    def _moved(self, move: _Move) -> Iterator[TreeRepair]:
        """Make a move, and what it entails: a parent left without purpose goes, a level over the new place comes."""
        parent, first, last, target, place = move
        wrong, extra = self.wrong, self.held - self.wanted
        run = parent.children[first:last]
        start, end = run[0].start, run[-1].end
        siblings = (
            parent.children[first - 1].label if first else "",
            parent.children[last].label if last < len(parent.children) else "",
            target.children[place - 1].label if place else "",
            target.children[place].label if place < len(target.children) else "",
        )
        before = parent.bracket
        changes = self._changes(move)
        leaves_its_twin = self._leaves_its_twin(move)
        del parent.children[first:last]
        target.children[place:place] = run
        for node in run:
            node.parent = target
        if leaves_its_twin:
            splice(parent)
        for gone, come in changes:
            self.held[gone] -= 1
            if come is not None:
                self.held[come] += 1
        measure(self.top)
        labels = tuple(node.label for node in run)
        edges = (_edge(run[0], 0).label, _edge(run[-1], -1).label)
        repair = TreeRepair(RepairKind.MOVE, labels, start, end, before, target.bracket, siblings, edges)
        yield self._noted(repair, wrong, [change for change in changes if extra[change[0]]])
        if parent.parent is not None and is_over_a_word(parent) and self._is_extra(parent):
            yield self._remove(parent, follows=True)
        for bracket in sorted(self.wanted - self.held, key=self._order.__getitem__):
            touches = bracket[1] in (start, end) or bracket[2] in (start, end)
            around = self._home(bracket)
            if touches and around is not None and around[0] is target and not makes_a_unary(*around):
                yield self._add(bracket, follows=True)

    # Single nodes.

    def _is_extra(self, node: Node) -> bool:
        return self.held[node.bracket] > self.wanted[node.bracket]

    def _mislabelled(self) -> tuple[Node, LabelledSpan] | None:
        """Return a node in the place of a missing one."""
        missing = self.wanted - self.held
        spans: dict[tuple[int, int], LabelledSpan] = {}
        for bracket in missing:
            spans.setdefault(bracket[1:], bracket)
        for node in self._phrases():
            wanted = spans.get((node.start, node.end))
            if wanted is not None and self._is_extra(node):
                return node, wanted
        return None

    def _relabel(self, node: Node, wanted: LabelledSpan) -> TreeRepair:
        wrong = self.wrong
        before = node.bracket
        siblings = labels_beside(node)
        self.held[before] -= 1
        node.label = wanted[0]
        self.held[wanted] += 1
        return self._noted(
            TreeRepair(
                RepairKind.RELABEL,
                (wanted[0],),
                node.start,
                node.end,
                before,
                wanted,
                siblings,
                children=children_of(node),
            ),
            wrong,
        )

    def _remove_or_add(self) -> TreeRepair:
        extra = [node for node in self._phrases() if self._is_extra(node)]
        # Small ones first: they are what larger ones are made of.
        if extra:
            return self._remove(min(extra, key=lambda node: node.end - node.start))
        missing = sorted(self.wanted - self.held, key=lambda one: (one[2] - one[1], -self._order[one]))
        return self._add(missing[0])

    def _remove(self, node: Node, follows: bool = False) -> TreeRepair:
        wrong = self.wrong
        above = node.parent.bracket if node.parent is not None else ("", 0, 0)
        noted = self._of_one_node(RepairKind.REMOVE, node, above, follows)
        self.held[node.bracket] -= 1
        splice(node)
        return self._noted(noted, wrong)

    def _home(self, bracket: LabelledSpan) -> tuple[Node, int, int] | None:
        """Return where a bracket fits: the node that would hold it, and which of its children it would take."""
        _, start, end = bracket
        node = self.top
        while True:
            inner = next((child for child in node.children if child.start <= start and end <= child.end), None)
            if inner is None or not inner.children:
                break
            # On the same words gold says which stands above.
            if (inner.start, inner.end) == (start, end) and self._order[bracket] < self._order.get(inner.bracket, -1):
                break
            node = inner
        places = [place for place, child in enumerate(node.children) if start <= child.start and child.end <= end]
        if not places or node.children[places[0]].start != start or node.children[places[-1]].end != end:
            return None
        return node, places[0], places[-1] + 1

    def _add(self, bracket: LabelledSpan, follows: bool = False) -> TreeRepair:
        wrong = self.wrong
        home = self._home(bracket)
        assert home is not None, "no bracket is extra, so every missing one fits"
        parent, first, last = home
        node = Node(bracket[0], bracket[1], bracket[2], parent.children[first:last])
        parent.children[first:last] = [node]
        node.parent = parent
        self.held[bracket] += 1
        return self._noted(self._of_one_node(RepairKind.ADD, node, parent.bracket, follows), wrong)

    @staticmethod
    def _of_one_node(kind: RepairKind, node: Node, above: LabelledSpan, follows: bool) -> TreeRepair:
        """Return what is noted of a node that is added or removed."""
        span = (node.start, node.end)
        beside, children = labels_beside(node), children_of(node)
        over_word = is_over_a_word(node)
        return TreeRepair(
            kind,
            (node.label,),
            *span,
            above,
            above,
            beside,
            children=children,
            over_word=over_word,
            follows=follows,
        )

    def _noted(self, repair: TreeRepair, before: Counter[LabelledSpan], moved: Sequence[_Change] = ()) -> TreeRepair:
        """Note what a repair mended and spoilt; `moved` are extra nodes that it changed, not mended if extra still."""
        after = self.wrong
        mended, spoilt = before - after, after - before
        for old, new in moved:
            if new is not None and mended[old] > 0 and spoilt[new] > 0 and self.held[new] > self.wanted[new]:
                mended[old] -= 1
                spoilt[new] -= 1
                self._origins.setdefault(new, []).append(self._origin(old))
        repair.mended.update(map(self._origin, mended.elements()))
        repair.spoilt.update(spoilt.elements())
        return repair

    def _origin(self, bracket: LabelledSpan) -> LabelledSpan:
        """Return what a bracket that is mended was in the parse."""
        origins = self._origins.get(bracket)
        return origins.pop() if origins else bracket


# Classes of errors, after Kummerfeld, Hall, Curran and Klein (2012, "Parser Showdown at the Wall Street Corral").
#
# The parse is turned into the gold tree repair by repair (:mod:`engine.study.errors`); repairs that
# belong together are one error, and what was moved, added, removed or relabelled says of which kind it is:
#
# * a moved phrase is a **PP**, **NP**, **modifier** or **clause attachment**, by what was moved; a noun phrase moved
#   from
#   one verb to another is a **verb's argument**;
# * **co-ordination** is what they define, "cases in which a conjunction is an immediate sibling of the nodes being
#   moved,
#   or is the leftmost or rightmost node being moved": a node added or removed around a conjunction or beside one is
#   none;
# * a node with a level of its own label under it (``NP -> NP PP``), added or removed, attaches its other children: so
#   it is of the kinds of attachments, unless it is a conjunct that stands beside that level;
# * a node inside a baseNP is **NP internal**, all of one baseNP together;
# * another label on the same words is a **different label**;
# * a node added or removed over a word and nothing else is a **single-word phrase**; over the same words as another
#   phrase it is a **unary**, also if these are one word, and also beside a phrase that was moved: in their figure of
#   two
#   unaries one is ``S`` over ``(VP (VBG Following))``, the other ``NP`` over ``NP``;
# * any other node is a **missing** or an **extra phrase**; words moved without a phrase count as what they would head,
#   and where they would head none of these as **other**.
#
# Where this differs from the program that they published the manual says why (`resources/manual/tour.md`).

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


class Phrase(NamedTuple):
    """A phrase by its label (empty at the top of a tree), and its words without punctuation and what hangs on it."""

    label: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attached:
    """The words are attached to one phrase in the parse, to another in gold."""

    parse: Phrase
    gold: Phrase


@dataclass(frozen=True, slots=True)
class Coordinated:
    """A conjunction joins two phrases in the parse, and others in gold; or it is a word of one flat phrase.

    Attributes
    ----------
    conjunction
        The word.
    parse, gold
        What is on its left and on its right, or the flat phrase.
    """

    conjunction: str
    parse: tuple[Phrase, ...]
    gold: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """The words have one label in the parse, another in gold."""

    parse: str
    gold: str


@dataclass(frozen=True, slots=True)
class Bracketed:
    """The words are a phrase with a label in only one of the two trees."""

    label: str
    in_gold: bool


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
        These tokens without punctuation, with spaces between them.
    found
        What the parse has in place of what gold has.
    f1
        By how many points F1 of the sentence rises if this error alone is repaired.
    """

    kind: ErrorClass
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    start: int
    end: int
    words: str
    found: Attached | Coordinated | Labelled | Bracketed
    f1: float

    def bracket(self, number: int) -> Span | None:
        """One of its brackets, those that are missing first; ``None`` if it has none of that number."""
        brackets = (*self.missing, *self.extra)
        return brackets[number] if 0 <= number < len(brackets) else None


def classify_errors(parse_tree: Tree, gold_tree: Tree) -> list[ParseError]:
    """Return the errors of a parse, those that cost most first.

    Every bracket in which the trees differ (as PARSEVAL counts) belongs to exactly one of them.
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
    cleaned = [one for tree in (parse_tree, gold_tree) if (one := clean(tree, collapse=False))]
    repairs = list(Repairs(*(grown(one, kept) for one in cleaned)).run())
    # The repairs have changed the tree that they were made on.
    ours, golds = (grown(one, kept) for one in cleaned)
    scene = _Scene((ours, golds), gold.sentence.words, tokens, wanted, _Pool(missing), _Pool(extra))
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
        """Return a bracket, if there still is one."""
        return next(iter(self._spans.get(key, ())), None)

    def take(self, key: tuple[str, int, int], most: int) -> list[Span]:
        """Take up to so many equal brackets."""
        spans = self._spans.get(key, [])
        taken, spans[:most] = spans[:most], []
        return taken


@dataclass(slots=True)
class _Scene:
    """One sentence whose errors are classified: its tokens, which of them count, and the brackets that differ."""

    trees: tuple[Node, Node]
    words: Sequence[str]
    tokens: Sequence[int]
    gold: Sequence[Span]
    missing: _Pool
    extra: _Pool

    def span(self, bracket: LabelledSpan) -> tuple[str, int, int]:
        """Return a bracket over words as one over tokens."""
        label, start, end = bracket
        return label, self.tokens[start], self.tokens[end - 1] + 1

    def phrase(self, bracket: LabelledSpan) -> Phrase:
        """Return a bracket over words with these words."""
        label, start, end = bracket
        return Phrase(label, tuple(self.words[token] for token in self.tokens[start:end]))

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
        """Return the smallest noun phrase of gold around a repair."""
        _, start, end = self.span(("", repair.start, repair.end))
        around = [
            (span.end - span.start, span.start, span.end)
            for span in self.gold
            if span.label == "NP" and span.start <= start and end <= span.end and not span.inside
        ]
        return min(around, default=(0, start, end))[1:]

    def error(self, group: Sequence[TreeRepair]) -> ParseError:
        """Return the error that a group of repairs mends; its F1 is not known yet."""
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
                taken = self.missing.take(key, times)
                missing += taken
                extra += self.extra.take(key, times - len(taken))
        _, start, end = self.span(("", main.start, main.end))
        if kind in _ATTACHMENTS and main.kind in (RepairKind.ADD, RepairKind.REMOVE):
            first, last = self._hanging(main)
            _, start, end = self.span(("", first, last))
        found = self._found(main, kind)
        if isinstance(found, Bracketed):
            found, start, end = self._differing_bracket(found, (start, end), missing, extra)
        words = " ".join(self.words[token] for token in self.tokens if start <= token < end)
        return ParseError(kind, tuple(sorted(missing)), tuple(sorted(extra)), start, end, words, found, 0.0)

    @staticmethod
    def _differing_bracket(
        found: Bracketed, place: tuple[int, int], missing: Sequence[Span], extra: Sequence[Span]
    ) -> tuple[Bracketed, int, int]:
        """Return a bracket that one tree has and the other has not, as it is in that tree, and its tokens.

        A node that other repairs have made longer or shorter before it was removed or added is in neither so.
        """
        own = missing if found.in_gold else extra
        spans = own or missing or extra
        wanted = (found.label, *place)
        if not spans or any((span.label, span.start, span.end) == wanted for span in own):
            return found, *place
        span = min(spans, key=lambda span: (span.label != found.label, span))
        return Bracketed(span.label, span in missing), span.start, span.end

    # What kind a repair is of.

    def _kind(self, repair: TreeRepair) -> ErrorClass:
        if repair.kind is RepairKind.RELABEL:
            return ErrorClass.NP_INTERNAL if self._inside(repair) else ErrorClass.LABEL
        if repair.kind is RepairKind.MOVE:
            if CONJUNCTIONS & {repair.labels[0], repair.labels[-1], *repair.siblings, *repair.edges}:
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
        """Return whether the brackets of a repair lie inside baseNPs."""
        spans = [span for key in repair.mended for span in self._differing(self.span(key))]
        return bool(spans) and all(span.inside for span in spans)

    def _differing(self, key: tuple[str, int, int]) -> list[Span]:
        return [span for pool in (self.missing, self.extra) if (span := pool.peek(key)) is not None]

    @staticmethod
    def _rest(repair: TreeRepair) -> tuple[LabelledSpan, ...]:
        """Return what an added or removed node hangs on a node of its own label;
        nothing if it has none as first or last.

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

    # What was found.

    def _found(self, repair: TreeRepair, kind: ErrorClass) -> Attached | Coordinated | Labelled | Bracketed:
        label, start, end = repair.labels[0], repair.start, repair.end
        if repair.kind is RepairKind.RELABEL:
            return Labelled(repair.before[0], repair.after[0])
        if kind is ErrorClass.COORDINATION and (joined := self._joined(repair)) is not None:
            return joined
        if repair.kind is RepairKind.MOVE:
            return Attached(self._without(start, end, repair.before), self._without(start, end, repair.after))
        rest = self._rest(repair)
        low_in_gold = repair.kind is RepairKind.ADD
        if kind in _ATTACHMENTS and rest:
            low, high = (self._without(*self._hanging(repair), one) for one in ((label, start, end), repair.before))
            return Attached(high, low) if low_in_gold else Attached(low, high)
        return Bracketed(label, low_in_gold)

    def _joined(self, repair: TreeRepair) -> Coordinated | None:
        """Return what the conjunction of a move joins in both trees; ``None`` where that does not tell the error."""
        places = {
            repair.start: repair.labels[0] in CONJUNCTIONS or repair.edges[0] in CONJUNCTIONS,
            repair.end - 1: repair.labels[-1] in CONJUNCTIONS or repair.edges[1] in CONJUNCTIONS,
            repair.start - 1: not CONJUNCTIONS.isdisjoint(repair.siblings[::2]),
            repair.end: not CONJUNCTIONS.isdisjoint(repair.siblings[1::2]),
        }
        place = next((place for place, is_conjunction in places.items() if is_conjunction), None)
        if place is None:
            return None
        parse, gold = (self._conjuncts(tree, place) for tree in self.trees)
        alike = len(gold) < 2 or len({phrase.label for phrase in gold}) == 1
        if not parse or not gold or parse == gold or not alike:
            return None
        return Coordinated(self.words[self.tokens[place]], parse, gold)

    def _conjuncts(self, top: Node, place: int) -> tuple[Phrase, ...]:
        """Return what stands on both sides of a conjunction, or the flat phrase that it is in; nothing at an edge."""
        node = top
        while node.children:
            inner = next(child for child in node.children if child.start <= place < child.end)
            if inner.label == "CONJP":
                node = inner
                break
            node = inner
        sides = []
        for step in (-1, 1):
            one = node
            while one.parent is not None:
                beside = one.parent.children.index(one) + step
                if 0 <= beside < len(one.parent.children):
                    sides.append(one.parent.children[beside])
                    break
                one = one.parent
        if len(sides) < 2:
            return ()
        parent = node.parent
        if parent is not None and not any(child.children for child in parent.children) and len(parent.children) > 3:
            return (self.phrase((parent.label, parent.start, parent.end)),)
        return tuple(self.phrase((one.label, one.start, one.end)) for one in sides)

    def _without(self, start: int, end: int, bracket: LabelledSpan) -> Phrase:
        """Return a phrase without what is attached to it at its edge, which says nothing about where."""
        label, first, last = bracket
        if first == start < end < last:
            first = end
        elif first < start < end == last:
            last = start
        return self.phrase((label, first, last))


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
    """Return what kind of attachment it is to hang nodes of these labels on one parent and not on another."""
    if VERB_TAGS & set(labels) and len(labels) > 1:
        # A verb with what hangs on it, and no phrase over both: a reduced relative clause.
        return ErrorClass.CLAUSE
    # Of several phrases side by side the first says what they are.
    for label in labels:
        if label == "PP":
            return ErrorClass.PP
        if label in CLAUSES:
            return ErrorClass.CLAUSE
        if label in NOUN_PHRASES:
            return ErrorClass.ARGUMENT if {before, after} <= VERBAL else ErrorClass.NP
    if MODIFIERS & set(labels):
        return ErrorClass.MODIFIER
    if {before, after} <= NOUN_PHRASES:
        return ErrorClass.NP_INTERNAL
    # Nothing but words.
    if NOUNS & set(labels):
        return ErrorClass.NP
    return ErrorClass.MODIFIER if ADVERBS & set(labels) else ErrorClass.OTHER
