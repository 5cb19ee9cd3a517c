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
from explorer.pictures.facts import look_up
from explorer.pictures.options import TriangleOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.triangle import triangle_picture
from explorer.stages.stages import pictures


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
    look_up(parse)
    triangle_picture(parse, metrics)
    size = len(parse.sentence.positions)
    print(f"{size} words, {len(parse.chart)} edges, prepared in {1e3 * (time.perf_counter() - started):.0f} ms")
    columns = columns_of(parse, metrics)
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

    for name, picture in pictures().items():
        busy, clock = took(lambda make=picture.draw: canvas.show(make(parse, metrics, columns=columns)))  # type: ignore[misc]
        print(f"{name:10} {busy:6.1f} ms of the processor, {clock:6.1f} ms by the clock")
    first = len(parse.chart) // 2

    def step(number: int) -> None:
        canvas.show(triangle_picture(parse, metrics, TriangleOptions(until=number), columns))

    took(lambda: step(first))
    steps = [took(lambda number=number: step(number)) for number in range(first + 1, first + options.steps)]  # type: ignore[misc]
    times = sorted(one for one, _ in steps)
    print(f"replay     {sum(times) / len(times):6.1f} ms on average, {times[-1]:.1f} ms at most, of the processor")


if __name__ == "__main__":
    main()
