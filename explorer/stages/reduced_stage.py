"""Stage 3: the reduced sentence S̄ (section 2)."""

from __future__ import annotations

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.pictures import reduced_picture
from explorer.graphics.selection import WordId
from explorer.stages.stage import TableStage
from explorer.widgets.rows_table import Row


class ReducedStage(TableStage):
    """The m words that remain, and what became of the others."""

    table_title = "Reduced sentence"
    header = ("j", "word", "tag", "stands for", "modifies")
    right = (0,)
    stretch = 3

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The words that stay, the others faint."""
        return reduced_picture(parse, metrics, columns=columns, room=room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a word of S̄."""
        words, tags, heads = parse.sentence.proper_words, parse.sentence.proper_tags, parse.heads()
        bases = {base.head: base for base in parse.basenps}
        rows = []
        for number, position in enumerate(parse.reduced, 1):
            base = bases.get(position)
            whole = f"[ {' '.join(words[base.start : base.end])} ]" if base else "itself"
            head = heads[position]
            target = "the root" if head < 0 else f"{parse.reduced.index(head) + 1}  {words[head]}"
            rows.append(Row((str(number), words[position], tags[position], whole, target), WordId(position)))
        return rows
