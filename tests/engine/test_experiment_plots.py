"""Plots of experiments can be read in a small window: no label leaves the picture or is longer than its axis."""

from __future__ import annotations

from typing import Any

import pytest

from engine.study import plots
from engine.study.experiments import ExperimentOptions
from engine.study.plots import plot_style

WIDTH, HEIGHT, DPI, POINTS = 690, 335, 96.0, 9.0
"""The plot in a window of 1024 × 700 pixels."""

TEST = ("everyday.ptb",)
OPTIONS = (
    ExperimentOptions("distances", TEST),
    ExperimentOptions("models", TEST, models=("classroom",)),
    ExperimentOptions("beam", TEST, models=("classroom",), presets=(3,), beams=(1000.0, 20.0, 3.0), lengths=(100,)),
    ExperimentOptions("learning-curve", TEST, train=("classroom.ptb",), presets=(3,), lengths=(100,)),
    ExperimentOptions("grid", TEST, models=("classroom",), presets=(1, 3), beams=(1000.0, 3.0), lengths=(100,)),
)


def _result(options: ExperimentOptions, number: int) -> dict[str, Any]:
    """A result such as a trial has, a little different for each."""
    if options.experiment == "distances":
        pairs = [[1, 169], [2, 29], [3, 9], [4, 3]]
        counts = {"sentences": 50, "commas": 4, "obeying": 4, "distances": pairs, "verbs": [[0, 208], [1, 2]]}
        return {"distances": counts}
    measures = {
        "sentences": 50,
        "labeled_recall": 62.7 + number,
        "labeled_precision": 67.2 + number,
        "f1": 64.9 + number,
        "crossing": 0.58,
        "no_crossing": 64.0,
        "two_or_less_crossing": 94.0,
        "sentences_per_second": 1_500.0 + 900.0 * number,
    }
    training = {"sentences": 9 * 2**number, "words": 68, "contexts": 3485, "bytes": 3e5 * 1.2**number, "seconds": 0.03}
    return {"training": training, "measures": {str(length): measures for length in options.lengths}}


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.experiment)
def test_labels_are_no_longer_than_there_is_room(options: ExperimentOptions) -> None:
    pytest.importorskip("matplotlib")
    definition = options.definition
    results = {number: _result(options, number) for number in range(len(definition.plan(options)))}
    style = plot_style(points=POINTS)
    found = plots.image(lambda: definition.live_figure(options, results, "x"), WIDTH, HEIGHT, DPI, style)
    assert found is not None
    figure = found[0]
    assert figure.axes
    for axes in figure.axes:
        frame = axes.get_window_extent()
        for label in (axes.xaxis.label, axes.title):
            box = label.get_window_extent()
            assert box.x0 >= 0 and box.x1 <= WIDTH, label.get_text()
        upright = axes.yaxis.label.get_window_extent()
        assert upright.height <= frame.height, axes.yaxis.label.get_text()
        legend = axes.get_legend()
        assert legend is None or options.experiment == "distances"
