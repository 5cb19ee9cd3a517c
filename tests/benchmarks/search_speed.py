"""How long a search by structure takes: reading and matching apart, per 50,000 trees.

    python tests/benchmarks/search_speed.py TREEBANK… [--pattern P …] [--nltk N]

With --nltk, NLTK's tgrep searches the first N trees for the same patterns where it has the operators.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

from engine.common.errors import TreeError
from engine.common.tables import text_table
from engine.patterns.forest import ReadForest, read_forest
from engine.patterns.pattern import Pattern
from engine.patterns.search import search_treebank
from engine.trees.treebank import chunk_bundles, read_treebank, treebank_files

PATTERNS = (
    *("VP < PP", "NP < (PP < (IN < of))", "PP > (VP < /^VB/)", "PP > (VP < /^VB/=verb)", "NP !<< NP $++ (PP !<< NP)"),
    *("VP < NP=a < (NP=b !== =a)", "S < (VP <<# (/^VB/ < /ing$/))", "SBAR <, /^WH/ >> (NP > VP)"),
)
TREES = 50_000


def read(treebanks: list[str]) -> list[ReadForest]:
    """The treebanks as forests, broken trees left out."""
    bad: list[TreeError] = []
    bundles = chunk_bundles(treebank_files(treebanks))
    return [read_forest(chunk, bad.append) for bundle in bundles for chunk in bundle.chunks]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", metavar="TREEBANK")
    parser.add_argument("--pattern", nargs="+", default=PATTERNS, metavar="P")
    parser.add_argument("--nltk", type=int, default=0, metavar="N")
    arguments = parser.parse_args()
    started = time.process_time()
    forests = read(arguments.treebanks)
    reading = time.process_time() - started
    trees = sum(one.forest.size for one in forests)
    scale = TREES / trees
    print(
        f"{trees:,} trees, {sum(len(one.forest) for one in forests):,} nodes; seconds of one core per {TREES:,} trees"
    )
    rows = []
    for text in arguments.pattern:
        pattern = Pattern(text)
        started = time.process_time()
        matches = sum(1 for one in forests for _ in pattern.search(one.forest))
        matching = time.process_time() - started
        started = time.process_time()
        for _ in search_treebank(pattern, arguments.treebanks, skip_bad=True):
            pass
        all_of_it = time.process_time() - started
        figures = (reading, matching, all_of_it)
        rows.append([text, f"{matches:,}", *(f"{seconds * scale:.2f}" for seconds in figures), tgrep(text, arguments)])
    header = ["pattern", "matches", "reading", "matching", "command", "NLTK"]
    print(text_table(header, rows, right=range(1, 6)))


def tgrep(text: str, arguments: argparse.Namespace) -> str:
    """Seconds of NLTK's tgrep per 50,000 trees, without reading."""
    if not arguments.nltk:
        return ""
    from nltk import ParentedTree
    from nltk.tgrep import tgrep_nodes

    trees = islice(read_treebank(arguments.treebanks, lambda error: None), arguments.nltk)
    theirs = [ParentedTree.fromstring(tree.brackets()) for tree in trees]
    started = time.process_time()
    try:
        for _ in tgrep_nodes(text, theirs):
            pass
    except Exception as error:  # whatever it is that it cannot do
        return type(error).__name__
    return f"{(time.process_time() - started) * TREES / len(theirs):.1f}"


if __name__ == "__main__":
    main()
