"""Comparing systems in a worker: the gold trees of the list or of a file, and what the engine makes of them; no Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.common.errors import EngineError
from engine.study.provenance import GOLD as GOLD_TAGS
from engine.study.systems import System, TreesSystem
from engine.study.systems_report import SystemsReport, compare_systems
from engine.text.input import is_tree
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from explorer.compare.sides import GoldTree, OtherTree, OtherTrees, Side, SystemParse
from explorer.kit.tasks import Job
from explorer.laboratory.system_setup import SystemOptions
from explorer.session.document import TextLine
from explorer.session.files import read_treebank


@dataclass(frozen=True, slots=True)
class SystemsRequest:
    """What is to be compared: the sentences of the list, or a `file` of gold trees; the parsers; and how."""

    lines: tuple[TextLine, ...]
    file: Path | None
    systems: tuple[System, ...]
    options: SystemOptions


@dataclass(frozen=True, slots=True)
class ComparedSystems:
    """What came of it.

    Attributes
    ----------
    request
        What was asked.
    report
        The engine's report.
    golds
        The sentences with their gold trees; the number of a sentence in the report is its place here, from 1.
    refused
        How many broken trees of the file were left out.
    other_trees
        The trees of those systems that are files, in the spelling of the gold trees.
    """

    request: SystemsRequest
    report: SystemsReport
    golds: tuple[TextLine, ...]
    refused: int
    other_trees: tuple[OtherTrees, ...]

    @property
    def title(self) -> str:
        """What a title calls the treebank."""
        return self.request.file.name if self.request.file is not None else "the list"

    def line(self, number: int) -> TextLine:
        """The sentence of a number in the report."""
        return self.golds[number - 1]

    def side(self, system: int) -> Side:
        """A system as a side of a comparison."""
        chosen = self.request.systems[system]
        if isinstance(chosen, TreesSystem):
            return OtherTree(chosen.name)
        model, gold_tags = str(chosen.model), chosen.tags == GOLD_TAGS
        return SystemParse(chosen.name, model, chosen.preset, chosen.settings, gold_tags)

    def sides(self, opens: str, first: int, second: int) -> tuple[Side, Side]:
        """What is held against what: the two systems, or one of them and the gold tree."""
        if opens == BOTH:
            return self.side(first), self.side(second)
        return self.side(first if opens == FIRST else second), GoldTree()


BOTH, FIRST, SECOND = "both", "first", "second"
"""What a sentence opens: one system against the other, or one of the two against gold."""


def _other_trees(job: Job, report: SystemsReport, golds: int) -> Iterator[OtherTrees]:
    """The trees of those systems that are files, at the places of so many gold trees."""
    for result in report.results:
        if isinstance(result.system, TreesSystem):
            trees: list[Tree | None] = [None] * golds
            for row, sentence in job.in_turns(zip(report.rows, result.sentences, strict=True)):
                trees[row.number - 1] = clean(read_tree(sentence.tree)) if sentence.tree else None
            yield OtherTrees(result.name, trees)


def golds_of(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[Tree]]:
    """The sentences that have gold trees, and these."""
    kept = [line for line in lines if is_tree(line.text)]
    return kept, [read_tree(line.text) for line in kept]


def compare_in_worker(job: Job, request: SystemsRequest) -> ComparedSystems:
    """Compare the systems; raise :class:`EngineError` in one sentence if that cannot be."""
    refused = 0
    lines: Sequence[TextLine] = request.lines
    if request.file is not None:
        loaded = read_treebank(job, request.file)
        lines, refused = loaded.lines, len(loaded.refused)
    job.report(0.0, "Reading the gold trees")
    kept, golds = golds_of(lines)
    if not golds:
        raise EngineError("no sentence of the list has a gold tree; open a treebank first, or choose a file")
    # A moment passes before the first parse: other processes start, and open the model.
    job.report(0.0, "Starting")
    report = compare_systems(
        golds,
        request.systems,
        **asdict(request.options),
        progress=lambda share, text: job.report(share, text),
        cancelled=lambda: job.cancelled,
    )
    return ComparedSystems(request, report, tuple(kept), refused, tuple(_other_trees(job, report, len(kept))))
