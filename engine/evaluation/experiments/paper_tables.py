"""From results to tables: ours beside the paper's, with the paper's own columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.evaluation.experiments.distance_shares import (
    DISTANCES,
    PAPER_COMMAS,
    PAPER_DISTANCES,
    PAPER_VERBS,
    VERBS,
    Distances,
)
from engine.evaluation.experiments.result_table import Block, Column, ResultTable, ResultValue
from engine.evaluation.experiments.trials import PAPER_ABLATION, PAPER_BEAM_FIGURES, PAPER_MODELS, Trial, TrialResults

THE_PAPER = "the paper (WSJ, section 23)"

_LR = ("labeled_recall", "LR", "{:.1f}")
_LP = ("labeled_precision", "LP", "{:.1f}")
_F1 = ("f1", "F1", "{:.1f}")
_CBS = ("crossing", "CBs", "{:.2f}")
_NO_CBS = ("no_crossing", "0 CBs", "{:.1f}")
_TWO_CBS = ("two_or_less_crossing", "<=2 CBs", "{:.1f}")
_SPEED = ("sentences_per_second", "sent./s", "{:,.0f}")


def _measures(result: Mapping[str, Any], length: int, columns: Iterable[tuple[str, str, str]]) -> list[ResultValue]:
    figures = result["measures"][str(length)]
    return [figures[key] for key, _, _ in columns]


def models_table(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> ResultTable:
    """Table 3: every model, for every longest sentence; in per cent but for CBs and speed."""
    measures = (_LR, _LP, _CBS, _NO_CBS, _TWO_CBS, _SPEED)
    columns = [Column("model", "model")]
    for length in lengths:
        counts = {result["measures"][str(length)]["sentences"] for result in results}
        group = f"<={length} tokens ({'/'.join(f'{count:,}' for count in sorted(counts))} sentences)"
        columns += [Column(f"{key}_{length}", title, form, group) for key, title, form in measures]
    rows = [
        (*trial.name, *(cell for length in lengths for cell in _measures(result, length, measures)))
        for trial, result in zip(trials, results, strict=True)
    ]
    nothing: tuple[ResultValue, ...] = (None,) * (len(measures) - 1)
    paper = [
        (f"({model})", *(cell for length in lengths for cell in (*figures.get(length, nothing), None)))
        for model, figures in PAPER_MODELS.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(THE_PAPER, tuple(paper)))
    return ResultTable("Table 3: the models", tuple(columns), blocks)


def ablation_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Table 4: distance measure × lexical information."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    names = (Column("distance", "distance"), Column("lexical", "lexical"))
    rows = [(*trial.name, *_measures(result, length, measures)) for trial, result in zip(trials, results, strict=True)]
    paper = [
        (
            "yes" if distance else "no",
            "yes" if lexical else "no",
            recall,
            precision,
            _f1(recall, precision),
            crossing,
            None,
        )
        for (distance, lexical), (recall, precision, crossing) in PAPER_ABLATION.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(THE_PAPER, tuple(paper)))
    title = f"Table 4: distance measure and lexical information, sentences of <={length} tokens"
    return ResultTable(title, (*names, *(Column(*measure) for measure in measures)), blocks, names=2)


def beam_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Table 5: β against speed and accuracy; the paper's sentences per minute as per second."""
    measures = (("sentences_per_second", "sent./s", "{:,.1f}"), _LR, _LP, _F1, _CBS)
    blocks = []
    for group in dict.fromkeys(trial.group for trial in trials):
        rows = [
            (*trial.name, *_measures(result, length, measures))
            for trial, result in zip(trials, results, strict=True)
            if trial.group == group
        ]
        blocks.append(Block(f"{test}, {group}", tuple(rows)))
    paper = [
        (f"{beta:g}", minute / 60, recall, precision, _f1(recall, precision), crossing)
        for beta, (minute, recall, precision, crossing) in PAPER_BEAM_FIGURES.items()
    ]
    blocks.append(Block(THE_PAPER, tuple(paper)))
    columns = (Column("beam", "β"), *(Column(*measure) for measure in measures))
    title = f"Table 5: the beam, sentences of <={length} tokens"
    return ResultTable(title, columns, tuple(blocks))


def learning_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Accuracy, size and time against the number of training sentences."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    columns = (
        Column("share", "share"),
        Column("training_sentences", "sentences", "{:,}"),
        *(Column(*measure) for measure in measures),
        Column("contexts", "contexts", "{:,}"),
        Column("megabytes", "model MB", "{:.1f}"),
        Column("training_seconds", "training s", "{:.1f}"),
    )
    rows = []
    for trial, result in zip(trials, results, strict=True):
        facts = result["training"]
        size: tuple[ResultValue, ...] = (facts["contexts"], facts["bytes"] / 1e6, facts["seconds"])
        rows.append((*trial.name, facts["sentences"], *_measures(result, length, measures), *size))
    title = f"Learning curve, tested on sentences of <={length} tokens"
    return ResultTable(title, columns, (Block(test, tuple(rows)),))


def _f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def distances_table(found: Distances, test: str) -> ResultTable:
    """Tables 1 and 2 and the punctuation rule, a row for every limit."""

    def rows(
        limits: Sequence[int], ours: Sequence[float], paper: Sequence[float]
    ) -> tuple[tuple[ResultValue, ...], ...]:
        names = [str(limits[0]), *(f"<={limit}" for limit in limits[1:])]
        return tuple(zip(names, ours, paper, strict=True))

    return ResultTable(
        "Tables 1 and 2: dependencies, in per cent",
        (Column("limit", "limit"), Column("treebank", test, "{:.1f}"), Column("paper", "the paper", "{:.1f}")),
        (
            Block("Table 1: distance", rows(DISTANCES, found.distance_shares(), PAPER_DISTANCES)),
            Block("Table 2: verbs between", rows(VERBS, found.verb_shares(), PAPER_VERBS)),
            Block("Punctuation rule", (("commas obeying", found.comma_share, PAPER_COMMAS),)),
        ),
    )
