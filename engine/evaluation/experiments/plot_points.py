"""The points of a drawn picture with what each of them says, for whoever points at one."""

from __future__ import annotations

from typing import Any, NamedTuple


class PlotPoint(NamedTuple):
    """Where a point is, in pixels from the upper left corner, and its values in words."""

    x: float
    y: float
    text: str


def plot_points(figure: Any) -> list[PlotPoint]:
    """Every point of the series of a figure that has been drawn."""
    height = figure.bbox.height
    found = []
    for axes in figure.axes:
        for line in axes.lines:
            label = line.get_label()
            named = "" if label.startswith("_") else f"{label}: "
            for (x, y), (left, bottom) in zip(
                line.get_xydata(), axes.transData.transform(line.get_xydata()), strict=True
            ):
                said = f"{named}{_value(axes.xaxis, x)}, {_value(axes.yaxis, y)}"
                found.append(PlotPoint(float(left), float(height - bottom), f"{axes.get_title(loc='left')}\n{said}"))
    return found


def _value(axis: Any, value: float) -> str:
    """A value with what it is measured in; where the places of an axis have names, the name of the nearest."""
    ticks, names = axis.get_majorticklocs(), [tick.get_text() for tick in axis.get_majorticklabels()]
    title = axis.get_label_text()
    rows = axis.axes.get_shared_y_axes().get_siblings(axis.axes) if axis.axis_name == "y" else []
    for other in rows:
        # Panels that share their rows have the names at the first of them.
        names = names if any(names) else [tick.get_text() for tick in other.yaxis.get_majorticklabels()]
    is_named = any(name and not _is_number(name) for name in names) or title.startswith("β")
    if is_named and len(names) == len(ticks):
        nearest = min(range(len(ticks)), key=lambda place: abs(ticks[place] - value))
        name = names[nearest].replace("\n", ", ")
        return f"{title.split(',')[0]} {name}".strip()
    return f"{title} {value:,.4g}".strip()


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "").replace("−", "-"))
    except ValueError:
        return False
    return True
