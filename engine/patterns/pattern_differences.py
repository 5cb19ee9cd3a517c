"""Where a pattern is found in the gold tree and not in the parse, and the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.patterns.forest import Forest
from engine.patterns.pattern import Match, Pattern
from engine.trees.head_rules import HeadRules
from engine.trees.tree import LabelledSpan, Tree


def missing(pattern: Pattern, gold: Tree, parse: Tree, head_rules: HeadRules | None = None) -> Iterator[Match]:
    """Yield the matches in the gold tree that the parse lacks.

    A match is lacking if no match in the other tree has its brackets: the bare label and the span of the matched node
    and of every named one.  Spans are counted in tokens, traces left out, so that the gold tree may be as published.
    """
    return lacking(pattern, Forest.of([gold]), Forest.of([parse]), head_rules)


def extra(pattern: Pattern, gold: Tree, parse: Tree, head_rules: HeadRules | None = None) -> Iterator[Match]:
    """Yield the matches in the parse that the gold tree lacks; see :func:`missing`."""
    return lacking(pattern, Forest.of([parse]), Forest.of([gold]), head_rules)


def lacking(
    pattern: Pattern, trees: Forest | Iterable[Tree], others: Forest | Iterable[Tree], rules: HeadRules | None = None
) -> Iterator[Match]:
    """Yield the matches in some trees that no match in the tree of the same number among the others has."""
    there = {(match.tree_number, *_brackets(match)) for match in pattern.search(others, rules)}
    for match in pattern.search(trees, rules):
        if (match.tree_number, *_brackets(match)) not in there:
            yield match


def _brackets(match: Match) -> tuple[LabelledSpan, tuple[tuple[str, LabelledSpan], ...]]:
    named = sorted((name, node.bracket) for name, node in match.captures.items())
    return match.bracket, tuple(named)
