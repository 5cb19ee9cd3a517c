"""Stages 4 and 6: F̂ with the candidates of a modifier, and the tree beside its dependency arrows with the ledger."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from engine.chart.parse import Parse
from engine.common.numbers import log_text, signed, significant, size
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    FactorKind,
    FactorSubject,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
    by_constituent,
    counts_text,
    lambdas_text,
    second_model_sum,
)
from engine.explain.constituents import find_constituent
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    DecisionId,
    DecisionsId,
    FactorId,
    FeaturesId,
    GapId,
    MatrixCellId,
    NodeId,
    RootId,
    SecondModelId,
    Subject,
    WordId,
    modifier_of,
)
from engine.structure.constraints import ROOT_HEAD, Attachment, Bracket
from engine.structure.dependencies import Relation
from explorer.kit.actions import VIEW, Choice, action
from explorer.kit.tables import Row
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.facts import facts_of
from explorer.pictures.layout import Room, WordColumns
from explorer.pictures.marks import found_ids, marked_new
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.options import BESIDE, FITTING, STACKED, ArrowsOptions, ParseOptions, TreeOptions
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.session.editor import DocumentEditor
from explorer.session.view_state import PARSE
from explorer.stages.stage import Picture, TableStage

# Stage 4: F̂ of every modifier and head, and the ranked candidates of the selected modifier (equation 8).

MOST_CANDIDATES_LISTED = 400


def attachment_choices(
    editor: DocumentEditor, parse: Parse, modifier: int, head: int, relation: Relation | None = None
) -> list[Choice]:
    """Force or forbid an attachment, or lift what is set on its modifier."""
    words = facts_of(parse).words
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

    name = "estimates"
    title = "F̂"
    tip = "F̂ of every modifier and head (section 2.4), with the chosen heads outlined"
    caption = "How often two words that stand so depended on each other: F̂ of every modifier (row) and head (column)."
    pictures = (Picture("matrix", "F̂ matrix", matrix_picture),)
    table_title = "Candidate heads"
    header = ("", "modifier", "head", "R", "F̂", "P of eq. (8)", "to the best")
    right = (0, 4, 5, 6)
    stretch = 3
    key = 3

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The cells of the heads that were chosen."""
        return [
            MatrixCellId(modifier, head) if head >= 0 else ArrowId(modifier) for modifier, head in parse.heads().items()
        ]

    @classmethod
    def on_paper(
        cls, parse: Parse, metrics: Metrics, room: Room, selection: Subject | None, chart_step: int | None
    ) -> Drawing:
        """The matrix, with the row of the selected modifier marked."""
        return matrix_picture(parse, metrics, room=room).with_row(_modifier(selection))

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The matrix."""
        return matrix_picture(parse, metrics, columns=columns, room=room)

    def row_of(self, id: Subject | None) -> Subject | None:
        """The modifier whose row is marked."""
        return _modifier(id)

    def rows(self, parse: Parse) -> list[Row]:
        """Candidates of the selected modifier, or the heads of the parse if none is selected."""
        modifier = modifier_of(self._view.selection)
        words = facts_of(parse).words
        ranked, heads = facts_of(parse).candidates, parse.heads()
        arrows = {parse.reduced[arrow.modifier - 1]: arrow for arrow in parse.dependencies}
        factors = parse.ledger().by_modifier()
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

    def choices(self, id: Subject) -> list[Choice]:
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


def _modifier(id: Subject | None) -> Subject | None:
    """The modifier of what is selected, as a word."""
    modifier = modifier_of(id)
    return WordId(modifier) if modifier is not None else None


# Stage 6: the tree beside its dependency arrows, and the ledger.

TREE, ARROWS = "tree", "arrows"
_FOLDS = "A click shows or hides its decisions"
_FOLDS_FEATURES = "A click shows or hides the features"


def _fits(drawing: Drawing, room: Room) -> bool:
    """Whether all of a picture is in sight."""
    return drawing.view_bounds.height <= room.height and drawing.view_bounds.width <= room.width


class ParseStage(TableStage):
    """Tree and arrows; dragging an arrow's head forces another attachment."""

    name = PARSE
    title = "Parse"
    tip = "The tree and its dependencies: drag an arrow's head to another word to force it"
    caption = "The most probable tree, and its dependencies."
    pictures = (
        Picture("parse", "Tree and arrows", parse_picture),
        Picture("tree", "Tree", tree_picture),
        Picture("arrows", "Arrows", arrows_picture),
    )
    folds_trees = True
    table_title = "Ledger"
    header = ("factor", "what", "log", "levels", "η/δ")
    right = (2,)
    stretch = 4
    key = 1
    options = ParseOptions(STACKED)
    asked: Subject | None = None
    """What a question is about: the part that has it is shown while it is covered, and with the answer."""
    _unfolded: frozenset[Subject] = frozenset()

    @action("tree-beside", "Tree beside arrows", VIEW, "Ctrl+Shift+A", checkable=True, separated=True)
    def set_beside(self, beside: bool) -> None:
        """Tree and arrows beside instead of above one another."""
        self.options = replace(self.options, arrangement=BESIDE if beside else STACKED)
        self.picture_changed.emit()

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The dependencies."""
        return [ArrowId(modifier) for modifier in parse.heads()]

    @property
    def shows(self) -> object:
        """How tree and arrows are drawn, what a search found, and which of the two is looked at."""
        return self.options, self._view.found, self.part_looked_at if self.follows_selection else ""

    @property
    def follows_selection(self) -> bool:
        """Where there may be room for one of tree and arrows alone."""
        return self.options.arrangement == FITTING

    @property
    def uses_height(self) -> bool:
        """A tree is made lower to fit into the height."""
        return True

    def fit(self) -> None:
        """Show tree and arrows where both have room, else the one that is looked at."""
        self.options = replace(self.options, arrangement=FITTING)
        self.picture_changed.emit()

    @action("compact-tree", "Compact tree", VIEW, "Ctrl+Shift+K", checkable=True)
    def set_compact(self, compact: bool) -> None:
        """Words right under their parents instead of on one base line."""
        self.options = replace(self.options, tree=replace(self.options.tree, compact=compact))
        self.picture_changed.emit()

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """Tree and arrows; what is forced, and what a search found, is marked."""
        forced = frozenset(
            one.modifier for one in self._editor.line.what_ifs if isinstance(one, Attachment) and not one.forbid
        )
        arrows: ArrowsOptions = replace(self.options.arrows, forced=forced)
        tree = replace(self.options.tree, focus=self.focus, found=found_ids(facts_of(parse), self._view.found))
        options = replace(self.options, arrows=arrows, tree=tree)
        earlier = self._view.earlier
        if earlier is not None and earlier.now is parse and earlier.before is not None and earlier.same_words:
            options = marked_new(options, parse, earlier.before)
        both = parse_picture(parse, metrics, options, columns, room)
        if self.options.arrangement != FITTING or _fits(both, room):
            return both
        beside = parse_picture(parse, metrics, replace(options, arrangement=BESIDE), columns, room)
        if not beside.folded and _fits(beside, room):
            return beside
        if self.part_looked_at == ARROWS:
            return arrows_picture(parse, metrics, options.arrows, columns, room)
        return tree_picture(parse, metrics, options.tree, columns, room)

    @property
    def part_looked_at(self) -> str:
        """What of tree and arrows is shown where both have no room: that in which something is asked or selected."""
        match self.asked or self._view.selection:
            case ArrowId() | RootId() | WordId():
                return ARROWS
        return TREE

    def make_detail(self) -> QWidget:
        """The ledger; a click on the row of the second model opens it, and closes it."""
        made = super().make_detail()
        self.table.clicked.connect(self._clicked)
        return made

    def rows(self, parse: Parse) -> list[Row]:
        """The ledger, and its sum."""
        result = self._parses.result
        assert result is not None
        ledger = result.ledger(parse)
        numbers = {id(factor): number for number, factor in enumerate(ledger)}
        earlier = self._view.earlier
        then = earlier.factor_before if earlier is not None and earlier.now is parse else lambda factor: None
        rows = [_factor_row(factor, numbers[id(factor)], then=then(factor)) for factor in ledger.own]
        if ledger.second_model or ledger.features:
            rows.append(Row(("", "subtotal: log P", log_text(parse.log_probability, 3), "", ""), None, True))
            rows += self._second_model(parse, ledger.second_model)
            rows += self._features(ledger.features, numbers)
            title = ledger.score_title.removeprefix("sum ")
            rows.append(Row(("", title, log_text(ledger.total, 3), "", parse.note), None, True))
        else:
            rows.append(Row(("", "sum: log P", log_text(ledger.total, 3), "", parse.note), None, True))
        normalised = result.context(parse).log_probability_of_dependencies
        if normalised is not None:
            cells = ("", "log P(D|S,B)", log_text(normalised, 3), "", "the dependencies, normalised by equation (8)")
            rows.append(Row(cells, None))
        return rows

    def _second_model(self, parse: Parse, decisions: tuple[Factor, ...]) -> list[Row]:
        """The second model in one row, which opens to its constituents, and each of those to its decisions."""
        if not decisions:
            return []
        whole = SecondModelId()
        summed = second_model_sum(decisions)
        text = f"{summed.decisions} decisions: {log_text(summed.log_probability, 3)} × {summed.weight:.3g}"
        cells = (self._sign(whole, FactorKind.GENERATIVE.value), text, signed(summed.contribution, 3), "", "")
        rows = [Row(cells, whole, tip=_FOLDS)]
        for group in by_constituent(decisions) if whole in self._unfolded else ():
            subject = group[0].subject
            assert isinstance(subject, GenerativeSubject)
            id, summed = DecisionsId(subject.node), second_model_sum(group)
            inside = facts_of(parse).quoted(subject.start, subject.end)
            title = f"{subject.label}: {inside}"
            count = f"{log_text(summed.log_probability, 3)} × {summed.weight:.3g}"
            cells = (self._sign(id, size(len(group), "decision"), 3), title, signed(summed.contribution, 3), count, "")
            rows.append(Row(cells, id, tip=_FOLDS))
            rows += [_factor_row(factor, -1) for factor in group if id in self._unfolded]
        return rows

    def _features(self, features: tuple[Factor, ...], numbers: dict[int, int]) -> list[Row]:
        """The re-ranker's features in one row, which opens to them."""
        if not features:
            return []
        whole = FeaturesId()
        good = sum(factor.log > 0 for factor in features)
        text = f"{size(len(features), 'feature')}: {good:,} for the tree, {len(features) - good:,} against it"
        total = signed(math.fsum(factor.log for factor in features), 3)
        rows = [Row((self._sign(whole, "re-ranker"), text, total, "", ""), whole, tip=_FOLDS_FEATURES)]
        if whole in self._unfolded:
            rows += [_factor_row(factor, numbers[id(factor)], 3) for factor in features]
        return rows

    def _sign(self, id: Subject, title: str, indent: int = 0) -> str:
        return f"{' ' * indent}{'▾' if id in self._unfolded else '▸'} {title}"

    def _clicked(self, index: QModelIndex) -> None:
        id = self.table.rows_model.rows[index.row()].id
        if isinstance(id, SecondModelId | DecisionsId | FeaturesId):
            self.unfold(id)

    def unfold(self, id: Subject) -> None:
        """Show what a row of the second model or of the features stands for, or hide it again."""
        self._unfolded ^= {id}
        self.refresh()

    def choices(self, id: Subject) -> list[Choice]:
        """Force or forbid an arrow or a constituent; fold a node."""
        parse = self.parse
        if parse is None:
            return []
        match id:
            case ArrowId(modifier):
                head = parse.heads().get(modifier)
                if head is None:
                    return []
                relation = parse.dependencies[parse.reduced.index(modifier)].relation
                found = attachment_choices(self._editor, parse, modifier, head, relation if head >= 0 else None)
                others = [other for other in parse.reduced if other not in (modifier, head)]
                words = facts_of(parse).words
                for other in others[:12]:
                    found.append(
                        (
                            f"Attach {words[modifier]} to {words[other]}",
                            lambda other=other: self._editor.add_what_if(Attachment(modifier, other)),  # type: ignore[misc]
                        )
                    )
                return found
            case NodeId(start, end, label):
                found = [("Fold or unfold", lambda: self.fold(id))]
                if find_constituent(parse, start, end, label) is not None and end > start:
                    found += [
                        (f"Force {label} here", lambda: self._editor.add_what_if(Bracket(start, end, label))),
                        (f"Forbid {label} here", lambda: self._editor.add_what_if(Bracket(start, end, label, True))),
                    ]
                return found
        return []

    def open_folded(self, id: Subject) -> bool:
        """Open a node that was folded by hand."""
        if id not in self.options.tree.collapsed:
            return False
        self.fold(id)
        return True

    def fold(self, id: Subject) -> None:
        """Fold what is inside a node, or unfold it."""
        tree: TreeOptions = self.options.tree
        self.options = replace(self.options, tree=replace(tree, collapsed=tree.collapsed ^ {id}))
        self.picture_changed.emit()

    def activate(self, id: Subject) -> None:
        """Fold or unfold a node that was double-clicked."""
        match id:
            case NodeId():
                self.fold(id)
            case SecondModelId() | DecisionsId() | FeaturesId():
                self.unfold(id)

    def drop(self, what: Subject, target: Subject) -> None:
        """Force the attachment to the word, or to the root, that an arrow's head was dragged to."""
        parse = self.parse
        match (what, target):
            case (ArrowId(modifier), RootId()):
                self._editor.add_what_if(Attachment(modifier, ROOT_HEAD))
            case (ArrowId(modifier), WordId(head)) if parse is not None:
                # A word inside a baseNP stands for its head-word.
                base = next((base for base in parse.basenps if base.start <= head < base.end), None)
                place = base.head if base is not None else head
                if place != modifier:
                    self._editor.add_what_if(Attachment(modifier, place))


def _factor_row(factor: Factor, number: int, indent: int = 0, then: Factor | None = None) -> Row:
    """A row of the ledger; `number` is the factor's in it, `then` what an earlier model made of it, if otherwise."""
    levels = " × ".join(part for part in (" ".join(factor.used), *(ratio.name for ratio in factor.ratios)) if part)
    kind, log = " " * indent + factor.kind.with_symbol, log_text(factor.log, 3)
    if factor.kind is FactorKind.FEATURE:
        log = signed(factor.log, 3)
    elif factor.kind is FactorKind.GENERATIVE:
        # Its levels have names of several words, which stand beside their counts.
        assert isinstance(factor.subject, GenerativeSubject)
        kind, log = f"{' ' * 9}{factor.subject.decision}", signed(factor.log, 3)
        levels = lambdas_text(factor)
    counts = counts_text(factor.levels, factor.distinct)
    if then is not None:
        counts = f"before {counts_text(then.levels)}   now {counts}"
    # The log stands out where one can see that it is another one.
    other = then is not None and log_text(then.log, 3) != log
    if then is not None and other:
        log = f"{log_text(then.log, 3)} → {log}"
    return Row((kind, factor.what, log, levels, counts), _id_of(factor.subject, number), other)


def _id_of(subject: FactorSubject, ledger_number: int) -> Subject | None:
    """What to select for a row of the ledger."""
    match subject:
        case GapSubject(position=position):
            return GapId(position)
        case DependencySubject(modifier=modifier) | RootSubject(modifier=modifier):
            return ArrowId(modifier)
        case TagSubject(position=position):
            return WordId(position)
        case GenerativeSubject(number=number):
            return DecisionId(number)
        case UnarySubject() | FeatureSubject():
            return FactorId(ledger_number)
        case other:
            assert_never(other)
