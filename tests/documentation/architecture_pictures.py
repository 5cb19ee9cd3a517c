"""Draws the pictures of the manual's page on architecture, without a screen.

``python tests/documentation/architecture_pictures.py`` writes them to their place, or into another folder if one is
named.  They are display lists, as the pictures of parses are, and are painted by the same code.  Text is broken to fit
its box, boxes that overlap are an error, and ``tests/explorer/test_architecture_pictures.py`` looks for every class,
module and room that a picture names.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from explorer.pictures.drawing import BACK, Box, Curve, Drawing, Group, Metrics, Point, Rect, Shape, Stroke, Text
from explorer.pictures.theme import LIGHT, STYLES, blend

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "resources" / "manual" / "pictures"
WIDTH = 900.0
"""Of every picture, in pixels at 100 %, where the smallest type has 9 pt."""
SCALE = 2.0
PADDING = 10.0
_TIP = 9.0
_STEPS = 15
_ACCENT, _OTHER = "accent", "extra"


@dataclass
class Sheet:
    """A picture that is being drawn.

    Attributes
    ----------
    metrics
        How wide text is.
    shapes
        What was drawn so far.
    boxes
        The boxes with their titles, none of which may overlap another.
    named
        Classes, modules and rooms that the picture names, as it writes them.
    said
        The text twin, line by line.
    """

    metrics: Metrics
    shapes: list[Shape] = field(default_factory=list)
    boxes: list[tuple[str, Rect]] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def height_of(self, style: str) -> float:
        """How far lines of text in a style are apart."""
        return STYLES[style].size + 5.0

    def broken(self, text: str, style: str, width: float) -> list[str]:
        """Break a text into lines no wider than `width`; a word that is wider is an error."""
        lines: list[str] = []
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.metrics.width(longer, style) <= width:
                lines[-1] = longer
            else:
                if self.metrics.width(word, style) > width:
                    raise ValueError(f"`{word}` does not fit into {width:g} pixels")
                lines.append(word)
        return lines

    def write(
        self,
        x: float,
        y: float,
        text: str,
        style: str = "small",
        role: str = "ink",
        anchor: str = "start",
        width: float = WIDTH,
    ) -> float:
        """Write a text from a point downwards, broken to a width; the result is where it ends."""
        for line in self.broken(text, style, width):
            self.shapes.append(Text(x, y + STYLES[style].size, line, style, role, anchor))
            y += self.height_of(style)
        self.said.append(text)
        return y

    def heading(self, text: str, x: float, y: float, width: float = WIDTH) -> float:
        """Write what a part of the picture is about."""
        return self.write(x, y, text, "label-bold", "muted", width=width)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        title: str,
        text: str = "",
        where: str = "",
        height: float = 0.0,
        accent: bool = False,
    ) -> Rect:
        """Draw a box with a title, what it is, and the modules, classes or rooms where it is.

        Its height is that of its text if none is given; text that does not fit is an error.
        """
        place = len(self.shapes)
        inner, left = width - 2 * PADDING, x + PADDING
        below = self.write(left, y + 7, title, "label-bold", width=inner)
        if text:
            below = self.write(left, below, text, width=inner)
        if where:
            below = self.write(left, below, where.replace(" ", ", "), role=_OTHER, width=inner)
            self.named += where.split()
        needed = below + 6 - y
        if height and needed > height + 0.5:
            raise ValueError(f"`{title}` needs {needed:g} pixels and has {height:g}")
        rect = Rect(x, y, width, height or needed)
        for other, taken in self.boxes:
            if rect.overlaps(taken):
                raise ValueError(f"`{title}` overlaps `{other}`")
        self.boxes.append((title, rect))
        if rect.x < 0 or rect.right > WIDTH:
            raise ValueError(f"`{title}` stands out of the picture")
        ground = Box(
            *rect,
            fill="tint:accent" if accent else "surface",
            role=_ACCENT if accent else "line",
            radius=5.0,
        )
        self.shapes.insert(place, ground)
        return rect

    def frame(self, rect: Rect, dash: str = "dash") -> None:
        """Draw a frame around boxes that belong together."""
        self.shapes.insert(0, Box(*rect, fill="background", role="line", dash=dash, radius=8.0))

    def arrow(
        self,
        *points: Point,
        text: str = "",
        at: Point | None = None,
        anchor: str = "middle",
        dash: str = "solid",
        role: str = "ink",
        width: float = WIDTH,
    ) -> None:
        """Draw an arrow along some points, straight from one to the next, with a text at a place."""
        (x1, y1), (x2, y2) = points[-2:]
        length = max(abs(x2 - x1), abs(y2 - y1))
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        end = (x2 - dx * _TIP * 0.8, y2 - dy * _TIP * 0.8)
        for (ax, ay), (bx, by) in pairwise((*points[:-1], end)):
            self.shapes.append(Stroke(ax, ay, bx, by, role, 1.5, dash))
        base, half = (x2 - dx * _TIP, y2 - dy * _TIP), _TIP * 0.42
        corners = ((base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half))
        self.shapes.append(Curve((x2, y2), (corners[0], corners[1]), "", fill=role))
        if text and at is not None:
            self.write(*at, text, role="muted", anchor=anchor, width=width)

    def drawing(self, title: str) -> Drawing:
        """Give the picture as it is now, with a margin below."""
        bottom = max(
            [rect.bottom for _, rect in self.boxes]
            + [shape.y for shape in self.shapes if isinstance(shape, Text)]
            + [shape.y + shape.height for shape in self.shapes if isinstance(shape, Box)]
        )
        bounds = Rect(0, 0, WIDTH, bottom + 16)
        ground = Box(*bounds, fill="background", layer=BACK)
        return Drawing((Group([ground], bounds), _in_order(self.shapes, bounds)), bounds, title, "\n".join(self.said))


def _in_order(shapes: Sequence[Shape], bounds: Rect) -> Group:
    return Group(shapes, bounds)


def faces(sheet: Sheet) -> Drawing:
    """Draw the way from a sentence, and from a treebank, to the four faces."""
    left, right, width, gap = 20.0, 480.0, 400.0, 30.0
    y = sheet.heading("A sentence is parsed", left, 14)
    sheet.heading("A model is trained", right, 14)
    row, high = y + 6, 84.0
    text = sheet.box(
        left,
        row,
        width,
        "Text",
        "typed, pasted, from a file or a pipe: tokens, sentences, word/TAG, brackets, CoNLL-U",
        "engine/text",
        high,
    )
    trees = sheet.box(
        right,
        row,
        width,
        "Trees",
        "brackets of a treebank, read, cleaned, and checked",
        "engine/trees engine/gate",
        high,
    )
    row = text.bottom + gap
    tagged = sheet.box(
        left,
        row,
        width,
        "Tagged sentence",
        "words and tags, or each word’s distribution of tags; positions without punctuation",
        "engine/tagger engine/structure",
        high,
    )
    events = sheet.box(
        right,
        row,
        width,
        "Heads, (B, D, U), events",
        "each tree as baseNPs, dependencies and unary parents",
        "engine/structure engine/counts",
        high,
    )
    row = tagged.bottom + gap
    search = sheet.box(
        left,
        row,
        width,
        "Gap model, F̂, chart, k best",
        "kernels over arrays look counts up, mix the levels of back-off, and search",
        "engine/estimates engine/chart engine/rerank",
        high,
    )
    model = sheet.box(
        right,
        row,
        width,
        "Model",
        "counts, tagger and re-ranker as arrays and JSON; memory-mapped, never unpickled",
        "engine/training engine/model",
        high,
    )
    for above, below in ((text, tagged), (tagged, search)):
        sheet.arrow((above.centre[0], above.bottom), (below.centre[0], below.y))
    for above, below in ((trees, events), (events, model)):
        sheet.arrow((above.centre[0], above.bottom), (below.centre[0], below.y))
    sheet.arrow((model.x, model.centre[1]), (search.right, search.centre[1]))
    row = search.bottom + gap
    parse = sheet.box(
        left,
        row,
        860,
        "Parse",
        "the tree and its (B, D), the score, the alternatives, the chart if it was kept: a value that never changes",
        "engine.chart.parse.Parse",
        accent=True,
    )
    sheet.arrow((search.centre[0], search.bottom), (search.centre[0], parse.y))
    row = parse.bottom + gap
    ledger = sheet.box(
        left,
        row,
        400,
        "Ledger",
        "every factor of the score with its levels and counts: what the kernels computed. Its sum is the score",
        "engine.estimates.ledger.Ledger",
        84,
    )
    words = sheet.box(
        480,
        row,
        400,
        "Explanation",
        "what is so and why, in words and numbers, for anything that can be selected",
        "engine/explain",
        84,
    )
    for below in (ledger, words):
        sheet.arrow((below.centre[0], parse.bottom), (below.centre[0], below.y))
    sheet.arrow((ledger.right, ledger.centre[1]), (words.x, words.centre[1]))
    row = ledger.bottom + 44
    each, space = 200.0, 20.0
    made = [
        sheet.box(left + at * (each + space), row, each, title, text, where, 84)
        for at, (title, text, where) in enumerate(
            (
                ("Window", "pictures, tables, inspector", "explorer"),
                ("Terminal", "text, tables, JSON lines", "engine/cli"),
                ("JSON, exports", "brackets, LaTeX, HTML, GraphViz, CoNLL-U", "engine/export"),
                ("Python", "the same values, as objects", "engine/__init__.pyi"),
            )
        )
    ]
    middle = ledger.bottom + 20
    for source in (ledger, words):
        sheet.shapes.append(Stroke(source.centre[0], source.bottom, source.centre[0], middle, "ink", 1.5))
    sheet.shapes.append(Stroke(made[0].centre[0], middle, made[-1].centre[0], middle, "ink", 1.5))
    for one in made:
        sheet.arrow((one.centre[0], middle), (one.centre[0], one.y))
    return sheet.drawing("From a sentence to four faces")


def processes(sheet: Sheet) -> Drawing:
    """Draw threads and processes: which there are, and what each says to which."""
    sheet.heading("The process of the window", 20, 14)
    sheet.heading("Other processes, each started afresh", 540, 14)
    gui = sheet.box(
        32,
        60,
        372,
        "GUI thread",
        "widgets, the document, all state: only this thread changes them. No step of it should take more than 50 ms",
        "explorer.session.session.Session",
        accent=True,
    )
    workers = sheet.box(
        32,
        236,
        372,
        "Worker threads",
        "one for each kind of work: load, parse, draw, autosave, judge, "
        "search … Each does one job after the other. Compiled kernels run without Python’s lock, so "
        "that the GUI thread goes on",
        "explorer.kit.tasks.Worker",
    )
    x = 110.0
    sheet.arrow(
        (x, gui.bottom), (x, workers.y), text="a Job goes into the queue", at=(x + 8, gui.bottom + 14), anchor="start"
    )
    x = 326.0
    sheet.arrow(
        (x, workers.y),
        (x, gui.bottom),
        text="a queued signal brings its result; one that nobody wants any more is dropped",
        at=(x - 8, gui.bottom + 36),
        anchor="end",
        width=196,
    )
    below = workers.bottom + 22
    sheet.box(
        32,
        below,
        372,
        "Short threads",
        "one listens to each process beside the window; one writes the unpacked copy of a model; some unpack arrays",
        "explorer.kit.processes.EngineProcess engine.model.file_cache",
    )
    outer = Rect(16, 44, 404, sheet.boxes[-1][1].bottom + 14 - 44)
    sheet.frame(outer)
    sheet.box(
        16,
        outer.bottom + 32,
        404,
        "At the terminal, and in Python",
        "there are no such threads: the caller’s thread works, or gives work to the last two on the right",
        "engine/cli",
    )
    x, width = 540.0, 344.0
    compiling = sheet.box(
        x,
        60,
        width,
        "Compilers of kernels",
        "two at most; they go on when the window closes, and the next program finds what they have done",
        "engine.warm_up engine.compiled.cache",
    )
    child = sheet.box(
        x,
        compiling.bottom + 22,
        width,
        "A child for training",
        "training a model, looking at treebanks; stopped at once, with all that it started",
        "explorer.kit.processes.run_in_child",
    )
    engine = sheet.box(
        x,
        child.bottom + 22,
        width,
        "Processes of the engine",
        "an experiment; the drawing of plots, for matplotlib holds up every thread beside it",
        "engine.cli.experiment_process engine.cli.plot_process",
    )
    pool = sheet.box(
        x,
        engine.bottom + 22,
        width,
        "Worker processes",
        "the parts of a long list, a treebank, a grid; "
        "results come in the order of the tasks, however many processes there are",
        "engine.common.parallel.ordered",
    )
    cluster = sheet.box(
        x,
        pool.bottom + 22,
        width,
        "Workers of a cluster",
        "the same tasks on other machines, for the terminal and Python alone",
        "engine/cluster",
    )
    edge = outer.right
    for box, said in (
        (compiling, "files in the cache"),
        (child, "pickles, by a pipe"),
        (engine, "JSON, by lines"),
        (pool, "pickles, by a pipe"),
        (cluster, "dask, by network"),
    ):
        y = box.centre[1]
        sheet.write((edge + box.x) / 2, y - 21, said, role="muted", anchor="middle", width=118)
        if box is not compiling:
            sheet.arrow((edge, y), (box.x, y))
        sheet.arrow((box.x, y + 10), (edge, y + 10))
    return sheet.drawing("Threads and processes")


OWNERS = (
    (
        "The document",
        "sentences, what-ifs, settings, the model’s name; an immutable value, changed by undo commands",
        "explorer.session.editor.DocumentEditor",
        "text_changed document_changed",
        "parse service, view state, sentence bar, list, settings, autosave, compare",
    ),
    (
        "The view",
        "stage, step of the chart, selection, pointer, which of the n best; never undone",
        "explorer.session.view_state.ViewState",
        "stage_changed selection_changed rank_changed",
        "pictures, inspector, tables, compare, autosave",
    ),
    (
        "The parses",
        "models that are open, the result for the sentence that is shown, why there is none",
        "explorer.session.parse_service.ParseService",
        "model_changed result_changed ledgers_changed problem_changed",
        "pictures, inspector, sentence bar, status bar, compare, lessons",
    ),
    (
        "The statuses",
        "what became of each sentence of the list, and under which model and settings",
        "explorer.session.statuses.SentenceStatuses",
        "changed",
        "sentence list and its filter",
    ),
    (
        "The tasks",
        "the workers that a person may wait for: which run, how far, how to cancel",
        "explorer.kit.tasks.TaskMonitor",
        "busy_changed cancelled",
        "status bar, garbage collection, messages of the cache",
    ),
    (
        "The appearance",
        "theme, size of type, motion, digits of numbers; one for all windows",
        "explorer.kit.appearance.Appearance",
        "theme_changed text_scale_changed digits_changed",
        "canvases, panels, icons of actions",
    ),
    (
        "The preferences",
        "what is remembered from start to start; beside them the session after a crash",
        "explorer.session.preferences.Preferences",
        "",
        "read by whoever starts; nobody observes them",
    ),
    (
        "A tool’s own state",
        "a comparison, a lesson that is played or edited, an exercise: declared fields",
        "explorer.kit.state.State",
        "changed",
        "the panel or window of that tool",
    ),
)


def owners(sheet: Sheet) -> Drawing:
    """Draw who owns which state, which signals tell of it, and who observes them."""
    columns = ((20.0, 410.0), (470.0, 160.0), (680.0, 200.0))
    for (x, _), title in zip(columns, ("Owner: only it changes the value", "Its signals", "Who observes"), strict=True):
        sheet.heading(title, x, 14)
    y = 42.0
    for number, (title, text, where, signals, observers) in enumerate(OWNERS):
        box = sheet.box(*(columns[0][0], y, columns[0][1]), title, text, where, accent=number < 3)
        (x, width), top = columns[1], box.y + 6
        if signals:
            lines = signals.split()
            height = len(lines) * sheet.height_of("small")
            top = box.centre[1] - height / 2
            for name in lines:
                top = sheet.write(x, top, name, role=_OTHER, width=width)
            sheet.arrow((box.right, box.centre[1]), (x - 8, box.centre[1]))
            sheet.arrow((x + width + 4, box.centre[1]), (columns[2][0] - 8, box.centre[1]))
            sheet.named += [f"{where}.{name}" for name in lines if where != "explorer.kit.state.State"]
        lines = sheet.broken(observers, "small", columns[2][1])
        sheet.write(
            columns[2][0],
            box.centre[1] - len(lines) * sheet.height_of("small") / 2,
            observers,
            width=columns[2][1],
        )
        y = box.bottom + 12
    return sheet.drawing("Who owns which state, and who observes it")


def signals(sheet: Sheet) -> Drawing:
    """Draw what happens from Enter to the painted tree, in its order."""
    lanes = (
        ("Sentence bar", "explorer.panels.sentence_bar.SentenceBar", 90.0),
        ("Document", "explorer.session.editor.DocumentEditor", 258.0),
        ("Parse service", "explorer.session.parse_service.ParseService", 436.0),
        ("Thread “parse”", "explorer.session.parsing.parse_for_window", 620.0),
        ("Picture, inspector", "explorer.canvas.stage_picture.StagePicture", 796.0),
    )
    top = 20.0
    for title, name, x in lanes:
        sheet.box(x - 76, top, 152, title, name.rpartition(".")[2], accent=title.startswith("Thread"))
        sheet.named.append(name)
    bar, document, parses, thread, picture = (x for _, _, x in lanes)
    start = sheet.boxes[0][1].bottom
    steps: tuple[tuple[float, float, str, str], ...] = (
        (bar, document, "1  Enter: edit_text", "solid"),
        (document, document, "2  an undo command sets another document", "solid"),
        (document, picture, "3  text_changed: what was selected is forgotten", "solid"),
        (document, parses, "4  document_changed", "solid"),
        (parses, thread, "5  a request; the one before is outdated", "solid"),
        (document, bar, "6  the same signal: the bar, the window, autosave", "solid"),
        (thread, thread, "7  read, tag, parse, n best, chart: what pictures need is looked up here", "solid"),
        (thread, parses, "8  the result, by a queued signal", "dash"),
        (parses, bar, "9  result_changed: chips, status bar", "solid"),
        (parses, picture, "10  result_changed starts the picture’s timer of 0 ms", "solid"),
        (picture, picture, "11  draw (up to 16 words here, longer ones in a thread “draw”), paint", "solid"),
        (picture, picture, "12  12 ms later the table under the picture", "solid"),
        (thread, thread, "13  ledgers of the n best, the window going first", "solid"),
        (thread, parses, "14  the same result, complete", "dash"),
        (parses, picture, "15  ledgers_changed: the inspector explains", "solid"),
    )
    y = start + 14
    for origin, target, text, dash in steps:
        if origin == target:
            lines = sheet.broken(text, "small", 150)
            height = len(lines) * sheet.height_of("small") + 8
            sheet.shapes.append(Box(origin - 80, y, 160, height, "background", "line", radius=4.0))
            for at, line in enumerate(lines):
                sheet.shapes.append(
                    Text(origin, y + 4 + STYLES["small"].size + at * sheet.height_of("small"), line, "small")
                )
            sheet.said.append(text)
            y += height + 10
            continue
        middle = (origin + target) / 2
        room = max(abs(target - origin) - 24, 150.0)
        lines = sheet.broken(text, "small", room)
        for line in lines:
            width = sheet.metrics.width(line, "small")
            sheet.shapes.append(Box(middle - width / 2 - 3, y, width + 6, 17, "background"))
            sheet.shapes.append(Text(middle, y + STYLES["small"].size, line, "small", "ink"))
            y += sheet.height_of("small")
        sheet.said.append(text)
        y += 3
        sheet.arrow((origin, y), (target, y), dash=dash, role=_ACCENT if dash == "dash" else "ink")
        y += 14
    for _, _, x in lanes:
        sheet.shapes.insert(0, Stroke(x, start, x, y + 4, "line", 1.0, "dot", layer=BACK))
    return sheet.drawing("From Enter to the painted tree")


PAGES: dict[str, Callable[[Sheet], Drawing]] = {
    "architecture-faces": faces,
    "architecture-processes": processes,
    "architecture-state": owners,
    "architecture-signals": signals,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures into a folder; the result is the exit status."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the page on architecture.")
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES, help="where to write them")
    options = parser.parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

    from PySide6.QtCore import Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage

    from explorer.kit.fonts import QtMetrics, register_fonts
    from explorer.output.files import image_of

    application = QGuiApplication.instance() or QGuiApplication(["architecture-pictures"])
    assert application is not None
    register_fonts()
    metrics = QtMetrics()
    options.folder.mkdir(parents=True, exist_ok=True)
    # What is on what, and the steps between them at the edges of letters: few colours make a third of the bytes.
    inks = [LIGHT.colour(role) for role in ("ink", "muted", "line", _ACCENT, _OTHER)]
    grounds = [LIGHT.colour(role) for role in ("background", "surface", "tint:accent")]
    steps = [step / _STEPS for step in range(_STEPS + 1)]
    mixed = (blend(ground, ink, step) for ground in grounds for ink in inks for step in steps)
    palette = [QColor(colour).rgb() for colour in dict.fromkeys(mixed)]
    plain = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    for name, draw in PAGES.items():
        image = image_of(draw(Sheet(metrics)), LIGHT, SCALE, metrics)
        image.convertToFormat(QImage.Format.Format_Indexed8, palette, plain).save(str(options.folder / f"{name}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
