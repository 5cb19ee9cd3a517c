"""The re-ranker's features in words."""

from __future__ import annotations

import re

import pytest

from engine.chart.parser import Parser
from engine.rerank import features_layout as layout
from engine.rerank.features_kernel import bucket
from engine.rerank.features_layout import AFTER, BEFORE, NOTHING, ROW, TEMPLATES
from engine.rerank.reranker import WORDINGS, describe_feature
from engine.structure.sentence_layout import MARK_COLON, MARK_COMMA
from tests.engine.small_models import classroom_material

VOCABULARY = classroom_material().model.vocabulary
NUMBER = re.compile(
    r"(?<![\w‘])(?<!st of )(?<!nd of )(?<!rd of )(?<!th of )\d++"
    r"(?! or \d| to \d| words?\b| modifiers?\b| or more|(?:st|nd|rd|th) of)"
)
"""A number after which no word says what it counts."""


def row(template: int, *values: int) -> list[int]:
    """A feature's row."""
    return [template, *values, *[NOTHING] * (ROW - 1 - len(values))]


def told(template: int, *values: int) -> str:
    """What a feature says."""
    return describe_feature(row(template, *values), VOCABULARY)[1]


def label(name: str) -> int:
    return VOCABULARY.labels.index(name)


def tag(name: str) -> int:
    return VOCABULARY.tags.index(name)


def word(text: str) -> int:
    return VOCABULARY.words.index(text)


def test_every_template_has_a_wording_that_tells_every_value() -> None:
    assert list(WORDINGS) == [template.name for template in TEMPLATES]
    assert len({wording.title for wording in WORDINGS.values()}) == len(WORDINGS)
    for template in TEMPLATES:
        wording = WORDINGS[template.name]
        assert wording.patterns
        told_values = {wording.choice} - {-1}
        for pattern in wording.patterns:
            for rule, place in re.findall(r"\{(?:rule(\d)|(\d))", pattern):
                told_values |= set(range(2 + int(rule))) if rule else {int(place)}
        # A feature of a branch has a number that is always the same; whether X is a word, its quotation marks tell.
        untold = {place for place in range(len(template.values)) if place not in told_values}
        flag = {template.values.rindex("N")} if "X" in template.values else set()
        assert untold <= flag or template.values == "N", template.name


def test_every_feature_of_real_trees_is_told_without_bare_numbers() -> None:
    seen, texts = set(), set()
    for sentence in classroom_material().sentences:
        digits = any(character.isdigit() for word in sentence.words for character in word)
        for derivation in Parser.preset(classroom_material().model, 3).derivations(sentence, 3):
            for values in derivation.features.tolist():
                title, text = describe_feature(values, VOCABULARY)
                seen.add(title)
                texts.add(text)
                assert text and not set(text) & set("{}[]|⊢⊣"), (title, text)
                assert digits or not NUMBER.search(text), (title, text)
    assert seen == {wording.title for wording in WORDINGS.values()}
    assert len(texts) > 1000


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 word"),
        (3, "3 words"),
        (6, "5 or 6 words"),
        (9, "7 to 10 words"),
        (15, "11 to 20 words"),
        (21, "more than 20 words"),
    ],
)
def test_lengths_are_told_as_the_kernel_rounds_them(count: int, words: str) -> None:
    text = told(layout.PATH, label("PP"), label("VP"), label("S"), bucket(count))
    assert text == f"PP in VP in S, {words}"


def test_sides_distances_and_flags_are_told() -> None:
    pp, vp, verb, noun, saw = label("PP"), label("VP"), tag("VBD"), tag("NN"), word("saw")
    assert told(layout.TAG_BEFORE_HEAD, pp, vp, saw, noun, 0) == (
        "a modifier of ‘saw’ just after another word, tagged NN (PP in VP)"
    )
    assert told(layout.PAIR_TAGS, pp, vp, noun, verb, 1) == "NN modifies VBD, next to it, right of it (PP in VP)"
    assert told(layout.PAIR_TAGS, pp, vp, noun, verb, 4).endswith("left of it with 2 words between them (PP in VP)")
    assert told(layout.HEAD_SIDES, vp, saw, 1 * 8 + 4, 1) == (
        "VP with the head ‘saw’ has 1 modifier left of it, 4 or more modifiers right of it"
    )
    assert told(layout.HEAD_SIDES, vp, verb, 0, 0).startswith("VP with the head VBD has no modifier left of it")
    assert told(layout.TAG_WORD, saw, noun, 1) == "NN after the word ‘saw’"
    assert told(layout.PARENT, vp, NOTHING) == "VP at the root"


def test_a_conjunct_that_is_shorter_by_as_many_words_as_stand_for_nothing_is_told() -> None:
    assert told(layout.PARALLEL, label("VP"), 1, NOTHING, 1).endswith("the second 4 words shorter (in VP)")
    assert told(layout.PARALLEL, label("VP"), 1, BEFORE, 1).endswith("the second 3 words shorter (in VP)")
    assert "second" not in told(layout.PARALLEL, label("VP"), 0, NOTHING, 0)


def test_rules_edges_and_punctuation_are_told() -> None:
    np, vp, pp, verb = label("NP"), label("VP"), label("PP"), label("VBD")
    assert told(layout.RULE, vp, 3, verb, np, pp) == "VP → VBD NP PP (head-child 1st of 3)"
    assert told(layout.RULE, vp, 7, verb, np, np, np, pp) == "VP → VBD NP NP NP … PP (head-child 1st of 7)"
    assert told(layout.RULE_BEFORE_WORD, vp, 2, verb, np, NOTHING, NOTHING, AFTER) == (
        "VP → VBD NP (head-child 1st of 2), before the sentence’s end"
    )
    assert told(layout.SIBLINGS, vp, verb, BEFORE, verb) == "the left edge beside VBD (in VP, head-child VBD)"
    assert told(layout.MARKS_AROUND, pp, vp, MARK_COMMA | MARK_COLON, 0, 2) == (
        "PP in VP of 2 words with a comma and a colon or dash before it and no punctuation after it"
    )
