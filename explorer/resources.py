"""Where the files are that come with the program: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

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
    inside = _PACKAGE / "resources_"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"


def bundled_models() -> dict[str, Path]:
    """The models that are there, by name."""
    paths = {name: folder() / "models" / f"{name}.model" for name in BUNDLED}
    return {name: path for name, path in paths.items() if path.is_file()}


def icon_file(name: str) -> Path:
    """The file of an icon."""
    return folder() / "icons" / f"{name}.svg"
