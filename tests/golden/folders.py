"""Cases, the files that they write, what is taken out of these because it varies, and how two folders differ."""

from __future__ import annotations

import difflib
import gzip
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.common.resources import program_version

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "resources" / "examples"
TREEBANKS = REPOSITORY.parent / "shared" / "treebanks"

Files = Iterator[tuple[str, str]]
"""Names of files within the folder of a case, and what is in them; a name that ends in ``.gz`` is packed."""

_PLACES = (
    (str(TREEBANKS.resolve()), "<treebanks>"),
    (str(TREEBANKS), "<treebanks>"),
    (str(REPOSITORY), "<repository>"),
    (str(Path.home()), "<home>"),
)
_VARYING = (
    # The folders that a case makes for itself.
    (re.compile(re.escape(tempfile.gettempdir()) + r"/golden-[^/\s'\"]+"), "<folder>"),
    (re.compile(rf"(parse-engine|Parse Explorer|parse-explorer) {re.escape(program_version())}"), r"\1 <version>"),
    # How long something took, and how fast that was.
    (re.compile(r"(?<![\w.,])[\d,.]+ (s|ms|min|seconds?|milliseconds?)\b(?! of\b)"), r"<time> \1"),
    (re.compile(r"(?<![\w.,])[\d,.]+ (sentences|words|trees)(/s| a second| per second)"), r"<speed> \1\2"),
    (re.compile(r'("[a-z_]*(?:seconds|_per_second|memory)[a-z_]*": )[\d.e+-]+'), r"\1<time>"),
    (re.compile(r"(?<![\w.,])[\d,.]+ (MB|GB|KB|kB) of memory"), r"<memory> \1 of memory"),
    # When a page or file was written.
    (re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\+\d\d:\d\d|Z)?)?"), "<date>"),
)
"""All that may differ between two runs of the same code."""


@dataclass(frozen=True, slots=True)
class Case:
    """One subject: its name, which is that of its folder, what makes its files, and whether that is quick."""

    name: str
    make: Callable[[], Files]
    fast: bool = True


def normalised(text: str) -> str:
    """A text without what varies from run to run, from place to place, and from version to version."""
    for place, name in _PLACES:
        text = text.replace(place, name)
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return text


def write(path: Path, text: str) -> None:
    """Write a file of a case."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = normalised(text).encode("utf-8", "backslashreplace")
    path.write_bytes(gzip.compress(data, 1, mtime=0) if path.suffix == ".gz" else data)


def compare(first: Path, second: Path, lines: int) -> int:
    """Print which files and lines of two folders differ; the result is the exit status."""
    names = [{str(path.relative_to(folder)) for path in folder.rglob("*.*")} for folder in (first, second)]
    differing = 0
    for folder, missing in ((second, names[0] - names[1]), (first, names[1] - names[0])):
        for name in sorted(missing):
            print(f"missing in {folder}: {name}")
            differing += 1
    for name in sorted(names[0] & names[1]):
        one, other = (folder / name for folder in (first, second))
        if one.is_file() and one.read_bytes() != other.read_bytes():
            differing += 1
            _show(name, _lines(one), _lines(other), lines)
    same = len(names[0] & names[1]) - (differing - len(names[0] ^ names[1]))
    print(f"{differing} files differ, {same} are the same" if differing else f"all {same} files are the same")
    return int(bool(differing) or not same)


def _lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().split("\n")


def _show(name: str, first: list[str], second: list[str], most: int) -> None:
    """Print the first lines that differ, under the record (``=== …``) that they stand in."""
    at = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    record = next((line for line in reversed(first[: at + 1]) if line.startswith("=== ")), "")
    differing = sum(a != b for a, b in zip(first, second, strict=False)) + abs(len(first) - len(second))
    print(f"\n{name}: line {at + 1} is the first of about {differing} that differ   {record}")
    window = slice(at, at + 400)
    shown = [line for line in difflib.ndiff(first[window], second[window]) if line[0] in "+-"]
    for line in shown[:most]:
        print(f"    {line[:400]}")
