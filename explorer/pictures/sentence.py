"""Stages 1 to 3: the sentence as it comes in, the tags of its gaps, and the reduced sentence S̄ (sections 2 and 2.5)."""

from __future__ import annotations

from collections.abc import Callable

from engine.chart.parse import Parse
from engine.common.numbers import probability_text, short_probability_text
from engine.explain.subjects import GapId, GapTagId, PunctuationId, TagId, WordId
from engine.structure.dependencies import GAP_LETTERS
from engine.trees.tree import COMMA_TAGS
from explorer.pictures.drawing import BACK, Box, Curve, Drawing, Metrics, Rect, Stroke, Text
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.layout import (
    BAR_BOTTOM,
    BAR_TOP,
    CHIP,
    LEGEND,
    TAG_DROP,
    UNLIMITED,
    Room,
    WordColumns,
    arrow_head,
)
from explorer.pictures.options import GapsOptions, ReducedOptions, SentenceOptions
from explorer.pictures.ruler import columns_within
from explorer.pictures.sheet import Sheet, legend, legend_limit, mark_meaning, middle, words_row, wrap

LEAST_DRAWN = 0.001
"""Tags less probable than this are not worth a row."""
_DEFAULT_SENTENCE, _DEFAULT_REDUCED = SentenceOptions(), ReducedOptions()


def sentence_picture(
    parse: Parse,
    metrics: Metrics,
    options: SentenceOptions = _DEFAULT_SENTENCE,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Stage 1: words, tags, the tagger's alternatives, and punctuation marked as outside the model."""
    facts = facts_of(parse)
    columns, wrapped = columns_within(
        parse, metrics, columns, room, lambda: _alternatives_widths(facts, metrics, options.alternatives)
    )
    sheet = Sheet(metrics)
    words_row(sheet, facts, columns, 0, bases=False)
    for position in range(len(facts.words)):
        sheet.text(columns.x(position), -24, str(position + 1), "small", "faint")
    for token, tag in enumerate(facts.token_tags):
        if token not in facts.position_of:
            x = columns.token_x(token)
            sheet.add(Box(x - 8, -16, 16, 22, role="line", dash="dot", radius=3, layer=BACK))
            # A mark's tag is mostly the mark itself: only others are worth writing.
            if tag != facts.tokens[token]:
                sheet.text(x, TAG_DROP, tag, "tag", "faint")
    bottom = TAG_DROP
    if facts.tagging is not None:
        bottom = _alternatives(sheet, facts, columns, options.alternatives)
    if wrapped:
        bottom = wrap(sheet, facts, columns, room)
    sheet.begin_legend()
    if len(facts.tokens) > len(facts.words):
        x, y = 0.0, bottom + 40
        sheet.add(Box(x, y - 9, 16, 18, role="line", dash="dot", radius=3))
        text = "outside the model (commas and colons are seen by Δ and the gap tags)"
        sheet.text(x + 24, y + middle(metrics, "tag"), text, "tag", "muted", "start")
    return sheet.draw("Sentence", _sentence_twin(facts), None if wrapped else columns)


def _alternatives_widths(facts: Facts, metrics: Metrics, most: int) -> dict[int, float]:
    """Return how wide the tagger's alternatives are under each token that has some."""
    found: dict[int, float] = {}
    for position, token in enumerate(facts.positions) if facts.tagging is not None else ():
        choices = _choices(facts, position, most)
        if len(choices) > 1:
            texts = (f"{tag}  {short_probability_text(chance)}" for tag, chance in choices)
            found[token] = max(metrics.width(text, "small-bold") for text in texts) + 4.0
    return found


def _choices(facts: Facts, position: int, most: int) -> list[tuple[str, float]]:
    """Return the tags to show for a word: the likeliest, and the one that the parse has."""
    assert facts.tagging is not None
    token = facts.positions[position]
    choices = [choice for choice in facts.tagging.choices[token] if choice[1] >= LEAST_DRAWN][:most]
    tag = facts.tags[position]
    if tag not in dict(choices):
        choices.append((tag, facts.tagging.probability(token, tag)))
    return choices


def _alternatives(sheet: Sheet, facts: Facts, columns: WordColumns, most: int) -> float:
    """Bars of P(t|S) under every word whose tag the tagger did not hold for certain; the lowest y."""
    lowest = TAG_DROP
    top, row = TAG_DROP + 16, 24.0
    for position in range(len(facts.words)):
        choices = _choices(facts, position, most)
        if len(choices) < 2:
            continue
        left, right = columns.left(position) + 6, columns.right(position) - 6
        write = _fitting(sheet.metrics, choices, right - left)
        for number, (tag, probability) in enumerate(choices):
            y = top + row * number
            chosen = tag == facts.tags[position]
            identity = TagId(position, tag)
            length = (right - left) * probability
            sheet.add(
                Box(left, y + 14, right - left, 4, fill="hairline", radius=2),
                Box(left, y + 14, max(length, 1.5), 4, fill="ink" if chosen else "line", radius=2, id=identity),
            )
            style, role = ("small-bold", "ink") if chosen else ("small", "muted")
            sheet.text(left, y + 10, tag, style, role, "start", identity)
            if write is not None:
                sheet.text(right, y + 10, write(probability), "small", "muted", "end", identity)
            label = f"P({tag} | S) = {probability_text(probability)} for {facts.words[position]}"
            sheet.region(identity, Rect(left, y, right - left, row - 4), label)
            lowest = max(lowest, y + row)
    return lowest


def _fitting(metrics: Metrics, choices: list[tuple[str, float]], width: float) -> Callable[[float], str] | None:
    """Return how to write the probabilities of a column, all alike: in full, in short,
    or not at all where they do not fit.
    """
    for write in (probability_text, short_probability_text):
        if all(metrics.width(f"{tag} {write(chance)}", "small-bold") < width for tag, chance in choices):
            return write
    return None


def _sentence_twin(facts: Facts) -> str:
    lines = []
    for token, (word, tag) in enumerate(zip(facts.tokens, facts.token_tags, strict=True)):
        position = facts.position_of.get(token)
        if position is None:
            lines.append(f"–  {word}/{tag}  outside the model")
            continue
        line = f"{position + 1}  {word}/{tag}"
        if facts.tagging is not None:
            line += "  " + "  ".join(f"{name} {probability_text(p)}" for name, p in _choices(facts, position, 4))
        lines.append(line)
    return "\n".join(lines)


def reduced_picture(
    parse: Parse,
    metrics: Metrics,
    options: ReducedOptions = _DEFAULT_REDUCED,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Stage 3: the m words that remain, and what became of the others."""
    facts = facts_of(parse)
    columns, wrapped = columns_within(parse, metrics, columns, room)
    sheet = Sheet(metrics)
    kept = frozenset(facts.reduced)
    words_row(sheet, facts, columns, 0, tags=False)
    below = 104.0
    for position in range(len(facts.words)):
        x = columns.x(position)
        base = facts.base_of.get(position)
        if position in kept:
            sheet.add(Stroke(x, 12, x, below - 24, "line"), arrow_head(x, below - 20, 1.0, "line"))
        elif base is not None:
            # A word of a baseNP is read through its head: its line runs into that of the next word on the way there.
            to = columns.x(position + (1 if base.head > position else -1))
            way = 1.0 if to > x else -1.0
            y = 44.0
            r = min(8.0, abs(to - x) / 2)
            curve = ((x, y - r), (x, y - r / 2, x + way * r / 2, y, x + way * r, y), (to, y))
            sheet.add(Curve((x, 12), curve, "line", 1.0, "dash"))
    for token, (mark, tag) in enumerate(zip(facts.tokens, facts.token_tags, strict=True)):
        if token in facts.position_of:
            continue
        x = columns.token_x(token)
        if tag in COMMA_TAGS:
            sheet.add(Stroke(x, 12, x, below - 20, "line", 1.0, "dot"))
            rect = sheet.text(x, below, mark, "word", "faint", id=PunctuationId(token))
            sheet.region(PunctuationId(token), rect.grown(2), f"{mark}  {mark_meaning(tag)}")
        else:
            sheet.text(x, 24, "×", "tag", "faint")
    for number, position in enumerate(facts.reduced, 1):
        x = columns.x(position)
        base = facts.base_of.get(position)
        rect = sheet.text(x, below, facts.words[position], "word-bold" if base else "word", id=WordId(position))
        if options.tags:
            sheet.text(x, below + TAG_DROP, facts.tags[position], "tag", "muted", id=WordId(position))
        sheet.text(x, below + 2 * TAG_DROP - 2, str(number), "small", "faint")
        reads = f", for [{' '.join(facts.words[base.start : base.end])}]" if base and base.end - base.start > 1 else ""
        label = f"word {number} of the reduced sentence: {facts.words[position]}/{facts.tags[position]}{reads}"
        sheet.region(WordId(position), rect.grown(2), label)
    bottom = below + 2 * TAG_DROP
    if wrapped:
        bottom = wrap(sheet, facts, columns, room)
    sheet.begin_legend()
    _reduced_legend(sheet, facts, bottom + 36, legend_limit(columns, room))
    return sheet.draw("Reduced sentence", _reduced_twin(facts), None if wrapped else columns)


def _reduced_legend(sheet: Sheet, facts: Facts, y: float, limit: float) -> None:
    """What became of the words, in rows no wider than to `limit`."""
    counts = _word_counts(facts)
    x = 0.0
    drop = middle(sheet.metrics, "tag")
    samples = (
        ("solid", f"{counts[0]} of {len(facts.words)} words remain"),
        (
            "dash",
            f"{counts[1]} inside {'a baseNP, whose head stays' if counts[1] == 1 else 'baseNPs, whose heads stay'}",
        ),
        ("dot", f"{counts[2]} comma{'' if counts[2] == 1 else 's'}: seen by Δ only"),
    )
    for (dash, text), count in zip(samples, counts, strict=False):
        if count:
            if x > 0 and x + 28 + sheet.metrics.width(text, "tag") > limit:
                x, y = 0.0, y + 20
            sheet.add(Stroke(x, y, x + 20, y, "line", 1.0, dash))
            x = sheet.text(x + 28, y + drop, text, "tag", "muted", "start").right + 24
    if counts[3]:
        sheet.text(x, y + drop, "×", "tag", "faint", "start")
        sheet.text(x + 16, y + drop, f"{counts[3]} outside the model", "tag", "muted", "start")


def _word_counts(facts: Facts) -> tuple[int, int, int, int]:
    """Return how many words remain, are read through their head; how many marks are commas, and others."""
    marks = [tag for token, tag in enumerate(facts.token_tags) if token not in facts.position_of]
    commas = sum(tag in COMMA_TAGS for tag in marks)
    return len(facts.reduced), len(facts.words) - len(facts.reduced), commas, len(marks) - commas


def _reduced_twin(facts: Facts) -> str:
    lines = []
    for number, position in enumerate(facts.reduced, 1):
        base = facts.base_of.get(position)
        line = f"{number}  {facts.words[position]}/{facts.tags[position]}"
        if base is not None:
            line += f"  head of [{' '.join(facts.words[base.start : base.end])}]"
        lines.append(line)
    return "\n".join(lines)


# Stage 2: the tags of the gaps, S C E B N, with their probabilities (section 2.5).

MEANINGS = {
    "S": "start of a baseNP",
    "C": "continues one",
    "E": "end of one",
    "B": "between two",
    "N": "no baseNP on either side",
}
BAR_WIDTH = 16.0
_DEFAULT = GapsOptions()


def gaps_picture(
    parse: Parse,
    metrics: Metrics,
    options: GapsOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return the words in a row; in each gap its letter over a bar of the five probabilities; baseNPs in brackets."""
    facts = facts_of(parse)
    columns, wrapped = columns_within(parse, metrics, columns, room)
    sheet = Sheet(metrics)
    words_row(sheet, facts, columns, 0, bases=options.until is None)
    for position, chances in enumerate(facts.gaps, 1):
        _gap(sheet, facts, columns.gap_x(position), position, chances, options)
    bottom = wrap(sheet, facts, columns, room, 2 * CHIP) if wrapped else TAG_DROP
    sheet.begin_legend()
    legend(
        sheet,
        0.0,
        bottom + LEGEND,
        [(letter, f"gap.{letter}", MEANINGS[letter]) for letter in GAP_LETTERS],
        "P̂(G | w, t, w′, t′, c)",
        legend_limit(columns, room),
    )
    return sheet.draw("Gaps", _twin(facts), None if wrapped else columns)


def _gap(sheet: Sheet, facts: Facts, x: float, position: int, chances: dict[str, float], options: GapsOptions) -> None:
    chosen = facts.gap_tags[position - 1]
    shown = options.until is None or position < options.until
    identity = GapId(position)
    left, right = facts.words[position - 1], facts.words[position]
    # Down to the words, but not through a mark or a bracket that stands in the gap.
    sheet.add(Stroke(x, BAR_BOTTOM + 20, x, -sheet.metrics.ascent("word"), "hairline", id=identity))
    label = (
        f"between {left} and {right}: {chosen}, P̂ = {probability_text(chances[chosen])}"
        if shown
        else f"{left} ? {right}"
    )
    area = Rect(x - CHIP, BAR_TOP - CHIP - 6, 2 * CHIP, -BAR_TOP + CHIP + 6 - 20)
    sheet.region(identity, area, label)
    chip_y = BAR_TOP - CHIP / 2 - 4
    if not shown:
        sheet.add(Box(x - CHIP / 2, chip_y - CHIP / 2, CHIP, CHIP, role="line", radius=4, dash="dash"))
        sheet.text(x, chip_y + middle(sheet.metrics, "label-bold"), "?", "label-bold", "muted", id=identity)
        sheet.add(Box(x - BAR_WIDTH / 2, BAR_TOP, BAR_WIDTH, BAR_BOTTOM - BAR_TOP, fill="surface", role="hairline"))
        return
    role = f"gap.{chosen}"
    edge = "ink" if position in options.forced else ""
    sheet.add(
        Box(x - CHIP / 2, chip_y - CHIP / 2, CHIP, CHIP, fill=role, role=edge, weight=2, radius=4, id=identity),
        Text(x, chip_y + middle(sheet.metrics, "label-bold"), chosen, "label-bold", f"on:{role}", id=identity),
    )
    _bar(sheet, x, position, chances, chosen)
    number = sheet.metrics.width(probability_text(chances[chosen]), "small") < 38
    text = probability_text(chances[chosen]) if number else short_probability_text(chances[chosen])
    sheet.text(x, BAR_BOTTOM + 14, text, "small", "muted", id=identity)


def _bar(sheet: Sheet, x: float, position: int, chances: dict[str, float], chosen: str) -> None:
    """The five probabilities as one bar, in the order S C E B N from the top."""
    height = BAR_BOTTOM - BAR_TOP
    y = BAR_TOP
    for letter in GAP_LETTERS:
        part = height * chances[letter]
        if part >= 0.5:
            identity = GapTagId(position, letter)
            sheet.add(Box(x - BAR_WIDTH / 2, y, BAR_WIDTH, part, fill=f"gap.{letter}", id=identity))
            if part >= 12 and letter != chosen:
                spot = y + part / 2 + middle(sheet.metrics, "small")
                sheet.text(x, spot, letter, "small", f"on:gap.{letter}")
            if part >= 4:
                area = Rect(x - BAR_WIDTH / 2, y, BAR_WIDTH, part)
                sheet.region(identity, area, f"P̂({letter}) = {probability_text(chances[letter])}: {MEANINGS[letter]}")
        y += part
    sheet.add(Box(x - BAR_WIDTH / 2, BAR_TOP, BAR_WIDTH, height, role="line", weight=1.0, layer=2))


def _twin(facts: Facts) -> str:
    lines = []
    for position, chances in enumerate(facts.gaps, 1):
        left, right = facts.words[position - 1], facts.words[position]
        numbers = "  ".join(f"{letter} {probability_text(chances[letter])}" for letter in GAP_LETTERS)
        lines.append(f"{left} {facts.gap_tags[position - 1]} {right}  {numbers}")
    return "\n".join(lines) or "one word has no gap"
