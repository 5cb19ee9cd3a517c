"""``parse-engine train``: a treebank in, a model file out."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from engine.cli.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_treebanks,
    command,
    compile_first,
    whole,
    workers_of,
)
from engine.common.files import check_outputs
from engine.common.terminal import Console
from engine.compiled.cache import is_compiled
from engine.model.model import RUN_RECORD
from engine.model.vocabulary_file import LARGEST_WEIGHT
from engine.training.summary import size_text, summary_dict, summary_lines
from engine.training.train import READING_STAGE, WRITING_STAGE, TrainingOptions, run_training
from engine.trees.treebank import BadTrees


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "train", run, "Train a model on treebanks and write it to a file")
    add_treebanks(parser)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the file to write")
    parser.add_argument(
        "--head-rules", metavar="FILE", help="a table of head rules to use in place of the built-in one"
    )
    parser.add_argument(
        "--credit",
        action="append",
        default=[],
        metavar="TEXT",
        help="a line of credit to keep in the model; may be given several times",
    )
    parser.add_argument(
        "--no-tagger",
        dest="tagger",
        action="store_false",
        help="leave the tagger out: the model then reads tagged sentences only",
    )
    parser.add_argument(
        "--weights",
        type=whole(1, LARGEST_WEIGHT),
        nargs="+",
        default=[],
        metavar="N",
        help="how many times the trees of each treebank count in preset 5, one number for each treebank "
        "(default: once); in presets 1 to 4 every tree counts once",
    )
    parser.add_argument(
        "--rerank",
        action="store_true",
        help="train a re-ranker of whole trees as well, by cross-validation (minutes)",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="leave out contexts that hardly change an estimate, and pack the file: presets 1 to 4 are then no longer "
        "exactly the paper's",
    )
    parser.add_argument(
        "--packed",
        action="store_true",
        help="write a small file, with all counts in it: it is unpacked into the cache folder when it is first used",
    )
    parser.add_argument(
        "--no-record",
        dest="record",
        action="store_false",
        help="keep no record of date, time and memory in the model: the same trees then make the very same file",
    )
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    add_jobs(parser, "read the treebanks, and parse them for the re-ranker,")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Train, save, and say what was used."""
    output = Path(arguments.output)
    check_outputs([arguments.output], arguments.treebanks)
    bad = BadTrees()
    started = time.perf_counter()
    if arguments.rerank:
        # Every process would compile what it needs for itself.
        compile_first(console)
    elif not is_compiled():
        console.note("compiling the counting loops for this machine, which happens once and takes part of a minute")
    options = TrainingOptions(
        treebanks=tuple(arguments.treebanks),
        output=arguments.output,
        head_rules=arguments.head_rules,
        skip_bad=arguments.skip_bad,
        credits=tuple(arguments.credit),
        weights=tuple(arguments.weights),
        tagger=arguments.tagger,
        rerank=arguments.rerank,
        compact=arguments.compact,
        packed=arguments.packed,
        jobs=arguments.jobs,
        record=arguments.record,
    )
    writing = started
    with workers_of(arguments, console) as workers, console.bar(READING_STAGE) as bar:

        def progress(stage: str, share: float) -> None:
            nonlocal writing
            writing = time.perf_counter() if stage == WRITING_STAGE else writing
            bar.stage(stage, share)

        model = run_training(options, progress, bad, workers=workers)
    finished = time.perf_counter()
    if arguments.json:
        print(json.dumps(summary_dict(model, output), ensure_ascii=False, indent=2))
        return BAD_INPUT if bad else SUCCESS
    print(named_lines(summary_lines(model, bad)))
    print(f"model       {output}, {size_text(output.stat().st_size)}")
    print(f"time        {finished - started:.1f} s, {finished - writing:.1f} s of it writing")
    memory = model.metadata.get(RUN_RECORD, {}).get("memory_bytes")
    if memory:
        print(f"memory      {size_text(memory)}")
    return BAD_INPUT if bad else SUCCESS


def named_lines(lines: Sequence[tuple[str, str]]) -> str:
    """Names and texts in two columns."""
    return "\n".join(f"{name:11} {text}" for name, text in lines)
