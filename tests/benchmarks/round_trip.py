"""Tree ⇄ (B, D, U): the share of trees that come back exactly, and why the others do not.

    python tests/benchmarks/round_trip.py TREEBANK...

A tree is cleaned (traces, function tags, root label, X -> X) and stripped of punctuation, turned into baseNPs,
dependencies and unaries, and built again from these alone.
"""

from __future__ import annotations

import sys
from collections import Counter

from engine.common.errors import EngineError
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import analyse, rebuild
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, Tree, clean
from engine.trees.treebank import BadTrees, read_treebank


def without_punctuation(tree: Tree) -> Tree | None:
    """The tree without punctuation and without what it leaves empty or X -> X."""
    if tree.word is not None:
        return None if tree.label in PUNCTUATION_TAGS else tree
    kept = [child for child in map(without_punctuation, tree.children) if child is not None]
    if len(kept) == 1 and kept[0].label == tree.label and kept[0].word is None:
        return kept[0]
    return Tree(tree.label, kept) if kept else None


def cause(root: Constituent) -> str:
    """The named reason why a tree is not told by its dependencies."""
    for node in root.walk():
        chain = [node.label]
        below = node
        while len(below.children) == 1:
            below = below.children[0]
            chain.append(below.label)
        if len(set(chain)) < len(chain):
            return "a circle of unaries (X over Y over X)"
    return "levels of one label with modifiers on both sides: their order is not told"


def main() -> None:
    """Print a line for every file."""
    lexicaliser = Lexicaliser(load_head_rules())
    for name in sys.argv[1:]:
        bad = BadTrees()
        total = same = 0
        causes: Counter[str] = Counter()
        for raw in read_treebank([name], bad):
            cleaned = clean(raw)
            bare = without_punctuation(cleaned) if cleaned is not None else None
            root = lexicaliser.constituent(bare) if bare is not None else None
            if bare is None or root is None:
                causes["nothing but punctuation"] += 1
                continue
            total += 1
            sentence = TaggedSentence.from_tree(bare)
            try:
                back = assemble((rebuild(analyse(root, sentence.proper_tags)),), sentence)
            except EngineError as error:
                causes[str(error)] += 1
                continue
            if back == bare or (bare.label == "TOP" and bare.children in (back.children, [back])):
                same += 1
            else:
                causes[cause(root)] += 1
        print(f"{name}: {same} of {total} trees come back exactly, {100 * same / total:.2f} %")
        for reason, count in causes.most_common():
            print(f"    {count} × {reason}")
        for reason, count in bad.reasons.most_common():
            print(f"    {count} × broken in the file: {reason}")


if __name__ == "__main__":
    main()
