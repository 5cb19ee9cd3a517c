"""Hints for a second try, made from what the model looks at: Δ between the words, their tags, their labels; no Qt."""

from __future__ import annotations

from collections.abc import Sequence

from engine.estimates.dependency_probabilities import ROOT
from engine.structure.distance import Ruler

GAP_HINT = "Look at the tags on both sides, {left} and {right}: does a noun phrase begin, go on or end between them?"
HEAD_HINT = "Look at the words between ‘{word}’ and each word that it could modify."
RELATION_HINT = (
    "A relation names three labels: the phrase that ‘{word}’ heads, the phrase that both are in, and the head's own."
)
TREE_HINT = "Find the word whose head differs, and ask with which of the two heads such a word is seen more often."
BEAM_HINT = "The beam compares constituents over the same words: one that is far behind the best of them falls."
EDGE_HINT = (
    "An edge can only join constituents that are in the chart by now, and short spans are filled before long ones."
)


def head_hint(ruler: Ruler, words: Sequence[str], modifier: int, chosen: int, right: int) -> str:
    """What to look at for a student who chose a wrong head; empty for the right one.

    It names an answer to one of the six questions of Δ in which the two heads differ, without naming the right one.
    """
    if chosen == right:
        return ""
    word = words[modifier]
    if chosen == ROOT:
        return f"One word heads the whole sentence. Is there a word that ‘{word}’ says more about?"
    head = words[chosen]
    if right == ROOT:
        return (
            f"Ask what the sentence is about as a whole: is ‘{word}’ a part of what ‘{head}’ heads, or the other way?"
        )
    if chosen not in ruler.reduced or right not in ruler.reduced:
        return f"Look at the words between ‘{word}’ and ‘{head}’."
    mine, theirs = ruler.distance(modifier, chosen), ruler.distance(modifier, right)
    if mine.verb_between and not theirs.verb_between:
        return f"There is a verb between ‘{word}’ and ‘{head}’: arrows seldom reach across one."
    if mine.commas > theirs.commas:
        return f"There is a comma between ‘{word}’ and ‘{head}’: arrows seldom reach across one."
    if mine.head_first != theirs.head_first:
        side = "after" if not mine.head_first else "before"
        return f"‘{head}’ stands {'before' if mine.head_first else 'after'} ‘{word}’: look at the words {side} it, too."
    if mine.adjacent:
        return f"‘{head}’ is the nearest word, and the nearest is not always the head: look further."
    if theirs.adjacent:
        return f"Look at the words between ‘{word}’ and ‘{head}’: one of them may be nearer to it in meaning, too."
    return f"Look at the words between ‘{word}’ and ‘{head}’."
