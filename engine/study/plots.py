"""Plots of results, drawn with matplotlib, which is imported only when one is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.characters import made_text
from engine.common.errors import EngineError
from engine.common.files import replaced
from engine.study.paper_tables import (
    DISTANCES,
    LITERAL,
    PAPER_ABLATION,
    PAPER_BEAM_FIGURES,
    PAPER_DISTANCES,
    PAPER_MODELS,
    PAPER_SPATTER,
    PAPER_VERBS,
    VERBS,
    Distances,
    Trial,
    TrialResults,
    per_minute,
)
from engine.study.provenance import sources_text

# The look of plots as matplotlib's settings: colours for paper or for a window's theme, and the size of type.


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
    """Return what is set in matplotlib for a picture in these colours, with type of so many points."""
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


# The points of a drawn picture with what each of them says, for whoever points at one.


class PlotPoint(NamedTuple):
    """Where a point is, in pixels from the upper left corner, and its values in words."""

    x: float
    y: float
    text: str


def plot_points(figure: Any) -> list[PlotPoint]:
    """Return every point of the series of a figure that has been drawn."""
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
    """Return a value with what it is measured in; where the places of an axis have names, the name of the nearest."""
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


# Pictures of the results, drawn with matplotlib, which is imported only when one is asked for.
#
# Colours are those of Okabe and Ito, which people with any colour vision tell apart; every series has a marker of its
# own as well.  The paper's figures are grey and hollow.  All colours are in matplotlib's own settings
# (:mod:`.plot_style`), so that one drawing serves paper and any theme of a window.

Axes = Any
Figure = Any
"""matplotlib's classes; it is optional, and its types differ from release to release."""

BLUE, VERMILION, GREEN, GREY = "C0", "C1", "C2", "C3"
"""Places in the cycle of colours, which the style sets."""
MARKERS = "osD^vPX*<>"
PLOT_SUFFIXES = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 200


def check_plot(path: str | Path) -> None:
    """Find out before the work whether its picture can be drawn: matplotlib is there, and knows the kind of file."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise EngineError(
            "--plot needs matplotlib, which is not installed; install it with `pip install matplotlib`"
        ) from None
    if Path(path).suffix.lower() not in PLOT_SUFFIXES:
        raise EngineError(f"{path}: a picture's name ends in {', '.join(PLOT_SUFFIXES[:-1])} or {PLOT_SUFFIXES[-1]}")


def save(draw: Callable[[], Figure], path: str | Path) -> None:
    """Draw in our style and write the picture beside the file, which is then replaced."""
    import matplotlib

    with replaced(path) as beside, matplotlib.rc_context(plot_style()):
        _with_text(draw()).savefig(beside, format=Path(path).suffix[1:].lower(), dpi=DOTS_PER_INCH)


def _with_text(figure: Figure) -> Figure:
    """Return the figure with U+FFFD in names of files that are not text, which no font has."""
    from matplotlib.text import Text

    for found in figure.findobj(Text):
        if (written := made_text(found.get_text())) != found.get_text():
            found.set_text(written)
    return figure


def image(
    draw: Callable[[], Figure | None], width: int, height: int, dpi: float, style: Any
) -> tuple[Figure, bytes, int, int] | None:
    """Draw in a style for a screen, where the title stands elsewhere: the figure, its pixels, width and height.

    ``None`` if there is nothing to draw.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with matplotlib.rc_context(style):
        figure = draw()
        if figure is None:
            return None
        _with_text(figure).suptitle("")
        figure.set_dpi(dpi)
        figure.set_size_inches(width / dpi, height / dpi)
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        wide, high = canvas.get_width_height()
        return figure, bytes(canvas.buffer_rgba()), wide, high


def titled_figure(width: float, height: float, title: str) -> Figure:
    """Make an empty figure of so many inches with its title."""
    import matplotlib.figure

    figure: Figure = matplotlib.figure.Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1, wspace=0.05, hspace=0.05)
    figure.suptitle(title, x=0.012, ha="left", fontsize=13, fontweight="bold")
    return figure


def distances_figure(found: Distances, test: str) -> Figure:
    """Tables 1 and 2: cumulative shares."""
    figure = titled_figure(9.5, 4.2, f"How far dependencies reach: {test}")
    left, right = figure.subplots(1, 2)
    panels = (
        (left, found.distances, range(1, 16), DISTANCES, PAPER_DISTANCES, "words apart"),
        (right, found.verbs, range(6), VERBS, PAPER_VERBS, "verbs between"),
    )
    for axes, counts, limits, paper_limits, paper, what in panels:
        total = max(counts.total(), 1)
        shares = [100 * sum(count for value, count in counts.items() if value <= limit) / total for limit in limits]
        axes.plot(list(limits), shares, color=BLUE, marker="o", label="this treebank")
        axes.plot(paper_limits, paper, **_papers(), linestyle="none", label="the paper (WSJ)")
        axes.set_xlabel(f"at most this many {what}")
        axes.xaxis.get_major_locator().set_params(integer=True)
    left.set_ylabel("dependencies (%)")
    left.set_title("Distance in the reduced sentence (Table 1)")
    right.set_title("Verbs between head and modifier (Table 2)")
    left.legend(loc="lower right")
    return figure


def _papers() -> dict[str, Any]:
    """Return how the paper's points look: hollow."""
    import matplotlib

    ground = matplotlib.rcParams["axes.facecolor"]
    return {"color": GREY, "markerfacecolor": ground, "marker": "D", "markeredgewidth": 1.4}


def _measured_figure(width: float, height: float, title: str, trials: Sequence[Trial]) -> Figure:
    """Return a figure of trials, whose title has the source of their tags on a separate line."""
    return titled_figure(width, height, f"{title}\nfrom {sources_text(trial.tags for trial in trials)}")


def models_figure(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> Figure:
    """Table 3: recall and precision of every model, SPATTER's in the last row, and speed."""
    height = 2.4 + 0.5 * len(trials)
    figure = _measured_figure(3.4 * (len(lengths) + 1), height, f"The models (Table 3): {test}", trials)
    panels = list(figure.subplots(1, len(lengths) + 1, sharey=True))
    for axes in panels[1:-1]:
        axes.sharex(panels[0])
    names = [*(f"model {trial.name[0]}\ntags: {trial.tags}" for trial in trials), "SPATTER"]
    for axes, length in zip(panels, lengths, strict=False):
        figures = [result["measures"][str(length)] for result in results]
        paper = [PAPER_MODELS.get(number, {}).get(length) for number in map(_model_number, trials)]
        paper.append(PAPER_SPATTER.get(length))
        _recall_precision(axes, figures, [row[:2] if row else None for row in paper])
        axes.set_title(f"≤ {length} tokens")
    speeds = [result["measures"][str(lengths[-1])]["sentences_per_second"] for result in results]
    _speed_dots(panels[-1], speeds, lengths[-1])
    _rows(panels, names)
    _shared_legend(figure, panels[0])
    return figure


def _model_number(trial: Trial) -> int:
    return int(trial.name[0].strip("()"))


def ablation_figure(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Figure:
    """Table 4: recall and precision with and without distance and words."""
    figure = _measured_figure(9.0, 4.3, f"What distance and words contribute (Table 4): {test}", trials)
    accuracy, crossing = figure.subplots(1, 2, sharey=True)
    names = [f"distance: {distance}\nwords: {lexical}" for distance, lexical in (trial.name for trial in trials)]
    figures = [result["measures"][str(length)] for result in results]
    paper = [PAPER_ABLATION.get((trial.name[0] == "yes", trial.name[1] == "yes")) for trial in trials]
    _recall_precision(accuracy, figures, [row[:2] if row else None for row in paper])
    accuracy.set_title(f"Recall and precision, ≤ {length} tokens")
    crossing.plot([row["crossing"] for row in figures], range(len(trials)), "^", color=GREEN, label="CBs")
    shown = [(row[2], y) for y, row in enumerate(paper) if row]
    crossing.plot([x for x, _ in shown], [y for _, y in shown], linestyle="none", **_papers())
    crossing.set_xlabel("crossing brackets per sentence")
    crossing.set_title("Crossing brackets")
    _rows((accuracy, crossing), names)
    _shared_legend(figure, accuracy)
    return figure


def _recall_precision(
    axes: Axes, figures: Sequence[Mapping[str, Any]], paper: Sequence[tuple[float, ...] | None]
) -> None:
    """Recall and precision as dots in rows, the paper's as hollow ones."""
    for key, marker, colour, label, shift in (
        ("labeled_recall", "o", BLUE, "recall (LR)", -0.12),
        ("labeled_precision", "s", VERMILION, "precision (LP)", 0.12),
    ):
        rows = [place + shift for place in range(len(figures))]
        axes.plot([row[key] for row in figures], rows, marker, color=colour, label=label)
    for place, row in enumerate(paper):
        for value, marker, shift in zip(row or (), ("o", "s"), (-0.12, 0.12), strict=False):
            # One entry in the legend is enough.
            named: dict[str, Any] = (
                {"label": "hollow: the paper (WSJ)"} if place == _first(paper) and marker == "o" else {}
            )
            axes.plot([value], [place + shift], **{**_papers(), "marker": marker}, linestyle="none", **named)
    axes.set_xlabel("per cent of constituents")


def _first(rows: Sequence[object]) -> int:
    return next((place for place, row in enumerate(rows) if row is not None), -1)


def _speed_dots(axes: Axes, speeds: Sequence[float], length: int) -> None:
    axes.plot(speeds, range(len(speeds)), "^", color=GREEN)
    axes.set_xlim(0, 1.25 * max(speeds) or 1)
    for place, speed in enumerate(speeds):
        axes.annotate(f"{speed:,.0f}", (speed, place), (7, 0), textcoords="offset points", va="center", fontsize=9.5)
    axes.set_xlabel("sentences/s, one process")
    axes.set_title(f"Speed, ≤ {length} tokens")


def _rows(panels: Sequence[Axes], names: Sequence[str]) -> None:
    """The same rows in all panels, named on the left."""
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    for axes in panels:
        axes.tick_params(axis="y", length=0)


def _shared_legend(figure: Figure, axes: Axes) -> None:
    """One legend under all panels, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=len(labels))


def beam_figure(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Figure:
    """Table 5: accuracy and speed against β, at even steps: the paper's narrowest two would touch on any scale."""
    figure = _measured_figure(9.5, 4.7, f"The beam (Table 5): {test}, ≤ {length} tokens", trials)
    accuracy, speed = figure.subplots(1, 2)
    betas = sorted({trial.settings.beam for trial in trials}, reverse=True)
    for group in dict.fromkeys(trial.group for trial in trials):
        rows = [
            (betas.index(trial.settings.beam), result["measures"][str(length)], per_minute(result, length))
            for trial, result in zip(trials, results, strict=True)
            if trial.group == group
        ]
        colour, marker = (VERMILION, "s") if group == LITERAL else (BLUE, "o")
        places = [place for place, _, _ in rows]
        accuracy.plot(places, [row["f1"] for _, row, _ in rows], color=colour, marker=marker, label=group)
        speed.plot(places, [minute for _, _, minute in rows], color=colour, marker=marker, label=group)
    paper = [
        (betas.index(beta), 2 * recall * precision / (recall + precision), minute)
        for beta, (minute, recall, precision, _) in PAPER_BEAM_FIGURES.items()
        if beta in betas
    ]
    if paper:
        papers_places = [place for place, _, _ in paper]
        accuracy.plot(papers_places, [f1 for _, f1, _ in paper], **_papers(), linestyle="--", label="the paper (WSJ)")
        speed.plot(papers_places, [minute for _, _, minute in paper], **_papers(), linestyle="--")
    accuracy.set_ylabel("labeled F1 (%)")
    accuracy.set_title("Accuracy")
    speed.set_ylabel("sentences/min")
    # The paper's processor ran at 60 MHz: only on such an axis can both be read.
    _logarithmic(speed)
    speed.set_title("Speed, one process")
    for axes in (accuracy, speed):
        axes.set_xticks(range(len(betas)), [f"{beta:g}" for beta in betas])
        axes.set_xlabel("β, narrower to the right")
    _shared_legend(figure, accuracy)
    return figure


def learning_figure(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Figure:
    """Accuracy, size and time against the number of training sentences."""
    figure = _measured_figure(9.5, 7.3, f"Learning curve: {test}, ≤ {length} tokens", trials)
    (accuracy, size), (training, speed) = figure.subplots(2, 2, sharex=True)
    facts = [result["training"] for result in results]
    measures = [result["measures"][str(length)] for result in results]
    sentences = [fact["sentences"] for fact in facts]
    for key, marker, colour, label in (
        ("labeled_precision", "s", VERMILION, "precision (LP)"),
        ("f1", "D", GREEN, "F1"),
        ("labeled_recall", "o", BLUE, "recall (LR)"),
    ):
        accuracy.plot(sentences, [row[key] for row in measures], color=colour, marker=marker, label=label)
    _shared_legend(figure, accuracy)
    accuracy.set_ylabel("per cent")
    accuracy.set_title("Accuracy")
    for axes, values, unit, title in (
        (size, [fact["bytes"] / 1e6 for fact in facts], "MB", "Size of the model file"),
        (training, [fact["seconds"] for fact in facts], "seconds", "Training time"),
        (speed, [row["sentences_per_second"] for row in measures], "sentences/s", "Parsing speed, one process"),
    ):
        axes.plot(sentences, values, color=BLUE, marker="o")
        axes.set_ylabel(unit)
        axes.set_title(title)
    _from_zero(speed)
    for axes in (size, training):
        _logarithmic(axes)
    for axes in (training, speed):
        axes.set_xscale("log")
        axes.set_xticks(sentences, [f"{count:,}" for count in sentences])
        axes.set_xticks([], minor=True)
        axes.set_xlabel("training sentences")
    return figure


GRID_AXES = ("model", "preset", "beam", "tags", "length")
"""What a grid can be drawn along, by the names of its options."""
_AXIS_TITLES = {
    "model": "model",
    "preset": "preset",
    "beam": "β",
    "tags": "where tags come from",
    "length": "longest sentence, in tokens",
}


def grid_figure(
    trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int], axis: str = ""
) -> Figure:
    """F1 and speed of every combination along one axis: the one that is asked for, or the first with several values."""
    points = [
        ((trial.name[0], trial.name[1], trial.name[2], trial.tags, f"≤ {length}"), result["measures"][str(length)])
        for trial, result in zip(trials, results, strict=True)
        for length in lengths
    ]
    values = [list(dict.fromkeys(names[at] for names, _ in points)) for at in range(len(GRID_AXES))]
    several = [at for at in range(len(GRID_AXES)) if len(values[at]) > 1]
    along = GRID_AXES.index(axis) if axis else (several or [1])[0]
    others = [at for at in several if at != along]
    series: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for names, row in points:
        named = ", ".join(_axis_value(at, names[at]) for at in others) or test
        series.setdefault(named, []).append((values[along].index(names[along]), row))
    figure = _measured_figure(9.5, 4.7 + 0.2 * len(series), f"Grid: {test}", trials)
    accuracy, speed = figure.subplots(1, 2)
    for number, (named, rows) in enumerate(series.items()):
        # The fourth colour is the paper's.
        look = {"color": f"C{(0, 1, 2, 4, 5, 6)[number % 6]}", "marker": MARKERS[number % len(MARKERS)], "label": named}
        for axes, key in ((accuracy, "f1"), (speed, "sentences_per_second")):
            axes.plot([place for place, _ in rows], [row[key] for _, row in rows], **look)
    accuracy.set_ylabel("labeled F1 (%)")
    accuracy.set_title("Accuracy")
    speed.set_ylabel("sentences/s")
    speed.set_title("Speed, one process")
    _from_zero(speed)
    for axes in (accuracy, speed):
        axes.set_xticks(range(len(values[along])), values[along])
        axes.set_xlim(-0.3, len(values[along]) - 0.7)
        axes.set_xlabel(_AXIS_TITLES[GRID_AXES[along]])
    handles, labels = accuracy.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=2 if len(labels) > 2 else len(labels))
    return figure


def _axis_value(at: int, value: str) -> str:
    """Return a value with what it is one of, where it does not say so itself."""
    kind = GRID_AXES[at]
    return f"{kind} {value}" if kind == "preset" else f"β {value}" if kind == "beam" else value


def _from_zero(axes: Axes) -> None:
    """An axis that hides nothing of the whole, with room above the highest point."""
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter("{x:,.0f}")


def _logarithmic(axes: Axes) -> None:
    """A logarithmic axis on which growth in proportion is a straight line, labelled with plain numbers."""
    import matplotlib.ticker

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,.6g}")
    axes.yaxis.set_minor_locator(matplotlib.ticker.NullLocator())


# A plot of F1 against F1: two systems, sentence by sentence.


def scatter_figure(
    scores: Sequence[tuple[float, float]], names: tuple[str, str], test: str, difference: str = ""
) -> Figure:
    """F1 of each sentence under two systems; a larger point stands for more sentences.

    Parameters
    ----------
    scores
        F1 of the first and of the second system, sentence by sentence.
    names, test
        What the systems and the treebank are called.
    difference
        What is known of the difference over the whole treebank, for the title.
    """
    figure = titled_figure(6.4, 6.9, f"{names[1]} against {names[0]}: {test}")
    axes = figure.subplots()
    axes.plot([0, 100], [0, 100], color=GREY, linewidth=1, linestyle="--", zorder=1)
    # A sentence has few brackets, so many of them stand at the same place.
    places = Counter((round(first, 6), round(second, 6)) for first, second in scores)
    for label, marker, colour, sign in (
        (f"{names[0]} is better", "s", VERMILION, 1),
        ("as good", "D", GREY, 0),
        (f"{names[1]} is better", "o", BLUE, -1),
    ):
        chosen = [
            ((first, second), count)
            for (first, second), count in places.items()
            if (first > second) - (first < second) == sign
        ]
        axes.scatter(
            [place[0] for place, _ in chosen],
            [place[1] for place, _ in chosen],
            # The area tells how many, up to where a point would hide its neighbours.
            s=[min(14 + 8 * (count - 1), 200) for _, count in chosen],
            marker=marker,
            color=colour,
            alpha=0.55,
            linewidths=0,
            label=f"{label}: {sum(count for _, count in chosen):,}",
            zorder=2,
        )
    axes.set_xlim(-4, 105)
    axes.set_ylim(-4, 105)
    axes.set_aspect("equal")
    axes.set_xlabel(f"F1 of a sentence, {names[0]} (%)")
    axes.set_ylabel(f"F1 of a sentence, {names[1]} (%)")
    if difference:
        axes.set_title(difference)
    handles, labels = axes.get_legend_handles_labels()
    legend = figure.legend(handles, labels, loc="outside lower left", ncols=3)
    for handle in legend.legend_handles:
        handle.set_sizes([40])
    return figure
