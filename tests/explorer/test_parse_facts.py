"""What the pictures of a parse show is looked up part by part, so that it can be cancelled."""

from __future__ import annotations

import pytest

import engine
from engine.chart.parser import Parser
from engine.common.errors import Cancelled
from explorer.pictures.drawing import Text
from explorer.pictures.facts import facts_of, look_up
from tests.explorer.conftest import TELESCOPE
from tests.explorer.picture_functions import PICTURES
from tests.explorer.table_metrics import TableMetrics


def test_looking_up_can_be_cancelled_before_every_word(classroom: engine.Model) -> None:
    parser = Parser.preset(classroom, 3)
    calls = [0]

    def check() -> None:
        calls[0] += 1
        if calls[0] == wanted:
            raise Cancelled("enough")

    wanted = 0
    look_up(whole := parser.parse(TELESCOPE), check)
    assert calls[0] > len(facts_of(whole).reduced) > 2
    ends = range(1, calls[0] + 1)
    for wanted in ends:
        calls[0] = 0
        parse = parser.parse(TELESCOPE)
        with pytest.raises(Cancelled):
            look_up(parse, check)
        assert calls[0] == wanted
        # Asked again, it is looked up as if nothing had been.
        look_up(parse)
        assert facts_of(parse).best_candidates.keys() == facts_of(whole).best_candidates.keys()


def test_brackets_and_quotes_of_treebanks_are_shown_as_such(classroom: engine.Model) -> None:
    parse = Parser.preset(classroom, 3).parse("``/`` Mary/NNP saw/VBD -LRB-/-LRB- John/NNP -RRB-/-RRB- ''/'' ./.")
    assert facts_of(parse).tokens == ["“", "Mary", "saw", "(", "John", ")", "”", "."]
    assert {"-LRB-", "-RRB-"} <= set(parse.sentence.tags) & set(parse.sentence.words)
    for name, draw in PICTURES.items():
        texts = [shape.text for shape in draw(parse, TableMetrics()).shapes if isinstance(shape, Text)]
        assert not [text for text in texts if "``" in text and text != "``"], name
        assert texts.count("-LRB-") <= 1, name
