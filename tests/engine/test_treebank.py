"""Treebanks on disk: files, folders, encodings, and chunks that read as the whole does."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import EngineError, TreeError
from engine.trees.reading import read_brackets
from engine.trees.treebank import BadTrees, chunk_bundles, cuts, read_treebank, treebank_files

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
