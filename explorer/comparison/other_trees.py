"""Another parser's trees of the sentences of the list, to hold against our parses and the gold trees; no Qt."""

from __future__ import annotations

from collections.abc import Sequence

from engine.trees.tree import Tree


class OtherTrees:
    """The trees of one parser, found by the words of a sentence.

    A sentence of the list may be moved, or its gold tree be changed by hand; its words stay the same.

    Parameters
    ----------
    name
        What the parser is called.
    trees
        Its trees in the order of the sentences; ``None`` where it found none.
    """

    def __init__(self, name: str, trees: Sequence[Tree | None]) -> None:
        self.name = name
        self._trees = tuple(trees)
        self._places: dict[tuple[str, ...], list[int]] = {}
        for place, tree in enumerate(self._trees):
            if tree is not None:
                self._places.setdefault(tuple(tree.words()), []).append(place)

    @property
    def count(self) -> int:
        """How many sentences have a tree."""
        return sum(tree is not None for tree in self._trees)

    def find(self, words: Sequence[str], place: int) -> Tree | None:
        """The tree of a sentence; of several with the same words that at its `place`, if there is one."""
        places = self._places.get(tuple(words))
        return self._trees[place if place in places else places[0]] if places else None
