"""The command that makes the manual's pictures runs without a screen, and the manual shows what it makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.documentation.architecture_pictures import PAGES

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "resources" / "manual"
SIZES = {
    "parse": (1440, 960),
    "sentence": (1280, 800),
    "gaps": (1280, 800),
    "reduced": (1280, 800),
    "matrix": (1280, 800),
    "chart": (1600, 880),
    "what-if": (1280, 800),
    "evidence": (1280, 860),
    "presenter": (1280, 800),
    "compare": (1500, 1000),
    "handout": (1000, 760),
    "live-training": (1500, 1000),
    "experiments": (1280, 800),
    "systems": (1280, 800),
    "training": (1120, 720),
    "search": (1280, 800),
}
SLIGHT = frozenset({"sentence", "gaps", "reduced"})
"""Pictures of a few lines only, with much room around them."""


FEW = ("parse", "matrix", "experiments")
"""One of the sentence, one in the dark, one of a tool."""


@pytest.mark.parametrize("names", [FEW, pytest.param(tuple(SIZES), marks=pytest.mark.robust)], ids=["few", "all"])
def test_the_pictures_of_the_manual_are_made(tmp_path: Path, classroom_path: Path, names: tuple[str, ...]) -> None:
    folder = tmp_path / "pictures"
    script = ROOT / "tests" / "documentation" / "manual_pictures.py"
    command = [sys.executable, str(script), str(folder), "--model", str(classroom_path)]
    if names == FEW:
        command += ["--only", *names]
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.png" for name in names)
    for name in names:
        size, path = SIZES[name], folder / f"{name}.png"
        image = QImage(str(path))
        assert image.size().toTuple() == size
        assert path.stat().st_size < 300_000
        # Not blank: in the middle, where the picture is, most lines show something, in many colours.
        background = image.pixel(60, size[1] // 3)
        lines = range(size[1] // 4, size[1] // 2 + 20)
        full = sum(any(image.pixel(x, y) != background for x in range(60, 800, 3)) for y in lines)
        assert full > (0.2 if name in SLIGHT else 0.6) * len(lines), name
        assert len({image.pixel(x, y) for x in range(60, 800, 3) for y in lines}) > 32, name
    dark = QImage(str(folder / "matrix.png")).pixelColor(60, 300)
    assert dark.lightness() < 60


def test_the_manual_shows_the_pictures_that_are_there() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in MANUAL.glob("*.md"))
    # Those of the architecture are drawn by another command.
    assert {path.stem for path in (MANUAL / "pictures").glob("*.png")} == {*SIZES, *PAGES}
    for name, size in SIZES.items():
        path = MANUAL / "pictures" / f"{name}.png"
        assert f"(pictures/{name}.png)" in pages
        assert QImage(str(path)).size().toTuple() == size and path.stat().st_size < 300_000
