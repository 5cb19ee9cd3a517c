"""Files of experiments: the gold trees of the list as a treebank, and the table in its formats."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import replaced
from engine.evaluation.experiments.result_table import ResultTable
from explorer.document.document import TextLine
from explorer.document.messages import as_sentence, error_text

EXPORTS = (
    ("csv", "Table as CSV …", ".csv"),
    ("latex", "Table as LaTeX …", ".tex"),
    ("text", "Table as text …", ".txt"),
    ("svg", "Plot as SVG …", ".svg"),
    ("pdf", "Plot as PDF …", ".pdf"),
    ("png", "Plot as PNG …", ".png"),
)
"""What can be written: its name, its title and the ending of its file."""
TABLES: dict[str, Callable[[ResultTable], str]] = {
    "csv": ResultTable.csv,
    "latex": ResultTable.latex,
    "text": ResultTable.text,
}
"""Those of them that are the table."""


def write_table(table: ResultTable, kind: str, path: Path) -> str:
    """Write a table to a file, and say in a sentence that it is written, or why not."""
    try:
        with replaced(path) as beside:
            beside.write_text(TABLES[kind](table) + "\n", encoding="utf-8", newline="\n")
    except EngineError as error:
        return as_sentence(error_text(error))
    return f"Written: {path.name}."


def write_list(lines: Sequence[TextLine], folder: Path) -> Path:
    """Write gold trees to a file of their own, which the same trees find again; raise :class:`EngineError`."""
    text = "".join(f"{line.text}\n" for line in lines)
    path = folder / hashlib.sha256(text.encode()).hexdigest()[:16] / "list.ptb"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(f"{path.parent}: cannot be made ({error.strerror or error})") from error
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
    return path


def forget_list(name: str, folder: Path) -> None:
    """Remove the file of a list of gold trees; any other file stays, and so does one that cannot be removed."""
    path = Path(name)
    if path.parent.parent == folder and path.name == "list.ptb":
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
            path.parent.rmdir()
