"""Words that mean something to a page, a picture or LaTeX: what is written holds them as words, and does nothing."""

from __future__ import annotations

import csv
import io
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import pytest

from engine.common.characters import SECURITY_POLICY, TURNING, escape_latex, markup
from engine.common.tables import csv_text
from engine.export import FORMATS
from engine.model.model import Model
from engine.trees.tree import Tree
from tests.engine.export_readers import parse_of

HOSTILE = (
    *(
        "<script>alert(1)</script>",
        "</title><img src=x onerror=alert(1)>",
        "\"'><b>",
        "&lt;",
        "&#60;",
        "]]>",
        "<!--",
        "-->",
    ),
    *(
        "\\input{/etc/passwd}",
        "\\write18{touch pwned}",
        "\\immediate\\write18{x}",
        "^^5cinput{x}",
        "%",
        "\\end{document}",
    ),
    *(
        "=cmd()",
        "+1",
        "-LRB-",
        "@x",
        "--",
        "a\tb",
        "a\nb",
        "\0",
        "\x07",
        "\x1b[31m",
        "\x7f",
        "\u202eevil",
        "\u2066x\u2069",
    ),
    *("\u200f", "\ud800", "\uffff", "\u2028", '"]; x [label="', "\\N", "\\G", '\\"'),
)


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(word: str) -> str:
    """What a page shows of a word: a box for what it cannot hold."""
    return "".join(
        letter if letter in "\n\t" or (letter.isprintable() and letter not in TURNING) else "□" for letter in word
    )


@pytest.mark.parametrize("word", HOSTILE)
def test_a_page_holds_the_word_and_no_element_of_it(word: str) -> None:
    page = Page(f'<p title="{markup(word)}">{markup(word)}</p>')
    assert page.tags == ["p"] and page.attributes == [("title", shown(word))] and page.text == shown(word)
    element = ElementTree.fromstring(f'<t a="{markup(word)}">{markup(word, quote=False)}</t>'.encode())
    assert element.text == shown(word) and len(element) == 0


def test_the_policy_of_a_page_allows_no_script_and_no_address() -> None:
    page = Page(SECURITY_POLICY)
    policy = dict(page.attributes)["content"] or ""
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'" and "script-src" not in rules
    assert rules == {
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def hostile_tree() -> Tree:
    return Tree("S", [Tree("NP", [Tree("NN", None, word)]) for word in HOSTILE])


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_text_that_utf_8_can_hold(classroom: Model, name: str) -> None:
    written = FORMATS[name].write(parse_of(classroom, hostile_tree()))
    assert "\0" not in written.encode().decode()
    if name.startswith(("dot", "forest", "tikz")):
        assert not any(mark in written for mark in TURNING)


def test_latex_runs_nothing_and_reads_nothing(tmp_path: Path) -> None:
    if which("pdflatex") is None:
        pytest.skip("needs LaTeX")
    words = [word for word in HOSTILE if word != "\uffff"]
    body = "\n\n".join(escape_latex(word) for word in words)
    begin = "\\documentclass{article}\\usepackage[T1]{fontenc}\\begin{document}\n"
    (tmp_path / "t.tex").write_text(f"{begin}{body}\n\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert "passwd" not in ran.stdout and not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("name", [name for name in FORMATS if name.startswith("dot")])
def test_graphviz_draws_the_words_as_labels(classroom: Model, name: str) -> None:
    if which("dot") is None:
        pytest.skip("needs GraphViz")
    written = FORMATS[name].write(parse_of(classroom, hostile_tree()))
    ran = subprocess.run(["dot", "-Tsvg"], input=written.encode(), capture_output=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    root = ElementTree.fromstring(ran.stdout)
    assert not [one for one in root.iter() if one.tag.endswith(("script", "}a", "image"))]
    texts = "".join(one.text or "" for one in root.iter() if one.tag.endswith("text"))
    assert "<script>alert(1)</script>" in texts.replace("\u00a0", " ")


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_a_table_of_hostile_words_has_the_rows_and_columns_that_it_should(delimiter: str) -> None:
    written = csv_text(["a", "b"], [[word, word] for word in HOSTILE], delimiter)
    rows = list(csv.reader(io.StringIO(written, newline=""), delimiter=delimiter))
    assert [len(row) for row in rows] == [2] * (len(HOSTILE) + 1)
