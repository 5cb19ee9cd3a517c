"""Makes the pictures of the README, without a screen: ``python tools/readme_pictures.py docs/pictures``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.application.snapshots import Photographer

ROOT = Path(__file__).parents[1]
PAPER = "John Smith, the president of IBM, announced his resignation yesterday."
RIVER = "The man who lived in the house by the river told us that the boat had sunk before the war."
GARDEN = (
    "(S (NP (PRP We)) (VP (VBD ate) (NP (NP (DT the) (NN cake)) (PP (IN from) (NP (DT the) (NN bakery)))) "
    "(PP (IN with) (NP (DT a) (NN fork))) (PP (IN in) (NP (DT the) (NN garden)))) (. .))"
)
"""A gold tree, written for this picture."""

PRESET = 3
"""The paper's best model with plain tags: what is explained is the paper's own formula."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what is shown and selected in the window.

    Attributes
    ----------
    name
        Of the file, without its ending.
    sentence, stage
        What is parsed, and the number of the stage.
    selected
        The id of what is selected (:mod:`explorer.graphics.drawing`).
    size, theme
        Of the window.
    compared
        Whether the panel that compares the parse with the gold tree is open.
    """

    name: str
    sentence: str
    stage: int
    selected: tuple[object, ...] | None
    size: tuple[int, int] = (1280, 800)
    theme: str = "light"
    compared: bool = False


SHOTS = (
    # Why does "resignation" modify "announced"?
    Shot("parse", PAPER, 5, ("arrow", 8)),
    # "that the boat had sunk before the war": one cell of the chart, with all that was proposed there.
    Shot("chart", RIVER, 4, ("cell", 12, 20), (1700, 860)),
    Shot("matrix", PAPER, 3, ("matrix", 4, 3), theme="dark"),
    # One eats with a fork; the model has another opinion.
    Shot("compare", GARDEN, 5, None, (1500, 1000), compared=True),
)


def _compare(photographer: Photographer) -> None:
    """Open the panel that compares, and wait until all that it has to say is in it."""
    tools = photographer.window.compare

    def judged() -> bool:
        comparison = tools.compare.comparison
        return tools.panel.settled and comparison is not None and comparison.full

    tools.show()
    photographer.wait(judged)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures into a folder; the result is the exit status."""
    parser = argparse.ArgumentParser(description="Make the pictures of the README.")
    parser.add_argument("folder", type=Path, help="where to write them")
    parser.add_argument("--model", metavar="FILE", help="the model to use; the bundled English one if none is named")
    options = parser.parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    sys.path.insert(0, str(ROOT))

    from PySide6.QtWidgets import QApplication

    from engine.common.resources import bundled_models
    from engine.warm_up import compile_now
    from explorer.appearance.fonts import register_fonts
    from explorer.application.snapshots import Photographer, quiet_platform
    from explorer.document.document import Document, Line

    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["readme-pictures"])
    assert application is not None
    register_fonts()
    # While the kernels are being compiled the window says so, and large charts are not kept.
    compile_now()
    model = Path(options.model) if options.model else next(iter(bundled_models().values()))
    options.folder.mkdir(parents=True, exist_ok=True)
    with quiet_platform():
        for shot in SHOTS:
            with Photographer(model, shot.size, shot.theme) as photographer:
                photographer.show(Document("", lines=(Line(shot.sentence),)).with_preset(PRESET))
                photographer.session.set_stage(shot.stage)
                photographer.settle()
                photographer.session.select(shot.selected)
                if shot.compared:
                    _compare(photographer)
                photographer.save_window(options.folder / f"{shot.name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
