"""``parse-engine info``: what is in a model file."""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

from engine import storage
from engine.commands.options import SUCCESS, Commands, command
from engine.commands.train import size_text
from engine.kernels import data
from engine.ledger import text_table
from engine.model import Model
from engine.progress import Console

TABLES = {
    "dependencies, words and tags": range(data.PAIR, data.TAGS + 1),
    "dependencies, words without tags": range(data.PAIR_PLAIN, data.HEAD_PLAIN + 1),
    "dependencies, order alone": range(data.TAGS_ORDER, data.TAGS_ORDER + 1),
    "gaps": range(data.GAP_PAIR, data.GAP_COMMA + 1),
    "unaries": range(data.UNARY_TAG, data.UNARY_LABEL + 1),
    "roots": range(data.ROOT_WORD, data.ROOT_ANY + 1),
    "insides of baseNPs": range(data.INSIDE_WORD, data.INSIDE_TAG + 1),
}


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "info", run, "Show what a model was trained on and what it holds")
    parser.add_argument("model", metavar="MODEL", help="a model file")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the model's metadata and sizes."""
    path = Path(arguments.model)
    model = Model.load(path)
    about, vocabulary = model.metadata, model.vocabulary
    print(f"model       {path.name}, {size_text(path.stat().st_size)}, format {storage.FORMAT}")
    for corpus in about.get("corpora", []):
        print(f"corpus      {corpus}")
    for credit in about.get("credits", []):
        print(f"credit      {credit}")
    for name in ("trees", "skipped", "sentences"):
        if name in about:
            print(f"{name:11} {about[name]:,}")
    print(f"words       {about.get('words', 0):,} ({len(vocabulary.words):,} different)")
    print(f"tags        {len(vocabulary.tags):,}")
    print(f"labels      {len(vocabulary.labels) - 1:,}")
    print(f"triples     {len(vocabulary.triples):,}")
    print(f"unaries     {len(vocabulary.chains):,} chains")
    print(f"head rules  {len(model.rules.rules):,} parents")
    print()
    print(table_sizes(model))
    return SUCCESS


def table_sizes(model: Model) -> str:
    """How many contexts each kind of count table holds, and how many of them were seen with an outcome."""
    counts = model.counts
    # Where each table's keys start: its first bucket; the last table ends with all keys.
    starts = [int(counts.buckets[place]) for place in counts.places[:, 0]]
    spans = list(pairwise([*starts, len(counts.keys)]))
    rows = []
    for name, numbers in TABLES.items():
        contexts = sum(spans[number][1] - spans[number][0] for number in numbers)
        seen = sum(int((counts.values[slice(*spans[number])] & 1).sum()) for number in numbers)
        rows.append((name, f"{contexts:,}", f"{seen:,}"))
    everything = int((counts.values & 1).sum())
    rows.append(("all", f"{len(counts.keys):,}", f"{everything:,}"))
    return text_table(("table", "contexts", "with an outcome"), rows, right=(1, 2))
