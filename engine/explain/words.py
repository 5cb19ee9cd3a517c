"""Words, tags, punctuation and gaps in a sentence or two (sections 2.5 and 2.7)."""

from __future__ import annotations

from collections.abc import Callable

from engine.chart.parse import Parse
from engine.common.numbers import probability
from engine.estimates.ledger import ROOT
from engine.explain.attachments import gap_reason, head_headline
from engine.explain.context import ExplainedParse, closeness
from engine.explain.wording import Closeness, DecidedBy, Headline, quoted, span_text, tag_text
from engine.structure.constraints import FixedTag, GapTag
from engine.trees.tree import COMMA_TAGS

# Headlines of gaps: whether a baseNP starts, goes on or ends between two words (section 2.5).

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


# Headlines of words, of the tags that they have or could have, and of punctuation.

UNKNOWN_WORD = "The model has never seen this word, so its estimates rest on tags."


def word_headline(explained: ExplainedParse, position: int) -> Headline:
    """What a word does in the sentence, and how sure its tag is."""
    words, tag = explained.words, explained.tags[position]
    word = quoted(words[position])
    head = explained.heads.get(position)
    bases = explained.parse.basenps
    base = next((base for base in bases if base.start <= position < base.end), None)
    if head is None:
        assert base is not None
        does = f"is inside the baseNP {span_text(words, base.start, base.end)}, headed by {quoted(words[base.head])}"
    elif head == ROOT:
        does = "heads a fragment" if explained.parse.fallback else "heads the sentence"
    else:
        does = f"modifies {quoted(words[head])}"
    if base is not None and head is not None and base.end - base.start > 1:
        does += f", for the whole baseNP {span_text(words, base.start, base.end)}"
    tagged = _tag_choice(explained, position, tag)
    reasons = []
    if explained.parse.model.known_words(explained.parse.sentence)[position] < 0:
        reasons.append(UNKNOWN_WORD)
    if head is not None:
        arrow = head_headline(explained, position)
        reasons += [arrow.sentence, *arrow.reasons[:1]]
    told = f"{word} {does}. {_tag_text(explained, position, tag, tagged)}"
    return Headline(told, tuple(reasons), tagged.closeness, tagged.decided_by)


def tag_headline(explained: ExplainedParse, position: int, tag: str) -> Headline:
    """Why a word has this tag, or has not."""
    chosen, word = explained.tags[position], quoted(explained.words[position])
    if tag == chosen:
        tagged = _tag_choice(explained, position, tag)
        told = f"{word} is tagged {tag_text(tag)}. {_tag_text(explained, position, tag, tagged)}"
        return Headline(told, tagged.reasons, tagged.closeness, tagged.decided_by)
    chances = _chances(explained, position)
    own, others = probability(chances.get(tag, 0.0)), probability(chances.get(chosen, 0.0))
    told = f"{word} is not tagged {tag_text(tag)} but {tag_text(chosen)}."
    if _given(explained, position):
        told += (
            f" That tag was given; the tagger would have given {tag_text(tag)} {own} and {tag_text(chosen)} {others}."
        )
    elif chances.get(tag, 0.0) > chances.get(chosen, 0.0):
        told += f" The tagger prefers {tag_text(tag)}, {own} against {others}; {_other_reason(explained)}."
    else:
        told += f" The tagger prefers {tag_text(chosen)}, {others} against {own}."
    token = explained.parse.sentence.positions[position]
    rival = explained.rival(lambda one: one.sentence.tags[token] != tag)
    return Headline(told, (rival.text(f"with {tag_text(tag)} for {word}"),) if rival is not None else ())


def _other_reason(explained: ExplainedParse) -> str:
    if explained.parse.distribution is not None:
        return "the rest of the tree decides"
    return "the best sequence of tags as a whole decides"


def _given(explained: ExplainedParse, position: int) -> bool:
    """Whether the tag was given, and not chosen by tagger or parser."""
    tagging = explained.parse.tagging
    return tagging is None or explained.parse.sentence.positions[position] in tagging.given


def _chances(explained: ExplainedParse, position: int) -> dict[str, float]:
    tagging = explained.tagging
    return dict(tagging.choices[explained.parse.sentence.positions[position]]) if tagging is not None else {}


def _tag_choice(explained: ExplainedParse, position: int, tag: str) -> Headline:
    """How close the choice of a tag was and what decided it, with its reasons; the sentence is empty."""
    token = explained.parse.sentence.positions[position]
    forced = any(
        isinstance(one, FixedTag) and (one.position, one.tag, one.forbid) == (position, tag, False)
        for one in explained.constraints
    )
    if forced:
        return Headline("", (), None, DecidedBy.WHAT_IF)
    if _given(explained, position):
        return Headline("", (), None, DecidedBy.GIVEN)
    chances = _chances(explained, position)
    own = chances.get(tag, 0.0)
    other = max((chance for name, chance in chances.items() if name != tag), default=0.0)

    def same(parse: Parse) -> bool:
        return parse.sentence.tags[token] == tag

    choice = explained.choice(same, own >= other)
    reasons: tuple[str, ...] = ()
    if choice.rival is not None:
        word = quoted(explained.words[position])
        reasons = (choice.rival.text(f"with {choice.rival.parse.sentence.tags[token]} for {word}"),)
    return Headline("", reasons, closeness(own, other), choice.decided_by)


def _tag_text(explained: ExplainedParse, position: int, tag: str, tagged: Headline) -> str:
    """How sure the tag is, as a sentence."""
    if tagged.decided_by is DecidedBy.WHAT_IF:
        return f"A what-if forces its tag, {tag}."
    if tagged.decided_by is DecidedBy.GIVEN:
        return f"Its tag, {tag}, was given."
    chances = _chances(explained, position)
    rest = sorted((name for name in chances if name != tag), key=lambda name: -chances[name])
    own = probability(chances.get(tag, 0.0))
    if not rest or tagged.closeness is Closeness.ONLY:
        return f"The tagger holds no other tag than {tag} possible."
    rival, others = tag_text(rest[0]), probability(chances[rest[0]])
    match tagged.closeness:
        case Closeness.CLEAR:
            told = f"Its tag is clear: {tag} {own}, next best {rival} {others}"
        case Closeness.LIKELIER:
            told = f"Its tag {tag} is likelier than {rival}: {own} against {others}"
        case Closeness.TIE:
            told = f"Its tag is nearly a tie: {tag} {own}, {rival} {others}"
        case _:
            told = f"By itself the tag {rival} is likelier than {tag}, {others} against {own}"
    match tagged.decided_by:
        case DecidedBy.ESTIMATE:
            return f"{told}."
        case DecidedBy.RERANKER:
            return f"{told}; the re-ranker decides."
        case DecidedBy.VOTE:
            return f"{told}; the vote decides."
    return f"{told}; {_other_reason(explained)}."


def punctuation_headline(parse: Parse, token: int) -> Headline:
    """What the model makes of punctuation."""
    word, tag = quoted(parse.sentence.words[token]), parse.sentence.tags[token]
    if tag in COMMA_TAGS:
        return Headline(
            f"{word} counts as a comma. It is no word of the model, but whether commas stand between two words is "
            "asked for every dependency and every gap."
        )
    return Headline(f"{word} is punctuation. The model leaves it out and puts it back into the tree.")
