"""Chains of back-off: which levels every estimate mixes, by which weights, and what multiplies in; scratch memory.

An estimate is a *chain*: levels from the finest to the coarsest, each of which has a count table, or several whose
counts are pooled, and the weight c of all levels below it; and contexts that multiply the mixture.  This is the one
place where the tables and constants of an estimate stand.  Kernels walk through the arrays at the end
(:mod:`engine.estimates.estimates_kernel`, :mod:`engine.estimates.dependency_kernel`), and the ledger tells of the same
chains (:mod:`engine.estimates.factors`).

The rule of a chain::

    F̂ = (η + c F̂') / (δ + c) = λ E + (1 − λ) F̂'        λ = δ / (δ + c)

for each level, F̂' being the estimate of the levels below it; a level that does not exist (δ = 0) changes nothing.  With
c = 1 that is the paper's λ.  A chain under the paper's own rule (:attr:`Chain.papers`) mixes at most two levels, as
section 2.4 has it.

A context is taken to be independent of the words, and of the other contexts, once that is known which its levels share
with the mixture.  Then by Bayes' rule it multiplies the probability of every outcome by::

    r = (F̂ with the context / F̂ without) ^ α

and what comes out is divided by its sum over all outcomes; α < 1 for contexts that overlap with others.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int64Array
from engine.counts.specifications_layout import (
    DEPENDENCY_ADJACENCY,
    DEPENDENCY_ANY_COMMAS,
    DEPENDENCY_BESIDE_HEAD,
    DEPENDENCY_BESIDE_MODIFIER,
    DEPENDENCY_BETWEEN,
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_ORDER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
    GAP_AFTER,
    GAP_AROUND,
    GAP_BEFORE,
    GAP_COMMA,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    ROOT_ANY,
    ROOT_TAG,
    ROOT_WORD,
    TABLES,
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.structure.sentence_layout import GAP_TAGS

# Names of levels that are no table's.
POOLED = "E23"
"""The counts of E2 and those of E3, taken together."""
BESIDE = "before, after"
"""The counts with the tag before and those with the tag after, taken together."""
LAST = "E4"
EVEN = "even"
"""Under all levels of a chain that says so: all outcomes equally probable, which is no count."""


class ChainLevel(NamedTuple):
    """One level of back-off: its name, its tables, whose counts are pooled, and the weight c of what is below it."""

    name: str
    tables: tuple[int, ...]
    weight: float


class ChainContext(NamedTuple):
    """What multiplies a mixture: a name, levels to mix over what is expected, the finest first, and α (1 or ½)."""

    name: str
    levels: tuple[ChainLevel, ...]
    power: float


class Chain(NamedTuple):
    """The levels of an estimate, the finest first.

    Attributes
    ----------
    levels
        Levels to mix.  Below the coarsest there is nothing, whatever its weight, unless `even` says otherwise.
    papers
        Whether section 2.4's own rule mixes them: the first of E1 and E23 that exists with the next that exists, and
        where neither does the first of those below stands alone.
    contexts
        Contexts that multiply the mixture.
    expected
        How many of the coarsest levels give the estimate that contexts are compared with.
    even
        Number of outcomes, which are all equally probable below the coarsest level; 0 if nothing is below it.
    coarsest_first
        Whether the counts of the levels are listed from the coarsest to the finest.
    """

    levels: tuple[ChainLevel, ...]
    papers: bool = False
    contexts: tuple[ChainContext, ...] = ()
    expected: int = 0
    even: int = 0
    coarsest_first: bool = False


_chains: list[Chain] = []


def _level(*tables: int, c: float = 1.0, name: str = "") -> ChainLevel:
    """A level; its name is that of its table unless it has one of its own."""
    return ChainLevel(name or TABLES[tables[0]].level, tables, c)


def _chain(
    *levels: ChainLevel,
    papers: bool = False,
    contexts: tuple[ChainContext, ...] = (),
    expected: int = 0,
    even: int = 0,
    coarsest_first: bool = False,
) -> int:
    """Add a chain; return its number."""
    _chains.append(Chain(levels, papers, contexts, expected, even, coarsest_first))
    return len(_chains) - 1


# Dependencies (sections 2.2 to 2.4).
#
# With further back-off section 2.4 is carried on below E4, for sentences in which it gives every tree zero.  It mixes
# at most two levels, so F̂ is zero wherever two tags never had a relation at this very Δ, or two words that were seen at
# it never had one that E23 knows.  Carried on, every level is mixed with all below it, and below E4 stands one level
# more, the tags at a reduced Δ: question 1 alone, the paper's own distance measure in Table 4.  With question 1 as the
# only distance E4 is the lowest already.
_TAGS, _ORDER = _level(DEPENDENCY_TAGS), _level(DEPENDENCY_ORDER)
IGNORING_TAGS, ORDER_ALONE, FURTHER = 1, 2, 4
"""To be added to the number of the first chain: tags ignored where there are words (section 2.7), question 1 as the
only distance (Table 4), further back-off."""
DEPENDENCY_CHAIN = len(_chains)
for _papers in (True, False):
    for _last in ((_TAGS,) if _papers else (_TAGS, _ORDER), (_ORDER._replace(name=LAST),)):
        _chain(
            _level(DEPENDENCY_PAIR),
            _level(DEPENDENCY_MODIFIER, DEPENDENCY_HEAD, name=POOLED),
            *_last,
            papers=_papers,
        )
        _chain(
            _level(DEPENDENCY_PLAIN_PAIR),
            _level(DEPENDENCY_PLAIN_MODIFIER, DEPENDENCY_PLAIN_HEAD, name=POOLED),
            *_last,
            papers=_papers,
        )
# Preset (5) is one full recursion, and E4 itself rests on tags at a reduced Δ, so that no relation that two tags ever
# had in this order is impossible.  The tags beside the modifier, those beside the head, and the kinds of words that lie
# between say more; each is compared with tags, order and adjacency.
_RECURSION = (
    _level(DEPENDENCY_PAIR, c=2.5),
    _level(DEPENDENCY_MODIFIER, DEPENDENCY_HEAD, c=3.0, name=POOLED),
    _level(DEPENDENCY_TAGS, c=40.0),
    _level(DEPENDENCY_ANY_COMMAS, c=5.0),
    _level(DEPENDENCY_ADJACENCY, c=5.0),
    _level(DEPENDENCY_ORDER),
)
RECURSION_CHAIN = _chain(*_RECURSION)
RECURSION_IN_CONTEXT = _chain(
    *_RECURSION,
    contexts=(
        ChainContext("beside modifier", (_level(DEPENDENCY_BESIDE_MODIFIER, c=5.0),), 0.5),
        ChainContext("beside head", (_level(DEPENDENCY_BESIDE_HEAD, c=5.0),), 1.0),
        ChainContext("between", (_level(DEPENDENCY_BETWEEN, c=5.0),), 0.5),
    ),
    expected=2,
)

# Gaps (section 2.5).  Tags that never stood side by side fall back to the comma; further back-off mixes it in.
_GAP_LEVELS = (
    _level(GAP_PAIR),
    _level(GAP_LEFT, GAP_RIGHT, name=POOLED),
    _level(GAP_TAG_PAIR),
    _level(GAP_COMMA),
)
GAP_CHAIN = _chain(*_GAP_LEVELS, papers=True)
FURTHER_GAP_CHAIN = _chain(*_GAP_LEVELS)
# Preset (5): what the neighbouring tags say is independent of the words once the tags are known.
GAP_IN_CONTEXT = _chain(
    _level(GAP_PAIR, c=1.0),
    _level(GAP_LEFT, GAP_RIGHT, c=3.0, name=POOLED),
    _level(GAP_TAG_PAIR, c=1.0),
    _level(GAP_COMMA, c=0.01 * GAP_TAGS),
    contexts=(
        ChainContext("neighbours", (_level(GAP_AROUND, c=5.0), _level(GAP_BEFORE, GAP_AFTER, c=2.0, name=BESIDE)), 1.0),
    ),
    expected=2,
    even=GAP_TAGS,
)

# Unaries (footnote to section 2.6): the paper's form knows label and head tag.
UNARY_CHAIN = _chain(_level(UNARY_TAG), _level(UNARY_LABEL))
# Preset (5): neighbours, head-word and inside are independent of each other once label and tag are known.
UNARY_IN_CONTEXT = _chain(
    _level(UNARY_WORD, c=3.0),
    _level(UNARY_TAG, c=1.0),
    _level(UNARY_LABEL),
    contexts=(
        ChainContext(
            "neighbours", (_level(UNARY_AROUND, c=5.0), _level(UNARY_AFTER, UNARY_BEFORE, c=5.0, name=BESIDE)), 1.0
        ),
        ChainContext("inside", (_level(UNARY_INNER, c=5.0),), 0.5),
    ),
    expected=2,
    coarsest_first=True,
)

# The root (footnote 5): the head of the sentence as one more arrow.
ROOT_CHAIN = _chain(_level(ROOT_WORD), _level(ROOT_TAG), _level(ROOT_ANY))

CHAINS = tuple(_chains)
"""All chains in the order of their numbers."""


# The chains as kernels read them.  The *rows* of a chain are its tables, in the order in which a ledger lists their
# counts; its *steps* are its levels, the coarsest first, and then those of each context, the coarsest first.


def chain_rows(chain: Chain) -> list[tuple[str, int]]:
    """Name the level and the table of every row."""
    levels = list(chain.levels[::-1] if chain.coarsest_first else chain.levels)
    levels += [level for context in chain.contexts for level in context.levels[::-1]]
    return [
        (level.name if len(level.tables) == 1 else TABLES[table].level, table)
        for level in levels
        for table in level.tables
    ]


def chain_steps(chain: Chain) -> list[ChainLevel]:
    """List the levels in the order in which they are mixed."""
    return [*chain.levels[::-1], *(level for context in chain.contexts for level in context.levels[::-1])]


def _starts(sizes: list[int]) -> Int64Array:
    """Where each of several parts starts that lie end to end, and where the last one ends."""
    return np.array([0, *accumulate(sizes)], np.int64)


def _numbers(values: list[int]) -> Int64Array:
    return np.array(values, np.int64)


_steps = [(step, [table for _, table in chain_rows(chain)]) for chain in CHAINS for step in chain_steps(chain)]
_contexts = [context for chain in CHAINS for context in chain.contexts]
CHAIN_ROWS = _starts([len(chain_rows(chain)) for chain in CHAINS])
CHAIN_STEPS = _starts([len(chain_steps(chain)) for chain in CHAINS])
CHAIN_CONTEXTS = _starts([len(chain.contexts) for chain in CHAINS])
"""The first row, step and context of every chain; one entry more at the end."""
CHAIN_LEVELS = _numbers([len(chain.levels) for chain in CHAINS])
"""How many of its steps are levels; those of its contexts follow them."""
CHAIN_PAPERS = _numbers([chain.papers for chain in CHAINS])
CHAIN_EXPECTED = _numbers([chain.expected for chain in CHAINS])
CHAIN_EVEN = _numbers([chain.even for chain in CHAINS])
ROW_TABLES = _numbers([table for chain in CHAINS for _, table in chain_rows(chain)])
STEP_ROWS = _numbers([tables.index(step.tables[0]) for step, tables in _steps])
"""The first row of every step, counted from the first row of its chain."""
STEP_TABLES = _numbers([len(step.tables) for step, _ in _steps])
"""How many rows every step has, one after the other."""
STEP_WEIGHTS = np.array([step.weight for step, _ in _steps])
CONTEXT_STEPS = _numbers([len(context.levels) for context in _contexts])
"""How many steps every context has."""
CONTEXT_ROOTS = _numbers([context.power != 1.0 for context in _contexts])
"""Whether α of a context is ½."""
MOST_ROWS = int(np.diff(CHAIN_ROWS).max())
MOST_STEPS = int(np.diff(CHAIN_STEPS).max())
assert all(context.power in (0.5, 1.0) for context in _contexts)
assert all(len(context.levels) == 1 for context in CHAINS[RECURSION_IN_CONTEXT].contexts)

# What is written down of every step that is mixed.
STEP_ETA, STEP_DELTA, STEP_LAMBDA, STEP_VALUE = range(4)
STEP_COLUMNS = 4
"""η and δ of its tables together; λ, 0 where the level does not exist or is not used, and 1 where it stands alone; the
estimate from this step and those below it."""

# Scratch of a unary estimate, by parent: η beside, around, inside and with the head-word; whether the parent was seen
# in any of these contexts; and P̂.
S_BESIDE, S_AROUND, S_INNER, S_WORD, S_SEEN, S_VALUE = range(6)
SEEN_COLUMNS = 6
