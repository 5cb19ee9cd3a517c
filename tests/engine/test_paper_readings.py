"""The table of readings, and the manual's page that tells of each with its effect."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.explain.paper_readings import PaperReading

PAGE = Path(__file__).parents[2] / "resources" / "manual" / "paper.md"
HEADER = ["reading", "section", "the paper", "here", "effect", "switch"]


def rows() -> list[dict[str, str]]:
    """The rows of the page's table of readings."""
    found: list[list[str]] = []
    inside = False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells == HEADER:
            inside = True
        elif inside and not cells:
            break
        elif inside and not set("".join(cells)) <= set("-"):
            found.append(cells)
    assert all(len(cells) == len(HEADER) for cells in found), found
    return [dict(zip(HEADER, cells, strict=True)) for cells in found]


def test_the_page_has_every_reading_and_no_other() -> None:
    assert [row["reading"] for row in rows()] == [one.title for one in PaperReading]


def test_a_row_leads_to_its_section_and_names_its_switch_and_effect() -> None:
    headings = re.findall(r"^#{2,3} (?:Section )?([\d.]+): ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    for one, row in zip(PaperReading, rows(), strict=True):
        assert one.section in headings
        assert row["section"].startswith(f"[{one.section}](#"), one
        assert row["switch"] == (f"`{one.switch}`" if one.switch else "none"), one
        assert row["the paper"] and row["here"] and row["effect"], one


def test_facts_are_whole_sentences_and_told_once() -> None:
    assert len({one.fact for one in PaperReading}) == len({one.title for one in PaperReading}) == len(PaperReading)
    for one in PaperReading:
        assert one.fact[0].isupper() and one.fact.endswith(".")


@pytest.mark.parametrize("one", [one for one in PaperReading if one.switch])
def test_every_switch_is_an_option_of_the_terminal(one: PaperReading, cli: Callable[..., NamedTuple]) -> None:
    *command, option = re.split(r" (?=--)", one.switch)
    commands = [["experiment", "models"]] if command == ["experiment"] else [command or ["parse"]]
    status, out, _ = cli(*commands[0], "--help")
    assert status == 0 and option.split()[0] in out
