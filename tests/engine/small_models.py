"""Small models with random trees and sentences for them, to hold the chart against brute force.

Sentences are short and random, with unknown words, wrong tags and stray commas, so that many have dozens of trees and
some have none.  All seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.chart.parser import Parser
from engine.model.model import Model
from engine.reference import Possibilities, ReferenceParser, ScoredTree, TooManyTrees
from engine.rerank import features_kernel
from engine.rerank.reranker import RERANKER_FORMAT, Reranker
from engine.settings import FurtherBackoff, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank
from tests.trained import trained

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"
UNKNOWN = "blick"
MOST_CONSTITUENTS = 20_000


WORDS = {
    "DT": "the a",
    "NN": "saw dog park run",
    "NNP": "Rex Ann",
    "VBD": "saw ate",
    "IN": "in with",
    "CC": "and or",
    "RB": "now",
    "JJ": "old",
    "POS": "'s",
}


class RandomTrees:
    """Trees of a small language that has everything the representation knows: stacks, cores, chains, helpers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def tree(self, depth: int) -> Tree:
        """One tree."""
        return read_tree(f"(ROOT {self.sentence(depth)[:-1]} (. .)))")

    def fill(self, pattern: str, depth: int) -> str:
        """Replace every name in a pattern by a random phrase or word of that kind."""
        phrases = {"np": self.noun_phrase, "vp": self.verb_phrase, "s": self.sentence, "sbar": self.clause}
        pieces = []
        for piece in pattern.split():
            name = piece.rstrip(")")
            if name in phrases:
                text = phrases[name](depth)
            elif name == "base":
                text = self.base()
            elif name in WORDS:
                text = f"({name} {self.random.choice(WORDS[name].split())})"
            else:
                text = name
            pieces.append(text + piece[len(name) :])
        return " ".join(pieces)

    def choose(self, patterns: str, depth: int, simplest: int) -> str:
        """A random pattern of a list, one of the `simplest` first where nothing may go deeper; filled."""
        lines = [line.strip() for line in patterns.strip().splitlines()]
        line = self.random.choice(lines if depth > 0 else lines[:simplest])
        return self.fill(line, depth - 1)

    def base(self) -> str:
        """A baseNP."""
        return self.choose(
            """(NP DT NN)
            (NP NN)
            (NP DT NN)
            (NP DT JJ NN)
            (NP NNP)
            (NP (NP NNP POS) NN)
            (NP NN CC NN)""",
            0,
            7,
        )

    def noun_phrase(self, depth: int) -> str:
        """An NP."""
        return self.choose(
            """base
            base
            base
            base
            (NP np (PP IN np))
            (NP np (PP IN np))
            (NP np (, ,) np (, ,))
            (NP np CC np)
            (NP np sbar)
            (NP DT NN s)
            (NP base (PP IN np) (PP IN np))
            (NP base (, ,) np)""",
            depth,
            4,
        )

    def verb_phrase(self, depth: int) -> str:
        """A VP."""
        return self.choose(
            """(VP VBD)
            (VP VBD base)
            (VP VBD np)
            (VP VBD np)
            (VP VBD np (PP IN np))
            (VP VBD (PP IN np))
            (VP VBD np np)
            (VP VBD sbar)
            (VP vp CC vp)
            (VP vp (PP IN np))
            (VP VBD (ADVP RB))
            (VP (ADVP RB) VBD np)
            (VP RB VBD)""",
            depth,
            2,
        )

    def clause(self, depth: int) -> str:
        """An SBAR."""
        return self.choose("(SBAR s)\n(SBAR IN s)", depth, 2)

    def sentence(self, depth: int) -> str:
        """An S."""
        return self.choose(
            """(S np vp)
            (S vp)
            (S np vp)
            (S np vp)
            (S (PP IN np) (, ,) np vp)
            (S np (ADVP RB) vp)
            (S s (, ,) CC s)
            (S np (, ,) vp)""",
            depth + 1,
            8,
        )


def disturbed(sentence: TaggedSentence, chance: random.Random, tags: list[str]) -> TaggedSentence:
    """The sentence with some words unknown and, half of the time, a tag, word or comma out of place."""
    pairs = [
        (word if chance.random() > 0.3 else UNKNOWN, tag)
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
    ]
    change = chance.randrange(10)
    here, there = chance.randrange(len(pairs)), chance.randrange(len(pairs))
    if change == 0:
        pairs[here] = (pairs[here][0], chance.choice(tags))
    elif change == 1:
        del pairs[here]
    elif change == 2:
        pairs.insert(here, (",", ","))
    elif change == 3:
        pairs[here], pairs[there] = pairs[there], pairs[here]
    elif change == 4:
        pairs.insert(here, pairs[there])
    return TaggedSentence(*zip(*pairs, strict=True)) if pairs else sentence


@dataclass(frozen=True)
class Material:
    """A small model, sentences for it, and how many trees the most ambiguous of them have at least."""

    model: Model
    possibilities: Possibilities
    sentences: tuple[TaggedSentence, ...]
    ambiguity: int

    def brute_force(
        self,
        settings: Settings,
        sentence: TaggedSentence,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
        most: int = MOST_CONSTITUENTS,
    ) -> ReferenceParser:
        """The enumeration of one sentence, which gives up if there are far too many trees."""
        return ReferenceParser(self.model, settings, sentence, self.possibilities, most, further_backoff)

    def rankings(
        self, settings: Settings, sentences: tuple[TaggedSentence, ...]
    ) -> Iterator[tuple[TaggedSentence, list[ScoredTree]]]:
        """Every sentence with all its trees, best first; sentences with far too many are left out."""
        for sentence in sentences:
            try:
                ranking = self.brute_force(settings, sentence).ranking()
            except TooManyTrees:
                continue
            yield sentence, ranking


def gather(
    next_tree: Callable[[], Tree], number: int, longest: int, seed: int, tags: list[str]
) -> list[TaggedSentence]:
    """Disturbed sentences of random trees, none longer than `longest` words."""
    chance = random.Random(seed)
    found: list[TaggedSentence] = []
    while len(found) < number:
        cleaned = clean(next_tree())
        assert cleaned is not None
        sentence = disturbed(TaggedSentence.from_tree(cleaned), chance, tags)
        if 2 <= len(sentence.positions) <= longest:
            found.append(sentence)
    return found


@cache
def dense_material() -> Material:
    """A model of 400 random trees, so that most pairs of tags have been seen at most distances."""
    source = RandomTrees(1)
    model = trained([source.tree(3) for _ in range(400)])
    tags = [*WORDS, "XX", ":"]
    sentences = gather(lambda: source.tree(2), 300, 10, 2, tags)
    sentences += gather(lambda: source.tree(3), 60, 12, 3, tags)
    return Material(model, Possibilities(model), tuple(sentences), 60)


@cache
def classroom_material() -> Material:
    """The classroom treebank, real sentences and many more labels."""
    trees = list(read_treebank([CLASSROOM]))
    model = trained(trees)
    chance = random.Random(4)
    sentences = gather(lambda: chance.choice(trees), 200, 11, 5, list(model.vocabulary.tags))
    return Material(model, Possibilities(model), tuple(sentences), 4)


def random_reranker(model: Model, weight: float) -> Reranker:
    """A re-ranker with random weights for features of the model's own trees."""
    chance = random.Random(5)
    keys = set()
    for sentence in dense_material().sentences[:40]:
        for derivation in Parser.preset(model, 3).derivations(sentence, 5):
            keys.update(features_kernel.hashes(derivation.features).tolist())
    chosen = sorted(chance.sample(sorted(keys), len(keys) // 2))
    weights = [chance.uniform(-weight, weight) for _ in chosen]
    return Reranker(np.array(chosen), np.array(weights, np.float32), {"format": RERANKER_FORMAT, "scale": 1.0})


MATERIALS = pytest.mark.parametrize("material", [dense_material, classroom_material], ids=["dense", "classroom"])
PRESETS = pytest.mark.parametrize(
    "preset", [pytest.param(1, marks=pytest.mark.robust), pytest.param(2, marks=pytest.mark.robust), 3]
)
"""The paper's models: what is held against all trees is so for the whole one in the usual tests."""
