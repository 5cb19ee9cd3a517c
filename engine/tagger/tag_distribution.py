"""Tags of a sentence as a distribution: P(t_i | S) of every token (section 2.7, model 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.common.arguments import expect, number
from engine.common.errors import ConstraintError, SentenceError
from engine.structure.constraints import Constraint, FixedTag, describe_constraint
from engine.structure.sentence_layout import MOST_READINGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import PUNCTUATION_TAGS

LEAST = 1e-9
"""A tag that the tagger holds less probable than this, or does not know, counts as so probable where it is forced."""
MOST_LATTICE_TAGS = 150
"""Tags that the chart of a sentence holds, summed over its words; see :func:`prune_lattice`."""
_SHORT, _MOST_EACH = 30, 5
"""Tags of a word of a short sentence on average; one of English has 1.2, and hardly ever more than 2."""
_NEARLY = 100.0

Readings = Sequence[Sequence[tuple[str, float]]]
"""For every word, punctuation left out, the tags that the chart holds, with P(t|S)."""


_MOST_CHANCE = 1.0 + 1e-6
"""Sums of probabilities are rounded."""


@dataclass(frozen=True, slots=True)
class TagDistribution:
    """A sentence whose tags are not settled.

    Attributes
    ----------
    sentence
        The words with their most probable sequence of tags, given tags kept.
    choices
        For every token its possible tags with P(t | S), "given the previous two words are tagged as in the best
        overall sequence of tags", the most probable first.
    given
        Numbers of the tokens whose tag was given: it is their only choice, with probability 1.
    """

    sentence: TaggedSentence
    choices: tuple[tuple[tuple[str, float], ...], ...]
    given: frozenset[int] = frozenset()

    @classmethod
    def of_tagger(
        cls,
        sentence: TaggedSentence,
        choices: tuple[tuple[tuple[str, float], ...], ...],
        given: frozenset[int],
    ) -> TagDistribution:
        """Make one of what the tagger says, which need not be looked at as what others give."""
        made = object.__new__(cls)
        for name, value in (("sentence", sentence), ("choices", choices), ("given", given)):
            object.__setattr__(made, name, value)
        return made

    def __post_init__(self) -> None:
        expect(self.sentence, TaggedSentence, "the words and best tags of a distribution are a TaggedSentence")
        what = "the choices of a token are pairs of a tag and its probability"
        expect(self.choices, Sequence, what)
        if len(self.choices) != len(self.sentence):
            raise SentenceError(f"a sentence of {len(self.sentence)} tokens has choices for {len(self.choices)}")
        for choices in self.choices:
            expect(choices, Sequence, what)
            if not choices:
                raise SentenceError("a token has no tag to choose")
            for choice in choices:
                expect(choice, Sequence, what)
                if len(choice) != 2 or type(choice[0]) is not str:
                    raise SentenceError(what)
                chance = choice[1]
                if not 0.0 < (chance if type(chance) is float else number(chance, "a probability")) <= _MOST_CHANCE:
                    raise SentenceError(f"a probability is above 0 and at most 1, not {chance}")

    def probability(self, token: int, tag: str) -> float:
        """P(tag | S) of a token."""
        return max(dict(self.choices[token]).get(tag, 0.0), LEAST)

    def with_forced(self, constraints: Iterable[Constraint]) -> TagDistribution:
        """Return the distribution with forced tags in the best sequence, where other words look for them (preset 5)."""
        forced = [
            (self.sentence.positions[constraint.position], constraint.tag)
            for constraint in constraints
            if isinstance(constraint, FixedTag) and not constraint.forbid
        ]
        return replace(self, sentence=self.sentence.with_tags(forced)) if forced else self

    def readings(self, factor: float, constraints: Iterable[Constraint] = ()) -> Readings:
        """Return the tags of every word (no punctuation) that are at least 1 / `factor` as probable as its best.

        Which tokens are punctuation is settled by the best sequence, for the words of the parse must not
        depend on it: words choose among tags that are not punctuation's.  A tag that is forced
        stands alone, whatever its probability.
        """
        forced: dict[int, str] = {}
        forbidden: dict[int, set[str]] = {}
        for constraint in constraints:
            if isinstance(constraint, FixedTag):
                token = self.sentence.positions[constraint.position]
                if constraint.forbid:
                    forbidden.setdefault(token, set()).add(constraint.tag)
                elif constraint.tag in PUNCTUATION_TAGS:
                    raise ConstraintError(
                        f"no parse has {describe_constraint(constraint, self.sentence)}, "
                        "because punctuation is not part of the parse"
                    )
                elif forced.setdefault(token, constraint.tag) != constraint.tag:
                    raise ConstraintError(f"only one tag can be forced on `{self.sentence.words[token]}`")
        found: list[Sequence[tuple[str, float]]] = []
        for token in self.sentence.positions:
            choices = self.choices[token]
            # Nearly every word has one tag that leaves the others far behind.
            settled = len(choices) == 1 or choices[1][1] * factor < choices[0][1]
            if settled and choices[0][0] == self.sentence.tags[token] and not forced and not forbidden:
                found.append(choices[:1])
                continue
            found.append(self._chosen(token, factor, forced.get(token), forbidden.get(token, set())))
        return found

    def _chosen(
        self, token: int, factor: float, forced: str | None, forbidden: set[str]
    ) -> Sequence[tuple[str, float]]:
        if forced is not None:
            if forced in forbidden:
                raise ConstraintError(f"`{self.sentence.words[token]}` cannot have the tag {forced} and be without it")
            return [(forced, self.probability(token, forced))]
        best_tag = self.sentence.tags[token]
        choices = [
            (tag, max(probability, LEAST))
            for tag, probability in self.choices[token]
            if tag not in PUNCTUATION_TAGS and tag not in forbidden
        ]
        if not choices:
            word, tags = self.sentence.words[token], ", ".join(sorted(forbidden))
            raise ConstraintError(f"no parse gives `{word}` another tag than {tags}, because no other is possible")
        least = choices[0][1] / factor
        kept = [choice for choice in choices if choice[1] >= least or choice[0] == best_tag]
        return kept[:MOST_READINGS]


def prune_lattice(distribution: TagDistribution, factor: float, most: int = MOST_LATTICE_TAGS) -> TagDistribution:
    """Return the tag lattice of a sentence without its least probable tags,
    if very many are nearly as good as the best.

    Of ordinary sentences one word in six has a second tag worth looking at.  Of what is not English every word
    has several, to a small model dozens, and a chart of a hundred such words would take minutes.

    Parameters
    ----------
    distribution
        The tags of a sentence.
    factor
        The chart holds tags at least 1 / `factor` as probable as a word's best (``Settings.tag_factor``).
    most
        How many of these may be within a factor of 100, summed over the words; if there are more, the chart holds so
        many tags, and in a longer sentence one of every word.  Of a short sentence it holds fewer.
    """
    tokens = distribution.sentence.positions
    if len(tokens) <= _SHORT:
        most = min(most, _MOST_EACH * len(tokens))
    if sum(map(len, distribution.readings(min(factor, _NEARLY)))) <= most:
        return distribution
    readings = distribution.readings(factor)
    spare = sorted(
        (
            (-chance / tags[0][1], token, tag)
            for token, tags in zip(tokens, readings, strict=True)
            for tag, chance in tags
            if tag != distribution.sentence.tags[token]
        ),
    )
    dropped: dict[int, set[str]] = {}
    for _, token, tag in spare[max(most - len(tokens), 0) :]:
        dropped.setdefault(token, set()).add(tag)
    choices = [
        tuple(choice for choice in own if choice[0] not in dropped.get(token, ()))
        for token, own in enumerate(distribution.choices)
    ]
    return TagDistribution.of_tagger(distribution.sentence, tuple(choices), distribution.given)
