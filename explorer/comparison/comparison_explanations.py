"""What the inspector says of a comparison: its verdict, its errors, their brackets; and of cells of the error table."""

from __future__ import annotations

from dataclasses import replace

from engine.analysis.comparison import ErrorClass, ParseError, Span, VerdictKind
from engine.analysis.comparison.treebank_report import ErrorCell
from engine.analysis.headlines import Headline
from engine.analysis.headlines.headline import MOST_REASONS
from engine.analysis.headlines.verdict_headlines import comparison_headline, verdict_headline
from explorer.comparison.comparison_rows import parseval_text
from explorer.comparison.comparison_task import Comparison
from explorer.comparison.treebank_judging import ErrorTable
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    Section,
)
from explorer.explanations.verdict_explanations import (
    errors_table,
    explain_bracket,
    explain_error,
    explain_error_cell,
    explain_verdict,
)
from explorer.graphics.selection import ErrorCellId, ErrorId, VerdictId

_JUDGING = "The verdict is being found …"


def whole_headline(comparison: Comparison) -> Headline:
    """The headline of a comparison: that of its verdict, or what the two are to each other."""
    if comparison.verdict is not None:
        return verdict_headline(comparison.verdict)
    told = comparison_headline(comparison.first, comparison.second, comparison.titles)
    # What our model says of another parser's tree comes first among the reasons.
    return replace(told, reasons=(*comparison.judgement, *told.reasons)[:MOST_REASONS])


def error_of(comparison: Comparison | None, id: object) -> ParseError | None:
    """The error that an id stands for; ``None`` if the comparison has none of that number."""
    if comparison is None or not isinstance(id, ErrorId) or not 0 <= id.number < len(comparison.mistakes):
        return None
    return comparison.mistakes[id.number]


def bracket_of(error: ParseError, id: ErrorId) -> Span | None:
    """The bracket that an id stands for; ``None`` if it stands for the error itself."""
    brackets = (*error.missing, *error.extra)
    return brackets[id.bracket] if 0 <= id.bracket < len(brackets) else None


def explain_compared(comparison: Comparison, id: VerdictId | ErrorId) -> Explanation | None:
    """The page of the verdict, of an error or of a bracket; ``None`` where the comparison has none such."""
    if isinstance(id, VerdictId):
        if comparison.verdict is not None:
            return explain_verdict(comparison.verdict, comparison.mistakes)
        return _explain_pair(comparison)
    error = error_of(comparison, id)
    if error is None:
        return None
    place, words = (id.number + 1, len(comparison.mistakes)), comparison.trees.second.words
    against = comparison.request.second.phrase
    bracket = bracket_of(error, id)
    if bracket is not None:
        return explain_bracket(error, bracket, place, words, against)
    return explain_error(error, place, words, against)


def _explain_pair(comparison: Comparison) -> Explanation:
    """Two parses that no verdict is on, or not yet."""
    blocks: list[ExplanationBlock] = [] if comparison.full else [Paragraph(_JUDGING, quiet=True)]
    if comparison.mistakes:
        blocks += [Heading("What differs", Section.ERRORS), errors_table(comparison.mistakes)]
    title = f"{comparison.titles[0]} against {comparison.titles[1]}"
    return Explanation(title, parseval_text(comparison), tuple(blocks), whole_headline(comparison))


def explain_cell_of(table: ErrorTable, id: ErrorCellId) -> Explanation | None:
    """The page of a cell of the error table; ``None`` where the table has no such row or column."""
    kind = next((one for one in table.kinds if one == id.kind), None)
    verdict = next((one for one in table.verdicts if one == id.verdict), None)
    if (id.kind and kind is None) or (id.verdict and verdict is None):
        return None
    cell = _cell(table, kind, verdict)
    sentences = table.sentences[verdict] if verdict is not None else table.judged
    return explain_error_cell(kind, verdict, cell, sentences, cell.count / table.errors if table.errors else 0.0)


def _cell(table: ErrorTable, kind: ErrorClass | None, verdict: VerdictKind | None) -> ErrorCell:
    if kind is not None and verdict is not None:
        return table.cells.get((kind, verdict), ErrorCell())
    if kind is not None:
        return table.rows[kind]
    return table.columns[verdict] if verdict is not None else table.whole
