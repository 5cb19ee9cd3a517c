"""Full and read-only disks, strange homes and locales, two starts at once: work goes on or says why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.compiled.cache import kernel_folder
from tests.engine.test_kernel_cache import SCRIPT, environment
from tests.faults.tiny_disk import fill
from tests.faults.writers import CLASSROOM, OLD

SENTENCE = "John/NNP saw/VBD a/DT dog/NN ./."
TREE = "(S (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))\n"
PARSE = [sys.executable, "-m", "engine", "parse", "-", "--model", str(CLASSROOM)]


def parse(**changes: str) -> subprocess.CompletedProcess[str]:
    """Parse a sentence in an environment."""
    kept = {name: value for name, value in os.environ.items() if changes.get(name) != ""}
    changed = {name: value for name, value in changes.items() if value}
    return subprocess.run(PARSE, input=SENTENCE, env=kept | changed, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("home", ["plain", "with spaces", "höme ñ 日本"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_homes_and_locales(tmp_path: Path, home: str, locale: str, tried: Callable[[str], None]) -> None:
    kernels = tmp_path / home / ".cache" / "parse-explorer" / kernel_folder().name
    shutil.copytree(kernel_folder(), kernels)
    ran = parse(HOME=str(tmp_path / home), LANG=locale, LC_ALL=locale, XDG_CACHE_HOME="", PARSE_ENGINE_CACHE="")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, TREE, "")
    assert kernels.stat().st_mode & 0o777 == 0o700
    tried("HOME with spaces or not ASCII, LANG=C")


def test_no_home(tried: Callable[[str], None]) -> None:
    ran = parse(HOME="")
    assert (ran.returncode, ran.stdout) == (0, TREE)
    ran = parse(HOME="/dev/null", XDG_CACHE_HOME="", PARSE_ENGINE_CACHE="")
    assert (ran.returncode, ran.stdout) == (0, TREE)
    assert ran.stderr.count("\n") == 1 and "works without its cache" in ran.stderr
    tried("HOME unset or not writable")


@pytest.mark.parametrize("mask", ["077", "000"])
def test_umasks(tmp_path: Path, mask: str, small: Path, tried: Callable[[str], None]) -> None:
    command = f'umask {mask}; "$0" -m engine train "$1" -o "$2" --no-record'
    model = tmp_path / "a.model"
    subprocess.run(["sh", "-c", command, sys.executable, str(small), str(model)], check=True, capture_output=True)
    assert model.stat().st_mode & 0o777 == 0o666 & ~int(mask, 8)
    tried("umask 077 and 000")


@pytest.mark.parametrize("state", ["full", "read-only"])
def test_disks_that_cannot_be_written(tiny_disk: Path, state: str, small: Path, tried: Callable[[str], None]) -> None:
    model, trees = tiny_disk / "a.model", tiny_disk / "a.ptb"
    model.write_bytes(OLD)
    trees.write_bytes(OLD)
    if state == "full":
        fill(tiny_disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    before = sorted(path.name for path in tiny_disk.iterdir())
    for arguments in (
        ["train", str(small), "-o", str(model), "--no-record"],
        ["evaluate", str(small), "--model", str(CLASSROOM), "--output", str(trees)],
        ["experiment", "models", "--model", str(CLASSROOM), "--test", str(small), "--resume", str(tiny_disk / "r")],
    ):
        ran = subprocess.run([sys.executable, "-m", "engine", *arguments], capture_output=True, text=True)
        assert ran.returncode == 2 and "error: " in ran.stderr and ran.stderr.count("\n") <= 2, ran.stderr
        assert "Traceback" not in ran.stderr and "fault of its own" not in ran.stderr
        assert model.read_bytes() == OLD and trees.read_bytes() == OLD
        assert sorted(path.name for path in tiny_disk.iterdir()) == before
        tried(f"{state} disk: {arguments[0]}")
    ran = parse(PARSE_ENGINE_CACHE=str(tiny_disk))
    assert (ran.returncode, ran.stdout) == (0, TREE) and ran.stderr.count("\n") <= 1
    tried(f"{state} disk: the cache")


def test_two_starts_at_once_on_an_empty_cache(tmp_path: Path, tried: Callable[[str], None]) -> None:
    command = [sys.executable, "-c", SCRIPT, str(CLASSROOM)]
    pipe = subprocess.PIPE
    both = [
        subprocess.Popen(command, env=environment(tmp_path / "new"), stdout=pipe, stderr=pipe, text=True)
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120) for one in both]
    assert [one.returncode for one in both] == [0, 0] and said[0][1] == said[1][1] == ""
    assert said[0][0].splitlines()[2] == said[1][0].splitlines()[2]
    tried("two starts at once on an empty cache")


def test_nobody_reads_the_end(tried: Callable[[str], None]) -> None:
    trees = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"
    command = f'"$0" -m engine convert "{trees}" --to json | head -1'
    ran = subprocess.run(["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}", sys.executable], capture_output=True)
    assert ran.returncode in (0, 141) and ran.stderr == b"" and ran.stdout.count(b"\n") == 1
    tried("| head -1")
