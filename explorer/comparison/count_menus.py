"""From a row of two ledgers to the training sentences behind it: the counts of both sides, each to be opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from engine.analysis.evidence import Sources
from engine.chart.parse import Parse
from engine.estimates.ledger import Factor
from explorer.comparison.comparison_task import Comparison
from explorer.explanations.explanation_blocks import CountLink
from explorer.explanations.level_notation import symbol


def counts_menu(
    parent: QWidget,
    comparison: Comparison,
    first: Factor | None,
    second: Factor | None,
    opened: Callable[[CountLink], None],
) -> QMenu | None:
    """A menu of the counts of both sides, each of which opens its training sentences; ``None`` if there are none."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sides = zip(comparison.titles, (comparison.first, comparison.second), (first, second), strict=True)
    for title, parse, factor in sides:
        links = count_links(parse, factor) if factor is not None else []
        if factor is not None and links:
            if menu.actions():
                menu.addSeparator()
            # Some styles show no title of a section.
            menu.addAction(f"{title}: {factor.what}").setEnabled(False)
        for name, link in links:
            menu.addAction(name, partial(opened, link))
    return menu if menu.actions() else None


def count_links(parse: Parse, factor: Factor) -> list[tuple[str, CountLink]]:
    """The counts of a factor of a parse, from the finest level on: what each is called, and what it opens."""
    sources = {counted.level: counted for counted in Sources(parse.explainer()).of(factor, parse.roots) if counted.keys}
    links = []
    for level in factor.levels:
        counted = sources.get(level.name)
        if counted is None or not level.delta:
            continue
        # Where nothing was counted of the outcome itself, there is still its context to look at.
        letter, wanted = ("η", counted) if level.eta else ("δ", counted.of(None))
        name = f"{symbol(level.name)}   {level.eta:,} of {level.delta:,}"
        links.append((name, CountLink(f"{letter} of {symbol(level.name)}", (wanted,))))
    return links
