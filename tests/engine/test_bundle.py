"""In the bundle for people without Python: how modules are started there, and compiled kernels found wherever it lies.

A bundle is played here by a copy of the package and a child that says of itself what PyInstaller's starter says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.common.this_program import RUN_MODULE, module_command
from engine.compiled.cache import PARTS

PROJECT = Path(__file__).parents[2]
NOTHING_LISTED = json.dumps({"kernels": [], "files": []})
START = "import sys; sys.frozen = True; sys.path.insert(0, sys.argv.pop(1)); sys.executable = sys.argv.pop(1)\n"
RUN = START + "from engine.common.this_program import run_bundled; sys.exit(run_bundled('engine.__main__'))"
TAG = (
    START
    + """
import os
from engine.common.this_program import GENERIC_PROCESSOR
os.environ.update(GENERIC_PROCESSOR)
import json
from engine import warm_up
from engine.compiled.cache import kernel_folder
from engine.compiled.kernel import cache_misses, compiled_kernels
warm_up.tag()
print(json.dumps({"folder": str(kernel_folder()), "compiled": compiled_kernels(), "misses": cache_misses()}))
"""
)


def child(code: str, bundle: Path, program: str, cache: Path, *arguments: str) -> str:
    """Run code as a program of a bundle does; what it prints."""
    (bundle / program).write_text(f"the program {program}")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(bundle), str(bundle / program), *arguments],
        env=environment | {"PARSE_ENGINE_CACHE": str(cache)},
        cwd=bundle,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A folder with the engine in it, as in a bundle."""
    shutil.copytree(PROJECT / "engine", tmp_path / "bundle" / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "bundle"


def test_outside_a_bundle_a_module_is_run_by_the_interpreter() -> None:
    assert module_command("engine.warm_up", "tagger") == [sys.executable, "-m", "engine.warm_up", "tagger"]


def test_a_bundled_program_runs_modules_for_its_children(bundle: Path, tmp_path: Path) -> None:
    said = child(RUN, bundle, "parse-engine", tmp_path / "cache", RUN_MODULE, "engine.cli.command_line", "--version")
    assert said.startswith("parse-engine ")
    # What is no module of the engine is an argument like any other, and its command refuses it.
    with pytest.raises(AssertionError, match="COMMAND: invalid choice"):
        child(RUN, bundle, "parse-engine", tmp_path / "cache", RUN_MODULE, "os")


def test_one_module_knows_how_the_program_is_started() -> None:
    """Whoever starts ``sys.executable -m`` works in an installation, and opens a second window in a bundle."""
    looked, users = 0, set()
    for package in ("engine", "explorer"):
        for path in (PROJECT / package).rglob("*.py"):
            looked += 1
            if "sys.executable" in path.read_text("utf-8"):
                users.add(path.relative_to(PROJECT).as_posix())
    assert looked > 100
    # The second writes it into the desktop's entry.
    assert users == {"engine/common/this_program.py", "explorer/window/command.py"}


def test_kernels_of_a_bundle_are_found_wherever_it_lies_and_only_read(bundle: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    child(RUN, bundle, "parse-engine", cache, RUN_MODULE, "engine.warm_up", "tagger")
    (made,) = cache.glob("kernels-*")
    for part in set(PARTS) - {"tagger"}:
        (made / f"{part}.json").write_text(NOTHING_LISTED)
    for lock in made.glob("*.lock"):
        lock.unlink()
    moved = tmp_path / "somewhere else"
    bundle.rename(moved)
    (moved / "kernels").mkdir()
    made.rename(moved / "kernels" / made.name)
    own = moved / "kernels" / made.name
    files = {path: path.read_bytes() for path in own.rglob("*") if path.is_file()}
    # The other command of the bundle, from another place, and later.
    for path in moved.rglob("*.py"):
        os.utime(path)
    said = json.loads(child(TAG, moved, "parse-explorer", tmp_path / "empty"))
    assert said["folder"] == str(own) and said["misses"] == {}
    assert said["compiled"] and set(said["compiled"]) <= set(
        json.loads((own / "tagger.json").read_text("utf-8"))["kernels"]
    )
    assert {path: path.read_bytes() for path in own.rglob("*") if path.is_file()} == files
    assert not (tmp_path / "empty").exists()
    # A source that is another one is not run by these kernels, nor are they when a part is missing.
    (own / "training.json").unlink()
    lacking = json.loads(child(TAG, moved, "parse-engine", tmp_path / "other"))
    assert lacking["folder"] == str(tmp_path / "other" / own.name)
    (own / "training.json").write_text(NOTHING_LISTED)
    kernel = moved / "engine" / "tagger" / "tagging_kernel.py"
    kernel.write_text(kernel.read_text("utf-8") + "\n", "utf-8")
    assert own.name not in json.loads(child(TAG, moved, "parse-engine", tmp_path / "other"))["folder"]
