"""Tables and the plot of systems compared as files: CSV, LaTeX and text; SVG, PDF and PNG; JSON of all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from engine.analysis.systems.systems_tables import BY_ERROR, BY_LENGTH, BY_PAIR, BY_SENTENCE, BY_SYSTEM, systems_tables
from engine.common.files import write_whole
from engine.evaluation.experiments.result_table import Block, Column, ResultTable
from explorer.appearance.fonts import QtMetrics
from explorer.export.parse_files import usual_scale, write_drawing
from explorer.graphics.drawing import Drawing
from explorer.graphics.theme import Theme
from explorer.laboratory.system_tables import headline, problems_cells
from explorer.laboratory.system_tabs import ERRORS, LEFT_OUT, LENGTHS, MEASURES, PAIRS, SCATTER, SENTENCES
from explorer.laboratory.system_task import ComparedSystems

TABLE_SUFFIXES = {".csv": "CSV", ".tex": "LaTeX", ".txt": "Text"}
PICTURE_SUFFIXES = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG"}
ALL_SUFFIXES = {".json": "JSON", ".txt": "Text"}
_ROWS = {MEASURES: BY_SYSTEM, PAIRS: BY_PAIR, LENGTHS: BY_LENGTH, ERRORS: BY_ERROR, SENTENCES: BY_SENTENCE}
_WRITERS: dict[str, Callable[[ResultTable], str]] = {
    ".csv": ResultTable.csv,
    ".tex": lambda table: table.latex(),
    ".txt": lambda table: table.text(),
}


def treebank_name(compared: ComparedSystems) -> str:
    """What a title calls the treebank."""
    return compared.request.file.name if compared.request.file is not None else "the list"


def table_of(compared: ComparedSystems, tab: int, exact: bool) -> ResultTable:
    """The table of a tab; that of sentences for the plot."""
    if tab == LEFT_OUT:
        cells = problems_cells(compared.report)
        columns = tuple(Column(title.rstrip("."), title) for title in cells.header)
        return ResultTable("Left out", columns, (Block("what differs", cells.rows),), len(columns))
    rows = _ROWS[SENTENCES if tab == SCATTER else tab]
    return systems_tables(compared.report, [rows], treebank_name(compared), exact)[0]


def table_text(compared: ComparedSystems, tab: int, suffix: str) -> str:
    """The table of a tab as a file of this ending has it."""
    return _WRITERS[suffix](table_of(compared, tab, exact=suffix == ".csv")) + "\n"


def all_text(compared: ComparedSystems) -> str:
    """The answers, and every table but that of sentences, as text."""
    report = compared.report
    answers = "\n".join(headline(report, pair) for pair in report.pairs)
    tabs = [MEASURES, PAIRS, LENGTHS, ERRORS, *([LEFT_OUT] if report.problems else [])]
    return "\n\n".join((answers, *(table_of(compared, tab, exact=False).text() for tab in tabs))) + "\n"


def write_all(compared: ComparedSystems, path: Path) -> None:
    """Write everything: as JSON with all sentences, or as text."""
    if path.suffix.lower() == ".json":
        content = json.dumps(compared.report.as_dict(), ensure_ascii=False, indent=1) + "\n"
    else:
        content = all_text(compared)
    write_whole(path, content.encode())


def write_table(compared: ComparedSystems, tab: int, path: Path) -> None:
    """Write the table of a tab, its format by the file's ending."""
    suffix = path.suffix.lower() if path.suffix.lower() in _WRITERS else ".txt"
    write_whole(path, table_text(compared, tab, suffix).encode())


def write_plot(drawing: Drawing, path: Path, theme: Theme) -> None:
    """Write the plot, its format by the file's ending."""
    write_drawing(drawing, path, theme, usual_scale(path.suffix), QtMetrics())
