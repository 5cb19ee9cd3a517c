"""What a claim is about, and the table of patterns that take sentences apart."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chart.parse import Parse
from engine.explain.subjects import Subject
from tests.claims import notation
from tests.claims.case import Case, Facts
from tests.claims.estimates import Pair
from tests.engine.recount_trees import Relation

Checker = Callable[..., str]
"""Says what is wrong with a claim, from what it is asked about and the parts of its sentence; nothing if it is true."""

_MACROS = {
    "W": notation.WORD,
    "N": r"\d+(?:,\d{3})*",
    "#": notation.NUMBER,
    "A": notation.AMOUNT,
    "C": notation.CHANGE,
    "P": notation.CHANCE,
    "X": notation.TIMES,
    "O": r"\d+(?:,\d{3})*(?:st|nd|rd|th)",
    "%": notation.SHARE,
    "T": r"(?:“[^”]+”|[^\s“`;:]+?)",
    "L": r"[^\s,.;:]+",
    "R": r"<[^>]*>",
    "M": notation.COUNT,
}


def expanded(pattern: str) -> re.Pattern[str]:
    """A pattern in which ``«W:word»`` stands for a quoted word, by the name of its part."""

    def part(found: re.Match[str]) -> str:
        macro, name = found.groups()
        return f"(?P<{name}>{_MACROS[macro]})"

    return re.compile(re.sub(r"«([^:»]):(\w+)»", part, pattern))


@dataclass(frozen=True)
class Pattern:
    """A way in which the program says something: the kind of claim, its words, and what finds out whether it is so."""

    kind: str
    words: re.Pattern[str]
    check: Checker


@dataclass
class Asked:
    """Something that was explained.

    Attributes
    ----------
    case, parse, facts
        The sentence, the parse, and what is true of it.
    subject
        What was selected.
    told
        How many claims of each kind were met in this text already: the second count is about the second pair.
    views
        Of a verdict: the gold tree and the parse, of either of which something may be told.
    last
        The pairs of words, with their relations, of which it may be that the last claim was told.
    """

    case: Case
    parse: Parse
    facts: Facts
    subject: Subject | None
    told: Counter[str] = field(default_factory=Counter)
    views: tuple[Facts, ...] = ()
    last: list[tuple[Pair, Relation]] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """The words of the sentence."""
        return self.facts.words

    def places(self, quoted: str) -> list[int]:
        """Where the sentence has a word."""
        return [place for place, word in enumerate(self.words) if notation.is_word(quoted, word)]

    def following(self, kind: str) -> int:
        """How often this was asked before."""
        self.told[kind] += 1
        return self.told[kind] - 1


@dataclass(frozen=True)
class Claim:
    """What a sentence claims, or leaves for nobody to check.

    Attributes
    ----------
    kind
        Of the pattern; of a sentence that none knows ``uncovered`` or, without anything to check, ``plain``.
    text
        The words.
    problem
        What is wrong with it; empty where it is true.
    """

    kind: str
    text: str
    problem: str = ""


UNCOVERED, PLAIN = "uncovered", "plain"
QUANTITY = re.compile(
    r"\d|\b(?:never|not|no|none|nothing|nor|neither|only|all|every|always|ever|each|any|both|once|twice|times|least|most|"
    r"best|next|more|less|fewer|likelier|dearest|clear|clearly|nearly|close|cannot|impossible|possible|probable|same|"
    r"ahead|behind|another|other|first|last|single|alone|anyway|highest|higher|lower|greatest|better|against|costs?|"
    r"prefers|half|few|many|several|hardly)\b|%",
    re.IGNORECASE,
)
"""What makes of a sentence a claim that can be checked."""
_QUOTED = re.compile(notation.WORD)
_END = re.compile(r"[.;:!?](?= |$|\n)")


def checked(check: Checker, *arguments: Any, **parts: Any) -> str:
    """What is wrong with a claim; also that it could not be checked, so that one such does not end a campaign."""
    try:
        return check(*arguments, **parts)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"could not be checked: {error!r} in {where.name}, line {where.lineno}"


def claims_in(text: str, patterns: Sequence[Pattern], asked: Asked) -> Iterator[Claim]:
    """Take a text apart: claims that a pattern knows, and what is left."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = ((pattern, match) for pattern in patterns if (match := pattern.words.match(text, at)))
        pattern, match = next(found, (None, None))
        if pattern is not None and match is not None and match.end() > at:
            yield Claim(pattern.kind, match[0], checked(pattern.check, asked, **match.groupdict()))
            at = match.end()
            continue
        masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text)
        end = _END.search(masked, at)
        stop = end.end() if end is not None else len(text)
        rest = _QUOTED.sub("", text[at:stop])
        yield Claim(UNCOVERED if QUANTITY.search(rest) else PLAIN, text[at:stop])
        at = stop
