"""``parse-engine info``: what is in a model file."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import storage
from engine.commands.options import SUCCESS, Commands, command
from engine.commands.train import size_text, tagger_text
from engine.counts import table_sizes
from engine.ledger import text_table
from engine.model import Model
from engine.progress import Console


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
    print(f"tagger      {tagger_text(model)}")
    print()
    print(_tables(model))
    return SUCCESS


def _tables(model: Model) -> str:
    """How many contexts each count table holds, and how many of them were seen with an outcome."""
    sizes = table_sizes(model.counts)
    sizes.append(("all", sum(size[1] for size in sizes), sum(size[2] for size in sizes)))
    rows = [(name, f"{contexts:,}", f"{counted:,}") for name, contexts, counted in sizes]
    return text_table(("table", "contexts", "with an outcome"), rows, right=(1, 2))
