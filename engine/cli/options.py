"""Options that several commands share, and what they mean."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.common.characters import made_text
from engine.common.errors import EngineError
from engine.common.parallel import Workers
from engine.common.resources import model_file
from engine.common.terminal import Console
from engine.compiled.cache import is_compiled, is_usable
from engine.estimates.counts_remark import NOT_THE_PAPERS, counts_remark
from engine.model.file_cache import ModelFile
from engine.model.model import Model
from engine.settings import (
    BEYOND_THE_PAPER,
    DEFAULT_PRESET,
    FULL_DISTANCE,
    ORDER_ONLY,
    PRESETS,
    SETTING_NAMES,
    Settings,
    preset_title,
)
from engine.study.provenance import BEST, DISTRIBUTION, GOLD, Provenance, fingerprint, tag_source
from engine.warm_up import compile_now

SUCCESS, BAD_INPUT, FATAL = 0, 1, 2
MOST_JOBS = 256

Run = Callable[[argparse.Namespace, Console], int]
Commands = Any
"""What ``ArgumentParser.add_subparsers`` returns; argparse has no public name for it."""


def command(commands: Commands, name: str, run: Run, summary: str, details: str = "") -> argparse.ArgumentParser:
    """Add a command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=f"{summary}.\n\n{details}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(run=run)
    return parser


MOST = 10**12
"""No whole number that is asked for is larger."""


def whole(low: int, high: int = MOST) -> Callable[[str], int]:
    """Return the type of an option that takes a whole number between two bounds."""

    def read(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            wanted = f"{low} or more" if high == MOST and number < low else f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"must be {wanted}, not {number}")
        return number

    read.__name__ = "whole number"
    return read


def add_treebanks(parser: argparse.ArgumentParser, may_skip: bool = True) -> None:
    """The treebanks to read, and what to do about broken trees where they matter."""
    parser.add_argument(
        "treebanks",
        nargs="+",
        metavar="TREEBANK",
        help="a file of bracketed trees, also gzipped, a folder of such files, or - for standard input",
    )
    if not may_skip:
        return
    parser.add_argument(
        "--skip-bad",
        action="store_true",
        help="leave broken trees out and count them (exit status 1) instead of stopping at the first",
    )


def add_jobs(parser: argparse.ArgumentParser, what: str, on_cluster: bool = True) -> None:
    """The number of processes, or the address of a cluster where the work may be done on one."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=whole(1, MOST_JOBS),
        default=1,
        metavar="N",
        help=f"{what} on N processes; the output is the same",
    )
    if not on_cluster:
        return
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=f"{what} on the workers of a dask scheduler, for instance tcp://10.0.0.5:8786; the output is the same; "
        "whoever answers there can run code on this machine",
    )
    parser.add_argument(
        "--cluster-certificates",
        metavar="FOLDER",
        help="with --cluster tls://…: a folder with ca.pem, cert.pem and key.pem, so that nobody else can answer",
    )


@contextmanager
def workers_of(arguments: argparse.Namespace, console: Console) -> Iterator[int | Workers]:
    """Give what does the work that the command line asks for: so many processes, or a cluster while the block runs."""
    if arguments.cluster is None:
        if arguments.cluster_certificates is not None:
            raise EngineError("--cluster-certificates goes with --cluster; name the scheduler, too")
        yield arguments.jobs
        return
    # Only who has a cluster needs what speaks to it.
    from engine.cluster.dask_cluster import Cluster

    with Cluster(arguments.cluster, console.warning, arguments.cluster_certificates) as cluster:
        yield cluster


def add_model(parser: argparse.ArgumentParser) -> None:
    """The model file."""
    parser.add_argument(
        "--model",
        metavar="M",
        help="a model file, made with `parse-engine train`, or a bundled model: english (default), classroom",
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The preset, and every switch of a preset alone; each is called what the window and the manual call it."""
    group = parser.add_argument_group("settings (a preset is the paper's model; each switch changes one part of it)")
    names = ", ".join(map(preset_title, PRESETS))
    group.add_argument(
        "--preset",
        type=int,
        choices=PRESETS,
        default=DEFAULT_PRESET,
        help=f"{names}; (1) to (4) are the paper's models, each adding to the one before (default: {DEFAULT_PRESET})",
    )

    def add(option: str, help: str, **how: Any) -> None:
        name = SETTING_NAMES[option.removeprefix("--").replace("-", "_")]
        group.add_argument(option, help=f"{name}: {help}", **how)

    switch = argparse.BooleanOptionalAction
    add("--beam", "the width β of section 4.1, greater than 1; inf: no beam (default 1000)", type=float, metavar="BETA")
    add("--punctuation-rule", "the rule of section 2.7 on commas between children", action=switch)
    add("--ignore-tags", "tags are ignored where there are words (section 2.7)", action=switch)
    add("--distance", "all six questions of section 2.3, or the first alone", choices=(FULL_DISTANCE, ORDER_ONLY))
    add(
        "--tag-factor",
        "tags left open are those at least 1/F as probable as a word's best (default 20; preset 5: 100)",
        type=float,
        metavar="F",
    )
    add("--lexical", "look at words, not at tags alone (Table 4)", action=switch)
    add("--recursion", "preset 5: all levels of back-off mixed, down to order alone", action=switch)
    add("--contexts", "preset 5: dependencies look at neighbouring tags", action=switch)
    add("--gap-contexts", "preset 5: gaps look at neighbouring tags", action=switch)
    add("--unary-contexts", "preset 5: unaries look at neighbouring tags and words", action=switch)
    add("--extended-rule", "preset 5: CC or a closing bracket counts as the second comma", action=switch)
    add("--balanced-brackets", "preset 5: no constituent has one bracket of a pair without the other", action=switch)
    add("--treebank-weights", "preset 5: each treebank counts as often as the model's weights say", action=switch)
    add(
        "--expected-f1",
        "preset 5: of the re-ranked parses, choose the one with the greatest expected F1, not the highest score",
        action=switch,
    )
    add(
        "--further-backoff",
        "presets 1 to 4: where no tree is found, parse again with one more level of back-off, a reduced "
        "distance (default); --no-further-backoff follows the paper to the letter",
        action=switch,
    )
    add(
        "--rerank",
        "have the model's re-ranker, if it has one, re-order the N best parses (preset 5: 100); 0: do without it",
        type=int,
        metavar="N",
    )
    add(
        "--literal-beam",
        "the beam exactly as the paper prints it: it spares no span and no unary, and is no wider for a list of parses",
        action="store_true",
        default=None,
    )
    add(
        "--threshold",
        "log probability at which the search's constant threshold starts (default -20; with a beam up to 1e5 -60)",
        type=float,
        metavar="LOGP",
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the settings that the command line asks for."""
    names = (
        "beam",
        "punctuation_rule",
        "ignore_tags",
        "distance",
        "lexical",
        "tag_factor",
        "literal_beam",
        "threshold",
        "rerank",
        "further_backoff",
        *BEYOND_THE_PAPER,
    )
    given = {name: getattr(arguments, name) for name in names}
    return Settings.preset(arguments.preset, **{name: value for name, value in given.items() if value is not None})


def add_tags(parser: argparse.ArgumentParser, default: str) -> None:
    """Where tags come from."""
    parser.add_argument(
        "--tags",
        choices=(GOLD, BEST, DISTRIBUTION),
        help="gold: every token brings its tag; best: the tagger's best sequence; distribution: tags left "
        f"open, the parser chooses among the tagger's (default: {default})",
    )


def tags_of(arguments: argparse.Namespace, settings: Settings, gold: bool) -> tuple[str, Settings]:
    """Return where tags come from, and the settings with that.

    Parameters
    ----------
    arguments, settings
        What the command line asks for.
    gold
        Whether the input has tags: then they are taken unless something else is asked for.
    """
    return tag_source(settings, arguments.tags or (GOLD if gold else None))


def need_tagger(model: Model, what: str) -> None:
    """Find out before the work that a model has no tagger."""
    if model.tagger is None:
        raise EngineError(f"the model has no tagger, which {what} needs; train one without --no-tagger")


def provenance_of(arguments: argparse.Namespace, model: Model, settings: Settings, tags: str) -> Provenance:
    """Under what the command judges: the line that its reports carry."""
    name = made_text(model_path(arguments).stem)
    return Provenance(name, settings, tags, arguments.preset, fingerprint(model))


def model_path(arguments: argparse.Namespace) -> Path:
    """Return where the model is."""
    path = model_file(arguments.model)
    if path is None:
        raise EngineError("there is no model to work with; name one with --model M (`parse-engine train` makes one)")
    return path


_models: list[ModelFile] = []
"""The files of models that the command has opened."""


def load_model(arguments: argparse.Namespace) -> Model:
    """Open the model that the command line names."""
    return open_model(model_path(arguments))


def open_model(path: Path) -> Model:
    """Open a model for a command, which tells if its file is changed meanwhile."""
    model = Model.load(path)
    if model.file is not None:
        _models.append(model.file)
    return model


def take_changed_models() -> list[str]:
    """Say of each model that is no longer what it was when the command opened it, in one sentence, once."""
    changed = [file.path for file in _models if file.is_changed]
    _models.clear()
    return [
        f"{path}: the model file was changed while it was in use; the results are those of the model as it was before"
        for path in dict.fromkeys(changed)
    ]


def note_counts(console: Console, model: Model, settings: Settings) -> None:
    """Say so if the counts of the model are not those that the settings speak of."""
    remark = counts_remark(model, settings)
    if remark.startswith(NOT_THE_PAPERS):
        console.note(remark)


def compile_first(console: Console) -> None:
    """Have the kernels compiled before work that is too much for uncompiled ones."""
    if is_compiled():
        return
    if is_usable():
        console.note("compiling the parser's inner loops for this machine, which happens once and takes about a minute")
    compile_now()
