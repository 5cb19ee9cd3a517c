"""Export formats on parses of the classroom model: what a person would look for in the file."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.characters import escape_latex, is_control, made_text
from engine.common.tables import (
    CSV_DELIMITER,
    TSV_DELIMITER,
    Block,
    Column,
    Table,
    cell_text,
    clipboard_line,
    csv_text,
    safe_cell,
)
from engine.export import FORMATS
from engine.export.format import safe_tree
from engine.export.latex import CELL_AMPERSAND, needs_unicode_engine
from engine.export.parse_json import SCHEMA_FILE
from engine.export.rows import BASENP_INTERNAL, PUNCTUATION, escape_misc, rows_of
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from tests.engine.export_readers import (
    NASTY,
    parse_of,
    read_conllu,
    read_dot_labels,
    read_forest,
    read_latex,
    trees,
    unescape_misc,
    words,
)

TELESCOPES = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN with/IN the/DT telescope/NN ./."


@pytest.fixture(scope="module")
def parses(classroom: Model) -> dict[str, Parse]:
    """Parses of every shape, by what is special about them."""
    parser = Parser.preset(classroom, 3)
    found = {
        "plain": parser.parse("Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."),
        "n-best": parser.parse(TELESCOPES, n_best=3),
        "fragments": parser.parse("of/IN ,/, of/IN of/IN ./."),
        "one word": parser.parse("Mary/NNP"),
        "one unknown tag": parser.parse(TaggedSentence(["foo"], ["B$_%"])),
        "punctuation": parser.parse("./. ''/'' :/:"),
        "empty": parser.parse(""),
        "nasty": parser.parse(TaggedSentence(NASTY, ["NN"] * len(NASTY))),
    }
    assert found["fragments"].fallback and len(found["n-best"].alternatives) == 3
    return found


def test_every_format_writes_every_parse(parses: dict[str, Parse]) -> None:
    for name, form in FORMATS.items():
        assert form.title and form.suffix.startswith(".") and name == name.lower()
        for parse in parses.values():
            text = form.write(parse)
            assert text.endswith("\n") == (text != "") and text == form.frame([form.piece(parse)])
            assert text or not parse.sentence.words
            # It can be written to a file.
            text.encode()


def test_a_file_of_several_parses(parses: dict[str, Parse]) -> None:
    several = [parses["plain"], parses["fragments"], parses["one word"]]
    for name, form in FORMATS.items():
        whole = form.frame([form.piece(parse) for parse in several])
        if form.streams:
            assert whole == "".join(form.write(parse) for parse in several)
        else:
            assert all(form.piece(parse) in whole for parse in several), name
        if "document" in name:
            assert whole.count("\\begin{document}") == 1 and whole.count("log P") == 3


def test_n_best_parses_are_all_written(parses: dict[str, Parse]) -> None:
    best = parses["n-best"]
    lines = FORMATS["ptb"].write(best).split("\n")[:-1]
    assert [read_tree(line) for line in lines] == [one.tree for one in best.alternatives]
    blocks = read_conllu(FORMATS["conllu"].write(best))
    assert [comments["rank"] for comments, _ in blocks] == ["1 of 3", "2 of 3", "3 of 3"]
    assert [float(comments["log_probability"]) for comments, _ in blocks] == [
        one.log_probability for one in best.alternatives
    ]
    assert FORMATS["forest-document"].write(best).count("\\begin{forest}") == 3
    assert FORMATS["dot-tree"].write(best).count("digraph") == 3
    described = json.loads(FORMATS["json"].write(best))
    assert [one["tree"] for one in described["alternatives"]] == lines
    assert "alternatives" not in json.loads(FORMATS["json"].write(parses["plain"]))
    # Of one parse out of the list only that one is written.
    assert FORMATS["ptb"].write(best.alternatives[1]) == lines[1] + "\n"


def test_rows_of_a_sentence_worked_out_by_hand(classroom: Model) -> None:
    tree = read_tree(
        "(S (NP (NP (NNP Mary)) (, ,) (NP (DT the) (JJ old) (, ,) (JJ wise) (NN head)) (, ,))"
        " (VP (VBD left) (NP (PRP$ her) (NN room))) (. .))"
    )
    [(comments, rows)] = read_conllu(FORMATS["conllu"].write(parse_of(classroom, tree)))
    assert comments["text"] == "Mary , the old , wise head , left her room ."
    assert read_tree(comments["tree"]) == tree
    assert [(row.form, row.head, row.relation, row.misc["BaseNP"], row.misc.get("Gap")) for row in rows] == [
        ("Mary", 9, "<NP,S,VP>", "B", None),
        (",", 1, "punct", "O", None),
        ("the", 7, "baseNP", "B", "B"),
        ("old", 7, "baseNP", "I", "C"),
        # The innermost arrow over this comma is that of `old`, over the next that of `Mary`.
        (",", 7, "punct", "I", None),
        ("wise", 7, "baseNP", "I", "C"),
        ("head", 1, "<NP,NP,NP>", "I", "C"),
        (",", 9, "punct", "O", None),
        ("left", 0, "<S>", "O", "E"),
        ("her", 11, "baseNP", "B", "S"),
        ("room", 9, "<NP,VP,VBD>", "I", "C"),
        (".", 9, "punct", "O", None),
    ]


def test_fragments_and_punctuation_have_heads_too(parses: dict[str, Parse]) -> None:
    [(comments, rows)] = read_conllu(FORMATS["conllu"].write(parses["fragments"]))
    assert comments["fallback"] == "fragments"
    roots = [row.number for row in rows if row.head == 0]
    assert len(roots) == len(parses["fragments"].roots) > 1
    assert rows[-1].head == roots[-1]
    [(comments, rows)] = read_conllu(FORMATS["conllu"].write(parses["punctuation"]))
    assert [(row.head, row.relation) for row in rows] == [(0, "punct"), (1, "punct"), (1, "punct")]
    [(_, rows)] = read_conllu(FORMATS["conllu"].write(parses["one unknown tag"]))
    assert [(row.tag, row.head, row.relation) for row in rows] == [("B$_%", 0, "<B$_%>")]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("PRP$", r"PRP\$"),
        ("100%", r"100\%"),
        ("AT&T", r"AT\&T"),
        ("x_1", r"x\_1"),
        ("C#", r"C\#"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("\\/", r"\textbackslash{}/"),
        ("{a}", r"\{a\}"),
        ("[a]", "{[}a{]}"),
        ("-LRB-", "-LRB-"),
        ("--", "-{}-"),
        ("``", "``"),
        ("''", "''"),
        ('"', r"\textquotedbl{}"),
        ("naïve", "naïve"),
        ("a\u00a0b", "a~b"),
        ("\x07", r"\texttt{U+0007}"),
    ],
)
def test_latex_escapes(text: str, source: str) -> None:
    assert escape_latex(text) == source


def test_arrows_and_boxes_as_in_figure_1(classroom: Model) -> None:
    parse = parse_of(classroom, read_tree("(S (NP (DT The) (NN AT&T)) (VP (VBD [left])) (. .))"))
    lines = [line.strip() for line in FORMATS["tikz-dependency"].write(parse).split("\n")]
    cells = next(line for line in lines if line.startswith("The"))
    # `\&` separates cells here, so an ampersand needs another name; the head of the baseNP is bold.
    assert cells.replace(" ", "").startswith("The\\&\\textbf{AT\\symbol{38}T}\\&")
    assert "\\wordgroup{1}{1}{2}{np1}" in lines
    assert any(line.startswith("\\depedge") and line.endswith("{2}{3}{NP,S,VP}") for line in lines)
    assert any(line.startswith("\\deproot") and line.endswith("{3}{S}") for line in lines)


@pytest.mark.parametrize(
    ("word", "program", "font"),
    [("naïve", "pdflatex", None), ("Ελλάδα", "xelatex", "DejaVu Serif"), ("東京", "xelatex", "Noto Serif CJK SC")],
)
def test_a_document_names_the_program_that_its_characters_need(
    classroom: Model, word: str, program: str, font: str | None
) -> None:
    parse = parse_of(classroom, Tree("NP", [Tree("NN", None, word)]))
    for name in ("forest-document", "tikz-dependency-document"):
        text = FORMATS[name].write(parse)
        assert text.startswith(f"% !TeX program = {program}\n")
        assert ("\\usepackage[utf8]{inputenc}" in text) == (program == "pdflatex")
        assert font is None or f"\\setmainfont{{{font}}}" in text
    assert needs_unicode_engine(word) == (program == "xelatex")


def test_json_follows_its_schema(parses: dict[str, Parse]) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed: pip install -e '.[test]'")
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for parse in parses.values():
        described = json.loads(FORMATS["json"].write(parse))
        validator.validate(described)
        for key in ("words", "tree", "tokens", "version"):
            assert not validator.is_valid({other: value for other, value in described.items() if other != key})
    described["tokens"] = [{"word": "x"}]
    assert not validator.is_valid(described)


def _compiles(program: str, folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
        cwd=folder,
        capture_output=True,
        timeout=300,
        check=False,
    )
    log = (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
    problems = [line for line in log.split("\n") if line.startswith("!")]
    assert ran.returncode == 0, problems
    assert (folder / f"{name}.pdf").stat().st_size > 1000


def _has_latex(program: str, package: str) -> bool:
    if shutil.which(program) is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", package], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.parametrize("name", ["forest", "tikz-dependency"])
@pytest.mark.parametrize("program", ["pdflatex", "xelatex"])
def test_documents_compile(parses: dict[str, Parse], tmp_path: Path, name: str, program: str) -> None:
    if not _has_latex(program, f"{name}.sty"):
        pytest.skip(f"{program} or its package {name} is not installed")
    form = FORMATS[f"{name}-document"]
    several = [parses[key] for key in ("plain", "n-best", "fragments", "one word", "one unknown tag", "punctuation")]
    several.append(parses["nasty"])
    pieces = [form.piece(parse) for parse in several]
    if program == "pdflatex":
        pieces = [piece for piece in pieces if not needs_unicode_engine(piece)]
        latin = [word for word in NASTY if not needs_unicode_engine(escape_latex(word))]
        sentence = TaggedSentence(latin, ["NN"] * len(latin))
        pieces.append(form.piece(Parser.preset(parses["plain"].model).parse(sentence)))
    _compiles(program, tmp_path, "sample", form.frame(pieces))


@pytest.mark.skipif(shutil.which("dot") is None, reason="GraphViz is not installed")
@pytest.mark.parametrize("name", ["dot-tree", "dot-dependencies"])
def test_graphviz_draws_every_graph(parses: dict[str, Parse], name: str) -> None:
    text = FORMATS[name].frame([FORMATS[name].piece(parse) for parse in parses.values()])
    ran = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, timeout=120, check=False)
    assert ran.returncode == 0 and ran.stderr == b""
    assert ran.stdout.count(b"<svg") == text.count("digraph ")


# Tables for spreadsheets: no cell is a formula, every cell can be read again, numbers stay numbers.


FORMULAS = (
    "=cmd()",
    "+1+1",
    "-LRB-",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "－1+1",
    "＝1",
    "-2+3+cmd|' /C calc'!A0",
)
STARTS = tuple("=+-@\t\r\n＝＋－＠")
texts = st.one_of(
    st.sampled_from(FORMULAS),
    st.text(),
    st.builds(str.__add__, st.sampled_from(["'", "''", "=", "-", "'="]), st.text()),
)


@given(rows=st.lists(st.lists(texts, min_size=2, max_size=3), min_size=1, max_size=4), tabs=st.booleans())
def test_cells_come_back_and_none_is_a_formula(rows: list[list[str]], tabs: bool) -> None:
    delimiter = TSV_DELIMITER if tabs else CSV_DELIMITER
    written = list(csv.reader(io.StringIO(csv_text(["a"], rows, delimiter), newline=""), delimiter=delimiter))[1:]
    assert [[cell_text(cell) for cell in row] for row in written] == [[made_text(cell) for cell in row] for row in rows]
    for cell in (cell for row in written for cell in row):
        assert not cell.startswith(STARTS) or (cell[1:2].isdecimal() and "(" not in cell), cell


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_compute_has_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}" and cell_text(f"'{text}") == text
    assert safe_cell(f"'{text}") == f"''{text}" and cell_text(f"''{text}") == f"'{text}"


@pytest.mark.parametrize("text", ["-3.2", "−3.2", "+5", "-1e-05", "-12.5%", "1,466", "'s", "''", "", "a=b", "x-y"])
def test_numbers_and_other_words_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text == cell_text(text)


def test_the_tables_of_the_terminal_and_rows_for_the_clipboard_are_safe() -> None:
    table = Table("T", (Column("name", "name"), Column("n", "n")), (Block("=b", (("=cmd()", -3.2),)),))
    assert table.csv().split("\n")[1] == "'=b,'=cmd(),-3.2"
    assert clipboard_line(["=1", "a\tb\nc", -3, None]) == "'=1\ta b c\t-3\t"


# Whatever the words and the shape of the tree: what is written can be read again, and says the same.


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
