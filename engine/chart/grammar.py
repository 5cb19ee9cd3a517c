"""The grammar: what a model knows, as the chart uses it (section 3).

"There is no grammar as such": what may be joined is whatever was seen in training.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from engine.chart import chart_kernel
from engine.chart.basenp_layout import SEARCH_LAST, SEARCH_LEFT, SEARCH_RIGHT, TAKE_LEFT, TAKE_RIGHT
from engine.chart.chart_layout import (
    Grammar,
)
from engine.common.arrays import FloatArray, Int32Array, UInt8Array
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import Counts, Switches
from engine.model.model import Model
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED
from engine.structure.distance import VERB_TAGS
from engine.structure.structure_layout import NO_LABEL
from engine.trees.head_rules import COORDINATORS

_PAPERS = Switches(0, 1, 0)
"""The switches of model (1), with which every grammar begins; with weighted counts, if these are asked for."""
_grammars: WeakKeyDictionary[Model, dict[Switches, Grammar]] = WeakKeyDictionary()
"""Grammars made so far, for as long as their models live."""


def grammar_of(model: Model, switches: Switches) -> Grammar:
    """What the kernels need of a model under these switches; made once."""
    made = _grammars.setdefault(model, {})
    if switches not in made:
        base = _PAPERS._replace(weighted=switches.weighted)
        if base not in made:
            made[base] = _base_grammar(model, base)
        grammar = made[base]._replace(switches=switches)
        if switches.unary_contexts:
            none, steps, levels = _unaries(model, grammar.counts, grammar.chain_starts, grammar.chain_links, True)
            grammar = grammar._replace(none=none, chain_steps=steps, unary_levels=levels)
        made[switches] = grammar
    return made[switches]


def _base_grammar(model: Model, switches: Switches) -> Grammar:
    counts = model.counts_under(switches)
    vocabulary, labels = model.vocabulary, model.label_numbers
    # One tag and label more than the model has stand for those it does not know.
    tags = [*vocabulary.tags, None]
    unknown = len(vocabulary.labels)
    starts, chain_labels, chain_next = _chain_tree(vocabulary, labels)
    links = np.stack([chain_labels, chain_next], axis=1)
    none, steps, _ = _unaries(model, counts, starts, links, False)
    searches, head_tags = _base_head_rules(model)
    triples = [[labels[label] for label in triple] for triple in vocabulary.triples]
    return Grammar(
        counts=counts,
        switches=switches,
        triples=np.array(triples or [[0] * 3], np.int32),
        tags=np.array(
            [[labels[tag] if tag is not None else unknown, tag in VERB_TAGS, tag in COORDINATORS] for tag in tags],
            np.int32,
        ),
        stacked=np.stack([_marked(model, STACKED), _marked(model, STACKED * 2), _visible(model)], axis=1),
        base_label=labels.get(BASE_LABEL, unknown),
        core_label=labels.get(CORE, NO_LABEL),
        none=none,
        chain_starts=starts,
        chain_links=links,
        chain_steps=steps,
        unary_levels=np.zeros((1, 1, 1)),
        head_searches=searches,
        head_tags=head_tags,
        between_classes=model.between_classes,
    )


def _unaries(
    model: Model, counts: Counts, chain_starts: Int32Array, chain_links: Int32Array, contexts: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """``none``, ``chain_steps`` and ``unary_levels`` of a :class:`Grammar`, with contexts to be mixed in or not."""
    tags, labels = len(model.vocabulary.tags) + 1, len(model.vocabulary.labels) + 1
    levels = np.zeros((tags, labels, labels))
    none = np.zeros((tags, labels))
    steps = np.full((tags, max(len(chain_links), 1)), -np.inf)
    chart_kernel.fill_unary_levels(counts, int(contexts), levels)
    chart_kernel.fill_unaries(levels, chain_starts, chain_links, none, steps)
    return none, steps, levels


def _marked(model: Model, mark: str) -> Int32Array:
    """For every label the number of its marked twin."""
    numbers = [model.label_numbers.get(label + mark, NO_LABEL) for label in model.vocabulary.labels]
    return np.array([*numbers, NO_LABEL], np.int32)


def _visible(model: Model) -> Int32Array:
    """For every label whether a printed tree shows it as a bracket."""
    tags = set(model.vocabulary.tags)
    shown = [label not in tags and not label.endswith((JOINED, STACKED)) for label in model.vocabulary.labels]
    return np.array([*shown, False], np.int32)


def _base_head_rules(model: Model) -> tuple[Int32Array, UInt8Array]:
    """The head rules of NP over tags, each candidate of an ordered search as a search of its own.

    Searches that find nothing which those before them do not find are left out: a table of thousands of lines is no
    more work for the chart than its tags are.
    """
    searches: list[int] = []
    rows: list[list[bool]] = []
    tags = [*model.vocabulary.tags, None]
    # The tags that no search before has looked for: anywhere, and as that of the last word.
    anywhere, at_end = set(model.vocabulary.tags), set(model.vocabulary.tags)

    def add(search: int, candidates: tuple[str, ...]) -> None:
        new = (at_end if search == SEARCH_LAST else anywhere).intersection(candidates)
        if new:
            searches.append(search)
            rows.append([tag in new for tag in tags])
            at_end.difference_update(new)
            if search != SEARCH_LAST:
                anywhere.difference_update(new)

    for rule in model.rules.rules.get(BASE_LABEL, model.rules.rules["*"]):
        left = rule.search.startswith("left")
        if rule.search == "last":
            add(SEARCH_LAST, rule.candidates)
        elif not rule.candidates:
            searches.append(TAKE_LEFT if left else TAKE_RIGHT)
            rows.append([False] * len(tags))
            break
        elif rule.search.endswith("any"):
            add(SEARCH_LEFT if left else SEARCH_RIGHT, rule.candidates)
        else:
            for candidate in rule.candidates:
                add(SEARCH_LEFT if left else SEARCH_RIGHT, (candidate,))
    return np.array(searches, np.int32), np.array(rows, np.uint8).reshape(len(rows), len(tags))


def _chain_tree(vocabulary: Vocabulary, labels: Mapping[str, int]) -> tuple[Int32Array, Int32Array, Int32Array]:
    """The unary chains as a tree: nodes 0 to L are the labels themselves, deeper nodes the chains above them."""
    children: list[dict[int, int]] = [{} for _ in range(len(vocabulary.labels) + 1)]
    for chain in vocabulary.chains:
        node = labels[chain[0]]
        for label in chain[1:]:
            number = labels[label]
            if number not in children[node]:
                children[node][number] = len(children)
                children.append({})
            node = children[node][number]
    starts = np.zeros(len(children) + 1, np.int32)
    chain_labels: list[int] = []
    chain_next: list[int] = []
    for node, links in enumerate(children):
        for label_number, following in sorted(links.items()):
            chain_labels.append(label_number)
            chain_next.append(following)
        starts[node + 1] = len(chain_labels)
    return starts, np.array(chain_labels, np.int32), np.array(chain_next, np.int32)
