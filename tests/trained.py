"""Models that tests share: each is trained once a run, by the process that asks first; all others open its file."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from engine.common.files import locked
from engine.model.model import Model
from engine.settings import Settings
from engine.training.reranker import RerankerOptions, train_reranker
from engine.training.train import train
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank

FOLDER_VARIABLE = "PARSE_TEST_MODELS"
"""Names the folder of this run's models to all of its processes."""
CLASSROOM = Path(__file__).parents[1] / "resources" / "examples" / "classroom.ptb"
QUICK = RerankerOptions(folds=2, parses=8, cutoff=1, epochs=4, averaged_epochs=2)
"""A re-ranker that is trained in a hurry."""
FEW = 40
"""So many trees are trained in less time than a file takes."""


def models_folder() -> Path:
    """The folder of this run's models; the process that asks first makes it, and removes it when it ends."""
    if FOLDER_VARIABLE not in os.environ:
        os.environ[FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="parse-test-models-")
        atexit.register(shutil.rmtree, os.environ[FOLDER_VARIABLE], ignore_errors=True)
    return Path(os.environ[FOLDER_VARIABLE])


def model_file(name: str, make: Callable[[], Model], packed: bool = False) -> Path:
    """The file of the model of that name."""
    path = models_folder() / f"{name}.model"
    with locked(path.with_suffix(".lock"), wait=True):
        if not path.exists():
            make().save(path, packed=packed)
    return path


def trained(sources: Sequence[Path] | Sequence[Tree], tagger: bool = True) -> Model:
    """A model of its own to whoever asks, its arrays read-only: kernels need not be compiled for other types."""
    if len(sources) <= FEW and all(isinstance(source, Tree) for source in sources):
        model = train(sources, tagger=tagger)
        for column in model.counts:
            if isinstance(column, np.ndarray):
                column.flags.writeable = False
        return model
    digest = sha256(str(tagger).encode())
    for source in sources:
        digest.update(source.read_bytes() if isinstance(source, Path) else source.brackets().encode())
    return Model.load(model_file(digest.hexdigest()[:20], lambda: train(sources, tagger=tagger)))


def classroom_file() -> Path:
    """The file of a model of the project's own small treebank."""
    return model_file("classroom", lambda: train([CLASSROOM]))


def reranked_file(preset: int = 3) -> Path:
    """The file of the same model with a re-ranker of lists under a preset; under preset 5 with a second model."""

    def make() -> Model:
        trees = [tree for tree in read_treebank([CLASSROOM]) if isinstance(tree, Tree)]
        return train_reranker(Model.load(classroom_file()), trees, Settings.preset(preset), options=QUICK)

    return model_file(f"reranked-{preset}", make)
