"""Stage 2: the tags of the gaps, S C E B N, with their probabilities (section 2.5)."""

from __future__ import annotations

from engine.chart.parse import Parse
from engine.common.numbers import probability_text, short_probability_text
from engine.explain.subjects import GapId, GapTagId
from engine.structure.dependencies import GAP_LETTERS
from explorer.pictures.drawing import Box, Drawing, Metrics, Rect, Stroke, Text
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.layout import BAR_BOTTOM, BAR_TOP, CHIP, LEGEND, TAG_DROP, UNLIMITED, Room, WordColumns
from explorer.pictures.options import GapsOptions
from explorer.pictures.ruler import columns_of, narrow_columns
from explorer.pictures.sheet import Sheet, legend, legend_limit, middle, words_row, wrap

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
    columns = columns or columns_of(parse, metrics)
    wrapped = not room.holds(columns)
    if wrapped:
        columns = narrow_columns(facts, metrics)
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
