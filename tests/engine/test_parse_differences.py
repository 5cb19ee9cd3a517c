"""Parses are named by what differs, as a linguist would say it."""

from __future__ import annotations

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.attachments import arrow_headline
from engine.explain.context import ParseContext
from engine.explain.differences import difference_name, differences
from engine.explain.parses import parse_headline
from engine.export.parse_json import json_object
from engine.structure.constraints import Attachment, BaseSpan, Constraint, FixedTag

TELESCOPE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."


@pytest.fixture(scope="module")
def parser() -> Parser:
    """Preset (4), under which tags may differ."""
    return Parser.preset(engine.load("english"), 4)


def forced(parser: Parser, text: str, *constraints: Constraint) -> Parse:
    return parser.parse(text, constraints=constraints)


def test_an_attachment_is_named_by_both_heads(parser: Parser) -> None:
    low, high = (forced(parser, TELESCOPE, Attachment(4, head)) for head in (3, 1))
    assert difference_name(high, low) == "with → saw instead of man"
    assert difference_name(low, high) == "with → man instead of saw"
    assert difference_name(low, low) == "the same tree" and differences(low, low) == ()


def test_a_word_in_or_out_of_a_base_np_is_named(parser: Parser) -> None:
    text = "Mary saw the man yesterday ."
    apart = forced(parser, text, BaseSpan(2, 4))
    together = forced(parser, text, BaseSpan(2, 5))
    assert differences(together, apart)[0] == "yesterday inside the NP of man"
    assert differences(apart, together) == ("yesterday outside the NP of man",)


def test_a_tag_is_named_first(parser: Parser) -> None:
    text = "They saw her duck ."
    noun, verb = (forced(parser, text, FixedTag(3, tag)) for tag in ("NN", "VB"))
    assert differences(verb, noun)[0] == "duck: VB instead of NN"


def test_a_word_that_occurs_twice_is_numbered(parser: Parser) -> None:
    text = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT dog/NN with/IN the/DT telescope/NN ./."
    names = [
        difference_name(forced(parser, text, Attachment(7, head)), forced(parser, text, Attachment(7, 1)))
        for head in (3, 6)
    ]
    assert all("with (2nd) → " in name and "instead of saw" in name for name in names)


def test_json_begins_with_the_same_headlines(parser: Parser) -> None:
    parse = parser.parse(TELESCOPE, n_best=5)
    made, explained = json_object(parse), ParseContext(parse)
    assert made["headline"] == parse_headline(explained).as_dict()
    for arrow, dependency in zip(parse.arrows, made["dependencies"], strict=True):
        assert dependency["headline"] == arrow_headline(explained, arrow[0]).as_dict()
    assert len(made["gap_headlines"]) == len(made["gaps"])
    assert made["alternatives"][1]["headline"]["sentence"].startswith("This is the 2nd of the list.")
