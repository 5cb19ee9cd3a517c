"""What can be chosen about each picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.explain.subjects import Subject

BESIDE, STACKED, FITTING = "beside", "stacked", "fitting"
BY_WIDTH, BY_COLOUR, PLAIN = "width", "colour", "plain"
ALL_EDGES, SURVIVING_EDGES, PARSE_EDGES = "all", "survivors", "parse"
REPLAYS = (ALL_EDGES, SURVIVING_EDGES, PARSE_EDGES)
"""Which edges of the chart a replay goes through: every one, those that were kept, those of the parse that is shown."""


@dataclass(frozen=True, slots=True)
class SentenceOptions:
    """Stage 1.

    Attributes
    ----------
    alternatives
        How many of the tagger's alternatives to show for a word.
    """

    alternatives: int = 4


@dataclass(frozen=True, slots=True)
class GapsOptions:
    """Stage 2.

    Attributes
    ----------
    forced
        Positions of the gaps whose tag a person has forced.
    until
        Show the tags only of gaps before this word (hide, predict, reveal); ``None`` for all.
    """

    forced: frozenset[int] = frozenset()
    until: int | None = None


@dataclass(frozen=True, slots=True)
class ReducedOptions:
    """Stage 3: whether to show tags."""

    tags: bool = True


@dataclass(frozen=True, slots=True)
class MatrixOptions:
    """Stage 4: whether numbers stand in the cells (``None``: if they fit)."""

    numbers: bool | None = None


@dataclass(frozen=True, slots=True)
class TriangleOptions:
    """Stage 5.

    Attributes
    ----------
    density
        ``full``, ``brief`` or ``colour``; ``None`` chooses by the length of the sentence, ``fitting`` also by the
        height of the room.
    until
        Show the chart as it was after this many edges; ``None`` for the whole.
    edges
        Of a chart that is not shown as a whole, which edges: one of :data:`REPLAYS`.
    focus
        Words that are looked at, by first position and the one after the last: where a long sentence has to be folded,
        it stays open around them.
    """

    density: str | None = None
    until: int | None = None
    edges: str = ALL_EDGES
    focus: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Stage 6, the tree.

    Attributes
    ----------
    compact
        Words right under their parents instead of on one base line.
    tags
        Show tags over the words.
    collapsed
        Ids of the nodes whose inside is folded into a triangle.
    joined
        Words of a folded node together on one line, instead of each in its column.
    within
        Subject of the node that is shown with what is below it, and nothing else; ``None`` for the whole tree.
    focus
        Words that are looked at, by first position and the one after the last: where a long sentence has to be folded,
        it stays open around them.
    marks
        For comparing: ``match``, ``missing``, ``extra`` or ``new`` by a node's id
        (:mod:`explorer.pictures.marks`).
    found
        What a search found, by a node's id: ``found`` for the match itself, and the names it has in the pattern
        (:mod:`explorer.pictures.marks`).
    """

    compact: bool = False
    tags: bool = True
    collapsed: frozenset[Subject] = frozenset()
    joined: bool = False
    within: Subject | None = None
    focus: tuple[tuple[int, int], ...] = ()
    marks: tuple[tuple[Subject, str], ...] = ()
    found: tuple[tuple[Subject, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ArrowsOptions:
    """Stage 6, the arrows.

    Attributes
    ----------
    tags
        Show tags under the words.
    labels
        Show the triples.
    estimate
        How F̂ shows: ``width`` of the line, ``colour`` of the pill, ``plain`` not at all.
    forced
        Modifiers whose attachment a person has forced.
    marks
        For comparing: ``match``, ``missing``, ``extra`` or ``new`` by modifier
        (:mod:`explorer.pictures.marks`).
    until
        Only arrows from words before this position; ``None`` for all.
    """

    tags: bool = True
    labels: bool = True
    estimate: str = BY_WIDTH
    forced: frozenset[int] = frozenset()
    marks: tuple[tuple[int, str], ...] = ()
    until: int | None = None


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """Stage 6: tree and arrows ``beside`` or ``stacked`` around one row of words.

    ``fitting`` is that of the two which is in sight as a whole, else the one of tree and arrows that is looked at.
    """

    arrangement: str = STACKED
    tree: TreeOptions = field(default_factory=TreeOptions)
    arrows: ArrowsOptions = field(default_factory=ArrowsOptions)
