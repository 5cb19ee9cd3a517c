"""What an earlier model made of the sentence, to hold the parse of the newer one against; no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.chart.parse import Parse
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import Factor
from engine.model.model import Model
from engine.tagger.tag_distribution import TagDistribution


@dataclass(frozen=True, slots=True, eq=False)
class EarlierParse:
    """A parse of the model in use, and what an earlier model makes of the same sentence.

    Attributes
    ----------
    now
        The parse that is held against it.
    before
        The best parse of the earlier model; ``None`` if it found none.
    pairs
        The factors of the parse of now in the order of its ledger, what a re-ranker adds left out; each with the same
        factor as the earlier model estimates it.
    problem
        Why the earlier model found no parse, in one sentence.
    """

    now: Parse
    before: Parse | None
    pairs: tuple[tuple[Factor, Factor], ...]
    problem: str = ""

    @property
    def same_words(self) -> bool:
        """Whether both parses are about the same words, so that their arrows and brackets can be held together."""
        return self.before is not None and self.before.sentence.positions == self.now.sentence.positions

    def changed(self) -> Iterator[tuple[Factor, Factor]]:
        """Find the factors that come from other counts now, or come to something else."""
        return ((now, then) for now, then in self.pairs if (now.levels, now.log) != (then.levels, then.log))

    def factor_before(self, factor: Factor) -> Factor | None:
        """What the earlier model made of a factor of the parse of now, if that was something else."""
        return next((then for now, then in self.changed() if now is factor or now == factor), None)


def earlier_factors(
    now: Parse, model: Model, distribution: TagDistribution | None = None
) -> tuple[tuple[Factor, Factor], ...]:
    """The factors of a parse, each with the same one as an earlier model estimates it.

    Where tags are a part of the score the earlier model's own `distribution` says how probable they were.
    """
    mine = now.explainer().own_factors(now.roots, now.fallback)
    held = distribution if now.distribution is not None else None
    explainer = Explainer(model, now.settings, now.sentence, held, now.further_backoff)
    theirs = explainer.own_factors(now.roots, now.fallback)
    known: dict[object, list[Factor]] = {}
    for factor in theirs:
        known.setdefault(factor.subject, []).append(factor)
    # A subject may occur more than once: unary decisions on one label above one word.
    return tuple((factor, known[factor.subject].pop(0)) for factor in mine if known.get(factor.subject))
