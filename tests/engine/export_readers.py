"""What the tests of the export formats share: parses of any shape, and readers written for the tests alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypothesis import strategies as st

import engine
from engine.chart.parse import Parse
from engine.settings import Settings
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, Tree

NASTY = (
    *("$", "%", "&", "#", "_", "~", "^", "\\", "{", "}", "[", "]", "|", "<", ">", '"', "``", "''", "--", ",,", "?`"),
    *("a,b=c", "\\/", "\\textbf{x}", "AT&T", "&amp;", "-LRB-", "(", ")", "1/2", "U+0007", "\\texttt{U+0007}", "\\s"),
    *(
        "naïve",
        "Łódź",
        "€",
        "x\u00a0y",
        "Ελλάδα",
        "≤",
        "東京",
        "\x07",
        "\u2028",
        "tab\there",
        "line\nbreak",
        "_",
        "{[}",
    ),
)

words = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=6))
proper_tags = st.sampled_from(["NN", "NNP", "DT", "PRP$", "VBD", "IN", "CC", "RB", "POS", "-LRB-", "X_%"])
punctuation_tags = st.sampled_from(sorted(PUNCTUATION_TAGS))
labels = st.sampled_from(["S", "NP", "VP", "PP", "ADJP", "QP", "SBAR", "FRAG"])

leaves = st.one_of(
    st.builds(lambda tag, word: Tree(tag, None, word), proper_tags, words),
    st.builds(lambda tag, word: Tree(tag, None, word), punctuation_tags, words),
)
trees = st.recursive(
    leaves,
    lambda below: st.builds(lambda label, kids: Tree(label, kids), labels, st.lists(below, min_size=1, max_size=4)),
    max_leaves=14,
).map(lambda tree: Tree("S", [tree]) if tree.is_word else tree)


def parse_of(model: engine.Model, tree: Tree, fragments: bool = False) -> Parse:
    """A parse with the constituents of any tree; of its parts alone, to stand side by side, if `fragments`."""
    root = Lexicaliser(load_head_rules()).constituent(tree)
    roots: tuple[Constituent, ...] = (root,) if root is not None else ()
    if root is not None and fragments and root.children:
        roots = tuple(root.children)
    parse = Parse(model, Settings(), TaggedSentence.from_tree(tree), roots, -12.5, passes=1, beam=1000.0)
    parse.fallback = len(roots) > 1
    return parse


@dataclass(frozen=True)
class ReadRow:
    """A row of a CoNLL-U file as another program would read it."""

    number: int
    form: str
    tag: str
    head: int
    relation: str
    misc: dict[str, str]


def read_conllu(text: str) -> list[tuple[dict[str, str], list[ReadRow]]]:
    """Blocks of comments and rows."""
    assert text.endswith("\n\n")
    blocks = []
    for block in text[:-2].split("\n\n"):
        comments, rows = {}, []
        for line in block.split("\n"):
            if line.startswith("# "):
                key, _, value = line[2:].partition(" = ")
                comments[key] = value
                continue
            columns = line.split("\t")
            assert len(columns) == 10 and all(columns)
            assert columns[2] == columns[3] == columns[5] == columns[8] == "_"
            misc = dict(pair.split("=", 1) for pair in columns[9].split("|"))
            rows.append(ReadRow(int(columns[0]), columns[1], columns[4], int(columns[6]), columns[7], misc))
        blocks.append((comments, rows))
    return blocks


_LATEX = {
    "textbackslash{}": "\\",
    "textasciicircum{}": "^",
    "textasciitilde{}": "~",
    "textquotedbl{}": '"',
    "textless{}": "<",
    "textgreater{}": ">",
    "textbar{}": "|",
    "symbol{38}": "&",
    **{sign: sign for sign in "{}$&#%_"},
}
_LATEX_TOKEN = re.compile(
    r"\\texttt\{U\+([0-9A-F]{4})\}|\\([a-z]+\{(?:38)?\}|[^a-z])|(\{\[\})|(\{\]\})|(\{\})|(~)|([^\\{}$&#%~^])", re.DOTALL
)


def read_latex(source: str) -> str:
    """The text that LaTeX would show; an assertion fails at anything that is not plain text."""
    at, pieces = 0, []
    while at < len(source):
        found = _LATEX_TOKEN.match(source, at)
        assert found is not None, f"not plain text: {source[at:]!r}"
        code, command, opening, closing, nothing, space, plain = found.groups()
        if code:
            pieces.append(chr(int(code, 16)))
        elif command:
            pieces.append(_LATEX[command])
        elif opening or closing:
            pieces.append("[" if opening else "]")
        elif space:
            pieces.append("\u00a0")
        elif not nothing:
            pieces.append(plain)
        at = found.end()
    return "".join(pieces)


def read_forest(source: str) -> Tree:
    """The tree of one ``forest`` environment."""
    lines = source.split("\n")
    start, end = lines.index("\\begin{forest}"), lines.index("\\end{forest}")
    text = "".join(line.strip() for line in lines[start + 3 : end])
    node, at = _read_node(text, 0)
    assert at == len(text)
    return node


def _read_node(text: str, at: int) -> tuple[Tree, int]:
    assert text[at : at + 2] == "[{"
    depth, at, begin = 1, at + 2, at + 2
    while depth:
        if text[at] == "\\":
            at += 1
        elif text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
        at += 1
    label = read_latex(text[begin : at - 1])
    children = []
    while text[at] in " [":
        if text[at] == " ":
            at += 1
            continue
        child, at = _read_node(text, at)
        children.append(child)
    assert text[at] == "]"
    if len(children) == 1 and not children[0].children and children[0].word is None:
        return Tree(label, None, children[0].label), at + 1
    return Tree(label, children), at + 1


_DOT_LABEL = re.compile(r'^  (\w+) \[label="((?:[^"\\]|\\.)*)"', re.MULTILINE)


def read_dot_labels(source: str) -> dict[str, str]:
    """Label of every node of a graph, escapes undone."""
    labels = {}
    for name, text in _DOT_LABEL.findall(source):
        plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
        labels[name] = plain.replace("&amp;", "&")
    return labels


_MISC_CHARACTERS = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}


def unescape_misc(value: str) -> str:
    """What a value of the MISC column of CoNLL-U stands for."""
    pattern = re.compile(r"\\(?:u([0-9a-f]{4})|(.))", re.DOTALL)
    return pattern.sub(lambda found: chr(int(found[1], 16)) if found[1] else _MISC_CHARACTERS[found[2]], value)
