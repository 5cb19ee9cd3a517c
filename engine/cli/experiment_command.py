"""``parse-engine experiment``: the paper's tables for any treebank."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine.cli.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_tags,
    add_treebanks,
    command,
    compile_first,
    whole,
    workers_of,
)
from engine.cli.train_command import check_writable
from engine.common.errors import EngineError
from engine.common.files import cache_folder
from engine.common.parallel import Workers
from engine.common.progress import Console
from engine.common.text_tables import size
from engine.evaluation.experiments import paper_tables as reports
from engine.evaluation.experiments import plots, trials
from engine.evaluation.experiments.distance_shares import distances
from engine.evaluation.experiments.journal import Journal, key_of
from engine.evaluation.experiments.result_table import ResultTable
from engine.evaluation.experiments.trial_bench import Bench, Ready, Trained, TreeSample
from engine.evaluation.experiments.trials import Trial
from engine.settings import PRESETS
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import Tree
from engine.trees.treebank import BadTrees, corpus_name, read_treebank

_DISTANCES = """\
Table 1: per cent of dependencies by the distance between the two head words in the reduced sentence.
Table 2: per cent of dependencies by the number of verbs between them.
Comma rule (section 2.7): of the commas between two neighbours that are joined, per cent where the right
neighbour's last word is directly followed by a comma or is the last word of the sentence."""

_MEASURED = """\
Sentences are tagged by the model's tagger, as in the paper: models (1) to (3) start from its best tags, (4) and (5)
from its distributions; --tags gold takes the treebank's tags instead, and the column `tags` says which it was.  LR and
LP are labeled recall and precision, CBs crossing brackets per sentence, as `parse-engine evaluate` measures them;
sent./s and sent./min are sentences per second and per minute of parsing in one process, without tagging (several --jobs
disturb one another: measure speed with one).  Every result is kept as soon as it is measured: interrupted, the same
command goes on where it stopped."""


@dataclass(frozen=True, slots=True)
class _Experiment:
    """One of the experiments that train and parse.

    Attributes
    ----------
    name, summary
        What it is called, and what it shows.
    plan
        The trials that the command line asks for.
    table, figure
        Show the results of the trials; last argument the longest sentence, or all of them for several.
    add_options
        Adds options of its own.
    """

    name: str
    summary: str
    plan: Callable[[argparse.Namespace], list[Trial]]
    table: Callable[..., ResultTable]
    figure: Callable[..., Any]
    add_options: Callable[[argparse.ArgumentParser], None]
    several_lengths: bool = False
    needs_training: bool = False


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "experiment", run_distances, "Repeat an experiment of the paper on any treebank")
    experiments = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    summary = "Tables 1 and 2 and the share of commas that obey the comma rule"
    chosen = command(experiments, "distances", run_distances, summary, _DISTANCES)
    add_treebanks(chosen)
    _add_head_rules(chosen)
    _add_output(chosen)
    for experiment in _EXPERIMENTS:
        chosen = command(experiments, experiment.name, partial(run, experiment), experiment.summary, _MEASURED)
        _add_measured(chosen, experiment)


def _add_head_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--head-rules", metavar="FILE", help="a table of head rules to use in place of the built-in one"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print one JSON object")
    forms.add_argument("--csv", action="store_true", help="print comma-separated values")
    forms.add_argument("--latex", action="store_true", help="print a LaTeX tabular")
    parser.add_argument(
        "--plot", metavar="FILE", help=f"draw the results too ({' '.join(plots.PLOT_SUFFIXES)}); needs matplotlib"
    )


def _add_measured(parser: argparse.ArgumentParser, experiment: _Experiment) -> None:
    treebanks = "files, folders, or - for standard input"
    models = parser.add_mutually_exclusive_group(required=True)
    models.add_argument("--train", nargs="+", metavar="TREEBANK", help=f"train on these: {treebanks}")
    if not experiment.needs_training:
        models.add_argument("--model", metavar="M", help="a model file or a bundled model, in place of training one")
    parser.add_argument("--test", nargs="+", required=True, metavar="TREEBANK", help=f"measure on these: {treebanks}")
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave broken trees out and count them instead of stopping at the first"
    )
    _add_head_rules(parser)
    experiment.add_options(parser)
    add_tags(parser, "best; distribution with presets 4 and 5")
    length = parser.add_argument(
        "--max-length", type=whole(1), metavar="N", default=100, help="longest sentence in tokens (default 100)"
    )
    if experiment.several_lengths:
        length.nargs, length.default = "+", list(trials.PAPER_LENGTHS)
        length.help = "longest sentences in tokens, a set of columns for each (default 40 100)"
    add_jobs(parser, "train and parse")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="take from this file what was measured before, and add to it what is measured now",
    )
    _add_output(parser)


def _add_presets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--presets", type=int, choices=PRESETS, nargs="+", default=list(PRESETS), help="which models (default: all)"
    )
    _add_beam(parser)


def _add_preset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        type=int,
        choices=PRESETS,
        default=trials.PAPER_MODEL,
        help=f"which model (default {trials.PAPER_MODEL})",
    )


def _add_beam(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beam", type=float, default=1000.0, metavar="BETA", help="β (default 1000)")


def _add_preset_and_beam(parser: argparse.ArgumentParser) -> None:
    _add_preset(parser)
    _add_beam(parser)


def _add_beams(parser: argparse.ArgumentParser) -> None:
    _add_preset(parser)
    shown = " ".join(f"{beta:g}" for beta in trials.PAPER_BEAMS)
    parser.add_argument(
        "--beams",
        type=float,
        nargs="+",
        default=list(trials.PAPER_BEAMS),
        metavar="BETA",
        help=f"which β (default {shown})",
    )
    parser.add_argument(
        "--literal-beam", action="store_true", help="measure the beam as printed too, beside the one in use"
    )


def _add_learning(parser: argparse.ArgumentParser) -> None:
    _add_preset_and_beam(parser)
    parser.add_argument(
        "--halvings",
        type=whole(0, 20),
        default=4,
        metavar="N",
        help="how often the training trees are halved: the smallest sample is 1/2^N of them (default 4)",
    )


_EXPERIMENTS = (
    _Experiment(
        "models",
        "Table 3: recall, precision and crossing brackets of every model",
        lambda chosen: trials.models(chosen.presets, chosen.beam, chosen.tags),
        reports.models_table,
        plots.models_figure,
        _add_presets,
        several_lengths=True,
    ),
    _Experiment(
        "ablation",
        "Table 4: what the distance measure and lexical information contribute",
        lambda chosen: trials.ablation(chosen.preset, chosen.beam, chosen.tags),
        reports.ablation_table,
        plots.ablation_figure,
        _add_preset_and_beam,
    ),
    _Experiment(
        "beam",
        "Table 5: speed and accuracy as the beam is narrowed",
        lambda chosen: trials.beams(chosen.preset, chosen.beams, chosen.literal_beam, chosen.tags),
        reports.beam_table,
        plots.beam_figure,
        _add_beams,
    ),
    _Experiment(
        "learning-curve",
        "Accuracy, size of the model and time against the number of training trees",
        lambda chosen: trials.learning_curve(chosen.preset, chosen.beam, chosen.halvings, chosen.tags),
        reports.learning_table,
        plots.learning_figure,
        _add_learning,
        needs_training=True,
    ),
)


def run(experiment: _Experiment, arguments: argparse.Namespace, console: Console) -> int:
    """Measure every trial, and show the results."""
    with workers_of(arguments, console) as workers:
        return _run(experiment, arguments, console, workers)


def _run(experiment: _Experiment, arguments: argparse.Namespace, console: Console, workers: int | Workers) -> int:
    plan = experiment.plan(arguments)
    _check_files(arguments)
    bad = BadTrees()
    on_bad = bad if arguments.skip_bad else None
    models: Trained | Ready
    if arguments.train:
        models = Trained(TreeSample.read(arguments.train, on_bad), arguments.head_rules, workers)
    elif arguments.head_rules:
        raise EngineError("--head-rules is for training: name treebanks with --train, or leave it out")
    else:
        models = Ready(arguments.model)
    lengths = arguments.max_length if experiment.several_lengths else [arguments.max_length]
    bench = Bench(models, TreeSample.read(arguments.test, on_bad), lengths, workers)
    results = _measure(experiment, bench, plan, arguments.resume, console)
    shown = arguments.max_length
    if arguments.plot:
        plots.save(lambda: experiment.figure(plan, results, bench.test.title, shown), arguments.plot)
    model = f"{models.title}, preset ({arguments.preset})" if "preset" in arguments else models.title
    table = experiment.table(plan, results, f"{bench.test.title}, {model}", shown)
    if arguments.json:
        described = _described(experiment, bench, plan, results, len(bad))
        print(json.dumps({**described, "paper": table.papers_records()}, ensure_ascii=False))
    else:
        _print(table, arguments)
        if bad and not arguments.csv and not arguments.latex:
            print(f"\n{size(len(bad), 'broken tree')} skipped, first: {bad.first}")
    return BAD_INPUT if bad else SUCCESS


def _check_files(arguments: argparse.Namespace) -> None:
    """Find out before the work whether its results can be written."""
    if arguments.plot:
        plots.check_plot(arguments.plot)
        check_writable(Path(arguments.plot))
    if arguments.resume:
        check_writable(Path(arguments.resume))


def _measure(
    experiment: _Experiment, bench: Bench, plan: Sequence[Trial], resume: str | None, console: Console
) -> list[dict[str, Any]]:
    """Measure what the journal does not hold yet.

    Without a file of the user's own the journal stands in the cache, only until the experiment is finished.
    """
    configurations = bench.configurations(plan)
    if resume:
        journal = Journal(resume)
    else:
        name = f"{experiment.name}-{key_of({'all': configurations})}.jsonl"
        journal = Journal(cache_folder() / "experiments" / name, optional=True)
    known = sum(journal.find(configuration) is not None for configuration in configurations)
    if known:
        console.note(f"{known} of {len(plan)} results were measured before (in {journal.path})")
    if known < len(plan):
        compile_first(console)
    try:
        with console.bar("measuring") as bar:
            results = bench.run(plan, configurations, journal, bar.update)
    except BaseException:
        kept = sum(journal.find(configuration) is not None for configuration in configurations)
        if kept and not journal.problem:
            console.note(f"stopped; {kept} of {len(plan)} results are kept, and the same command goes on from there")
        raise
    if not resume:
        journal.remove()
    return results


def _described(
    experiment: _Experiment, bench: Bench, plan: Sequence[Trial], results: Sequence[dict[str, Any]], skipped: int
) -> dict[str, Any]:
    """Everything that was measured, as JSON."""
    return {
        "experiment": experiment.name,
        "model": bench.models.title,
        "test": {"corpora": bench.test.names, "trees": len(bench.test.trees)},
        "lengths": list(bench.lengths),
        "trials": [
            {
                "name": trial.name,
                "group": trial.group,
                "tags": trial.tags,
                "share": str(trial.share),
                "settings": trial.settings.as_dict(),
                **result,
            }
            for trial, result in zip(plan, results, strict=True)
        ],
        "skipped_trees": skipped,
    }


def _print(table: ResultTable, arguments: argparse.Namespace) -> None:
    print(table.csv() if arguments.csv else table.latex() if arguments.latex else table.text())


def run_distances(arguments: argparse.Namespace, console: Console) -> int:
    """Count, and print our row beside the paper's."""
    if arguments.plot:
        plots.check_plot(arguments.plot)
        check_writable(Path(arguments.plot))
    bad = BadTrees()
    rules = load_head_rules(arguments.head_rules)
    trees = read_treebank(arguments.treebanks, bad if arguments.skip_bad else None)
    with console.bar("reading trees") as bar:

        def watched() -> Iterator[Tree]:
            for count, tree in enumerate(trees):
                if count % 200 == 0:
                    bar.update(None, f"{count:,} trees")
                yield tree

        found = distances(watched(), rules)
    if not found.sentences:
        raise EngineError("there are no trees to count in; name a treebank that has some")
    name = ", ".join(corpus_name(source) for source in arguments.treebanks)
    if arguments.plot:
        plots.save(lambda: plots.distances_figure(found, name), arguments.plot)
    if arguments.json:
        print(json.dumps({**found.as_dict(), "skipped_trees": len(bad)}))
    elif arguments.csv or arguments.latex:
        _print(reports.distances_table(found, name), arguments)
    else:
        print(reports.distances_report(found))
        if bad:
            print(f"\n{size(len(bad), 'broken tree')} skipped, first: {bad.first}")
    return BAD_INPUT if bad else SUCCESS
