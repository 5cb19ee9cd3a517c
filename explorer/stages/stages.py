"""The stages in the order of a sentence's walk; of these the first three: words and tags, gap tags, and S̄ (section 2).

A stage is a class here, or in a module beside this one if it is long, and stands in :data:`STAGES`: strip, keys, tips,
player, exports, prints, handouts and presenter follow from what it declares (:class:`explorer.stages.stage.Stage`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal

from engine.chart.parse import Parse
from engine.common.numbers import log_text, significant, table_probability
from engine.estimates.ledger import GapSubject
from engine.explain.subjects import GapId, GapTagId, Subject, TagId, WordId
from engine.structure.constraints import FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS
from explorer.kit.actions import Choice
from explorer.kit.tables import Row
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.facts import facts_of
from explorer.pictures.layout import Room, WordColumns
from explorer.pictures.options import GapsOptions
from explorer.pictures.sentence import gaps_picture, reduced_picture, sentence_picture
from explorer.stages.chart import ChartStage
from explorer.stages.parse import EstimatesStage, ParseStage
from explorer.stages.stage import Picture, Stage, TableStage

# Stage 1: words and tags, with the tagger's alternatives.

LEAST_LISTED = 1e-4


class SentenceStage(TableStage):
    """The tagged sentence, as the parser gets it.

    Signals
    -------
    tags_wanted
        The tags that a word could have are to be offered: its position.
    """

    tags_wanted = Signal(int)
    name = "sentence"
    title = "Sentence"
    tip = "Words and tags, with the tagger's alternatives; punctuation stands outside the model"
    caption = "The sentence as the parser gets it: words with their tags."
    pictures = (Picture("sentence", "Sentence", sentence_picture),)
    table_title = "Words"
    header = ("", "word", "tag", "P(t|S)", "the tagger's alternatives", "seen in training")
    right = (0, 3)
    stretch = 4

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The words."""
        return [WordId(position) for position in range(len(parse.sentence.positions))]

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The words with their tags, and what else the tagger held possible."""
        return sentence_picture(parse, metrics, columns=columns, room=room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a word."""
        result = self._parses.result
        assert result is not None
        known = result.request.model.known_words(parse.sentence)
        rows = []
        words, tags = facts_of(parse).words, parse.sentence.proper_tags
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

    def activate(self, id: Subject) -> None:
        """Open the tags of a word that was double-clicked; force a tag that was."""
        match id:
            case WordId(position):
                self.tags_wanted.emit(position)
            case _:
                super().activate(id)

    def choices(self, id: Subject) -> list[Choice]:
        """Force one of the tagger's tags."""
        match id:
            case TagId(position, tag):
                return [(f"Force {tag}", lambda: self._editor.add_what_if(FixedTag(position, tag)))]
        return []


# Stage 2: the gap tags S C E B N (section 2.5).


class GapsStage(TableStage):
    """The gaps with their five probabilities; a tag can be forced or forbidden."""

    name = "gaps"
    title = "Gaps"
    tip = "The tag S C E B N of every gap between words, with its five probabilities (section 2.5)"
    caption = (
        "Between two words a base noun phrase **S**tarts, **C**ontinues or **E**nds; the gap is **B**etween two, or "
        "there is **N**one."
    )
    pictures = (Picture("gaps", "Gaps", gaps_picture),)
    table_title = "Gaps"
    header = ("", "gap", "tag", *GAP_LETTERS, "log P̂")
    right = (0, 3, 4, 5, 6, 7, 8)
    stretch = 1
    key = 1

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The gaps."""
        return [GapId(position) for position in range(1, len(parse.sentence.positions))]

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
        words = facts_of(parse).words
        rows = []
        for position, tag in enumerate(parse.gap_tags, 1):
            chances = gaps[position - 1]
            numbers = tuple(table_probability(chances[letter]) for letter in GAP_LETTERS)
            log = log_text(logs[position]) if position in logs else "–"
            between = f"{words[position - 1]}  ·  {words[position]}"
            rows.append(Row((str(position + 1), between, tag, *numbers, log), GapId(position)))
        return rows

    def choices(self, id: Subject) -> list[Choice]:
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


# Stage 3: the reduced sentence S̄ (section 2).


class ReducedStage(TableStage):
    """The m words that remain, and what became of the others."""

    name = "reduced"
    title = "Reduced sentence"
    tip = "The m words that remain when every baseNP is its head-word alone (section 2)"
    caption = "Every base noun phrase is reduced to its head-word: dependencies are between the words that remain."
    pictures = (Picture("reduced", "Reduced sentence", reduced_picture),)
    tells_gaps = True
    table_title = "Reduced sentence"
    header = ("j", "word", "tag", "stands for", "modifies")
    right = (0,)
    stretch = 3

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The words of S̄."""
        return [WordId(position) for position in parse.reduced]

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The words that stay, the others faint."""
        return reduced_picture(parse, metrics, columns=columns, room=room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a word of S̄."""
        words, tags, heads = facts_of(parse).words, parse.sentence.proper_tags, parse.heads()
        bases = {base.head: base for base in parse.basenps}
        rows = []
        for number, position in enumerate(parse.reduced, 1):
            base = bases.get(position)
            whole = f"[ {' '.join(words[base.start : base.end])} ]" if base else "itself"
            head = heads[position]
            target = "the root" if head < 0 else f"{parse.reduced.index(head) + 1}  {words[head]}"
            rows.append(Row((str(number), words[position], tags[position], whole, target), WordId(position)))
        return rows


# All stages.

STAGES: list[type[Stage]] = [SentenceStage, GapsStage, ReducedStage, EstimatesStage, ChartStage, ParseStage]
"""The stages, in the order of a sentence's walk."""
_COUNTS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def stage_named(name: str) -> type[Stage]:
    """The stage of this name; the last one if it is that of another version."""
    return next((stage for stage in STAGES if stage.name == name), STAGES[-1])


def number_of(name: str) -> int:
    """The number of a stage, from 1."""
    return STAGES.index(stage_named(name)) + 1


def count_in_words() -> str:
    """How many stages there are, as the beginning of a sentence."""
    return _COUNTS[len(STAGES)]


def pictures() -> Mapping[str, Picture]:
    """What can be written to files, by name: first what the walk ends in, which is mostly wanted."""
    return {picture.name: picture for stage in (STAGES[-1], *STAGES[:-1]) for picture in stage.pictures}
