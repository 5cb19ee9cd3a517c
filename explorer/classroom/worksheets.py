"""Questions on paper about one sentence: arrows to draw, gaps, a chart and a table of counts to fill; or solved."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.chart.parse import Parse
from engine.structure.dependencies import GAP_LETTERS
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.dependency_explanations import explain_arrow
from explorer.explanations.explanation_blocks import Formula, TableBlock
from explorer.graphics.drawing import Box, Drawing, Metrics, Stroke
from explorer.graphics.layout.picture_heights import BRIEF, CHART_BASE, CHART_ROWS, FULL, TAG_DROP
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.triangle_layout import cell_rect
from explorer.graphics.pictures import ArrowsOptions, TriangleOptions, arrows_picture
from explorer.graphics.pictures.chart_base import folded_base
from explorer.graphics.pictures.folded_words import folded_words
from explorer.graphics.pictures.gaps_picture import MEANINGS
from explorer.graphics.pictures.parse_facts import Facts, edge_label, facts_of
from explorer.graphics.pictures.picture_options import PLAIN
from explorer.graphics.pictures.sentence_ruler import arrow_columns, narrow_columns
from explorer.graphics.pictures.sheet import Sheet, middle, words_row
from explorer.graphics.pictures.wrapped_sheet import wrap
from explorer.graphics.selection import ArrowId, Id, RootId

_BOX = 22.0
_GAP_NEED = 40.0
_CELL_WORD = 40.0
_COLUMN = 18.0
_ROW = 26.0


def arrows_sheet(parse: Parse, metrics: Metrics, room: Room) -> Drawing:
    """The words with all their arrows; without :func:`asked_arrows` there is room to draw them."""
    columns = arrow_columns(metrics, facts_of(parse))
    return arrows_picture(parse, metrics, ArrowsOptions(estimate=PLAIN), columns, room)


def asked_arrows(parse: Parse, asked: Collection[int] | None = None) -> set[Id]:
    """What is left out of the arrows where those of some words are `asked` for; ``None``: of all."""
    if asked is not None:
        return {ArrowId(word) for word in asked}
    return {RootId(), *(ArrowId(word) for word in range(len(parse.sentence.positions)))}


def gaps_sheet(
    parse: Parse, metrics: Metrics, room: Room, solved: bool, asked: Collection[int] | None = None
) -> Drawing:
    """The words with a box in every gap: empty where it is `asked` about (``None``: everywhere), else with its tag."""
    facts = facts_of(parse)
    columns = narrow_columns(facts, metrics, dict.fromkeys(facts.positions, _GAP_NEED))
    sheet = Sheet(metrics)
    words_row(sheet, facts, columns, 0.0, bases=solved)
    y = -metrics.ascent("word") - 12 - _BOX
    for position, tag in enumerate(facts.gap_tags, 1):
        x = columns.gap_x(position)
        blank = asked is None or position in asked
        sheet.add(Box(x - _BOX / 2, y, _BOX, _BOX, role="ink" if blank else "line", weight=1.5 if blank else 1.0))
        sheet.add(Stroke(x, y + _BOX, x, y + _BOX + 6, "line"))
        if solved or not blank:
            style = "label-bold" if blank else "label"
            sheet.text(x, y + _BOX / 2 + middle(metrics, style), tag, style, "ink")
    wrap(sheet, facts, columns, room, _BOX)
    return sheet.draw("Gaps", _gaps_twin(facts, solved, asked), None)


def _gaps_twin(facts: Facts, solved: bool, asked: Collection[int] | None) -> str:
    parts = [facts.words[0]] if facts.words else []
    for position, tag in enumerate(facts.gap_tags, 1):
        shown = solved or (asked is not None and position not in asked)
        parts += [tag if shown else "_", facts.words[position]]
    return " ".join(parts)


def gap_meanings() -> str:
    """What the five gap tags mean, in a line."""
    return ",  ".join(f"**{letter}** {MEANINGS[letter]}" for letter in GAP_LETTERS)


def chart_sheet(parse: Parse, metrics: Metrics, room: Room, solved: bool) -> Drawing:
    """The triangle of the chart with empty cells; solved, with the labels of the parse's own constituents.

    Where the sentence is too long, its constituents are folded as in the picture of the chart.
    """
    facts = facts_of(parse)
    sheet = Sheet(metrics)
    columns = narrow_columns(facts, metrics, dict.fromkeys(facts.positions, _CELL_WORD))
    if columns.width <= room.inner_width:
        units = tuple((word, word + 1) for word in range(len(facts.words)))
        borders: Sequence[float] = columns.borders
    else:
        base = folded_base(parse, facts, metrics, TriangleOptions(), room)
        columns, units, borders = base.columns, base.units, base.borders
    row = CHART_ROWS[FULL if len(units) <= 10 else BRIEF]
    for start in range(len(units)):
        for end in range(start + 1, len(units) + 1):
            rect = cell_rect(borders, start, end, CHART_BASE, row)
            edges = facts.chart_edges.get((units[start][0], units[end - 1][1]), ())
            filled = solved and bool(edges)
            sheet.add(
                Box(*rect, role="ink" if filled else "line", weight=2.0 if filled else 1.0, layer=3 if filled else 1)
            )
            if filled:
                text = edge_label(edges[0])
                sheet.text(rect.centre[0], rect.centre[1] + middle(metrics, "label-bold"), text, "label-bold", "ink")
    for start, end in units:
        first, last = facts.positions[start], facts.positions[end - 1] + 1
        x = (columns.edges[first] + columns.edges[last]) / 2
        words = facts.tokens[first]
        if end - start > 1:
            words = folded_words(facts.tokens[first:last], metrics, columns.edges[last] - columns.edges[first] - 4)
        sheet.text(x, 0.0, words, "word", "ink")
        if end - start == 1:
            sheet.text(x, TAG_DROP, facts.token_tags[first], "tag", "muted")
    labels = [
        f"{edge_label(edges[0])} over {facts.quoted(*span)}" for span, edges in facts.chart_edges.items() if edges
    ]
    return sheet.draw("Chart", "\n".join(labels) if solved else "an empty chart", None)


def counted_word(parse: Parse, wanted: int | None) -> int | None:
    """The word whose dependency a table of counts is about: the one that is wanted, or else the one seen most often."""
    heads = parse.heads()
    if wanted is not None and heads.get(wanted, -1) >= 0:
        return wanted
    factors = facts_of(parse).ledger.by_modifier()

    def seen(word: int) -> tuple[float, ...]:
        # Where both words were always in this relation, or never, there is nothing to compute.
        levels = factors[word].levels
        return (bool(levels) and 0 < levels[0].estimate < 1, *(level.delta for level in levels))

    found = [word for word, head in heads.items() if head >= 0 and word in factors]
    return max(found, key=seen, default=None)


def counts_sheet(
    result: ParseResult, parse: Parse, metrics: Metrics, word: int, solved: bool, width: float
) -> list[Drawing]:
    """The counts of a word's dependency with E, λ and F̂ left empty; solved, with them."""
    explanation = explain_arrow(result, parse, word)
    tables = [block for block in explanation.blocks if isinstance(block, TableBlock) and "η" in block.header]
    formulas = [line for block in explanation.blocks if isinstance(block, Formula) for line, _ in block.lines]
    made = [_counts_table(tables[0], metrics, solved, width)] if tables else []
    sheet = Sheet(metrics)
    y = 0.0
    for line in formulas:
        left, equals, rest = line.partition(" = ")
        if line.startswith("= "):
            left, equals, rest = "", "= ", line[2:]
        if not solved and (not left or not rest.count(" = ")):
            rest = "" if not left else rest
        elif not solved:
            rest = f"{rest.partition(' = ')[0]} = "
        end = sheet.text(0.0 if left else 24.0, y, f"{left}{equals}{rest}", "label", "ink", "start").right
        if not solved and (not left or rest.endswith("= ")):
            sheet.add(Stroke(end + 6, y + 3, end + (120 if left else 320), y + 3, "ink"))
        y += _ROW
    if sheet.shapes:
        made.append(sheet.draw("Formula", "\n".join(formulas) if solved else "", None, margin=0.0))
    return made


def _counts_table(block: TableBlock, metrics: Metrics, solved: bool, width: float) -> Drawing:
    """A table with lines to write in; the last column, E, is left empty."""
    last = len(block.header) - 1
    rows = [block.header, *(row if solved else (*row[:last], "") for row in block.rows)]
    whole = [block.header, *block.rows]
    widths = [max(metrics.width(row[column], "label") for row in whole) + _COLUMN for column in range(last + 1)]
    widths[last] = max(widths[last], 120.0)
    # What a level is based on may be long: it gets what the others leave.
    aside = block.aside if block.aside >= 0 else 1
    widths[aside] = max(80.0, min(widths[aside], width - sum(widths) + widths[aside]))
    sheet = Sheet(metrics)
    y = 0.0
    for number, row in enumerate(rows):
        x, lines = 0.0, 1
        for column, cell in enumerate(row):
            style, role = ("tag", "muted") if number == 0 else ("label", "ink")
            if column in block.right:
                sheet.text(x + widths[column] - _COLUMN, y + 17, cell, style, role, "end")
            else:
                pieces = _broken(cell, metrics, style, widths[column] - _COLUMN)
                lines = max(lines, len(pieces))
                for place, piece in enumerate(pieces):
                    sheet.text(x, y + 17 + 18 * place, piece, style, role, "start")
            x += widths[column]
        y += _ROW + 18 * (lines - 1)
        sheet.add(Stroke(0.0, y, sum(widths), y, "ink" if number == 0 else "line"))
    sheet.add(Stroke(sum(widths[:last]), 0.0, sum(widths[:last]), y, "line"))
    return sheet.draw("Counts", "", None, margin=0.0)


def _broken(text: str, metrics: Metrics, style: str, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.width(f"{lines[-1]} {word}", style) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]
