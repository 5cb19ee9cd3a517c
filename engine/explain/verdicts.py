"""Comparisons in a sentence: of two parses, of a verdict on a wrong parse, and of one error."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.chart.parse import Parse
from engine.common.numbers import amount, size, times_as_probable
from engine.explain.differences import difference_name
from engine.explain.wording import Headline, capital
from engine.study.comparison import Span, quoted
from engine.study.errors import ErrorClass, ParseError
from engine.study.treebank_report import ErrorCell
from engine.study.verdicts import Verdict, VerdictKind, verdict_reasons

GOLD_TREE = "the gold tree"


def verdict_headline(verdict: Verdict) -> Headline:
    """What is to blame for a wrong parse, and what weighs most."""
    return Headline(verdict.sentence, verdict_reasons(verdict))


def error_headline(error: ParseError) -> Headline:
    """What was got wrong, and what it costs."""
    cost = f"It costs {points}." if (points := _points(error.f1)) else "It costs no F1 by itself."
    wrong = size(len(error.missing), "bracket is missing", "brackets are missing")
    extra = size(len(error.extra), "bracket is extra", "brackets are extra")
    counted = [part for part, there in ((wrong, error.missing), (extra, error.extra)) if there]
    reasons = (f"{' and '.join(counted)}.",) if counted else ()
    return Headline(f"{capital(error.kind.value)}: {error.description.rstrip('.')}. {cost}", reasons)


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
    over = quoted(words[bracket.start : bracket.end])
    if bracket in error.missing:
        told = f"{bracket.label} over {over} is missing: {held_against} has it, and the parse has not."
    else:
        told = f"{bracket.label} over {over} is extra: the parse has it, and {held_against} has not."
    if bracket.inside:
        told += " It is inside a baseNP, of which the score sees nothing."
    whole = error_headline(error)
    return Headline(told, (f"It belongs to this error. {whole.sentence}",))


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
