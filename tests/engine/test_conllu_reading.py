"""CoNLL-U: what is read of it, how it goes into the parser and the list, and what is said of a broken file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import RowError
from engine.text.conllu import ConlluSentence, conllu_lines, is_conllu, read_conllu
from engine.text.input import Conventions, input_sentences
from tests.engine.command_runner import Cli

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


def read(text: str) -> list[ConlluSentence]:
    found = []
    for item in read_conllu(conllu_lines(text), "test"):
        assert isinstance(item, ConlluSentence), item
        found.append(item)
    return found


def row(number: object, head: object = "_") -> str:
    return f"{number}\tw\t_\t_\tNN\t_\t{head}\t_\t_\t_"


def test_words_tags_heads_and_text() -> None:
    first, second = read(TEXT)
    assert first.words == ("Mary", "did", "n't", "leave", "-LRB-", "him", "-RRB-", ".")
    assert first.tags == ("NNP", "VBD", "RB", "VB", "-LRB-", "PRP", "-RRB-", ".")
    assert first.heads == (4, 4, 4, 0, 6, 4, 6, 4)
    assert first.text == "Mary didn't leave (him)." and first.line == 1
    assert first.tagged is not None and second.tagged is None
    assert second.tags == (None, "VBD", ".") and second.heads == (None, None, None)
    assert second.text == "she left/went." and second.line == 14
    assert second.notation() == "she left\\/went/VBD ./."


def test_without_the_comment_the_text_is_made_of_tokens() -> None:
    first = read(TEXT.replace("# text", "# other"))[0]
    assert first.text == "Mary didn't leave (him)."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_was_read_is_written_again(end: str) -> None:
    assert "".join(one.written() for one in read(TEXT.replace("\n", end))) == TEXT + "\n"


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
            assert read(item.written())[0].rows == item.rows
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
