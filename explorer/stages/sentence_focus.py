"""What of a long sentence is looked at: the stages that fold it keep it open there."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing
from explorer.graphics.layout.tree_folding import Span, hides
from explorer.graphics.selection import Id
from explorer.stages.stage import Stage, words_of


class SentenceFocus:
    """Tells all stages which words are looked at; the tree and the chart are open around the same ones."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._sentence: tuple[str, ...] | None = None

    def follow(self, parse: Parse | None, selection: Id | None, other_stage: bool) -> None:
        """Forget what was looked at in another sentence; in another stage, look at what is selected."""
        sentence = tuple(parse.sentence.words) if parse is not None else None
        if sentence != self._sentence:
            self._sentence = sentence
            self._set(())
        words = words_of(parse, selection) if parse is not None and other_stage else ()
        if words:
            self._set(words)

    def look_at(self, parse: Parse | None, drawing: Drawing | None, id: Id | None) -> bool:
        """Look at a thing that is folded, or hidden in what is folded; whether it was."""
        if parse is None or drawing is None or not drawing.folded:
            return False
        words = words_of(parse, id)
        if not any(hides(span, words) for span in drawing.folded):
            return False
        self._set(words)
        return True

    def _set(self, words: tuple[Span, ...]) -> None:
        for stage in self._stages:
            stage.focus = words
