"""``parse-engine systems``: several parsers on one treebank, with intervals and tests."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from engine.cli.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_model,
    add_settings,
    add_tags,
    add_treebanks,
    command,
    compile_first,
    model_path,
    need_tagger,
    note_counts,
    open_model,
    settings_of,
    tags_of,
    whole,
)
from engine.common.characters import made_text
from engine.common.errors import EngineError
from engine.common.files import check_outputs
from engine.common.numbers import size
from engine.common.terminal import Arguments, Console
from engine.model.model import Model
from engine.settings import PRESETS
from engine.study import plots
from engine.study.plots import scatter_figure
from engine.study.provenance import GOLD
from engine.study.significance import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, DEFAULT_SEED, check_resampling
from engine.trees.treebank import BadTrees, read_treebank

# What compares is imported when it is asked for: the other commands start without it.
if TYPE_CHECKING:
    from engine.study.systems import ModelSystem, System
    from engine.study.systems_report import SystemsReport

TREES = "trees:"
DEFAULT_LENGTH = 100
DEFAULT_MOST = 5
SHOWN_PROBLEMS = 10
_TABLES = ("system", "pair", "length", "error", "sentence")

_DETAILS = """\
Two systems or more parse the sentences of a treebank, and every two are compared:

    --presets 3 5                  two presets of the model
    --system narrow=preset:5,beam:10,tags:best
                                   a name, and any of the settings of `evaluate`, each as option:value; a switch has no
                                   value (extended-rule, no-extended-rule); model:FILE is another model
    --system other=trees:FILE      another parser's trees, one a line in the order of the treebank; an empty line, () or
                                   (()) is a sentence without a parse
    --trees FILE                   the same, called by the name of the file

LR, LP, F1, CBs and complete match have confidence intervals (percentile bootstrap over sentences).  Each pair has the
difference with its interval, p of a paired bootstrap and of a sign-flip test (approximate randomisation), both
two-sided, and wins, ties and losses by sentence with an exact sign test; by length and by error class, too.  The same
seed gives the same numbers.  A tree of a file is normalised as gold trees are (traces, function tags, punctuation as
PARSEVAL); other spellings of brackets, quotes and capitals are the same words.  A sentence whose tokens differ stops
the command, which names the tokens; with --skip-bad it is left out of all systems and reported."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    summary = "Compare several parsers on a treebank, with confidence intervals and tests"
    parser = command(commands, "systems", run, summary, _DETAILS)
    add_treebanks(parser)
    parser.add_argument("--presets", type=int, choices=PRESETS, nargs="+", default=[], help="a system for each preset")
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="NAME=WHAT",
        help="a system: NAME=preset:5,beam:100 or NAME=trees:FILE; give it once for each",
    )
    parser.add_argument("--trees", nargs="+", default=[], metavar="FILE", help="another parser's trees, a system each")
    add_model(parser)
    add_tags(parser, GOLD)
    parser.add_argument(
        "--max-length",
        type=whole(1),
        default=DEFAULT_LENGTH,
        metavar="N",
        help=f"leave out sentences of more than N tokens (default {DEFAULT_LENGTH})",
    )
    parser.add_argument(
        "--resamples",
        type=whole(100, 1_000_000),
        default=DEFAULT_RESAMPLES,
        metavar="N",
        help=f"how many times sentences are drawn again, with replacement (default {DEFAULT_RESAMPLES:,})",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=DEFAULT_CONFIDENCE,
        metavar="PERCENT",
        help=f"confidence of the intervals (default {DEFAULT_CONFIDENCE:g})",
    )
    parser.add_argument(
        "--seed",
        type=whole(0),
        default=DEFAULT_SEED,
        metavar="N",
        help=f"where the random numbers start (default {DEFAULT_SEED})",
    )
    parser.add_argument(
        "--by",
        choices=_TABLES,
        nargs="+",
        help="which tables: a row for each of these (default: system pair length error; with --csv system)",
    )
    parser.add_argument(
        "--most",
        type=whole(0),
        default=DEFAULT_MOST,
        metavar="N",
        help=f"how many of each pair's largest wins and losses are listed (default {DEFAULT_MOST})",
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print everything, sentence by sentence, as one JSON object")
    forms.add_argument("--csv", action="store_true", help="print one table as comma-separated values")
    forms.add_argument("--latex", action="store_true", help="print the tables as LaTeX tabulars")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help=f"draw F1 against F1 of the first two systems ({' '.join(plots.PLOT_SUFFIXES)}); needs matplotlib",
    )
    add_jobs(parser, "parse", on_cluster=False)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Run and compare everything."""
    from engine.study.systems import check_systems
    from engine.study.systems_report import compare_systems

    systems = systems_of(arguments)
    check_systems(systems)
    check_resampling(arguments.resamples, arguments.confidence)
    if arguments.csv and len(arguments.by or []) > 1:
        raise EngineError("--csv prints one table; name one with --by")
    if arguments.plot is not None:
        plots.check_plot(arguments.plot)
        check_outputs([arguments.plot], arguments.treebanks, arguments.trees, [arguments.model])
    _check_models(systems, console)
    bad = BadTrees()
    golds = list(read_treebank(arguments.treebanks, bad if arguments.skip_bad else None))
    compile_first(console)
    with console.bar("comparing") as bar:
        report = compare_systems(
            golds,
            systems,
            longest=arguments.max_length,
            skip_bad=arguments.skip_bad,
            jobs=arguments.jobs,
            resamples=arguments.resamples,
            confidence=arguments.confidence,
            seed=arguments.seed,
            progress=bar.update,
        )
    test = ", ".join(Path(name).name for name in arguments.treebanks)
    if arguments.plot:
        _draw(report, test, arguments.plot)
    if arguments.json:
        described = {**report.as_dict(), "skipped_trees": len(bad)}
        print(json.dumps(described, ensure_ascii=False, allow_nan=False))
    else:
        _print(report, test, arguments)
        remarks = _remarks(report, bad)
        if arguments.csv or arguments.latex:
            # Beside the table, which another program may read.
            for line in remarks:
                console.note(line)
        elif remarks:
            print("\n" + "\n".join(remarks))
    return BAD_INPUT if bad or report.problems else SUCCESS


class _SystemArguments(Arguments):
    """Reads the settings of one system; what is wrong with them is told with its name."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong."""
        raise EngineError(f"{self.prog}: {message}; `parse-engine evaluate --help` lists all settings")


def systems_of(arguments: argparse.Namespace) -> list[System]:
    """Return the systems that the command line names, in the order presets, systems, files of trees."""
    from engine.study.systems import TreesSystem

    found: list[System] = [
        _model_system(f"preset {preset}", [f"preset:{preset}"], arguments) for preset in arguments.presets
    ]
    for text in arguments.system:
        name, given, what = text.partition("=")
        name = made_text(name)
        if not given or not name.strip() or not what.strip():
            raise EngineError(f"--system {shlex.quote(text)}: write NAME=preset:5,beam:100 or NAME=trees:FILE")
        if what.startswith(TREES):
            found.append(TreesSystem(name.strip(), Path(what.removeprefix(TREES))))
        else:
            found.append(_model_system(name.strip(), what.split(","), arguments))
    found += [TreesSystem(made_text(Path(file).name), Path(file)) for file in arguments.trees]
    return found


def _model_system(name: str, settings: Sequence[str], arguments: argparse.Namespace) -> ModelSystem:
    """Return a system from settings as option:value, by the very options of the other commands."""
    from engine.study.systems import ModelSystem

    parser = _SystemArguments(f"--system {name}", add_help=False, allow_abbrev=False)
    add_model(parser)
    add_tags(parser, GOLD)
    add_settings(parser)
    words = []
    for setting in settings:
        option, given, value = setting.strip().partition(":")
        option = f"--{option.replace('_', '-')}"
        words.append(f"{option}={value}" if given else option)
    chosen = parser.parse_args(words)
    chosen.model = chosen.model or arguments.model
    chosen.tags = chosen.tags or arguments.tags
    tags, made = tags_of(chosen, settings_of(chosen), gold=True)
    return ModelSystem(name, model_path(chosen), made, chosen.preset, tags)


def _check_models(systems: Sequence[System], console: Console) -> None:
    """Find out before the work that a model cannot be used."""
    from engine.study.systems import ModelSystem

    models: dict[Path, Model] = {}
    for system in systems:
        if isinstance(system, ModelSystem):
            if system.model not in models:
                models[system.model] = open_model(system.model)
            model = models[system.model]
            note_counts(console, model, system.settings)
            if system.tags != GOLD:
                need_tagger(model, f"{system.name} with tags {system.tags}")


def _draw(report: SystemsReport, test: str, path: str) -> None:
    from engine.study.systems_report import chance_text, interval_text

    pair = report.pairs[0]
    names = (report.names[pair.first], report.names[pair.second])
    told = interval_text(pair.f1.difference, 2)
    difference = f"F1 {names[0]} − {names[1]}: {told}, p {chance_text(pair.f1.sign_flip_p)}"
    scores = [(row.f1[pair.first], row.f1[pair.second]) for row in report.rows]
    plots.save(lambda: scatter_figure(scores, names, test, difference), path)


def _print(report: SystemsReport, test: str, arguments: argparse.Namespace) -> None:
    from engine.study.systems_report import largest_table, systems_tables

    if arguments.csv:
        print(systems_tables(report, arguments.by or _TABLES[:1], test)[0].csv())
        return
    tables = systems_tables(report, arguments.by or _TABLES[:-1], test)
    if arguments.latex:
        print("\n\n".join(table.latex() for table in tables))
        return
    if not arguments.by and arguments.most:
        for pair in report.pairs:
            tables += [largest_table(report, pair, wins, arguments.most) for wins in (True, False)]
    print("\n\n".join(table.text() for table in tables))


def _remarks(report: SystemsReport, bad: BadTrees) -> list[str]:
    """Return what was left out, and what was taken for the same."""
    lines = []
    for result in report.results:
        if result.respelled:
            words = size(result.respelled, "token")
            lines.append(
                f"{result.name}: {words} spelled differently (quotes, brackets, capitals), which does not count"
            )
        if result.surplus:
            lines.append(f"{result.name}: {size(result.surplus, 'tree')} left out, to which no gold tree belongs")
    if report.problems:
        lines.append(f"{size(report.left_out, 'sentence')} left out of all systems:")
        lines += [f"- {problem}" for problem in report.problems[:SHOWN_PROBLEMS]]
        if len(report.problems) > SHOWN_PROBLEMS:
            lines.append(f"- and {len(report.problems) - SHOWN_PROBLEMS:,} more (--json lists all)")
    if report.too_long:
        lines.append(f"{size(report.too_long, 'tree')} left out: too long, or without a word")
    if bad:
        lines.append(f"{size(len(bad), 'broken tree')} skipped, first: {bad.first}")
    return lines
