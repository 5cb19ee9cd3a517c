"""Input of any size and encoding: read as it comes, in bounded memory; what is no text or no treebank is told."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import tracemalloc
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.characters import INVISIBLE, is_text, made_text, readable, spaced
from engine.common.errors import EngineError, RowError, TreeError
from engine.gate import text_stream
from engine.gate.text_stream import TextStream, read_text
from engine.patterns.forest import read_forest
from engine.text.conllu import ConlluSentence, conllu_lines, is_conllu, read_conllu
from engine.text.input import (
    Conventions,
    LineKind,
    TextFile,
    input_sentences,
    is_tree,
    line_items,
    line_kind,
    line_problems,
)
from engine.text.tokeniser import tokenise
from engine.trees.reading import MAXIMUM_DEPTH, MOST_TREE_CHARACTERS, MOST_WORDS, read_brackets
from engine.trees.tree import Tree, penn_form, plain_word
from engine.trees.treebank import TreebankChunk, chunks_of, read_treebank
from tests.engine.command_runner import Cli

GOOD = "(S (NP (NN a)) (VP (VB b)))"


def read(path: Path) -> tuple[list[str], list[TreeError]]:
    bad: list[TreeError] = []
    return [str(tree) for tree in read_treebank([path], bad.append)], bad


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("utf-16-le", "UTF-16 text without a byte order mark; convert the file to UTF-8.*-f UTF-16LE"),
        ("utf-16-be", "UTF-16 text without a byte order mark; convert the file to UTF-8.*-f UTF-16BE"),
        ("utf-32", "UTF-32 text; convert the file to UTF-8"),
        ("utf-32-le", "UTF-32 text; convert the file to UTF-8"),
        ("utf-32-be", "UTF-32 text; convert the file to UTF-8"),
    ],
)
@pytest.mark.parametrize("word", ["cheese", "Käse", "奶酪", "сыр"])
def test_an_encoding_that_is_not_read_is_told_by_its_name(
    tmp_path: Path, encoding: str, message: str, word: str
) -> None:
    file = tmp_path / "t.ptb"
    file.write_bytes(f"(S (NN {word}))\n".encode(encoding) * 3)
    for reads in (read, read_text, lambda path: TextFile(str(path))):
        with pytest.raises(EngineError, match=message):
            reads(file)


def test_utf_16_with_its_mark_is_read(tmp_path: Path) -> None:
    file = tmp_path / "t.ptb"
    file.write_bytes(f"{GOOD}\r\n(S (NN Käse))\r\n".encode("utf-16"))
    assert read(file) == ([GOOD, "(S (NN Käse))"], [])
    assert [item.content for item in line_items(TextFile(str(file)))] == [f"{GOOD}\n", "(S (NN Käse))\n"]


@pytest.mark.parametrize(("byte", "problem"), [(b"\xe9", "byte 0xE9"), (b"\0", "NUL")])
def test_one_bad_byte_spoils_one_tree(tmp_path: Path, byte: bytes, problem: str) -> None:
    file = tmp_path / "t.ptb"
    lines = [GOOD.encode(), b"(S (NN x) (NN y" + byte + b"))", GOOD.encode()]
    for text in (b"\n".join(lines), b" ".join(lines), b"\n  ".join(lines)):
        file.write_bytes(text)
        trees, bad = read(file)
        assert trees == [GOOD, GOOD] and len(bad) == 1 and problem in bad[0].problem
        assert text.split(b"\n")[bad[0].line - 1][bad[0].column - 1 :].startswith(byte)
        forest = read_forest(TreebankChunk(text, "f", 1), lambda error: None)
        assert forest.forest.size == 2 and [error.problem for error in forest.errors] == [bad[0].problem]


def test_what_begins_with_nul_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "zeros.ptb.gz"
    file.write_bytes(gzip.compress(bytes(1 << 24)))
    with pytest.raises(EngineError, match="this is no text, it begins with NUL"):
        read(file)


@pytest.mark.parametrize("content", [b" ", b"\n", f"{GOOD}\n".encode(), b"(", b"(S\n", b"x\n"])
def test_a_gzip_bomb_is_refused(tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_stream, "MOST_UNPACKED", 1 << 20)
    file = tmp_path / "bomb.ptb.gz"
    packed = gzip.compress(content * ((1 << 22) // len(content)))
    file.write_bytes(packed)
    with pytest.raises(EngineError, match="unpacks to more than"):
        read(file)
    # One that lies about its size is met in reading.
    file.write_bytes(packed[:-4] + bytes(4))
    with pytest.raises(EngineError, match="unpacks to more than"):
        list(TextStream(file).blocks())


def endless(block: bytes) -> Iterator[bytes]:
    """Blocks of a text without an end."""
    return repeat(block * ((1 << 20) // len(block)))


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        (b"y\n", "without a bracket"),
        (b" ", "without a bracket"),
        (b"(", "without a line that opens a tree"),
        (b"(NN a)", "without a line that opens a tree"),
    ],
)
def test_what_is_no_treebank_is_not_read_to_its_end(block: bytes, problem: str) -> None:
    tracemalloc.start()
    *_, last = chunks_of(endless(block), "f")
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert problem in last.problem and "the rest of the file is not read" in last.problem
    assert held < 200 << 20
    (error,) = last.trees()
    assert isinstance(error, TreeError) and error.name == "f"


def test_brackets_that_are_never_balanced_are_cut_where_trees_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.trees.treebank._MOST_HELD", 1 << 16)
    text = ("(S (NN a)\n" + f"{GOOD}\n" * 20_000).encode()
    blocks = (text[at : at + (1 << 14)] for at in range(0, len(text), 1 << 14))
    chunks = list(chunks_of(blocks, "f"))
    assert len(chunks) > 2 and b"".join(chunk.data for chunk in chunks) == text
    items = [item for chunk in chunks for item in chunk.trees()]
    broken = [item for item in items if isinstance(item, TreeError)]
    assert len(items) == 20_001 and [error.line for error in broken] == [1]
    assert "lacks 1 closing" in broken[0].problem


@pytest.mark.parametrize("count", [MOST_WORDS, MOST_WORDS + 1, 100_000, 1_000_000])
def test_a_very_wide_tree_is_refused_with_its_line(tmp_path: Path, count: int) -> None:
    file = tmp_path / "wide.ptb"
    file.write_text(f"{GOOD}\n(S {'(NN a) ' * count})\n{GOOD}\n")
    trees, bad = read(file)
    if count == MOST_WORDS:
        assert len(trees) == 3 and not bad
    else:
        assert trees == [GOOD, GOOD]
        assert [(error.line, error.column) for error in bad] == [(2, 1)] and "has more than" in bad[0].problem


def test_a_very_deep_tree_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "deep.ptb"
    file.write_text(f"{GOOD}\n{'(S ' * 100_000}(NN a){')' * 100_000}\n{GOOD}\n")
    trees, bad = read(file)
    assert trees == [GOOD, GOOD]
    assert bad[0].line == 2 and f"nested more than {MAXIMUM_DEPTH} deep" in bad[0].problem


def test_many_trees_on_one_line_and_long_white_space_are_read() -> None:
    count = 2 * MOST_TREE_CHARACTERS // len(GOOD)
    found = read_brackets(" ".join([GOOD] * count) + " " * (MOST_TREE_CHARACTERS + 5) + GOOD)
    assert sum(isinstance(one, Tree) for one in found) == count + 1
    assert isinstance(next(read_brackets("x" * 3 * MOST_TREE_CHARACTERS)), TreeError)


def test_a_line_without_an_end_is_not_read_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.text.input.MOST_STREAMED_LINE", 1 << 20)
    file = tmp_path / "line.txt"
    file.write_bytes(b"a/NN\n" + b"y" * (1 << 21))
    with pytest.raises(EngineError, match="line 2: the line has more than 1 million characters"):
        list(line_items(TextFile(str(file))))


# What kind of input a text is, and which characters of it count.


KNOWN = Conventions(frozenset({"NN", "VBD", "DT", "NNP", "IN", ".", ","}), has_tagger=True)
UNTAGGED = KNOWN._replace(has_tagger=False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", LineKind.EMPTY),
        (" \t ", LineKind.EMPTY),
        ("(S (NP (NN x)))", LineKind.TREE),
        ("( (S (NN x)))", LineKind.TREE),
        ("(S (NP", LineKind.TREE),
        ("(NP-SBJ-1 (PRP$ his) (NN x))", LineKind.TREE),
        ("(OK then)", LineKind.PLAIN),
        ("(The (old) man) left", LineKind.PLAIN),
        ("(I (think) so)", LineKind.PLAIN),
        ("dog/NN left/VBD ./.", LineKind.TAGGED),
        ("dog/NN left/XYZ", LineKind.TAGGED),
        ("the dog/NN left", LineKind.MIXED),
        ("the dog left/VBD.", LineKind.MIXED),
        ("TCP/IP is old", LineKind.PLAIN),
        ("either/or, km/h and 1/2", LineKind.PLAIN),
    ],
)
def test_what_a_line_is(text: str, kind: LineKind) -> None:
    assert line_kind(text, KNOWN) is kind
    assert is_tree(text) == (kind is LineKind.TREE)


def test_problems_point_at_pieces() -> None:
    text = "the dog/NN barked/ /VBD"
    assert [text[one.start : one.end] for one in line_problems(text, KNOWN)] == ["barked/", "/VBD"]
    assert [text[one.start : one.end] for one in line_problems(text, UNTAGGED)] == ["the", "barked/", "/VBD"]
    assert not line_problems("dog/NN left/VBD", UNTAGGED)
    assert line_problems("dog/NN left/VBD.", UNTAGGED)
    [problem] = line_problems("(S (NP (NN a))", KNOWN)
    assert "lacks 1 closing" in problem.message
    assert "2 trees on one line" in line_problems("(S (NN a)) (S (NN b))", KNOWN)[0].message


def sentences(text: str, conventions: Conventions = KNOWN) -> list[tuple[str, str]]:
    return [(one.text, one.place) for one in input_sentences(text, conventions)]


def test_the_sentences_of_a_text() -> None:
    assert sentences("(S (NN a))\n(S\n (NN b))\n") == [("(S (NN a))", "tree 1"), ("(S (NN b))", "tree 2")]
    mixed = "dog/NN left/VBD\n\nIt works. TCP/IP is old.\n"
    assert sentences(mixed) == [("dog/NN left/VBD", "line 1"), ("It works.", "line 3"), ("TCP/IP is old.", "line 3")]
    wrapped = "The dog slept in\nthe garden. The man\nsmiled at the dog\nand went home.\n"
    assert sentences(wrapped) == [
        ("The dog slept in the garden.", "line 1"),
        ("The man smiled at the dog and went home.", "line 2"),
    ]
    assert [text for text, _ in sentences(wrapped, UNTAGGED)] == wrapped.splitlines()


def test_one_policy_for_characters() -> None:
    """What nobody sees separates words, what is invisible is left out, halves of characters are replaced."""
    assert readable("the\0dog\x7f saw\u200b it") == "the dog  saw  it"
    assert readable("co\xadop\u202eerate") == "cooperate" == penn_form("co\xadop\u202eerate")
    assert readable("a\ud800b") == made_text("a\ud800b") == "a\ufffdb"
    assert readable("naïve \tcafé\n") == "naïve \tcafé\n"
    assert is_text("café") and not is_text("\udcff")
    text = f"the\0dog{INVISIBLE}s saw\u2060 it"
    assert len(spaced(text)) == len(text)
    assert [token.text for token in tokenise(text)] == [token.text for token in tokenise(readable(text))]
    assert plain_word("a\u200bb") == "ab"


# CoNLL-U: what is read of it, how it goes into the parser and the list, and what is said of a broken file.


TEXT = """\
# newdoc id = one
# text = Mary didn't leave (him).
1\tMary\tMary\tPROPN\tNNP\tNumber=Sing\t4\tnsubj\t4:nsubj\t_
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdid\tdo\tAUX\tVBD\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tleave\tleave\tVERB\tVB\t_\t0\troot\t_\t_
4.1\tgone\t_\t_\t_\t_\t_\t_\t4:dep\t_
5\t(\t(\tPUNCT\t-LRB-\t_\t6\tpunct\t_\tSpaceAfter=No
6\thim\the\tPRON\tPRP\t_\t4\tobj\t_\tSpaceAfter=No
7\t)\t)\tPUNCT\t-RRB-\t_\t6\tpunct\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# sent_id = 2
1\tshe\t_\t_\t_\t_\t_\t_\t_\t_
2\tleft/went\t_\t_\tVBD\t_\t_\t_\t_\tSpaceAfter=No
3\t.\t_\t_\t.\t_\t_\t_\t_\t_
"""


def sentences_of(text: str) -> list[ConlluSentence]:
    found = []
    for item in read_conllu(conllu_lines(text), "test"):
        assert isinstance(item, ConlluSentence), item
        found.append(item)
    return found


def row(number: object, head: object = "_") -> str:
    return f"{number}\tw\t_\t_\tNN\t_\t{head}\t_\t_\t_"


def test_words_tags_heads_and_text() -> None:
    first, second = sentences_of(TEXT)
    assert first.words == ("Mary", "did", "n't", "leave", "-LRB-", "him", "-RRB-", ".")
    assert first.tags == ("NNP", "VBD", "RB", "VB", "-LRB-", "PRP", "-RRB-", ".")
    assert first.heads == (4, 4, 4, 0, 6, 4, 6, 4)
    assert first.text == "Mary didn't leave (him)." and first.line == 1
    assert first.tagged is not None and second.tagged is None
    assert second.tags == (None, "VBD", ".") and second.heads == (None, None, None)
    assert second.text == "she left/went." and second.line == 14
    assert second.notation() == "she left\\/went/VBD ./."


def test_without_the_comment_the_text_is_made_of_tokens() -> None:
    first = sentences_of(TEXT.replace("# text", "# other"))[0]
    assert first.text == "Mary didn't leave (him)."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_was_read_is_written_again(end: str) -> None:
    assert "".join(one.written() for one in sentences_of(TEXT.replace("\n", end))) == TEXT + "\n"


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        (["1\tw\t_"], 1, "10 columns with tabs between them, this one has 3"),
        ([row(1), row(3)], 2, "ID is 3 where word 2 should come"),
        ([row("x")], 1, "ID is `x`"),
        ([row("2.1")], 1, "ID is 2.1 where word 1 should come"),
        ([row("1-5"), row(1)], 2, "ends at word 5, but there are 1 words"),
        (["# c", row(1, 9)], 2, "HEAD is `9`; write a number from 0 to 1"),
        ([row(1, "-1")], 1, "HEAD is `-1`"),
        ([row(1, 2), row(2, 1)], 1, "the heads form a cycle from word 1"),
        ([row(1, 0), row(2, 2)], 2, "the heads form a cycle from word 2"),
        ([row("1-2")], 1, "no word"),
        (["1\t\t_\t_\t_\t_\t_\t_\t_\t_"], 1, "FORM is empty"),
        ([row(1) + "x" * 300_000], 1, "more than 200,000 characters"),
        (["1\t\udcff\t_\t_\t_\t_\t_\t_\t_\t_"], 1, "not UTF-8"),
    ],
)
def test_a_broken_sentence_is_told_and_the_next_one_read(lines: list[str], line: int, said: str) -> None:
    broken, good = list(read_conllu([*lines, "", row(1, 0)], "file.conllu"))
    assert isinstance(broken, RowError) and isinstance(good, ConlluSentence)
    assert str(broken).startswith(f"file.conllu, line {line}: ") and said in str(broken)
    assert "\n" not in str(broken) and len(str(broken)) < 200


def test_a_sentence_without_end_takes_bounded_memory() -> None:
    endless = (row(1) for _ in range(100_000))
    [error] = list(read_conllu(endless, "file"))
    assert isinstance(error, RowError) and "more than 20,000 rows" in str(error)


@given(st.lists(st.one_of(st.text(alphabet="1234-._\t#= aé(", max_size=40), st.just(row(1)), st.just(""))))
def test_whatever_stands_in_a_file_is_read_or_refused(lines: list[str]) -> None:
    for item in read_conllu(lines, "file"):
        if isinstance(item, ConlluSentence):
            assert len(item.words) == len(item.tags) == len(item.heads) >= 1
            assert sentences_of(item.written())[0].rows == item.rows
        else:
            assert item.line >= 1


def test_conllu_is_recognised() -> None:
    assert is_conllu(TEXT) and is_conllu("\n\n" + TEXT)
    for other in ("", "# text = a", "(S (NN a))", "1\tw", "1\t2\t3\t4", "Mary left."):
        assert not is_conllu(other)


def test_a_text_of_conllu_is_a_list_of_sentences() -> None:
    found = list(input_sentences(TEXT, Conventions()))
    assert [one.place for one in found] == ["line 1", "line 14"]
    assert found[0].text.startswith("Mary/NNP did/VBD n't/RB leave/VB -LRB-/-LRB- him/PRP")


def test_a_comment_with_the_tree_makes_it_a_tree() -> None:
    rows = "\n".join([row(1, 0)])
    for tree, kept in (("(S (NP-SBJ (NN w)))", True), ("(S (NN other))", False), ("(S (NN", False)):
        [found] = list(input_sentences(f"# tree = {tree}\n{rows}\n", Conventions()))
        assert found.text == (tree if kept else "w/NN")


def test_broken_sentences_are_refused_or_raised() -> None:
    broken = f"{row(1)}\n\n{row(2)}\n\n{row(1)}\n"
    refused: list[Exception] = []
    assert len(list(input_sentences(broken, Conventions(), "x", refused.append))) == 2
    assert [str(one) for one in refused] == ["x, line 3: ID is 2 where word 1 should come; words are counted 1, 2, 3 …"]
    with pytest.raises(RowError):
        list(input_sentences(broken, Conventions(), "x"))


def test_the_terminal_parses_and_tags_it(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.conllu.gz"
    file.write_bytes(gzip.compress(f"{TEXT}\n{row(2)}\n".encode()))
    ran = cli("parse", file, "--input", "conllu", "--model", classroom_model, "--preset", 3)
    assert ran.status == 1 and len(ran.lines) == 3 and ran.lines[2] == ""
    assert "(VBD did) (RB n't)" in ran.lines[0] and "(VBD left/went)" in ran.lines[1]
    assert f"{file}, line 19: ID is 2 where word 1 should come" in ran.err
    gold = cli("parse", file, "--input", "conllu", "--model", classroom_model, "--tags", "gold", "--format", "json")
    assert "word 1: `she` has no tag" in json.loads(gold.lines[1])["error"]
    tagged = cli("tag", "-", "--input", "conllu", "--model", classroom_model, stdin=TEXT)
    assert tagged.status == 0
    assert tagged.lines[1].endswith(" left\\/went/VBD ./.") and tagged.lines[1].startswith("she/")


def test_half_a_character_stays_as_it_is_written() -> None:
    row = "1\tfoo\t_\t_\tNN\t_\t0\troot\t_\tForm="
    for escape, word in (("\\u00e9", "é"), ("\\ud800", "\\ud800"), ("\\udfff", "\\udfff")):
        [sentence] = read_conllu([row + escape])
        assert isinstance(sentence, ConlluSentence)
        assert sentence.words == (word,)


def test_a_text_that_is_silent_for_long_is_told_of_and_read_when_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_stream, "SILENT_SECONDS", 0.05)
    monkeypatch.setattr(text_stream, "_LOOK_SECONDS", 0.01)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    said: list[str] = []

    def told(sentence: str) -> None:
        said.append(sentence)
        os.write(writer, GOOD.encode())
        os.close(writer)

    with text_stream.long_reading_told(told):
        assert read(pipe) == ([GOOD], [])
    assert said == [f"{pipe}: nothing has come for 0 s, and it is waited for; stop it if nothing will come"]


def test_a_text_without_an_end_is_told_of(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, classroom_treebank: Path
) -> None:
    monkeypatch.setattr(text_stream, "LONG_BYTES", 1 << 21)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", 'yes "(S (NN a))" | head -c 3000000 > "$0"', str(pipe)])
    run = cli("convert", pipe, "--to", "evalb", "-o", tmp_path / "trees")
    assert writer.wait() == 0
    assert run.err.startswith(f"parse-engine: {pipe}: 2 MB were read, and there is more; stop it if it has no end\n")
    # How long a file is on the disk is known.
    file = tmp_path / "file.ptb"
    file.write_text("(S (NN a))\n" * 300_000)
    assert not cli("convert", file, "--to", "evalb", "-o", tmp_path / "trees").err
