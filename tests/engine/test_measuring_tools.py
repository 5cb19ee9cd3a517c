"""Tools behind figures of the manual that need data which is not here: tried on small treebanks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.study.experiment_run import TreeSample
from engine.trees.treebank import read_treebank
from tests.benchmarks import possible_trees, wsj_sample


def test_trees_that_were_trained_on_are_possible_and_fewer_of_others(classroom_treebank: Path) -> None:
    trees = list(read_treebank([classroom_treebank]))
    few, half, whole = possible_trees.rows(TreeSample.read([classroom_treebank]), trees, halvings=2, presets=(1, 5))
    assert [row.trained for row in (few, half, whole)] == [33, 65, 130]
    assert {row.asked for row in (few, half, whole)} == {len(trees)}
    # Every factor of a tree that was counted is above zero, and the comma rule is not in preset (1).
    assert whole.possible[1] == len(trees)
    assert few.possible[1] < half.possible[1] < len(trees)
    assert few.possible[5] > few.possible[1]


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, classroom_treebank: Path) -> Path:
    """The classroom's trees where NLTK would find its sample of the Penn Treebank."""
    nltk = pytest.importorskip("nltk")
    folder = tmp_path / "corpora" / "treebank" / "combined"
    folder.mkdir(parents=True)
    lines = classroom_treebank.read_text(encoding="utf-8").splitlines()
    for number in range(7):
        (folder / f"wsj_{number + 1:04}.mrg").write_text("\n".join(f"( {line} )" for line in lines[number::7]))
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    return folder


def test_the_paper_s_table_is_made_from_nltk_s_sample(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert wsj_sample.main([]) == 0
    out = capsys.readouterr().out
    assert "wsj-train.mrg: wsj_0001.mrg to wsj_0006.mrg" in out and "wsj-test.mrg: wsj_0007.mrg to wsj_0007.mrg" in out
    tested = len((sample / "wsj_0007.mrg").read_text().splitlines())
    assert f"trained on {130 - tested} sentences" in out
    automatic, gold = out.split("Table 3: ")[1:]
    for table, tags in ((automatic, "best"), (gold, "gold")):
        assert f"<=40 tokens ({tested} sentences)" in table
        assert len(re.findall(rf"^\(\d\) +{tags} ", table.partition("-- the paper")[0], re.MULTILINE)) >= 3
        assert re.search(r"^\(3\) +best +85\.5  85\.7", table.partition("-- the paper")[2], re.MULTILINE)


def test_without_nltk_s_sample_one_sentence_says_how_to_get_it(sample: Path) -> None:
    for file in sample.iterdir():
        file.unlink()
    sample.rmdir()
    with pytest.raises(SystemExit, match=r"python -m nltk\.downloader treebank"):
        wsj_sample.main([])
