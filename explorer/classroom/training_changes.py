"""What an edit of the treebank changed for the sentence that is shown, in plain English and as a table; no Qt.

Every number comes from the engine: counts and estimates of the model of now, and of the model before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from engine.analysis.headlines.wording import joined, probability
from engine.analysis.parse_differences import differences
from engine.estimates.dependency_probabilities import ROOT
from engine.estimates.factor_subjects import (
    DependencySubject,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
)
from engine.estimates.ledger import Factor, Level, counts_text
from engine.trees.penn_forms import plain_word
from explorer.document.earlier_parse import EarlierParse
from explorer.document.messages import as_sentence
from explorer.document.sentence_parsing import ParseResult
from explorer.graphics.number_text import curly_quotes, log_text, table_probability
from explorer.graphics.selection import ArrowId, GapId, Id, WordId
from explorer.widgets.rows_table import Row

CHANGES_HEADER = ("what", "before", "now", "η/δ")
CHANGES_RIGHT = (1, 2)
MOST_SENTENCES = 6
_MOST_WORDS = 4
NOTHING = "Nothing changed for this sentence: what was edited has no part in it."


class ChangeSentence(NamedTuple):
    """One thing that changed, in words, and what to select for it."""

    text: str
    id: Id | None = None


def what_changed(earlier: EarlierParse) -> list[ChangeSentence]:
    """What changed for the sentence, in a few sentences: the parse first, then its score, then what it comes from."""
    now, before = earlier.now, earlier.before
    if before is None:
        return [ChangeSentence(as_sentence(f"before, there was no parse: {curly_quotes(earlier.problem)}"))]
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


def id_of(factor: Factor) -> Id | None:
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


def change_rows(earlier: EarlierParse) -> list[Row]:
    """Every factor of the parse that comes from other counts than before, the largest change first, and the sum."""
    now, before = earlier.now, earlier.before
    rows = []
    for factor, then in sorted(earlier.changed(), key=lambda pair: -abs(pair[0].probability - pair[1].probability)):
        found = finest(factor, then)
        counts = " → ".join(f"{level.eta}/{level.delta}" if level.delta else "–" for level in reversed(found or ()))
        tip = f"before {counts_text(then.levels)}\nnow {counts_text(factor.levels)}" if factor.levels else ""
        numbers = (table_probability(then.probability), table_probability(factor.probability))
        cells = (f"{factor.kind.symbol} {_short(factor)}", *numbers, counts)
        rows.append(Row(cells, id_of(factor), tip=f"{factor.what}\n{tip}".strip()))
    if before is not None:
        scores = (log_text(before.log_probability), log_text(now.log_probability))
        rows.append(Row(("log P of the best parse", *scores, ""), None, True))
    return rows


def _short(factor: Factor) -> str:
    """What a factor is about where there is little room: an arrow without its triple."""
    match factor.subject:
        case DependencySubject(modifier_word=modifier, head_word=head):
            return f"{modifier} → {head}"
        case RootSubject(word=word):
            return f"{word} → root"
    return factor.what


def ability(result: ParseResult) -> str:
    """What the parser cannot do yet with the sentence that is shown, in one sentence."""
    parse, model = result.parse, result.request.model
    words = parse.sentence.proper_words
    unknown = list(dict.fromkeys(word for word in words if plain_word(word) not in model.word_numbers))
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
