"""``parse-engine train``: a treebank in, a model file out."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from engine.cli.options import BAD_INPUT, SUCCESS, Commands, add_jobs, add_treebanks, command, compile_first, workers_of
from engine.common.errors import EngineError
from engine.common.progress import Console
from engine.compiled.cache import is_compiled
from engine.counts.counting import table_sizes
from engine.model.model import Model
from engine.training.training import train
from engine.trees.treebank import BadTrees

_MOST_REASONS = 10


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
        type=int,
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
    add_jobs(parser, "read the treebanks, and parse them for the re-ranker,")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Train, save, and say what was used."""
    output = Path(arguments.output)
    check_writable(output)
    bad = BadTrees()
    started = time.perf_counter()
    if arguments.rerank:
        # Every process would compile what it needs for itself.
        compile_first(console)
    elif not is_compiled():
        console.note("compiling the counting loops for this machine, which happens once and takes part of a minute")
    with workers_of(arguments, console) as workers, console.bar("reading trees") as bar:
        model = train(
            arguments.treebanks,
            head_rules=arguments.head_rules,
            on_bad=bad if arguments.skip_bad else None,
            credits=arguments.credit,
            weights=arguments.weights,
            tagger=arguments.tagger,
            rerank=arguments.rerank,
            compact=arguments.compact,
            jobs=workers,
            progress=bar.stage,
        )
        trained = time.perf_counter()
        bar.stage("writing", 0.0)
        model.save(output, packed=arguments.packed or arguments.compact)
    finished = time.perf_counter()
    print("\n".join(summary(model, bad)))
    print(f"model       {output}, {size_text(output.stat().st_size)}")
    print(f"time        {finished - started:.1f} s, {finished - trained:.1f} s of it writing")
    return BAD_INPUT if bad else SUCCESS


def check_writable(path: Path) -> None:
    """Find out before the work whether its result can be written."""
    folder = path.parent
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder; name a file to write")
    if path.exists() and not path.is_file():
        raise EngineError(f"{path}: this is a device, not a file; name a file to write")
    if not folder.is_dir():
        raise EngineError(f"{path}: there is no folder {folder} to write it in")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise EngineError(f"{path}: you have no permission to write in the folder {folder}")


def summary(model: Model, bad: BadTrees) -> list[str]:
    """What was used, what was left out and why, and what came of it."""
    about, vocabulary = model.metadata, model.vocabulary
    without_words = about["trees"] - about["sentences"]
    lines = [
        f"sentences   {about['sentences']:,} used of {about['trees'] + len(bad):,} trees",
        f"skipped     {len(bad) + without_words:,}",
    ]
    if without_words:
        lines.append(f"            {without_words:,} × nothing but traces and punctuation")
    reasons = bad.reasons.most_common()
    for reason, count in reasons[:_MOST_REASONS]:
        lines.append(f"            {count:,} × {reason}")
    if len(reasons) > _MOST_REASONS:
        others = sum(count for _, count in reasons[_MOST_REASONS:])
        lines.append(f"            {others:,} × for {len(reasons) - _MOST_REASONS:,} other reasons")
    if bad.first is not None:
        lines.append(f"            first: {bad.first}")
    lines += [
        f"words       {about['words']:,} ({len(vocabulary.words):,} different)",
        f"tags        {len(vocabulary.tags):,}",
        f"labels      {len(vocabulary.labels) - 1:,}",
        f"triples     {len(vocabulary.triples):,}",
        f"contexts    {sum(size for _, size, _ in table_sizes(model.counts)):,}",
        f"tagger      {tagger_text(model)}",
        f"re-ranker   {reranker_text(model)}",
    ]
    return lines


def tagger_text(model: Model) -> str:
    """What a model's tagger learnt, or why there is none."""
    if model.tagger is None:
        return f"none ({model.metadata.get('without_tagger', 'no reason given')})"
    size = sum(array.nbytes for array in model.tagger.arrays().values())
    trained = model.tagger.metadata()["training"]
    return (
        f"{len(model.tagger.tags):,} tags, {len(model.tagger.arrays()['keys']):,} features, {size_text(size)}, "
        f"from {trained['words']:,} tokens"
    )


def reranker_text(model: Model) -> str:
    """What a model's re-ranker learnt, or that there is none."""
    if model.reranker is None:
        return "none"
    return f"{len(model.reranker.keys):,} features, from {model.reranker.metadata['lists']:,} lists of parses"


def size_text(size: int) -> str:
    """A file's size: ``12.3 MB``."""
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"
