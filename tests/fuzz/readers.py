"""Every module that reads a file or JSON, and the targets that fuzz it, or why nobody else can write what it reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.fuzz.materials import ROOT

_CALLS = frozenset({"read_text", "read_bytes", "loads", "open_file", "QSettings"})
BUNDLED = "comes with the program"
OWN_PROCESS = "comes through a pipe from a process of the program"
CLUSTER = "comes from a cluster, whose machines run each other's code by design"
READERS: Mapping[str, str | tuple[str, ...]] = {
    "engine/__init__.py": BUNDLED,
    "engine/study/evidence.py": "only digests are made of what is read",
    "engine/study/foreign_trees.py": ("foreign-trees",),
    "engine/cli/evaluate.py": ("evalb-table",),
    "engine/cli/experiment_process.py": OWN_PROCESS,
    "engine/cli/plot_process.py": OWN_PROCESS,
    "engine/cli/tree_explanation.py": ("treebank", "trees"),
    "engine/cluster/dask_cluster.py": CLUSTER,
    "engine/cluster/worker.py": CLUSTER,
    "engine/gate/array_file.py": ("model", "damaged-model"),
    "engine/gate/checked_json.py": ("session", "journal", "model"),
    "engine/common/files.py": "opens what others read",
    "engine/common/parallel.py": "the kernel writes it",
    "engine/gate/private_files.py": "opens only what nobody else may write",
    "engine/common/interrupts.py": "reads nothing: what a stream lacks it has without contents",
    "engine/gate/text_stream.py": ("treebank", "sentence-file", "convert", "list-file", "foreign-trees"),
    "engine/compiled/cache.py": "is a cache, which nobody else may write",
    "engine/compiled/compiler.py": "is a cache, which nobody else may write",
    "engine/study/parseval.py": ("evalb-parameters", "evalb-parameters-file"),
    "engine/study/journal.py": ("journal",),
    "engine/study/experiment_run.py": "only digests are made of what is read",
    "engine/export/conversion.py": ("convert", "json"),
    "engine/text/tokeniser.py": BUNDLED,
    "engine/training/reranker.py": "a temporary file of the same run",
    "engine/trees/head_rules.py": ("head-rules", "head-rules-file"),
    "explorer/kit/fonts.py": BUNDLED,
    "explorer/kit/appearance.py": BUNDLED,
    "explorer/window/command.py": BUNDLED,
    "explorer/window/diagnosis.py": OWN_PROCESS,
    "explorer/window/files.py": ("start", "list-file"),
    "explorer/window/start_plan.py": ("start",),
    "explorer/classroom/answers.py": ("exercise-result",),
    "explorer/classroom/lesson_file.py": ("lesson",),
    "explorer/classroom/lesson.py": ("lesson",),
    "explorer/classroom/controller.py": ("live-treebank",),
    "explorer/classroom/live_training.py": ("live-treebank",),
    "explorer/session/lines.py": ("list-file",),
    "explorer/session/preferences.py": ("preferences", "last-session", "left-behind"),
    "explorer/session/files.py": ("session", "last-session", "left-behind"),
    "explorer/kit/glosses.py": BUNDLED,
    "explorer/window/help.py": BUNDLED,
    "explorer/window/crash_reports.py": "shows as plain text what the program wrote itself",
    "explorer/window/manual.py": BUNDLED,
    "explorer/laboratory/survey.py": ("treebank", "trees"),
    "explorer/kit/processes.py": OWN_PROCESS,
}


def reading_modules() -> Iterator[str]:
    """The modules of both packages that read a file, JSON or settings."""
    for path in sorted((*(ROOT / "engine").rglob("*.py"), *(ROOT / "explorer").rglob("*.py"))):
        calls = (one for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(one, ast.Call))
        if any(_reads(call) for call in calls):
            yield path.relative_to(ROOT).as_posix()


def _reads(call: ast.Call) -> bool:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name != "open":
        return name in _CALLS
    # A dialog is opened, too, but not in a mode.
    modes = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    reads = any(mode[:1] == "r" for mode in modes)
    return reads or (not modes and any(keyword.arg == "encoding" for keyword in call.keywords))


def corpus_folders(folder: Path) -> set[str]:
    """For which targets the corpus has files."""
    return {path.name for path in folder.iterdir() if path.is_dir()}
