r"""CoNLL-U-style rows: ten columns separated by tabs, an empty line after each parse.

====== ==========================================================================================
column holds
====== ==========================================================================================
ID     number of the token, from 1
FORM   the word (see *escapes* below)
LEMMA  ``_``
UPOS   ``_``
XPOS   the part-of-speech tag
FEATS  ``_``
HEAD   number of the token that it modifies, 0 for a root; several roots where no tree spans the sentence
DEPREL the triple R as ``<NP,S,VP>``, ``<S>`` for a root, ``baseNP`` for a word that its baseNP absorbed, ``punct``
       (:mod:`engine.export.token_rows` says what these two are attached to)
DEPS   ``_``
MISC   ``BaseNP=B``, ``I`` or ``O``; ``Gap=`` one of S C E B N for the gap before a word (not the first);
       ``Form=`` where FORM could not hold the word as it is
====== ==========================================================================================

Comments before the rows: ``text`` (the words, separated by spaces), ``log_probability``, ``tree`` (one line of
brackets), ``rank`` if there are n-best parses, ``fallback = fragments`` if no tree spans the sentence,
``further_backoff`` if no tree was found without it.

Escapes: FORM and XPOS stand as they are, a backslash included.  A word that holds a control character or line break, or
is empty, cannot: there each such character becomes U+FFFD (an empty word ``_``), and ``Form=`` has the word itself,
written with ``\s`` space, ``\t`` tab, ``\n`` line feed, ``\r`` carriage return, ``\p`` vertical bar, ``\\`` backslash,
and ``\uXXXX`` for any other control character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.common.characters import is_control
from engine.export.bracket_export import safe_tree
from engine.export.export_format import Format, printable
from engine.export.token_rows import AnalysedTree, Row, rows_of
from engine.text.conllu_reading import BLANK
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree
from engine.trees.tree_normalisation import clean

if TYPE_CHECKING:
    from engine.chart.parse import Parse

_SHORT = {" ": "s", "\t": "t", "\n": "n", "\r": "r", "|": "p", "\\": "\\"}


def escape_misc(value: str) -> str:
    """A value of the MISC column."""
    return "".join(
        f"\\{_SHORT[character]}"
        if character in _SHORT
        else f"\\u{ord(character):04x}"
        if is_control(character)
        else character
        for character in value
    )


def conllu(parse: Parse) -> str:
    """The rows of each of the n best parses; nothing for an empty sentence, which the format does not know."""
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
    """The rows of a tree that nobody parsed, with the heads that a table of rules finds.

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
