"""The public names of the engine: listed once, there at run time, and in a package that was installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import engine

ROOT = Path(__file__).parents[2]
STUB = Path(engine.__file__).with_suffix(".pyi")


def test_every_name_that_is_listed_is_there() -> None:
    names = set(vars(engine)["__all__"])
    assert {"Model", "Parser", "load", "train", "evaluate", "read_tree", "json_object"} <= names
    for name in names:
        assert f" {name} as {name}\n" in STUB.read_text(encoding="utf-8")
        assert getattr(engine, name).__name__ == name
    assert names <= set(dir(engine))
    assert not hasattr(engine, "no_such_name")


def test_importing_all_imports_what_is_listed() -> None:
    program = "from engine import *\nimport engine\nprint(set(engine.__all__) <= set(globals()))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_importing_the_engine_loads_none_of_its_rooms() -> None:
    program = "import sys, engine\ndir(engine)\nprint([name for name in sys.modules if name.startswith('engine.')])"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def test_what_is_installed_has_the_list_and_the_data_files(tmp_path: Path) -> None:
    """What `pyproject.toml` says belongs to the packages is all that they need beside their modules."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    for package in ("engine", "explorer"):
        folder = ROOT / package
        data = {path for pattern in settings["package-data"].get(package, []) for path in folder.glob(pattern)}
        assert data >= {path for path in folder.rglob("*") if path.suffix in (".pyi", ".txt", ".json")}
        for path in (*data, *folder.rglob("*.py")):
            copy = tmp_path / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    program = "import engine\nfrom engine import *\nprint(engine.__file__, engine.train is train)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (ran.stdout, ran.stderr) == (f"{tmp_path / 'engine' / '__init__.py'} True\n", "")
