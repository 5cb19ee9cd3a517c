"""Tables of cells as aligned text, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.common.characters import escape_latex, made_text

# Tables as the terminal prints them.


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: the hat of F̂ takes none."""
    return sum(not unicodedata.combining(character) for character in text)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Columns of text, left-aligned but for those named in `right`."""
    widths = [max(_columns(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [
            (" " * (width - _columns(cell)) + cell) if column in right else (cell + " " * (width - _columns(cell)))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


# Tables as CSV or TSV that any spreadsheet opens and none takes for formulas; one convention for terminal and window.
#
# A text that a spreadsheet would compute has an apostrophe before it: ``=1+1`` is written ``'=1+1``, and the word
# ``-LRB-`` is written ``'-LRB-``, because a spreadsheet shows an error in its place otherwise.  So that a reader can
# undo this (:func:`cell_text`), a text that looks like that already, ``'=1+1``, gets one more.  Numbers are written
# as they are, also those that come as text, and so is every other text: ``'s`` stays ``'s``.

CSV_DELIMITER, TSV_DELIMITER = ",", "\t"
Cell = str | int | float | None
_NUMBER = re.compile(r"[+-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?")
_FORMULA = re.compile(r"'*[\s\0]*[=+\-@\t\r\n＝＋－＠]")
"""What a spreadsheet takes for the beginning of a formula, and what looks like that with apostrophes before it."""


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = CSV_DELIMITER) -> str:
    """Return a table as CSV, or with tabs: its header and its rows, no cell of which is a formula."""
    return "".join(csv_line(row, delimiter) for row in (header, *rows))


def csv_line(row: Iterable[Cell], delimiter: str = CSV_DELIMITER) -> str:
    """One row of a table, with its line end."""
    line = io.StringIO()
    # A cell with one of the characters of a line's end is quoted.
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow([safe_cell(cell) for cell in row])
    return line.getvalue().removesuffix("\r\n") + "\n"


def clipboard_line(row: Iterable[Cell]) -> str:
    """One row as a spreadsheet takes it from the clipboard, where nothing is quoted: without its line end."""
    return "\t".join(" ".join(str(safe_cell(cell)).split()) for cell in row)


def safe_cell(cell: Cell) -> str | int | float:
    """Return a cell as it is written: numbers as they are, nothing as nothing, no text as a formula."""
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return cell
    text = made_text(cell)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def cell_text(written: str) -> str:
    """Return the text of a cell that was read from a table:
    the apostrophe taken off that :func:`safe_cell` put before it.
    """
    unquoted = written[1:]
    return unquoted if written.startswith("'") and safe_cell(unquoted) == written else written


# Tables: columns and rows of values, as aligned text, CSV and LaTeX, as records for JSON, and as cells of a window.

Value = Any
"""What a cell holds: a text, a number, ``None`` where there is nothing, or what the column makes texts and parts of."""
MISSING = "-"
OURS, PAPERS, DIFFERENCE = "ours", "paper", "difference"
"""Kinds of rows where ours stand beside the paper's."""
THE_PAPER = "the paper"

_LATEX_SIGNS = {r"\textless{}=": r"$\leq$", "β": r"$\beta$", "×": r"$\times$", "−": "$-$", "–": "--"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes
    ----------
    key
        Its name in CSV.
    title
        Its heading in print, in ASCII where that will do.
    form
        How a value is printed: a format for numbers, or what makes a text of it.
    group
        Heading over several columns next to one another.
    tip
        What it shows, where its title does not say so.
    parts
        Of values that files have in several columns: the endings of their keys, and what gives each its number.
    most
        The number that a bar as long as the cell stands for, where a window paints bars; 0 for none.
    """

    key: str
    title: str
    form: str | Callable[[Any], str] = "{}"
    group: str = ""
    tip: str = ""
    parts: tuple[tuple[str, Callable[[Any], Value]], ...] = ()
    most: float = 0.0

    def shown(self, value: Value) -> str:
        """Return a cell in print."""
        if value is None:
            return MISSING
        if callable(self.form):
            return self.form(value)
        return value if isinstance(value, str) else self.form.format(value)

    def figure(self, value: Value) -> str:
        """Return the first number of a cell in print, without what stands behind it."""
        return self.shown(value).partition(" ")[0]

    def names(self) -> list[str]:
        """Return what files call it; several where its values have parts."""
        return [f"{self.key}{ending}" for ending, _ in self.parts] or [self.key]

    def values(self, value: Value) -> list[Value]:
        """Return a cell in files: all its digits."""
        return [part(value) for _, part in self.parts] or [value]

    def number(self, value: Value) -> Value:
        """Return what a cell is sorted by, and the length of its bar."""
        return self.values(value)[0]


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together, what they are, whether the paper has them, and a note on them in print."""

    title: str
    rows: Sequence[tuple[Value, ...]]
    papers: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row beside the paper's: what it is, whose, its cells in print, and their values."""

    kind: str
    source: str
    cells: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, whose rows may stand in blocks: ours, the paper's.

    Attributes
    ----------
    title
        What it shows.
    columns
        Those that name a row first: `names` of them.
    blocks
        The rows.
    names
        How many columns name a row, left-aligned.
    matched
        The columns by which a row of the paper is matched with one of ours.
    kind
        What a window calls the blocks, where it has a column for them.
    """

    title: str
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    names: int = 1
    matched: tuple[int, ...] = ()
    kind: str = ""

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(column.title for column in self.columns)

    @property
    def rows(self) -> Sequence[tuple[Value, ...]]:
        """The rows of all blocks."""
        if len(self.blocks) == 1:
            return self.blocks[0].rows
        return [row for block in self.blocks for row in block.rows]

    @property
    def right(self) -> frozenset[int]:
        """The columns that are numbers, and so stand to the right."""
        return frozenset(range(self.names, len(self.columns)))

    def shown(self, row: Sequence[Value]) -> tuple[str, ...]:
        """Return the cells of a row in print."""
        return tuple(column.shown(value) for column, value in zip(self.columns, row, strict=True))

    def with_blocks(self) -> Table:
        """Return the table as one block, with a first column that names the block of each row."""
        column = Column("source", self.kind)
        rows = tuple((block.title, *row) for block in self.blocks for row in block.rows)
        return replace(self, columns=(column, *self.columns), blocks=(Block("", rows),), names=self.names + 1)

    def text(self) -> str:
        """Aligned text."""
        groups = [
            column.group if column.group and (not index or self.columns[index - 1].group != column.group) else ""
            for index, column in enumerate(self.columns)
        ]
        shown = [self.shown(row) for row in self.rows]
        # The headings of groups may be wider than a column: they are laid over the finished lines.
        lines = text_table(self.header, shown, sorted(self.right)).split("\n")
        heading = _over(groups, self.header, shown)
        result = [*([self.title, ""] if self.title else []), *([heading] if heading else []), lines[0]]
        at = 1
        for block in self.blocks:
            result += [f"-- {block.title}{block.note}"] if block.title else []
            result += lines[at : at + len(block.rows)]
            at += len(block.rows)
        return "\n".join(result)

    def csv(self, delimiter: str = CSV_DELIMITER) -> str:
        """Values with a delimiter, all digits that matter; where blocks have titles the first column names them."""
        table = self.with_blocks() if any(block.title for block in self.blocks) else self
        header = [key for column in table.columns for key in column.names()]
        return csv_text(header, map(table.exact, table.rows), delimiter).removesuffix("\n")

    def exact(self, row: Sequence[Value]) -> list[str]:
        """Return the cells of a row in files."""
        pairs = zip(self.columns, row, strict=True)
        return [_exact(part) for column, value in pairs for part in column.values(value)]

    def records(self, rows: Iterable[Sequence[Value]] | None = None) -> list[dict[str, Value]]:
        """Rows, all of them unless some are given, each with its cells by the keys of columns."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in (self.rows if rows is None else rows)]

    def papers_records(self) -> list[dict[str, Value]]:
        """Return the paper's rows, each with its cells by the keys of columns."""
        return self.records(row for block in self.blocks if block.papers for row in block.rows)

    def beside_paper(self) -> list[ComparedRow]:
        """Return each row of ours, the paper's row for the same under it,
        and what ours is above that (below: negative).
        """
        paper = [row for block in self.blocks if block.papers for row in block.rows]
        found, used = [], set()
        for block in self.blocks:
            for row in () if block.papers else block.rows:
                found.append(ComparedRow(OURS, block.title, self.shown(row), row))
                for theirs in self._same(row, paper):
                    used.add(theirs)
                    found.append(ComparedRow(PAPERS, THE_PAPER, self.shown(theirs), theirs))
                    difference = self._difference(row, theirs)
                    shown = ["" if value is None else self._signed(at, value) for at, value in enumerate(difference)]
                    found.append(ComparedRow(DIFFERENCE, "difference", tuple(shown), difference))
        rest = [row for row in paper if row not in used]
        return found + [ComparedRow(PAPERS, THE_PAPER, self.shown(row), row) for row in rest]

    def difference_records(self) -> list[dict[str, Value]]:
        """Return what ours is above the paper's, for every row that the paper has, by the keys of columns."""
        return self.records(row.values for row in self.beside_paper() if row.kind == DIFFERENCE)

    def _same(self, row: Sequence[Value], paper: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
        return [theirs for theirs in paper if self.matched and all(row[at] == theirs[at] for at in self.matched)]

    def _difference(self, ours: Sequence[Value], paper: Sequence[Value]) -> tuple[Value, ...]:
        """Return the names of our row, and numbers that both have, subtracted."""
        return tuple(
            mine
            if at < self.names
            else mine - theirs
            if isinstance(mine, int | float) and isinstance(theirs, int | float)
            else None
            for at, (mine, theirs) in enumerate(zip(ours, paper, strict=True))
        )

    def _signed(self, at: int, value: Value) -> str:
        if at < self.names or not isinstance(value, int | float):
            return self.columns[at].shown(value) if at >= self.names else ""
        return f"{'+' if value > 0 else ''}{self.columns[at].shown(value)}".replace("-", "−")

    def latex(self) -> str:
        """Return a ``tabular`` with rules of the package ``booktabs``."""
        count = len(self.columns)
        lines = [
            f"% {self.title}",
            r"% needs \usepackage{booktabs} and, with pdfLaTeX, \usepackage[T1]{fontenc}",
            rf"\begin{{tabular}}{{{'l' * self.names}{'r' * (count - self.names)}}}",
            r"\toprule",
        ]
        spans = self._spans()
        if spans:
            cells, rules, at = [], [], 0
            for start, end, title in spans:
                cells += [""] * (start - at) + [rf"\multicolumn{{{end - start}}}{{c}}{{{_latex(title)}}}"]
                rules.append(rf"\cmidrule(lr){{{start + 1}-{end}}}")
                at = end
            lines += [" & ".join(cells + [""] * (count - at)) + r" \\", "".join(rules)]
        lines.append(" & ".join(map(_latex, self.header)) + r" \\")
        for block in self.blocks:
            heading = _latex(block.title + block.note)
            lines += [r"\midrule"]
            lines += [rf"\multicolumn{{{count}}}{{l}}{{\emph{{{heading}}}}} \\"] if heading else []
            lines += [" & ".join(map(_latex, self.shown(row))) + r" \\" for row in block.rows]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def _spans(self) -> list[tuple[int, int, str]]:
        """First column, one past the last, and title of every group."""
        spans: list[tuple[int, int, str]] = []
        for index, column in enumerate(self.columns):
            if not column.group:
                continue
            if spans and spans[-1][1:] == (index, column.group):
                spans[-1] = (spans[-1][0], index + 1, column.group)
            else:
                spans.append((index, index + 1, column.group))
        return spans


TABLE_FORMATS: Mapping[str, tuple[str, Callable[[Table], str]]] = {
    ".csv": ("CSV", lambda table: table.csv()),
    ".tex": ("LaTeX", lambda table: table.latex()),
    ".txt": ("text", lambda table: table.text()),
}
"""What a table can be written as: by the ending of the file its name, and what writes it, without the last line end."""


def _over(groups: Sequence[str], titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the headings of groups, each above where its first column begins."""
    line, at = "", 0
    for column, group in enumerate(groups):
        if group:
            line = line.ljust(at) + group
        at += max(len(row[column]) for row in (titles, *rows)) + 2
    return line


def _latex(text: str) -> str:
    text = escape_latex(text)
    for sign, command in _LATEX_SIGNS.items():
        text = text.replace(sign, command)
    return text


def _exact(value: Value) -> str:
    if value is None:
        return ""
    return f"{value:.8g}" if isinstance(value, float) else str(value)
