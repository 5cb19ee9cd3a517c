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
    "engine/analysis/evidence/training_trees.py": "only digests are made of what is read",
    "engine/analysis/systems/foreign_trees.py": ("foreign-trees",),
    "engine/cli/evaluate_command.py": ("evalb-table",),
    "engine/cli/experiment_process.py": OWN_PROCESS,
    "engine/cli/plot_process.py": OWN_PROCESS,
    "engine/cli/tree_explanation.py": ("treebank", "trees"),
    "engine/cluster/cluster_members.py": CLUSTER,
    "engine/cluster/file_store.py": CLUSTER,
    "engine/cluster/worker_tasks.py": CLUSTER,
    "engine/common/array_file.py": ("model", "damaged-model"),
    "engine/common/checked_json.py": ("session", "journal", "model"),
    "engine/common/files.py": "opens what others read",
    "engine/common/memory.py": "the kernel writes it",
    "engine/common/private_files.py": "opens only what nobody else may write",
    "engine/common/standard_streams.py": "reads nothing: what a stream lacks it has without contents",
    "engine/common/text_stream.py": ("treebank", "sentence-file", "convert", "list-file", "foreign-trees"),
    "engine/compiled/cache.py": "is a cache, which nobody else may write",
    "engine/compiled/kernel_cache.py": "is a cache, which nobody else may write",
    "engine/evaluation/evalb_parameters.py": ("evalb-parameters", "evalb-parameters-file"),
    "engine/evaluation/experiments/journal.py": ("journal",),
    "engine/evaluation/experiments/trial_bench.py": "only digests are made of what is read",
    "engine/export/conversion.py": ("convert", "json"),
    "engine/text/sentence_boundaries.py": BUNDLED,
    "engine/training/fold_models.py": "a temporary file of the same run",
    "engine/trees/head_rules.py": ("head-rules", "head-rules-file"),
    "explorer/appearance/fonts.py": BUNDLED,
    "explorer/appearance/icons.py": BUNDLED,
    "explorer/application/desktop_entry.py": BUNDLED,
    "explorer/application/diagnosis.py": OWN_PROCESS,
    "explorer/application/file_controller.py": ("start", "list-file"),
    "explorer/application/help.py": BUNDLED,
    "explorer/application/start_plan.py": ("start",),
    "explorer/classroom/exercise_result.py": ("exercise-result",),
    "explorer/classroom/lesson_reading.py": ("lesson",),
    "explorer/classroom/lesson_resources.py": ("lesson",),
    "explorer/classroom/live_training_controller.py": ("live-treebank",),
    "explorer/classroom/live_treebank.py": ("live-treebank",),
    "explorer/document/input_reading.py": ("list-file",),
    "explorer/document/preferences.py": ("preferences", "last-session", "left-behind"),
    "explorer/document/session_reading.py": ("session", "last-session", "left-behind"),
    "explorer/explanations/glosses.py": BUNDLED,
    "explorer/help/about.py": BUNDLED,
    "explorer/help/crash_dialog.py": "shows as plain text what the program wrote itself",
    "explorer/help/manual.py": BUNDLED,
    "explorer/help/manual_browser.py": BUNDLED,
    "explorer/laboratory/survey_tabs.py": ("treebank", "trees"),
    "explorer/tasks/engine_process.py": OWN_PROCESS,
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
