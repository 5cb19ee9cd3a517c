"""Readers of files in the engine: treebanks, files of sentences, conversion, other parsers' trees, journals."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

from engine.common.errors import EngineError
from engine.export.conversion import SOURCES, TARGETS, Options, read_items, source_kind
from engine.patterns.forest import read_forest
from engine.study.foreign_trees import read_foreign_trees
from engine.study.journal import Journal, canonical
from engine.study.parseval import read_parameters
from engine.text.input import Item, TextFile, conllu_items, line_items, text_items, tree_items
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import Tree
from engine.trees.treebank import BadTrees, chunk_bundles, read_treebank
from tests.fuzz import grammar, workspace
from tests.fuzz.grammar import changed_json, json_bytes, json_lines
from tests.fuzz.materials import CONLLU, PROSE, TAGGED, TREES
from tests.fuzz.mutation import either, encoded, mutation
from tests.fuzz.target import Broken, Make, Target, all_of, check_refusal
from tests.fuzz.text_targets import read_trees

_TREE_FILES = encoded(either(grammar.brackets, mutation(TREES, "(NN a)", "(", ")", "\n(")))
_TEXT_FILES = encoded(
    either(mutation((*PROSE, *TAGGED), "\n", "/NN", ". "), grammar.conllu, grammar.tagged, grammar.brackets)
)
_JSON = ({"tree": TREES[0], "words": ["a"]}, {"tree": TREES[2]}, {"tree": "(NN a)", "place": "x"})
_RECORDS: tuple[dict[str, Any], ...] = (
    {"configuration": {"settings": {"beam": 1000}, "program": "0.1"}, "result": {"recall": 80.5, "sentences": 3}},
    {"configuration": {"note": "request", "of": "0" * 32}, "result": {"experiment": "grid", "test": ["a"]}},
)


def _treebank(data: bytes) -> None:
    path = workspace.input_file(data, "input.ptb")
    bad = BadTrees()
    trees = list(read_treebank([path], bad))
    broken = BadTrees()
    chunks = [chunk for bundle in chunk_bundles([path], 64) for chunk in bundle.chunks]
    forests = [read_forest(chunk, broken) for chunk in chunks]
    if sum(one.forest.size for one in forests) != len(trees):
        raise Broken(f"{len(trees)} trees are {sum(one.forest.size for one in forests)} in chunks")
    if bad.as_dict() != broken.as_dict():
        raise Broken(f"in chunks {len(broken)} trees are broken, and {len(bad)} in one: {bad.first}, {broken.first}")
    if bad.first is not None:
        raise bad.first


_ITEMS: tuple[Callable[[str], list[Item]], ...] = (
    lambda path: list(line_items(TextFile(path))),
    lambda path: list(line_items(TextFile(path), settled=True)),
    lambda path: list(text_items(TextFile(path, keep_line_ends=True), True)),
    lambda path: list(conllu_items(TextFile(path))),
    lambda path: list(tree_items(path)),
)


def _sentences(data: bytes) -> None:
    path = str(workspace.input_file(data, "input.txt"))

    def check(read: Callable[[str], list[Item]]) -> None:
        for item in read(path):
            if item.content is None:
                check_refusal(item.problem)

    all_of(*(partial(check, read) for read in _ITEMS))


def _convert(data: bytes) -> None:
    path = str(workspace.input_file(data, "input"))
    refused: EngineError | None = None
    kind, lines = source_kind(TextFile(path))
    options = Options(rules=_rules())
    for item in read_items(kind, lines, path):
        for write in TARGETS.values():
            try:
                if isinstance(item, EngineError):
                    raise item
                write(item, options).encode()
            except EngineError as error:
                refused = error
    for other in SOURCES:
        list(read_items(other, iter(data.decode("utf-8", "replace").splitlines(keepends=True)), "input"))
    if refused is not None:
        raise refused


@cache
def _rules() -> Any:
    return load_head_rules()


@cache
def _golds() -> list[Tree]:
    return [tree for text in TREES for tree in read_trees(text)]


def _foreign_trees(data: bytes) -> None:
    path = workspace.input_file(data, "system.ptb")
    golds = _golds()
    found = read_foreign_trees(path, golds, range(1, len(golds) + 1), "system")
    for problem in found.problems.values():
        str(problem)


def _rules_file(data: bytes) -> None:
    load_head_rules(workspace.input_file(data, "rules.txt"))


def _parameters_file(data: bytes) -> None:
    read_parameters(workspace.input_file(data, "input.prm"))


def _journal(data: bytes) -> None:
    path = workspace.input_file(data, "results.jsonl")
    Journal(path, optional=True)
    journal = Journal(path)
    len(journal)
    journal.keep({"settings": {}}, {"recall": 1.0})
    if Journal(path).find({"settings": {}}) != {"recall": 1.0}:
        raise Broken("a result that was kept is not found again")


def _journal_lines(random: Random) -> bytes:
    """A journal whose checksums are right and whose contents are not."""
    header: Any = {"format": "parse-engine experiment results", "version": 1}
    lines = [json_bytes(header if random.random() < 0.9 else changed_json(random, header)).decode()]
    for _ in range(random.randint(0, 3)):
        record = changed_json(random, random.choice(_RECORDS))
        try:
            text = canonical(record)
            whole = {"checksum": zlib.crc32(text.encode()), "record": record}
            lines.append(canonical(whole if random.random() < 0.8 else changed_json(random, whole)))
        except (ValueError, RecursionError):
            lines.append("NaN")
    return ("\n".join(lines) + "\n" * (random.random() < 0.95)).encode()


def _file(name: str, make: Make, run: Callable[[bytes], None], weight: float = 1.0) -> Target:
    return Target(name, make, run, weight=weight)


FILE_TARGETS: tuple[Target, ...] = (
    _file("treebank", _TREE_FILES, _treebank, 2),
    _file("sentence-file", _TEXT_FILES, _sentences, 2),
    _file(
        "convert",
        encoded(either(_TREE_FILES, grammar.conllu, mutation(CONLLU, "\t", "_"), json_lines(_JSON))),
        _convert,
        2,
    ),
    _file(
        "json", either(json_lines(_JSON), mutation([b'{"tree": "(NN a)"}\n'], '"', "{", "\\ud800", "tree")), _convert
    ),
    _file("foreign-trees", encoded(either(grammar.brackets, mutation(TREES, "()", "(())", "\n", " "))), _foreign_trees),
    _file(
        "head-rules-file",
        encoded(mutation(("NP left NN NNS\n* right\n",), "left", "right", "*", "#")),
        _rules_file,
        0.5,
    ),
    _file(
        "evalb-parameters-file",
        encoded(mutation(("CUTOFF_LEN 40\nEQ_LABEL A B\n",), "LABELED", "#")),
        _parameters_file,
        0.5,
    ),
    _file("journal", either(_journal_lines, mutation([canonical(_RECORDS[0])], "{", '"')), _journal),
)
