"""``parse-engine experiment``: the paper's tables for any treebank."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
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
from engine.common.errors import EngineError
from engine.common.files import check_outputs
from engine.common.numbers import size
from engine.common.tables import Table
from engine.common.terminal import Console
from engine.settings import PRESETS
from engine.study import paper_tables as reports
from engine.study import paper_tables as trials
from engine.study import plots
from engine.study.experiment_run import ExperimentRun, Supervision
from engine.study.experiments import EXPERIMENTS, LENGTHS, MODELS, TAGS, Experiment, ExperimentOptions
from engine.study.journal import Journal
from engine.study.paper_tables import distances
from engine.study.provenance import AUTOMATIC, BEST, DISTRIBUTION, GOLD
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


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "experiment", run_distances, "Repeat an experiment of the paper on any treebank")
    experiments = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    summary = "Tables 1 and 2 and the share of commas that obey the comma rule"
    chosen = command(experiments, "distances", run_distances, summary, _DISTANCES)
    add_treebanks(chosen)
    _add_head_rules(chosen)
    _add_output(chosen)
    for name, add_options in _OPTIONS.items():
        experiment = EXPERIMENTS[name]
        chosen = command(experiments, name, run, experiment.summary, _MEASURED)
        _add_measured(chosen, experiment, add_options)


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


def _add_measured(
    parser: argparse.ArgumentParser, experiment: Experiment, add_options: Callable[[argparse.ArgumentParser], None]
) -> None:
    parser.set_defaults(experiment=experiment)
    treebanks = "files, folders, or - for standard input"
    models = parser.add_mutually_exclusive_group(required=True)
    models.add_argument("--train", nargs="+", metavar="TREEBANK", help=f"train on these: {treebanks}")
    ready = "model file or a bundled model, in place of training one"
    if MODELS in experiment.several:
        models.add_argument("--models", nargs="+", metavar="M", help=f"each a {ready}")
        parser.add_argument("test", nargs="+", metavar="TEST", help=f"measure on these: {treebanks}")
    else:
        if not experiment.needs_training:
            models.add_argument("--model", dest="models", nargs=1, metavar="M", help=f"a {ready}")
        parser.add_argument(
            "--test", nargs="+", required=True, metavar="TREEBANK", help=f"measure on these: {treebanks}"
        )
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave broken trees out and count them instead of stopping at the first"
    )
    _add_head_rules(parser)
    add_options(parser)
    if TAGS in experiment.several:
        parser.add_argument(
            "--tags",
            nargs="+",
            choices=(AUTOMATIC, GOLD, BEST, DISTRIBUTION),
            default=[AUTOMATIC],
            help="where tags come from, one or several; auto: the tagger's best, with presets 4 and 5 its "
            "distributions (default auto)",
        )
    else:
        add_tags(parser, "best; distribution with presets 4 and 5")
    length = parser.add_argument(
        "--max-length",
        type=whole(1),
        metavar="N",
        default=[100],
        nargs=1,
        help="longest sentence in tokens (default 100)",
    )
    if LENGTHS in experiment.several:
        length.nargs, length.default = "+", list(trials.PAPER_LENGTHS)
        length.help = "longest sentences in tokens, each measured by itself (default 40 100)"
    add_jobs(parser, "train and parse")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="take from this file what was measured before, and add to it what is measured now",
    )
    _add_output(parser)


def _add_several_presets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--presets", type=int, choices=PRESETS, nargs="+", default=list(PRESETS), help="which models (default: all)"
    )


def _add_presets(parser: argparse.ArgumentParser) -> None:
    _add_several_presets(parser)
    _add_beam(parser)


def _add_preset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        dest="presets",
        type=int,
        nargs=1,
        choices=PRESETS,
        default=[trials.PAPER_MODEL],
        help=f"which model (default {trials.PAPER_MODEL})",
    )


def _add_beam(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--beam", dest="beams", type=float, nargs=1, default=[1000.0], metavar="BETA", help="β (default 1000)"
    )


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


def _add_grid(parser: argparse.ArgumentParser) -> None:
    _add_several_presets(parser)
    parser.add_argument(
        "--beams", type=float, nargs="+", default=[1000.0], metavar="BETA", help="which β (default 1000)"
    )
    parser.add_argument(
        "--axis",
        choices=plots.GRID_AXES,
        default="",
        help="the horizontal axis of --plot (default: the first of these that has several values)",
    )


_OPTIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "models": _add_presets,
    "ablation": _add_preset_and_beam,
    "beam": _add_beams,
    "learning-curve": _add_learning,
    "grid": _add_grid,
}
"""What an experiment adds to the options that all have."""


def options_of(arguments: argparse.Namespace) -> ExperimentOptions:
    """Return what the command line asks for."""
    if arguments.head_rules and not arguments.train:
        raise EngineError("--head-rules is for training: name treebanks with --train, or leave it out")
    tags = arguments.tags if isinstance(arguments.tags, list) else [arguments.tags or AUTOMATIC]
    given = vars(arguments)
    return ExperimentOptions(
        arguments.experiment.name,
        tuple(arguments.test),
        train=tuple(arguments.train or ()),
        models=tuple(given.get("models") or ()),
        presets=tuple(arguments.presets),
        beams=tuple(arguments.beams),
        tags=tuple(tags),
        lengths=tuple(arguments.max_length),
        halvings=given.get("halvings", 0),
        literal_beam=given.get("literal_beam", False),
        head_rules=arguments.head_rules,
        skip_bad=arguments.skip_bad,
        jobs=arguments.jobs,
        axis=given.get("axis", ""),
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Measure every trial, and show the results."""
    options = options_of(arguments)
    # A mistake in what is asked for comes before one in the files.
    options.definition.plan(options)
    _check_files(arguments)
    with workers_of(arguments, console) as workers:
        opened = ExperimentRun.open(options, workers)
        results = _measure(opened, arguments.resume, console)
    if arguments.plot:
        plots.save(lambda: opened.figure(results), arguments.plot)
    table, bad = opened.table(results), opened.bad
    if arguments.json:
        described = _described(opened, results)
        print(
            json.dumps(
                {**described, "paper": table.papers_records(), "differences": table.difference_records()},
                ensure_ascii=False,
            )
        )
    else:
        _print(table, arguments)
        skipped = f"{size(len(bad), 'broken tree')} skipped, first: {bad.first}"
        if bad and (arguments.csv or arguments.latex):
            # Beside the table, which another program may read.
            console.note(skipped)
        elif bad:
            print(f"\n{skipped}")
    return BAD_INPUT if bad else SUCCESS


def _check_files(arguments: argparse.Namespace) -> None:
    """Find out before the work whether its results can be written."""
    if arguments.plot is not None:
        plots.check_plot(arguments.plot)
    named = [getattr(arguments, name, None) for name in ("model", "test", "train")]
    inputs = [one if isinstance(one, list) else [one] for one in named]
    check_outputs([arguments.plot, arguments.resume], *inputs)


def _measure(opened: ExperimentRun, resume: str | None, console: Console) -> list[dict[str, Any]]:
    """Measure what the journal does not hold yet.

    Without a file of the user's own the journal stands in the cache, only until the experiment is finished.
    """
    journal = Journal(resume) if resume else opened.journal()
    for problem in filter(None, (journal.damage, journal.problem)):
        console.warning(problem)
    known, count = opened.known(journal), len(opened.plan)
    if known:
        console.note(f"{known} of {count} results were measured before (in {journal.path})")
    if known < count:
        compile_first(console)
    try:
        with console.bar("measuring") as bar:
            results = opened.measure(journal, Supervision(bar.update))
    except BaseException:
        kept = opened.known(journal)
        if kept and not journal.problem:
            console.note(f"stopped; {kept} of {count} results are kept, and the same command goes on from there")
        raise
    if not resume:
        journal.remove()
    return results


def _described(opened: ExperimentRun, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Everything that was measured, as JSON."""
    bench = opened.bench
    return {
        "experiment": opened.experiment.name,
        "model": bench.title,
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
            for trial, result in zip(opened.plan, results, strict=True)
        ],
        "skipped_trees": len(opened.bad),
    }


def _print(table: Table, arguments: argparse.Namespace) -> None:
    print(table.csv() if arguments.csv else table.latex() if arguments.latex else table.text())


def run_distances(arguments: argparse.Namespace, console: Console) -> int:
    """Count, and print our row beside the paper's."""
    if arguments.plot is not None:
        plots.check_plot(arguments.plot)
    check_outputs([arguments.plot], arguments.treebanks)
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
