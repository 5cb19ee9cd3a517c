"""Headlines of comparisons: of two parses, of a verdict on a wrong parse, and of one error."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.analysis.comparison.error_classes import ParseError
from engine.analysis.comparison.tree_comparison import Span, quoted
from engine.analysis.comparison.verdict_reasons import verdict_reasons
from engine.analysis.comparison.verdicts import Verdict
from engine.analysis.headlines.headline import Headline
from engine.analysis.headlines.wording import amount, capital, times_as_probable
from engine.analysis.parse_differences import difference_name
from engine.chart.parse import Parse
from engine.common.text_tables import size


def verdict_headline(verdict: Verdict) -> Headline:
    """What is to blame for a wrong parse, and what weighs most."""
    return Headline(verdict.sentence, verdict_reasons(verdict))


def error_headline(error: ParseError) -> Headline:
    """What was got wrong, and what it costs."""
    cost = "It costs no F1 by itself."
    if error.f1 >= 0.05:
        cost = f"It costs {error.f1:.1f} points of F1."
    elif error.f1 > 0:
        cost = "It costs less than 0.1 points of F1."
    wrong = size(len(error.missing), "bracket is missing", "brackets are missing")
    extra = size(len(error.extra), "bracket is too many", "brackets are too many")
    counted = [part for part, there in ((wrong, error.missing), (extra, error.extra)) if there]
    reasons = (f"{' and '.join(counted)}.",) if counted else ()
    return Headline(f"{capital(error.kind.value)}: {error.description.rstrip('.')}. {cost}", reasons)


def bracket_headline(error: ParseError, bracket: Span, words: Sequence[str]) -> Headline:
    """One bracket in which two trees differ, and the error that it belongs to; `words` are all tokens."""
    over = quoted(words[bracket.start : bracket.end])
    if bracket in error.missing:
        told = f"{bracket.label} over {over} is missing: the gold tree has it, and the parse has not."
    else:
        told = f"{bracket.label} over {over} is too many: the parse has it, and the gold tree has not."
    if bracket.inside:
        told += " It is inside a baseNP, of which the score sees nothing."
    whole = error_headline(error)
    return Headline(told, (f"It belongs to this error. {whole.sentence}", *whole.reasons))


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
