"""What is put on paper: text of a lesson set in lines, and questions about one sentence to be solved, or solved; no
Qt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.explain.attachments import arrow_page
from engine.explain.explanation import Formula, TableBlock
from engine.explain.subjects import ArrowId, RootId, Subject
from engine.structure.dependencies import GAP_LETTERS
from explorer.output.pages import broken
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Box, Drawing, Metrics, Stroke
from explorer.pictures.facts import Facts, edge_label, facts_of
from explorer.pictures.folding import folded_base, folded_words
from explorer.pictures.layout import BRIEF, CHART_BASE, CHART_ROWS, FULL, TAG_DROP, Room
from explorer.pictures.options import PLAIN, ArrowsOptions, TriangleOptions
from explorer.pictures.ruler import arrow_columns, narrow_columns
from explorer.pictures.sentence import MEANINGS
from explorer.pictures.sheet import Sheet, middle, words_row, wrap
from explorer.pictures.triangle import cell_rect
from explorer.session.parsing import ParseResult

# Text of a lesson on paper: paragraphs and lists of Markdown, set in lines.

_PITCH = 19.0
_BETWEEN = 7.0
_INDENT = 16.0
_INLINE = re.compile(
    r"\\(.)|\*\*(.+?)\*\*|(?<![\w*])[*_](?=\S)(.+?)(?<=\S)[*_](?![\w*])|`([^`]+)`|!?\[([^\]]*)\]\([^)]*\)"
)
_ITEM = re.compile(r"(?:[-*+]|(\d+)[.)])\s+(.*)")


class _Run(NamedTuple):
    text: str
    style: str


def text_drawing(markdown: str, metrics: Metrics, width: float, style: str = "label") -> Drawing | None:
    """Markdown as a drawing of this width; ``None`` if there is nothing to say."""
    sheet = Sheet(metrics)
    y = 0.0
    for mark, text in _paragraphs(markdown):
        x = _INDENT if mark else 0.0
        if mark:
            sheet.text(0, y, mark, style, "ink", "start")
        y = _set(sheet, _runs(text, style), x, y, width) + (2.0 if mark else _BETWEEN)
    return sheet.draw("Text", markdown, None, margin=0.0) if sheet.shapes else None


def plain_text(markdown: str) -> str:
    """A line of Markdown without its marks."""
    return "".join(run.text for run in _runs(markdown, "label"))


def _paragraphs(markdown: str) -> Iterator[tuple[str, str]]:
    """Each paragraph, or item of a list with its mark."""
    mark, rows = "", list[str]()
    for row in [*markdown.split("\n"), ""]:
        item = _ITEM.match(row.strip())
        if (not row.strip() or item) and rows:
            yield mark, " ".join(rows)
            mark, rows = "", []
        if item:
            mark = f"{item[1]}." if item[1] else "•"
            rows = [item[2]]
        elif row.strip():
            rows.append(row.strip().lstrip("#").strip())


def _runs(text: str, style: str) -> list[_Run]:
    """Words with their style: what Markdown has in italics is set in quotes, for there are two weights of type."""
    runs: list[_Run] = []
    at = 0
    for found in _INLINE.finditer(text):
        runs.append(_Run(text[at : found.start()], style))
        at = found.end()
        escaped, bold, mentioned, code, link = found.groups()
        if bold is not None:
            runs += [_Run(run.text, f"{style}-bold") for run in _runs(bold, style)]
        elif mentioned is not None:
            inner = "".join(run.text for run in _runs(mentioned, style))
            runs.append(_Run(f"‘{inner}’", style))
        else:
            runs.append(_Run(escaped or code or link or "", style))
    runs.append(_Run(text[at:], style))
    return [run for run in runs if run.text]


def _set(sheet: Sheet, runs: list[_Run], left: float, y: float, width: float) -> float:
    """Set runs in lines; the y after them."""
    x = left
    space = sheet.metrics.width(" ", runs[0].style) if runs else 0.0
    # A word may consist of several runs, as when its end alone is bold: it is not broken.
    word: list[_Run] = []
    pieces: list[list[_Run]] = []
    for run in runs:
        for number, part in enumerate(re.split(r"\s+", run.text)):
            if number and word:
                pieces.append(word)
                word = []
            if part:
                word.append(_Run(part, run.style))
    if word:
        pieces.append(word)
    for piece in pieces:
        wide = sum(sheet.metrics.width(run.text, run.style) for run in piece)
        if x > left and x + wide > width:
            x, y = left, y + _PITCH
        for run in piece:
            sheet.text(x, y, run.text, run.style, "ink", "start")
            x += sheet.metrics.width(run.text, run.style)
        x += space
    return y + _PITCH


# Questions on paper about one sentence: arrows to draw, gaps, a chart and a table of counts to fill; or solved.

_BOX = 22.0
_GAP_NEED = 40.0
_CELL_WORD = 40.0
_COLUMN = 18.0
_ROW = 26.0


def arrows_sheet(parse: Parse, metrics: Metrics, room: Room) -> Drawing:
    """The words with all their arrows; without :func:`asked_arrows` there is room to draw them."""
    columns = arrow_columns(metrics, facts_of(parse))
    return arrows_picture(parse, metrics, ArrowsOptions(estimate=PLAIN), columns, room)


def asked_arrows(parse: Parse, asked: Collection[int] | None = None) -> set[Subject]:
    """What is left out of the arrows where those of some words are `asked` for; ``None``: of all."""
    if asked is not None:
        return {ArrowId(word) for word in asked}
    return {RootId(), *(ArrowId(word) for word in range(len(parse.sentence.positions)))}


def gaps_sheet(
    parse: Parse, metrics: Metrics, room: Room, solved: bool, asked: Collection[int] | None = None
) -> Drawing:
    """The words with a box in every gap: empty where it is `asked` about (``None``: everywhere), else with its tag.

    Of the gaps behind the first that is asked about nothing is told: what comes after a gap tells much about it.
    """
    told = range(1, min(asked) if asked else 1)
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
        if solved or position in told:
            style = "label-bold" if blank else "label"
            sheet.text(x, y + _BOX / 2 + middle(metrics, style), tag, style, "ink")
    wrap(sheet, facts, columns, room, _BOX)
    return sheet.draw("Gaps", _gaps_twin(facts, solved, told), None)


def _gaps_twin(facts: Facts, solved: bool, told: Collection[int]) -> str:
    parts = [facts.words[0]] if facts.words else []
    for position, tag in enumerate(facts.gap_tags, 1):
        parts += [tag if solved or position in told else "_", facts.words[position]]
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
    factors = parse.ledger().by_modifier()

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
    explanation = arrow_page(result.context(parse), word)
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
                pieces = broken(cell, metrics, style, widths[column] - _COLUMN)
                lines = max(lines, len(pieces))
                for place, piece in enumerate(pieces):
                    sheet.text(x, y + 17 + 18 * place, piece, style, role, "start")
            x += widths[column]
        y += _ROW + 18 * (lines - 1)
        sheet.add(Stroke(0.0, y, sum(widths), y, "ink" if number == 0 else "line"))
    sheet.add(Stroke(sum(widths[:last]), 0.0, sum(widths[:last]), y, "line"))
    return sheet.draw("Counts", "", None, margin=0.0)
