"""Words, tags, punctuation and gaps in a sentence or two (sections 2.5 and 2.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.chart.parse import Parse
from engine.common.numbers import log_text, probability, significant, table_probability
from engine.counts.contexts import CLOSING, OPENING
from engine.counts.specifications_layout import LEFT_TAG, LEFT_WORD, RIGHT_TAG, RIGHT_WORD, TAG_AFTER, TAG_BEFORE
from engine.estimates.ledger import ROOT
from engine.explain.attachments import gap_reason, head_headline
from engine.explain.context import ParseContext, closeness
from engine.explain.estimates import Basis, counts_table, latex_number, mixture, zero_reason
from engine.explain.explanation import (
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from engine.explain.glosses import gap_gloss, tag_gloss
from engine.explain.paper_readings import PaperReading, of_absorbed
from engine.explain.subjects import ArrowId, GapId, GapTagId, MatrixCellId, PunctuationId, Subject, TagId, WordId
from engine.explain.topics import Span, Topic, Topics
from engine.explain.wording import Closeness, DecidedBy, Headline, quoted, span_text, tag_text
from engine.structure.constraints import FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS
from engine.study.counted import Sources
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


def gap_headline(context: ParseContext, position: int, letter: str = "") -> Headline:
    """What the tag of the gap before a word says, and how sure it is; or of a tag that was not chosen why not."""
    chosen = context.parse.gap_tags[position - 1]
    chances = context.explainer.gap_distribution(position)
    left, right = quoted(context.words[position - 1]), quoted(context.words[position])
    if letter and letter != chosen:
        return _not_chosen(context, position, letter, chosen, chances)
    ranked = sorted((one for one in chances if one != chosen), key=lambda one: -chances[one])
    rival = ranked[0]
    how_close = closeness(chances[chosen], chances[rival])
    leads = chances[chosen] >= chances[rival]
    forced = any(
        isinstance(one, GapTag) and (one.position, one.tag, one.forbid) == (position, chosen, False)
        for one in context.constraints
    )
    tie = how_close is Closeness.TIE
    choice = context.choice(lambda one: one.gap_tags[position - 1 : position] == chosen, leads, forced, tie)
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
    reasons = [gap_reason(context.training, context.explainer.gap(position, chosen))]
    if how_close in (Closeness.TIE, Closeness.UNLIKELIER):
        reasons.append(gap_reason(context.training, context.explainer.gap(position, rival)))
    if choice.rival is not None:
        other = choice.rival.parse.gap_tags[position - 1 : position]
        reasons.append(choice.rival.text(f"with {other} here"))
    return Headline(f"{meaning} ({chosen}). {told}.", tuple(reasons), how_close, choice.decided_by)


def _not_chosen(context: ParseContext, position: int, letter: str, chosen: str, chances: dict[str, float]) -> Headline:
    left, right = quoted(context.words[position - 1]), quoted(context.words[position])
    own, others = probability(chances[letter]), probability(chances[chosen])
    would = GAP_MEANINGS[letter].format(left=left, right=right)
    opening = f"{letter} is not the tag of this gap; it would mean that {would}."
    if not chances[letter]:
        told = f"The model holds it for impossible here; the parse has {chosen}, {others}."
    elif chances[letter] > chances[chosen]:
        told = f"By itself it is likelier than {chosen}, {own} against {others}; the rest of the tree decides."
    else:
        told = f"It is less likely than {chosen}: {own} against {others}."
    reasons = [gap_reason(context.training, context.explainer.gap(position, letter))]
    has_tag = _has_tag(context, position, letter)
    rival = context.rival(lambda one: not has_tag(one))
    if rival is not None:
        reasons.append(rival.text(f"with {letter} here"))
    return Headline(f"{opening} {told}", tuple(reasons))


def _has_tag(context: ParseContext, position: int, letter: str) -> Callable[[Parse], bool]:
    def same(parse: Parse) -> bool:
        return parse.gap_tags[position - 1] == letter

    return same


def _meaning(letter: str, left: str, right: str) -> str:
    told = GAP_MEANINGS[letter].format(left=left, right=right)
    return told[:1].upper() + told[1:]


# Headlines of words, of the tags that they have or could have, and of punctuation.

UNKNOWN_WORD = "The model has never seen this word, so its estimates rest on tags."


def word_headline(context: ParseContext, position: int) -> Headline:
    """What a word does in the sentence, and how sure its tag is."""
    words, tag = context.words, context.tags[position]
    word = quoted(words[position])
    head = context.heads.get(position)
    bases = context.parse.basenps
    base = next((base for base in bases if base.start <= position < base.end), None)
    if head is None:
        assert base is not None
        does = f"is inside the baseNP {span_text(words, base.start, base.end)}, headed by {quoted(words[base.head])}"
    elif head == ROOT:
        does = "heads a fragment" if context.parse.fallback else "heads the sentence"
    else:
        does = f"modifies {quoted(words[head])}"
    if base is not None and head is not None and base.end - base.start > 1:
        does += f", for the whole baseNP {span_text(words, base.start, base.end)}"
    tagged = _tag_choice(context, position, tag)
    reasons = []
    if context.parse.model.known_words(context.parse.sentence)[position] < 0:
        reasons.append(UNKNOWN_WORD)
    if head is not None:
        arrow = head_headline(context, position)
        reasons += [arrow.sentence, *arrow.reasons[:1]]
    told = f"{word} {does}. {_tag_text(context, position, tag, tagged)}"
    return Headline(told, tuple(reasons), tagged.closeness, tagged.decided_by)


def tag_headline(context: ParseContext, it: TagId) -> Headline:
    """Why a word has this tag, or has not."""
    chosen, word = context.tags[it.position], quoted(context.words[it.position])
    if it.tag == chosen:
        tagged = _tag_choice(context, it.position, it.tag)
        told = f"{word} is tagged {tag_text(it.tag)}. {_tag_text(context, it.position, it.tag, tagged)}"
        return Headline(told, tagged.reasons, tagged.closeness, tagged.decided_by)
    chances = _chances(context, it.position)
    own, others = probability(chances.get(it.tag, 0.0)), probability(chances.get(chosen, 0.0))
    told = f"{word} is not tagged {tag_text(it.tag)} but {tag_text(chosen)}."
    if _given(context, it.position):
        given = f"{tag_text(it.tag)} {own} and {tag_text(chosen)} {others}"
        told += f" That tag was given; the tagger would have given {given}."
    elif chances.get(it.tag, 0.0) > chances.get(chosen, 0.0):
        told += f" The tagger prefers {tag_text(it.tag)}, {own} against {others}; {_other_reason(context)}."
    else:
        told += f" The tagger prefers {tag_text(chosen)}, {others} against {own}."
    token = context.parse.sentence.positions[it.position]
    rival = context.rival(lambda one: one.sentence.tags[token] != it.tag)
    return Headline(told, (rival.text(f"with {tag_text(it.tag)} for {word}"),) if rival is not None else ())


def _other_reason(context: ParseContext) -> str:
    if context.parse.distribution is not None:
        return "the rest of the tree decides"
    return "the best sequence of tags as a whole decides"


def _given(context: ParseContext, position: int) -> bool:
    """Whether the tag of a word was given, and not chosen by tagger or parser."""
    return context.given(context.parse.sentence.positions[position])


def _chances(context: ParseContext, position: int) -> dict[str, float]:
    return dict(context.choices(context.parse.sentence.positions[position]))


def _tag_choice(context: ParseContext, position: int, tag: str) -> Headline:
    """How close the choice of a tag was and what decided it, with its reasons; the sentence is empty."""
    token = context.parse.sentence.positions[position]
    forced = any(
        isinstance(one, FixedTag) and (one.position, one.tag, one.forbid) == (position, tag, False)
        for one in context.constraints
    )
    if forced:
        return Headline("", (), None, DecidedBy.WHAT_IF)
    if _given(context, position):
        return Headline("", (), None, DecidedBy.GIVEN)
    chances = _chances(context, position)
    own = chances.get(tag, 0.0)
    other = max((chance for name, chance in chances.items() if name != tag), default=0.0)

    def same(parse: Parse) -> bool:
        return parse.sentence.tags[token] == tag

    choice = context.choice(same, own >= other)
    reasons: tuple[str, ...] = ()
    if choice.rival is not None:
        word = quoted(context.words[position])
        reasons = (choice.rival.text(f"with {choice.rival.parse.sentence.tags[token]} for {word}"),)
    return Headline("", reasons, closeness(own, other), choice.decided_by)


def _tag_text(context: ParseContext, position: int, tag: str, tagged: Headline) -> str:
    """How sure the tag is, as a sentence."""
    if tagged.decided_by is DecidedBy.WHAT_IF:
        return f"A what-if forces its tag, {tag}."
    if tagged.decided_by is DecidedBy.GIVEN:
        return f"Its tag, {tag}, was given."
    chances = _chances(context, position)
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
    return f"{told}; {_other_reason(context)}."


def punctuation_headline(parse: Parse, token: int) -> Headline:
    """What the model makes of punctuation."""
    word, tag = quoted(parse.sentence.words[token]), parse.sentence.tags[token]
    if tag in COMMA_TAGS:
        return Headline(
            f"{word} counts as a comma. It is no word of the model, but whether commas stand between two words is "
            "asked for every dependency and every gap."
        )
    return Headline(f"{word} is punctuation. The model leaves it out and puts it back into the tree.")


# Pages of words, punctuation, tags and gaps (sections 2.5 and 2.7).

_SHOWN_TAGS = 8
_GAP_NAMES = {"S": "Start", "C": "Continue", "E": "End", "B": "Between", "N": "Null"}


def word_page(context: ParseContext, position: int) -> Explanation:
    """What became of a word, and where its tag comes from."""
    parse, words = context.parse, context.words
    word, tag = words[position], context.tags[position]
    known = parse.model.known_words(parse.sentence)[position] >= 0
    blocks: list[ExplanationBlock] = []
    base = next((base for base in parse.basenps if base.start <= position < base.end), None)
    if base is None:
        blocks.append(Paragraph("It stands outside all baseNPs and is a word of the reduced sentence S̄."))
    elif base.head == position:
        inside = " ".join(words[base.start : base.end])
        blocks.append(Paragraph(f"It heads the baseNP [{inside}] and stands for it in the reduced sentence S̄."))
    else:
        inside = " ".join(words[base.start : base.end])
        blocks.append(
            Paragraph(
                f"It lies inside the baseNP [{inside}], which the reduced sentence S̄ keeps as its head-word "
                f"`{words[base.head]}` alone; no dependency touches it."
            )
        )
    if not known:
        blocks.append(
            Paragraph("The model has never seen this word: estimates fall back to those based on tags.", quiet=True)
        )
    blocks += _tags_blocks(context, position)
    return Explanation(f"{word}/{tag}", f"word {position + 1} of {len(words)}", tuple(blocks))


def _tags_shown(context: ParseContext, token: int) -> tuple[tuple[str, float], ...]:
    """The most probable of the tags that the tagger holds possible for a token, with P(t|S)."""
    return context.choices(token)[:_SHOWN_TAGS]


def _tags_blocks(context: ParseContext, position: int) -> list[ExplanationBlock]:
    parse = context.parse
    token = parse.sentence.positions[position]
    given = context.given(token)
    shown = _tags_shown(context, token)
    if not shown:
        return [Paragraph("Its tag was given; the model has no tagger to ask.", quiet=True)]
    tag = context.tags[position]
    marked = next((at for at, choice in enumerate(shown) if choice[0] == tag), -1)
    rows = tuple((name, significant(chance)) for name, chance in shown)
    if given:
        note = "Its tag was given: the tagger is not asked, and this is what it would have said."
    elif parse.distribution is not None:
        note = "The parser chose among them, paying P(t|S) (section 2.7)."
    else:
        note = "The tagger's best sequence of tags stands; under presets (4) and (5) the parser chooses."
    return [
        Heading("The tagger's distribution P(t|S)", Section.TAGS),
        TableBlock(("tag", "P"), rows, (1,), marked),
        Paragraph(note, True),
    ]


def _token_page(parse: Parse, token: int) -> Explanation:
    """What the model makes of punctuation."""
    word, tag = parse.sentence.words[token], parse.sentence.tags[token]
    if tag in COMMA_TAGS:
        note = (
            "A ‘comma’ (any token tagged , or :) is no word of the model, but is asked about: by questions 4 to 6 of "
            "the distance Δ, by the gap model (cᵢ = 1), and by the punctuation rule of section 2.7."
        )
    else:
        note = PaperReading.PUNCTUATION.fact
    return Explanation(f"{word}/{tag}", "punctuation", (Paragraph(note),))


def _tag_page(context: ParseContext, it: TagId) -> Explanation:
    """One of the tags that a word could have."""
    factor = context.explainer.tag(it.position)
    blocks = list(_tags_blocks(context, it.position))
    word = context.words[it.position]
    if factor is not None and context.tags[it.position] == it.tag:
        value = significant(factor.probability, 6)
        formula = (
            f"P({it.tag}|S) = {value},  log {log_text(factor.log, 4)}",
            rf"P(\text{{{it.tag}}}|S) &= {latex_number(value)}",
        )
        blocks.insert(0, Formula((formula,)))
    return Explanation(f"{word}/{it.tag}", "a tag that the tagger holds possible", tuple(blocks))


def _gap_page(context: ParseContext, position: int, letter: str = "") -> Explanation:
    """P̂(G) of the gap before a word: all five, and the one that is chosen (or asked about) in full."""
    explainer, words, tags = context.explainer, context.words, context.tags
    chosen = context.parse.gap_tags[position - 1]
    asked = letter or chosen
    factor = explainer.gap(position, asked)
    chances = explainer.gap_distribution(position)
    left, right = position - 1, position
    comma = context.parse.sentence.commas[position] > 0
    rows = tuple(
        (one, _GAP_NAMES[one], table_probability(chances[one]), "chosen" if one == chosen else "")
        for one in GAP_LETTERS
    )
    blocks: list[ExplanationBlock] = [
        TableBlock(("tag", "", "P̂", ""), rows, (2,), GAP_LETTERS.index(asked)),
        Heading("Counts", Section.COUNTS),
    ]
    basis = Basis(
        ({LEFT_WORD: words[left], LEFT_TAG: tags[left]}, {RIGHT_WORD: words[right], RIGHT_TAG: tags[right]}),
        (
            ((TAG_BEFORE, TAG_AFTER), "both tags beside them"),
            ((TAG_BEFORE,), "the tag before them"),
            ((TAG_AFTER,), "the tag after them"),
        ),
        nothing="the comma alone",
        even="nothing: all five alike",
    )
    if factor.levels:
        blocks.append(counts_table(factor, basis, Sources(explainer).gap(position, asked)))
    blocks.append(Heading("Estimate", Section.ESTIMATE))
    side = (
        f"P̂({asked} | wᵢ₋₁,tᵢ₋₁,wᵢ,tᵢ,cᵢ={int(comma)})",
        rf"\hat{{P}}({asked} \mid w_{{i-1}},t_{{i-1}},w_i,t_i,c_i={int(comma)})",
    )
    blocks += mixture(factor, side)
    blocks += zero_reason(factor)
    blocks.append(
        Paragraph(
            f"{'A comma' if comma else 'No comma'} stands between the two words (cᵢ = {int(comma)}); section 2.5.", True
        )
    )
    return Explanation(f"{words[left]} {asked} {words[right]}", f"gap G{position + 1} between two words", tuple(blocks))


# What is said of words, punctuation, tags and gaps.

WORTH_TELLING = 0.01
"""P(t|S) from which on it is told of a tag that it was not in the chart."""


def of_word(context: ParseContext, position: int) -> Iterator[PaperReading]:
    """Find the readings that matter for a word."""
    if context.tags[position] in (OPENING, CLOSING):
        yield PaperReading.BRACKETS
    yield from of_absorbed(context.parse, position)
    choices = _tags_shown(context, context.parse.sentence.positions[position])
    if any(chance >= WORTH_TELLING and _cut(context, position, tag) for tag, chance in choices):
        yield PaperReading.TAGS_CUT


def _cut(context: ParseContext, position: int, tag: str) -> bool:
    """Whether a tag was not among those that the parser could choose for a word (model 4)."""
    distribution = context.parse.distribution
    if distribution is None or _given(context, position):
        return False
    return tag not in dict(distribution.readings(context.parse.settings.tag_factor)[position])


def _of_gap(context: ParseContext, position: int, letter: str = "") -> Iterator[PaperReading]:
    """Find the reading that matters for a tag of a gap, or for the tag that it has."""
    letter = letter or context.parse.gap_tags[position - 1]
    if context.explainer.gap(position, letter).used == ("comma",):
        yield PaperReading.GAP_COMMA


def _beside(position: int) -> tuple[Span, ...]:
    """The words beside a gap."""
    return (position - 1, position), (position, position + 1)


def _related_to_word(parse: Parse, word: WordId) -> set[Subject]:
    """Its arrow, and that arrow's cell of F̂."""
    position, heads = word.position, parse.heads()
    found: set[Subject] = {ArrowId(position)}
    return found | ({MatrixCellId(position, heads[position])} if position in heads else set())


def _has_word(parse: Parse, word: WordId) -> bool:
    return word.position < len(parse.sentence.positions)


def _has_gap(parse: Parse, gap: GapId) -> bool:
    return 0 < gap.position < len(parse.sentence.positions)


def _is_token(parse: Parse, token: PunctuationId) -> bool:
    return token.token < len(parse.sentence)


TOPICS: Topics = {
    WordId: Topic[WordId](
        headline=lambda context, it: word_headline(context, it.position) if _has_word(context.parse, it) else None,
        page=lambda context, it: word_page(context, it.position) if _has_word(context.parse, it) else None,
        readings=lambda context, it: of_word(context, it.position) if _has_word(context.parse, it) else (),
        related=_related_to_word,
        words=lambda parse, it: ((it.position, it.position + 1),),
        signs=lambda parse, it: [tag_gloss(parse.sentence.proper_tags[it.position])] if _has_word(parse, it) else [],
        forms=("word {position:word}",),
        shows_counts=False,
    ),
    PunctuationId: Topic[PunctuationId](
        headline=lambda context, it: (
            punctuation_headline(context.parse, it.token) if _is_token(context.parse, it) else None
        ),
        page=lambda context, it: _token_page(context.parse, it.token) if _is_token(context.parse, it) else None,
        signs=lambda parse, it: [tag_gloss(parse.sentence.tags[it.token])] if _is_token(parse, it) else [],
        forms=("token {token:number}",),
        shows_counts=False,
    ),
    TagId: Topic[TagId](
        headline=tag_headline,
        page=_tag_page,
        readings=lambda context, it: [PaperReading.TAGS_CUT] if _cut(context, it.position, it.tag) else [],
        related=lambda parse, it: {WordId(it.position)},
        words=lambda parse, it: ((it.position, it.position + 1),),
        signs=lambda parse, it: [tag_gloss(it.tag)],
        forms=("tag {tag:label} of {position:word}",),
        shows_counts=False,
    ),
    GapId: Topic[GapId](
        headline=lambda context, it: gap_headline(context, it.position) if _has_gap(context.parse, it) else None,
        page=lambda context, it: _gap_page(context, it.position) if _has_gap(context.parse, it) else None,
        readings=lambda context, it: _of_gap(context, it.position) if _has_gap(context.parse, it) else (),
        related=lambda parse, it: {WordId(it.position - 1), WordId(it.position)},
        words=lambda parse, it: _beside(it.position),
        signs=lambda parse, it: [gap_gloss(parse.gap_tags[it.position - 1])] if _has_gap(parse, it) else [],
        forms=("gap before {position:inner}",),
    ),
    GapTagId: Topic[GapTagId](
        headline=lambda context, it: gap_headline(context, it.position, it.letter),
        page=lambda context, it: _gap_page(context, it.position, it.letter),
        readings=lambda context, it: _of_gap(context, it.position, it.letter),
        related=lambda parse, it: {WordId(it.position - 1), WordId(it.position), GapId(it.position)},
        words=lambda parse, it: _beside(it.position),
        signs=lambda parse, it: [gap_gloss(it.letter)],
        forms=("gap tag {letter:letter} before {position:inner}",),
    ),
}
