"""Plots drawn in a process of its own, for a window that must stay alive: one JSON line in, one out, and the image.

A request has the experiment's ``options``, its ``results`` by the numbers of trials, a ``title``, and either the
``width`` and ``height`` in pixels, ``dpi``, ``colours`` and ``points`` of an image, or the ``path`` of a file.  The
answer has the request's ``number``; of an image also its size, the points in it with their values, and how many
``bytes`` of it follow, four to a pixel.  The process ends when standard input does.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from engine.common.errors import EngineError
from engine.gate.checked_json import read_message
from engine.study import plots
from engine.study.experiments import ExperimentOptions
from engine.study.plots import PlotColours, plot_points, plot_style


def answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Draw what is asked for."""
    options = ExperimentOptions.of_dict(request["options"])
    results = {int(trial): result for trial, result in request["results"].items()}

    def draw() -> Any:
        return options.definition.live_figure(options, results, request["title"])

    if "path" in request:
        plots.check_plot(request["path"])
        plots.save(draw, request["path"])
        return {}, b""
    colours = PlotColours(**{**request["colours"], "series": tuple(request["colours"]["series"])})
    style = plot_style(colours, request["points"])
    found = plots.image(draw, request["width"], request["height"], request["dpi"], style)
    if found is None:
        return {"width": 0, "height": 0, "points": []}, b""
    figure, pixels, width, height = found
    return {"width": width, "height": height, "points": plot_points(figure)}, pixels


def main() -> int:
    """Answer one request after the other."""
    out = sys.stdout.buffer
    for line in sys.stdin:
        request = read_message(line)
        try:
            said, pixels = answer(request)
        except EngineError as error:
            said, pixels = {"problem": str(error)}, b""
        except Exception as error:
            # One picture that cannot be drawn is not the end of all.
            said, pixels = {"problem": f"the picture cannot be drawn ({type(error).__name__}: {error})"}, b""
        header = json.dumps({"number": request["number"], "bytes": len(pixels), **said})
        out.write(header.encode() + b"\n" + pixels)
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
