"""The sizes of the rooms: lines and modules of both packages and of the tests, as a table. Nothing is a limit.

``python tests/documentation/sizes.py`` prints it; with the folder of another state of the project, that beside it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PARTS = ("engine", "explorer", "tests")


def sizes(project: Path) -> tuple[Counter[str], Counter[str]]:
    """Lines and modules by room; a module of one line or none is the mark of a package, and only its line counts."""
    lines, modules = Counter[str](), Counter[str]()
    for part in PARTS:
        for path in (project / part).rglob("*.py"):
            inside = path.relative_to(project).parts
            count = path.read_text("utf-8").count("\n")
            for room in (part, "/".join(inside[:2]) if len(inside) > 2 else f"{part}/"):
                lines[room] += count
                modules[room] += count > 1
    return lines, modules


def main(folders: list[str]) -> None:
    """Print the table."""
    states = [sizes(folder) for folder in (*map(Path, folders), PROJECT)]
    print(f"{'room':24}" + "".join(f"{'lines':>9}{'modules':>9}" for _ in states))
    for room in sorted({room for lines, _ in states for room in lines}):
        name = room if room in PARTS else f"  {room}"
        print(f"{name:24}" + "".join(f"{lines[room]:9,}{modules[room]:9,}" for lines, modules in states))


if __name__ == "__main__":
    main(sys.argv[1:])
