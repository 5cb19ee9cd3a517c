"""What the explorer's tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import engine
import pytest
from engine import jit

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    jit.compile_now()


@pytest.fixture(scope="session")
def classroom_model(tmp_path_factory: pytest.TempPathFactory, _compiled: None) -> Path:
    """The file of a model trained on the classroom treebank."""
    path = tmp_path_factory.mktemp("model") / "classroom.model"
    engine.train([CLASSROOM]).save(path)
    return path
