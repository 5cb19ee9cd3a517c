"""Stage 1: words and tags, with the tagger's alternatives."""

from __future__ import annotations

from PySide6.QtCore import Signal

from engine.chart.parse import Parse
from engine.structure.constraints import FixedTag
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.number_text import significant
from explorer.graphics.pictures import sentence_picture
from explorer.graphics.selection import Id, TagId, WordId
from explorer.stages.stage import TableStage
from explorer.widgets.context_menu import Choice
from explorer.widgets.rows_table import Row

LEAST_LISTED = 1e-4


class SentenceStage(TableStage):
    """The tagged sentence, as the parser gets it.

    Signals
    -------
    tags_wanted
        The tags that a word could have are to be offered: its position.
    """

    tags_wanted = Signal(int)
    table_title = "Words"
    header = ("", "word", "tag", "P(t|S)", "the tagger's alternatives", "seen in training")
    right = (0, 3)
    stretch = 4

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The words with their tags, and what else the tagger held possible."""
        return sentence_picture(parse, metrics, columns=columns, room=room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a word."""
        result = self._parses.result
        assert result is not None
        known = result.request.model.known_words(parse.sentence)
        rows = []
        words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
        for position, token in enumerate(parse.sentence.positions):
            chance, others = "", ""
            if result.tagging is not None:
                chance = significant(result.tagging.probability(token, tags[position]))
                others = "   ".join(
                    f"{tag} {significant(share)}"
                    for tag, share in result.choices(token)[:6]
                    if tag != tags[position] and share >= LEAST_LISTED
                )
            if result.given(token):
                chance = f"given {chance}".rstrip()
            seen = "yes" if known[position] >= 0 else "no"
            cells = (str(position + 1), words[position], tags[position], chance, others, seen)
            rows.append(Row(cells, WordId(position)))
        return rows

    def activate(self, id: Id) -> None:
        """Open the tags of a word that was double-clicked; force a tag that was."""
        match id:
            case WordId(position):
                self.tags_wanted.emit(position)
            case _:
                super().activate(id)

    def choices(self, id: Id) -> list[Choice]:
        """Force one of the tagger's tags."""
        match id:
            case TagId(position, tag):
                return [(f"Force {tag}", lambda: self._editor.add_what_if(FixedTag(position, tag)))]
        return []
