"""``parse-engine cluster-cost``: what a corpus would take on a cluster."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields

from engine.cli.options import SUCCESS, Commands, command, whole
from engine.cluster.batches import GIGABIT, ClusterCost, Prediction
from engine.common.errors import EngineError
from engine.common.numbers import number
from engine.common.tables import text_table
from engine.common.terminal import Console

DEFAULT_WORKERS = (1, 2, 4, 8, 16, 32, 64, 128)
_MEANINGS = {
    "words_per_sentence": "words of a sentence",
    "worker_ms": "milliseconds of a worker for a sentence",
    "client_ms": "milliseconds of the client for a sentence",
    "scheduler_ms": "milliseconds of the scheduler for a batch of half a second",
    "sent_bytes": "bytes to the workers for a sentence",
    "received_bytes": "bytes back for a sentence",
    "model_bytes": "bytes of the model's file",
    "start_seconds": "seconds until the first sentence is parsed",
}
_DETAILS = """\
Workers, client, scheduler and network are at work at the same time, so the slowest of them decides.  The figures were
measured on one machine with preset 3; tests/benchmarks/cluster_cost.py measures yours and prints the options."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "cluster-cost", run, "Predict what a corpus takes on a cluster", _DETAILS)
    parser.add_argument("--words", type=_positive, default=1e9, metavar="N", help="words of the corpus (default 1e9)")
    parser.add_argument(
        "--workers",
        type=whole(1),
        nargs="+",
        default=list(DEFAULT_WORKERS),
        metavar="N",
        help="how many workers; a row for each (default 1 to 128)",
    )
    parser.add_argument("--per-machine", type=whole(1), default=8, metavar="N", help="workers on a machine (default 8)")
    parser.add_argument(
        "--link", type=_positive, default=GIGABIT, metavar="B", help="bytes a second of the network (default 125e6)"
    )
    parser.add_argument(
        "--cores", type=whole(1), metavar="N", help="scheduler, workers and client share one machine with N cores"
    )
    for field in fields(ClusterCost):
        option = f"--{field.name.replace('_', '-')}"
        help_ = f"{_MEANINGS[field.name]} (default {field.default:g})"
        parser.add_argument(option, type=_positive, default=field.default, metavar="X", help=help_)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be greater than 0, not {text}")
    return value


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Predict and print."""
    cost = ClusterCost(**{field.name: getattr(arguments, field.name) for field in fields(ClusterCost)})
    found = [
        cost.predict(arguments.words, workers, arguments.per_machine, arguments.link, arguments.cores)
        for workers in arguments.workers
    ]
    if any(one.seconds > 1e12 or one.wire_bytes > 1e18 for one in found):
        raise EngineError("that would take longer than the age of the universe; name fewer words")
    if arguments.json:
        print(json.dumps({"words": arguments.words, "predictions": [one._asdict() for one in found]}))
        return SUCCESS
    sentences = arguments.words / cost.words_per_sentence
    print(f"{arguments.words:,.0f} words, {sentences:,.0f} sentences")
    print()
    rows = [_row(one, sentences) for one in found]
    print(text_table(("workers", "time", "sentences/s", "decided by", "sent"), rows, right=(0, 1, 2, 4)))
    return SUCCESS


def _row(one: Prediction, sentences: float) -> tuple[str, ...]:
    rate = sentences / one.seconds
    return str(one.workers), duration(one.seconds), f"{rate:,.0f}", one.limit, f"{number(one.wire_bytes / 1e9, 1)} GB"


def duration(seconds: float) -> str:
    """Return a time as a person says it: ``45 s``, ``12 min``, ``15.4 h``, ``3.1 d``."""
    for unit, size, digits in (("d", 86400.0, 1), ("h", 3600.0, 1), ("min", 60.0, 0)):
        if seconds >= 2 * size:
            return f"{number(seconds / size, digits)} {unit}"
    return f"{seconds:.0f} s"
