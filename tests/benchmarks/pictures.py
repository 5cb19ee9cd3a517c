"""How long pictures take: every stage and the replay of the chart, as the window shows them, without a screen.

    python tests/benchmarks/pictures.py --model gum.model "When/WRB the/DT ..." [--beam 1e6]

For each stage: milliseconds from the call to the repainted view, of the processor and by the clock.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

import engine
from engine.chart.parser import Parser
from explorer.canvas.canvas import Canvas
from explorer.kit.fonts import QtMetrics
from explorer.pictures import stages as pictures
from explorer.pictures.options import TriangleOptions

STAGES = ("sentence", "gaps", "reduced", "matrix", "triangle", "tree", "arrows", "parse")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentence", help="word/TAG word/TAG …")
    parser.add_argument("--model", required=True)
    parser.add_argument("--beam", type=float, default=1e6)
    parser.add_argument("--steps", type=int, default=200, help="steps of the replay to measure")
    options = parser.parse_args()
    application = QApplication([])
    metrics = QtMetrics()
    parse = Parser.preset(engine.load(options.model), 3, beam=options.beam).parse(options.sentence, trace=True)
    assert parse.chart is not None
    started = time.perf_counter()
    pictures.prepare(parse, metrics)
    size = len(parse.sentence.positions)
    print(f"{size} words, {len(parse.chart)} edges, prepared in {1e3 * (time.perf_counter() - started):.0f} ms")
    columns = pictures.columns_of(parse, metrics)
    canvas = Canvas(metrics)
    canvas.resize(1280, 800)
    canvas.show()
    application.processEvents()
    gc.collect()
    gc.freeze()

    def took(work: Callable[[], None]) -> tuple[float, float]:
        busy, clock = time.thread_time(), time.perf_counter()
        work()
        application.processEvents()
        return 1e3 * (time.thread_time() - busy), 1e3 * (time.perf_counter() - clock)

    for name in STAGES:
        make = getattr(pictures, f"{name}_picture")
        busy, clock = took(lambda make=make: canvas.show(make(parse, metrics, columns=columns)))  # type: ignore[misc]
        print(f"{name:10} {busy:6.1f} ms of the processor, {clock:6.1f} ms by the clock")
    first = len(parse.chart) // 2

    def step(number: int) -> None:
        canvas.show(pictures.triangle_picture(parse, metrics, TriangleOptions(until=number), columns))

    took(lambda: step(first))
    steps = [took(lambda number=number: step(number)) for number in range(first + 1, first + options.steps)]  # type: ignore[misc]
    times = sorted(one for one, _ in steps)
    print(f"replay     {sum(times) / len(times):6.1f} ms on average, {times[-1]:.1f} ms at most, of the processor")


if __name__ == "__main__":
    main()
