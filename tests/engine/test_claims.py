"""A small campaign: explanations of our own sentences drawn at random, and every claim in them computed again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.explain.explanation import Explanation
from engine.explain.registry import explain
from engine.explain.subjects import ArrowId
from engine.model.model import Model
from engine.settings import PRESETS
from tests.claims.asked import PLAIN, UNCOVERED, Asked, Claim, claims_in
from tests.claims.case import Case
from tests.claims.drawing import Drawing
from tests.claims.training import Training, trees_of
from tests.claims.verdicts import PATTERNS
from tests.engine.recount_trees import HeadTable
from tests.trained import CLASSROOM, classroom_file

SENTENCES = Path(__file__).parents[2] / "resources" / "examples" / "everyday-test.ptb"


@cache
def training() -> Training:
    table = HeadTable(Model.load(classroom_file()).rules.text)
    return Training.of(((text, 1) for text in trees_of(CLASSROOM)), table)


def drawing(seed: int, presets: tuple[int, ...] = PRESETS) -> Drawing:
    return Drawing(Model.load(classroom_file()), training(), list(trees_of(SENTENCES)), presets, seed)


def drawn(made: Drawing, sentences: int, each: int) -> list[Claim]:
    """The claims in what is said of some things in some sentences."""
    cases = made.cases()
    told = (told for _ in range(sentences) for told in made.explanations(next(cases), each, PATTERNS))
    return [claim for one in told for claim in one.claims]


def none_is_false(claims: list[Claim]) -> Counter[str]:
    """Fail for any claim that is false; return how many there are of each kind."""
    false = [f"{claim.kind}: {claim.text}\n  {claim.problem}" for claim in claims if claim.problem]
    assert not false, "\n".join(false[:10])
    return Counter(claim.kind for claim in claims)


def test_nothing_that_is_said_of_our_own_sentences_is_false() -> None:
    kinds = none_is_false(drawn(drawing(1), 6, 5))
    left = [kind for kind in kinds if kind not in (UNCOVERED, PLAIN)]
    assert sum(kinds[kind] for kind in left) >= 300
    assert len(left) >= 30
    assert kinds[UNCOVERED] <= 0.05 * sum(kinds.values())


@pytest.mark.robust
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_that_is_said_under_a_preset_is_false(preset: int) -> None:
    assert sum(none_is_false(drawn(drawing(preset, (preset,)), 12, 6)).values()) >= 700


def arrow() -> tuple[Explanation, Asked]:
    """What is said of an arrow, and what it is about."""
    made = drawing(2, (3,))
    case: Case = next(one for one in made.cases() if not one.result.request.line.what_ifs and one.result.parse.reduced)
    parse = case.result.parse
    modifier = next(word for word, head in parse.heads().items() if head >= 0)
    page = explain(case.result.context(parse), ArrowId(modifier))
    return page, Asked(case, parse, case.facts(parse), ArrowId(modifier))


def test_a_false_number_or_word_is_found() -> None:
    page, asked = arrow()
    assert page.headline is not None
    told = [page.headline.sentence, *page.headline.reasons]
    true = [claim for text in told for claim in claims_in(text, PATTERNS, replace(asked, told=Counter()))]
    assert none_is_false(true)
    word = asked.words[asked.facts.heads[asked.subject.modifier]]  # type: ignore[union-attr]
    changed = [told[0].replace(f"modifies `{word}`", "modifies `blick`"), told[1].replace(" times", "1 times")]
    for text, before in zip(changed, told, strict=False):
        if text != before:
            assert any(claim.problem for claim in claims_in(text, PATTERNS, replace(asked, told=Counter()))), text
    assert changed != told[:2]


def test_what_no_pattern_knows_is_told() -> None:
    _, asked = arrow()
    claims = list(claims_in("Only 3 of `never` did. So it goes.", PATTERNS, asked))
    assert [claim.kind for claim in claims] == [UNCOVERED, PLAIN]
