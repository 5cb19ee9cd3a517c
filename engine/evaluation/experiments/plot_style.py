"""The look of plots as matplotlib's settings: colours for paper or for a window's theme, and the size of type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PlotColours:
    """The colours of a picture.

    Attributes
    ----------
    background, ink, text, line, grid
        Of the ground, of type, of the type beside axes, of axes, and of the lines behind.
    series
        Of what is drawn: the first three are ours, the fourth the paper's.
    """

    background: str = "#FFFFFF"
    ink: str = "#000000"
    text: str = "#222222"
    line: str = "#444444"
    grid: str = "#E4E4E4"
    series: tuple[str, ...] = ("#0072B2", "#D55E00", "#009E73", "#6F6F6F", "#CC79A7", "#E69F00", "#56B4E9")


def plot_style(colours: PlotColours | None = None, points: float = 10.5) -> Any:
    """What is set in matplotlib for a picture in these colours, with type of so many points."""
    import cycler

    colours = colours or PlotColours()
    return {
        "font.family": "sans-serif",
        "font.size": points,
        "text.color": colours.ink,
        # A $ in the name of a treebank is no formula.
        "text.parse_math": False,
        "axes.titlesize": points + 0.5,
        "axes.titlelocation": "left",
        "axes.titlepad": 10,
        "axes.titlecolor": colours.ink,
        "axes.labelcolor": colours.ink,
        "axes.facecolor": colours.background,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": colours.line,
        "axes.linewidth": 0.8,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.prop_cycle": cycler.cycler(color=colours.series),
        "grid.color": colours.grid,
        "grid.linewidth": 0.8,
        "xtick.color": colours.line,
        "ytick.color": colours.line,
        "xtick.labelcolor": colours.text,
        "ytick.labelcolor": colours.text,
        "legend.frameon": False,
        "legend.handletextpad": 0.4,
        "legend.columnspacing": 1.6,
        "figure.facecolor": colours.background,
        "savefig.facecolor": colours.background,
        "lines.linewidth": 1.8,
        "lines.markersize": 6.5,
        "svg.fonttype": "none",
    }
