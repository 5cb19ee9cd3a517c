"""What is handed out: the source archive has all to build and to test from, the wheel all to run; built offline."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from engine.common.this_program import RUN_MODULE, module_command
from engine.compiled.cache import PARTS

pytest.importorskip("setuptools", reason="setuptools, which builds wheel and archive, is not installed")

from tests.distribution.source_archive import source_files

PROJECT = Path(__file__).parents[2]
LEAST_SETUPTOOLS = 77
BUILD = "import sys\nfrom setuptools import build_meta\nprint(getattr(build_meta, 'build_' + sys.argv[1])(sys.argv[2]))"
MADE = ("parse_explorer.egg-info", "PKG-INFO", "setup.cfg")
"""What setuptools adds to an archive."""


def built(kind: str, source: Path, target: Path) -> Path:
    """Build a wheel or an archive from a folder of sources, with this environment's setuptools and no network."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(target)], cwd=source, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return target / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source archive, built from a copy: a build leaves files beside the sources."""
    if int(version("setuptools").split(".")[0]) < LEAST_SETUPTOOLS:
        pytest.skip(f"setuptools {version('setuptools')} is too old to build with")
    folder = tmp_path_factory.mktemp("archive")
    for name in source_files(PROJECT):
        target = folder / "copy" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, target)
    return built("sdist", folder / "copy", folder)


@pytest.fixture(scope="module")
def unpacked(archive: Path) -> Path:
    """The folder that the archive unpacks to."""
    with tarfile.open(archive) as opened:
        opened.extractall(archive.parent / "unpacked", filter="data")
    (folder,) = (archive.parent / "unpacked").iterdir()
    return folder


def test_the_source_archive_holds_every_file_of_the_project(unpacked: Path) -> None:
    found = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    own = {name for name in found if name.split("/")[0] not in MADE}
    if (PROJECT / ".git").exists():
        listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
        assert set(listed.splitlines()) <= own
    assert {"tests/waiting.py", ".ci/run", "resources/manual/index.md", "tests/distribution/bundle.spec"} <= own
    assert not any("__pycache__" in name for name in own)


def test_a_wheel_from_the_archive_holds_both_packages_and_all_data(unpacked: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(built("wheel", unpacked, tmp_path)) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    data, _, share = next(name for name in names if "/data/share/" in name).partition("share/")
    assert share
    packages = {name for name in source_files(PROJECT) if name.startswith(("engine/", "explorer/"))}
    resources = {name for name in source_files(PROJECT) if name.startswith("resources/")}
    assert len(packages) > 300 and len(resources) > 60
    assert packages <= names
    assert {f"{data}share/parse-explorer/{name.removeprefix('resources/')}" for name in resources} <= names
    assert not any(name.startswith(("tests/", "resources/")) for name in names)
    for place in ("applications/parse-explorer.desktop", "mime/packages/parse-explorer.xml"):
        assert f"{data}share/{place}" in names


# In the bundle for people without Python: how modules are started there, and compiled kernels found wherever it lies.


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
    assert module_command("engine.warm_up", "tagger") == [sys.executable, "-P", "-m", "engine.warm_up", "tagger"]


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
    kernel.write_text(kernel.read_text("utf-8") + "CHANGED = True\n", "utf-8")
    assert own.name not in json.loads(child(TAG, moved, "parse-engine", tmp_path / "other"))["folder"]
