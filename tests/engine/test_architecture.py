"""How the project is laid out: one way for imports, functions of a readable size, a tidy top level."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

PROJECT = Path(__file__).parents[2]
PACKAGES = ("engine", "explorer")
LONGEST_FUNCTION = 120
TOP_LEVEL = {
    *(".ci", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("engine", "explorer", "pyproject.toml", "resources", "tests"),
}


@cache
def modules() -> dict[str, Path]:
    """The dotted name and the file of every module of both packages."""
    found = {}
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def syntax(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text("utf-8"), str(path))


def imported_modules(module: str) -> Iterator[str]:
    """Every module of the project that `module` imports, at whatever depth: lazily, or for type checking alone."""
    path = modules()[module]
    parents = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = parents[: len(parents) - node.level + 1] if node.level else []
            base = ".".join([*above, *(node.module.split(".") if node.module else [])])
            # What is imported from a package is a module of it, or else a name that its __init__ knows.
            names = [full if (full := f"{base}.{alias.name}") in modules() else base for alias in node.names]
        else:
            continue
        yield from (name for name in names if name in modules() and name != module)


def cycles(package: str) -> list[list[str]]:
    """Groups of modules of a package each of which imports, by some way round, all the others."""
    graph = networkx.DiGraph()
    for module in modules():
        if module.split(".")[0] == package:
            graph.add_edges_from((module, other) for other in imported_modules(module))
    return [sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1]


def test_imports_are_found_wherever_they_stand() -> None:
    """The test below is worth something: it sees lazy imports, relative ones, and those of a package's own modules."""
    assert {"engine.cli.command_line", "explorer.window.main_window"} < set(modules())
    edges = {(module, other) for module in modules() for other in imported_modules(module)}
    assert len(edges) > 500
    assert any(other.startswith("engine.study.plots") for _, other in edges), "imported lazily"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other(package: str) -> None:
    """Neither at once nor lazily nor for type checking: a module can be understood before those that use it."""
    assert cycles(package) == []


def test_the_engine_knows_nothing_of_the_explorer() -> None:
    wrong = {
        (module, other)
        for module in modules()
        for other in imported_modules(module)
        if module.startswith("engine") and other.startswith("explorer")
    }
    assert wrong == set()


def test_functions_are_short_enough_to_read() -> None:
    sizes = Counter[str]()
    for path in modules().values():
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                sizes[f"{path.relative_to(PROJECT)}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}


def test_the_top_level_holds_only_what_belongs_there() -> None:
    if not (PROJECT / ".git").exists():
        pytest.skip("not a checkout: what lies beside the project is not known to belong to it")
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} == TOP_LEVEL
