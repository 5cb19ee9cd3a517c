"""A parse as one row for every token, with baseNPs and punctuation attached (section 2.1); CoNLL-U writes them down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.common.characters import is_control
from engine.export.format import Format, printable, safe_tree
from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import BaseNP, Dependency, Relation, analyse, gap_tags
from engine.structure.tagged_sentence import TaggedSentence
from engine.text.conllu import BLANK
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree, clean

if TYPE_CHECKING:
    from engine.chart.parse import Parse


# A parse as one row for every token: the dependencies D with baseNPs and punctuation attached (section 2.1).
#
# D links the words of the reduced sentence only.  Formats that want a head for every token need more:
#
# * a word that its baseNP absorbed modifies the baseNP's head-word, with the relation ``baseNP``;
# * punctuation modifies, with the relation ``punct``, the head of the innermost arrow drawn over it.  Under no
#   arrow it modifies the nearest root to its left, or failing that to its right.  Either way its arrow crosses no
#   other, since an arrow it could cross would be drawn over it and be shorter than the innermost;
# * in a sentence of nothing but punctuation the first token is the root and the others modify it.

REDUCED_TOKEN, BASENP_INTERNAL, PUNCTUATION = "word", "baseNP", "punct"
"""What a token is: a word of the reduced sentence, another word of a baseNP, or punctuation."""

BEGIN, INSIDE, OUTSIDE = "B", "I", "O"


@dataclass(frozen=True, slots=True)
class Row:
    """One token.

    Attributes
    ----------
    number
        Its place in the sentence, counted from 1, punctuation included.
    word, tag
        The token and its tag.
    kind
        :data:`REDUCED_TOKEN`, :data:`BASENP_INTERNAL` or :data:`PUNCTUATION`.
    head
        Number of the token that it modifies; 0 for a root.
    relation
        The triple R of a word of the reduced sentence, <label> for a root; ``None`` for other tokens.
    chunk
        B at the first token of a baseNP, I at its others (punctuation within it too), O elsewhere.
    gap
        The gap tag between the word before and this word, one of SCEBN; empty for the first word and
        for punctuation, which gaps pass over.
    """

    number: int
    word: str
    tag: str
    kind: str
    head: int
    relation: Relation | None
    chunk: str
    gap: str

    @property
    def relation_name(self) -> str:
        """``<NP,S,VP>``, ``<S>``, ``baseNP`` or ``punct``."""
        return self.kind if self.relation is None else str(self.relation)


class Analysed(Protocol):
    """A sentence with B and D: a parse, or a tree whose heads were found by rules alone."""

    @property
    def sentence(self) -> TaggedSentence:
        """Its words and tags."""

    @property
    def gap_tags(self) -> str:
        """The gap tags, a letter each."""

    @property
    def basenps(self) -> Sequence[BaseNP]:
        """B."""

    @property
    def reduced(self) -> Sequence[int]:
        """Positions of the words of the reduced sentence."""

    @property
    def dependencies(self) -> Sequence[Dependency]:
        """D."""


@dataclass(frozen=True, slots=True)
class AnalysedTree:
    """A tree with the heads that a table of rules finds, without a model; see :class:`Analysed`."""

    sentence: TaggedSentence
    gap_tags: str = ""
    basenps: Sequence[BaseNP] = ()
    reduced: Sequence[int] = ()
    dependencies: Sequence[Dependency] = ()

    @classmethod
    def of(cls, tree: Tree, rules: HeadRules) -> AnalysedTree:
        """Find the heads of a clean tree."""
        sentence = TaggedSentence.from_tree(tree)
        root = Lexicaliser(rules).constituent(tree)
        if root is None:
            return cls(sentence)
        found = analyse(root, sentence.proper_tags)
        return cls(sentence, gap_tags(found.length, found.basenps), found.basenps, found.reduced, found.dependencies)


def rows_of(parse: Analysed) -> list[Row]:
    """Return a row for every token of the sentence."""
    sentence = parse.sentence
    # Positions count words from 0 without punctuation, numbers count tokens from 1.
    numbers = [position + 1 for position in sentence.positions]
    gaps = dict(zip(numbers[1:], parse.gap_tags, strict=True))
    heads: dict[int, int] = {}
    relations: dict[int, Relation] = {}
    chunks: dict[int, str] = {}
    for base in parse.basenps:
        span = range(numbers[base.start], numbers[base.end - 1] + 1)
        chunks.update((number, BEGIN if number == span[0] else INSIDE) for number in span)
        heads.update((numbers[position], numbers[base.head]) for position in range(base.start, base.end))
    reduced = parse.reduced
    for arrow in parse.dependencies:
        number = numbers[reduced[arrow.modifier - 1]]
        heads[number] = numbers[reduced[arrow.head - 1]] if arrow.head else 0
        relation = arrow.relation
        # A tag that the model does not know has no label there; the tag itself is what a reader wants.
        relations[number] = relation if relation.modifier else Relation(sentence.tags[number - 1], *relation[1:])
    arrows = [(min(number, head), max(number, head), head) for number, head in heads.items() if head]
    roots = sorted(number for number, head in heads.items() if not head)
    rows = []
    for number, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True), 1):
        if number in heads:
            kind, head = REDUCED_TOKEN if number in relations else BASENP_INTERNAL, heads[number]
        else:
            kind, head = PUNCTUATION, _punctuation_head(number, arrows, roots)
        chunk = chunks.get(number, OUTSIDE)
        rows.append(Row(number, word, tag, kind, head, relations.get(number), chunk, gaps.get(number, "")))
    return rows


def basenp_spans(rows: list[Row]) -> list[list[Row]]:
    """Return the rows of every baseNP, from left to right."""
    spans: list[list[Row]] = []
    for row in rows:
        if row.chunk == BEGIN:
            spans.append([row])
        elif row.chunk == INSIDE:
            spans[-1].append(row)
    return spans


def _punctuation_head(number: int, arrows: list[tuple[int, int, int]], roots: list[int]) -> int:
    over = [(last - first, head) for first, last, head in arrows if first < number < last]
    if over:
        return min(over)[1]
    if not roots:
        return 0 if number == 1 else 1
    return max((root for root in roots if root < number), default=roots[0])


# CoNLL-U-style rows: ten columns separated by tabs, an empty line after each parse.
#
# ====== ==========================================================================================
# column holds
# ====== ==========================================================================================
# ID     number of the token, from 1
# FORM   the word (see *escapes* below)
# LEMMA  ``_``
# UPOS   ``_``
# XPOS   the part-of-speech tag
# FEATS  ``_``
# HEAD   number of the token that it modifies, 0 for a root; several roots where no tree spans the sentence
# DEPREL the triple R as ``<NP,S,VP>``, ``<S>`` for a root, ``baseNP`` for a word that its baseNP absorbed, ``punct``
#        (:mod:`engine.export.rows` says what these two are attached to)
# DEPS   ``_``
# MISC   ``BaseNP=B``, ``I`` or ``O``; ``Gap=`` one of S C E B N for the gap before a word (not the first);
#        ``Form=`` where FORM could not hold the word as it is
# ====== ==========================================================================================
#
# Comments before the rows: ``text`` (the words, separated by spaces), ``log_probability``, ``tree`` (one line of
# brackets), ``rank`` if there are n-best parses, ``fallback = fragments`` if no tree spans the sentence,
# ``further_backoff`` if no tree was found without it.
#
# Escapes: FORM and XPOS stand as they are, a backslash included.  A word that holds a control character or line
# break, or is empty, cannot: there each such character becomes U+FFFD (an empty word ``_``), and ``Form=`` has the
# word itself, written with ``\s`` space, ``\t`` tab, ``\n`` line feed, ``\r`` carriage return, ``\p`` vertical bar,
# ``\\`` backslash, and ``\uXXXX`` for any other control character.

_SHORT = {" ": "s", "\t": "t", "\n": "n", "\r": "r", "|": "p", "\\": "\\"}


def escape_misc(value: str) -> str:
    """Return a value of the MISC column."""
    return "".join(
        f"\\{_SHORT[character]}"
        if character in _SHORT
        else f"\\u{ord(character):04x}"
        if is_control(character)
        else character
        for character in value
    )


def conllu(parse: Parse) -> str:
    """Return the rows of each of the n best parses; nothing for an empty sentence, which the format does not know."""
    if not parse.sentence.words:
        return ""
    return "".join(_block(rank, one, len(parse.alternatives)) for rank, one in enumerate(parse.alternatives, 1))


def _block(rank: int, parse: Parse, ranks: int) -> str:
    lines = [f"# text = {printable(' '.join(parse.sentence.words))}"]
    if ranks > 1:
        lines.append(f"# rank = {rank} of {ranks}")
    lines.append(f"# log_probability = {parse.log_probability!r}")
    if parse.fallback:
        lines.append("# fallback = fragments")
    if parse.further_backoff:
        lines.append(f"# further_backoff = {parse.further_backoff.json_name}")
    lines.append(f"# tree = {printable(safe_tree(parse.tree).brackets())}")
    lines += ["\t".join(_columns(row)) for row in rows_of(parse)]
    return "\n".join(lines) + "\n\n"


def conllu_of_tree(tree: Tree, rules: HeadRules, written: Tree | None = None) -> str:
    """Return the rows of a tree that nobody parsed, with the heads that a table of rules finds.

    Parameters
    ----------
    tree
        As it was read; a tree without a word gives nothing.
    rules
        Which child is the head.
    written
        What the comment ``tree`` shall hold, if not what the rows were made of: the same tree with its function tags.
    """
    cleaned = clean(tree)
    if cleaned is None:
        return ""
    lines = [f"# text = {printable(' '.join(cleaned.words()))}"]
    lines.append(f"# tree = {printable(safe_tree(written or cleaned).brackets())}")
    lines += ["\t".join(_columns(row)) for row in rows_of(AnalysedTree.of(cleaned, rules))]
    return "\n".join(lines) + "\n\n"


def _columns(row: Row) -> tuple[str, ...]:
    form = printable(row.word) or BLANK
    misc = [f"BaseNP={row.chunk}"]
    if form != row.word:
        misc.append(f"Form={escape_misc(row.word)}")
    if row.gap:
        misc.append(f"Gap={row.gap}")
    tag = printable(row.tag) or BLANK
    name = printable(row.relation_name)
    return str(row.number), form, BLANK, BLANK, tag, BLANK, str(row.head), name, BLANK, "|".join(misc)


CONLLU = Format("CoNLL-U rows", ".conllu", conllu)
