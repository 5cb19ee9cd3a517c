"""How much work a sentence may be: a pass that is too costly is done again with a narrower β (section 4.1).

Work is counted in pairs of chart items that are looked at, not in seconds, so that every machine finds the same parse.
Real sentences are far below the limit: in the dev part of GUM no preset needs an eighth of it.
"""

from __future__ import annotations

import math

MOST_WORK = 36_000_000
"""Pairs of chart items that one pass may look at: half a second or so, and at most 400 MB of recorded edges."""
MOST_FOREST_WORK = 200_000_000
"""The same for a chart that is to hold all parses of some probability, which has far fewer edges for its pairs: three
seconds or so.  Of 60 sentences of 35 to 60 words in the dev part of GUM none needs a fifth of it."""
MOST_TRACED_EDGES = 8_000_000
"""Edges that are kept, at most, where all are: 800 MB."""
MOST_ESTIMATES = 1 << 23
"""F̂ of pairs of words that are kept while a sentence is parsed, at most: 100 MB.

400 words at random are 130,000 in ``english``, but in a model that is made so two words may have a thousand relations.
"""
_WIDEST_LOG = 24.0
"""Log β from which one that is without end is narrowed."""
_LEAST_FACTOR, _MOST_FACTOR = 0.4, 0.7
"""By which log β is multiplied, at least and at most."""
_MOST_NARROWINGS = 4
"""After so many β is the narrowest: where all items are equally probable each narrower one is as much work."""
NARROWEST_BEAM = 1.5
"""No β is made narrower: the narrowest of the paper's Table 5 but one."""
LAST_TIMES = 2
"""So many times the work of another may the last pass be; what it has found by then are fragments, and of a forest
nothing is used.

No sentence is known that needs it with the counts of a treebank, but a model may be made so.
"""


class WorkBudget:
    """The work that the passes of a sentence may be, and the widest β that they may have.

    Attributes
    ----------
    widest_beam
        β of a pass is at most this.
    is_forest
        Whether the chart is to hold all parses of some probability, not the best alone.
    is_exhausted
        Whether even the last pass was too costly: nothing more is to be tried.
    """

    def __init__(self) -> None:
        self.start()

    def start(self, is_forest: bool = False, narrowest: float = NARROWEST_BEAM) -> None:
        """Begin with another sentence.

        Parameters
        ----------
        is_forest
            Whether the chart is to hold all parses of some probability.
        narrowest
            No β is made narrower.
        """
        self.widest_beam = math.inf
        self._narrowings = 0
        self.is_forest = is_forest
        self.is_exhausted = False
        self._most_work = MOST_FOREST_WORK if is_forest else MOST_WORK
        self._narrowest = narrowest

    @property
    def narrowed(self) -> bool:
        """Whether a pass was too costly."""
        return self.widest_beam < math.inf

    @property
    def of_pass(self) -> int:
        """How much work the next pass may be."""
        return LAST_TIMES * self._most_work if self.is_last else self._most_work

    @property
    def is_last(self) -> bool:
        """Whether a pass that is too costly is not done again."""
        return self.widest_beam <= self._narrowest

    def narrow(self, beam: float, expected: int) -> None:
        """Allow a narrower β than this one, by which a pass was expected to be so much work.

        The number of items of a cell grows a little faster than log β, and that of pairs with its square.
        """
        self._narrowings += 1
        if self._narrowings > _MOST_NARROWINGS:
            self.widest_beam = self._narrowest
            return
        share = self._most_work / max(expected, 1)
        factor = min(max(math.cbrt(share), _LEAST_FACTOR), _MOST_FACTOR)
        self.widest_beam = max(math.exp(min(math.log(beam), _WIDEST_LOG) * factor), self._narrowest)
