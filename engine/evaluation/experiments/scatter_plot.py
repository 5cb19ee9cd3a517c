"""A plot of F1 against F1: two systems, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.evaluation.experiments.plots import BLUE, GREY, VERMILION, Figure, titled_figure


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
