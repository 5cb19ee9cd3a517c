"""Round trips between formats: equal up to what the manual's page says is lost; hostile files in one sentence."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.common.errors import EngineError
from engine.export import FORMATS
from engine.export.conversion import TARGETS, Item, Options, read_items
from engine.export.format import safe_tree
from engine.export.rows import conllu_of_tree
from engine.model.model import Model
from engine.text.conllu import ConlluSentence, conllu_lines, read_conllu
from engine.trees.head_rules import load_head_rules
from engine.trees.nltk import nltk_source
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, bare_label, clean
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli

RULES = load_head_rules()

LABELS = ("S", "NP", "VP", "NP-SBJ", "NP-SBJ-1", "PP=2", "ADVP|PRT", "ADJP", "TOP", "QP")
TAGS = ("NN", "DT", "VBD", "IN", "CC", ",", ".", "''", "-LRB-", "POS", "PRP$")
WORDS = st.text(alphabet="ab/\\_-=|é\u00a0#.'\"*<>", min_size=1, max_size=4)
LEAVES = st.builds(lambda tag, word: Tree(tag, None, word), st.sampled_from(TAGS), WORDS)
TRACES = st.builds(lambda word: Tree("-NONE-", None, word), st.sampled_from(["*", "*T*-1", "0"]))
TREES = st.recursive(
    st.one_of(LEAVES, LEAVES, LEAVES, TRACES),
    lambda inner: st.builds(Tree, st.sampled_from(LABELS), st.lists(inner, min_size=1, max_size=4)),
    max_leaves=14,
).map(lambda tree: tree if tree.word is None else Tree("S", [tree]))


def converted(item: Item, target: str, options: Options) -> str:
    return TARGETS[target](item, options)


def again(kind: str, text: str) -> list[Item]:
    items = []
    for item in read_items(kind, iter(text.splitlines(keepends=True)), "test"):
        assert isinstance(item, Item), item
        items.append(item)
    return items


@given(tree=TREES, functions=st.booleans(), traces=st.booleans())
def test_trees_come_back_through_every_format(tree: Tree, functions: bool, traces: bool) -> None:
    options = Options(functions, traces, RULES)
    item = Item("here", tree)
    wanted = clean(tree, functions=functions, traces=traces)
    without = clean(tree)
    line = converted(item, "brackets", options)
    if wanted is None:
        assert line == "\n"
        return
    assert read_tree(line) == wanted
    assert read_tree(converted(item, "pretty", options)) == wanted
    assert ast.literal_eval(converted(item, "nltk", options).replace("Tree(", "(")) is not None
    [found] = again("json", converted(item, "json", options))
    assert found.tree == wanted
    [evalb] = again("trees", converted(item, "evalb", options))
    assert evalb.tree is not None and evalb.tree.label == "TOP"
    if not functions:
        assert clean(evalb.tree, traces=traces) == wanted
    conllu = converted(item, "conllu", options)
    if without is None:
        assert conllu == ""
        return
    [rows] = again("conllu", conllu)
    assert rows.rows is not None
    assert rows.rows.words == tuple(without.words()) and rows.rows.tags == tuple(without.tags())
    assert rows.tree == wanted
    assert converted(rows, "conllu", options) == conllu, "as it was read"
    assert engine.TaggedSentence.parse(converted(rows, "tagged", options)) == engine.TaggedSentence.from_tree(without)


@given(tree=TREES)
def test_what_is_left_behind_is_counted(tree: Tree) -> None:
    stripped, kept = Options(rules=RULES), Options(True, True, RULES)
    stripped.written(tree)
    kept.written(tree)
    assert not kept.lost.total()
    assert stripped.lost["traces"] == tree.tags().count("-NONE-")
    labels = [label for label, _, _ in tree.constituents()]
    assert stripped.lost["function_tags"] == sum(bare_label(label) != label for label in labels)


def test_function_tags_stay_on_request() -> None:
    tree = read_tree("( (S (NP-SBJ-1 (NNP Mary)) (VP (VBD left) (NP (NP (NN home)))) (. .)) )")
    kept = clean(tree, functions=True)
    assert str(kept) == "(S (NP-SBJ-1 (NNP Mary)) (VP (VBD left) (NP (NN home))) (. .))"
    assert str(clean(read_tree("(S (NP-SBJ (NP (NN a))) (VP (VBD b)))"), functions=True)) == (
        "(S (NP-SBJ (NP (NN a))) (VP (VBD b)))"
    ), "NP-SBJ over NP are two labels"


def test_the_heads_of_a_tree_are_those_of_its_parse(classroom: Model, classroom_treebank: Path) -> None:
    """What `convert` finds by the rules alone is what the parser's own export says of the same tree."""
    parser = engine.Parser.preset(classroom, 1)
    compared = 0
    for tree in list(read_treebank([classroom_treebank]))[:40]:
        cleaned = clean(tree)
        assert cleaned is not None
        parse = parser.parse(engine.TaggedSentence.from_tree(cleaned))
        [own] = list(read_conllu(conllu_lines(FORMATS["conllu"].write(parse))))
        [made] = list(read_conllu(conllu_lines(conllu_of_tree(parse.tree, classroom.lexicaliser.rules))))
        assert isinstance(own, ConlluSentence) and isinstance(made, ConlluSentence)
        assert not parse.fallback and own.rows == made.rows
        compared += 1
    assert compared == 40


class Node(list[Any]):
    """A tree such as NLTK's, which is a list with a label."""

    def __init__(self, label: str, children: list[Any]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        """The label."""
        return self._label


@given(tree=TREES)
def test_trees_of_nltk_come_back(tree: Tree) -> None:
    made = engine.to_nltk(tree, Node)
    assert isinstance(made, Node)
    assert engine.from_nltk(made) == tree
    assert nltk_source(tree).count("Tree(") == nltk_source(tree).count("])")


def test_pairs_of_word_and_tag_are_leaves() -> None:
    chunks = Node("S", [Node("NP", [("the", "DT"), ("dog", "NN")]), ("ran", "VBD")])
    assert str(engine.from_nltk(chunks)) == "(S (NP (DT the) (NN dog)) (VBD ran))"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Node("S", ["a", "b"]), "the leaf 'a' under 'S' has no tag"),
        (Node("S", []), "neither a word nor children"),
        (Node("S", [""]), "is empty"),
        (Node("S", [3]), "the leaf 3"),
        ("S", "is no tree of NLTK"),
    ],
)
def test_what_is_no_tree_of_nltk_is_told(made: Any, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        engine.from_nltk(made)


def test_a_tree_of_nltk_that_is_too_deep_is_told() -> None:
    deep = Node("NN", ["a"])
    for _ in range(2000):
        deep = Node("NP", [deep])
    with pytest.raises(EngineError, match="nested more than 300 deep"):
        engine.from_nltk(deep)


def test_files_are_converted_and_summed_up(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    output = tmp_path / "all.conllu"
    ran = cli("convert", classroom_treebank, classroom_treebank, "--to", "conllu", "-o", output, "--json")
    assert ran.status == 0
    told = json.loads(ran.out)
    assert told["sentences"] == 260 and told["skipped"] == 0 and set(told["lost"]) == {"function_tags", "traces"}
    back = cli("convert", output, "--to", "brackets")
    trees = [str(safe_tree(cleaned)) for tree in read_treebank([classroom_treebank]) if (cleaned := clean(tree))]
    assert back.status == 0 and back.lines == trees * 2


def test_json_of_the_parser_is_read(cli: Cli, classroom_model: Path) -> None:
    parsed = cli(
        "parse", "--model", classroom_model, "--preset", 1, "--format", "json", stdin="Mary/NNP left/VBD ./.\n"
    )
    ran = cli("convert", "-", "--to", "brackets", stdin=parsed.out)
    assert ran.out == "(S (NP (NNP Mary)) (VP (VBD left)) (. .))\n"


def test_trees_over_many_pieces_are_the_same(cli: Cli, tmp_path: Path) -> None:
    """A long file is read in pieces: none is lost, and an error has its line."""
    line = "(S (NP (NN " + "x" * 200 + ")) (VP\n  (VBD b)))\n"
    file = tmp_path / "long.ptb"
    file.write_text(line * 3000 + "(S (NN\n")
    ran = cli("convert", file, "--to", "tagged", "--skip-bad")
    assert ran.status == 1 and len(ran.lines) == 3000
    assert f"{file}, line 6001, column 1: the tree that opens here lacks 2 closing )" in ran.err


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        (b"(S (NN a)", (), "lacks 1 closing )"),
        (b"(S (NN \xff))", (), "line 1, column 8: the byte 0xFF is not UTF-8 text"),
        (b"1\tw\t_\t_\t_\t_\t7\t_\t_\t_\n", (), "line 1: HEAD is `7`"),
        (b"1\tw\t_\t_\t_\t_\t0\t_\t_\t_\n", (), "line 1: the sentence has no tree"),
        (b"{}\n", (), "line 1: the line is no JSON object with the key `tree`"),
        (b'{"tree": "(S"}\n', (), "the tree in it cannot be read"),
        (b"{" * 5000, (), "the line is no JSON"),
        (b"(S (NN a))", ("--from", "conllu"), "10 columns"),
        (b"(S (NN a))", ("--json",), "name it with --output FILE"),
        (b'{"tree": "(S (NN \\ud800))"}', ("--from", "json"), "half a character"),
        (b"(" * 400 + b"S", (), "nested more than 300 deep"),
    ],
)
def test_a_hostile_file_is_one_sentence(cli: Cli, content: bytes, arguments: tuple[str, ...], said: str) -> None:
    ran = cli("convert", "-", "--to", "brackets", *arguments, stdin=content)
    assert ran.status == 2 and said in ran.err and len(ran.err.splitlines()) == 1
