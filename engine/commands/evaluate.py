"""``parse-engine evaluate``: parse a treebank's sentences and compare with its trees."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from engine.commands.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_model,
    add_settings,
    add_treebanks,
    command,
    compile_first,
    model_path,
    settings_of,
)
from engine.commands.train import check_writable
from engine.errors import EngineError
from engine.measuring import Evaluation, MeasurerMaker, longest_of
from engine.model import Model
from engine.parallel import batches, ordered
from engine.parseval import table
from engine.progress import Console
from engine.treebank import BadTrees, read_treebank

BATCH = 32
DEFAULT_LENGTHS = (40, 100)

_DETAILS = """\
Every sentence is parsed from its gold words and tags.  LR, LP, F1, CBs, 0 CBs, <=2 CBs and complete match are those
of evalb with Collins's parameters; `Attached` is the share of the gold dependencies on the reduced sentence that the
parse has, whatever their label.  Sentences longer than every --max-length are left out."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "evaluate", run, "Parse a treebank's sentences and compare with its trees", _DETAILS)
    add_treebanks(parser)
    add_model(parser)
    parser.add_argument(
        "--max-length",
        type=_length,
        nargs="+",
        default=list(DEFAULT_LENGTHS),
        metavar="N",
        help="longest sentence in tokens, or `all`; a row of measures for each (default 40 100)",
    )
    parser.add_argument("--json", action="store_true", help="print the measures as one JSON object")
    parser.add_argument("--output", metavar="PARSES", help="write every parse to this file, one a line")
    add_jobs(parser, "parse")
    add_settings(parser)


def _length(text: str) -> int | None:
    if text == "all":
        return None
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not 1 or more")
    return number


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Parse and measure everything."""
    path, settings, lengths = model_path(arguments), settings_of(arguments), arguments.max_length
    if arguments.output:
        check_writable(Path(arguments.output))
    Model.load(path)
    bad = BadTrees()
    golds = [tree.brackets() for tree in read_treebank(arguments.treebanks, bad if arguments.skip_bad else None)]
    if not golds:
        raise EngineError("there is no tree to evaluate on")
    compile_first(console)
    # A file of parses has a line for every tree, so then no sentence is too long.
    maker = MeasurerMaker(path.resolve(), settings, None if arguments.output else longest_of(lengths))
    evaluation = Evaluation.of(lengths)
    started = time.perf_counter()
    with _written(arguments.output) as file, console.bar("parsing") as bar:
        done = 0
        for batch in ordered(maker, batches(golds, BATCH), arguments.jobs):
            for measured in batch:
                evaluation.add(measured)
                if file is not None:
                    file.write(measured.tree + "\n")
            done += len(batch)
            bar.update(done / len(golds), f"{done:,} of {len(golds):,} sentences")
    elapsed = time.perf_counter() - started
    if arguments.json:
        described = {
            "preset": arguments.preset,
            "settings": {key: value if value != float("inf") else None for key, value in asdict(settings).items()},
            "lengths": evaluation.as_dict(),
            "skipped_trees": len(bad),
            "left_out": evaluation.left_out,
            "sentences": evaluation.parsed,
            "seconds": elapsed,
            "sentences_per_second": _rate(evaluation),
        }
        print(json.dumps(described, ensure_ascii=False))
    else:
        print("\n".join(_report(evaluation, bad, elapsed)))
    return BAD_INPUT if bad else SUCCESS


def _rate(evaluation: Evaluation) -> float:
    """Sentences per second of parsing, one process."""
    return evaluation.parsed / evaluation.seconds if evaluation.seconds else 0.0


def _report(evaluation: Evaluation, bad: BadTrees, elapsed: float) -> list[str]:
    lines = [table(evaluation.summaries), ""]
    for length, count in evaluation.fallbacks.items():
        what = "all" if length is None else f"<={length}"
        lines.append(
            f"{count:,} of {evaluation.summaries[length].sentences:,} sentences ({what}) got a cover of fragments"
        )
    if evaluation.left_out:
        lines.append(f"{evaluation.left_out:,} trees left out: too long, or without words")
    if bad:
        lines.append(f"{len(bad):,} broken trees skipped, first: {bad.first}")
    rate = _rate(evaluation)
    lines.append(f"{evaluation.parsed:,} sentences in {elapsed:.1f} s; {rate:,.0f} sentences/s in one process")
    return lines


@contextmanager
def _written(path: str | None) -> Iterator[TextIO | None]:
    """A file written beside and renamed at the end, so that a failure leaves nothing behind."""
    if path is None:
        yield None
        return
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        beside.replace(target)
    except OSError as error:
        raise EngineError(f"{target}: cannot be written ({error.strerror or error})") from error
    finally:
        beside.unlink(missing_ok=True)
