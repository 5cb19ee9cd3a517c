"""The events of the second model: a tree generated from its root, heads first, modifiers outward (Collins, 1997).

Every constituent P chooses its head-child H, a frame of complements on either side (subcategorisation), and then its
modifiers from the head outward until STOP: label, head tag, head-word.  A modifier depends on the head-word, on what
the frame still lacks, on distance (next to the head? a verb between?), on the punctuation at the edge reached so far,
and on the modifier before it.  In a baseNP every word depends on the one before it.
"""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.generative.generative_layout import (
    ABOVE,
    BASE_TAG,
    BASE_WORD,
    DISTANCE,
    EVENT_COLUMNS,
    EVENT_KIND,
    EVENT_NODE,
    EVENT_PLACE,
    FRAME,
    FRAME_BITS,
    FRAME_MASK,
    HEAD,
    HEAD_CHILD,
    HEAD_TAG,
    HEAD_WORD,
    LEFT,
    MARK,
    MODIFIER,
    MODIFIER_LABEL,
    MODIFIER_TAG,
    NEXT_TO_HEAD,
    NOT_COMPLEMENT,
    NOTHING,
    NP_COMPLEMENT,
    OTHER_COMPLEMENT,
    OUTCOME,
    PARENT,
    PP_LABEL,
    PREVIOUS,
    PREVIOUS_WORD,
    RIGHT,
    ROOT_LABEL,
    ROOT_WORD,
    S_COMPLEMENT,
    SBAR_COMPLEMENT,
    SIDE,
    STOP,
    SUBCATEGORISATION,
    TAG_OF_MODIFIER,
    VERB_BETWEEN,
    VP_COMPLEMENT,
    WORD_OF_MODIFIER,
    GenerativeTree,
)
from engine.structure.nodes_layout import (
    MARK_KINDS,
    NODE_END,
    NODE_FIRST,
    NODE_HEAD,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_LABEL,
    NODE_NEXT,
    NODE_PARENT,
    NODE_START,
)
from engine.structure.structure_layout import BASE, WORD


@kernel(allocates=False)
def category(nodes: Int32Array, node: int) -> int:
    """The label of a node, baseNPs told from other NPs."""
    return 2 * int(nodes[node, NODE_LABEL]) + (1 if nodes[node, NODE_KIND] == BASE else 0)


@kernel(allocates=False)
def complement(complements: Int32Array, parent: int, child: int, next_to_head: bool) -> int:
    """The class of a modifier among complements, 0 for an adjunct (after Collins, 1997, section 2.1).

    NP, SBAR and S under S; these and VP under VP; S under SBAR; what follows a preposition in a PP.  Function tags,
    which would tell adverbial NPs apart, are not in parses.
    """
    above = complements[parent]
    kind = complements[child]
    if above == S_COMPLEMENT and NP_COMPLEMENT <= kind <= S_COMPLEMENT:
        return int(kind)
    if above == VP_COMPLEMENT and NP_COMPLEMENT <= kind <= VP_COMPLEMENT:
        return int(kind)
    if above == SBAR_COMPLEMENT and kind == S_COMPLEMENT:
        return int(kind)
    if above == PP_LABEL and next_to_head:
        return int(kind) if kind != NOT_COMPLEMENT else OTHER_COMPLEMENT
    return NOT_COMPLEMENT


@kernel(allocates=False)
def with_complement(frame: int, kind: int) -> int:
    """A frame with one complement more; seven of a kind are as many as can be counted."""
    shift = FRAME_BITS * (kind - 1)
    return frame + (1 << shift) if ((frame >> shift) & FRAME_MASK) < FRAME_MASK else frame


@kernel(allocates=False)
def without_complement(frame: int, kind: int) -> int:
    """A frame with one complement less, if it has one of the kind."""
    shift = FRAME_BITS * (kind - 1)
    return frame - (1 << shift) if ((frame >> shift) & FRAME_MASK) > 0 else frame


@kernel(allocates=False)
def frames(tree: GenerativeTree, node: int) -> tuple[int, int]:
    """The complements of a constituent to the left and to the right of its head."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD_CHILD]
    left = 0
    right = 0
    after_head = False
    next_to_head = False
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        if child == head:
            after_head = True
            next_to_head = True
        else:
            kind = complement(tree.complements, nodes[node, NODE_LABEL], nodes[child, NODE_LABEL], next_to_head)
            next_to_head = False
            if kind != NOT_COMPLEMENT:
                if after_head:
                    right = with_complement(right, kind)
                else:
                    left = with_complement(left, kind)
        child = nodes[child, NODE_NEXT]
    return left, right


@kernel(allocates=False)
def blank(rows: Int32Array, at: int, kind: int, node: int, place: int, outcome: int) -> None:
    """Begin an event: nothing in any column but these."""
    for column in range(EVENT_COLUMNS):
        rows[at, column] = NOTHING
    rows[at, EVENT_KIND] = kind
    rows[at, EVENT_NODE] = node
    rows[at, EVENT_PLACE] = place
    rows[at, OUTCOME] = outcome


@kernel(allocates=False)
def root_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """The label of the root and its head-word."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    label = category(nodes, node)
    blank(rows, at, ROOT_LABEL, node, head, label)
    rows[at, HEAD_TAG] = tree.tags[head]
    blank(rows, at + 1, ROOT_WORD, node, head, tree.words[head])
    rows[at + 1, MODIFIER] = label
    rows[at + 1, MODIFIER_TAG] = tree.tags[head]
    return at + 2


@kernel(allocates=False)
def base_events(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> int:
    """The words of a baseNP on one side of its head, outward, each given the one before it."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    step = 1 if side == RIGHT else -1
    previous = head
    place = head + step
    while True:
        inside = nodes[node, NODE_START] <= place < nodes[node, NODE_END]
        blank(rows, at, BASE_TAG, node, place, tree.tags[place] if inside else STOP)
        rows[at, SIDE] = side
        rows[at, HEAD_TAG] = tree.tags[head]
        rows[at, PREVIOUS] = tree.tags[previous]
        rows[at, PREVIOUS_WORD] = tree.words[previous]
        at += 1
        if not inside:
            return at
        blank(rows, at, BASE_WORD, node, place, tree.words[place])
        rows[at, SIDE] = side
        rows[at, MODIFIER_TAG] = tree.tags[place]
        rows[at, PREVIOUS] = tree.tags[previous]
        rows[at, PREVIOUS_WORD] = tree.words[previous]
        at += 1
        previous = place
        place += step


@kernel(allocates=False)
def sister_before(nodes: Int32Array, node: int, child: int) -> int:
    """The child to the left of a child, −1 if it is the first."""
    before = -1
    at = nodes[node, NODE_FIRST]
    while at != child:
        before = at
        at = nodes[at, NODE_NEXT]
    return before


@kernel(allocates=False)
def given_head(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> None:
    """Write what the modifiers of a constituent depend on in common: parent, head-child, head-word."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    rows[at, SIDE] = side
    rows[at, PARENT] = nodes[node, NODE_LABEL]
    rows[at, HEAD_CHILD] = category(nodes, nodes[node, NODE_HEAD_CHILD])
    rows[at, HEAD_TAG] = tree.tags[head]
    rows[at, HEAD_WORD] = tree.words[head]


@kernel(allocates=False)
def modifier_events(tree: GenerativeTree, node: int, side: int, frame: int, rows: Int32Array, at: int) -> int:
    """The modifiers of a constituent on one side of its head, outward, until STOP."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    head_child = nodes[node, NODE_HEAD_CHILD]
    edge = nodes[head_child, NODE_END] if side == RIGHT else nodes[head_child, NODE_START]
    child = nodes[head_child, NODE_NEXT] if side == RIGHT else sister_before(nodes, node, head_child)
    previous = NOTHING
    while True:
        first = previous == NOTHING
        verbs = tree.verbs[edge] - tree.verbs[head + 1] if side == RIGHT else tree.verbs[head] - tree.verbs[edge]
        place = nodes[child, NODE_HEAD] if child >= 0 else edge
        blank(rows, at, MODIFIER_LABEL, node, place, category(nodes, child) if child >= 0 else STOP)
        given_head(tree, node, side, rows, at)
        rows[at, DISTANCE] = (NEXT_TO_HEAD if first else 0) + (VERB_BETWEEN if verbs > 0 else 0)
        rows[at, FRAME] = frame
        rows[at, MARK] = tree.marks[edge] & MARK_KINDS
        rows[at, PREVIOUS] = previous
        at += 1
        if child < 0:
            return at
        blank(rows, at, TAG_OF_MODIFIER, node, place, tree.tags[place])
        given_head(tree, node, side, rows, at)
        rows[at, MODIFIER] = category(nodes, child)
        at += 1
        blank(rows, at, WORD_OF_MODIFIER, node, place, tree.words[place])
        given_head(tree, node, side, rows, at)
        rows[at, MODIFIER] = category(nodes, child)
        rows[at, MODIFIER_TAG] = tree.tags[place]
        at += 1
        next_to_head = side == RIGHT and first
        kind = complement(tree.complements, nodes[node, NODE_LABEL], nodes[child, NODE_LABEL], next_to_head)
        if kind != NOT_COMPLEMENT:
            frame = without_complement(frame, kind)
        previous = nodes[child, NODE_LABEL]
        if side == RIGHT:
            edge = nodes[child, NODE_END]
            child = nodes[child, NODE_NEXT]
        else:
            edge = nodes[child, NODE_START]
            child = sister_before(nodes, node, child)


@kernel(allocates=False)
def node_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """All events of one node; return the place after them.

    They depend on the node with its children, and on the label of the node above it and whether it is its head-child.
    """
    nodes = tree.nodes
    above = nodes[node, NODE_PARENT]
    if above < 0:
        at = root_events(tree, node, rows, at)
    kind = nodes[node, NODE_KIND]
    if kind == WORD:
        return at
    if kind == BASE:
        at = base_events(tree, node, LEFT, rows, at)
        return base_events(tree, node, RIGHT, rows, at)
    is_head = 1 if above >= 0 and nodes[above, NODE_HEAD_CHILD] == node else 0
    higher = 2 * nodes[above, NODE_LABEL] + is_head if above >= 0 else NOTHING
    head = nodes[node, NODE_HEAD]
    blank(rows, at, HEAD, node, head, category(nodes, nodes[node, NODE_HEAD_CHILD]))
    rows[at, PARENT] = nodes[node, NODE_LABEL]
    rows[at, HEAD_TAG] = tree.tags[head]
    rows[at, HEAD_WORD] = tree.words[head]
    rows[at, ABOVE] = higher
    at += 1
    left, right = frames(tree, node)
    for side in range(2):
        blank(rows, at, SUBCATEGORISATION, node, head, right if side == RIGHT else left)
        given_head(tree, node, side, rows, at)
        rows[at, ABOVE] = higher
        at += 1
    at = modifier_events(tree, node, LEFT, left, rows, at)
    return modifier_events(tree, node, RIGHT, right, rows, at)
