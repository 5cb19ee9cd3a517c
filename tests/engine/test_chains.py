"""Chains of back-off: what kernels compute of all outcomes at once is what a chain gives of each, in every setting."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest

from engine.common.arrays import Int64Array
from engine.common.resources import model_file
from engine.counts.contexts import unpack
from engine.counts.counts_layout import ContextWord, Switches
from engine.counts.lookup_kernel import fill_gap, fill_pair
from engine.counts.specifications_layout import (
    DEPENDENCY_PAIR,
    GAP_PAIR,
)
from engine.counts.tables import table_contexts
from engine.estimates import estimates_layout as layout
from engine.estimates.dependency_kernel import LEAST_ESTIMATE, dependency_chain, dependency_estimates
from engine.estimates.estimates_kernel import gap_chain, gap_counts, gap_distribution
from engine.estimates.factors import Mixture, contexts_of, filled, look_up, mixture_of
from engine.model.model import Model
from engine.structure.sentence_layout import DELTA_BITS, GAP_TAGS

CLOSE = 1e-9
DEPENDENCY_SETTINGS = [
    *(
        Switches(plain, lexical, order, further_backoff=further)
        for plain, lexical, order, further in itertools.product((0, 1), (0, 1), (0, 1), (0, 1))
    ),
    Switches(0, 1, 0, recursion=1),
    Switches(0, 1, 0, recursion=1, contexts=1),
    Switches(0, 0, 0, recursion=1, contexts=1),
]


@cache
def classroom() -> Model:
    path = model_file("classroom")
    assert path is not None
    return Model.load(path)


def random_pairs(model: Model, switches: Switches, number: int) -> list[Int64Array]:
    """Pairs of words that had a relation; of some one word, one tag or Δ is another, or unknown."""
    chance = random.Random(3)
    words, tags = len(model.vocabulary.words), len(model.vocabulary.tags)
    contexts = table_contexts(model.counts, DEPENDENCY_PAIR)
    keys = contexts.keys[contexts.records >= 0]
    fields = unpack(model.counts.widths, DEPENDENCY_PAIR, keys)
    pairs = []
    for _ in range(number):
        at = chance.randrange(len(keys))
        word_m, word_h = (int(fields[name][at]) for name in ("modifier", "head"))
        tag_m, tag_h = (int(fields[name][at]) for name in ("modifier tag", "head tag"))
        distance = int(fields["distance"][at])
        match chance.randrange(6):
            case 0:
                word_m = chance.randrange(-1, words)
            case 1:
                word_h = chance.randrange(-1, words)
            case 2:
                tag_m = chance.randrange(tags)
            case 3:
                distance = chance.randrange(1 << DELTA_BITS)
        if not switches.lexical:
            word_m = word_h = -1
        beside = [chance.randrange(2 * tags + 2) for _ in range(4)]
        modifier, head = ContextWord(word_m, tag_m, *beside[:2]), ContextWord(word_h, tag_h, *beside[2:])
        pairs.append(filled(fill_pair, modifier, head, distance, chance.choice((0, 0, 1, 4))))
    return pairs


def mixtures(model: Model, switches: Switches, pair: Int64Array, relations: Iterable[int]) -> dict[int, Mixture]:
    """What the chain of the settings gives for each relation of two words."""
    chain = dependency_chain(switches)
    contexts = contexts_of(chain, model.counts.bits, pair, switches.order_only)
    return {relation: mixture_of(chain, *look_up(model.counts, contexts, relation)) for relation in relations}


@pytest.mark.parametrize("switches", DEPENDENCY_SETTINGS, ids=str)
def test_all_relations_at_once_are_what_their_chain_gives_one_by_one(switches: Switches) -> None:
    model, chance = classroom(), random.Random(2)
    number = len(model.vocabulary.triples)
    lookups, rows = np.empty((layout.MOST_ROWS, 3), np.int64), np.zeros((3, number), np.int32)
    relations, logs = np.zeros(4 * number, np.int32), np.zeros(4 * number)
    estimated = impossible = 0
    for pair in random_pairs(model, switches, 300):
        end = dependency_estimates(model.counts, switches, pair, lookups, rows, relations, logs, 0)
        assert not rows.any()
        found = dict(zip(relations[:end].tolist(), np.exp(logs[:end]).tolist(), strict=True))
        mixed = mixtures(model, switches, pair, {*found, *chance.sample(range(number), 10)})
        # In preset (5) the product is divided by its sum over all relations and none, the same for each.
        wholes = [mixed[relation].value / value for relation, value in found.items()] if switches.recursion else [1.0]
        assert wholes == pytest.approx(wholes[:1] * len(wholes), rel=CLOSE)
        least = 1.01 * LEAST_ESTIMATE if switches.recursion else 0.0
        for relation, mixture in mixed.items():
            value = mixture.value / wholes[0] if wholes else 0.0
            if relation in found or value > least:
                assert found.get(relation) == pytest.approx(value, rel=CLOSE), relation
            impossible += relation not in found
        estimated += len(found)
    assert estimated > 200 and impossible > 200


@pytest.mark.parametrize(
    "switches", [Switches(0, 1, 0), Switches(0, 1, 0, further_backoff=2), Switches(0, 1, 0, gap_contexts=1)], ids=str
)
def test_gap_tags_are_their_chain_over_the_sum(switches: Switches) -> None:
    model, chance = classroom(), random.Random(4)
    tags = len(model.vocabulary.tags)
    chain = gap_chain(switches)
    rows = len(layout.chain_rows(layout.CHAINS[chain]))
    steps, row = np.zeros((layout.MOST_STEPS, layout.STEP_COLUMNS)), np.zeros(GAP_TAGS)
    keys = table_contexts(model.counts, GAP_PAIR).keys
    fields = unpack(model.counts.widths, GAP_PAIR, keys)
    compared = 0
    for _ in range(200):
        at = chance.randrange(len(keys))
        left, left_tag, right, right_tag, comma = (
            int(fields[name][at]) for name in ("left", "left tag", "right", "right tag", "comma")
        )
        left, right = (word if chance.random() < 0.7 else -1 for word in (left, right))
        before, after = (chance.randrange(2 * tags + 2) for _ in range(2))
        gap = filled(fill_gap, ContextWord(left, left_tag, before, 0), ContextWord(right, right_tag, 0, after), comma)
        eta, delta = np.zeros((rows, GAP_TAGS), np.int64), np.zeros(rows, np.int64)
        gap_counts(model.counts, chain, gap, eta, delta)
        gap_distribution(chain, eta, delta, steps, row)
        products = [mixture_of(chain, eta, delta, tag).value for tag in range(GAP_TAGS)]
        assert row.tolist() == pytest.approx([product / sum(products) for product in products], rel=CLOSE)
        assert row.sum() == pytest.approx(1.0)
        compared += delta[0] > 0
    assert compared > 50
