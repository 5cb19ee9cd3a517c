"""How large type is on the screen: for sentences of 8 to 120 words, in every stage and in Compare, at two window sizes.

    python tests/benchmarks/type_size.py [--model english] [--words 8 28] [--pictures DIR]

For each stage: the size of the smallest type in the picture and of the words in it, in points at 96 dpi and with all
default panels, and whether the picture has to be scrolled sideways (↔) or up and down (↕).  At 1280 × 800 sentences of
up to 28 words, at 1920 × 1080 those of up to 65 words must have at least 9 pt everywhere and not scroll sideways: the
command fails if they do not.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from engine.common.resources import model_file
from explorer.canvas.canvas import Canvas
from explorer.compare.panel import ARROWS, BOTH, TREES
from explorer.compare.sides import BestParse, RankedParse
from explorer.pictures.drawing import Text
from explorer.pictures.theme import STYLES
from explorer.session.document import Document, TextLine
from explorer.stages.stages import STAGES
from explorer.window.snapshots import Photographer, quiet_platform

LEAST_POINTS = 9.0
SIZES = {(1280, 800): 28, (1920, 1080): 65}
"""Window sizes, and up to how many words a sentence must be readable in them."""
POINTS_PER_PIXEL = 72 / 96
SENTENCES = {
    8: "Mary saw the man with the telescope yesterday.",
    15: "The old teacher who lived near the river told the students that he was ill.",
    28: "The old teacher who lived near the river told the students that he had seen a small boat with a red sail "
    "on the lake behind the house.",
    45: "The old teacher who lived near the river told the students that he had seen a small boat with a red sail "
    "on the lake behind the house, and they asked him whether the man in it had waved at him before the storm "
    "began.",
    65: "The old teacher who lived near the river told the students that he had seen a small boat with a red sail "
    "on the lake behind the house, and they asked him whether the man in it had waved at him before the storm "
    "began, although nobody in the village believed that such a boat could cross the lake in the middle of the "
    "winter.",
    120: "The old teacher who lived near the river told the students that he had seen a small boat with a red sail "
    "on the lake behind the house, and they asked him whether the man in it had waved at him before the storm "
    "began, although nobody in the village believed that such a boat could cross the lake in the middle of the "
    "winter; the mayor, a careful man who had read every old report of the water company, announced "
    "on Monday that the council would pay for a new bridge over the river, but the company refused to share the cost "
    "of the work because the old bridge, which its own engineers had built, was still safe now.",
}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=None, help="a model's file, or the name of a bundled one")
    parser.add_argument("--words", type=int, nargs="*", default=list(SENTENCES), choices=list(SENTENCES))
    parser.add_argument("--sizes", nargs="*", default=[f"{width}x{height}" for width, height in SIZES])
    parser.add_argument("--theme", default="light")
    parser.add_argument("--text-scale", type=float, default=1.0)
    parser.add_argument("--pictures", type=Path, help="write a picture of every window that is measured to this folder")
    options = parser.parse_args()
    model = model_file(options.model)
    if model is None or not model.is_file():
        parser.error(f"there is no model {options.model or 'bundled with the program'}")
    QApplication([])
    small = []
    with quiet_platform():
        for size, readable in SIZES.items():
            if f"{size[0]}x{size[1]}" in options.sizes:
                with Photographer(model, size, options.theme, options.text_scale) as photographer:
                    small += _measure(photographer, size, readable, options.words, options.pictures)
    for line in small:
        print(f"too small, or scrolled sideways: {line}", file=sys.stderr)
    return 1 if small else 0


def _measure(
    photographer: Photographer, size: tuple[int, int], readable: int, lengths: list[int], folder: Path | None
) -> list[str]:
    """Print what one window shows; the lines that should have been readable and are not."""
    print(f"\n{size[0]} × {size[1]}        smallest   words")
    small = []
    window, session = photographer.window, photographer.session
    comparison = window.features.comparison

    def note(words: int, name: str, canvas: Canvas) -> None:
        line, good = _line(canvas)
        line = f"{words:4} words  {name:18} {line}"
        print(line, flush=True)
        if words <= readable and not good:
            small.append(f"{size[0]} × {size[1]}: {line}")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            photographer.save_window(folder / f"{size[0]}-{words:03}-{name.replace(' ', '-')}.png")

    for words in lengths:
        photographer.show(Document("", lines=(TextLine(SENTENCES[words]),)))
        for number, stage in enumerate(STAGES, 1):
            session.view.set_stage(stage.name)
            photographer.settle()
            note(words, f"{number} {stage.title}", window.stages.canvas)
        comparison.show()
        comparison.comparisons.choose(BestParse(), RankedParse(2))
        for page, name in ((TREES, "trees"), (ARROWS, "arrows"), (BOTH, "both")):
            comparison.panel.pictures.setCurrentIndex(page)
            photographer.settle()
            photographer.wait(lambda: comparison.panel.settled)
            photographer.settle()
            note(words, f"Compare {name}", comparison.panel.canvas)
        comparison.hide()
        photographer.settle()
    return small


def _line(canvas: Canvas) -> tuple[str, bool]:
    """The sizes of type in a canvas in words, and whether they can be read without scrolling sideways."""
    assert canvas.drawing is not None
    scale = canvas.transform().m11() * POINTS_PER_PIXEL
    styles = {shape.style for shape in canvas.drawing.shapes if isinstance(shape, Text)}
    smallest = scale * min(STYLES[style].size for style in styles)
    across, down = canvas.horizontalScrollBar(), canvas.verticalScrollBar()
    sideways = across.maximum() > across.minimum()
    scrolled = ("↔" if sideways else " ") + ("↕" if down.maximum() > down.minimum() else " ")
    text = f"{smallest:4.1f} pt  {scale * STYLES['word'].size:5.1f} pt  {scrolled}"
    return text, smallest >= LEAST_POINTS - 0.01 and not sideways


if __name__ == "__main__":
    sys.exit(main())
