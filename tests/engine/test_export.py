"""Export formats on parses of the classroom model: what a person would look for in the file."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.markup import escape_latex
from engine.export import FORMATS
from engine.export.latex import needs_unicode_engine
from engine.export.parse_json import SCHEMA_FILE
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from tests.engine.export_readers import NASTY, parse_of, read_conllu

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
