"""Input of any size and encoding: read as it comes, in bounded memory; what is no text or no treebank is told."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from engine.common.errors import EngineError, TreeError
from engine.gate import text_stream
from engine.gate.text_stream import TextStream, read_text
from engine.patterns.forest import read_forest
from engine.text.input import TextFile, line_items
from engine.trees.reading import MAXIMUM_DEPTH, MOST_TREE_CHARACTERS, MOST_WORDS, read_brackets
from engine.trees.tree import Tree
from engine.trees.treebank import TreebankChunk, chunks_of, read_treebank

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
