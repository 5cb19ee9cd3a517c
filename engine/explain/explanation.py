"""What an explanation is made of, and how it is written as text, HTML, LaTeX and for a screen reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.common.characters import COMMANDS, SYMBOLS, curly_quotes, fitted, long_words_cut, markup, shaped
from engine.common.tables import text_table
from engine.explain.paper_readings import PaperReading
from engine.explain.wording import Headline
from engine.study.counted import Counted

COUNT_SCHEME = "count"
"""What the address of a count that can be opened begins with."""
FOLD_SCHEME = "fold"
"""What the address of a section that can be folded begins with."""
LONGEST_UNBROKEN = 15
"""Cells of a table of up to so many letters keep on one line."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences; `quiet` for remarks."""

    text: str
    quiet: bool = False


class Section(StrEnum):
    """The kinds of sections that a reader can fold; what is folded once stays so on every page."""

    BRACKETS = "brackets"
    CANDIDATES = "candidates"
    CHART = "chart"
    CHILDREN = "children"
    COSTS = "costs"
    COUNTS = "counts"
    DECISIONS = "decisions"
    DISTANCE = "distance"
    EDGES = "edges"
    ERRORS = "errors"
    ESTIMATE = "estimate"
    FACTORS = "factors"
    FEATURES = "features"
    ITEMS = "items"
    LEDGER = "ledger"
    LIST = "list"
    LOST = "lost"
    PAPER = "paper"
    SCORE = "score"
    SECOND_MODEL = "second-model"
    TAGS = "tags"
    UNARY = "unary"
    VERDICT = "verdict"
    VOTE = "vote"


FOLDED_AT_FIRST = frozenset({Section.ESTIMATE, Section.SCORE, Section.PAPER, Section.UNARY})
"""Formulas and remarks for those who want them, folded until somebody opens them."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A small heading; with a `section` all that follows it, up to another section's heading, can be folded."""

    text: str
    section: Section | None = None


END_OF_SECTION = Heading("")
"""What follows is folded with no section; it has no text."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as lines: each in Unicode and in LaTeX."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CountLink:
    """A count that opens the training sentences which it counted: what it is called, and where it comes from."""

    name: str
    counted: tuple[Counted, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows under a header; columns named in `right` are numbers, the row `marked` is what is chosen.

    `links` names cells that are counts, by row and column.  The cells of the column `aside` are remarks of any length:
    where there is little room each has a line of its own under its row.  `subtotals` are rows that sum up those before
    them.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    marked: int = -1
    total: bool = False
    links: tuple[tuple[int, int, CountLink], ...] = ()
    aside: int = -1
    subtotals: tuple[int, ...] = ()


ExplanationBlock = Paragraph | Heading | Formula | TableBlock


HEADING_OF_READINGS = "How it follows the paper"
"""The name of the manual's page that has all of them."""


def reading_blocks(readings: Iterable[PaperReading]) -> list[ExplanationBlock]:
    """Readings of the paper, quietly, each with its section."""
    told = [Paragraph(f"Section {one.section}: {one.fact}", True) for one in dict.fromkeys(readings)]
    return [Heading(HEADING_OF_READINGS, Section.PAPER), *told] if told else []


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is said about one thing, for every face of the program.

    Attributes
    ----------
    title, subtitle
        What it is.
    facts
        What is told of it, in the order in which it is to be read.
    headline
        What is said first: the answer, and up to three reasons.
    readings
        How the paper was read, where that matters for this very thing.
    remark
        How the counts that are shown differ from the paper's; empty where they do not, or none are shown.
    """

    title: str
    subtitle: str
    facts: tuple[ExplanationBlock, ...]
    headline: Headline | None = None
    readings: tuple[PaperReading, ...] = ()
    remark: str = ""

    @property
    def blocks(self) -> tuple[ExplanationBlock, ...]:
        """Everything below the headline: the facts, then the readings of the paper and the remark on the counts."""
        remark = (END_OF_SECTION, Paragraph(self.remark, quiet=True)) if self.remark else ()
        return (*self.facts, *reading_blocks(self.readings), *remark)

    @property
    def spoken(self) -> str:
        """What a screen reader says first: title, headline and reasons, without marks."""
        told = self.headline.text.replace("\n- ", "\n") if self.headline is not None else self.subtitle
        return curly_quotes(f"{self.title}\n{told}".strip())

    @property
    def links(self) -> list[CountLink]:
        """The counts that can be opened, numbered as in the HTML."""
        return [link for block in self.blocks if isinstance(block, TableBlock) for _, _, link in block.links]

    def text(self) -> str:
        """As plain text."""
        parts = [self.title + (f"\n{self.subtitle}" if self.subtitle else "")]
        if self.headline is not None:
            parts.append(self.headline.text)
        for block in self.blocks:
            match block:
                case Paragraph(text):
                    parts.append(text)
                case Heading(text):
                    parts += [text.upper()] if text else []
                case Formula(lines):
                    parts.append("\n".join(line for line, _ in lines))
                case TableBlock(header, rows, right):
                    parts.append(text_table(header, rows, right))
        return "\n\n".join(parts) + "\n"

    def html(
        self,
        ink: str,
        muted: str,
        hairline: str,
        accent: str,
        unbroken: bool = True,
        folded: Collection[Section] = frozenset(),
    ) -> str:
        """As the rich text that Qt shows, in these colours; counts are links ``count:number``.

        Numbers and short words of tables are left `unbroken`, unless there is too little room even for that.  Of the
        sections that are `folded` only the heading is there; headings of sections are links ``fold:section``.
        """
        linked = 0
        section: Section | None = None
        parts = [
            f"<p style='margin:0 0 2px 0'><b style='font-size:large'>{_html(self.title)}</b></p>" if self.title else "",
            f"<p style='margin:0 0 8px 0; color:{muted}'>{_html(self.subtitle)}</p>" if self.subtitle else "",
        ]
        parts += self._html_headline(ink)
        for block in self.blocks:
            if isinstance(block, Heading) and block.section is not section:
                section = block.section
                if section is not None:
                    parts.append(_html_section(block.text, section, section in folded, muted))
                if section is not None or not block.text:
                    continue
            if section is not None and section in folded:
                linked += len(block.links) if isinstance(block, TableBlock) else 0
                continue
            match block:
                case Paragraph(text, quiet):
                    parts.append(f"<p style='margin:4px 0; color:{muted if quiet else ink}'>{_html(text)}</p>")
                case Heading(text):
                    parts.append(f"<p style='margin:12px 0 2px 0; color:{muted}'><b>{_html(text)}</b></p>")
                case Formula(lines):
                    shown = "<br>".join(_html(line) for line, _ in lines)
                    parts.append(f"<p style='margin:6px 0 6px 8px'>{shown}</p>")
                case TableBlock():
                    parts.append(_html_table(block, muted, hairline, accent, linked, unbroken))
                    linked += len(block.links)
        return "".join(parts)

    def _html_headline(self, ink: str) -> list[str]:
        """The answer, then its reasons as a list."""
        if self.headline is None:
            return []
        # Below the last of them there is more room: a table may follow.
        below = [*(3 for _ in self.headline.reasons[1:]), 8]
        reasons = "".join(
            f"<p style='margin:3px 0 {room}px 14px; text-indent:-10px; color:{ink}'>•&nbsp;{_html(reason)}</p>"
            for reason, room in zip(self.headline.reasons, below, strict=False)
        )
        sentence = f"<p style='margin:2px 0 6px 0; color:{ink}'><b>{_html(self.headline.sentence)}</b></p>"
        return [sentence, reasons]

    def latex(self) -> str:
        """As LaTeX for any document with amsmath, booktabs and graphicx."""
        parts = [f"\\paragraph{{{latex_text(self.title)}}} {latex_text(self.subtitle)}".rstrip()]
        if self.headline is not None:
            parts.append(latex_text(self.headline.sentence))
            if self.headline.reasons:
                items = "\n".join(f"\\item {latex_text(reason)}" for reason in self.headline.reasons)
                parts.append(f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}")
        for block in self.blocks:
            match block:
                case Paragraph(text):
                    parts.append(latex_text(text))
                case Heading(text):
                    # The box ends the heading's line, which a table or formula would else stand in.
                    if text:
                        parts.append(f"\\subparagraph{{{latex_text(text)}}}\\mbox{{}}")
                case Formula(lines):
                    body = " \\\\\n".join(line for _, line in lines)
                    parts.append(f"\\begin{{align*}}\n{body}\n\\end{{align*}}")
                case TableBlock():
                    parts.append(_latex_table(block))
        return "\n\n".join(parts) + "\n"


def _html(text: str) -> str:
    return _QUOTED.sub(r"<i>\1</i>", markup(long_words_cut(text), quote=False))


def _html_section(title: str, section: Section, folded: bool, muted: str) -> str:
    arrow = "▸" if folded else "▾"
    link = f"<a href='{FOLD_SCHEME}:{section}' style='color:{muted}; text-decoration:none'>{arrow} {_html(title)}</a>"
    return f"<p style='margin:12px 0 2px 0'><b>{link}</b></p>"


def _html_table(table: TableBlock, muted: str, hairline: str, accent: str, linked: int, unbroken: bool) -> str:
    links = {(row, column): linked + number for number, (row, column, _) in enumerate(table.links)}

    def shown(place: int, column: int, cell: str) -> str:
        number = links.get((place, column))
        cell = _TIMES_TEN.sub("×10", cell).replace("(× ", "(×\u00a0")
        if number is None:
            return _html(cell) or "&nbsp;"
        return f"<a href='{COUNT_SCHEME}:{number}' style='color:{accent}; text-decoration:none'>{_html(cell)}</a>"

    def cells(row: Sequence[str], style: str, place: int = -1) -> str:
        return "".join(
            f"<td align='{'right' if column in table.right else 'left'}' style='{style}; {room(column, cell)}'>"
            f"{shown(place, column, cell)}</td>"
            for column, cell in enumerate(row)
            if column != table.aside
        )

    last = len(table.header) - 1 - (table.aside == len(table.header) - 1)

    def room(column: int, cell: str) -> str:
        """Numbers and short words are not broken: what is long makes room."""
        whole = unbroken and (column in table.right or len(cell) <= LONGEST_UNBROKEN)
        return f"padding-right:{0 if column == last else 8}px" + ("; white-space:nowrap" if whole else "")

    head = cells(
        table.header, f"color:{muted}; padding-top:1px; padding-bottom:3px; border-bottom:1px solid {hairline}"
    )
    lines = []
    for number, row in enumerate(table.rows):
        aside = row[table.aside] if table.aside >= 0 else ""
        style = f"padding-top:2px; padding-bottom:{0 if aside else 2}px"
        if number == table.marked:
            style += f"; color:{accent}; font-weight:bold"
        if number in table.subtotals or (table.total and number == len(table.rows) - 1):
            style += f"; border-top:1px solid {hairline}; font-weight:bold"
        lines.append(f"<tr>{cells(row, style, number)}</tr>")
        if aside:
            lines.append(
                f"<tr><td colspan='{len(row) - 1}' style='color:{muted}; padding:0 0 5px 12px'>{_html(aside)}</td></tr>"
            )
    # Qt rounds the columns of a table up: one of all the width would be wider than there is room.
    opening = "<table width='99%' cellspacing='0' cellpadding='0' style='margin:4px 0'>"
    return f"{opening}<tr>{head}</tr>{''.join(lines)}</table>"


_SPECIAL = {
    **COMMANDS,
    **SYMBOLS,
    "<": r"$\langle$",
    ">": r"$\rangle$",
    "Ŝ": r"$\hat{S}$",
    "≈": r"$\approx$",
    "•": r"$\bullet$",
}
_QUOTED = re.compile(r"`([^`]+)`")
_TIMES_TEN = re.compile(r" × 10(?=[⁻⁰¹²³⁴-⁹])")
"""In the narrow columns of a table a power of ten is set close."""
_HATS = re.compile(r"([A-Z])\u0302")
_BARS = re.compile(r"([A-Za-z])\u0304")
_INDICES = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_INDEX = re.compile(r"[₀-₉]+")
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_POWER = re.compile(r"[⁰¹²³⁴-⁹⁻]+")


def latex_text(text: str) -> str:
    """Text for a LaTeX paragraph: special characters written out, the paper's symbols as mathematics."""
    quoted = _QUOTED.sub(r"`\1'", text)
    escaped = "".join(_SPECIAL.get(letter, letter if letter == "\n" else shaped(letter)) for letter in quoted)
    escaped = _HATS.sub(r"$\\hat{\1}$", escaped)
    escaped = _BARS.sub(r"$\\bar{\1}$", escaped)
    escaped = _INDEX.sub(lambda found: f"$_{{{found[0].translate(_INDICES)}}}$", escaped)
    return _POWER.sub(lambda found: f"$^{{{found[0].translate(_POWERS)}}}$", escaped)


def _latex_table(table: TableBlock) -> str:
    columns = "".join("r" if column in table.right else "l" for column in range(len(table.header)))
    lines = [" & ".join(map(latex_text, table.header)) + r" \\ \midrule"]
    for number, row in enumerate(table.rows):
        if number in table.subtotals or (table.total and number == len(table.rows) - 1):
            lines.append(r"\midrule")
        lines.append(" & ".join(map(latex_text, row)) + r" \\")
    body = "\n".join(lines)
    return fitted(f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}")
