"""Verdicts on wrong parses, classes of errors, and how two trees compare: every word that is said of them.

Words of the sentence stand between back-ticks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any, assert_never

from engine.chart.parse import Cause, Impossibility, Parse, Scored
from engine.common.numbers import (
    amount,
    beam_text,
    change,
    log_text,
    number,
    percents_told_apart,
    signed,
    size,
    times,
    times_as_probable,
)
from engine.estimates.ledger import RERANKERS_KINDS, FactorKind
from engine.explain.context import Compared, Training
from engine.explain.contrasts import LEAST_NATS, PARSE_AND_GOLD, Contrast, TreeInWords
from engine.explain.differences import difference_name
from engine.explain.explanation import Explanation, ExplanationBlock, Heading, Paragraph, Section, TableBlock
from engine.explain.glosses import ERRORS, VERDICTS, glosses
from engine.explain.subjects import ErrorCellId
from engine.explain.wording import MOST_REASONS, MOST_WORDS, Headline, capital, joined, quoted, tag_text, words_text
from engine.settings import MOST_RERANKED
from engine.study.comparison import LedgerDifference, LedgerRow, Span, TreeComparison
from engine.study.errors import Attached, Bracketed, Coordinated, ErrorClass, Labelled, ParseError, Phrase
from engine.study.foreign_trees import GoldStanding, TreeJudgement
from engine.study.treebank_report import ErrorCell, ErrorTable
from engine.study.verdicts import NEVER_PROPOSED, OUT_OF_BEAM, TOLERANCE, Loss, Repair, Verdict, VerdictKind

GOLD_TREE = "the gold tree"
"""What a parse is held against, if it is not another parse."""
OUR_PARSE = "our parse"
_OURS_AND_THIS = ("in our parse", "in this tree")


# The verdict on a parse: what a linguist would name first, by how much the model is for it, why; what else there is.


def verdict_headline(verdict: Verdict) -> Headline:
    """What is to blame for a wrong parse, and what weighs most."""
    telling = _Telling(verdict)
    return Headline(telling.sentence(), telling.reasons())


def told_verdict(verdict: Verdict) -> tuple[str, ...]:
    """The headline of a verdict, a sentence each; see :data:`engine.study.treebank_report.Tell`."""
    headline = verdict_headline(verdict)
    return headline.sentence, *headline.reasons


def verdict_sentence(verdict: Verdict) -> str:
    """The verdict in a few sentences with the figures that matter."""
    return _Telling(verdict).sentence()


_FROM_GOLD_TAGS = "With the gold tags the parse is still wrong, and what follows is about that parse."


def _right(comparison: TreeComparison) -> str:
    beside = []
    if comparison.internal_brackets:
        beside.append(f"{size(len(comparison.internal_brackets), 'bracket')} inside baseNPs")
    others = len(comparison.missing) + len(comparison.extra) - len(comparison.internal_brackets)
    if others:
        beside.append(f"{size(others, 'bracket')} that the model does not tell apart")
    if comparison.wrong_tags:
        beside.append(size(len(comparison.wrong_tags), "tag"))
    if not beside:
        return "Right: the parse is the gold tree."
    return f"Right as far as the score goes; beside it there differ {' and '.join(beside)}."


class _Telling:
    """One verdict as it is told: its contrasts are found once for the sentence and its reasons."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self._difference = verdict.difference
        rows = verdict.difference.rows if verdict.difference is not None else ()
        self._against = [row for row in rows if row.contribution < 0]

    @cached_property
    def _contrast(self) -> Contrast:
        return contrast_of(self._verdict.judged, self._verdict.gold)

    @cached_property
    def _strictly(self) -> Contrast:
        """By the estimates of the settings, which say what is impossible, whatever the parse was found with."""
        strict = self._verdict.strict
        return contrast_of(self._verdict.judged, strict) if strict is not None else self._contrast

    @cached_property
    def _named(self) -> LedgerRow | None:
        """The row that is named first: an attachment, if one differs, else what weighs most."""
        if self._difference is None:
            return None
        own = [row for row in self._difference.rows if row.kind not in RERANKERS_KINDS]
        against = next((row for row in own if row.contribution < 0), None)
        return self._contrast.attachment(self._difference) or against or next(iter((*own, *self._against)), None)

    def sentence(self) -> str:
        """The verdict in a few sentences with the figures that matter."""
        verdict = self._verdict
        comparison = verdict.comparison
        if verdict.kind is VerdictKind.RIGHT:
            return _right(comparison)
        if not comparison.wrong_tags:
            return self._blame()
        wrong = _wrong_tags(comparison)
        if verdict.kind is VerdictKind.TAGS:
            return f"Tag error: {wrong}; from the gold tags the parse is right."
        wrong = capital(wrong)
        if verdict.judged is verdict.parse:
            return f"{self._blame()} {wrong}."
        return f"{wrong}. {_FROM_GOLD_TAGS} {self._blame()}"

    def _blame(self) -> str:
        """What is to blame for a parse that is wrong under the tags that it has, or else from the gold tags."""
        verdict = self._verdict
        parse, gold, nats = verdict.judged, verdict.gold, verdict.nats
        match verdict.kind:
            case VerdictKind.OUTSIDE:
                return (
                    f"Outside the model: the parser cannot build the gold tree. {self._impossible()}{_further(verdict)}"
                )
            case VerdictKind.RERANKING:
                ahead = gold.log_probability - parse.log_probability
                blamed = "the second model and its features" if gold.ledger.second_model else "its features"
                return (
                    f"Re-ranking error: {self._opening()}The gold tree is {times_as_probable(ahead)} as the parse "
                    f"({_nats(ahead)}), but {blamed} put it {_lead(nats, True)} behind{self._shares()}."
                    f"{self._weighs_most()}"
                )
            case VerdictKind.MODEL if nats <= TOLERANCE:
                came = "the parse was found first" if parse.votes is None else "the parse has the greater expected F1"
                return f"Model error: {self._opening()}The model gives both trees the same score, and {came}."
            case VerdictKind.MODEL:
                return f"Model error: {self._opening()}{capital(self._preferred())}.{self._weighs_most()}"
            case VerdictKind.VOTED:
                return f"Voted down: {self._opening()}{capital(_voted_down(verdict))}"
            case VerdictKind.LIST:
                short = (
                    f"List too short: {self._opening()}{capital(_ahead(verdict))} it is not among the "
                    f"{size(_listed(parse), 'parse')} that were re-ranked"
                )
                if verdict.repair is None:
                    most = replace(parse.settings, rerank=MOST_RERANKED).list_length(parse.distribution is not None)
                    return f"{short}, nor would it be among {most:,} with β = 10⁹."
                held = "it" if verdict.repair.finds_gold else "a tree at least as good"
                return (
                    f"{short}; {repair_text(verdict.repair)} {'find' if verdict.repair.by_score else 'holds'} {held}."
                )
            case VerdictKind.SEARCH:
                told = f"Search error: {self._opening()}{capital(_ahead(verdict))} the search lost it"
                if verdict.losses:
                    told += f": {_first(loss_text(verdict.losses[0], gold), verdict.losses)}"
                if verdict.repair is not None:
                    return f"{told}. {_repaired(verdict.repair)}."
                return f"{told}. No β up to 10⁹ finds it." if verdict.sought else f"{told}."
            case VerdictKind.RIGHT | VerdictKind.TAGS:
                raise ValueError(f"nothing but tags is to blame for a parse whose verdict is {verdict.kind}")
            case other:
                assert_never(other)

    def _opening(self) -> str:
        """What is named first, as a sentence before the next one."""
        return f"{capital(self._contrast.text(self._named))}. " if self._named is not None else ""

    @cached_property
    def _obstacles(self) -> tuple[Impossibility, ...]:
        """What makes the gold tree impossible; of phrases within each other that brackets are torn from, the first."""
        found = self._verdict.impossibilities
        torn = [one for one in found if one.cause is Cause.BRACKETS]
        return tuple(one for one in found if one not in torn[1:])

    def _impossible(self) -> str:
        """The first thing that makes the gold tree impossible, and how many there are."""
        found = self._obstacles
        told = self._strictly.obstacle(found[0], self._difference)
        return f"{told} There are {len(found)} such obstacles." if len(found) > MOST_REASONS else told

    def _preferred(self) -> str:
        """By how much the model prefers the parse; how many times as probable it is tells log P, never the score."""
        verdict = self._verdict
        ratio = times_as_probable(verdict.judged.log_probability - verdict.gold.log_probability)
        if _is_reranked(verdict):
            shares = self._shares()
            return (
                f"the re-ranker prefers the parse by {_lead(verdict.nats, True)}{shares}; by log P alone it is {ratio}"
            )
        return f"the model prefers the parse by {_nats(verdict.nats)} ({ratio})"

    def _shares(self) -> str:
        """What log P, second model and features make of the lead of the parse."""
        if self._difference is None:
            return ""
        sums: dict[str, float] = {"log P": 0.0}
        for row in self._difference.rows:
            name = {FactorKind.GENERATIVE: "second model", FactorKind.FEATURE: "features"}.get(row.kind, "log P")
            sums[name] = sums.get(name, 0.0) - row.contribution
        return f" ({', '.join(f'{name} {change(value)}' for name, value in sums.items())})" if len(sums) > 1 else ""

    @cached_property
    def _heaviest(self) -> LedgerRow | None:
        """What speaks most against the gold tree: of a re-ranking error, of what the re-ranker adds."""
        kinds = RERANKERS_KINDS if self._verdict.kind is VerdictKind.RERANKING else tuple(FactorKind)
        return next((row for row in self._against if row.kind in kinds), None)

    def _weighs_most(self) -> str:
        """The figures of what is named first, and what speaks most against the gold tree, unless that is the same."""
        named, heaviest = self._named, self._heaviest
        if named is None or heaviest is None:
            return ""
        figures = self._contrast.figures(named)
        if named is heaviest:
            return f" That weighs most: {', '.join(filter(None, (figures, self._worth(named))))}."
        told = f" What weighs most against the gold tree: {self._contrast.text(heaviest)}"
        told += f" ({', '.join(filter(None, (self._contrast.figures(heaviest), self._worth(heaviest))))})."
        if named.contribution >= LEAST_NATS:
            return f" That speaks for gold ({figures}, {self._worth(named)}).{told}"
        if named.contribution <= -LEAST_NATS:
            return f" That is a part of it ({figures}, {self._worth(named)}).{told}"
        return told

    def _worth(self, row: LedgerRow) -> str:
        """How much a row makes: nats of log P, or what a re-ranker adds to the score."""
        if row.kind in RERANKERS_KINDS:
            return f"{amount(row.contribution)} in score"
        return f"a difference of {_nats(abs(row.contribution))}"

    def reasons(self) -> tuple[str, ...]:
        """What else stands against the gold tree, up to three sentences; none of a parse that is right."""
        verdict = self._verdict
        if verdict.kind is VerdictKind.RIGHT:
            return ()
        # The first of each stands in the verdict's sentence.
        found = [self._strictly.obstacle(one, self._difference) for one in self._obstacles[1:MOST_REASONS]]
        found += [f"{capital(loss_text(one, verdict.gold))}." for one in verdict.losses[1:MOST_REASONS]]
        if not found and self._difference is not None:
            found = list(self._outside() if verdict.kind is VerdictKind.OUTSIDE else self._weightiest())
        return tuple(dict.fromkeys(found))[:MOST_REASONS]

    def _outside(self) -> Iterator[str]:
        """What training had of what the parse has in the place of what is impossible; of a rule, what else differs."""
        factor = self._obstacles[0].factor
        if factor is None and self._named is not None:
            yield f"{capital(self._contrast.text(self._named))} ({self._contrast.figures(self._named)})."
        row = self._contrast.row_of(self._difference, factor.subject) if factor is not None else None
        if row is not None and row.first is not None:
            yield from self._contrast.evidence(LedgerRow(row.kind, row.first, None, row.contribution))

    def _weightiest(self) -> Iterator[str]:
        """What training had of what was named, what else speaks most against the gold tree, and what most for it."""
        assert self._difference is not None
        blamed = self._verdict.kind in (VerdictKind.MODEL, VerdictKind.RERANKING)
        told = [self._named, self._heaviest] if blamed else []
        if blamed and self._named is not None:
            yield from self._contrast.evidence(self._named)
        rows = [row for row in self._difference.rows if math.isfinite(row.contribution) and row not in told]
        for title, some in (
            (_ALSO_AGAINST if blamed else _AGAINST, [row for row in rows if row.contribution <= -LEAST_NATS]),
            (_FOR, [row for row in rows if row.contribution >= LEAST_NATS]),
        ):
            # What both have is no reason by itself: it follows from something else that its estimate differs.
            own = [row for row in some if row.kind not in RERANKERS_KINDS and not _in_both(row)]
            if own:
                row = max(own, key=lambda row: abs(row.contribution))
                yield f"{title}: {self._contrast.text(row)}, {number(abs(row.contribution), 2)} nats."


def _in_both(row: LedgerRow) -> bool:
    return row.first is not None and row.second is not None and row.first.what == row.second.what


_AGAINST, _ALSO_AGAINST = "Against the gold tree speaks most", "Against the gold tree also speaks"
_FOR = "For the gold tree speaks most"


def contrast_of(parse: Parse, gold: Scored, names: tuple[str, str] = PARSE_AND_GOLD) -> Contrast:
    """What tells the differences between a parse and a tree that it is held against."""
    trees = (
        TreeInWords(parse.roots, parse.sentence.proper_words, parse.sentence.proper_tags),
        TreeInWords((gold.root,), gold.sentence.proper_words, gold.sentence.proper_tags),
    )
    in_parse = Training(parse.explainer(), parse.roots)
    return Contrast(*trees, in_parse, Training.of_tree(parse, gold, gold.further_backoff), names)


def _first(text: str, all_of_them: Sequence[object]) -> str:
    """The first of several, and how many more there are than those that follow as reasons."""
    more = len(all_of_them) - MOST_REASONS
    return text + (f" (of {len(all_of_them)} such things the first)" if more > 0 else "")


def _listed(parse: Parse) -> int:
    """How many parses were re-ranked: those that voted, else as many as were asked for."""
    if parse.votes is not None:
        return parse.votes.voters
    return parse.settings.list_length(parse.distribution is not None)


def _ahead(verdict: Verdict) -> str:
    """That the model prefers a gold tree which the search did not come up with; ends where that is told."""
    if not verdict.found_nothing or verdict.strict is None:
        return f"the gold tree is ahead of the parse by {_lead(-verdict.nats, _is_reranked(verdict))}, but"
    possible = number(verdict.strict.log_probability)
    return f"no tree was found, though gold is possible (log probability {possible}):"


def _voted_down(verdict: Verdict) -> str:
    told = f"the gold tree is ahead of the parse by {_lead(-verdict.nats, True)}"
    if verdict.listed is not None:
        own, others = percents_told_apart(verdict.judged.expected_f1, verdict.listed.expected_f1)
        told += f", but its expected F1 over the list is {others}, and that of the parse {own}."
    else:
        told += "; the list has not got it, but a tree that scores as high, which lost the vote."
    finds_gold = verdict.repair is not None and verdict.repair.finds_gold
    return f"{told} Choosing by score finds {'it' if finds_gold else 'a tree at least as good'}."


def _further(verdict: Verdict) -> str:
    """What further back-off, if the parse was found with it, makes of the gold tree."""
    nats, reranked = verdict.nats, _is_reranked(verdict)
    if not verdict.judged.further_backoff:
        return ""
    if math.isinf(nats):
        what = "under which the gold tree is impossible, too"
    elif abs(nats) <= TOLERANCE:
        what = "under which both trees have the same score"
    elif nats > 0:
        what = f"under which it is ahead by {_lead(nats, reranked)}"
    else:
        what = f"under which the gold tree is ahead by {_lead(-nats, reranked)}, but the search lost it"
    return f" The parse was found with further back-off, {what}."


def _wrong_tags(comparison: TreeComparison) -> str:
    """The words that are tagged otherwise than in gold; those of one sort are told once."""
    first, second = comparison.first, comparison.second
    found = Counter((second.words[token], first.tags[token], second.tags[token]) for token in comparison.wrong_tags)
    shown = [
        f"{quoted(word)} is tagged {tag_text(tag)}, not {tag_text(gold)}" + (f" ({times(count)})" if count > 1 else "")
        for (word, tag, gold), count in list(found.items())[:2]
    ]
    more = sum(list(found.values())[2:])
    return joined([*shown, size(more, "other tag is wrong", "other tags are wrong")] if more else shown)


def _nats(value: float) -> str:
    return f"{amount(value)} nats"


def _lead(value: float, reranked: bool) -> str:
    """A difference of two scores: nats, for they are logarithms of probabilities, unless a re-ranker adds to them."""
    return f"{amount(value)} in score" if reranked else _nats(value)


def _is_reranked(verdict: Verdict) -> bool:
    """Whether the scores of parse and gold tree are not their log P: a re-ranker has added to them."""
    return any(one.score != one.log_probability for one in (verdict.judged, verdict.gold))


def counted_verdicts(kind: VerdictKind, count: int) -> str:
    """So many sentences with a verdict: ``5 model errors``, ``24 right``."""
    return size(count, kind, f"{kind}s" if kind.endswith("error") else kind)


def loss_text(loss: Loss, gold: Scored) -> str:
    """What the chart lost of the gold tree, where, and by which rule."""
    words = words_text(gold.sentence.proper_words[loss.start : loss.end])
    what = f"{loss.label} over {words} (cell {loss.start}–{loss.end})"
    if loss.pruning_reason == NEVER_PROPOSED:
        return f"{what} has no edge in the chart: a part that it begins with was pruned"
    out_of_beam = loss.pruning_reason == OUT_OF_BEAM
    rule = f"out of the beam (β = {loss.beam:g})" if out_of_beam else loss.pruning_reason
    return f"{what} was pruned: {rule}, by {loss.margin:.2f} nats"


def repair_text(repair: Repair) -> str:
    """What has to be another one so that the gold tree is found: ``β = 11,100 and a list of 45``."""
    parts = []
    if repair.beam is not None:
        parts.append(f"β = {repair.beam:,.10g}")
    if repair.threshold is not None:
        parts.append(f"a threshold of {number(repair.threshold, 0)}")
    if repair.rerank is not None:
        parts.append(f"a list of {repair.rerank}")
    if repair.by_score:
        parts.append("the choice by score")
    return joined(parts)


def _repaired(repair: Repair) -> str:
    """What a repair does, as a sentence."""
    named = repair_text(repair) if repair.beam is not None else repair_text(repair).capitalize()
    several = len(repair.changes()) > 1
    if repair.finds_gold:
        return f"{named} {'keep' if several else 'keeps'} it"
    return f"{named} {'find' if several else 'finds'} a tree at least as good"


# Any tree under our model: why our parser has another one, and how it stands to the gold tree.

_SAME = 1e-6


def tree_sentences(judged: TreeJudgement) -> tuple[str, ...]:
    """What our model says of a tree: against our parse, and if gold is known, against gold."""
    standing, parse = judged.standing, judged.verdict.judged
    told = [_against_gold(judged.scored, standing, parse)] if standing is not None else []
    return _against_parse(judged.verdict), *told


def _against_parse(found: Verdict) -> str:
    """Why our parser has not this tree, which was taken for gold."""
    behind = _lead(abs(found.nats), _is_reranked(found)) if math.isfinite(found.nats) else ""
    match found.kind:
        case VerdictKind.RIGHT:
            return "Our parser makes this very tree."
        case VerdictKind.OUTSIDE:
            assert found.strict is not None
            contrast = contrast_of(found.judged, found.strict, _OURS_AND_THIS)
            why = contrast.obstacle(found.impossibilities[0], found.difference)
            return f"Our model cannot have this tree. {why}"
        case VerdictKind.TAGS:
            return "From the tags of this tree our parser makes it; from the tags that it was given it does not."
        case VerdictKind.RERANKING:
            return f"This tree is more probable than our parse, but the re-ranker puts it {behind} behind."
        case VerdictKind.MODEL if abs(found.nats) <= _SAME:
            return "Our model gives this tree and its own parse the same score."
        case VerdictKind.MODEL:
            return f"Our model prefers its own parse by {behind}."
        case VerdictKind.VOTED:
            return "This tree has a higher score than our parse, but a smaller expected F1."
        case VerdictKind.LIST | VerdictKind.SEARCH:
            but = "it is not among the best parses" if found.kind is VerdictKind.LIST else "the search lost it"
            return f"Our model prefers this tree{f' by {behind}' if behind else ''}, but {but}."
        case other:
            assert_never(other)


def _against_gold(scored: Scored, standing: GoldStanding, parse: Parse) -> str:
    """How a tree stands to the gold tree."""
    if standing.score.complete:
        return "It has the brackets of the gold tree."
    told = f"Its F1 against the gold tree is {number(standing.f1, 1)} %"
    if not standing.gold.possible:
        why = contrast_of(parse, standing.gold).obstacle(standing.gold.impossibilities[0])
        return f"{told}; our model cannot have the gold tree. {why}"
    if not scored.possible:
        return f"{told}; our model can have the gold tree, not this one."
    reranked = any(one.score != one.log_probability for one in (scored, standing.gold))
    if abs(standing.nats) <= _SAME:
        return f"{told}; our model gives both the same score."
    if standing.nats > 0:
        ahead = _lead(standing.nats, reranked)
        return f"{told}; our model makes the same mistake: it prefers this tree to the gold tree by {ahead}."
    return f"{told}; our model prefers the gold tree by {_lead(-standing.nats, reranked)}."


# Errors by class, their brackets, and cells of the table of errors.


def error_description(error: ParseError, held_against: str = GOLD_TREE) -> str:
    """The error in one sentence; `held_against` is what the parse is held against, if it is not the gold tree."""
    words, other = words_text(error.words.split(" ")), "gold" if held_against == GOLD_TREE else held_against
    match error.found:
        case Attached(parse, gold):
            return f"{words} is attached to {_phrase(parse)}, in {other} to {_other_phrase(gold, parse)}."
        case Coordinated(conjunction, parse, gold):
            return f"{quoted(conjunction)} {_joins(parse)}, in {other} {_joins(gold, parse)}."
        case Labelled(parse, gold):
            return f"{words} is labelled {parse}, in {other} {gold}."
        case Bracketed(label, in_gold):
            return f"{label} over {words} is {'missing' if in_gold else f'not in {other}'}."
        case found:
            assert_never(found)


def _joins(conjuncts: tuple[Phrase, ...], told: tuple[Phrase, ...] = ()) -> str:
    """What a conjunction joins, or which flat phrase it is in; of two that were told only what is otherwise."""
    it = "it " if told else ""
    if len(conjuncts) == 1:
        return f"{it}is a word of the flat {_phrase(conjuncts[0])}"
    left, right = map(_phrase, conjuncts)
    if len(told) == 2 and conjuncts[1] == told[1]:
        return f"to {_other_phrase(conjuncts[0], told[0])}"
    verb = "" if len(told) == 2 else f"{it}joins "
    return f"{verb}{right} to {left}"


def _phrase(phrase: Phrase) -> str:
    return f"{phrase.label or 'the top'} {words_text(phrase.words)}"


def _other_phrase(phrase: Phrase, told: Phrase) -> str:
    """A phrase told apart from another one that would read the same."""
    if _phrase(phrase) != _phrase(told):
        return _phrase(phrase)
    label = phrase.label or "phrase"
    if len(phrase.words) == len(told.words):
        return f"another {label} of the same words"
    return f"a {'longer' if len(phrase.words) > len(told.words) else 'shorter'} {label} that begins and ends so"


def error_as_dict(error: ParseError) -> dict[str, Any]:
    """An error as JSON has it, with its headline."""
    return {
        "headline": error_headline(error).as_dict(),
        "kind": error.kind,
        "missing": [asdict(span) for span in error.missing],
        "extra": [asdict(span) for span in error.extra],
        "start": error.start,
        "end": error.end,
        "words": error.words,
        "description": error_description(error),
        "f1": error.f1,
    }


def error_headline(error: ParseError, held_against: str = GOLD_TREE) -> Headline:
    """What was got wrong, and what it costs."""
    cost = f"It costs {points}." if (points := _points(error.f1)) else "It costs no F1 by itself."
    wrong = size(len(error.missing), "bracket is missing", "brackets are missing")
    extra = size(len(error.extra), "bracket is extra", "brackets are extra")
    counted = [part for part, there in ((wrong, error.missing), (extra, error.extra)) if there]
    reasons = (f"{' and '.join(counted)}.",) if counted else ()
    description = error_description(error, held_against).rstrip(".")
    return Headline(f"{capital(error.kind.value)}: {description}. {cost}", reasons)


def _points(f1: float) -> str:
    """So many points of F1; nothing for none."""
    if f1 < 0.05:
        return "less than 0.1 points of F1" if f1 > 0 else ""
    return f"{f1:.1f} points of F1" if f"{f1:.1f}" != "1.0" else "1 point of F1"


def error_cell_headline(
    kind: ErrorClass | None, verdict: VerdictKind | None, cell: ErrorCell, sentences: int, share: float
) -> Headline:
    """A cell of the table of errors: how many of a class (or all) under a verdict (or any), and what they cost.

    Parameters
    ----------
    kind, verdict
        The class and the verdict; ``None`` for all.
    cell
        What the table holds there.
    sentences
        How many sentences have the verdict, whatever their errors are.
    share
        The part of all errors that are these.
    """
    named = f"{capital(kind.value)}: " if kind is not None else ""
    where = f" with the verdict “{verdict}”" if verdict is not None else ""
    many = size(sentences, "sentence was judged so", "sentences were judged so")
    judged = (f"{many} in all.",) if verdict is not None else ()
    if not cell.count:
        return Headline(f"{named or 'Errors: '}none in the sentences{where}.", judged)
    in_sentences = size(len(cell.sentences), "sentence")
    if kind is None:
        told = f"{size(cell.count, 'error')} in {in_sentences}{where}."
    else:
        told = f"{named}{size(cell.count, 'error')} of this class in {in_sentences}{where}."
    if points := _points(cell.f1).removesuffix(" of F1"):
        told += f" Without {'it' if cell.count == 1 else 'them'} F1 would be {points} higher."
    reasons = list(judged)
    if kind is not None or verdict is not None:
        percent = 100 * share
        reasons.insert(0, f"That is {f'{percent:.0f} %' if percent >= 0.5 else 'less than 1 %'} of all errors.")
    return Headline(told, tuple(reasons))


def bracket_headline(error: ParseError, bracket: Span, words: Sequence[str], held_against: str = GOLD_TREE) -> Headline:
    """One bracket in which two trees differ, and the error that it belongs to.

    `words` are all tokens; `held_against` is what the parse is held against.
    """
    over = words_text(words[bracket.start : bracket.end])
    if bracket in error.missing:
        told = f"{bracket.label} over {over} is missing: {held_against} has it, and the parse has not."
    else:
        told = f"{bracket.label} over {over} is extra: the parse has it, and {held_against} has not."
    if bracket.inside:
        told += " It is inside a baseNP, of which the score sees nothing."
    whole = error_headline(error, held_against)
    return Headline(told, (f"It belongs to this error. {whole.sentence}",))


# Two parses of a sentence.


def comparison_headline(first: Parse, second: Parse, titles: tuple[str, str]) -> Headline:
    """How the second of two parses differs from the first, and by how much."""
    name = difference_name(second, first, 3)
    if first.tree == second.tree:
        return Headline(f"{titles[0]} and {titles[1]} are the same tree.")
    told = f"{titles[1]} against {titles[0]}: {name}."
    if first.fallback or second.fallback or first.sentence.positions != second.sentence.positions:
        return Headline(told)
    if first.model is not second.model or first.settings.switches() != second.settings.switches():
        return Headline(told, ("The two are scored by different estimates, so their scores cannot be compared.",))
    ahead = second.score - first.score
    reranked = any(one.score != one.log_probability for one in (first, second))
    if not math.isfinite(ahead):
        return Headline(f"{told} {titles[1] if ahead < 0 else titles[0]} is impossible for the model.")
    if abs(ahead) < 0.005:
        return Headline(f"{told} Their scores are the same.")
    better = titles[1] if ahead > 0 else titles[0]
    if reranked:
        return Headline(f"{told} {better} is {amount(ahead)} ahead in score.")
    return Headline(f"{told} {better} is {times_as_probable(abs(ahead))}.")


# Pages of verdicts and errors: the numbers behind the headline, and what a class of errors means.

ROWS_SHOWN = 8
_SOURCE = "The classes are those of Kummerfeld, Hall, Curran and Klein (2012)."
MISSING, EXTRA = "missing", "extra"
"""What a bracket is called that only the tree held against it has, and one that only the parse has."""


def explain_verdict(verdict: Verdict, errors: Sequence[ParseError], headline: Headline | None = None) -> Explanation:
    """The verdict on a parse: what it means, its numbers, what was lost or never seen, and the errors.

    Its `headline` is made, if nobody has made it.
    """
    blocks: list[ExplanationBlock] = [Paragraph(_meaning(VERDICTS, verdict.kind))]
    blocks += [Heading("Numbers", Section.VERDICT), _numbers(verdict)]
    if verdict.losses:
        blocks += [Heading("What the search lost, first loss first", Section.LOST), _losses(verdict.losses, verdict)]
    if verdict.impossibilities:
        assert verdict.strict is not None
        contrast = contrast_of(verdict.judged, verdict.strict)
        rows = tuple(
            (str(one.cause), contrast.obstacle(one, verdict.difference)) for one in verdict.impossibilities[:ROWS_SHOWN]
        )
        blocks += [Heading("What makes the gold tree impossible", Section.LOST), TableBlock(("cause", "what"), rows)]
        blocks += _left_out(len(verdict.impossibilities))
    if verdict.comparison.wrong_tags:
        blocks += [Heading("Tags that differ", Section.TAGS), _tags(verdict.comparison)]
    if verdict.difference is not None and verdict.difference.rows:
        blocks += [Heading("What weighs most", Section.COSTS), _weights(verdict.difference)]
        blocks += _left_out(len(verdict.difference.rows))
    if errors:
        blocks += [Heading("Errors", Section.ERRORS), errors_table(errors)]
    trees = verdict.comparison
    subtitle = f"F1 {trees.f1:.1f} %,  {trees.parseval.matched} of {size(trees.parseval.gold, 'gold bracket')} found"
    return Explanation(f"Verdict: {verdict.kind}", subtitle, tuple(blocks), headline or verdict_headline(verdict))


def explain_comparison(compared: Compared) -> Explanation:
    """Two parses that no verdict is on, or not yet."""
    blocks: list[ExplanationBlock] = [Paragraph("The verdict is being found …", quiet=True)] if compared.judging else []
    if compared.errors:
        blocks += [Heading("What differs", Section.ERRORS), errors_table(compared.errors)]
    title = f"{compared.titles[0]} against {compared.titles[1]}"
    return Explanation(title, compared.score, tuple(blocks), compared.headline)


def parseval_text(trees: TreeComparison) -> str:
    """PARSEVAL of the first tree against the second, in a line."""
    score = trees.parseval
    parts = [
        f"F1 {trees.f1:.1f} %",
        f"recall {score.matched}/{score.gold}",
        f"precision {score.matched}/{score.proposed}",
        f"crossing {score.crossing}",
    ]
    arrows = len(trees.matching_arrows)
    parts.append(f"arrows {arrows}/{arrows + len(trees.missing_arrows)}")
    if trees.wrong_tags:
        parts.append(size(len(trees.wrong_tags), "tag differs", "tags differ"))
    return "   ".join(parts)


def explain_error(
    error: ParseError, place: tuple[int, int], words: Sequence[str], held_against: str = GOLD_TREE
) -> Explanation:
    """An error: its class, what that means, and its brackets.

    Parameters
    ----------
    error
        The error.
    place
        Its number among the errors of the parse, from 1, and how many there are.
    words
        All tokens of the sentence.
    held_against
        What the parse is held against.
    """
    subtitle = f"error {place[0]} of {place[1]},  costs {error.f1:.1f} of F1" if error.f1 >= 0.05 else _place(place)
    blocks = _about(error, words, None, held_against)
    return Explanation(
        f"{capital(error.kind.value)}: {_short(error.words)}", subtitle, blocks, error_headline(error, held_against)
    )


def explain_bracket(
    error: ParseError, bracket: Span, place: tuple[int, int], words: Sequence[str], held_against: str = GOLD_TREE
) -> Explanation:
    """One bracket in which two trees differ: on which side it is, and the error that it belongs to."""
    side = MISSING if bracket in error.missing else EXTRA
    title = f"{bracket.label}: {_short(' '.join(words[bracket.start : bracket.end]))}"
    headline = bracket_headline(error, bracket, words, held_against)
    blocks = _about(error, words, bracket, held_against)
    return Explanation(title, f"{side} bracket of {_place(place)}", blocks, headline)


def explain_error_cell(table: ErrorTable, id: ErrorCellId) -> Explanation | None:
    """A cell, a row or a column of the error table; ``None`` where the table has no such row or column."""
    kind = next((one for one in table.kinds if one == id.kind), None)
    verdict = next((one for one in table.verdicts if one == id.verdict), None)
    if (id.kind and kind is None) or (id.verdict and verdict is None):
        return None
    cell = table.cell(kind, verdict)
    sentences = table.sentences[verdict] if verdict is not None else table.judged
    share = cell.count / table.errors if table.errors else 0.0
    blocks: list[ExplanationBlock] = []
    if kind is not None:
        blocks.append(Paragraph(f"{capital(kind.value)}: {_meaning(ERRORS, kind, False)} {_SOURCE}"))
    if verdict is not None:
        blocks.append(Paragraph(f"{capital(verdict.value)}: {_meaning(VERDICTS, verdict, False)}"))
    rows = [
        ("errors", f"{cell.count:,}"),
        ("sentences with them", f"{len(cell.sentences):,}"),
        ("brackets missing", f"{cell.missing:,}"),
        ("brackets extra", f"{cell.extra:,}"),
        ("cost in F1", f"{cell.f1:.2f}" if cell.f1 >= 0.005 else "≈ 0"),
    ]
    if cell.count:
        blocks += [Heading("Numbers", Section.VERDICT), TableBlock(("what", "number"), tuple(rows), (1,))]
    title = ", ".join(str(one) for one in (kind, verdict) if one is not None) or "all errors"
    headline = error_cell_headline(kind, verdict, cell, sentences, share)
    return Explanation(capital(title), "a cell of the error table", tuple(blocks), headline)


def errors_table(errors: Sequence[ParseError]) -> TableBlock:
    """Errors, the most costly first."""
    rows = tuple((str(error.kind), _short(error.words), f"{error.f1:.1f}") for error in errors)
    return TableBlock(("error", "words", "costs F1"), rows, (2,))


def _about(
    error: ParseError, words: Sequence[str], chosen: Span | None, held_against: str
) -> tuple[ExplanationBlock, ...]:
    """What the class means, and the brackets; the one that is `chosen` is marked."""
    meaning = f"{capital(error.kind.value)}: {_meaning(ERRORS, error.kind, False)} {_SOURCE}"
    brackets = [(MISSING, one) for one in error.missing] + [(EXTRA, one) for one in error.extra]
    rows = tuple((side, one.label, _short(" ".join(words[one.start : one.end]))) for side, one in brackets)
    marked = next((number for number, (_, one) in enumerate(brackets) if one == chosen), -1)
    blocks: list[ExplanationBlock] = [Paragraph(meaning)]
    if rows:
        table = TableBlock(("bracket", "label", "words"), rows, marked=marked)
        note = Paragraph(f"Missing brackets are in {held_against} alone, extra ones in the parse alone.", True)
        blocks += [Heading("Brackets", Section.BRACKETS), table, note]
    if any(one.inside for _, one in brackets):
        blocks.append(
            Paragraph("Brackets inside baseNPs are outside the score: no factor of the model sees them.", True)
        )
    return tuple(blocks)


def _meaning(sort: str, name: str, capitalised: bool = True) -> str:
    gloss = glosses()[sort][str(name)]
    return f"{gloss.sentence if capitalised else gloss.text}."


def _place(place: tuple[int, int]) -> str:
    return f"error {place[0]} of {place[1]}"


def _short(words: str) -> str:
    found = words.split()
    return " ".join(found if len(found) <= MOST_WORDS else [*found[: MOST_WORDS - 3], "…", *found[-2:]])


def _left_out(count: int) -> list[ExplanationBlock]:
    more = count - ROWS_SHOWN
    return [Paragraph(f"and {more:,} more", True)] if more > 0 else []


def _numbers(verdict: Verdict) -> TableBlock:
    """Log P and score of both trees, the price of the gold tree, and what would repair the search."""
    judged, gold = verdict.judged or verdict.parse, verdict.gold
    # A cover of fragments has no probability.
    own = "–" if judged.fallback else log_text(judged.log_probability, 3)
    rows = [("log P", own, log_text(gold.log_probability, 3))]
    if not judged.fallback and judged.score != judged.log_probability:
        rows.append(("score", log_text(judged.score, 3), log_text(gold.score, 3)))
    if verdict.kind is not VerdictKind.RIGHT and not math.isnan(verdict.nats):
        price = "impossible" if math.isinf(verdict.nats) else log_text(verdict.nats, 3)
        rows.append(("price of the gold tree", "", price))
    if judged.expected_f1 is not None:
        rows.append(("expected F1", f"{100 * judged.expected_f1:.2f} %", ""))
    rows += [(name, "", value) for name, value in _repair(verdict.repair)]
    score = verdict.comparison.parseval
    rows.append(("brackets", f"{score.proposed:,}", f"{score.gold:,}"))
    rows.append(("of them in both", f"{score.matched:,}", f"{score.matched:,}"))
    return TableBlock(("", "parse", "gold"), tuple(rows), (1, 2))


def _repair(repair: Repair | None) -> list[tuple[str, str]]:
    if repair is None:
        return []
    found = []
    if repair.beam is not None:
        found.append(("β that keeps it", beam_text(repair.beam)))
    if repair.threshold is not None:
        found.append(("threshold that keeps it", log_text(repair.threshold, 0)))
    if repair.rerank is not None:
        found.append(("parses to re-rank", f"{repair.rerank:,}"))
    if repair.by_score:
        found.append(("chosen by", "score"))
    found.append(("then found", "the gold tree" if repair.finds_gold else "one as good"))
    return found


def _losses(losses: Sequence[Loss], verdict: Verdict) -> TableBlock:
    words = (verdict.judged or verdict.parse).sentence.proper_words
    rows = tuple(
        (
            f"{one.label} ({words[one.head]})",
            _short(" ".join(words[one.start : one.end])),
            log_text(one.score) if math.isfinite(one.score) else "–",
            log_text(one.best) if math.isfinite(one.best) else "–",
            log_text(one.margin) if math.isfinite(one.margin) else "–",
            one.pruning_reason,
        )
        for one in losses[:ROWS_SHOWN]
    )
    return TableBlock(("chart item", "words", "log P", "best there", "lost by", "why"), rows, (2, 3, 4), aside=5)


def _tags(trees: TreeComparison) -> TableBlock:
    rows = tuple(
        (trees.second.words[token], trees.first.tags[token], trees.second.tags[token]) for token in trees.wrong_tags
    )
    return TableBlock(("word", "parse", "gold"), rows)


def _weights(difference: LedgerDifference) -> TableBlock:
    rows = tuple(
        (
            signed(row.contribution),
            row.first.what if row.first is not None else "–",
            row.second.what if row.second is not None else "–",
        )
        for row in difference.rows[:ROWS_SHOWN]
    )
    return TableBlock(("nats", "parse", "gold"), rows, (0,))
