"""Scoring the trees of a list: what their features weigh, each part that they share looked at once."""

from __future__ import annotations

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.rerank import lists_layout as layout
from engine.rerank.features_kernel import branch_features, node_features, object_of, row_hash, word_features
from engine.rerank.features_layout import BUCKET_SHIFT, FILTER_SHIFT, TreeArrays
from engine.rerank.generative_kernel import node_log_probability
from engine.rerank.generative_layout import GenerativeTree
from engine.rerank.lists_layout import ListedSentence, ListedTrees, ScoringMemory, SecondModel, Trees, WeightTable
from engine.structure import sentence_layout as structure
from engine.structure.nodes_kernel import lay_out, mix

# Keys of nodes: one number for all that the features, or the second model's events, of one node look at.
#
# Two trees of a list that differ somewhere differ in every constituent above that place.  Yet the features of these
# look no deeper than a few levels, and the events no deeper than the children: most of them were summed up before.


@kernel(allocates=False)
def pack(first: int, second: int, third: int) -> int:
    """Three numbers of readings or labels, −1 for none, as one."""
    return (int(first) + 1) << 40 | (int(second) + 1) << 20 | (int(third) + 1)


@kernel(allocates=False, inlined=True)
def outline(node: Int32Array) -> int:
    """Return what a node is by itself, as one number: label, span, head and kind."""
    span = int(node[structure.NODE_START]) << 26 | int(node[structure.NODE_END]) << 16
    return (
        int(node[structure.NODE_LABEL]) << 36
        | span
        | int(node[structure.NODE_HEAD]) << 6
        | int(node[structure.NODE_KIND])
    )


@kernel(allocates=False, inlined=True)
def label_of(nodes: Int32Array, node: int) -> int:
    """Return the label of a node; −1 if there is none."""
    return int(nodes[node, structure.NODE_LABEL]) if node >= 0 else -1


@kernel(allocates=False, inlined=True)
def head_child_of(nodes: Int32Array, node: int) -> int:
    """Return the head-child of a node; −1 if there is none."""
    return int(nodes[node, structure.NODE_HEAD_CHILD]) if node >= 0 else -1


@kernel(allocates=False)
def sum_readings(chosen: Int32Array, sums: Int64Array) -> None:
    """Sum up hashes of the readings before every word, so that two of the sums tell the readings of a span."""
    sums[0] = 0
    for position in range(chosen.shape[0]):
        sums[position + 1] = (int(sums[position]) + mix(0, int(chosen[position]))) & structure.HASH_MASK


@kernel(allocates=False)
def node_keys(tree: TreeArrays, node: int, context: int, readings: Int64Array) -> tuple[int, int]:
    """Return the key of a node for its features, and that for its events.

    Parameters
    ----------
    tree, node
        The node.
    context
        All that its features look at beyond it, as one number.
    readings
        What :func:`sum_readings` wrote.
    """
    nodes = tree.nodes
    row = nodes[node]
    within = (int(readings[row[structure.NODE_END]]) - int(readings[row[structure.NODE_START]])) & structure.HASH_MASK
    own = mix(within, outline(row))
    above = row[structure.NODE_PARENT]
    higher = -1
    if above >= 0:
        higher = 2 * int(nodes[above, structure.NODE_LABEL]) + (
            1 if nodes[above, structure.NODE_HEAD_CHILD] == node else 0
        )
    events = mix(own, higher)
    features = mix(own, context)
    child = row[structure.NODE_FIRST]
    while child >= 0:
        kid = nodes[child]
        shape = outline(kid) << 1 | (1 if child == row[structure.NODE_HEAD_CHILD] else 0)
        events = mix(events, shape)
        features = mix(features, shape)
        if kid[structure.NODE_FIRST] >= 0:
            ends = pack(
                label_of(nodes, kid[structure.NODE_FIRST]),
                label_of(nodes, kid[structure.NODE_LAST]),
                object_of(nodes, child),
            )
            inner = head_child_of(nodes, child)
            deeper = head_child_of(nodes, inner)
            features = mix(features, ends)
            features = mix(features, pack(label_of(nodes, inner), label_of(nodes, deeper), -1))
            # A conjunct is compared with what it is joined to.
            if tree.joined[kid[structure.NODE_LABEL]]:
                features = mix(features, outline(nodes[inner]))
        child = kid[structure.NODE_NEXT]
    return features, events


# Scoring the trees of a list: what their features weigh, each part that they share looked at once.
#
# The trees of a list differ in few places.  What the features of a constituent weigh depends on the constituent and
# on its context, all that they look at beyond it (:func:`context`); so does what those of the constituents within it
# weigh. The sum over a constituent and all within it is kept in a memo, under both: a tree is walked through from its
# root only as far as no other tree of the list has been.  What one node adds is kept as well, under all that it
# depends on (:mod:`engine.rerank.scoring_kernel`): that is far less than all within the node.
#
# For another sum over a tree's nodes there is a column beside that of the weights.


@kernel(allocates=False)
def weight_place(buckets: Int32Array, keys: Int64Array, key: int) -> int:
    """Return where the weight of a feature is, −1 if it has none; the upper bits of a key choose a bucket."""
    number = key >> BUCKET_SHIFT
    low = int(buckets[number])
    high = int(buckets[number + 1])
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < int(buckets[number + 1]) and keys[low] == key:
        return low
    return -1


@kernel(allocates=False)
def may_have_weight(bits: UInt8Array, key: int) -> bool:
    """Return whether a feature may have a weight: a small table knows most that have none."""
    number: int = (key >> FILTER_SHIFT) & (8 * bits.shape[0] - 1)
    return (int(bits[number >> 3]) >> (number & 7)) & 1 == 1


@kernel(allocates=False)
def rows_weight(rows: Int32Array, count: int, table: WeightTable) -> float:
    """Return the sum of the weights of the first so many features."""
    known_keys = table.known_keys
    known_weights = table.known_weights
    hashes = table.hashes
    # All hashes first: what is read from memory for one feature need not wait for another.
    for at in range(count):
        hashes[at] = row_hash(rows[at])
    total = 0.0
    for at in range(count):
        key = hashes[at]
        known = key & layout.KNOWN_MASK
        if known_keys[known, 0] != key:
            place = -1
            if may_have_weight(table.filter_bits, key):
                place = weight_place(table.buckets, table.keys, key)
            known_keys[known, 0] = key
            known_weights[known, 1] = table.weights[place] if place >= 0 else 0.0
        total += known_weights[known, 1]
    return total


@kernel(allocates=False)
def context(nodes: Int32Array, node: int, head_above: int, chosen: Int32Array, size: int) -> int:
    """Return all that features of a node, or of one within it, look at beyond it: one number for each such context.

    That is the label of its parent and that of the parent's parent, and the readings of a few words: of the parent's
    head, of the head of the lowest constituent above it that another word heads, and of the words beside it.
    """
    above = nodes[node, structure.NODE_PARENT]
    start = nodes[node, structure.NODE_START]
    end = nodes[node, structure.NODE_END]
    before = chosen[start - 1] if start > 0 else -1
    after = chosen[end] if end < size else -1
    if above < 0:
        return pack(before, after, -1)
    higher = nodes[above, structure.NODE_PARENT]
    grand = nodes[higher, structure.NODE_LABEL] if higher >= 0 else -1
    next_head = chosen[head_above] if head_above >= 0 else -1
    upwards = pack(nodes[above, structure.NODE_LABEL], grand, chosen[nodes[above, structure.NODE_HEAD]])
    return mix(mix(0, upwards), pack(before, after, next_head))


@kernel(allocates=False)
def memo_place(memory: ScoringMemory, number: int, part: int, context: int) -> tuple[int, bool]:
    """Return where the memo keeps a part in a context, and whether this list has filled the place already."""
    keys = memory.memo_keys
    mask = keys.shape[0] - 1
    place = mix(context, part) & mask
    while keys[place, layout.M_LIST] == number:
        if keys[place, layout.M_PART] == part and keys[place, layout.M_CONTEXT] == context:
            return place, True
        place = (place + 1) & mask
    keys[place, layout.M_LIST] = number
    keys[place, layout.M_PART] = part
    keys[place, layout.M_CONTEXT] = context
    return place, False


@kernel(allocates=False)
def sum_words(tree: TreeArrays, chosen: Int32Array, table: WeightTable, memory: ScoringMemory, number: int) -> float:
    """Return what the features of the words weigh: those of each depend on its tag and on two tags on each side."""
    size = tree.tags.shape[0]
    total = 0.0
    for position in range(size):
        mixed = 0
        for near in range(position - 2, position + 3):
            mixed = mix(mixed, int(chosen[near]) if 0 <= near < size else -1)
        place, known = memo_place(memory, number, -1 - position, mixed)
        if not known:
            count = word_features(tree, position, memory.rows, 0)
            memory.memo_sums[place, layout.WEIGHTS] = rows_weight(memory.rows, count, table)
        total += memory.memo_sums[place, layout.WEIGHTS]
    return total


@kernel(allocates=False)
def sum_node(
    trees: Trees,
    node: int,
    here: int,
    table: WeightTable,
    second: SecondModel,
    memory: ScoringMemory,
    number: int,
    sums: FloatArray,
) -> None:
    """Write what one node adds to each column; `here` is its context."""
    sums[layout.WEIGHTS] = 0.0
    sums[layout.GENERATIVE] = 0.0
    features, events = node_keys(trees.features, node, here, memory.readings)
    if table.keys.shape[0] > 0:
        place, known = memo_place(memory, number, layout.NODE_FEATURES, features)
        if not known:
            count = node_features(trees.features, node, memory.rows, 0)
            memory.memo_sums[place, layout.WEIGHTS] = rows_weight(memory.rows, count, table)
        sums[layout.WEIGHTS] = memory.memo_sums[place, layout.WEIGHTS]
    if second.counts.contexts.shape[0] > 0:
        place, known = memo_place(memory, number, layout.NODE_EVENTS, events)
        if not known:
            found = node_log_probability(second.counts, second.known, trees.generative, node, memory.events)
            memory.memo_sums[place, layout.GENERATIVE] = found
        sums[layout.GENERATIVE] = memory.memo_sums[place, layout.GENERATIVE]


@kernel(allocates=False)
def sum_nodes(
    trees: Trees,
    root: int,
    parts: Int32Array,
    chosen: Int32Array,
    table: WeightTable,
    second: SecondModel,
    memory: ScoringMemory,
    number: int,
) -> tuple[int, int]:
    """Sum up each column over a tree; return the place of the sums in the memo, and how many places are new."""
    nodes = trees.features.nodes
    sums = memory.memo_sums
    stack = memory.stack
    places = memory.places
    heads_above = memory.heads_above
    size = chosen.shape[0]
    stack[0] = root
    heads_above[root] = -1
    depth = 1
    visited = 0
    new = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        here = context(nodes, node, int(heads_above[node]), chosen, size)
        place, known = memo_place(memory, number, int(parts[nodes[node, structure.NODE_STEP]]), here)
        places[node] = place
        memory.visited[visited] = node
        visited += 1
        if known:
            continue
        new += layout.NODE_PLACES
        sum_node(trees, node, here, table, second, memory, number, sums[place])
        head = nodes[node, structure.NODE_HEAD]
        child = nodes[node, structure.NODE_FIRST]
        while child >= 0:
            heads_above[child] = heads_above[node] if nodes[child, structure.NODE_HEAD] == head else head
            stack[depth] = child
            depth += 1
            child = nodes[child, structure.NODE_NEXT]
    # Backwards, children come before their parents.
    for at in range(visited - 1, 0, -1):
        node = memory.visited[at]
        whole = sums[places[nodes[node, structure.NODE_PARENT]]]
        part = sums[places[node]]
        for column in range(layout.COLUMNS):
            whole[column] += part[column]
    return places[root], new


@kernel(allocates=False)
def score_list(
    trees: ListedTrees,
    count: int,
    sentence: ListedSentence,
    table: WeightTable,
    second: SecondModel,
    memory: ScoringMemory,
    number: int,
    scores: FloatArray,
) -> int:
    """Write the sums of each tree, a row for each; `number` tells this list from those before.

    The result is negative if something has no room.
    """
    size = sentence.commas.shape[0]
    words = memory.words[:size]
    tags = memory.tags[:size]
    verbs = memory.verbs[: size + 1]
    tree = TreeArrays(memory.nodes, words, tags, sentence.commas, sentence.marks, sentence.joined, memory.values)
    generative = GenerativeTree(
        memory.nodes, sentence.generative_words, tags, verbs, sentence.marks, second.complements
    )
    both = Trees(tree, generative)
    verbs[0] = 0
    filled = 0
    of_words = 0.0
    for at in range(count):
        chosen = trees.chosen[at, :size]
        retagged = at == 0
        for position in range(size):
            if retagged or chosen[position] != trees.chosen[at - 1, position]:
                words[position] = sentence.readings[chosen[position], structure.READING_WORD]
                tags[position] = sentence.readings[chosen[position], structure.READING_TAG]
                retagged = True
        if retagged:
            filled += size
            sum_readings(chosen, memory.readings)
            for position in range(size):
                verbs[position + 1] = verbs[position] + second.verb_tags[tags[position]]
        first = trees.ranges[at, 0]
        end = trees.ranges[at, 1]
        if end - first > memory.nodes.shape[0]:
            return layout.NODES_FULL
        if 2 * (filled + layout.NODE_PLACES * (end - first)) > memory.memo_keys.shape[0]:
            return layout.MEMO_FULL
        if retagged:
            of_words = sum_words(tree, chosen, table, memory, number)
        used = lay_out(trees.steps[first:end], memory.nodes, memory.stack)
        root = memory.stack[0]
        place, new = sum_nodes(both, root, trees.parts[first:end], chosen, table, second, memory, number)
        filled += new
        for column in range(layout.COLUMNS):
            scores[at, column] = memory.memo_sums[place, column]
        of_tree = rows_weight(memory.rows, branch_features(tree, used, root, memory.rows, 0), table)
        scores[at, layout.WEIGHTS] += of_words + of_tree
    return 0
