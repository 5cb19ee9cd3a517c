"""Headlines of gaps: whether a baseNP starts, goes on or ends between two words (section 2.5)."""

from __future__ import annotations

from collections.abc import Callable

from engine.analysis.headlines.count_reasons import gap_reason
from engine.analysis.headlines.explained_parse import ExplainedParse, closeness
from engine.analysis.headlines.headline import Closeness, DecidedBy, Headline
from engine.analysis.headlines.wording import probability, quoted
from engine.chart.parse import Parse
from engine.structure.constraints import GapTag

GAP_MEANINGS = {
    "S": "a baseNP starts between {left} and {right}",
    "C": "{left} and {right} stand in the same baseNP",
    "E": "a baseNP ends between {left} and {right}",
    "B": "one baseNP ends and the next starts between {left} and {right}",
    "N": "neither {left} nor {right} is in a baseNP",
}
"""What a gap tag says of the two words beside it."""


def gap_headline(explained: ExplainedParse, position: int, letter: str = "") -> Headline:
    """What the tag of the gap before a word says, and how sure it is; or of a tag that was not chosen why not."""
    chosen = explained.parses.gap_tags(explained.parse)[position - 1]
    chances = explained.explainer.gap_distribution(position)
    left, right = quoted(explained.words[position - 1]), quoted(explained.words[position])
    if letter and letter != chosen:
        return _not_chosen(explained, position, letter, chosen, chances)
    ranked = sorted((one for one in chances if one != chosen), key=lambda one: -chances[one])
    rival = ranked[0]
    how_close = closeness(chances[chosen], chances[rival])
    leads = chances[chosen] >= chances[rival]
    forced = any(
        isinstance(one, GapTag) and (one.position, one.tag, one.forbid) == (position, chosen, False)
        for one in explained.constraints
    )
    tie = how_close is Closeness.TIE
    choice = explained.choice(
        lambda one: explained.parses.gap_tags(one)[position - 1 : position] == chosen, leads, forced, tie
    )
    meaning = _meaning(chosen, left, right)
    own, others = probability(chances[chosen]), probability(chances[rival])
    if how_close is Closeness.ONLY:
        told = f"No other tag than {chosen} is possible"
    elif how_close is Closeness.CLEAR:
        told = f"Clear: {chosen} {own}, next best {rival} {others}"
    elif how_close is Closeness.LIKELIER:
        told = f"{chosen} is likelier than {rival}: {own} against {others}"
    elif how_close is Closeness.TIE:
        told = f"Nearly a tie: {chosen} {own}, {rival} {others}"
    else:
        told = f"By itself {rival} is likelier, {others} against {own}"
    if choice.decided_by is not DecidedBy.ESTIMATE:
        told += f"; {choice.text}"
    reasons = [gap_reason(explained, explained.explainer.gap(position, chosen))]
    if how_close in (Closeness.TIE, Closeness.UNLIKELIER):
        reasons.append(gap_reason(explained, explained.explainer.gap(position, rival)))
    if choice.rival is not None:
        other = explained.parses.gap_tags(choice.rival.parse)[position - 1 : position]
        reasons.append(choice.rival.text(f"with {other} here"))
    return Headline(f"{meaning} ({chosen}). {told}.", tuple(reasons), how_close, choice.decided_by)


def _not_chosen(
    explained: ExplainedParse, position: int, letter: str, chosen: str, chances: dict[str, float]
) -> Headline:
    left, right = quoted(explained.words[position - 1]), quoted(explained.words[position])
    own, others = probability(chances[letter]), probability(chances[chosen])
    would = GAP_MEANINGS[letter].format(left=left, right=right)
    opening = f"{letter} is not the tag of this gap; it would mean that {would}."
    if not chances[letter]:
        told = f"The model holds it for impossible here; the parse has {chosen}, {others}."
    elif chances[letter] > chances[chosen]:
        told = f"By itself it is likelier than {chosen}, {own} against {others}; the rest of the tree decides."
    else:
        told = f"It is less likely than {chosen}: {own} against {others}."
    reasons = [gap_reason(explained, explained.explainer.gap(position, letter))]
    has_tag = _has_tag(explained, position, letter)
    rival = explained.rival(lambda one: not has_tag(one))
    if rival is not None:
        reasons.append(rival.text(f"with {letter} here"))
    return Headline(f"{opening} {told}", tuple(reasons))


def _has_tag(explained: ExplainedParse, position: int, letter: str) -> Callable[[Parse], bool]:
    def same(parse: Parse) -> bool:
        return explained.parses.gap_tags(parse)[position - 1] == letter

    return same


def _meaning(letter: str, left: str, right: str) -> str:
    told = GAP_MEANINGS[letter].format(left=left, right=right)
    return told[:1].upper() + told[1:]
