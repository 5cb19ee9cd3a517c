"""Many different trees out of few: the project's own example trees with their words varied."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


def many_trees(count: int, seed: int = 1) -> Iterator[str]:
    """So many trees: those of the examples in turn, some words exchanged for others of the same tag."""
    chance = random.Random(seed)
    trees = [
        line
        for name in ("classroom.ptb", "everyday.ptb")
        for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        if line.startswith("(")
    ]
    words: dict[str, list[str]] = {}
    for tree in trees:
        for tag, word in _LEAF.findall(tree):
            words.setdefault(tag, []).append(word)
    for number in range(count):
        tree = trees[number % len(trees)]
        yield _LEAF.sub(
            lambda leaf: f"({leaf[1]} {chance.choice(words[leaf[1]]) if chance.random() < 0.3 else leaf[2]})", tree
        )


def write_many(path: Path, count: int) -> Path:
    """Write a treebank of so many trees."""
    path.write_text("\n".join(many_trees(count)) + "\n", encoding="utf-8")
    return path
