"""The templates of the re-ranker's features, and the columns of a tree's nodes."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Int32Array, UInt8Array

ROW = 8
"""A feature: its template and seven numbers."""
NODE_ROWS, WORD_ROWS, TREE_ROWS = 72, 6, 16
"""At most so many features has a node with the arrow above it, a word, and a tree besides."""
NOTHING = -4
BEFORE = -3
AFTER = -2
"""No value; before the first and after the last of a row."""
UNUSED_WORD = -5
"""Every word where words are not used.  No tree of training has it: a feature with it has no weight."""

BUCKET_SHIFT = 46
BUCKETS = 1 << 16
FILTER_SHIFT = 20
"""Upper bits of a hash choose a bucket, others a bit of the filter."""


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


class Rule(NamedTuple):
    """A production in numbers: its label, its shape (the number of children and the head's place), the first four."""

    label: int
    shape: int
    first: int
    second: int
    third: int
    fourth: int


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
    Template("rule with its first word", "LSLLLLW"),
    Template("rule with its last word", "LSLLLLW"),
    Template("rule after a word", "LSLLLLW"),
    Template("rule before a word", "LSLLLLW"),
    Template("rule of a length", "LSLLLLN"),
    Template("rule between tags", "LSLLLTT"),
    Template("rule from tag to tag", "LSLLLTT"),
    Template("rule between punctuation", "LSLLLMM"),
    Template("path between two tags", "LLLLLTT"),
    Template("path from a word to a tag", "LLLLLWT"),
    Template("path from a tag to a word", "LLLLLTW"),
    Template("path between two words", "LLLLLWW"),
    Template("first tags", "LTTN"),
    Template("last tags", "LTTE"),
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
    RULE_FIRST_WORD,
    RULE_LAST_WORD,
    RULE_AFTER_WORD,
    RULE_BEFORE_WORD,
    RULE_LENGTH,
    RULE_BETWEEN_TAGS,
    RULE_EDGE_TAGS,
    RULE_MARKS,
    PATH_TAGS,
    PATH_WORD_TAG,
    PATH_TAG_WORD,
    PATH_WORDS,
    FIRST_TAGS,
    LAST_TAGS,
) = range(59)
