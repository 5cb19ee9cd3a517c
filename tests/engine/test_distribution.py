"""What is handed out: the source archive has all to build and to test from, the wheel all to run; built offline."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

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
