"""The re-ranker's features in words."""

from __future__ import annotations

import re

import pytest

from engine.chart.parser import Parser
from engine.rerank import features_layout as layout
from engine.rerank.features_kernel import bucket
from engine.rerank.features_layout import AFTER, BEFORE, NOTHING, ROW, TEMPLATES, Template
from engine.rerank.reranker import describe_feature
from engine.structure.sentence_layout import MARK_COLON, MARK_COMMA
from tests.engine.small_models import classroom_material

VOCABULARY = classroom_material().model.vocabulary
NUMBER = re.compile(
    r"(?<![\w‘])(?<!st of )(?<!nd of )(?<!rd of )(?<!th of )\d++"
    r"(?! or \d| to \d| words?\b| modifiers?\b| or more|(?:st|nd|rd|th) of)"
)
"""A number after which no word says what it counts."""


def told(title: str, *values: int) -> str:
    """What a feature of the templates of this title says."""
    number = next(template.number for template, wording in TEMPLATES.items() if wording.title == title)
    return describe_feature([number, *values, *[NOTHING] * (ROW - 1 - len(values))], VOCABULARY)[1]


def label(name: str) -> int:
    return VOCABULARY.labels.index(name)


def tag(name: str) -> int:
    return VOCABULARY.tags.index(name)


def word(text: str) -> int:
    return VOCABULARY.words.index(text)


def test_templates_of_one_number_have_one_title_and_differ_in_a_constant() -> None:
    of_number: dict[int, list[Template]] = {}
    for template in TEMPLATES:
        of_number.setdefault(template.number, []).append(template)
    assert sorted(of_number) == list(range(59))
    titles = {number: {TEMPLATES[template].title for template in found} for number, found in of_number.items()}
    assert all(len(of_one) == 1 for of_one in titles.values())
    assert len(frozenset.union(*map(frozenset, titles.values()))) == len(titles)
    for found in of_number.values():
        assert len({tuple(template.constants) for template in found}) == len(found)


def test_every_field_is_in_a_template_and_has_one_number() -> None:
    names = {name: value for name, value in vars(layout).items() if name.isupper()}
    first, last = list(names).index("ZERO"), list(names).index("FIELDS")
    fields = [value for name, value in list(names.items())[first:last] if isinstance(value, int)]
    assert sorted(fields) == list(range(layout.FIELDS))
    assert {field for template in TEMPLATES for field in (*template.fields, template.given)} == set(fields)


def test_the_text_of_every_template_tells_every_value() -> None:
    for template, wording in TEMPLATES.items():
        told_values = set()
        for rule, place in re.findall(r"\{(?:rule(\d)|(\d))", wording.text):
            told_values |= set(range(2 + int(rule))) if rule else {int(place)}
        untold = {field for place, field in enumerate(template.fields) if place not in told_values}
        assert untold <= {layout.ZERO, layout.ONE, layout.TWO, layout.NONE}, wording.title


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
    assert seen == {wording.title for wording in TEMPLATES.values()}
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
    text = told("label, the labels above it and length", label("PP"), label("VP"), label("S"), bucket(count))
    assert text == f"PP in VP in S, {words}"


def test_sides_distances_and_flags_are_told() -> None:
    pp, vp, verb, noun, saw = label("PP"), label("VP"), tag("VBD"), tag("NN"), word("saw")
    assert told("head and the tag before its modifier", pp, vp, saw, noun, 0) == (
        "a modifier of ‘saw’ just after another word, tagged NN (PP in VP)"
    )
    assert (
        told("tags of modifier and head", pp, vp, noun, verb, 1)
        == "NN modifies VBD, next to it, right of it (PP in VP)"
    )
    assert told("tags of modifier and head", pp, vp, noun, verb, 4).endswith(
        "left of it with 2 words between them (PP in VP)"
    )
    assert told("number of modifiers on both sides", vp, saw, 1 * 8 + 4, 1) == (
        "VP with the head ‘saw’ has 1 modifier left of it, 4 or more modifiers right of it"
    )
    assert told("number of modifiers on both sides", vp, verb, 0, 0).startswith(
        "VP with the head VBD has no modifier left of it"
    )
    assert told("word and tag", saw, noun, 1) == "NN after the word ‘saw’"
    assert told("label and the label above it", vp, NOTHING) == "VP at the root"


def test_a_conjunct_that_is_shorter_by_as_many_words_as_stand_for_nothing_is_told() -> None:
    assert told("conjuncts alike", label("VP"), 1, NOTHING, 1).endswith("the second 4 words shorter (in VP)")
    assert told("conjuncts alike", label("VP"), 1, BEFORE, 1).endswith("the second 3 words shorter (in VP)")
    assert "second" not in told("conjuncts alike", label("VP"), 0, NOTHING, 0)


def test_rules_edges_and_punctuation_are_told() -> None:
    np, vp, pp, verb = label("NP"), label("VP"), label("PP"), label("VBD")
    assert told("rule", vp, 3, verb, np, pp) == "VP → VBD NP PP (head-child 1st of 3)"
    assert told("rule", vp, 7, verb, np, np, np, pp) == "VP → VBD NP NP NP … PP (head-child 1st of 7)"
    assert told("rule and the word after", vp, 2, verb, np, NOTHING, NOTHING, AFTER) == (
        "VP → VBD NP (head-child 1st of 2), before the sentence’s end"
    )
    assert (
        told("two children side by side", vp, verb, BEFORE, verb) == "the left edge beside VBD (in VP, head-child VBD)"
    )
    assert told("punctuation on both sides", pp, vp, MARK_COMMA | MARK_COLON, 0, 2) == (
        "PP in VP of 2 words with a comma and a colon or dash before it and no punctuation after it"
    )
