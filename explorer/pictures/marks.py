"""Marks in tree and arrows: what two parses differ in, and what a search by structure found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.chart.parse import Parse
from engine.explain.subjects import NodeId, Subject
from engine.patterns.search import Found, FoundNode
from engine.structure.dependencies import Relation
from explorer.pictures.drawing import Box, Rect, Stroke
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.layout import PlacedNode
from explorer.pictures.options import ParseOptions
from explorer.pictures.sheet import Sheet, middle

# Marks for comparing two parses of a sentence: what both have, what one of them lacks, what it has beyond.
#
# Matching parts are drawn solid, missing ones dashed, extra ones dotted, each in its colour as well.  Tree and arrows
# of either parse can be marked; with the ruler of both the words of the two pictures stand in the same places::
#
#     columns = columns_of(parse, metrics, gold)
#     ours = marked(ParseOptions(), parse, gold)                         what the gold tree has not: extra
#     theirs = marked(ParseOptions(), gold, parse, absent=MISSING)       what our parse has not: missing
#     parse_picture(parse, metrics, ours, columns)
#     parse_picture(gold, metrics, theirs, columns)
#     comparison_picture(parse, gold, metrics)                           both one's arrows around one row of words
#
# :func:`arrow_marks` and :func:`tree_marks` make the marks alone, for ``ArrowsOptions.marks`` (by modifier) and
# ``TreeOptions.marks`` (by the id of a node); whoever compares in another way may give marks of their own.

MATCH, MISSING, EXTRA, NEW = "match", "missing", "extra", "new"
MARK_DASHES: Mapping[str, str] = {MATCH: "solid", MISSING: "dash", EXTRA: "dot", NEW: "dot"}
"""How the line of each mark is broken, so that it can be told without colours."""
LEAST_WEIGHT = 1.5
"""Marked lines are at least so heavy, or their dashes could not be told from dots."""


def marked(options: ParseOptions, parse: Parse, other: Parse, absent: str = EXTRA) -> ParseOptions:
    """Return the options with marks for the picture of `parse`: ``match``, or `absent` for
    what `other` does not have.
    """
    return replace(
        options,
        tree=replace(options.tree, marks=tree_marks(parse, other, absent)),
        arrows=replace(options.arrows, marks=arrow_marks(parse, other, absent)),
    )


def marked_new(options: ParseOptions, parse: Parse, before: Parse) -> ParseOptions:
    """Return the options with marks for what `parse` has and the parse `before` a change had not;
    nothing else is marked.
    """
    tree, arrows = tree_marks(parse, before, NEW), arrow_marks(parse, before, NEW)
    return replace(
        options,
        tree=replace(options.tree, marks=tuple(one for one in tree if one[1] == NEW)),
        arrows=replace(options.arrows, marks=tuple(one for one in arrows if one[1] == NEW)),
    )


def arrow_marks(parse: Parse, other: Parse, absent: str = EXTRA, labelled: bool = True) -> tuple[tuple[int, str], ...]:
    """Return a mark for each arrow of `parse`, by its modifier.

    An arrow matches if the other parse has one between the same words, and (if `labelled`) with the same triple.
    """
    facts = facts_of(parse)
    found, against = _ends(facts, labelled), set(_ends(facts_of(other), labelled).values())
    return tuple((modifier, MATCH if ends in against else absent) for modifier, ends in found.items())


def tree_marks(parse: Parse, other: Parse, absent: str = EXTRA) -> tuple[tuple[Subject, str], ...]:
    """Return a mark for each constituent of `parse`, by its id: it matches one with the same label over the same words.

    As in PARSEVAL, punctuation does not count, and of several equal ones as many match as the other tree has.
    """
    left = Counter(_constituents(facts_of(other)).values())
    marks: list[tuple[Subject, str]] = []
    for identity, key in _constituents(facts_of(parse)).items():
        marks.append((identity, MATCH if left[key] > 0 else absent))
        left[key] -= 1
    return tuple(marks)


def _ends(facts: Facts, labelled: bool) -> dict[int, tuple[int, int, Relation | None]]:
    """Modifier, head and triple of each arrow by its modifier's position; tokens count, as tags may differ."""
    tokens = facts.positions
    return {
        arrow.modifier: (
            tokens[arrow.modifier],
            tokens[arrow.head] if arrow.head >= 0 else -1,
            arrow.relation if labelled else None,
        )
        for arrow in facts.arrows
    }


def _constituents(facts: Facts) -> dict[Subject, tuple[str, int, int]]:
    """Label, first and last token (of words proper) of every constituent, by its id."""
    found: dict[Subject, tuple[str, int, int]] = {}
    for node in facts.tree_nodes().walk():
        match node.id:
            case NodeId(first, end) if first < end:
                found[node.id] = node.label, facts.positions[first], facts.positions[end - 1]
            case NodeId():  # nothing but punctuation is in it
                found[node.id] = node.label, -1, -1
    return found


def marks_legend(sheet: Sheet, marks: Iterable[str], x: float, y: float, boxes: bool = False) -> float:
    """Return what solid, dashed and dotted lines (or edges of labels) say, as far as they
    occur; the x where it ends.
    """
    used = set(marks)
    for mark, dash in MARK_DASHES.items():
        if mark in used:
            if boxes and mark != MATCH:
                sheet.add(Box(x, y - 7, 24, 14, "", mark, LEAST_WEIGHT, dash, 4.0))
            else:
                sheet.add(Stroke(x, y, x + 24, y, mark, 2.0, dash))
            x = sheet.text(x + 32, y + middle(sheet.metrics, "tag"), mark, "tag", "muted", "start").right + 20
    return x


# Marks for what a search by structure found: the node that matches and those that its pattern names.
#
# The match has a solid frame, every named node a dashed one with its name beside it, in a colour that nothing else has.

FOUND = "found"
"""The role of the marks' colour, and what the legend calls the match."""
NAMED = "named in the pattern"
_WEIGHT = 2.0
_PADDING = 6.0


def found_ids(facts: Facts, match: Found | None) -> tuple[tuple[Subject, str], ...]:
    """Return the marks of a tree that is drawn: by a node's id ``found`` for the match itself, and its names.

    In another tree of the same words than the one in which the match was found, those of its nodes are marked that have
    the same label and the same words.
    """
    if match is None or tuple(facts.sentence.words) != match.sentence:
        return ()
    root = facts.tree_nodes()
    same = facts.tree.brackets() == match.tree
    marks: dict[Subject, str] = {}
    for name, wanted in match.nodes.items():
        node = _at(root, wanted.path) if same else _like(root, wanted)
        if node is not None:
            marks[node.id] = f"{marks.get(node.id, '')} {f'={name}' if name else FOUND}".strip()
    return tuple(marks.items())


def _at(root: PlacedNode, path: tuple[int, ...]) -> PlacedNode | None:
    node = root
    for number in path:
        if number >= len(node.children):
            return None
        node = node.children[number]
    return node


def _like(root: PlacedNode, wanted: FoundNode) -> PlacedNode | None:
    key = (wanted.label, *wanted.span)
    return next((node for node in root.walk() if (node.label, node.start, node.end) == key), None)


def draw_frame(sheet: Sheet, rect: Rect, mark: str, id: Subject) -> None:
    """Draw the frame of a node, with the names that it has in the pattern; no other mark changes its colour."""
    edge, names = rect.grown(_PADDING), mark.removeprefix(FOUND).strip()
    sheet.add(Box(*edge, "", FOUND, _WEIGHT, "solid" if mark.startswith(FOUND) else "dash", 5.0))
    if names and isinstance(id, NodeId):
        sheet.text(edge.right + 4, rect.y + 4, names, "small-bold", FOUND, "start")
    elif names:
        # Another word stands beside a word: its name stands above it, beside its branch.
        sheet.text(rect.centre[0] + 5, edge.y - 5, names, "small-bold", FOUND, "start")


def found_legend(sheet: Sheet, found: tuple[tuple[Subject, str], ...], x: float, y: float) -> float:
    """Return what the frames say; the x where it ends."""
    for used, title, dash in (
        (any(mark.startswith(FOUND) for _, mark in found), FOUND, "solid"),
        (any(not mark.startswith(FOUND) for _, mark in found), NAMED, "dash"),
    ):
        if used:
            sheet.add(Box(x, y - 7, 24, 14, "", FOUND, _WEIGHT, dash, 5.0))
            x = sheet.text(x + 32, y + middle(sheet.metrics, "tag"), title, "tag", "muted", "start").right + 20
    return x


def found_twin(facts: Facts, found: tuple[tuple[Subject, str], ...]) -> Iterator[str]:
    """Yield the marks as lines of text."""
    marks = dict(found)
    for node in facts.tree_nodes().walk():
        if node.id in marks:
            yield f"{marks[node.id]}: {node.label} over {' '.join(facts.tokens[node.start : node.end])}"
