"""The rules that keep compiled and interpreted code apart (:mod:`engine.compiled.kernel`), for every kernel."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import engine
from engine.compiled.cache import code_of, kernel_sources
from engine.compiled.kernel import COMPILED, INTERPRETED, compiled_kernels, running
from engine.counts import lookup_kernel
from engine.counts.lookup_kernel import find
from engine.rerank.features_kernel import bucket

PACKAGE = Path(engine.__file__).parent
KERNEL_MODULES = [path for path in kernel_sources() if path.name.endswith("_kernel.py")]
LAYOUT_MODULES = [path for path in kernel_sources() if path.name.endswith("_layout.py")]
BUILT_IN = {"abs", "bool", "float", "int", "len", "max", "min", "range"}
"""What numba compiles as Python means it, on the types that kernels use."""
MOST_LINES = 120
"""The documentation not counted."""
MOST_ARGUMENTS = 14


def name_of(path: Path) -> str:
    return ".".join(["engine", *path.relative_to(PACKAGE).with_suffix("").parts])


def imports(tree: ast.Module) -> list[str]:
    """The modules that a module imports from, wherever the statement stands."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # A module of constants may be imported whole: ``from engine.chart import chart_layout as layout``.
            found += [
                f"{node.module}.{alias.name}" if alias.name.endswith("_layout") else node.module or ""
                for alias in node.names
            ]
    return found


def is_covered(module: str) -> bool:
    """Whether a kernel may take names from a module: the cache knows it, or nothing that is compiled comes from it."""
    harmless = (*sys.stdlib_module_names, "numpy", "engine.compiled.kernel", "engine.common.arrays")
    return module in harmless or module.endswith(("_kernel", "_layout"))


@pytest.mark.parametrize("path", KERNEL_MODULES + LAYOUT_MODULES, ids=lambda path: path.stem)
def test_what_is_compiled_comes_from_files_that_the_cache_is_known_by(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert [module for module in imports(tree) if not is_covered(module)] == []
    if path in LAYOUT_MODULES:
        assert [module for module in imports(tree) if module.endswith(("_kernel", ".kernel"))] == []


def is_remark(node: ast.stmt) -> bool:
    """Whether a statement is a string, with which nothing is done."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def without_docstrings(text: bytes) -> str:
    """What Python makes of a module, its docstrings left out."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not is_remark(one)]
    return ast.dump(tree)


@pytest.mark.parametrize("path", KERNEL_MODULES + LAYOUT_MODULES, ids=lambda path: path.stem)
def test_the_cache_is_known_by_all_that_a_module_says_but_comments_and_docstrings(path: Path, tmp_path: Path) -> None:
    text, copy = path.read_bytes(), tmp_path / "copy.py"
    assert without_docstrings(code_of(path)) == without_docstrings(text)
    copy.write_bytes(b"# Said otherwise.\n" + text.replace(b'"""\n', b'And so on."""\n'))
    assert code_of(copy) == code_of(path)
    copy.write_bytes(text + b"NUMBER = 1\n")
    assert code_of(copy) != code_of(path)


def is_constant(value: object) -> bool:
    if isinstance(value, bool | int | float | str | np.number | np.ndarray):
        return True
    return isinstance(value, tuple) and all(map(is_constant, value))


def is_kernel(value: object) -> bool:
    return type(value) is type(find)


def is_layout(value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__.endswith("_layout")


def may_be_used(name: str, value: object) -> bool:
    is_named_tuple = isinstance(value, type) and hasattr(value, "_fields")
    return name in BUILT_IN or value is np or is_named_tuple or is_constant(value) or is_kernel(value)


@pytest.mark.parametrize("path", KERNEL_MODULES, ids=lambda path: path.stem)
def test_a_kernel_uses_arguments_numpy_constants_and_kernels(path: Path) -> None:
    module = importlib.import_module(name_of(path))
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    kernels = [function for function in functions if is_kernel(getattr(module, function.name))]
    assert kernels
    for function in kernels:
        # Annotations and the decorator are nothing that a call evaluates.
        used = {
            node.id
            for statement in function.body
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        local = set(inspect.unwrap(getattr(module, function.name)).__code__.co_varnames)
        for name in sorted(used - local):
            value = getattr(module, name, getattr(builtins, name, None))
            assert may_be_used(name, value) or is_layout(value), f"{function.name} uses {name}, which is {value!r}"
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = None if node.value.id in local else getattr(module, node.value.id, None)
                if is_layout(owner):
                    assert may_be_used(node.attr, getattr(owner, node.attr)), f"{function.name}: {node.attr}"
        assert not any(isinstance(node, (ast.Global, ast.Nonlocal, ast.Import)) for node in ast.walk(function))


@pytest.mark.parametrize("path", KERNEL_MODULES, ids=lambda path: path.stem)
def test_no_constant_of_a_kernel_module_is_assigned_twice(path: Path) -> None:
    assigned: list[str] = []
    for node in ast.parse(path.read_text("utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        assigned += [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    assert len(assigned) == len(set(assigned))


@pytest.mark.parametrize("path", KERNEL_MODULES, ids=lambda path: path.stem)
def test_a_kernel_can_be_read(path: Path) -> None:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            assert ast.get_docstring(node), node.name
            assert node.end_lineno is not None and node.body[0].end_lineno is not None
            assert node.end_lineno - node.body[0].end_lineno <= MOST_LINES, node.name
            assert len(node.args.args) <= MOST_ARGUMENTS, node.name


def test_an_interpreted_kernel_calls_interpreted_ones_only() -> None:
    for path in KERNEL_MODULES:
        module = importlib.import_module(name_of(path))
        for name, value in vars(module).items():
            if is_kernel(value):
                plain = value.interpreted
                assert isinstance(plain, FunctionType) and plain.__code__ is value.function.__code__
                called = [plain.__globals__[used] for used in plain.__code__.co_names if used in plain.__globals__]
                assert not any(map(is_kernel, called)), name


def test_what_runs_is_what_the_mode_says() -> None:
    three: Any = np.int64(3)
    with running(INTERPRETED):
        assert isinstance(bucket(three), np.int64)
    with running(COMPILED):
        # Compiled code has no numpy scalars.
        assert type(bucket(three)) is int
    assert "engine.rerank.features_kernel.bucket" in compiled_kernels()
    with running(COMPILED, [lookup_kernel.__name__]):
        assert isinstance(bucket(three), np.int64)
