"""Reading, writing and cleaning Penn brackets."""

from __future__ import annotations

import gzip
import io
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.chart.parser import Parser
from engine.common.errors import EngineError, TreeError
from engine.common.resources import resources_folder
from engine.text.tokeniser import tokenise
from engine.trees.reading import read_brackets, read_tree
from engine.trees.tree import PENN_TAGS, Tree, bare_label, clean, penn_form, plain_word
from engine.trees.treebank import BadTrees, chunk_bundles, cuts, read_treebank, treebank_files


def test_one_tree_over_many_lines_and_several_on_one() -> None:
    text = "(ROOT\n  (S (NP (PRP it))\n (VP (VBZ rains))))\n((NP (NN a))) (NP (NN b))\n"
    assert [str(tree) for tree in read_brackets(text)] == [
        "(ROOT (S (NP (PRP it)) (VP (VBZ rains))))",
        "( (NP (NN a)))",
        "(NP (NN b))",
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("(S (NP (NN a))", 1, 1, "lacks 1 closing"),
        ("\n(S (NP (NN a))))", 2, 16, "closes nothing"),
        ("(S (NP a b))", 1, 8, "without a tag"),
        ("stray", 1, 1, "outside any bracket"),
        ("(S (NP))", 1, 4, "neither a word nor children"),
        ("(" * 400, 1, 301, "nested more than"),
    ],
)
def test_a_broken_tree_says_where_and_what(text: str, line: int, column: int, problem: str) -> None:
    error = next(item for item in read_brackets(text, "f.ptb") if isinstance(item, TreeError))
    assert (error.name, error.line, error.column) == ("f.ptb", line, column)
    assert problem in str(error)


def test_reading_goes_on_after_a_broken_tree() -> None:
    items = list(read_brackets("(S (NN a)\n(S (NN b) x)\n(S (NN c))\n"))
    assert isinstance(items[0], TreeError)
    assert str(items[-1]) == "(S (NN c))"


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3), st.booleans()), max_size=30))
def test_a_tree_that_lacks_brackets_takes_no_other_with_it(trees: list[tuple[int, int, bool]]) -> None:
    """Each is so deep, lacks so many of its brackets, and may hold a word without a tag."""
    lines, good, broken = [], [], []
    for number, (depth, lacking, stray) in enumerate(trees):
        lacking = min(lacking, depth)
        line = "(X " * depth + f"(NN w{number})" + " oops" * stray + ")" * (depth - lacking)
        lines.append(line)
        if stray:
            broken.append((number + 1, line.index("oops") + 1, "without a tag"))
        elif lacking:
            broken.append((number + 1, 1, f"lacks {lacking} closing )"))
        else:
            good.append(line)
    found = list(read_brackets("\n".join(lines)))
    assert [str(item) for item in found if not isinstance(item, TreeError)] == good
    errors = [item for item in found if isinstance(item, TreeError)]
    assert [(error.line, error.column) for error in errors] == [(line, column) for line, column, _ in broken]
    assert all(problem in str(error) for error, (_, _, problem) in zip(errors, broken, strict=True))


def test_many_trees_that_lack_a_bracket_are_read_once() -> None:
    """Each was read to the end of the file: this text took hours."""
    text = "(S (NP (DT a) (NN dog)) (VP (VBD ran))\n(S (NN b))\n" * 20_000
    found = list(read_brackets(text))
    assert len(found) == 40_000 and all(isinstance(item, TreeError) for item in found[::2])
    last = found[-2]
    assert isinstance(last, TreeError) and last.line == 39_999 and str(found[-1]) == "(S (NN b))"


def test_unicode_spaces_are_part_of_a_word() -> None:
    assert read_tree("(NN Xpd\u2009†)").words() == ["Xpd\u2009†"]


@pytest.mark.parametrize(
    ("label", "bare"),
    [("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("ADVP|PRT", "ADVP"), ("-LRB-", "-LRB-"), ("PRP$", "PRP$"), ("", "")],
)
def test_bare_label(label: str, bare: str) -> None:
    assert bare_label(label) == bare


def test_clean_drops_traces_function_tags_root_and_x_over_x() -> None:
    tree = read_tree("((S (NP-SBJ-1 (NP (NN rain))) (VP (VBZ seems) (S (NP-SBJ (-NONE- *-1)) (VP (VB fall)))) (. .)))")
    cleaned = clean(tree)
    assert str(cleaned) == "(S (NP (NN rain)) (VP (VBZ seems) (S (VP (VB fall)))) (. .))"
    assert clean(read_tree("(S (-NONE- *))")) is None


# One spelling of every word, whether it comes from a treebank or from the tokeniser.


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("n’t", "n't"),
        ("‘cuz", "'cuz"),
        ("‘", "`"),
        ("–", "--"),
        ("−5", "-5"),
        ("…", "..."),
        ("....", "..."),
        (".", "."),
        ("U.S.", "U.S."),
        ("{", "-LCB-"),
        ("co\u00adop", "coop"),
        ("cafe\u0301", "café"),
        ("cafe\u00ad\u0301", "café"),
        ("\u212b", "Å"),
        ("\u1fef", "`"),
        ("\u200b", "\u200b"),
        (".\u200b.", "..."),
        ("\\\u200b/", "/"),
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("a\\b", "a\\b"),
        ('"', '"'),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_the_form_that_is_counted(word: str, form: str) -> None:
    assert plain_word(word) == form


@given(st.text(st.one_of(st.characters(exclude_categories=[]), st.sampled_from("\\/*.…(){}’‘–\u00ad\u200b"))))
def test_a_form_stays_as_it_is(word: str) -> None:
    form = plain_word(word)
    assert plain_word(form) == form
    assert penn_form(penn_form(word)) == penn_form(word)
    assert bool(form) == bool(word)


def test_what_the_tokeniser_gives_is_what_is_counted() -> None:
    text = "They don’t—I’m told—(often) cut 1/2 of {x} in the 1980’s… “Yes,” he said."
    forms = [token.text for token in tokenise(text)]
    assert forms == [plain_word(form) for form in forms]


def test_typographic_trees_and_plain_sentences_meet() -> None:
    tree = engine.read_tree("(S (NP (PRP We)) (VP (VBP do) (RB n’t) (VP (VB know) (NP (CD 1\\/2)))) (. .))")
    model = engine.train([tree])
    assert {"n't", "1/2"} < set(model.vocabulary.words)
    straight = Parser.preset(model).parse("We/PRP do/VBP n't/RB know/VB 1\\/2/CD ./.")
    curly = Parser.preset(model).parse(engine.TaggedSentence.from_tree(tree))
    assert straight.log_probability == curly.log_probability
    # What is printed is what was read.
    assert curly.tree == tree
    assert straight.tree.words() == ["We", "do", "n't", "know", "1/2", "."]


# Treebanks on disk: files, folders, encodings, and chunks that read as the whole does.


ONE = "(S (NP (NNP Zoë)) (VP (VBD left)))"
TWO = "(S (NP (PRP It))\n  (VP (VBD rained)))"


def texts(*sources: Path | str) -> list[str]:
    return [tree.brackets() for tree in read_treebank(sources)]


@pytest.mark.parametrize(
    "data",
    [
        f"{ONE}\n{TWO}\n".encode(),
        f"{ONE} {TWO}".encode(),
        b"\xef\xbb\xbf" + f"{ONE}\n{TWO}\n".encode(),
        f"{ONE}\n{TWO}\n".replace("\n", "\r\n").encode(),
        f"{ONE}\n{TWO}\n".replace("\n", "\r").encode(),
        f"{ONE}\n{TWO}\n".encode("utf-16"),
        gzip.compress(f"{ONE}\n{TWO}\n".encode()),
        gzip.compress(b"\xef\xbb\xbf" + f"{ONE}\r\n{TWO}\r\n".encode()),
    ],
    ids=["lines", "one line", "BOM", "CRLF", "CR", "UTF-16", "gzip", "gzip BOM CRLF"],
)
def test_any_encoding_mark_line_end_and_packing_reads_the_same(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "any.ptb"
    path.write_bytes(data)
    assert texts(path) == [ONE, " ".join(TWO.split())]


@pytest.mark.parametrize("root", ["", "ROOT ", "TOP ", "S1 "])
def test_root_labels_of_all_kinds_are_read(tmp_path: Path, root: str) -> None:
    path = tmp_path / "root.mrg"
    path.write_text(f"({root}{ONE})", encoding="utf-8")
    assert len(texts(path)) == 1


def test_a_folder_is_searched_for_treebanks_of_every_kind_in_order(tmp_path: Path) -> None:
    for name in ("b/2.mrg", "a/1.ptb", "c.psd", "d.tree", "e.parse", "f.mrg.gz", "notes.txt", "a/README"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(ONE.encode()) if name.endswith("gz") else ONE.encode())
    names = [Path(path).name for path in treebank_files([tmp_path])]
    assert names == ["1.ptb", "2.mrg", "c.psd", "d.tree", "e.parse", "f.mrg.gz"]
    assert len(texts(tmp_path)) == 6


def test_standard_input_is_a_treebank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ONE.encode())))
    assert texts("-") == [ONE]


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngineError, match="holds no treebank file"):
        texts(tmp_path / "empty")
    with pytest.raises(EngineError, match="no such file or folder"):
        texts(tmp_path / "missing.ptb")
    (tmp_path / "latin.ptb").write_bytes(b"(S (NN a))\n(S (NN caf\xe9))\n")
    with pytest.raises(EngineError, match="line 2, column 11: the byte 0xE9 is not UTF-8 text; convert the file"):
        texts(tmp_path / "latin.ptb")
    (tmp_path / "cut.ptb").write_bytes(gzip.compress(ONE.encode() * 99)[:-20])
    with pytest.raises(EngineError, match="cannot be read"):
        texts(tmp_path / "cut.ptb")


def test_a_broken_tree_raises_or_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "broken.ptb"
    path.write_text("(S (NN a))\n(S (NN b)))\n(S (NN c))\n(S (NN x) y)\n(S (NN d))\n")
    with pytest.raises(TreeError, match=r"broken\.ptb, line 2, column 11: a \) that closes nothing"):
        texts(path)
    bad = BadTrees()
    kept = [tree.brackets() for tree in read_treebank([path], bad)]
    assert kept == ["(S (NN a))", "(S (NN b))", "(S (NN c))", "(S (NN d))"]
    assert len(bad) == 2 and bad.first is not None and bad.first.line == 2


def seen(text: str, name: str = "f", first_line: int = 1) -> Iterator[object]:
    for item in read_brackets(text, name, first_line):
        yield (item.problem, item.line, item.column) if isinstance(item, TreeError) else item.brackets()


SOUP = st.lists(
    st.sampled_from(["(S (NN a))", "(", ")", " ", "\n", "\n(", "(NP", "x", "é", "(NN b)", "()", "\n(S (NP (NN c)) )"]),
    max_size=40,
).map("".join)


@given(SOUP, st.integers(1, 30))
def test_chunks_read_as_the_whole_does_whatever_is_broken(text: str, size: int) -> None:
    data = text.encode()
    found: list[object] = []
    line = 1
    for start, end in cuts(data, size):
        piece = data[start:end].decode()
        found += seen(piece, "f", line)
        line += piece.count("\n")
    assert found == list(seen(text))


def test_chunks_are_cut_between_trees_and_small_files_share_a_bundle(tmp_path: Path) -> None:
    first, second = tmp_path / "a.ptb", tmp_path / "b.ptb"
    first.write_text("(S (NN a))\n" * 100)
    second.write_text("(S (NN b))\n")
    made = list(chunk_bundles([first, second], 300))
    assert len(made) > 3
    assert (
        b"".join(piece.data for bundle in made for piece in bundle.chunks) == first.read_bytes() + second.read_bytes()
    )
    assert all(piece.data.startswith(b"(S") for bundle in made for piece in bundle.chunks)
    assert [bundle.share for bundle in made] == sorted(bundle.share for bundle in made)
    assert made[-1].share == 1.0
    assert len(list(chunk_bundles([second, second], 300))) == 1
    lines = [piece.first_line for bundle in made for piece in bundle.chunks if piece.name == str(first)]
    assert lines[:2] == [1, 29]


# The example trees of ``resources/examples``: all can be read, none comes twice, tags and labels are Penn's.


SIZES = {"classroom": 130, "everyday": 50, "everyday-train": 75, "everyday-test": 75, "everyday-more": 1151}
PENN_LABELS = frozenset(
    ("ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP")
).union(("S", "SBAR", "SBARQ", "SINV", "SQ", "X"), ("WHADJP", "WHADVP", "WHNP", "WHPP"))
"""The phrases and clauses of Bies et al. (1995), *Bracketing Guidelines for Treebank II Style*."""


def path(name: str) -> Path:
    return resources_folder() / "examples" / f"{name}.ptb"


def trees(name: str) -> list[Tree]:
    """The trees of a file as they are written, without the root that some have."""
    return [tree.children[0] if tree.label == "ROOT" else tree for tree in read_treebank([path(name)])]


def sentence(tree: Tree) -> tuple[str, ...]:
    return tuple(word.lower() for word in tree.words())


def constituents(tree: Tree) -> Iterator[Tree]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if not node.is_word:
            yield node
            stack.extend(node.children)


@pytest.mark.parametrize("name", SIZES)
def test_a_file_holds_its_trees_one_a_line(name: str) -> None:
    lines = path(name).read_text(encoding="utf-8").splitlines()
    assert len(lines) == SIZES[name]
    assert [tree.brackets() for tree in read_treebank([path(name)])] == lines


def test_no_sentence_comes_twice() -> None:
    counted = Counter(sentence(tree) for name in SIZES for tree in trees(name))
    assert [" ".join(words) for words, count in counted.items() if count > 1] == []
    assert len(counted) == sum(SIZES.values())


@pytest.mark.parametrize("name", SIZES)
def test_tags_and_labels_are_the_treebanks(name: str) -> None:
    seen = 0
    for tree in trees(name):
        assert set(tree.tags()) <= PENN_TAGS, tree
        for node in constituents(tree):
            seen += 1
            assert node.label in PENN_LABELS, tree
            assert [child.label for child in node.children] != [node.label], tree
    assert seen > 5 * SIZES[name]


@pytest.mark.parametrize("name", SIZES)
def test_a_sentence_begins_with_a_capital_and_ends_as_one(name: str) -> None:
    for tree in trees(name):
        leaves = [leaf for leaf in tree.leaves() if leaf.label not in ("``", "''")]
        assert (leaves[0].word or "")[0].isupper(), tree
        assert leaves[-1].label == ".", tree


@pytest.mark.slow
@pytest.mark.parametrize("treebank", ["gum-train", "gum-dev", "craft-train", "craft-dev"])
def test_no_sentence_is_a_treebanks(treebanks: Path, treebank: str) -> None:
    ours = {sentence(tree) for name in SIZES for tree in trees(name)}
    cleaned = (clean(tree) for tree in read_treebank([treebanks / f"{treebank}.ptb"], BadTrees()))
    theirs = [sentence(tree) for tree in cleaned if tree is not None]
    assert len(theirs) > 1500
    assert [" ".join(words) for words in theirs if words in ours] == []
