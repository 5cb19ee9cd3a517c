"""The gate: which modules may open files by themselves, and which read through it, with the targets that fuzz them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.fuzz.materials import ROOT

GATE = "engine/gate/"
OPENS = frozenset({"read_text", "read_bytes", "loads", "fromfile", "memmap", "QSettings", "QFile", "fdopen"})
"""What reads a file, or JSON, wherever it is called; and :func:`open`, unless it only writes."""
BY_THEMSELVES: Mapping[str, str] = {
    "engine/__init__.py": "its own source",
    "engine/cluster/worker.py": "a cluster, whose machines run each other's code by design",
    "engine/common/resources.py": "what comes with the program",
    "engine/common/files.py": "locks, and what it writes itself",
    "engine/common/interrupts.py": "the device without contents, where a stream is missing",
    "engine/common/parallel.py": "what the kernel of the system writes",
    "engine/compiled/cache.py": "what the kernel of the system writes, its own source, and a cache that is checked",
    "engine/compiled/compiler.py": "a cache of this user's alone, whose digests are checked",
    "engine/model/file_cache.py": "marks without contents, in a folder that the gate has checked",
    "engine/study/experiment_run.py": "its own source",
    "engine/training/reranker.py": "a temporary file of the same run",
    "explorer/kit/fonts.py": "what comes with the program's libraries",
    "explorer/kit/store.py": "a file that only the user can have written, which the gate has checked",
    "explorer/session/recovery.py": "locks",
    "explorer/window/command.py": "what comes with the program",
    "explorer/window/crash_reports.py": "what the program wrote itself, in a folder that the gate has checked",
}
"""Modules outside the gate that open files: nobody else can have written what they read."""
READING = frozenset(
    {"TextStream", "read_text", "read_bytes", "read_beginning", "open_file", "open_private", "read_arrays", "load_json"}
)
"""What lets contents of a file, or JSON, through the gate."""
DIGESTS = "only digests are made of what is read"
CHECKED = "a cache of this user's alone, which the gate has checked"
BYTES = "passes bytes on, and looks at none"
READERS: Mapping[str, str | tuple[str, ...]] = {
    "engine/cli/evaluate.py": ("evalb-table",),
    "engine/cli/tree_explanation.py": ("treebank", "trees"),
    "engine/cluster/dask_cluster.py": BYTES,
    "engine/compiled/cache.py": CHECKED,
    "engine/export/conversion.py": ("convert", "json"),
    "engine/model/file_cache.py": ("model", "damaged-model"),
    "engine/study/evidence.py": CHECKED,
    "engine/study/foreign_trees.py": ("foreign-trees",),
    "engine/study/journal.py": ("journal",),
    "engine/study/parseval.py": ("evalb-parameters", "evalb-parameters-file"),
    "engine/text/input.py": ("sentence-file", "recognition"),
    "engine/trees/head_rules.py": ("head-rules", "head-rules-file"),
    "engine/trees/treebank.py": ("treebank",),
    "explorer/classroom/answers.py": ("exercise-result",),
    "explorer/classroom/controller.py": ("live-treebank",),
    "explorer/classroom/lesson.py": ("lesson",),
    "explorer/classroom/lesson_file.py": ("lesson",),
    "explorer/classroom/live_training.py": ("live-treebank",),
    "explorer/kit/file_kinds.py": ("start", "list-file"),
    "explorer/laboratory/survey.py": ("treebank", "trees"),
    "explorer/session/files.py": ("session", "last-session", "left-behind", "list-file", "treebank"),
    "explorer/session/document.py": ("list-file",),
    "explorer/window/crash_reports.py": "shows as plain text what the program wrote itself",
}
"""Modules that read what comes through the gate, and the targets that fuzz it, or why none need to."""


def _modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of both packages but the gate's own, and its syntax."""
    for path in sorted((*(ROOT / "engine").rglob("*.py"), *(ROOT / "explorer").rglob("*.py"))):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(GATE):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def opening_modules() -> Iterator[str]:
    """The modules outside the gate that open a file, read JSON or settings by themselves."""
    for name, module in _modules():
        through = {alias for alias, _ in _from_gate(module)}
        calls = (one for one in ast.walk(module) if isinstance(one, ast.Call))
        if any(_opens(call, through) for call in calls):
            yield name


def reading_modules() -> Iterator[str]:
    """The modules that take contents of files, or JSON, through the gate."""
    for name, module in _modules():
        if any(original in READING for _, original in _from_gate(module)):
            yield name


def _from_gate(module: ast.Module) -> Iterator[tuple[str, str]]:
    """What a module imports from the gate: the name that it has here, and its own."""
    for statement in ast.walk(module):
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("engine.gate"):
            yield from ((alias.asname or alias.name, alias.name) for alias in statement.names)


def _opens(call: ast.Call, through: set[str]) -> bool:
    function = call.func
    attribute = isinstance(function, ast.Attribute)
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if not attribute and name in through:
        return False
    if name != "open":
        return name in OPENS
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "os":
        return True
    # A dialog is opened, too, but not in a mode.
    modes = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    reads = any(mode[:1] == "r" for mode in modes)
    return reads or (not modes and any(keyword.arg == "encoding" for keyword in call.keywords))


def corpus_folders(folder: Path) -> set[str]:
    """For which targets the corpus has files."""
    return {path.name for path in folder.iterdir() if path.is_dir()}
