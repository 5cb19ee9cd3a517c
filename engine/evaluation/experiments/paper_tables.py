"""From results to tables: ours beside the paper's, with the paper's own columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.common.text_tables import text_table
from engine.evaluation.experiments.distance_shares import (
    DISTANCES,
    PAPER_COMMAS,
    PAPER_DISTANCES,
    PAPER_VERBS,
    VERBS,
    Distances,
)
from engine.evaluation.experiments.result_table import Block, Column, ResultTable, ResultValue
from engine.evaluation.experiments.trials import (
    PAPER_ABLATION,
    PAPER_BEAM_FIGURES,
    PAPER_BEAMS,
    PAPER_LENGTHS,
    PAPER_MODEL,
    PAPER_MODELS,
    PAPER_SPATTER,
    Trial,
    TrialResults,
    per_minute,
)
from engine.evaluation.tag_sources import BEST, sources_text, tag_source
from engine.settings import Settings

THE_PAPER = "the paper (WSJ, section 23)"
PAPERS_MODEL = f"{THE_PAPER}, model ({PAPER_MODEL})"

_LR = ("labeled_recall", "LR", "{:.1f}")
_LP = ("labeled_precision", "LP", "{:.1f}")
_F1 = ("f1", "F1", "{:.1f}")
_CBS = ("crossing", "CBs", "{:.2f}")
_NO_CBS = ("no_crossing", "0 CBs", "{:.1f}")
_TWO_CBS = ("two_or_less_crossing", "<=2 CBs", "{:.1f}")
_SPEED = ("sentences_per_second", "sent./s", "{:,.0f}")
_TAGS = Column("tags", "tags")
"""Where the tags of a row come from, as ``--tags`` calls it."""


def _measures(result: Mapping[str, Any], length: int, columns: Iterable[tuple[str, str, str]]) -> list[ResultValue]:
    figures = result["measures"][str(length)]
    return [figures[key] for key, _, _ in columns]


def _title(what: str, trials: Sequence[Trial]) -> str:
    """The title of a table, with the source of its tags."""
    return f"{what}, {sources_text(trial.tags for trial in trials)}"


def models_table(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> ResultTable:
    """Table 3: every model, for every longest sentence; in per cent but for CBs and speed."""
    measures = (_LR, _LP, _CBS, _NO_CBS, _TWO_CBS, _SPEED)
    columns = [Column("model", "model"), _TAGS]
    for length in lengths:
        counts = {result["measures"][str(length)]["sentences"] for result in results} - {None}
        sentences = f" ({'/'.join(f'{count:,}' for count in sorted(counts))} sentences)" if counts else ""
        group = f"<={length} tokens{sentences}"
        columns += [Column(f"{key}_{length}", title, form, group) for key, title, form in measures]
    rows = [
        (*trial.name, trial.tags, *(cell for length in lengths for cell in _measures(result, length, measures)))
        for trial, result in zip(trials, results, strict=True)
    ]
    nothing: tuple[ResultValue, ...] = (None,) * (len(measures) - 1)

    def papers(name: str, tags: str | None, figures: Mapping[int, tuple[float, ...]]) -> tuple[ResultValue, ...]:
        return (name, tags, *(cell for length in lengths for cell in (*figures.get(length, nothing), None)))

    paper = [
        papers(f"({model})", tag_source(Settings.preset(model))[0], figures) for model, figures in PAPER_MODELS.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(THE_PAPER, (*paper, papers("SPATTER", None, PAPER_SPATTER)), papers=True))
    return ResultTable(_title("Table 3: the models", trials), tuple(columns), blocks, names=2, matched=(0,))


def ablation_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Table 4: distance measure × lexical information."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    names = (Column("distance", "distance"), Column("lexical", "lexical"), _TAGS)
    rows = [
        (*trial.name, trial.tags, *_measures(result, length, measures))
        for trial, result in zip(trials, results, strict=True)
    ]
    paper = [
        (
            "yes" if distance else "no",
            "yes" if lexical else "no",
            BEST,
            recall,
            precision,
            _f1(recall, precision),
            crossing,
            None,
        )
        for (distance, lexical), (recall, precision, crossing) in PAPER_ABLATION.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(PAPERS_MODEL, tuple(paper), papers=True))
    title = _title(f"Table 4: distance measure and lexical information, sentences of <={length} tokens", trials)
    return ResultTable(title, (*names, *(Column(*measure) for measure in measures)), blocks, names=3, matched=(0, 1))


def beam_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Table 5: β against speed and accuracy; speed in sentences a minute, as in the paper."""
    measures = (_LR, _LP, _F1, _CBS)
    blocks = []
    for group in dict.fromkeys(trial.group for trial in trials):
        rows = [
            (*trial.name, trial.tags, per_minute(result, length), *_measures(result, length, measures))
            for trial, result in zip(trials, results, strict=True)
            if trial.group == group
        ]
        blocks.append(Block(f"{test}, {group}", tuple(rows)))
    paper = [
        (f"{beta:g}", BEST, minute, recall, precision, _f1(recall, precision), crossing)
        for beta, (minute, recall, precision, crossing) in PAPER_BEAM_FIGURES.items()
    ]
    blocks.append(Block(PAPERS_MODEL, tuple(paper), papers=True))
    columns = (
        Column("beam", "β"),
        _TAGS,
        Column("sentences_per_minute", "sent./min", "{:,.0f}"),
        *(Column(*measure) for measure in measures),
    )
    title = _title(f"Table 5: the beam, sentences of <={length} tokens", trials)
    return ResultTable(title, columns, tuple(blocks), names=2, matched=(0,))


def learning_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> ResultTable:
    """Accuracy, size and time against the number of training sentences."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    columns = (
        Column("share", "share"),
        _TAGS,
        Column("training_sentences", "sentences", "{:,}"),
        *(Column(*measure) for measure in measures),
        Column("contexts", "contexts", "{:,}"),
        Column("megabytes", "model MB", "{:.1f}"),
        Column("training_seconds", "training s", "{:.1f}"),
    )
    rows = []
    for trial, result in zip(trials, results, strict=True):
        facts = result["training"]
        megabytes = facts["bytes"] / 1e6 if facts["bytes"] is not None else None
        size: tuple[ResultValue, ...] = (facts["contexts"], megabytes, facts["seconds"])
        rows.append((*trial.name, trial.tags, facts["sentences"], *_measures(result, length, measures), *size))
    title = _title(f"Learning curve, tested on sentences of <={length} tokens", trials)
    return ResultTable(title, columns, (Block(test, tuple(rows)),), names=2)


def grid_table(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> ResultTable:
    """A row for every combination, and for those that the paper has measured, its own."""
    measures = (("sentences", "sent.", "{:,}"), _LR, _LP, _F1, _CBS, _NO_CBS, _TWO_CBS, _SPEED)
    names = (Column("model", "model"), Column("preset", "preset"), Column("beam", "β"), _TAGS)
    rows = [
        (*trial.name, trial.tags, f"<={length}", *_measures(result, length, measures))
        for trial, result in zip(trials, results, strict=True)
        for length in lengths
    ]
    combinations = dict.fromkeys((trial.name[1], trial.name[2], length) for trial in trials for length in lengths)
    paper = [row for preset, beta, length in combinations if (row := _papers_row(preset, beta, length)) is not None]
    blocks = [Block(test, tuple(rows))] + ([Block(THE_PAPER, tuple(paper), papers=True)] if paper else [])
    columns = (*names, Column("length", "tokens"), *(Column(*measure) for measure in measures))
    return ResultTable(_title("Grid", trials), columns, tuple(blocks), names=5, matched=(1, 2, 4))


def _papers_row(preset: str, beta: str, length: int) -> tuple[ResultValue, ...] | None:
    """The paper's figures for a combination: those of Table 3, and for other β those of Table 5."""
    number, width = int(preset.strip("()")), float(beta)
    named = (None, preset, beta, tag_source(Settings.preset(number))[0], f"<={length}", None)
    if width == PAPER_BEAMS[0] and length in PAPER_MODELS.get(number, {}):
        recall, precision, crossing, none, two = PAPER_MODELS[number][length]
        return (*named, recall, precision, _f1(recall, precision), crossing, none, two, None)
    if (number, length) == (PAPER_MODEL, PAPER_LENGTHS[-1]) and width in PAPER_BEAM_FIGURES:
        _, recall, precision, crossing = PAPER_BEAM_FIGURES[width]
        return (*named, recall, precision, _f1(recall, precision), crossing, None, None, None)
    return None


def _f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def distances_table(found: Distances, test: str) -> ResultTable:
    """Tables 1 and 2 and the punctuation rule, a row for every limit."""

    def rows(
        limits: Sequence[int], ours: Sequence[float], paper: Sequence[float]
    ) -> tuple[tuple[ResultValue, ...], ...]:
        return tuple(zip(_limits(limits), ours, paper, strict=True))

    return ResultTable(
        "Tables 1 and 2: dependencies, in per cent",
        (Column("limit", "limit"), Column("treebank", test, "{:.1f}"), Column("paper", "the paper", "{:.1f}")),
        (
            Block("Table 1: distance", rows(DISTANCES, found.distance_shares(), PAPER_DISTANCES)),
            Block("Table 2: verbs between", rows(VERBS, found.verb_shares(), PAPER_VERBS)),
            Block("Comma rule", (("commas obeying", found.comma_share, PAPER_COMMAS),)),
        ),
    )


def distances_report(found: Distances) -> str:
    """Tables 1 and 2 and the punctuation rule as text, the paper's rows under ours."""

    def row(name: str, values: Sequence[float]) -> list[str]:
        return [name, *(f"{value:.1f}" for value in values)]

    first = text_table(
        ["distance", *_limits(DISTANCES)],
        [row("this treebank", found.distance_shares()), row("the paper", PAPER_DISTANCES)],
        right=range(1, 1 + len(DISTANCES)),
    )
    second = text_table(
        ["verbs between", *_limits(VERBS)],
        [row("this treebank", found.verb_shares()), row("the paper", PAPER_VERBS)],
        right=range(1, 1 + len(VERBS)),
    )
    third = text_table(
        ["commas", "obeying"],
        [row("this treebank", [found.comma_share]), row("the paper", [PAPER_COMMAS])],
        right=(1,),
    )
    return "\n\n".join(
        [
            f"{found.sentences:,} sentences, {found.dependencies:,} dependencies, {found.commas:,} commas; per cent",
            f"Table 1\n{first}",
            f"Table 2\n{second}",
            f"Comma rule\n{third}",
        ]
    )


def _limits(limits: Sequence[int]) -> list[str]:
    return [str(limits[0]), *(f"<={limit}" for limit in limits[1:])]
