"""How the project is laid out: imports point one way, the engine stands without Qt, the top level is tidy."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

PROJECT = Path(__file__).parents[2]
PACKAGES = ("engine", "explorer")
TOP_LEVEL = {
    *(".ci", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("engine", "explorer", "pyproject.toml", "resources", "tests"),
}
MAY_COME = {"CITATION.cff"}


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
def imports(module: str) -> frozenset[str]:
    """Every module of the project that `module` imports, at whatever depth: lazily, or for type checking alone."""
    return frozenset(_imports(module))


def _imports(module: str) -> Iterator[str]:
    path = modules()[module]
    parents = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
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


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other(package: str) -> None:
    """Neither at once nor lazily nor for type checking: a module can be understood before those that use it."""
    edges = {(module, other) for module in modules() for other in imports(module) if module.split(".")[0] == package}
    assert len(edges) > 200
    groups = networkx.strongly_connected_components(networkx.DiGraph(edges))
    assert [sorted(group) for group in groups if len(group) > 1] == []


def test_the_engine_knows_nothing_of_the_explorer() -> None:
    assert any(other.startswith("engine.study.plots") for module in modules() for other in imports(module)), "lazily"
    assert {
        (module, other)
        for module in modules()
        for other in imports(module)
        if module.startswith("engine") and other.startswith("explorer")
    } == set()


def test_the_top_level_holds_only_what_belongs_there() -> None:
    if not (PROJECT / ".git").exists():
        pytest.skip("not a checkout: what lies beside the project is not known to belong to it")
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} - MAY_COME == TOP_LEVEL


def test_contributing_tells_of_every_room_and_of_files_that_are_there() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    tables = {package: text.split(f"### The rooms of {package}/")[1].split("\n#")[0] for package in PACKAGES}
    for package, table in tables.items():
        rooms = [room for room, _ in re.findall(r"^\| `([\w.]+/?)` \|(.*)", table, re.MULTILINE)]
        beside = {"__init__.py", "__main__.py"}
        there = {
            f"{path.name}/" if path.is_dir() else path.name
            for path in (PROJECT / package).iterdir()
            if (path / "__init__.py").exists() or (path.suffix == ".py" and path.name not in beside)
        }
        assert sorted(rooms) == sorted(there), package
        # In the order in which they may import each other, as the contract has them.
        layers = re.search(
            rf'layers = \[\s+"{package}\.__main__",(.*?)\]', (PROJECT / "pyproject.toml").read_text(), re.S
        )
        assert layers is not None
        order = [room.removeprefix(f"{package}.") for room in re.findall(rf"{package}\.\w+", layers[1])]
        assert [room.removesuffix("/").removesuffix(".py") for room in rooms if room != "reference.py"] == [
            room for room in reversed(order) if room != "reference"
        ]
    named = set(re.findall(r"`((?:engine|explorer|tests|resources)/[\w/.-]+\.\w+)`", text))
    assert len(named) > 30
    assert sorted(name for name in named if not (PROJECT / name).exists()) == []
