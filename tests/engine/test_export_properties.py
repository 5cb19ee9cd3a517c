"""Whatever the words and the shape of the tree: what is written can be read again, and says the same."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.common.characters import is_control
from engine.common.markup import escape_latex
from engine.export import FORMATS
from engine.export.format import safe_tree
from engine.export.latex import CELL_AMPERSAND
from engine.export.rows import BASENP_INTERNAL, PUNCTUATION, escape_misc, rows_of
from engine.model.model import Model
from engine.trees.reading import read_tree
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from tests.engine.export_readers import (
    parse_of,
    read_conllu,
    read_dot_labels,
    read_forest,
    read_latex,
    trees,
    unescape_misc,
    words,
)

# The model is only carried along: no example changes it.


@given(text=st.text(), ampersand=st.sampled_from(["\\&", CELL_AMPERSAND]))
def test_latex_shows_the_text_that_was_escaped(text: str, ampersand: str) -> None:
    assert read_latex(escape_latex(text, ampersand)) == text


@given(text=st.one_of(words, st.text()))
def test_values_of_the_last_column_come_back(text: str) -> None:
    escaped = escape_misc(text)
    assert unescape_misc(escaped) == text
    assert not any(character in escaped for character in "\t\n\r| ")


@given(tree=trees, fragments=st.booleans())
def test_brackets_are_read_again(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    line = FORMATS["ptb"].write(parse)
    assert line.count("\n") == 1 and line.count("(") == line.count(")")
    again = read_tree(line)
    assert again == safe_tree(parse.tree)
    assert len(again.leaves()) == len(parse.sentence)
    assert read_tree(FORMATS["ptb-pretty"].write(parse)) == again


@given(tree=trees, fragments=st.booleans())
def test_rows_give_the_heads_back(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    [(comments, rows)] = read_conllu(FORMATS["conllu"].write(parse))
    assert ("fallback" in comments) == parse.fallback
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    given_words = [unescape_misc(row.misc["Form"]) if "Form" in row.misc else row.form for row in rows]
    assert given_words == list(parse.sentence.words)
    assert [row.tag for row in rows] == list(parse.sentence.tags)
    positions = parse.sentence.positions
    for modifier, head in parse.heads().items():
        assert rows[positions[modifier]].head == (positions[head] + 1 if head >= 0 else 0)
    assert "".join(rows[position].misc.get("Gap", "") for position in positions) == parse.gap_tags
    for arrow, position in zip(parse.dependencies, parse.reduced, strict=True):
        assert rows[positions[position]].relation == str(arrow.relation)
    for base in parse.basenps:
        span = range(positions[base.start], positions[base.end - 1] + 1)
        assert [rows[token].misc["BaseNP"] for token in span] == ["B", *"I" * (len(span) - 1)]
    assert sum(row.misc["BaseNP"] == "B" for row in rows) == len(parse.basenps)


@given(tree=trees, fragments=st.booleans())
def test_every_token_hangs_under_a_root_and_no_arrow_crosses_another(
    classroom: Model, tree: Tree, fragments: bool
) -> None:
    parse = parse_of(classroom, tree, fragments)
    rows = rows_of(parse)
    assert sum(row.head == 0 for row in rows) == max(len(parse.roots), 1)
    for row in rows:
        seen, at = set(), row
        while at.head:
            assert at.number not in seen
            seen.add(at.number)
            at = rows[at.head - 1]
        assert (row.kind == PUNCTUATION) == (row.tag in PUNCTUATION_TAGS)
        assert (row.kind == BASENP_INTERNAL) == (row.relation is None and row.kind != PUNCTUATION)
    arrows = [sorted((row.number, row.head)) for row in rows if row.head]
    for first, last in arrows:
        assert not any(first < start < last < end for start, end in arrows)
        assert all(root.head or not first < root.number < last for root in rows)


@given(tree=trees, fragments=st.booleans())
def test_a_forest_is_the_tree(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    assert read_forest(FORMATS["forest"].write(parse)) == parse.tree


@given(tree=trees, fragments=st.booleans())
def test_arrows_of_tikz_are_the_dependencies(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    lines = FORMATS["tikz-dependency"].write(parse).split("\n")
    arrows = [line.split("{") for line in lines if line.startswith(("  \\depedge", "  \\deproot"))]
    positions, reduced = parse.sentence.positions, parse.reduced
    assert len(arrows) == len(reduced)
    for arrow, pieces in zip(parse.dependencies, arrows, strict=True):
        assert pieces[1] == f"{positions[reduced[arrow.modifier - 1]] + 1}}}"
        if arrow.head:
            assert pieces[2] == f"{positions[reduced[arrow.head - 1]] + 1}}}"
    # One cell for every token; none of the words can open another.
    cells = next(line for line in lines if line.endswith(" \\\\")).count("\\&")
    assert cells == len(parse.sentence) - 1
    assert sum("\\wordgroup" in line for line in lines) == len(parse.basenps)


@given(tree=trees, fragments=st.booleans())
def test_graphs_show_the_words(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    labels = read_dot_labels(FORMATS["dot-tree"].write(parse))
    shown = [labels[f"w{number}"] for number in range(len(parse.sentence))]
    for label, word in zip(shown, parse.sentence.words, strict=True):
        assert len(label) == len(word)
        assert all(is_control(sign) or sign == mark for mark, sign in zip(label, word, strict=True))
        assert not any(is_control(mark) for mark in label)
    arrows = FORMATS["dot-dependencies"].write(parse)
    assert arrows.count(" -> ") >= len(parse.dependencies)
    assert len(read_dot_labels(arrows)) == len(parse.dependencies) + len(parse.roots)


@given(tree=trees, fragments=st.booleans())
def test_json_is_read_again(classroom: Model, tree: Tree, fragments: bool) -> None:
    parse = parse_of(classroom, tree, fragments)
    line = FORMATS["json"].write(parse)
    assert line.count("\n") == 1
    found = json.loads(line)
    assert [token["word"] for token in found["tokens"]] == list(parse.sentence.words)
    assert found["words"] == parse.sentence.proper_words and found["gaps"] == parse.gap_tags
    heads = {arrow["modifier"]: arrow["head"] for arrow in found["dependencies"]}
    assert heads == {arrow.modifier: arrow.head for arrow in parse.dependencies}
    assert _brackets(found["structure"]) == parse.tree.brackets()
    assert read_tree(found["tree"]) == safe_tree(parse.tree)


def _brackets(node: dict[str, Any]) -> str:
    if "word" in node:
        return f"({node['label']} {node['word']})"
    return f"({' '.join([node['label'], *map(_brackets, node['children'])])})"
