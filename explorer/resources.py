"""Where the files are that come with the program: in a checkout beside the package, installed under ``share``."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

BUNDLED = ("english", "classroom")
"""Names of the models that come with the program, the one to start with first."""
PAPER_SENTENCE = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD "
    "his/PRP$ resignation/NN yesterday/NN ./."
)
"""The sentence of the paper's Figure 1(a)."""
_PACKAGE = Path(__file__).parent


@cache
def folder() -> Path:
    """The folder of resources."""
    beside = _PACKAGE.parent / "resources"
    return beside if (beside / "icons").is_dir() else Path(sysconfig.get_path("data")) / "share" / "parse-explorer"


def bundled_models() -> dict[str, Path]:
    """The models that are there, by name."""
    paths = {name: folder() / "models" / f"{name}.model" for name in BUNDLED}
    return {name: path for name, path in paths.items() if path.is_file()}


def icon_file(name: str) -> Path:
    """The file of an icon."""
    return folder() / "icons" / f"{name}.svg"
