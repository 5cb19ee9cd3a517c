"""The templates of the re-ranker's features, and the columns of a tree's nodes."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Float32Array, FloatArray, Int32Array, Int64Array, UInt8Array

# Columns of a node; the last is the step of the derivation that completes it.
(
    NODE_LABEL,
    NODE_START,
    NODE_END,
    NODE_HEAD,
    NODE_PARENT,
    NODE_FIRST,
    NODE_LAST,
    NODE_NEXT,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_STEP,
) = range(11)
NODE_COLUMNS = 11

ROW = 8
"""A feature: its template and seven numbers."""
NODE_ROWS, WORD_ROWS, TREE_ROWS = 48, 6, 16
"""At most so many features has a node with the arrow above it, a word, and a tree besides."""
NOTHING = -4
BEFORE = -3
AFTER = -2
"""No value; before the first and after the last of a row."""
UNUSED_WORD = -5
"""Every word where words are not used.  No tree of training has it: a feature with it has no weight."""

HASH_MULTIPLIER = 0x2545F4914F6CDD1D
HASH_MASK = (1 << 62) - 1
BUCKET_SHIFT = 46
BUCKETS = 1 << 16
FILTER_SHIFT = 20
"""Upper bits of a hash choose a bucket, others a bit of the filter."""

# Punctuation between two words, one bit for each kind; the last bit is left out but at the sentence's end.
MARK_COMMA, MARK_COLON, MARK_QUOTE, MARK_STOP, MARK_QUESTION = 1, 2, 4, 8, 16
MARK_KINDS = 15
MARK_SIGNS = ',:".?'


class TreeArrays(NamedTuple):
    """A tree in numbers.

    Attributes
    ----------
    nodes
        Its constituents, in the columns above.
    words, tags
        Of every word.
    commas, marks
        'Commas' and kinds of punctuation before every word; `marks` has one number more, for the end.
    joined
        Of every label whether it stands for a conjunction with its conjunct.
    """

    nodes: Int32Array
    words: Int32Array
    tags: Int32Array
    commas: Int32Array
    marks: Int32Array
    joined: UInt8Array


class Template(NamedTuple):
    """How to read a feature's row: its name, and what each number is.

    The letters: L a label, T a tag, W a word, E a tag beside a constituent with its comma, S a rule's shape,
    M punctuation, N a number, X a tag or, if the last number is 1, a word.
    """

    name: str
    values: str


TEMPLATES = (
    Template("rule", "LSLLLLL"),
    Template("rule under", "LSLLLLL"),
    Template("siblings", "LLLL"),
    Template("pair of tags", "LLTTN"),
    Template("word and tag", "LLWTN"),
    Template("pair of words", "LLWW"),
    Template("head's head", "LLTXTN"),
    Template("object of words", "LWWW"),
    Template("object and head tag", "LWWT"),
    Template("object tag", "LTWW"),
    Template("edge tags", "LETTE"),
    Template("word after", "LWTN"),
    Template("word before", "LWTN"),
    Template("heavy", "LNNN"),
    Template("path", "LLLN"),
    Template("ancestors", "WLLL"),
    Template("sides of a head", "LXNN"),
    Template("parallel conjuncts", "LNNN"),
    Template("tag pair", "TT"),
    Template("tag triple", "TTT"),
    Template("tag near word", "WTN"),
    Template("right branch", "N"),
    Template("other branch", "N"),
    Template("rule with its head-word", "LSLLLLW"),
    Template("head-child's children", "LLLLLL"),
    Template("where children meet", "LLLTTM"),
    Template("tags of sisters", "LLLTTW"),
    Template("words of sisters", "LLLWW"),
    Template("three children", "LLLLN"),
    Template("word at a distance", "LLWTNM"),
    Template("tag before a modifier", "LLWTTN"),
    Template("tag before, with the head", "LLWTN"),
    Template("object's and head's tag", "LLTWT"),
    Template("tags of conjuncts", "LTTLL"),
    Template("words of conjuncts", "WW"),
    Template("projection of a word", "WLLT"),
    Template("labels above a tag", "TLLLLL"),
    Template("labels above a word", "WLLLL"),
    Template("parent", "LL"),
    Template("punctuation around", "LLMMN"),
    Template("end of the sentence", "LLTM"),
    Template("first word", "LLWN"),
    Template("last word", "LLW"),
    Template("first and last word", "LWW"),
    Template("tags within", "LLTTTTT"),
)
(
    RULE,
    RULE_ABOVE,
    SIBLINGS,
    PAIR_TAGS,
    PAIR_WORD_TAG,
    PAIR_WORDS,
    GRAND_HEADS,
    OBJECT_WORDS,
    OBJECT_WORD_TAG,
    OBJECT_TAG,
    EDGE_TAGS,
    EDGE_WORD_AFTER,
    EDGE_WORD_BEFORE,
    HEAVY,
    PATH,
    ANCESTORS,
    HEAD_SIDES,
    PARALLEL,
    TAG_PAIR,
    TAG_TRIPLE,
    TAG_WORD,
    BRANCH_RIGHT,
    BRANCH_OTHER,
    RULE_WORD,
    HEAD_CHAIN,
    SPLIT,
    SISTER_TAGS,
    SISTER_WORDS,
    THREE_CHILDREN,
    WORD_AT_DISTANCE,
    TAG_BEFORE,
    TAG_BEFORE_HEAD,
    OBJECT_TAGS,
    CONJUNCT_TAGS,
    CONJUNCT_WORDS,
    PROJECTION,
    SPINE_TAG,
    SPINE_WORD,
    PARENT,
    MARKS_AROUND,
    SENTENCE_END,
    FIRST_WORD,
    LAST_WORD,
    EDGE_WORDS,
    TAGS_WITHIN,
) = range(45)


class ParseLists(NamedTuple):
    """Lists of parses to learn from, end to end.

    Attributes
    ----------
    list_starts, parse_starts
        Where the parses of each list start, and the features of each parse; one number more at the end.
    features, values
        Features that a parse has in other number than the first of its list, and by how many.
    log_probabilities, targets
        Of every parse: the parser's own log probability, and whether it is among the best of its list.
    """

    list_starts: Int64Array
    parse_starts: Int64Array
    features: Int32Array
    values: Float32Array
    log_probabilities: FloatArray
    targets: FloatArray


class WeightState(NamedTuple):
    """Weights being learnt: the weights, their summed squared gradients, the step at which each was last met."""

    weights: FloatArray
    squares: FloatArray
    seen: Int64Array
