"""Experiments of the paper on any treebank: how far dependencies reach (Tables 1 and 2), and commas (2.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import analyse
from engine.structure.distance import VERB_TAGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree
from engine.trees.tree_normalisation import clean

DISTANCES = (1, 2, 5, 10)
VERBS = (0, 1, 2)
PAPER_DISTANCES = (74.2, 86.3, 95.6, 99.0)
"""Table 1: per cent of dependencies over at most so many words of the reduced sentence."""
PAPER_VERBS = (94.1, 98.1, 99.3)
"""Table 2: per cent of dependencies with at most so many verbs between."""
PAPER_COMMAS = 96.0
"""Section 2.7: "In training data 96% of commas follow this rule"."""


@dataclass(slots=True)
class Distances:
    """Counts over a treebank.

    Attributes
    ----------
    sentences
        Trees with at least one word.
    distances
        How many dependencies (the root's left out) reach over so many words of the reduced sentence.
    verbs
        How many have so many verbs between head and modifier.
    commas, obeying
        Joins of two neighbours with a 'comma' between them, and those among them that obey the punctuation
        rule: the right neighbour's last word is followed by a 'comma' too, or is the sentence's last.
    """

    sentences: int = 0
    distances: Counter[int] = field(default_factory=Counter)
    verbs: Counter[int] = field(default_factory=Counter)
    commas: int = 0
    obeying: int = 0

    @property
    def dependencies(self) -> int:
        """How many dependencies were counted."""
        return self.distances.total()

    def add(self, root: Constituent, sentence: TaggedSentence) -> None:
        """Count one tree."""
        self.sentences += 1
        tags = sentence.proper_tags
        analysis = analyse(root, tags)
        # before[j]: verbs among the first j words of the reduced sentence.
        before = [0]
        for position in analysis.reduced:
            before.append(before[-1] + (tags[position] in VERB_TAGS))
        for arrow in analysis.dependencies:
            if arrow.head:
                first, second = sorted((arrow.modifier, arrow.head))
                self.distances[second - first] += 1
                self.verbs[before[second - 1] - before[first]] += 1
        self._add_commas(root, sentence.commas)

    def _add_commas(self, root: Constituent, commas: list[int]) -> None:
        for node in root.walk():
            for gap, end in node.joins():
                if commas[gap] > 0:
                    self.commas += 1
                    self.obeying += end == len(commas) or commas[end] > 0

    def distance_shares(self) -> tuple[float, ...]:
        """Table 1 for this treebank, in per cent."""
        return _shares(self.distances, DISTANCES)

    def verb_shares(self) -> tuple[float, ...]:
        """Table 2 for this treebank, in per cent."""
        return _shares(self.verbs, VERBS)

    @property
    def comma_share(self) -> float:
        """Per cent of the commas between neighbours that obey the punctuation rule."""
        return 100 * self.obeying / self.commas if self.commas else 0.0

    def state(self) -> dict[str, Any]:
        """The counts, ready to be written as JSON."""
        pairs = {"distances": self.distances, "verbs": self.verbs}
        return {
            "sentences": self.sentences,
            "commas": self.commas,
            "obeying": self.obeying,
            **{name: sorted(counts.items()) for name, counts in pairs.items()},
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Distances:
        """Counts that :meth:`state` has written."""
        distances, verbs = (Counter(dict(map(tuple, state[name]))) for name in ("distances", "verbs"))
        return cls(state["sentences"], distances, verbs, state["commas"], state["obeying"])

    def as_dict(self) -> dict[str, Any]:
        """The tables beside the paper's, ready to be written as JSON."""

        def beside(names: Iterable[str], ours: Iterable[float], paper: Iterable[float]) -> dict[str, dict[str, float]]:
            return {
                name: {"treebank": mine, "paper": theirs} for name, mine, theirs in zip(names, ours, paper, strict=True)
            }

        return {
            "sentences": self.sentences,
            "dependencies": self.dependencies,
            "commas": self.commas,
            "distance": beside(map(str, DISTANCES), self.distance_shares(), PAPER_DISTANCES),
            "verbs": beside(map(str, VERBS), self.verb_shares(), PAPER_VERBS),
            "punctuation_rule": {"treebank": self.comma_share, "paper": PAPER_COMMAS},
        }


def _shares(counts: Counter[int], limits: Iterable[int]) -> tuple[float, ...]:
    total = counts.total()
    return tuple(
        100 * sum(count for value, count in counts.items() if value <= limit) / total if total else 0.0
        for limit in limits
    )


def distances(
    trees: Iterable[Tree], rules: HeadRules, watch: Callable[[int, Distances], None] = lambda count, found: None
) -> Distances:
    """Tables 1 and 2 and the share of commas that obey, over raw trees.

    `watch` is told before every tree how many there were, and what was found in them.
    """
    lexicaliser = Lexicaliser(rules)
    found = Distances()
    for count, raw in enumerate(trees):
        watch(count, found)
        tree = clean(raw)
        root = lexicaliser.constituent(tree) if tree is not None else None
        if tree is not None and root is not None:
            found.add(root, TaggedSentence.from_tree(tree))
    return found
