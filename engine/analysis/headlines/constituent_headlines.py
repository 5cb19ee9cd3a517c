"""Headlines of constituents: baseNPs and phrases, what they do in the sentence and how sure they are."""

from __future__ import annotations

import math

from engine.analysis.headlines.explained_parse import Choice, ExplainedParse
from engine.analysis.headlines.factor_words import factor_text
from engine.analysis.headlines.headline import Closeness, DecidedBy, Headline
from engine.analysis.headlines.wording import all_best, amount, capital, probability, quoted, span_text
from engine.analysis.vote_shares import share_text, vote_on
from engine.chart.parse import Parse
from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.constraints import Bracket

_SURE, _UNSURE = 0.95, 0.6
"""Shares of the vote from which on a constituent is clear, and up to which it is nearly a tie."""
_COSTLY = 0.5
"""Nats from which on the dearest factor of a constituent is worth naming."""


def constituent_headline(explained: ExplainedParse, node: Constituent) -> Headline:
    """What a constituent of the parse is and does, and how sure it is."""
    label, start, end = node.label, node.start, node.end
    choice = explained.choice(lambda one: _has(explained, one, node), True, _forced(explained, node))
    what = f"{capital(_what(explained, node))} {_role(explained, node)}."
    share = vote_on(explained.parse.votes, label, start, end).share if explained.parse.votes is not None else None
    marked = label.endswith(JOINED) or _is_core(explained.parse, node)
    how_close, told = _sure(explained, node, None if marked else share, choice)
    reasons = []
    if choice.rival is not None:
        reasons.append(choice.rival.text("without it"))
    if node.is_base:
        reasons += _weakest_gap(explained, node)
    own = explained.explainer.own_factors((node,), True)
    dearest = min(own, key=lambda factor: factor.log, default=None)
    if dearest is not None and dearest.log < -_COSTLY and math.isfinite(dearest.log):
        reasons.append(f"What costs most in it is {factor_text(explained, dearest)}: {amount(dearest.log)} in log P.")
    return Headline(f"{what} {told}", tuple(reasons[:3]), how_close, choice.decided_by)


def _what(explained: ExplainedParse, node: Constituent) -> str:
    words = span_text(explained.words, node.start, node.end)
    if node.is_word:
        return f"the word {words}"
    return f"the baseNP {words}" if node.is_base else f"the {node.label.rstrip(JOINED)} {words}"


def _role(explained: ExplainedParse, node: Constituent) -> str:
    """What the constituent does: heads, modifies, or is the whole."""
    words = explained.words
    headed = f"is headed by {quoted(words[node.head])}"
    parent, place = _parent(explained.parse, node)
    if parent is None:
        if explained.parse.fallback:
            return f"{headed} and is a fragment: no tree spans the sentence"
        return f"is the whole sentence and {headed}"
    label = parent.label.rstrip(JOINED)
    if len(parent.children) == 1:
        return f"{headed} and stands alone under {label}"
    if place == parent.head_child:
        return f"{headed} and is the head of the {label} around it"
    if parent.label.endswith(JOINED):
        return f"{headed} and is joined to {quoted(words[parent.head])}"
    return f"{headed} and modifies {quoted(words[parent.head])}"


def _parent(parse: Parse, node: Constituent) -> tuple[Constituent | None, int]:
    for root in parse.roots:
        for above in root.walk():
            for place, child in enumerate(above.children):
                if child is node:
                    return above, place
    return None, 0


def _is_core(parse: Parse, node: Constituent) -> bool:
    parent, place = _parent(parse, node)
    return parent is not None and parent.head_label == CORE and place == parent.head_child


def _has(explained: ExplainedParse, parse: Parse, node: Constituent) -> bool:
    return (node.label, node.start, node.end) in explained.parses.brackets(parse)


def _forced(explained: ExplainedParse, node: Constituent) -> bool:
    return any(
        isinstance(one, Bracket)
        and not one.forbid
        and (one.start, one.end) == (node.start, node.end)
        and one.label in (None, node.label)
        for one in explained.constraints
    )


def _sure(
    explained: ExplainedParse, node: Constituent, share: float | None, choice: Choice
) -> tuple[Closeness | None, str]:
    """How sure the constituent is: by its share of the vote, or by how many of the list have it."""
    if choice.decided_by is DecidedBy.WHAT_IF:
        return None, "A what-if forces it."
    ending = "." if choice.decided_by is DecidedBy.ESTIMATE else f"; {choice.text}."
    if share is not None:
        if share >= 1 - 1e-9:
            return Closeness.ONLY, "Every parse of the list has it."
        told = f"{share_text(share)} of the list's probability is for it"
        if share >= _SURE:
            return Closeness.CLEAR, f"Clear: {told}{ending}"
        if share > _UNSURE:
            return Closeness.LIKELIER, f"{capital(told)}{ending}"
        if share >= 1 - _UNSURE:
            return Closeness.TIE, f"Nearly a tie: {told}{ending}"
        return Closeness.UNLIKELIER, f"Only {told}{ending}"
    listed = explained.listed
    if len(listed) < 2:
        return None, f"It spans {_words(node)}."
    having = sum(_has(explained, one, node) for one in listed)
    if having == len(listed):
        return Closeness.CLEAR, f"Clear: {all_best(len(listed))} have it."
    verb = "has" if having == 1 else "have"
    told = f"{having} of the {len(listed)} best parses {verb} it"
    rival = choice.rival
    if rival is not None and abs(rival.score) < 0.25:
        return Closeness.TIE, f"Nearly a tie: {told}{ending}"
    return Closeness.LIKELIER, f"{told}{ending}"


def _words(node: Constituent) -> str:
    count = node.end - node.start
    return "one word" if count == 1 else f"{count} words"


def _weakest_gap(explained: ExplainedParse, node: Constituent) -> list[str]:
    """The gap at or in a baseNP whose tag is least sure, if one is not quite sure."""
    tags, words = explained.parse.gap_tags, explained.words
    gaps = [position for position in range(node.start, node.end + 1) if 0 < position < len(words)]
    chances = {position: explained.explainer.gap_distribution(position)[tags[position - 1]] for position in gaps}
    weakest = min(gaps, key=lambda position: chances[position], default=0)
    if not gaps or chances[weakest] >= _SURE:
        return []
    left, right = quoted(words[weakest - 1]), quoted(words[weakest])
    told = probability(chances[weakest])
    return [f"Its least sure gap tag is {tags[weakest - 1]} between {left} and {right}: {told}."]


def restored_headline(explained: ExplainedParse, start: int, end: int, label: str) -> Headline:
    """A bracket that is no part of the search: one inside a baseNP, or the label over a cover of fragments."""
    words = span_text(explained.words, start, end)
    if explained.parse.fallback and end - start == len(explained.words):
        return Headline(f"{label} stands over fragments: no tree spans the sentence. It is no part of the score.")
    return Headline(f"The {label} {words} is put in after parsing, inside its baseNP. It is no part of the score.")
