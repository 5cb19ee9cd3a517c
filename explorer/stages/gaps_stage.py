"""Stage 2: the gap tags S C E B N (section 2.5)."""

from __future__ import annotations

from engine.chart.parse import Parse
from engine.estimates.factor_subjects import GapSubject
from engine.structure.constraints import GapTag
from engine.structure.dependencies import GAP_LETTERS
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.number_text import log_text, table_probability
from explorer.graphics.pictures import GapsOptions, gaps_picture
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import GapId, GapTagId, Id
from explorer.stages.stage import TableStage
from explorer.widgets.context_menu import Choice
from explorer.widgets.rows_table import Row


class GapsStage(TableStage):
    """The gaps with their five probabilities; a tag can be forced or forbidden."""

    table_title = "Gaps"
    header = ("", "gap", "tag", *GAP_LETTERS, "log P̂")
    right = (0, 3, 4, 5, 6, 7, 8)
    stretch = 1
    key = 1

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The gaps, those that are forced framed."""
        forced = frozenset(one.position for one in self._editor.line.what_ifs if isinstance(one, GapTag))
        return gaps_picture(parse, metrics, GapsOptions(forced=forced), columns, room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a gap."""
        result = self._parses.result
        assert result is not None
        gaps = facts_of(parse).gaps
        logs = {
            factor.subject.position: factor.log
            for factor in result.ledger(parse)
            if isinstance(factor.subject, GapSubject)
        }
        words = parse.sentence.proper_words
        rows = []
        for position, tag in enumerate(parse.gap_tags, 1):
            chances = gaps[position - 1]
            numbers = tuple(table_probability(chances[letter]) for letter in GAP_LETTERS)
            log = log_text(logs[position]) if position in logs else "–"
            between = f"{words[position - 1]}  ·  {words[position]}"
            rows.append(Row((str(position + 1), between, tag, *numbers, log), GapId(position)))
        return rows

    def choices(self, id: Id) -> list[Choice]:
        """Force another tag; forbid the one that is there; lift what is set."""
        parse = self.parse
        if parse is None:
            return []
        match id:
            case GapId(position):
                here = parse.gap_tags[position - 1]
                found = [self._force(position, letter) for letter in GAP_LETTERS if letter != here]
                found.append(self._force(position, here))
                found.append((f"Forbid {here}", lambda: self._editor.add_what_if(GapTag(position, here, True))))
                set_here = [
                    one for one in self._editor.line.what_ifs if isinstance(one, GapTag) and one.position == position
                ]
                if set_here:
                    found.append(("Remove", lambda: self._editor.lift(set_here)))
                return found
            case GapTagId(position, letter):
                if letter != parse.gap_tags[position - 1]:
                    return [self._force(position, letter), *self.choices(GapId(position))[-3:]]
                return self.choices(GapId(position))
        return []

    def _force(self, position: int, letter: str) -> Choice:
        return f"Force {letter}", lambda: self._editor.add_what_if(GapTag(position, letter))

    def follow(self) -> None:
        """Mark the row of the selected gap, or of the gap whose tag is selected."""
        match self._view.selection:
            case GapTagId(position):
                self.table.mark(GapId(position))
            case selected:
                self.table.mark(selected)
