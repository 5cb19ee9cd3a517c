"""What kind of input a text is, and which characters of it count."""

from __future__ import annotations

import pytest

from engine.common.characters import INVISIBLE, is_text, made_text, readable, spaced
from engine.text.input import Conventions, LineKind, input_sentences, is_tree, line_kind, line_problems
from engine.text.tokeniser import tokenise
from engine.trees.tree import penn_form, plain_word

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
