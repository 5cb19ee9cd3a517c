"""What the window starts with, and its icons; :mod:`engine.common.resources` knows where the files are."""

from __future__ import annotations

from pathlib import Path

from engine.common.resources import resources_folder

PAPER_SENTENCE = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD "
    "his/PRP$ resignation/NN yesterday/NN ./."
)
"""The sentence of the paper's Figure 1(a)."""


def icon_file(name: str) -> Path:
    """The file of an icon."""
    return resources_folder() / "icons" / f"{name}.svg"
