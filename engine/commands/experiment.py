"""``parse-engine experiment``: the paper's tables for any treebank."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence

from engine.commands.options import BAD_INPUT, SUCCESS, Commands, add_treebanks, command
from engine.errors import EngineError
from engine.experiments import (
    DISTANCES,
    PAPER_COMMAS,
    PAPER_DISTANCES,
    PAPER_VERBS,
    VERBS,
    Distances,
    distances,
)
from engine.heads import load_head_rules
from engine.ledger import text_table
from engine.progress import Console
from engine.treebank import BadTrees, read_treebank
from engine.trees import Tree

_DETAILS = """\
Table 1: per cent of dependencies by the distance between the two head words in the reduced sentence.
Table 2: per cent of dependencies by the number of verbs between them.
Punctuation rule (section 2.7): of the commas between two neighbours that are joined, per cent where the right
neighbour's last word is directly followed by a comma or is the last word of the sentence."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "experiment", run_distances, "Repeat an experiment of the paper on any treebank")
    experiments = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    summary = "Tables 1 and 2 and the share of commas that obey the punctuation rule"
    chosen = command(experiments, "distances", run_distances, summary, _DETAILS)
    add_treebanks(chosen)
    chosen.add_argument("--head-rules", metavar="FILE", help="a table of head rules in place of the project's own")
    chosen.add_argument("--json", action="store_true", help="print one JSON object")


def run_distances(arguments: argparse.Namespace, console: Console) -> int:
    """Count, and print our row beside the paper's."""
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
        raise EngineError("there is no tree to count in")
    if arguments.json:
        print(json.dumps({**found.as_dict(), "skipped_trees": len(bad)}))
    else:
        print(_report(found))
        if bad:
            print(f"\n{len(bad):,} broken trees skipped, first: {bad.first}")
    return BAD_INPUT if bad else SUCCESS


def _report(found: Distances) -> str:
    def row(name: str, values: Sequence[float]) -> list[str]:
        return [name, *(f"{value:.1f}" for value in values)]

    first = text_table(
        ["distance", *_limits(DISTANCES)],
        [row("this treebank", found.distance_shares()), row("the paper", PAPER_DISTANCES)],
        right=range(1, 1 + len(DISTANCES)),
    )
    second = text_table(
        ["verbs between", *_limits(VERBS)],
        [row("this treebank", found.verb_shares()), row("the paper", PAPER_VERBS)],
        right=range(1, 1 + len(VERBS)),
    )
    third = text_table(
        ["commas", "obeying"],
        [row("this treebank", [found.comma_share]), row("the paper", [PAPER_COMMAS])],
        right=(1,),
    )
    return "\n\n".join(
        [
            f"{found.sentences:,} sentences, {found.dependencies:,} dependencies, {found.commas:,} commas; per cent",
            f"Table 1\n{first}",
            f"Table 2\n{second}",
            f"Punctuation rule\n{third}",
        ]
    )


def _limits(limits: Sequence[int]) -> list[str]:
    return [str(limits[0]), *(f"<={limit}" for limit in limits[1:])]
