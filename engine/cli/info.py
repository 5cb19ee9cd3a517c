"""``parse-engine info``: what is in a model file."""

from __future__ import annotations

import argparse
import json

from engine.cli.options import SUCCESS, Commands, command, model_path
from engine.cli.train import named_lines
from engine.common.tables import text_table
from engine.common.terminal import Console
from engine.counts.counting import table_sizes
from engine.gate import array_file as storage
from engine.model.model import Model
from engine.training.summary import reasons, reranker_text, run_lines, size_text, summary_dict, tagger_text


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "info", run, "Show what a model was trained on and what it holds")
    parser.add_argument("model", metavar="MODEL", nargs="?", help="a model file or a bundled model (default english)")
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the model's metadata and sizes."""
    path = model_path(arguments)
    model = Model.load(path)
    if arguments.json:
        print(json.dumps(summary_dict(model, path), ensure_ascii=False, indent=2))
        return SUCCESS
    about, vocabulary = model.metadata, model.vocabulary
    print(f"model       {path.name}, {size_text(path.stat().st_size)}, format {storage.MODEL_FORMAT}")
    for corpus in about.get("corpora", []):
        print(f"corpus      {corpus}")
    if "weights" in about:
        print(f"weights     {' '.join(map(str, about['weights']))}")
    for credit in about.get("credits", []):
        print(f"credit      {credit}")
    for name in ("trees", "skipped", "sentences"):
        if name in about:
            print(f"{name:11} {about[name]:,}")
        if name == "skipped":
            for reason in reasons(model):
                print(f"            {reason}")
    print(f"words       {about.get('words', 0):,} ({len(vocabulary.words):,} different)")
    print(f"tags        {len(vocabulary.tags):,}")
    print(f"labels      {len(vocabulary.labels) - 1:,}")
    print(f"triples     {len(vocabulary.triples):,}")
    print(f"unaries     {len(vocabulary.chains):,} chains")
    print(f"head rules  {len(model.rules.rules):,} parents")
    print(f"tagger      {tagger_text(model)}")
    print(f"re-ranker   {reranker_text(model)}")
    if run_lines(model):
        print(named_lines(run_lines(model)))
    print()
    print(_tables(model))
    return SUCCESS


def _tables(model: Model) -> str:
    """Return how many contexts each count table holds, and how many of them were seen with an outcome."""
    sizes = table_sizes(model.counts)
    sizes.append(("all", sum(size[1] for size in sizes), sum(size[2] for size in sizes)))
    rows = [(name, f"{contexts:,}", f"{counted:,}") for name, contexts, counted in sizes]
    return text_table(("table", "contexts", "with an outcome"), rows, right=(1, 2))
