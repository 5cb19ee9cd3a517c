"""The manual as text: its pages in the order of the index, their sections, and where words occur in them; no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.common.resources import resources_folder

INDEX = "index.md"
CONTEXT = 64
"""Letters around what was found that are shown with it: half as many before it, twice as many after."""
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) +(.*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^()\s]*\)")
_RULE = re.compile(r"^\|[-| :]+\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the manual and what stands under it, up to the next.

    Attributes
    ----------
    page, page_title
        The file that it is in, and that file's first heading.
    title, anchor
        Its heading, and how a link names it.
    level
        1 for the title of a page.
    text
        What it says, without marks of Markdown.
    """

    page: str
    page_title: str
    title: str
    anchor: str
    level: int
    text: str

    @property
    def place(self) -> str:
        """Where a link leads that means it."""
        return self.page if self.level == 1 else f"{self.page}#{self.anchor}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A section in which all the words of a search occur, and a piece of it with the first of them."""

    section: Section
    context: str


def manual_folder() -> Path:
    """Where the pages are."""
    return resources_folder() / "manual"


def anchor_of(heading: str) -> str:
    """How a link names a heading, as a web page of the repository has it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def pages() -> tuple[str, ...]:
    """The files of the manual: the index, then in its order those that it names."""
    index = (manual_folder() / INDEX).read_text(encoding="utf-8")
    named = re.findall(r"\]\(([\w-]+\.md)\)", index)
    return (INDEX, *dict.fromkeys(name for name in named if (manual_folder() / name).is_file()))


@cache
def sections() -> tuple[Section, ...]:
    """Every section of every page, in reading order."""
    return tuple(section for page in pages() for section in _sections(page))


def _sections(page: str) -> list[Section]:
    text = (manual_folder() / page).read_text(encoding="utf-8")
    # A # in a block of code is no heading.
    hidden = _FENCE.sub(lambda found: re.sub(r"^#", " ", found[0], flags=re.MULTILINE), text)
    marks = list(_HEADING.finditer(hidden))
    title = marks[0][2] if marks else page
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Section(page, title, plain(mark[2]), anchor_of(mark[2]), len(mark[1]), plain(text[mark.end() : end]))
        for mark, end in zip(marks, ends, strict=True)
    ]


def plain(markdown: str) -> str:
    """Text without the marks of Markdown."""
    text = re.sub(r"^```.*$", "", markdown, flags=re.MULTILINE)
    text = _RULE.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"(?<!\\)\|", " ", text).replace("\\|", "|")
    return re.sub(r"\s+", " ", re.sub(r"\*\*|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])", "", text)).strip()


def search(query: str) -> list[Hit]:
    """The sections in which all words of a query occur: those with the words in their headings first."""
    words = query.casefold().split()
    if not words:
        return []
    ranked = []
    for order, section in enumerate(sections()):
        title, text = section.title.casefold(), section.text.casefold()
        if not all(word in title or word in text for word in words):
            continue
        phrase = " ".join(words)
        rank = next(
            (
                rank
                for rank, fits in enumerate((phrase in title, all(word in title for word in words), phrase in text))
                if fits
            ),
            3,
        )
        ranked.append((rank, order, Hit(section, _context(section.text, words))))
    return [hit for *_, hit in sorted(ranked, key=lambda one: one[:2])]


def _context(text: str, words: list[str]) -> str:
    low = text.casefold()
    phrase = low.find(" ".join(words))
    places = [place for place in (low.find(word) for word in words) if place >= 0]
    at = phrase if phrase >= 0 else min(places, default=0)
    start, end = max(0, at - CONTEXT // 2), min(len(text), at + 2 * CONTEXT)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    if end < len(text):
        end = max(text.rfind(" ", 0, end), at + len(words[0]))
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"
