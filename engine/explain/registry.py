"""All topics in one table, and what is asked of them: explanation, headline, glosses, what is related, which words.

Who adds a class of subjects (:mod:`engine.explain.subjects`) adds its topic to the module of its family, and to the
table there; a test compares this table with the union of subjects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.chart.parse import Parse
from engine.explain import attachments, chart, compared, constituents, factors, parses, words
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation
from engine.explain.glosses import Gloss
from engine.explain.subjects import Subject
from engine.explain.topics import Span, Topic, Topics
from engine.explain.wording import Headline

TOPICS: Topics = {
    **words.TOPICS,
    **attachments.TOPICS,
    **constituents.TOPICS,
    **chart.TOPICS,
    **factors.TOPICS,
    **parses.TOPICS,
    **compared.TOPICS,
}
"""What is said of each class of subjects; of ``None`` the parse itself."""


def topic_of(subject: Subject | None) -> Topic[Any]:
    """What is said of a subject."""
    return TOPICS[type(subject)]


def explain(context: ParseContext, subject: Subject | None) -> Explanation:
    """Explain a subject; nothing, or what this parse has not, is the parse itself.

    Readings of the paper are told where they matter for this very thing; and where counts are shown that are not those
    of the paper, a sentence says so.
    """
    topic = topic_of(subject)
    page = topic.page(context, subject)
    if page is None:
        return explain(context, None)
    return replace(
        page,
        headline=headline_of(context, subject),
        readings=tuple(dict.fromkeys(topic.readings(context, subject))),
        remark=context.parse.counts_remark if topic.shows_counts else "",
    )


def headline_of(context: ParseContext, subject: Subject | None) -> Headline:
    """What is to be said first about a subject; of nothing, or of what this parse has not, about the parse."""
    return topic_of(subject).headline(context, subject) or headline_of(context, None)


def related(parse: Parse, subject: Subject | None) -> set[Subject]:
    """What else belongs to a subject in any picture."""
    return topic_of(subject).related(parse, subject) - {subject}


def words_of(parse: Parse, subject: Subject | None) -> tuple[Span, ...]:
    """The words that a subject is about, by first position and the one after the last."""
    return topic_of(subject).words(parse, subject)


def glosses_of(parse: Parse, subject: Subject) -> list[Gloss]:
    """What the signs at a subject in a picture mean, the most telling one first."""
    return [gloss for gloss in topic_of(subject).signs(parse, subject) if gloss is not None]
