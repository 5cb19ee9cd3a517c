"""Arguments that nobody should give: numbers without end, names that are empty or no text, files for two ends."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import engine
from engine.counts import tables as counted_table
from tests.engine.command_runner import Cli

TREES = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man))) (. .))\n(S (NP (NNP John)) (VP (VBD left)) (. .))\n"
HUGE = "9" * 400


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    """A treebank of two trees."""
    path = tmp_path / "s.ptb"
    path.write_text(TREES)
    return path


@pytest.mark.parametrize("plot", [False, True])
def test_an_experiment_without_a_beam(cli: Cli, classroom_model: Path, trees: Path, tmp_path: Path, plot: bool) -> None:
    line = ["experiment", "beam", "--model", classroom_model, "--test", trees, "--beams", "inf", 100, "--json"]
    if plot:
        line += ["--plot", tmp_path / "beams.svg"]
    ran = cli(*line)
    assert ran.status == 0, ran.err
    found = json.loads(ran.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert [trial["settings"]["beam"] for trial in found["trials"]] == [None, 100]


@pytest.mark.parametrize("weight", [0, 1_000_001, HUGE])
def test_weights_that_no_model_may_have(cli: Cli, trees: Path, tmp_path: Path, weight: object) -> None:
    model = tmp_path / "a.model"
    model.write_bytes(b"old")
    ran = cli("train", trees, "-o", model, "--weights", weight)
    assert ran.status == 2 and "must be from 1 to 1000000" in ran.err
    assert model.read_bytes() == b"old"
    with pytest.raises(engine.EngineError, match="weights are whole numbers from 1 to 1000000"):
        engine.train([trees], weights=[int(str(weight))])


def test_weights_that_are_too_large_for_so_many_trees(
    cli: Cli, trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted_table, "LARGEST_COUNT", 50)
    ran = cli("train", trees, "-o", tmp_path / "a.model", "--weights", 100)
    assert ran.status == 2 and "the weights are too large for so many trees: a count is above 50" in ran.err
    assert not (tmp_path / "a.model").exists()


@pytest.mark.parametrize(
    "line",
    [
        ("search", "NP=x", "{trees}", "--max", HUGE),
        ("cluster-cost", "--workers", HUGE),
        ("cluster-cost", "--cores", HUGE),
        ("cluster-cost", "--sent-bytes", "1e308", "--received-bytes", "1e308", "--json"),
    ],
)
def test_numbers_without_end(cli: Cli, trees: Path, line: tuple[str, ...]) -> None:
    ran = cli(*(word.format(trees=trees) for word in line))
    assert ran.status == 2 and ran.err.count("\n") == 1 and "fault of its own" not in ran.err


@pytest.mark.parametrize(
    "line",
    [
        ("evaluate", "{trees}", "--model", "{model}", "--output", ""),
        ("convert", "{trees}", "--to", "json", "-o", ""),
        ("compare", "{trees}", "--model", "{model}", "--json", ""),
        ("compare", "{trees}", "--model", "{model}", "--html", ""),
        ("train", "{trees}", "-o", ""),
        ("experiment", "models", "--model", "{model}", "--test", "{trees}", "--resume", ""),
    ],
)
def test_an_empty_name_is_no_file(cli: Cli, classroom_model: Path, trees: Path, line: tuple[str, ...]) -> None:
    ran = cli(*(word.format(trees=trees, model=classroom_model) for word in line))
    assert ran.status == 2 and "the name of the file to write is empty; name one" in ran.err


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (("train", "{trees}", "-o", "{trees}"), "this file is read"),
        (("convert", "{trees}", "--to", "json", "-o", "{trees}"), "this file is read"),
        (("evaluate", "{trees}", "--model", "{model}", "--output", "{trees}"), "this file is read"),
        (("evaluate", "{trees}", "--model", "{model}", "--output", "{model}"), "this file is read"),
        (("compare", "{trees}", "--model", "{model}", "--json", "{trees}"), "this file is read"),
        (("evaluate", "{trees}", "--model", "{model}", "--output", "{new}.gld", "--evalb", "{new}"), "two results"),
        (("compare", "{trees}", "--model", "{model}", "--json", "{new}", "--html", "{new}"), "two results"),
        (
            (
                "experiment",
                "beam",
                "--model",
                "{model}",
                "--test",
                "{trees}",
                "--resume",
                "{new}.svg",
                "--plot",
                "{new}.svg",
            ),
            "two results",
        ),
    ],
)
def test_no_result_takes_the_place_of_another_file(
    cli: Cli, classroom_model: Path, trees: Path, tmp_path: Path, line: tuple[str, ...], problem: str
) -> None:
    model = tmp_path / "own.model"
    shutil.copy(classroom_model, model)
    kept = model.read_bytes()
    ran = cli(*(word.format(trees=trees, model=model, new=tmp_path / "new") for word in line))
    assert ran.status == 2 and problem in ran.err and ran.err.count("\n") == 1
    assert trees.read_text() == TREES and model.read_bytes() == kept
    assert {path.name for path in tmp_path.iterdir()} == {"s.ptb", "own.model"}


@pytest.mark.parametrize("name", ["a$b_{^$.ptb", os.fsdecode(b"\xff\xfe.ptb")])
def test_names_that_are_formulas_or_no_text(
    cli: Cli, cache: Path, classroom_model: Path, trees: Path, tmp_path: Path, name: str
) -> None:
    odd, model = tmp_path / name, tmp_path / os.fsdecode(b"\xfe.model")
    trees.rename(odd)
    shutil.copy(classroom_model, model)
    page, report = tmp_path / "a.html", tmp_path / "a.json"
    for line in (
        ("experiment", "distances", odd, "--plot", tmp_path / "a.svg"),
        ("experiment", "models", "--model", model, "--test", odd, "--presets", 1, "--plot", tmp_path / "a.png"),
        (
            "systems",
            odd,
            "--model",
            model,
            "--system",
            f"x{name}=preset:1",
            "--trees",
            odd,
            "--plot",
            tmp_path / "a.pdf",
        ),
        ("compare", odd, "--model", model, "--json", report, "--html", page),
        ("lookup", "saw", "--model", model, "--evidence", odd, "--json"),
        ("train", odd, "-o", tmp_path / "b.model"),
    ):
        ran = cli(*line)
        assert ran.status == 0, ran.err
    json.loads(report.read_text("utf-8"))
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_cache_whose_name_is_too_long_is_no_obstacle(
    cli: Cli, classroom_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "packed.model"
    engine.load(classroom_model).save(packed, packed=True)
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / ("x" * 300)))
    ran = cli("parse", "--model", packed, stdin="John/NNP left/VBD\n")
    assert ran.status == 0 and ran.out.startswith("(S "), ran.err


def test_errors_of_the_system_are_not_blamed_on_standard_output(
    cli: Cli, classroom_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("engine.cli.info.Model.load", full)
    ran = cli("info", classroom_model)
    assert ran.status == 2 and ran.err == "parse-engine: error: Too many open files\n"


@pytest.mark.parametrize("address", ["zzz", "", "inproc://x", "tcp://[::1", "tcp://127.0.0.1:99999999"])
def test_an_address_of_no_cluster_is_refused_at_once(cli: Cli, classroom_model: Path, address: str) -> None:
    pytest.importorskip("distributed")
    started = time.monotonic()
    ran = cli("parse", "--model", classroom_model, "--cluster", address, stdin="a/DT dog/NN\n")
    assert ran.status == 2 and "is no address of a scheduler" in ran.err and ran.err.count("\n") == 1
    assert time.monotonic() - started < 8


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("option", ["--version", "--diagnose", "--help"])
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_streams_of_the_window_that_cannot_be_written(option: str, where: str) -> None:
    ran = subprocess.run(["sh", "-c", f'"$0" -m explorer {option} {where}', sys.executable], capture_output=True)
    assert ran.returncode == (0 if option == "--help" else 2)
    assert ran.stderr.count(b"\n") <= 1 and b"Traceback" not in ran.stderr and b"ignored" not in ran.stderr


def test_no_export_of_the_window_takes_the_place_of_what_it_shows(trees: Path, classroom_model: Path) -> None:
    line = ["--export", str(trees), "--format", "json", "--model", str(classroom_model), str(trees)]
    ran = subprocess.run([sys.executable, "-m", "explorer", *line], capture_output=True, text=True)
    assert ran.returncode == 2 and "this file is read" in ran.stderr and ran.stderr.count("\n") == 1
    assert trees.read_text() == TREES


def test_snapshots_in_a_folder_whose_name_is_no_text(tmp_path: Path, classroom_model: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff"
    line = ["--snapshot", os.fsdecode(folder), "--model", str(classroom_model), "Mary saw the man."]
    ran = subprocess.run([sys.executable, "-m", "explorer", *line], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(os.listdir(folder)) == 12
