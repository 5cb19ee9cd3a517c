"""What the chart stands on: the words of a sentence, or of a long one words and folded constituents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.chart.parse import Parse
from explorer.graphics.drawing import Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.tree_folding import Span
from explorer.graphics.layout.word_columns import LEAST_WORD, WordColumns
from explorer.graphics.pictures.folded_words import FoldedTree, fold_tree
from explorer.graphics.pictures.parse_facts import Facts
from explorer.graphics.pictures.picture_options import TriangleOptions


@dataclass(frozen=True)
class ChartBase:
    """What the chart stands on: the ruler, and the words and folded constituents on it."""

    columns: WordColumns
    units: tuple[Span, ...]
    folding: FoldedTree | None = None

    @cached_property
    def borders(self) -> tuple[float, ...]:
        """Where each unit begins, and where the last one ends."""
        borders = self.columns.borders
        return (*(borders[start] for start, _ in self.units), borders[-1])

    def __hash__(self) -> int:
        return hash((self.columns, self.units))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChartBase) and (self.columns, self.units) == (other.columns, other.units)


def whole_base(facts: Facts, columns: WordColumns) -> ChartBase:
    """All words on the ruler."""
    return ChartBase(columns, tuple((one, one + 1) for one in range(len(facts.words))))


def folded_base(parse: Parse, facts: Facts, metrics: Metrics, options: TriangleOptions, room: Room) -> ChartBase:
    """Fold what is not looked at until the chart fits; the last folding is kept, for a replay asks again and again."""
    key = (options.focus, room.width, facts.tree.brackets(), id(metrics))
    kept = facts.pictures.get("triangle base")
    if not isinstance(kept, tuple) or kept[0] != key:
        folded = fold_tree(parse, metrics, room.inner_width, options.focus, least=LEAST_WORD)
        kept = (key, ChartBase(folded.columns, tuple(folded.units()), folded))
        facts.pictures["triangle base"] = kept
    base = kept[1]
    assert isinstance(base, ChartBase)
    return base
