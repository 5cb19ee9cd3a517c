"""Conversion of trees and sentences between formats, without a model: what is read, written and left behind.

Files are read and written as they come, a sentence at a time; of a file of trees about a quarter of a megabyte is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from engine.common.characters import is_text
from engine.common.errors import EngineError, RowError, TreeError
from engine.export.format import safe_tree
from engine.export.parse_json import json_line
from engine.export.rows import AnalysedTree, conllu_of_tree, rows_of
from engine.gate.checked_json import ValueProblem, load_json
from engine.gate.text_stream import line_problem
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.parseval import is_evalb_table
from engine.text.conllu import MOST_ROW_CHARACTERS, ConlluSentence, is_conllu, read_conllu
from engine.text.input import TextFile
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.nltk import nltk_source
from engine.trees.reading import read_tree
from engine.trees.tree import TRACE, Tree, bare_label, clean
from engine.trees.treebank import CHUNK_BYTES, chunks_of

TREES, CONLLU, JSON, EVALB_TABLE = "trees", "conllu", "json", "evalb-table"
SOURCES = (TREES, CONLLU, JSON, EVALB_TABLE)
"""What is read."""
NO_PARSE = "(())"
"""What stands for a tree that is not there in a file for evalb."""
_HEAD_LINES = 200


class Item(NamedTuple):
    """One sentence on its way from one format to another.

    Attributes
    ----------
    place
        Where it stands: file, and tree or line.
    tree
        Its tree as it was read, if it has one.
    rows
        Its rows, if it comes from CoNLL-U.
    """

    place: str
    tree: Tree | None
    rows: ConlluSentence | None = None


@dataclass(slots=True)
class Options:
    """How trees are written.

    Attributes
    ----------
    functions, traces
        Whether function tags and indices stay, and whether traces do.
    rules
        Which child is the head, for formats with heads.
    lost
        What was left behind so far, counted.
    """

    functions: bool = False
    traces: bool = False
    rules: HeadRules = field(default_factory=load_head_rules)
    lost: Counter[str] = field(default_factory=Counter)

    def written(self, tree: Tree, collapse: bool = True) -> Tree | None:
        """Return the tree as it is to be written, ``X -> X`` as one if it is to `collapse`;
        ``None`` if nothing is left.
        """
        stack = [tree]
        while stack:
            node = stack.pop()
            stack.extend(node.children)
            if node.word is None or node.label != TRACE:
                self.lost["function_tags"] += not self.functions and bare_label(node.label) != node.label
            else:
                self.lost["traces"] += not self.traces
        kept = clean(tree, collapse, self.functions, self.traces)
        return safe_tree(kept) if kept is not None else None


def source_kind(file: TextFile) -> tuple[str, Iterator[str]]:
    """Return what a file holds, by how it begins, and its lines from the beginning on."""
    lines = file.chunks(MOST_ROW_CHARACTERS + 2)
    head: list[str] = []
    for line in lines:
        head.append(line)
        if len(head) >= _HEAD_LINES or (line.strip() and not line.startswith("#") and len(head) > 1):
            break
    start = "".join(head)
    kind = TREES
    if is_conllu(start):
        kind = CONLLU
    elif is_evalb_table(start):
        kind = EVALB_TABLE
    elif start.lstrip().startswith("{"):
        kind = JSON
    return kind, chain(head, lines)


def read_items(kind: str, lines: Iterator[str], name: str) -> Iterator[Item | EngineError]:
    """Yield the sentences of a file of one kind, and in place of a broken one the error that says why."""
    if kind == CONLLU:
        for item in read_conllu(lines, name):
            yield item if isinstance(item, RowError) else Item(f"{name}, line {item.line}", item.tree, item)
    elif kind == JSON:
        yield from _json_items(lines, name)
    else:
        yield from _tree_items(lines, name)


def _tree_items(lines: Iterator[str], name: str) -> Iterator[Item | EngineError]:
    number = 0
    for chunk in chunks_of(_blocks(lines), name):
        for item in chunk.trees():
            number += 1
            yield item if isinstance(item, TreeError) else Item(f"{name}, tree {number}", item)


def _blocks(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines together, as the bytes that they were read from."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= CHUNK_BYTES:
            yield "".join(held).encode("utf-8", "surrogateescape")
            held, size = [], 0
    if held:
        yield "".join(held).encode("utf-8", "surrogateescape")


def _json_items(lines: Iterator[str], name: str) -> Iterator[Item | EngineError]:
    held: list[str] = []
    number = 1
    for line in lines:
        held.append(line)
        if not line.endswith("\n"):
            continue
        yield from _json_item("".join(held), name, number)
        held = []
        number += 1
    yield from _json_item("".join(held), name, number)


def _json_item(line: str, name: str, number: int) -> Iterator[Item | EngineError]:
    if not line.strip():
        return
    try:
        if problem := line_problem(line):
            raise RowError(problem, name, number)
        found = load_json(line).value
        tree = found.get("tree") if isinstance(found, dict) else None
        if not isinstance(tree, str):
            raise RowError("the line is no JSON object with the key `tree` and a tree in brackets", name, number)
        if not is_text(tree):
            raise RowError("the tree has an escape \\ud800 to \\udfff, which is half a character", name, number)
        yield Item(f"{name}, line {number}", read_tree(tree))
    except RowError as error:
        yield error
    except TreeError as error:
        yield RowError(f"the tree in it cannot be read: {error.problem}", name, number)
    except ValueProblem as error:
        yield RowError(f"the line is no JSON ({error})", name, number)


def _brackets(item: Item, options: Options) -> str:
    tree = options.written(_tree(item))
    return f"{tree.brackets()}\n" if tree is not None else "\n"


def _pretty(item: Item, options: Options) -> str:
    tree = options.written(_tree(item))
    return f"{tree.pretty()}\n\n" if tree is not None else "\n"


def _conllu(item: Item, options: Options) -> str:
    if item.rows is not None:
        return item.rows.written()
    tree = _tree(item)
    return conllu_of_tree(tree, options.rules, options.written(tree))


def _evalb(item: Item, options: Options) -> str:
    # evalb counts both brackets of X -> X.
    return evalb_line(options.written(_tree(item), collapse=False)) + "\n"


def evalb_line(tree: Tree | None) -> str:
    """Return a tree as evalb reads it: on one line, under ``TOP``; ``(())`` where there is none."""
    if tree is None:
        return NO_PARSE
    safe = safe_tree(tree)
    return (safe if safe.label == "TOP" else Tree("TOP", [safe])).brackets()


def _nltk(item: Item, options: Options) -> str:
    tree = options.written(_tree(item))
    return f"{nltk_source(tree)}\n" if tree is not None else "None\n"


def _tagged(item: Item, options: Options) -> str:
    if item.rows is not None:
        return item.rows.notation() + "\n"
    tree = options.written(_tree(item))
    return (str(TaggedSentence.from_tree(tree)) if tree is not None else "") + "\n"


def _json(item: Item, options: Options) -> str:
    described: dict[str, Any] = {"place": item.place}
    if item.tree is not None:
        written = options.written(item.tree)
        cleaned = clean(item.tree)
        rows = rows_of(AnalysedTree.of(cleaned, options.rules)) if cleaned is not None else []
        described |= {
            "tree": written.brackets() if written is not None else None,
            "words": [row.word for row in rows],
            "tags": [row.tag for row in rows],
            "heads": [row.head for row in rows],
            "relations": [row.relation_name for row in rows],
        }
    elif item.rows is not None:
        relations = [row.deprel for row in item.rows.word_rows]
        described |= {
            "text": item.rows.text,
            "tree": None,
            "words": item.rows.words,
            "tags": item.rows.tags,
            "heads": item.rows.heads,
            "relations": relations,
        }
    return json_line(described)


def _tree(item: Item) -> Tree:
    if item.tree is None:
        raise EngineError(f"{item.place}: the sentence has no tree; `parse-engine parse --input conllu` makes one")
    return item.tree


Write = Callable[[Item, Options], str]
TARGETS: dict[str, Write] = {
    "brackets": _brackets,
    "pretty": _pretty,
    "conllu": _conllu,
    "evalb": _evalb,
    "json": _json,
    "nltk": _nltk,
    "tagged": _tagged,
}
"""What is written, by the name that the terminal knows it by."""
