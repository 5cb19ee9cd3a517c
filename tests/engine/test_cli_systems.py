"""``parse-engine systems``: how systems are named, every form of output, and what a wrong file ends in."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli, Ran

SMALL = ("--resamples", 200)


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory, classroom_treebank: Path) -> Path:
    """A treebank of ten trees."""
    path = tmp_path_factory.mktemp("systems") / "ten.ptb"
    path.write_text("\n".join(tree.brackets() for tree in list(read_treebank([classroom_treebank]))[::13]) + "\n")
    return path


@pytest.fixture(scope="module")
def flat(treebank: Path) -> Path:
    """Another parser's trees of it, all flat."""
    path = treebank.with_name("flat.txt")
    flattened = [
        f"(S {' '.join(leaf.brackets() for leaf in tree.leaves() if leaf.label != '-NONE-')})"
        for tree in read_treebank([treebank])
    ]
    path.write_text("\n".join(flattened) + "\n")
    return path


def told(ran: Ran, status: int = 0) -> str:
    """Standard output of a command that ended as expected."""
    assert ran.status == status, ran.err
    return ran.out


def test_two_presets_and_a_file(cli: Cli, treebank: Path, flat: Path, classroom_model: Path) -> None:
    out = told(
        cli("systems", treebank, "--model", classroom_model, "--presets", 1, 5, "--trees", flat, *SMALL, "--most", 2)
    )
    assert "10 sentences, intervals of 95 % from 200 resamples" in out
    assert "preset 1 − preset 5 (F1, 3 pairs tested: p" in out and "preset 5 − flat.txt" in out
    assert "trees of flat.txt" in out and "By error class" in out
    assert "Where preset 1 is most ahead of flat.txt" in out


def test_a_system_has_any_setting_of_the_other_commands(
    cli: Cli, treebank: Path, flat: Path, classroom_model: Path
) -> None:
    what = "narrow=preset:5,beam:10,rerank:0,no-expected-f1,tags:best"
    out = told(
        cli(
            *("systems", treebank, "--model", classroom_model, "--system", what),
            *("--system", f"other=trees:{flat}", "--json", *SMALL),
        )
    )
    found = json.loads(out)
    narrow, other = found["systems"]
    assert (narrow["name"], narrow["preset"], narrow["tags"]) == ("narrow", 5, "best")
    assert narrow["settings"]["beam"] == 10 and narrow["settings"]["expected_f1"] is False
    assert (other["name"], other["kind"], other["file"]) == ("other", "trees", "flat.txt")
    assert [row["sentence"] for row in found["rows"]] == list(range(1, 11))
    test = found["pairs"][0]["tests"]["f1"]
    assert test["wins"] + test["ties"] + test["losses"] == 10 and 0 < test["sign_flip_p"] <= 1


def test_csv_and_latex(cli: Cli, treebank: Path, flat: Path, classroom_model: Path) -> None:
    both = ("systems", treebank, "--model", classroom_model, "--presets", 1, "--trees", flat, *SMALL)
    rows = list(csv.DictReader(io.StringIO(told(cli(*both, "--csv")))))
    assert [row["system"] for row in rows] == ["preset 1", "flat.txt"]
    assert float(rows[0]["f1_low"]) <= float(rows[0]["f1"]) <= float(rows[0]["f1_high"])
    by_sentence = list(csv.DictReader(io.StringIO(told(cli(*both, "--csv", "--by", "sentence")))))
    assert len(by_sentence) == 10 and float(by_sentence[0]["f1 preset 1"]) >= float(by_sentence[0]["f1 flat.txt"])
    assert told(cli(*both, "--latex", "--by", "system", "pair")).count(r"\begin{tabular}") == 2
    ran = cli(*both, "--csv", "--by", "system", "pair")
    assert ran.status == 2 and "--csv prints one table" in ran.err


def test_a_picture(cli: Cli, tmp_path: Path, treebank: Path, flat: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "scatter.svg"
    told(cli("systems", treebank, "--trees", flat, treebank, *SMALL, "--plot", path))
    drawn = path.read_text()
    assert "F1 of a sentence, flat.txt (%)" in drawn and "ten.ptb is better: " in drawn
    assert cli("systems", treebank, "--trees", flat, treebank, "--plot", "it.bmp").status == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a comparison needs two systems or more, not 0"),
        (("--presets", 3), "a comparison needs two systems or more, not 1"),
        (("--presets", 3, 3), "two systems are called `preset 3`"),
        (("--system", "five"), "write NAME=preset:5,beam:100 or NAME=trees:FILE"),
        (("--system", "=preset:5"), "write NAME=preset:5,beam:100 or NAME=trees:FILE"),
        (("--system", "x=preset:9"), "--system x: argument --preset: invalid choice: 9"),
        (("--system", "x=beam:wide"), "--system x: argument --beam: invalid float value: 'wide'"),
        (("--system", "x=bream:5"), "--system x: unrecognized arguments: --bream=5"),
        (("--presets", 3, "--system", "x=model:none.model"), "none.model"),
        (("--presets", 3, 5, "--confidence", 100), "the confidence must be from 50 to below 100 per cent, not 100"),
        (("--presets", 3, 5, "--confidence", "nan"), "the confidence must be"),
        (("--trees", "none.txt", "some.txt"), "none.txt: there is no such file"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    cli: Cli, treebank: Path, arguments: tuple[object, ...], message: str
) -> None:
    ran = cli("systems", treebank, "--model", "classroom", *arguments)
    assert ran.status == 2 and message in ran.err and ran.err.count("\n") == 1, ran.err


def test_another_tokenisation_ends_it_or_is_left_out_and_told(
    cli: Cli, tmp_path: Path, treebank: Path, flat: Path
) -> None:
    lines = flat.read_text().split("\n")
    lines[4] = lines[4].replace(" (", " (XX extra) (", 1)
    other = tmp_path / "other.txt"
    other.write_text("\n".join(lines))
    ran = cli("systems", treebank, "--trees", flat, other, *SMALL)
    assert ran.status == 2 and "line 5, sentence 5" in ran.err and "theirs `extra`" in ran.err
    out = told(cli("systems", treebank, "--trees", flat, other, *SMALL, "--skip-bad"), status=1)
    assert "9 sentences, intervals" in out and "1 sentence left out of all systems:" in out and "`extra`" in out
    # Beside a table for another program, it is told all the same.
    ran = cli("systems", treebank, "--trees", flat, other, *SMALL, "--skip-bad", "--csv")
    assert ran.status == 1 and "1 sentence left out of all systems:" in ran.err
    assert len(list(csv.DictReader(io.StringIO(ran.out)))) == 2
