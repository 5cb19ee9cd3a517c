"""What can be said of a subject: a topic for each class of them, a row of the table at the end of its family's module.

A topic says everything about its subjects that is not drawn: headline, page, readings of the paper, glosses, what else
belongs to them, which words they are about, and how lessons name them.  All topics are in the registry
(:mod:`engine.explain.registry`), which is where window, terminal, lessons and exports ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.chart.parse import Parse
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation
from engine.explain.glosses import Gloss
from engine.explain.paper_readings import PaperReading
from engine.explain.subjects import Subject
from engine.explain.wording import Headline

Named = TypeVar("Named", bound=Subject | None)
Span = tuple[int, int]
"""Words in a row: the position of the first, and the one after the last."""


@dataclass(frozen=True, kw_only=True)
class Topic(Generic[Named]):
    """What is said of one class of subjects: functions of a parse, or of its context, and of a subject.

    Attributes
    ----------
    headline
        What is to be said first; ``None`` where the parse has no such thing.
    page
        What it is, without headline and readings; ``None`` where the parse has no such thing.
    readings
        The readings of the paper that matter for it, in the order in which they are to be told.
    related
        What belongs to it in any picture: to an arrow its cell of the matrix, to a node its cell of the chart.
    words
        The words that it is about.
    signs
        What the signs at it in a picture mean, the most telling one first; ``None`` for a sign without a gloss.
    forms
        How lessons name such a subject: words, and in braces a field and what is filled into it
        (:mod:`explorer.classroom.references`); a field that a form leaves out is 0.
    shows_counts
        Whether pages show counts, so that they tell where these are not the paper's.
    """

    headline: Callable[[ParseContext, Named], Headline | None] = lambda context, subject: None
    page: Callable[[ParseContext, Named], Explanation | None] = lambda context, subject: None
    readings: Callable[[ParseContext, Named], Iterable[PaperReading]] = lambda context, subject: ()
    related: Callable[[Parse, Named], set[Subject]] = lambda parse, subject: set()
    words: Callable[[Parse, Named], tuple[Span, ...]] = lambda parse, subject: ()
    signs: Callable[[Parse, Named], Iterable[Gloss | None]] = lambda parse, subject: ()
    forms: tuple[str, ...] = ()
    shows_counts: bool = True


Topics = Mapping[type[Subject] | type[None], Topic[Any]]
"""Topics by the class of their subjects."""
