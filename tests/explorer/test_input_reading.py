"""What a person types, and what is said about it while it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.common.errors import EngineError, SentenceError
from engine.tagger.tagger import TagDistribution
from engine.text.input import is_tree
from explorer.session.document import iterate_lines, length_of, plain, problems, read_line, split_text


@pytest.fixture(scope="module")
def model(classroom_path: Path) -> engine.Model:
    return engine.load(classroom_path)


@pytest.mark.parametrize(
    ("text", "offending", "part"),
    [
        ("John/NNP left/VBD res/", "res/", "no tag after the slash"),
        ("John/NNP /VBD", "/VBD", "no word before the slash"),
        ("(S (NP (NNP John)) left)", "left)", "'left' stands inside"),
        ("(S (NP (NNP John))", "(S", "lacks 1 closing"),
    ],
)
def test_the_offending_token_is_pointed_at(model: engine.Model, text: str, offending: str, part: str) -> None:
    problem = problems(text, model)[0]
    assert text[problem.start : problem.end] == offending
    assert part in problem.message
    with pytest.raises(SentenceError):
        read_line(text, model)


def test_a_tree_is_read_with_its_gold(model: engine.Model) -> None:
    reading = read_line("(ROOT (S (NP-SBJ (NNP John)) (VP (VBD left)) (. .)))", model)
    assert str(reading.tagged) == "John/NNP left/VBD ./."
    assert reading.gold is not None and reading.gold.brackets().startswith("(S (NP (NNP John))")


def test_unknown_tags_are_named(model: engine.Model) -> None:
    assert read_line("John/NNP left/XYZ ./.", model).unknown == (1,)


def test_brackets_that_are_no_tree_are_words() -> None:
    assert not is_tree("( see below )") and not is_tree("(sic)")
    assert is_tree("(S (NP (NN x)))") and is_tree("((S (NN x)))") and is_tree("( (S (NN x)))")


def test_two_words_in_brackets_and_brackets_in_a_sentence_are_no_tree(model: engine.Model) -> None:
    for text in ("(OK then)", "(The (old) man) left", "(I (think) so)"):
        assert not is_tree(text) and not problems(text, model)


def test_a_slash_in_plain_text_is_a_slash(model: engine.Model) -> None:
    lines = split_text("TCP/IP is a protocol. It is old.", model)
    assert [line.text for line in lines] == ["TCP/IP is a protocol.", "It is old."]
    # A tag that the model knows makes it a tagged line, and what looks like one is one there.
    assert len(split_text("TCP/IP is/VBZ a protocol. It is old.", model)) == 1
    assert not problems("TCP/IP is a protocol/ of sorts", model)


def test_several_trees_and_lines_are_split(model: engine.Model) -> None:
    assert len(split_text("(S (NN a))\n(S\n (NN b))\n", model)) == 2
    lines = split_text("a/DT b/NN\n\n c/NN\n", model, "f.txt")
    assert [(line.text, line.place) for line in lines] == [("a/DT b/NN", "f.txt, line 1"), ("c/NN", "f.txt, line 3")]


def test_plain_and_mixed_words_are_tagged(model: engine.Model) -> None:
    plain = read_line("The teacher smiled.", model)
    assert [*plain.tagged.words] == ["The", "teacher", "smiled", "."]
    mixed = read_line("The teacher smiled/NN .", model)
    assert mixed.tagged.tags[2] == "NN" and isinstance(mixed.sentence, TagDistribution) and 2 in mixed.sentence.given
    assert not problems("either/or and TCP/IP/ too", model)


def test_prose_is_split_into_sentences_whether_wrapped_or_not(model: engine.Model) -> None:
    one_each = split_text("The dog slept. The man smiled.\nMary left.\n", model)
    assert [line.text for line in one_each] == ["The dog slept.", "The man smiled.", "Mary left."]
    wrapped = "The dog slept in\nthe garden. The man\nsmiled at the dog\nand went home to\nread the book.\n"
    assert [line.text for line in split_text(wrapped, model, "f")] == [
        "The dog slept in the garden.",
        "The man smiled at the dog and went home to read the book.",
    ]
    titles = "The dog\nThe man\nThe book\nThe garden\n"
    assert len(split_text(titles, model)) == 4


def test_without_a_tagger_every_word_needs_its_tag(model: engine.Model) -> None:
    bare = engine.Model(model.vocabulary, model.counts, model.metadata, model.rules)
    problem = problems("John/NNP left the/DT", bare)[0]
    assert (problem.start, problem.end) == (9, 13) and "write `left/NN`" in problem.message


def test_the_list_shows_words_without_tags_and_leaves_slashes_in_prose_alone() -> None:
    assert plain("The/DT dog/NN left/VBD ./.") == "The dog left ."
    assert plain("The dog/NN left/VBD.") == "The dog left."
    for text in ("TCP/IP is a protocol.", "(OK then)", "HIV/AIDS and I/O"):
        assert plain(text) == text
    assert length_of("(OK then)") == 2 and length_of("(S (NP (NN x)) (VP (VBD left)))") == 2


def test_a_file_of_conllu_is_opened_and_its_broken_sentences_are_left_out() -> None:
    row = "{}\tMary\t_\t_\tNNP\t_\t{}\t_\t_\t_\n"
    text = f"# text = Mary\n{row.format(1, 0)}\n{row.format(1, 7)}\n# tree = (NP (NNP Mary))\n{row.format(1, 0)}"
    refused: list[EngineError] = []
    found = list(iterate_lines(text, None, "some.conllu", refused.append))
    assert [line.text for line in found] == ["Mary/NNP", "(NP (NNP Mary))"]
    assert [line.place for line in found] == ["some.conllu, line 1", "some.conllu, line 6"]
    assert [str(one) for one in refused] == ["some.conllu, line 4: HEAD is `7`; write a number from 0 to 1, or _"]
