"""What can be said of a subject: the base of all topics, of which there is one for each class of subjects.

A topic says everything about its subjects that is not drawn: headline, page, readings of the paper, glosses, what else
belongs to them, by which words they are about, and how lessons name them.  All topics are in the registry
(:mod:`engine.explain.registry`), which is where window, terminal, lessons and exports ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from engine.chart.parse import Parse
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation
from engine.explain.glosses import Gloss
from engine.explain.paper_readings import PaperReading
from engine.explain.subjects import Subject
from engine.explain.wording import Headline

Named = TypeVar("Named", bound=Subject | None, contravariant=True)
Span = tuple[int, int]
"""Words in a row: the position of the first, and the one after the last."""


class Topic(Generic[Named]):
    """What is said of one class of subjects; what a topic does not say, is nothing.

    Attributes
    ----------
    forms
        How lessons name such a subject: words, and in braces a field and what is filled into it
        (:mod:`explorer.classroom.references`); a field that a form leaves out is 0.
    shows_counts
        Whether pages show counts, so that they tell where these are not the paper's.
    """

    forms: ClassVar[tuple[str, ...]] = ()
    shows_counts: ClassVar[bool] = True

    def headline(self, context: ParseContext, subject: Named) -> Headline | None:
        """What is to be said first; ``None`` where the parse has no such thing."""
        return None

    def page(self, context: ParseContext, subject: Named) -> Explanation | None:
        """What it is, without headline and readings; ``None`` where the parse has no such thing."""
        return None

    def readings(self, context: ParseContext, subject: Named) -> Iterable[PaperReading]:
        """The readings of the paper that matter for it, in the order in which they are to be told."""
        return ()

    def related(self, parse: Parse, subject: Named) -> set[Subject]:
        """What belongs to it in any picture: to an arrow its cell of the matrix, to a node its cell of the chart."""
        return set()

    def words(self, parse: Parse, subject: Named) -> tuple[Span, ...]:
        """The words that it is about."""
        return ()

    def signs(self, parse: Parse, subject: Named) -> Iterable[Gloss | None]:
        """What the signs at it in a picture mean, the most telling one first; ``None`` for a sign without a gloss."""
        return ()


Topics = Mapping[type[Subject] | type[None], Topic[Any]]
"""Topics by the class of their subjects."""
