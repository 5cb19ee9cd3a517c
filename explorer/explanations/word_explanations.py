"""Words, punctuation, tags and gaps explained (sections 2.5 and 2.7)."""

from __future__ import annotations

from engine.analysis.evidence import Sources
from engine.analysis.paper_readings import PaperReading
from engine.chart.parse import Parse
from engine.counts.context_descriptions import level_title
from engine.counts.specifications_layout import CountedFactor
from engine.structure.dependencies import GAP_LETTERS
from engine.trees.tree import COMMA_TAGS
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.estimate_explanations import counts_table, mixture, zero_reason
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from explorer.explanations.level_notation import latex_number
from explorer.graphics.number_text import log_text, significant, table_probability

SHOWN_TAGS = 8
GAP_NAMES = {"S": "Start", "C": "Continue", "E": "End", "B": "Between", "N": "Null"}


def explain_word(result: ParseResult, parse: Parse, position: int) -> Explanation:
    """What became of a word, and where its tag comes from."""
    sentence = parse.sentence
    word, tag = sentence.proper_words[position], sentence.proper_tags[position]
    known = result.request.model.known_words(sentence)[position] >= 0
    blocks: list[ExplanationBlock] = []
    base = next((base for base in parse.basenps if base.start <= position < base.end), None)
    words = sentence.proper_words
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
    blocks += _tags(result, parse, position)
    return Explanation(f"{word}/{tag}", f"word {position + 1} of {len(words)}", tuple(blocks))


def tags_shown(result: ParseResult, token: int) -> tuple[tuple[str, float], ...]:
    """The most probable of the tags that the tagger holds possible for a token, with P(t|S)."""
    return result.choices(token)[:SHOWN_TAGS]


def _tags(result: ParseResult, parse: Parse, position: int) -> list[ExplanationBlock]:
    token = parse.sentence.positions[position]
    given = result.given(token)
    shown = tags_shown(result, token)
    if not shown:
        return [Paragraph("Its tag was given; the model has no tagger to ask.", quiet=True)]
    tag = parse.sentence.proper_tags[position]
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


def explain_token(parse: Parse, token: int) -> Explanation:
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


def explain_tag(result: ParseResult, parse: Parse, position: int, tag: str) -> Explanation:
    """One of the tags that a word could have."""
    factor = parse.explainer().tag(position)
    blocks = list(_tags(result, parse, position))
    word = parse.sentence.proper_words[position]
    if factor is not None and parse.sentence.proper_tags[position] == tag:
        value = significant(factor.probability, 6)
        formula = (
            f"P({tag}|S) = {value},  log {log_text(factor.log, 4)}",
            rf"P(\text{{{tag}}}|S) &= {latex_number(value)}",
        )
        blocks.insert(0, Formula((formula,)))
    return Explanation(f"{word}/{tag}", "a tag that the tagger holds possible", tuple(blocks))


def explain_gap(result: ParseResult, parse: Parse, position: int, letter: str = "") -> Explanation:
    """P̂(G) of the gap before a word: all five, and the one that is chosen (or asked about) in full."""
    chosen = parse.gap_tags[position - 1]
    asked = letter or chosen
    explainer = parse.explainer()
    factor = explainer.gap(position, asked)
    chances = explainer.gap_distribution(position)
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    left, right = position - 1, position
    comma = parse.sentence.commas[position] > 0
    rows = tuple(
        (one, GAP_NAMES[one], table_probability(chances[one]), "chosen" if one == chosen else "") for one in GAP_LETTERS
    )
    blocks: list[ExplanationBlock] = [
        TableBlock(("tag", "", "P̂", ""), rows, (2,), GAP_LETTERS.index(asked)),
        Heading("Counts", Section.COUNTS),
    ]
    both = f"{tags[left]}, {tags[right]}"
    based_on = {
        "E1": f"{words[left]}/{tags[left]}, {words[right]}/{tags[right]}",
        "E2": f"{words[left]}/{tags[left]}, {tags[right]}",
        "E3": f"{tags[left]}, {words[right]}/{tags[right]}",
        "E4": both,
        "comma": "the comma alone",
        "even": "nothing: all five alike",
        "before": f"{both}, the tag before them",
        "after": f"{both}, the tag after them",
        "before+after": f"{both}, both tags beside them",
    }
    if factor.levels:
        contexts = [based_on.get(level.name) or level_title(CountedFactor.GAP, level.name) for level in factor.levels]
        blocks.append(counts_table(factor, contexts, Sources(explainer).gap(position, asked)))
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
