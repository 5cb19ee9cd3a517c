"""Share of gold trees that a model can build at all, by how many trees it was trained on.

    python tests/benchmarks/possible_trees.py --train gum-train.ptb --test gum-dev.ptb [--every 3]

Trains on 1/16, 1/8, 1/4, 1/2 and all of the training trees, those of `parse-engine experiment learning-curve`, and
asks of every gold tree whether it has a probability above zero and breaks no rule, under the paper's estimates and
those of preset (5); no sentence is parsed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import engine
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.settings import Settings
from engine.study.experiment_run import TreeSample
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank

HALVINGS = 4
PRESETS = (1, 2, 3, 5)


class Row(NamedTuple):
    """How many trees were trained on, how many gold trees were asked of, and how many are possible by preset."""

    trained: int
    asked: int
    possible: dict[int, int]


def rows(
    training: TreeSample, test: Sequence[Tree], halvings: int = HALVINGS, presets: Sequence[int] = PRESETS
) -> Iterator[Row]:
    """Train on ever larger samples, and count."""
    for power in range(halvings, -1, -1):
        chosen = training.sample(Fraction(1, 2**power))
        model = engine.train([read_tree(tree) for tree in chosen], tagger=False)
        # The re-ranker chooses among trees and makes none possible.
        parsers = {preset: Parser(model, Settings.preset(preset, rerank=0)) for preset in presets}
        possible = dict.fromkeys(presets, 0)
        asked = 0
        for tree in test:
            try:
                found = {preset: parser.score(tree).possible for preset, parser in parsers.items()}
            except EngineError:
                # A tree of nothing but punctuation.
                continue
            asked += 1
            for preset, is_possible in found.items():
                possible[preset] += is_possible
        yield Row(len(chosen), asked, possible)


def main() -> None:
    """Measure, and print a row for every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", metavar="TREEBANK", required=True)
    parser.add_argument("--test", metavar="TREEBANK", required=True)
    parser.add_argument("--every", metavar="N", type=int, default=1, help="ask only of every Nth gold tree")
    parser.add_argument("--halvings", metavar="N", type=int, default=HALVINGS)
    chosen = parser.parse_args()
    training, test = TreeSample.read([chosen.train]), list(read_treebank([chosen.test]))[:: chosen.every]
    print("trained on  gold trees  " + "  ".join(f"preset ({preset})" for preset in PRESETS))
    for row in rows(training, test, chosen.halvings):
        shares = "  ".join(f"{100 * count / max(row.asked, 1):8.1f} %" for count in row.possible.values())
        print(f"{row.trained:10,}  {row.asked:10,}  {shares}", flush=True)


if __name__ == "__main__":
    main()
