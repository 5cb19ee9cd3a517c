"""What is said of a parse that is compared: its verdict, its errors and their brackets, and cells of the error table.

The words are made by :mod:`engine.explain.verdicts`, which is loaded when somebody asks: a start does without.
"""

from __future__ import annotations

from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation
from engine.explain.subjects import ErrorCellId, ErrorId, PointId, VerdictId
from engine.explain.topics import Topic, Topics
from engine.explain.wording import Headline


def _verdict_page(context: ParseContext, it: VerdictId) -> Explanation | None:
    """Explain the verdict, or how the two parses compare; ``None`` if nothing is compared."""
    from engine.explain.verdicts import explain_comparison, explain_verdict

    compared = context.compared
    if compared is None:
        return None
    if compared.verdict is not None:
        return explain_verdict(compared.verdict, compared.errors, compared.headline)
    return explain_comparison(compared)


def _verdict_headline(context: ParseContext, it: VerdictId) -> Headline | None:
    return context.compared.headline if context.compared is not None else None


def _error_page(context: ParseContext, it: ErrorId) -> Explanation | None:
    """Explain an error, or one of its brackets; ``None`` if there is none of that number."""
    from engine.explain.verdicts import explain_bracket, explain_error

    compared = context.compared
    error = compared.error(it) if compared is not None else None
    if compared is None or error is None:
        return None
    place = (it.number + 1, len(compared.errors))
    bracket = error.bracket(it.bracket)
    if bracket is not None:
        return explain_bracket(error, bracket, place, compared.words, compared.against)
    return explain_error(error, place, compared.words, compared.against)


def _error_headline(context: ParseContext, it: ErrorId) -> Headline | None:
    page = _error_page(context, it)
    return page.headline if page is not None else None


def _cell_page(context: ParseContext, it: ErrorCellId) -> Explanation | None:
    """Explain a cell of the error table; ``None`` where the table has no such row or column."""
    from engine.explain.verdicts import explain_error_cell

    return explain_error_cell(context.error_table, it) if context.error_table is not None else None


def _cell_headline(context: ParseContext, it: ErrorCellId) -> Headline | None:
    page = _cell_page(context, it)
    return page.headline if page is not None else None


TOPICS: Topics = {
    VerdictId: Topic[VerdictId](headline=_verdict_headline, page=_verdict_page, shows_counts=False),
    ErrorId: Topic[ErrorId](headline=_error_headline, page=_error_page, shows_counts=False),
    ErrorCellId: Topic[ErrorCellId](headline=_cell_headline, page=_cell_page, shows_counts=False),
    # A point of a plot is a sentence of the list, whose own things are explained.
    PointId: Topic(),
}
