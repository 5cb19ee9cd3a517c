"""The models that come with the program: found wherever it is installed, small, quick to open, and right."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.chart.parser import Parser
from engine.common.resources import BUNDLED, bundled_models, model_file, resources_folder
from engine.model.file_cache import wait_for_copies
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.training.train import train
from engine.trees.tree import clean
from engine.trees.treebank import read_treebank

PROJECT = Path(__file__).parents[2]
FIGURE_1 = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD his/PRP$ resignation/NN "
    "yesterday/NN ./."
)
FIGURE_1_TREE = (
    "(S (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (NP (DT the) (NN president)) (PP (IN of) (NP (NNP IBM)))) (, ,)) "
    "(VP (VBD announced) (NP (PRP$ his) (NN resignation)) (NP (NN yesterday))) (. .))"
)


@pytest.fixture(scope="module")
def english() -> Model:
    return Model.load(bundled_models()["english"])


def test_all_are_there_and_english_comes_first() -> None:
    assert tuple(bundled_models()) == BUNDLED
    assert model_file(None) == bundled_models()["english"]
    assert model_file("classroom") == bundled_models()["classroom"]
    assert model_file("other.model") == Path("other.model")


def test_a_bundled_name_stands_for_its_model_in_python_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert engine.load("classroom").vocabulary == engine.load(bundled_models()["classroom"]).vocabulary
    # A file of that name comes first, and what is no name of a model is none.
    Path("classroom").write_text("no model")
    for name in ("classroom", "school", ""):
        with pytest.raises(engine.ModelError):
            engine.load(name)


def test_english_is_small_and_opens_at_once(english: Model) -> None:
    assert bundled_models()["english"].stat().st_size <= 40_000_000
    wait_for_copies()
    started = time.process_time()
    Model.load(bundled_models()["english"])
    # Half a second is the aim; this guards against unpacking it each time.
    assert time.process_time() - started < 1.5
    assert english.exact and english.counts.has_weights
    assert english.tagger is not None and english.reranker is not None
    assert any("GUM" in credit for credit in english.metadata["credits"])
    assert any("CRAFT" in credit for credit in english.metadata["credits"])


@pytest.mark.parametrize("preset", [3, 5])
def test_the_papers_sentence_comes_out_of_english(english: Model, preset: int) -> None:
    assert Parser.preset(english, preset).parse(FIGURE_1).tree.brackets() == FIGURE_1_TREE


def test_everyday_sentences_come_out_of_english_as_expected(english: Model) -> None:
    parser = Parser.preset(english, 5)
    right = 0
    for gold in read_treebank([resources_folder() / "examples" / "everyday.ptb"]):
        cleaned = clean(gold)
        assert cleaned is not None
        parse = parser.parse(english.tag(TaggedSentence.from_tree(cleaned).words))
        right += sorted(parse.tree.constituents()) == sorted(cleaned.constituents())
    assert right >= 39


def test_the_classroom_model_is_that_of_its_trees() -> None:
    bundled = Model.load(bundled_models()["classroom"])
    trained = train([resources_folder() / "examples" / "classroom.ptb"])
    anew = "train it anew: parse-engine train resources/examples/classroom.ptb -o resources/models/classroom.model"
    assert bundled.vocabulary == trained.vocabulary, anew
    for first, second in zip(bundled.counts, trained.counts, strict=True):
        assert np.array_equal(np.asarray(first), np.asarray(second)), anew


def test_a_wheel_brings_its_models(tmp_path: Path) -> None:
    """Built, installed into a new environment, and read from it though nothing there can be written."""
    clean_environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path)]
    built = subprocess.run([*command, PROJECT], capture_output=True, text=True, env=clean_environment)
    if built.returncode:
        pytest.skip(f"no wheel can be built here: {built.stderr.strip().splitlines()[-1]}")
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert sum("share/parse-explorer/models/" in name for name in names) == len(BUNDLED)
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / "bin" / "python"
    where = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel],
        capture_output=True,
        text=True,
        env=clean_environment,
    )
    assert where.returncode == 0, where.stderr
    code = (
        # What the package depends on comes from this environment, the package itself from the new one.
        "import sys; sys.path += sys.argv[1:]\n"
        "from engine.common.resources import bundled_models; print(*bundled_models().values(), sep='\\n')"
    )
    libraries = sysconfig.get_path("purelib")
    found = subprocess.run(
        [python, "-c", code, libraries], capture_output=True, text=True, cwd=tmp_path, env=clean_environment
    )
    paths = [Path(line) for line in found.stdout.splitlines()]
    assert len(paths) == len(BUNDLED), found.stderr
    assert all(folder in path.parents for path in paths)
