"""Text of a lesson on paper: paragraphs and lists of Markdown, set in lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.pictures.sheet import Sheet

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
