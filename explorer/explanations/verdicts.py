"""Verdicts and errors explained: the headline first, then the numbers behind it, and what a class of errors means."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.common.numbers import beam_text, log_text, signed, size
from engine.explain.verdicts import GOLD_TREE, bracket_headline, error_cell_headline, error_headline, verdict_headline
from engine.explain.wording import MOST_WORDS, capital
from engine.study.comparison import LedgerDifference, Span, TreeComparison
from engine.study.errors import ErrorClass, ParseError
from engine.study.search_errors import Loss, Repair
from engine.study.treebank_report import ErrorCell
from engine.study.verdicts import Verdict, VerdictKind
from explorer.explanations.blocks import Explanation, ExplanationBlock, Heading, Paragraph, Section, TableBlock
from explorer.kit.glosses import ERRORS, VERDICTS, glosses

ROWS_SHOWN = 8
_SOURCE = "The classes are those of Kummerfeld, Hall, Curran and Klein (2012)."
MISSING, EXTRA = "missing", "extra"
"""What a bracket is called that only the tree held against it has, and one that only the parse has."""


def explain_verdict(verdict: Verdict, errors: Sequence[ParseError]) -> Explanation:
    """The verdict on a parse: what it means, its numbers, what was lost or never seen, and the errors."""
    blocks: list[ExplanationBlock] = [Paragraph(_meaning(VERDICTS, verdict.kind))]
    blocks += [Heading("Numbers", Section.VERDICT), _numbers(verdict)]
    if verdict.losses:
        blocks += [Heading("What the search lost, first loss first", Section.LOST), _losses(verdict.losses, verdict)]
    if verdict.impossibilities:
        rows = tuple((str(one.cause), one.text) for one in verdict.impossibilities[:ROWS_SHOWN])
        blocks += [Heading("What makes the gold tree impossible", Section.LOST), TableBlock(("cause", "what"), rows)]
        blocks += _left_out(len(verdict.impossibilities))
    if verdict.comparison.wrong_tags:
        blocks += [Heading("Tags that differ", Section.TAGS), _tags(verdict.comparison)]
    if verdict.difference is not None and verdict.difference.rows:
        blocks += [Heading("What weighs most", Section.COSTS), _weights(verdict.difference)]
        blocks += _left_out(len(verdict.difference.rows))
    if errors:
        blocks += [Heading("Errors", Section.ERRORS), errors_table(errors)]
    trees = verdict.comparison
    subtitle = f"F1 {trees.f1:.1f} %,  {trees.parseval.matched} of {size(trees.parseval.gold, 'gold bracket')} found"
    return Explanation(f"Verdict: {verdict.kind}", subtitle, tuple(blocks), verdict_headline(verdict))


def explain_error(
    error: ParseError, place: tuple[int, int], words: Sequence[str], held_against: str = GOLD_TREE
) -> Explanation:
    """An error: its class, what that means, and its brackets.

    Parameters
    ----------
    error
        The error.
    place
        Its number among the errors of the parse, from 1, and how many there are.
    words
        All tokens of the sentence.
    held_against
        What the parse is held against.
    """
    subtitle = f"error {place[0]} of {place[1]},  costs {error.f1:.1f} of F1" if error.f1 >= 0.05 else _place(place)
    blocks = _about(error, words, None, held_against)
    return Explanation(
        f"{capital(error.kind.value)}: {_short(error.words)}", subtitle, blocks, error_headline(error, held_against)
    )


def explain_bracket(
    error: ParseError, bracket: Span, place: tuple[int, int], words: Sequence[str], held_against: str = GOLD_TREE
) -> Explanation:
    """One bracket in which two trees differ: on which side it is, and the error that it belongs to."""
    side = MISSING if bracket in error.missing else EXTRA
    title = f"{bracket.label}: {_short(' '.join(words[bracket.start : bracket.end]))}"
    headline = bracket_headline(error, bracket, words, held_against)
    blocks = _about(error, words, bracket, held_against)
    return Explanation(title, f"{side} bracket of {_place(place)}", blocks, headline)


def explain_error_cell(
    kind: ErrorClass | None, verdict: VerdictKind | None, cell: ErrorCell, sentences: int, share: float
) -> Explanation:
    """A cell, a row or a column of the error table; see :func:`error_cell_headline`."""
    blocks: list[ExplanationBlock] = []
    if kind is not None:
        blocks.append(Paragraph(f"{capital(kind.value)}: {_meaning(ERRORS, kind, False)} {_SOURCE}"))
    if verdict is not None:
        blocks.append(Paragraph(f"{capital(verdict.value)}: {_meaning(VERDICTS, verdict, False)}"))
    rows = [
        ("errors", f"{cell.count:,}"),
        ("sentences with them", f"{len(cell.sentences):,}"),
        ("brackets missing", f"{cell.missing:,}"),
        ("brackets extra", f"{cell.extra:,}"),
        ("cost in F1", f"{cell.f1:.2f}" if cell.f1 >= 0.005 else "≈ 0"),
    ]
    if cell.count:
        blocks += [Heading("Numbers", Section.VERDICT), TableBlock(("what", "number"), tuple(rows), (1,))]
    title = ", ".join(str(one) for one in (kind, verdict) if one is not None) or "all errors"
    headline = error_cell_headline(kind, verdict, cell, sentences, share)
    return Explanation(capital(title), "a cell of the error table", tuple(blocks), headline)


def errors_table(errors: Sequence[ParseError]) -> TableBlock:
    """Errors, the most costly first."""
    rows = tuple((str(error.kind), _short(error.words), f"{error.f1:.1f}") for error in errors)
    return TableBlock(("error", "words", "costs F1"), rows, (2,))


def _about(
    error: ParseError, words: Sequence[str], chosen: Span | None, held_against: str
) -> tuple[ExplanationBlock, ...]:
    """What the class means, and the brackets; the one that is `chosen` is marked."""
    meaning = f"{capital(error.kind.value)}: {_meaning(ERRORS, error.kind, False)} {_SOURCE}"
    brackets = [(MISSING, one) for one in error.missing] + [(EXTRA, one) for one in error.extra]
    rows = tuple((side, one.label, _short(" ".join(words[one.start : one.end]))) for side, one in brackets)
    marked = next((number for number, (_, one) in enumerate(brackets) if one == chosen), -1)
    blocks: list[ExplanationBlock] = [Paragraph(meaning)]
    if rows:
        table = TableBlock(("bracket", "label", "words"), rows, marked=marked)
        note = Paragraph(f"Missing brackets are in {held_against} alone, extra ones in the parse alone.", True)
        blocks += [Heading("Brackets", Section.BRACKETS), table, note]
    if any(one.inside for _, one in brackets):
        blocks.append(
            Paragraph("Brackets inside baseNPs are outside the score: no factor of the model sees them.", True)
        )
    return tuple(blocks)


def _meaning(sort: str, name: str, capitalised: bool = True) -> str:
    gloss = glosses()[sort][str(name)]
    return f"{gloss.sentence if capitalised else gloss.text}."


def _place(place: tuple[int, int]) -> str:
    return f"error {place[0]} of {place[1]}"


def _short(words: str) -> str:
    found = words.split()
    return " ".join(found if len(found) <= MOST_WORDS else [*found[: MOST_WORDS - 3], "…", *found[-2:]])


def _left_out(count: int) -> list[ExplanationBlock]:
    more = count - ROWS_SHOWN
    return [Paragraph(f"and {more:,} more", True)] if more > 0 else []


def _numbers(verdict: Verdict) -> TableBlock:
    """Log P and score of both trees, the price of the gold tree, and what would repair the search."""
    judged, gold = verdict.judged or verdict.parse, verdict.gold
    # A cover of fragments has no probability.
    own = "–" if judged.fallback else log_text(judged.log_probability, 3)
    rows = [("log P", own, log_text(gold.ledger.log_probability, 3))]
    if not judged.fallback and judged.score != judged.log_probability:
        rows.append(("score", log_text(judged.score, 3), log_text(gold.log_probability, 3)))
    if verdict.kind is not VerdictKind.RIGHT and not math.isnan(verdict.nats):
        price = "impossible" if math.isinf(verdict.nats) else log_text(verdict.nats, 3)
        rows.append(("price of the gold tree", "", price))
    if judged.expected_f1 is not None:
        rows.append(("expected F1", f"{100 * judged.expected_f1:.2f} %", ""))
    rows += [(name, "", value) for name, value in _repair(verdict.repair)]
    score = verdict.comparison.parseval
    rows.append(("brackets", f"{score.proposed:,}", f"{score.gold:,}"))
    rows.append(("of them in both", f"{score.matched:,}", f"{score.matched:,}"))
    return TableBlock(("", "parse", "gold"), tuple(rows), (1, 2))


def _repair(repair: Repair | None) -> list[tuple[str, str]]:
    if repair is None:
        return []
    found = []
    if repair.beam is not None:
        found.append(("β that keeps it", beam_text(repair.beam)))
    if repair.threshold is not None:
        found.append(("threshold that keeps it", log_text(repair.threshold, 0)))
    if repair.rerank is not None:
        found.append(("parses to re-rank", f"{repair.rerank:,}"))
    if repair.by_score:
        found.append(("chosen by", "score"))
    found.append(("then found", "the gold tree" if repair.finds_gold else "one as good"))
    return found


def _losses(losses: Sequence[Loss], verdict: Verdict) -> TableBlock:
    words = (verdict.judged or verdict.parse).sentence.proper_words
    rows = tuple(
        (
            f"{one.label} ({words[one.head]})",
            _short(" ".join(words[one.start : one.end])),
            log_text(one.score) if math.isfinite(one.score) else "–",
            log_text(one.best) if math.isfinite(one.best) else "–",
            log_text(one.margin) if math.isfinite(one.margin) else "–",
            one.pruning_reason,
        )
        for one in losses[:ROWS_SHOWN]
    )
    return TableBlock(("chart item", "words", "log P", "best there", "lost by", "why"), rows, (2, 3, 4), aside=5)


def _tags(trees: TreeComparison) -> TableBlock:
    rows = tuple(
        (trees.second.words[token], trees.first.tags[token], trees.second.tags[token]) for token in trees.wrong_tags
    )
    return TableBlock(("word", "parse", "gold"), rows)


def _weights(difference: LedgerDifference) -> TableBlock:
    rows = tuple(
        (
            signed(row.contribution),
            row.first.what if row.first is not None else "–",
            row.second.what if row.second is not None else "–",
        )
        for row in difference.rows[:ROWS_SHOWN]
    )
    return TableBlock(("nats", "parse", "gold"), rows, (0,))
