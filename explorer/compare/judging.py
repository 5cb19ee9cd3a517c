"""Judging every sentence of the list in a worker: the engine's report, and a table of it now and then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.compiled.cache import is_compiled
from engine.model.model import Model, WorkerFactory
from engine.study.provenance import GOLD, fingerprint
from engine.study.treebank_report import ErrorTable, Report, table_judge, tabulate
from engine.text.input import is_tree
from explorer.kit.tasks import Job
from explorer.session.document import Document, TextLine
from explorer.session.preferences import MOST_PROCESSES
from explorer.session.statuses import FAILED, SentenceStatus, status_of_judgement

TABLE_SECONDS = 0.5
"""Seconds between two tables."""
LEAST_FOR_PROCESSES = 150
"""Sentences from which on other processes are started.

A start takes 0.9 s of work, judging a sentence of GUM 25 ms (preset 3) to 66 ms (preset 5); by that two processes
would break even at 27 to 70 sentences.
"""


@dataclass(frozen=True, slots=True)
class PartialTable:
    """What is delivered now and then: the table so far, and what was found of sentences since the last part."""

    table: ErrorTable
    statuses: Mapping[TextLine, SentenceStatus]


def judging_processes(document: Document, sentences: int, wanted: int) -> int:
    """In how many processes to judge so many sentences, if up to `wanted` are allowed.

    One, in the window's own, where others would not pay (a short list), cannot have the model (it has no file) or would
    have to compile the parser first.
    """
    if document.live or sentences < LEAST_FOR_PROCESSES or not is_compiled() or not Path(document.model).is_file():
        return 1
    return max(1, min(wanted, MOST_PROCESSES, sentences // SENTENCES_AT_ONCE))


def judge_lines(job: Job, model: Model, document: Document, numbers: list[int], processes: int = 1) -> ErrorTable:
    """Judge the sentences with these numbers in the list; what there is after every while is delivered, and kept.

    With several `processes` the tables are the same, and grow by some sentences at a time.
    """
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

    job.report(0.0, f"Judging 1 of {len(wanted):,}")
    make = partial(table_judge, settings=document.settings, gold_tags=provenance.tags == GOLD)
    tasks = ((number + 1, document.lines[number].text) for number in wanted)
    if processes > 1:
        factory = WorkerFactory(Path(document.model).resolve(), partial(make, expected=fingerprint(model)))
        judged = ordered(factory, tasks, processes, SENTENCES_AT_ONCE, lambda: job.cancelled)
    else:
        judged = ordered(lambda: make(model, control=job.control), tasks)
    # Closed at once when the work is cancelled: the other processes end then.
    with closing(judged):
        for count, (number, (judgement, failed)) in enumerate(zip(wanted, judged, strict=True), 1):
            line = document.lines[number]
            if failed:
                found[line] = SentenceStatus(FAILED, provenance)
            elif judgement is not None:
                report.add(judgement)
                found[line] = status_of_judgement(judgement, provenance)
            if time.monotonic() - last_table > TABLE_SECONDS:
                deliver_table()
                last_table = time.monotonic()
            job.report(count / len(wanted), f"Judging {min(count + 1, len(wanted)):,} of {len(wanted):,}")
    return deliver_table()
