"""One spelling of every word, whether it comes from a treebank or from the tokeniser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.chart.parser import Parser
from engine.text.tokeniser import tokenise
from engine.trees.tree import penn_form, plain_word


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
