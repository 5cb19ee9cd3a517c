"""Stage 4: F̂ of every modifier and head, and the ranked candidates of the selected modifier (equation 8)."""

from __future__ import annotations

import math

from engine.chart.parse import Parse
from engine.structure.constraints import ROOT_HEAD, Attachment
from engine.structure.dependencies import Relation
from explorer.document.document_editor import DocumentEditor
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.number_text import signed, significant
from explorer.graphics.pictures import MatrixOptions, matrix_picture
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import ArrowId, CandidateId, Id, MatrixCellId, modifier_of
from explorer.stages.stage import TableStage
from explorer.widgets.context_menu import Choice
from explorer.widgets.rows_table import Row

MOST_CANDIDATES_LISTED = 400


def attachment_choices(
    editor: DocumentEditor, parse: Parse, modifier: int, head: int, relation: Relation | None = None
) -> list[Choice]:
    """Force or forbid an attachment, or lift what is set on its modifier."""
    words = parse.sentence.proper_words
    to = "the root" if head == ROOT_HEAD else words[head]
    found: list[Choice] = [
        (f"Force {words[modifier]} → {to}", lambda: editor.add_what_if(Attachment(modifier, head))),
        (f"Forbid {words[modifier]} → {to}", lambda: editor.add_what_if(Attachment(modifier, head, None, True))),
    ]
    if relation is not None:
        found += [
            (
                f"Force {words[modifier]} → {to} as {relation}",
                lambda: editor.add_what_if(Attachment(modifier, head, relation)),
            ),
            (f"Forbid {relation} there", lambda: editor.add_what_if(Attachment(modifier, head, relation, True))),
        ]
    here = [one for one in editor.line.what_ifs if isinstance(one, Attachment) and one.modifier == modifier]
    if here:
        found.append((f"Remove what is forced on {words[modifier]}", lambda: editor.lift(here)))
    return found


class EstimatesStage(TableStage):
    """The heat map, and for the selected modifier every head and relation that it could have."""

    table_title = "Candidate heads"
    header = ("", "modifier", "head", "R", "F̂", "P of eq. (8)", "to the best")
    right = (0, 4, 5, 6)
    stretch = 3
    key = 3

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The matrix, with the row of the selected modifier marked."""
        modifier = modifier_of(self._view.selection)
        selected = modifier if modifier in parse.reduced else None
        return matrix_picture(parse, metrics, MatrixOptions(selected=selected), columns, room)

    def rows(self, parse: Parse) -> list[Row]:
        """Candidates of the selected modifier, or the heads of the parse if none is selected."""
        modifier = modifier_of(self._view.selection)
        words = parse.sentence.proper_words
        ranked, heads = facts_of(parse).candidates, parse.heads()
        arrows = {parse.reduced[arrow.modifier - 1]: arrow for arrow in parse.dependencies}
        factors = facts_of(parse).ledger.by_modifier()
        rows = []
        if modifier is None or modifier not in heads:
            for one, head in heads.items():
                if head < 0:
                    # F̂ of the root is a probability as it stands; a fragment's head has none.
                    factor = factors.get(one)
                    estimate = significant(factor.probability) if factor is not None else ""
                    cells = ("", words[one], "root", str(arrows[one].relation), estimate, estimate, "")
                    rows.append(Row(cells, ArrowId(one), True))
                    continue
                for place, candidate in enumerate(ranked[one]):
                    if (candidate.head, candidate.relation) == (head, arrows[one].relation):
                        numbers = significant(candidate.estimate), significant(candidate.probability)
                        cells = (str(place + 1), words[one], words[head], str(candidate.relation), *numbers, "")
                        rows.append(Row(cells, MatrixCellId(one, head), True))
                        break
            return rows
        candidates = ranked[modifier]
        for place, candidate in enumerate(candidates[:MOST_CANDIDATES_LISTED]):
            chosen = candidate.head == heads[modifier] and candidate.relation == arrows[modifier].relation
            behind = math.log(candidate.probability / candidates[0].probability) if candidate.probability else -math.inf
            cells = (
                str(place + 1),
                words[modifier],
                words[candidate.head],
                str(candidate.relation),
                significant(candidate.estimate),
                significant(candidate.probability),
                signed(behind) if place else "",
            )
            rows.append(Row(cells, CandidateId(modifier, candidate.head, candidate.relation), chosen))
        return rows

    def refresh(self) -> None:
        """Fill the table for the modifier that is selected."""
        super().refresh()
        self._modifier = modifier_of(self._view.selection)

    def follow(self) -> None:
        """List the candidates of another modifier, and mark the best one of the selected pair."""
        parse = self.parse
        if parse is not None and modifier_of(self._view.selection) != getattr(self, "_modifier", None):
            self._modifier = modifier_of(self._view.selection)
            self.table.set_rows(self.rows(parse) if parse.sentence.positions else [])
        match self._view.selection:
            case MatrixCellId(_, head):
                wanted = next(
                    (
                        row.id
                        for row in self.table.rows_model.rows
                        if isinstance(row.id, CandidateId) and row.id.head == head
                    ),
                    self._view.selection,
                )
                self.table.mark(wanted)
            case selected:
                self.table.mark(selected)

    def choices(self, id: Id) -> list[Choice]:
        """Force or forbid the pair."""
        parse = self.parse
        if parse is None:
            return []
        match id:
            case MatrixCellId(modifier, head):
                return attachment_choices(self._editor, parse, modifier, head)
            case CandidateId(modifier, head, relation):
                return attachment_choices(self._editor, parse, modifier, head, relation)
            case ArrowId(modifier):
                return attachment_choices(self._editor, parse, modifier, ROOT_HEAD)
        return []
