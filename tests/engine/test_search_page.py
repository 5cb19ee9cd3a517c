"""The manual's page on search: its questions have the matches that it says, its table has every operator."""

from __future__ import annotations

import re
from pathlib import Path

from engine.patterns.forest import Forest
from engine.patterns.operators import OPERATORS, SYNONYMS
from engine.patterns.pattern import Pattern
from engine.trees.treebank import read_treebank

RESOURCES = Path(__file__).parents[2] / "resources"
PAGE = (RESOURCES / "manual" / "search.md").read_text("utf-8")
_QUESTION = re.compile(r"^\d+\. .*: `(.+)` — ([\d,]+) match(?:es)?\.$", re.MULTILINE)


def test_the_twenty_questions_have_so_many_matches() -> None:
    forest = Forest.of(read_treebank([RESOURCES / "examples" / "classroom.ptb"]))
    told = {pattern: int(count.replace(",", "")) for pattern, count in _QUESTION.findall(PAGE)}
    assert len(told) == 20
    assert {text: len(list(Pattern(text).search(forest))) for text in told} == told
    assert all(told.values())


def test_the_table_has_every_operator() -> None:
    table = PAGE.split("## The operators")[1].split("\n## ")[0]
    written = {"<N": "<3", ">N": ">3"}
    for operator in OPERATORS:
        shown = written.get(operator, operator)
        assert re.search(rf"`A {re.escape(shown)}(?:\(C\))? B`", table), operator
    for spelling in SYNONYMS:
        if spelling[-1] not in "'`":
            assert spelling in table, spelling


def test_every_pattern_of_the_tables_can_be_read() -> None:
    names = "NP=x < "
    descriptions = re.findall(r"^\| `([^`]+)` \|", PAGE.split("## How a node")[1].split("\n## ")[0], re.MULTILINE)
    assert len(descriptions) >= 10
    for text in descriptions:
        Pattern(names + text)
    for text in re.findall(r"`(A [^`]+ B)`", PAGE.split("## The operators")[1].split("\n## ")[0]):
        Pattern(text)
