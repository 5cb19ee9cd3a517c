"""What another model makes of a parse: which counts and estimates changed, and what the parser cannot do yet.

Every number comes from the parse, and from what the model before estimates for the same factors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes
from engine.common.numbers import log_text, probability
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import (
    ROOT,
    DependencySubject,
    Factor,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    Level,
    RootSubject,
    TagSubject,
    UnarySubject,
)
from engine.explain.differences import differences
from engine.explain.subjects import ArrowId, GapId, Subject, WordId
from engine.explain.wording import joined
from engine.model.model import Model
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import plain_word

MOST_SENTENCES = 6
_MOST_WORDS = 4
NOTHING = "Nothing changed for this sentence: what was edited has no part in it."


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
        """Return what the earlier model made of a factor of the parse of now, if that was something else."""
        return next((then for now, then in self.changed() if now is factor or now == factor), None)


def earlier_factors(
    now: Parse, model: Model, distribution: TagDistribution | None = None
) -> tuple[tuple[Factor, Factor], ...]:
    """Return the factors of a parse, each with the same one as an earlier model estimates it.

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


class ChangeSentence(NamedTuple):
    """One thing that changed, in words, and what to select for it."""

    text: str
    id: Subject | None = None


def what_changed(earlier: EarlierParse) -> list[ChangeSentence]:
    """What changed for the sentence, in a few sentences: the parse first, then its score, then what it comes from."""
    now, before = earlier.now, earlier.before
    if before is None:
        return [ChangeSentence(f"Before, there was no parse: {curly_quotes(earlier.problem).removesuffix('.')}.")]
    found = [*_moved(earlier)]
    if before.fallback != now.fallback:
        spans = "no tree spans the sentence any more, only pieces of it" if now.fallback else "a tree spans all of it"
        found.append(ChangeSentence(f"Now {spans}; before it was the other way round."))
    elif abs(now.log_probability - before.log_probability) > 0.005:
        then, score = log_text(before.log_probability), log_text(now.log_probability)
        found.append(ChangeSentence(f"log P of the best parse is {score} now, {then} before."))
    found += _vocabulary(earlier)
    told = {sentence.id for sentence in found}
    changed = sorted(earlier.changed(), key=lambda pair: -abs(pair[0].probability - pair[1].probability))
    for factor, then_factor in changed:
        id = id_of(factor)
        if id not in told and (text := _still(factor, then_factor)):
            told.add(id)
            found.append(ChangeSentence(text, id))
    return found[:MOST_SENTENCES] or [ChangeSentence(NOTHING)]


def _moved(earlier: EarlierParse) -> Iterator[ChangeSentence]:
    """Words with another tag or head than before."""
    now, before = earlier.now, earlier.before
    assert before is not None
    if not earlier.same_words:
        yield ChangeSentence("Other words count as punctuation now, so that the two parses cannot be held together.")
        return
    words = now.sentence.proper_words
    for position, (tag, then) in enumerate(zip(now.sentence.proper_tags, before.sentence.proper_tags, strict=True)):
        if tag != then:
            yield ChangeSentence(f"{words[position]} is tagged {tag} now, {then} before.", WordId(position))
    factors = {
        factor.subject.modifier: (factor, then)
        for factor, then in earlier.pairs
        if isinstance(factor.subject, DependencySubject | RootSubject)
    }
    heads, old = now.heads(), before.heads()
    for modifier, head in heads.items():
        if old.get(modifier, ROOT - 1) == head:
            continue
        was = "it was inside a baseNP" if modifier not in old else _head_name(words, old[modifier])
        verb, so = ("heads the sentence", "As its head")
        if head != ROOT:
            verb, so = f"modifies {words[head]}", f"With {words[head]} as its head"
        counts = _count_change(*factors[modifier]) if modifier in factors else ""
        text = f"{words[modifier]} now {verb} (before: {was})." + (f" {so}: {counts}." if counts else "")
        yield ChangeSentence(text, ArrowId(modifier))
    gone = [words[modifier] for modifier in old if modifier not in heads]
    if gone:
        yield ChangeSentence(f"{joined(gone[:_MOST_WORDS])} {'is' if len(gone) == 1 else 'are'} inside a baseNP now.")
    if heads == old and (others := differences(now, before)):
        yield ChangeSentence(f"The tree is another one: {others[0]}.")


def _head_name(words: tuple[str, ...] | list[str], head: int) -> str:
    return "it headed the sentence" if head == ROOT else words[head]


def _vocabulary(earlier: EarlierParse) -> Iterator[ChangeSentence]:
    """Words of the sentence that came into the treebank, or went out of it."""
    assert earlier.before is not None
    now, then = earlier.now.model.word_numbers, earlier.before.model.word_numbers
    words = list(dict.fromkeys(plain_word(word) for word in earlier.now.sentence.proper_words))
    for here, there, what in ((now, then, "among the trees now"), (then, now, "no longer among the trees")):
        found = [word for word in words if word in here and word not in there]
        if found:
            more = f" and {len(found) - _MOST_WORDS} more words" if len(found) > _MOST_WORDS else ""
            named = ", ".join(found[:_MOST_WORDS]) + more if more else joined(found)
            yield ChangeSentence(f"{named} {'is' if len(found) == 1 else 'are'} {what}.")


def _still(factor: Factor, then: Factor) -> str:
    """A part of the parse that stayed, and what it comes from now; empty for what is not told in words."""
    counts = _count_change(factor, then)
    estimate = f"{probability(then.probability)} → {probability(factor.probability)}"
    if not counts or probability(then.probability) == probability(factor.probability):
        return ""
    match factor.subject:
        case DependencySubject(modifier_word=modifier, head_word=head):
            return f"{modifier} modifies {head}: {counts} (F̂ {estimate})."
        case RootSubject(word=word):
            return f"{word} heads the sentence: {counts} (F̂ {estimate})."
        case GapSubject(left=left, tag=tag, right=right):
            return f"The gap tag between {left} and {right} is {tag}: {counts} (P̂ {estimate})."
        case UnarySubject() | TagSubject() | GenerativeSubject() | FeatureSubject():
            return ""
        case other:
            assert_never(other)


def finest(factor: Factor, then: Factor) -> tuple[Level, Level] | None:
    """The finest level of back-off that either model has met, as both have it: of now, and before."""
    old = {level.name: level for level in then.levels}
    for level in factor.levels:
        before = old.get(level.name, Level(level.name, 0, 0))
        if level.delta or before.delta:
            return level, before
    return None


def _count_change(factor: Factor, then: Factor) -> str:
    """``before 1 of 3, now 2 of 4``; empty where nothing was counted."""
    found = finest(factor, then)
    if found is None or found[0] == found[1]:
        return ""
    level, before = found
    return f"before {_of(before)}, now {_of(level)}"


def _of(level: Level) -> str:
    return f"{level.eta:,} of {level.delta:,}" if level.delta else "never met"


def id_of(factor: Factor) -> Subject | None:
    """What to select for a factor."""
    match factor.subject:
        case GapSubject(position=position):
            return GapId(position)
        case DependencySubject(modifier=modifier) | RootSubject(modifier=modifier):
            return ArrowId(modifier)
        case TagSubject(position=position) | UnarySubject(head=position):
            return WordId(position)
        case GenerativeSubject() | FeatureSubject():
            return None
        case other:
            assert_never(other)


def ability(parse: Parse) -> str:
    """What the parser cannot do yet with a sentence, in one sentence."""
    known = parse.model.word_numbers
    unknown = list(dict.fromkeys(word for word in parse.sentence.proper_words if plain_word(word) not in known))
    shown = joined(unknown)
    if len(unknown) > _MOST_WORDS:
        shown = f"{', '.join(unknown[:_MOST_WORDS])} and {len(unknown) - _MOST_WORDS} more of the words"
    if parse.fallback and unknown:
        return f"It cannot join the whole sentence yet, and has never seen {shown}."
    if parse.fallback:
        return "It cannot join the whole sentence yet: no tree relates its parts like this."
    if unknown:
        return f"It has never seen {shown}, and goes by tags alone there."
    if parse.further_backoff:
        return "It knows the words, but never saw them related like this: it backs off further than the paper does."
    return "It has seen every word of the sentence."
