"""One run of training: its record in the model, what was left out, and that nothing else differs from run to run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.common.errors import Cancelled
from engine.model.model import RUN_RECORD
from engine.study.provenance import fingerprint
from engine.training.train import COUNTING_STAGE, READING_STAGE, TAGGING_STAGE, TrainingOptions, run_training
from tests.engine.command_runner import Cli

BROKEN = "(S (NN a)))\n(S (NN b) c)\n(S (NN d)))\n(S (-NONE- *))\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.ptb"
    path.write_text(BROKEN)
    return path


def test_a_model_keeps_the_record_of_its_training(
    cli: Cli, tmp_path: Path, classroom_treebank: Path, broken: Path
) -> None:
    target = tmp_path / "m.model"
    ran = cli("train", classroom_treebank, broken, "-o", target, "--skip-bad", "--json")
    printed = json.loads(ran.out)
    model = engine.load(target)
    run = model.metadata[RUN_RECORD]
    assert printed["run"] == run and ran.status == 1
    assert list(run["stages"]) == [READING_STAGE, COUNTING_STAGE, TAGGING_STAGE]
    assert 0 < sum(run["stages"].values()) <= run["seconds"] + 0.01
    assert run["memory_bytes"] is None or run["memory_bytes"] > 10_000_000
    assert model.metadata["left_out"]["reasons"][0] == ["a ) that closes nothing", 2]
    assert model.metadata["left_out"]["first"][1] == [
        "broken.ptb", 2, 11, "the word 'c' stands inside (S …) without a tag",
    ]  # fmt: skip
    assert str(tmp_path) not in json.dumps(model.metadata), "a model tells nobody where its treebank lay"
    assert sum(table["contexts"] for table in printed["tables"]) > 0
    told = cli("info", target).out
    for text in ("2 × a ) that closes nothing", "first: broken.ptb, line 1, column 11", "trained ", "counting: "):
        assert text in told
    assert json.loads(cli("info", target, "--json").out)["run"] == run


def test_only_the_record_differs_from_run_to_run(tmp_path: Path, classroom_treebank: Path, broken: Path) -> None:
    names = ("one", "two", "three", "four")
    jobs, records = (1, 2, 1, 2), (True, True, False, False)
    models = []
    for name, count, record in zip(names, jobs, records, strict=True):
        output = str(tmp_path / name)
        options = TrainingOptions(
            (str(classroom_treebank), str(broken)), output, skip_bad=True, jobs=count, record=record, tagger=False
        )
        models.append(run_training(options, lambda stage, share: None))
    files = [(tmp_path / name).read_bytes() for name in names]
    assert files[2] == files[3] and files[0] != files[1]
    assert len({fingerprint(model) for model in models}) == 1
    for name in names[:2]:
        model = engine.load(tmp_path / name)
        del model.metadata[RUN_RECORD]
        model.save(tmp_path / "without")
        assert (tmp_path / "without").read_bytes() == files[2]


@pytest.mark.parametrize("moment", [0, 1, 3, 6, 20])
def test_a_cancelled_run_leaves_nothing(tmp_path: Path, classroom_treebank: Path, moment: int) -> None:
    told = 0

    def cancelled() -> bool:
        nonlocal told
        told += 1
        return told > moment

    folder = tmp_path / "models"
    folder.mkdir()
    options = TrainingOptions((str(classroom_treebank),), str(folder / "m.model"))
    with pytest.raises(Cancelled):
        run_training(options, lambda stage, share: None, cancelled=cancelled)
    assert not list(folder.iterdir())
