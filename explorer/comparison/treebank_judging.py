"""Judging every sentence of the list in a worker: the engine's report, and a table of it now and then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.analysis.comparison import ErrorClass, VerdictKind
from engine.analysis.comparison.treebank_report import ErrorCell, Report, judge
from engine.chart.parser import Parser
from engine.common.errors import Cancelled, EngineError
from engine.evaluation.provenance import Provenance
from engine.evaluation.tag_sources import GOLD
from engine.model.model import Model
from engine.text.input_recognition import is_tree
from engine.trees.tree_reading import read_tree
from explorer.document.document import Document, TextLine
from explorer.document.sentence_status import FAILED, SentenceStatus, status_of_judgement
from explorer.tasks.worker import Job

TABLE_SECONDS = 0.5
"""Seconds between two tables."""


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """Classes of errors against verdicts, as far as sentences were judged.

    Attributes
    ----------
    kinds, verdicts
        The rows and columns that occur, in the engine's order.
    cells, rows, columns, whole
        What they hold: how many mistakes, the sentences by their number in the list from 1, the cost in F1.
    sentences
        How many sentences of each verdict.
    judged, wanted, f1
        How many were judged, how many there are, and F1 over those judged.
    provenance
        Under what they were judged.
    """

    kinds: tuple[ErrorClass, ...]
    verdicts: tuple[VerdictKind, ...]
    cells: Mapping[tuple[ErrorClass, VerdictKind], ErrorCell]
    rows: Mapping[ErrorClass, ErrorCell]
    columns: Mapping[VerdictKind, ErrorCell]
    whole: ErrorCell
    sentences: Mapping[VerdictKind, int]
    judged: int
    wanted: int
    f1: float
    provenance: Provenance

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(cell.count for cell in self.rows.values())


@dataclass(frozen=True, slots=True)
class PartialTable:
    """What is delivered now and then: the table so far, and what was found of sentences since the last part."""

    table: ErrorTable
    statuses: Mapping[TextLine, SentenceStatus]


def tabulate(report: Report, wanted: int, provenance: Provenance) -> ErrorTable:
    """The table of a report as it is now."""
    report.finish()
    kinds = tuple(kind for kind in ErrorClass if any(kind is own for own, _ in report.cells))
    counts = report.verdicts
    verdicts = tuple(kind for kind in VerdictKind if counts[kind])
    return ErrorTable(
        kinds,
        verdicts,
        {key: replace(cell, sentences=list(cell.sentences)) for key, cell in report.cells.items()},
        {kind: report.row(kind) for kind in kinds},
        {kind: report.column(kind) for kind in verdicts},
        report.whole,
        {kind: counts[kind] for kind in verdicts},
        len(report.judgements),
        wanted,
        report.f1,
        provenance,
    )


def judge_lines(job: Job, model: Model, document: Document, numbers: list[int]) -> ErrorTable:
    """Judge the sentences with these numbers in the list; what there is after every while is delivered, and kept."""
    parser = Parser(model, document.settings)
    report = Report()
    wanted = [number for number in numbers if is_tree(document.lines[number].text)]
    if not wanted:
        raise EngineError("no sentence of the list has a gold tree; open a treebank first")
    found: dict[TextLine, SentenceStatus] = {}
    last_table = time.monotonic()
    provenance = document.provenance(model)

    def deliver_table() -> ErrorTable:
        table = tabulate(report, len(wanted), provenance)
        job.deliver(PartialTable(table, dict(found)))
        found.clear()
        return table

    for count, number in enumerate(wanted):
        job.report(count / len(wanted), f"Judging {count + 1:,} of {len(wanted):,}")
        line = document.lines[number]
        try:
            judged = judge(
                parser,
                read_tree(line.text),
                number + 1,
                gold_tags=provenance.tags == GOLD,
                repair=False,
                control=job.control,
            )
        except Cancelled:
            raise
        except EngineError:
            found[line] = SentenceStatus(FAILED, provenance)
            continue
        if judged is not None:
            # Whole trees are in the list already; what tables need of them is counted.
            report.add(replace(judged, parse_tree="", gold_tree="", factors=()))
            found[line] = status_of_judgement(judged, provenance)
        if time.monotonic() - last_table > TABLE_SECONDS:
            deliver_table()
            last_table = time.monotonic()
    return deliver_table()
