"""Experiments that train and parse: figures, resuming after an interruption, and every form of output."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.common.errors import EngineError
from engine.common.parallel import ordered
from engine.common.tables import Block, Column, Table
from engine.model.model import Model
from engine.settings import PRESETS
from engine.study import experiment_run as bench_module
from engine.study import paper_tables as trials
from engine.study.experiment_run import Bench, Ready, Trained, TreeSample
from engine.study.journal import Journal, key_of
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli, Ran
from tests.waiting import wait_until

MEASURED = ("models", "ablation", "beam", "learning-curve")
"""Experiments that name what they measure on with ``--test``; the grid has tests of its own."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Counts measurements, and interrupts before the one whose number is put at its front."""
    made: list[object] = []

    def counted(make: Callable[[], Callable[[Any], Any]], *arguments: Any, **options: Any) -> Iterator[Any]:
        if made and made[0] == len(made):
            raise KeyboardInterrupt
        made.append(make)
        return ordered(make, *arguments, **options)

    monkeypatch.setattr(bench_module, "ordered", counted)
    return made


# --- plans -----------------------------------------------------------------------------------------------------------


def test_presets_are_those_of_the_settings() -> None:
    assert [trial.name for trial in trials.models()] == [(f"({preset})",) for preset in PRESETS]


def test_plans_vary_what_the_paper_varies() -> None:
    assert [(trial.settings.distance, trial.settings.lexical) for trial in trials.ablation(3)] == [
        ("full", True),
        ("full", False),
        ("order", True),
        ("order", False),
    ]
    both = trials.beams(3, literal=True)
    assert [trial.settings.beam for trial in both] == [*trials.PAPER_BEAMS] * 2
    assert [trial.settings.literal_beam for trial in both] == [False] * 6 + [True] * 6
    assert not any(trial.settings.literal_beam for trial in trials.beams(3))
    assert [trial.share for trial in trials.learning_curve(3, halvings=2)] == [Fraction(1, 4), Fraction(1, 2), 1]


def test_samples_are_nested_spread_and_always_the_same() -> None:
    corpus = TreeSample(("x",), tuple(f"(X (N {number}))" for number in range(1000)))
    samples = [corpus.sample(Fraction(1, 2**power)) for power in range(5)]
    assert samples[0] == list(corpus.trees)
    for larger, smaller in itertools.pairwise(samples):
        assert set(smaller) < set(larger) and len(smaller) == -(-len(larger) // 2)
        assert smaller == [tree for tree in corpus.trees if tree in set(smaller)]
    # Trees from all over the treebank, for its texts differ.
    first_half = sum(int(re.sub(r"\D", "", tree)) < 500 for tree in samples[3])
    assert 45 <= first_half <= 80
    assert samples[4][:3] == ["(X (N 39))", "(X (N 49))", "(X (N 51))"]
    assert len(TreeSample(("x",), ("(X (N y))",)).sample(Fraction(1, 16))) == 1


# --- the bench -------------------------------------------------------------------------------------------------------


def test_figures_are_those_of_evaluate(classroom: Model, classroom_model: Path, small: Path, tmp_path: Path) -> None:
    bench = Bench(Ready(classroom_model), TreeSample.read([small]), (8, 40))
    plan = [*trials.models((1, 3, 4)), *trials.models((1, 3), tags="gold")]
    results = bench.run(plan, bench.configurations(plan), Journal(tmp_path / "j"), lambda share, what: None)
    golds = list(read_treebank([small]))
    for trial, result in zip(plan, results, strict=True):
        parser = engine.Parser(classroom, trial.settings)
        expected = engine.evaluate(parser, golds, (8, 40), gold_tags=trial.tags == "gold")
        for length in (8, 40):
            found = result["measures"][str(length)]
            assert {key: found[key] for key in expected.summaries[length].as_dict()} == expected.summaries[
                length
            ].as_dict()
            assert found["fallback"] == expected.fallbacks[length]
            assert found["sentences_per_second"] == pytest.approx(found["sentences"] / found["seconds"])
        # Short sentences alone take less time than all of them.
        assert 0 < result["measures"]["8"]["seconds"] < result["measures"]["40"]["seconds"]


def test_training_in_the_bench_is_the_same_as_training(
    classroom_treebank: Path, classroom_model: Path, small: Path, tmp_path: Path
) -> None:
    plan = trials.beams(3, (20.0,))
    measures = []
    for models in (Trained(TreeSample.read([classroom_treebank])), Ready(classroom_model)):
        bench = Bench(models, TreeSample.read([small]), (100,))
        watched: list[tuple[float, str]] = []

        def watch(share: float, what: str, watched: list[tuple[float, str]] = watched) -> None:
            watched.append((share, what))

        journal = Journal(tmp_path / models.title.replace(" ", "-"))
        [result] = bench.run(plan, bench.configurations(plan), journal, watch)
        shares = [share for share, _ in watched]
        assert shares == sorted(shares) and shares[-1] == pytest.approx(1)
        for speed in ("seconds", "sentences_per_second"):
            del result["measures"]["100"][speed]
        measures.append((result["measures"], result["training"]["contexts"]))
    assert measures[0] == measures[1]


def test_a_result_belongs_to_everything_it_depends_on(
    classroom_treebank: Path, classroom_model: Path, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text((Path(engine.__file__).parent / "trees" / "head-rules.txt").read_text() + "# another\n")
    test, train = TreeSample.read([small]), TreeSample.read([classroom_treebank])
    full, half = trials.learning_curve(3, halvings=1)[::-1]

    def key(
        models: Trained | Ready,
        trial: trials.Trial = full,
        test: TreeSample = test,
        lengths: tuple[int, ...] = (40,),
    ) -> str:
        [configuration] = Bench(models, test, lengths).configurations([trial])
        return key_of(configuration)

    keys = [
        key(Trained(train)),
        key(Trained(train), half),
        key(Trained(train), trials.learning_curve(2, halvings=0)[0]),
        key(Trained(train), trials.learning_curve(3, 20.0, 0)[0]),
        key(Trained(train, rules)),
        key(Trained(test)),
        key(Trained(train), test=train),
        key(Trained(train), lengths=(40, 100)),
        key(Trained(train), trials.learning_curve(3, halvings=0, tags="gold")[0]),
        key(Trained(train), trials.learning_curve(3, halvings=0, tags="distribution")[0]),
        key(Ready(classroom_model)),
    ]
    assert len(set(keys)) == len(keys)
    # Names of files and the number of processes change nothing.
    assert key(Trained(TreeSample(("other.ptb",), train.trees), jobs=2)) == keys[0]
    monkeypatch.setattr(bench_module, "program_fingerprint", lambda: "another")
    assert key(Trained(train)) not in keys


# --- the journal -----------------------------------------------------------------------------------------------------


def test_a_journal_keeps_results_by_their_configuration(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Journal(path).keep({"beam": 3, "test": "ü"}, {"f1": 80.5})
    other = Journal(path)
    assert other.find({"test": "ü", "beam": 3}) == {"f1": 80.5}
    assert other.find({"beam": 4, "test": "ü"}) is None
    # Two programs write to one file: neither loses what the other has.
    Journal(path).keep({"beam": 20}, {"f1": 81.0})
    other.keep({"beam": 150}, {"f1": 82.0})
    assert len(Journal(path)) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["results.jsonl"]


def test_a_damaged_line_of_a_journal_is_left_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for beam in (3, 20):
        Journal(path).keep({"beam": beam}, {"f1": 80.0 + beam})
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    compared = 0
    for size in range(len(lines[0]), len(whole)):
        path.write_bytes(whole[:size])
        journal = Journal(path)
        complete = sum(len(b"\n".join(lines[: number + 1])) <= size for number in (1, 2))
        cut = size not in (len(b"\n".join(lines[:number])) + extra for number in (1, 2, 3) for extra in (0, 1))
        assert len(journal) == complete and bool(journal.damage) == cut
        compared += 1
    assert compared > 100
    path.write_bytes(whole[: len(lines[0]) - 1])
    with pytest.raises(EngineError, match="not a file of experiment results"):
        Journal(path)
    path.write_bytes(whole.replace(b"83.0", b"93.0"))
    journal = Journal(path)
    assert journal.find({"beam": 3}) is None and journal.find({"beam": 20}) == {"f1": 100.0}
    assert "results.jsonl, line 2: the result is cut short or was altered" in journal.damage
    journal.keep({"beam": 3}, {"f1": 83.0})
    assert not Journal(path).damage and len(Journal(path)) == 2
    path.write_bytes(whole.replace(b'"version":1', b'"version":2'))
    with pytest.raises(EngineError, match="version 2, this program reads version 1"):
        Journal(path)


@pytest.mark.parametrize(
    "record", [b"1", b"null", b"[]", b"{}", b'{"configuration":[],"result":{}}', b'{"configuration":{},"result":1}']
)
def test_a_line_of_a_journal_that_is_no_result_is_left_out(tmp_path: Path, record: bytes) -> None:
    path = tmp_path / "results.jsonl"
    Journal(path).keep({"beam": 3}, {"f1": 80.0})
    with path.open("ab") as file:
        file.write(b'{"checksum":%d,"record":%s}\n' % (zlib.crc32(record), record))
        file.write(b"[" * 100_000 + b"\n")
    assert len(Journal(path)) == 1 and "line 3" in Journal(path).damage


WRITER = """
import sys
from engine.study.journal import Journal
journal = Journal(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    journal.keep({"writer": sys.argv[2], "number": number}, {"f1": number})
"""


def test_two_processes_that_write_one_journal_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    command = [sys.executable, "-c", WRITER, str(path)]
    pipe = subprocess.PIPE
    writers = [subprocess.Popen([*command, name], stdin=pipe, stdout=pipe, text=True) for name in "abc"]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    for writer in writers:
        writer.communicate()
    assert len(Journal(path)) == 60 and [file.name for file in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"(S (NP (NN tree)))\n", b"[1]\n", b'{"format": "x"}\n'])
def test_a_foreign_file_is_refused_and_left_alone(
    cli: Cli, classroom_model: Path, small: Path, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    ran = cli("experiment", "models", "--model", classroom_model, "--test", small, "--resume", path)
    assert ran.status == 2 and ran.out == ""
    assert ran.err.count("\n") == 1 and "not a file of experiment results" in ran.err
    assert path.read_bytes() == content


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    impossible = tmp_path / "file" / "results.jsonl"
    with pytest.raises(EngineError, match="cannot be"):
        Journal(impossible).keep({}, {})
    optional = Journal(impossible, optional=True)
    optional.keep({"beam": 3}, {"f1": 1.0})
    assert optional.find({"beam": 3}) == {"f1": 1.0} and "cannot be" in optional.problem


# --- the command -----------------------------------------------------------------------------------------------------


def test_interrupted_it_goes_on_where_it_stopped(
    cli: Cli, cache: Path, calls: list[object], classroom_model: Path, small: Path
) -> None:
    line = ("experiment", "models", "--model", classroom_model, "--test", small, "--presets", 1, 2, 3, "--csv")
    calls[:] = [3]
    ran = cli(*line)
    # Two were measured (the list holds the number to stop at as well), then Ctrl-C came.
    assert ran.status == 130 and ran.out == "" and len(calls) == 3
    assert "2 of 3 results are kept, and the same command goes on from there" in ran.err
    assert len(list((cache / "experiments").iterdir())) == 1
    calls[:] = [-1]
    resumed = cli(*line)
    assert resumed.status == 0 and len(calls) == 2 and "2 of 3 results were measured before" in resumed.err
    # Once all is done nothing is left behind, and the next run measures everything anew.
    assert list((cache / "experiments").iterdir()) == []
    calls[:] = [-1]
    whole = cli(*line)
    assert len(calls) == 4 and whole.err == ""

    def accuracy(ran: Ran) -> list[dict[str, object]]:
        rows = csv.DictReader(io.StringIO(ran.out))
        return [{key: row[key] for key in row if "per_second" not in key} for row in rows]

    assert accuracy(resumed) == accuracy(whole)


def test_results_in_a_file_of_ones_own_stay(
    cli: Cli, cache: Path, calls: list[object], classroom_treebank: Path, small: Path, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    line = ("experiment", "learning-curve", "--train", classroom_treebank, "--test", small, "--resume", path)
    calls[:] = [2]
    assert cli(*line, "--halvings", 2).status == 130
    assert len(Journal(path)) == 1 and not cache.exists()
    calls[:] = [-1]
    first = cli(*line, "--halvings", 2, "--json")
    assert first.status == 0 and len(calls) == 3
    # Nothing is measured or trained twice, and other experiments may use the same file.
    again = cli(*line, "--halvings", 2, "--json")
    assert len(calls) == 3 and json.loads(again.out) == json.loads(first.out)
    shorter = cli(*line, "--halvings", 1, "--json")
    assert len(calls) == 3 and json.loads(shorter.out)["trials"] == json.loads(first.out)["trials"][1:]
    facts = [trial["training"] for trial in json.loads(first.out)["trials"]]
    assert [fact["sentences"] for fact in facts] == [33, 65, 130]
    assert facts[0]["contexts"] < facts[1]["contexts"] < facts[2]["contexts"]
    assert all(fact["seconds"] > 0 and fact["bytes"] > 0 for fact in facts)


def test_a_real_interrupt(classroom_model: Path, small: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    line = [sys.executable, "-m", "engine", "experiment", "beam", "--model", str(classroom_model)]
    line += ["--test", *[str(small)] * 100, "--resume", str(path), "--json", "--preset", "1"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: len(Journal(path)) > 0 or process.poll() is not None, 120)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    kept = len(Journal(path))
    assert 1 <= kept < 6 and f"{kept} of 6 results are kept" in err
    assert {file.name for file in tmp_path.iterdir()} == {"results.jsonl"}


@pytest.mark.parametrize("name", MEASURED)
def test_every_form_of_output(
    cli: Cli, cache: Path, classroom_treebank: Path, small: Path, name: str, tmp_path: Path
) -> None:
    line = ["experiment", name, "--train", classroom_treebank, "--test", small, "--resume", tmp_path / "results"]
    if name == "learning-curve":
        line += ["--halvings", 1]
    if name == "beam":
        line += ["--literal-beam", "--beams", 1000, 3]
    text = cli(*line)
    assert text.status == 0 and "small.ptb, trained on classroom.ptb" in text.out
    assert ("the paper (WSJ, section 23)" in text.out) == (name != "learning-curve")
    found = json.loads(cli(*line, "--json").out)
    assert found["experiment"] == name and found["test"] == {"corpora": ["small.ptb"], "trees": 10}
    rows = list(csv.DictReader(io.StringIO(cli(*line, "--csv").out)))
    ours = [row for row in rows if row["source"].startswith("small.ptb")]
    length = found["lengths"][-1]
    recall = "labeled_recall_100" if name == "models" else "labeled_recall"
    for trial, row in zip(found["trials"], ours, strict=True):
        assert float(row[recall]) == pytest.approx(trial["measures"][str(length)]["labeled_recall"])
        assert f"{float(row[recall]):.1f}" in text.out
    latex = cli(*line, "--latex").out
    assert latex.count("\\begin{tabular}") == latex.count("\\end{tabular}") == 1
    body = [row for row in latex.split("\n") if row.endswith("\\\\") and "multicolumn" not in row]
    assert len({row.count("&") for row in body}) == 1 and len(body) == len(rows) + 1
    assert cli(*line, "--latex", "--csv").status == 2


def test_a_bundled_model_is_measured_by_its_name(cli: Cli, cache: Path, small: Path) -> None:
    ran = cli("experiment", "beam", "--model", "classroom", "--test", small, "--beams", "10")
    assert ran.status == 0 and "model classroom.model" in ran.out


def test_the_paper_stands_beside(cli: Cli, cache: Path, classroom_model: Path, small: Path) -> None:
    ran = cli("experiment", "ablation", "--model", classroom_model, "--test", small)
    lines = ran.out.split("\n")
    paper = lines.index("-- the paper (WSJ, section 23), model (3)")
    assert [line.split() for line in lines[paper + 1 :] if line] == [
        ["yes", "yes", "best", "85.0", "85.1", "85.0", "1.39", "-"],
        ["yes", "no", "best", "76.1", "76.6", "76.3", "2.26", "-"],
        ["no", "yes", "best", "80.9", "83.6", "82.2", "1.51", "-"],
    ]


@pytest.mark.usefixtures("pickled_workers")
def test_several_processes_measure_the_same(cli: Cli, cache: Path, classroom_model: Path, small: Path) -> None:
    line = ("experiment", "models", "--model", classroom_model, "--test", small, "--presets", 3, "--json")
    found = [json.loads(cli(*line, "--jobs", jobs).out)["trials"][0]["measures"]["100"] for jobs in (1, 2)]
    for figures in found:
        del figures["seconds"], figures["sentences_per_second"]
    assert found[0] == found[1]


def test_broken_trees_are_counted_or_stop_the_work(
    cli: Cli, cache: Path, classroom_model: Path, small: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN x) y)\n")
    line = ("experiment", "beam", "--beams", 20, "--model", classroom_model, "--test", small, broken)
    assert cli(*line).status == 2
    ran = cli(*line, "--skip-bad")
    assert ran.status == 1 and "1 broken tree skipped" in ran.out
    assert json.loads(cli(*line, "--skip-bad", "--json").out)["skipped_trees"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("models", "--test", "SMALL"), "--train --model is required"),
        (("learning-curve", "--model", "MODEL", "--test", "SMALL"), "--train"),
        (("models", "--model", "MODEL"), "--test"),
        (("models", "--model", "MODEL", "--test", "SMALL", "--head-rules", "x"), "--head-rules is for training"),
        (("models", "--model", "SMALL", "--test", "SMALL"), "not a model file"),
        (("beam", "--model", "MODEL", "--test", "SMALL", "--beams", "1"), "beam must be greater than 1"),
        (("models", "--model", "MODEL", "--test", "nowhere.ptb"), "no such file"),
        (
            ("models", "--model", "MODEL", "--test", "EMPTY"),
            "empty.ptb: there are no trees in it; name another treebank",
        ),
        (("models", "--model", "MODEL", "--test", "SMALL", "--resume", "/nowhere/x"), "no folder /nowhere"),
    ],
)
def test_mistakes_are_one_sentence(
    cli: Cli, cache: Path, classroom_model: Path, small: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    empty = tmp_path / "empty.ptb"
    empty.write_text("")
    names = {"MODEL": classroom_model, "SMALL": small, "EMPTY": empty}
    ran = cli("experiment", *(names.get(option, option) for option in options))
    assert ran.status == 2 and ran.out == ""
    assert message in ran.err and ran.err.count("\n") == 1


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("name", [*MEASURED, "distances"])
def test_pictures_are_drawn(
    cli: Cli,
    cache: Path,
    classroom_treebank: Path,
    small: Path,
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    suffix: str,
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install -e '.[test]'")
    folder = tmp_path_factory.getbasetemp()
    path = folder / f"{name}{suffix}"
    if name == "distances":
        ran = cli("experiment", name, small, "--plot", path)
    else:
        line = ("experiment", name, "--train", classroom_treebank, "--test", small, "--plot", path)
        ran = cli(*line, "--resume", folder / "pictures.jsonl")
    assert ran.status == 0 and ran.out
    begin = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    assert path.read_bytes().startswith(begin) and path.stat().st_size > 5000
    if suffix == ".svg":
        drawn = path.read_text()
        assert "small.ptb" in drawn
        assert ("the tagger's best tags" in drawn) == (name != "distances")


def test_without_matplotlib_the_work_is_not_even_begun(
    cli: Cli, cache: Path, calls: list[object], classroom_model: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = cli("experiment", "models", "--model", classroom_model, "--test", small, "--plot", "x.png")
    assert ran.status == 2 and calls == []
    assert ran.err.count("\n") == 1 and "pip install matplotlib" in ran.err


def test_a_picture_of_an_unknown_kind_is_refused_first(
    cli: Cli, cache: Path, calls: list[object], classroom_model: Path, small: Path
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install -e '.[test]'")
    ran = cli("experiment", "models", "--model", classroom_model, "--test", small, "--plot", "x.docx")
    assert ran.status == 2 and calls == [] and ".png, .svg or .pdf" in ran.err


def test_matplotlib_is_not_imported_with_the_engine() -> None:
    code = "import sys, engine, engine.cli.command_line, engine.export; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- tables ----------------------------------------------------------------------------------------------------------


def test_one_table_in_three_forms() -> None:
    table = Table(
        "A table",
        (Column("name", "β"), Column("lr_40", "LR", "{:.1f}", "<=40"), Column("n_40", "n", "{:,}", "<=40")),
        (Block("a_b", (("1000", 81.04, 1466),)), Block("the paper", (("3", None, None),))),
    )
    assert table.text().split("\n") == [
        "A table",
        "",
        "      <=40",
        "β       LR      n",
        "-- a_b",
        "1000  81.0  1,466",
        "-- the paper",
        "3        -      -",
    ]
    assert table.csv() == "source,name,lr_40,n_40\na_b,1000,81.04,1466\nthe paper,3,,"
    latex = table.latex().split("\n")
    assert " & \\multicolumn{2}{c}{$\\leq$40} \\\\" in latex and "\\cmidrule(lr){2-3}" in latex
    assert "$\\beta$ & LR & n \\\\" in latex and "\\multicolumn{3}{l}{\\emph{a\\_b}} \\\\" in latex
    assert "1000 & 81.0 & 1,466 \\\\" in latex
