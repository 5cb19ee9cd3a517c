"""The answer: a parse with its tree, its (B, D, U), its score and its working."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from engine.assembly import assemble
from engine.constituents import Constituent
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.trees import Tree

if TYPE_CHECKING:
    from engine.model import Model


class Parse:
    """One parse of one sentence."""

    def __init__(
        self,
        model: Model,
        settings: Settings,
        sentence: TaggedSentence,
        roots: tuple[Constituent, ...],
        log_probability: float,
        passes: int = 0,
        fallback: bool = False,
    ) -> None:
        self.model = model
        self.settings = settings
        self.sentence = sentence
        self.roots = roots
        self.log_probability = log_probability
        self.passes = passes
        self.fallback = fallback

    @cached_property
    def tree(self) -> Tree:
        """The phrase-structure tree with every token of the sentence."""
        return assemble(self.roots, self.sentence)
