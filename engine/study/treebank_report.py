"""Verdicts and error classes over a whole treebank: how often each, what it costs, and which factors are to blame."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from engine.chart.parse import Cause
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError, ModelError, SentenceError
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    FactorKind,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
)
from engine.model.model import Model
from engine.settings import FurtherBackoff, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import LedgerRow, f1_of
from engine.study.errors import ErrorClass, ParseError, classify_errors
from engine.study.provenance import Provenance, fingerprint
from engine.study.verdicts import Verdict, VerdictKind, verdict
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean

Tell = Callable[[Verdict], tuple[str, ...]]
"""Puts a verdict into sentences."""


@dataclass(frozen=True, slots=True)
class FactorLoss:
    """What one factor of a gold tree costs against the parse's.

    Attributes
    ----------
    kind, level, name
        What sort of factor it is, the finest level of back-off that it is estimated from, and what it is about: a
        triple, two gap tags, a unary production.
    nats
        How much the gold tree loses by it; below zero where it gains.
    """

    kind: FactorKind
    level: str
    name: str
    nats: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one sentence of a treebank, with all that a report needs.

    Attributes
    ----------
    number
        The tree's number in the treebank, from 1.
    text
        The words.
    kind, nats
        The verdict, see :class:`engine.study.Verdict`.
    causes
        Why the gold tree is impossible, if it is.
    beam, list_length, threshold, by_score
        The smallest β, the shortest list and the highest threshold that repair a search error, those that must change;
        and whether the choice by score, instead of by expected F1, is a part of the repair.
    errors
        What the parse got wrong.
    matched, gold, proposed
        Brackets, as PARSEVAL counts them.
    factors
        Of a model error: all factors that differ.
    parse_tree, gold_tree
        Both trees in brackets.
    further_backoff, fallback
        Whether the parse was found with further back-off, and whether it is a cover of fragments.
    told
        What was asked to be told of the verdict, a sentence each, the verdict's own first.
    """

    number: int
    text: str
    kind: VerdictKind
    nats: float
    causes: tuple[Cause, ...]
    beam: float | None
    list_length: int | None
    threshold: float | None
    by_score: bool
    errors: tuple[ParseError, ...]
    matched: int
    gold: int
    proposed: int
    factors: tuple[FactorLoss, ...]
    parse_tree: str
    gold_tree: str
    further_backoff: FurtherBackoff = FurtherBackoff.NONE
    fallback: bool = False
    told: tuple[str, ...] = ()

    @property
    def f1(self) -> float:
        """F1 of the sentence in per cent."""
        return f1_of(self.matched, self.gold, self.proposed)


def judge(
    parser: Parser,
    tree: Tree,
    number: int = 1,
    *,
    gold_tags: bool = True,
    repair: bool = True,
    tell: Tell | None = None,
    control: Control | None = None,
) -> Judgement | None:
    """Parse the words of a gold tree and judge the result; ``None`` for a tree without words.

    Parameters
    ----------
    parser, tree, number
        The parser, the gold tree as it was read, and its number in the treebank.
    gold_tags
        Whether the parser is given the tree's tags; else the model's tagger gives them, and the parser's settings say
        whether it chooses among them or takes the best sequence.
    repair
        Whether to find the smallest β that repairs a search error.
    tell
        Puts the verdict into words, if these are wanted: the verdict itself is much larger than they are.
    control
        Stops the work from another thread.
    """
    cleaned = clean(tree)
    sentence = TaggedSentence.from_tree(cleaned) if cleaned is not None else None
    if sentence is None or not sentence.positions:
        return None
    asked = sentence if gold_tags else parser.model.tag(sentence.words)
    found = verdict(parser, tree, sentence=asked, repair=repair, control=control)
    score = found.comparison.parseval
    return Judgement(
        number,
        " ".join(sentence.words),
        found.kind,
        found.nats,
        tuple(impossibility.cause for impossibility in found.impossibilities),
        found.repair.beam if found.repair is not None else None,
        found.repair.rerank if found.repair is not None else None,
        found.repair.threshold if found.repair is not None else None,
        found.repair is not None and found.repair.by_score,
        tuple(classify_errors(found.parse.tree, tree)),
        score.matched,
        score.gold,
        score.proposed,
        tuple(_losses(found)),
        found.parse.tree.brackets(),
        tree.brackets(),
        found.parse.further_backoff,
        found.parse.fallback,
        tell(found) if tell is not None else (),
    )


def judge_all(
    parser: Parser,
    trees: Iterable[Tree],
    *,
    gold_tags: bool = True,
    repair: bool = True,
    tell: Tell | None = None,
    control: Control | None = None,
) -> Iterator[Judgement]:
    """Judge every tree of a treebank, one after the other; see :func:`judge`."""
    for number, tree in enumerate(trees, 1):
        judged = judge(parser, tree, number, gold_tags=gold_tags, repair=repair, tell=tell, control=control)
        if judged is not None:
            yield judged


def _losses(found: Verdict) -> Iterator[FactorLoss]:
    if found.kind not in (VerdictKind.MODEL, VerdictKind.RERANKING) or found.difference is None:
        return
    for row in found.difference.rows:
        yield FactorLoss(row.kind, _level(row), _name(row), -row.contribution)


def _level(row: LedgerRow) -> str:
    factor = row.second or row.first
    if factor is None or not factor.used:
        return "—"
    return factor.used[0]


def _name(row: LedgerRow) -> str:
    """Return what a row is about, words left out, so that rows of different sentences can be added up."""
    first, second = _about(row.first), _about(row.second)
    if first == second:
        return second
    if first and second:
        return f"{first} instead of {second}"
    return f"{first}, not in gold" if first else f"{second} missing"


def _about(factor: Factor | None) -> str:
    if factor is None:
        return ""
    match factor.subject:
        case DependencySubject(relation=relation):
            return str(relation)
        case RootSubject(label=label):
            return f"<{label}>"
        case GapSubject(tag=tag):
            return tag
        case UnarySubject() as unary:
            return unary.production
        case GenerativeSubject() as decided:
            return decided.without_words
        case TagSubject() | FeatureSubject() as whole:
            return whole.text
        case other:
            assert_never(other)


def tree_judge(
    model: Model, settings: Settings, gold_tags: bool = True, repair: bool = True, tell: Tell | None = None
) -> Callable[[tuple[int, str]], Judgement | None]:
    """Return what judges one tree, given as its number and brackets; ``None`` if it is too long or has no words."""
    parser = Parser(model, settings)

    def judge_tree(numbered: tuple[int, str]) -> Judgement | None:
        number, text = numbered
        try:
            return judge(parser, read_tree(text), number, gold_tags=gold_tags, repair=repair, tell=tell)
        except SentenceError:
            return None

    return judge_tree


@dataclass(slots=True)
class ErrorCell:
    """Errors of one class in sentences of one verdict: how many, their brackets, the sentences, and what they cost.

    `f1` is by how many points F1 of the whole treebank rises if these errors are repaired and no others.
    """

    count: int = 0
    missing: int = 0
    extra: int = 0
    sentences: list[int] = field(default_factory=list)
    f1: float = 0.0

    def add(self, number: int, error: ParseError) -> None:
        """Take in one error."""
        self.count += 1
        self.missing += len(error.missing)
        self.extra += len(error.extra)
        if not self.sentences or self.sentences[-1] != number:
            self.sentences.append(number)


@dataclass(frozen=True, slots=True)
class WorstFactor:
    """Factors of one sort in all model errors: what gold trees lose by them in nats, how often, and where."""

    kind: FactorKind
    name: str
    nats: float
    count: int
    sentences: tuple[int, ...]


@dataclass(slots=True)
class Report:
    """Verdicts and error classes over a treebank.

    Attributes
    ----------
    judgements
        Every sentence, in order.
    matched, gold, proposed
        Brackets of all sentences.
    cells
        By error class and verdict; errors beside the score of a parse that is right stand under that verdict.
    """

    judgements: list[Judgement] = field(default_factory=list)
    matched: int = 0
    gold: int = 0
    proposed: int = 0
    cells: dict[tuple[ErrorClass, VerdictKind], ErrorCell] = field(default_factory=dict)

    def add(self, judged: Judgement) -> None:
        """Take in one sentence."""
        self.judgements.append(judged)
        self.matched += judged.matched
        self.gold += judged.gold
        self.proposed += judged.proposed
        for error in judged.errors:
            self.cells.setdefault((error.kind, judged.kind), ErrorCell()).add(judged.number, error)

    def finish(self) -> Report:
        """Work out what everything costs, when all sentences are in."""
        for cell in self.cells.values():
            cell.f1 = self.cost(cell.missing, cell.extra)
        return self

    @property
    def f1(self) -> float:
        """F1 over all sentences, in per cent."""
        return f1_of(self.matched, self.gold, self.proposed)

    def cost(self, missing: int, extra: int) -> float:
        """By how many points F1 rises with so many missing brackets found and so many extra ones gone."""
        return f1_of(self.matched + missing, self.gold, self.proposed + missing - extra) - self.f1

    @property
    def verdicts(self) -> Counter[VerdictKind]:
        """How many sentences of each verdict."""
        return Counter(judged.kind for judged in self.judgements)

    @property
    def causes(self) -> Counter[Cause]:
        """Of gold trees outside the model: the first cause of each."""
        return Counter(judged.causes[0] for judged in self.judgements if judged.causes)

    def row(self, kind: ErrorClass) -> ErrorCell:
        """Return all errors of one class, whatever the verdict."""
        return self._sum(cell for (own, _), cell in self.cells.items() if own is kind)

    def column(self, kind: VerdictKind) -> ErrorCell:
        """Return all errors in sentences of one verdict."""
        return self._sum(cell for (_, own), cell in self.cells.items() if own is kind)

    @property
    def whole(self) -> ErrorCell:
        """All errors."""
        return self._sum(self.cells.values())

    def _sum(self, cells: Iterable[ErrorCell]) -> ErrorCell:
        whole = ErrorCell()
        for cell in cells:
            whole.count += cell.count
            whole.missing += cell.missing
            whole.extra += cell.extra
            whole.sentences = sorted({*whole.sentences, *cell.sentences})
        whole.f1 = self.cost(whole.missing, whole.extra)
        return whole

    def worst(self, by: Callable[[FactorLoss], str], most: int = 10) -> list[WorstFactor]:
        """Return the factors by which gold trees lose most in model errors, added up by kind and `by`."""
        nats: dict[tuple[FactorKind, str], list[float]] = {}
        sentences: dict[tuple[FactorKind, str], set[int]] = {}
        for judged in self.judgements:
            for loss in judged.factors:
                if math.isfinite(loss.nats):
                    key = (loss.kind, by(loss))
                    nats.setdefault(key, []).append(loss.nats)
                    sentences.setdefault(key, set()).add(judged.number)
        found = [
            WorstFactor(*key, math.fsum(values), len(values), tuple(sorted(sentences[key])))
            for key, values in nats.items()
        ]
        return sorted(found, key=lambda one: (-one.nats, one.kind, one.name))[:most]


# Judgements for a table of errors: of each only what is counted, so that it travels quickly between processes.


class TableJudgement(NamedTuple):
    """What became of one tree.

    Attributes
    ----------
    judgement
        Without trees and factors; ``None`` where there is nothing to judge.
    failed
        Whether that is because the sentence cannot be parsed, and not because it has no words.
    """

    judgement: Judgement | None
    failed: bool = False


def table_judge(
    model: Model,
    settings: Settings,
    gold_tags: bool = True,
    expected: int | None = None,
    control: Control | None = None,
) -> Callable[[tuple[int, str]], TableJudgement]:
    """Make what judges one tree, given as its number and brackets.

    Parameters
    ----------
    model, settings, gold_tags
        As :func:`engine.study.treebank_report.judge` takes them; nothing is repaired.
    expected
        The fingerprint that the model must have: another process may find another model in the file.
    control
        Stops the work from another thread.
    """
    if expected is not None and fingerprint(model) != expected:
        raise ModelError("the model's file is another one than was opened; open the model again")
    parser = Parser(model, settings)

    def judge_tree(numbered: tuple[int, str]) -> TableJudgement:
        number, text = numbered
        try:
            found = judge(parser, read_tree(text), number, gold_tags=gold_tags, repair=False, control=control)
        except Cancelled:
            raise
        except EngineError:
            return TableJudgement(None, failed=True)
        lean = replace(found, parse_tree="", gold_tree="", factors=()) if found is not None else None
        return TableJudgement(lean)

    return judge_tree


# Classes of errors against verdicts, as a table: a row for each class, a column for each verdict.


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """Classes of errors against verdicts, as far as sentences were judged.

    Attributes
    ----------
    kinds, verdicts
        The rows and columns that occur, in the engine's order.
    cells, rows, columns, whole
        What they hold: how many mistakes, the sentences by their number in the list from 1, the cost in F1.
    sentences
        How many sentences of each verdict.
    judged, wanted, f1
        How many were judged, how many there are, and F1 over those judged.
    provenance
        Under what they were judged.
    """

    kinds: tuple[ErrorClass, ...]
    verdicts: tuple[VerdictKind, ...]
    cells: Mapping[tuple[ErrorClass, VerdictKind], ErrorCell]
    rows: Mapping[ErrorClass, ErrorCell]
    columns: Mapping[VerdictKind, ErrorCell]
    whole: ErrorCell
    sentences: Mapping[VerdictKind, int]
    judged: int
    wanted: int
    f1: float
    provenance: Provenance

    def cell(self, kind: ErrorClass | None, verdict: VerdictKind | None) -> ErrorCell:
        """A cell; without a class that of all errors, without a verdict that of all sentences."""
        if kind is not None and verdict is not None:
            return self.cells.get((kind, verdict), ErrorCell())
        if kind is not None:
            return self.rows[kind]
        return self.columns[verdict] if verdict is not None else self.whole

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(cell.count for cell in self.rows.values())


def tabulate(report: Report, wanted: int, provenance: Provenance) -> ErrorTable:
    """The table of a report as it is now."""
    report.finish()
    kinds = tuple(kind for kind in ErrorClass if any(kind is own for own, _ in report.cells))
    counts = report.verdicts
    verdicts = tuple(kind for kind in VerdictKind if counts[kind])
    return ErrorTable(
        kinds,
        verdicts,
        {key: replace(cell, sentences=list(cell.sentences)) for key, cell in report.cells.items()},
        {kind: report.row(kind) for kind in kinds},
        {kind: report.column(kind) for kind in verdicts},
        report.whole,
        {kind: counts[kind] for kind in verdicts},
        len(report.judgements),
        wanted,
        report.f1,
        provenance,
    )
