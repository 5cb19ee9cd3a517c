"""Name what a lesson shows by the words of its sentence: ``arrow of with``, ``gap before the#2``, ``with -> man``.

A word is named by its form, the second of that form by ``the#2``, and any word by its number, counted from 1 without
punctuation: ``#5``.  Words in a row are ``the..telescope``.  Everything that can be selected and every what-if has one
such name, and each name leads back to it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import assert_never

from engine.chart.trace import Trace
from engine.common.characters import readable
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    ErrorCellId,
    ErrorId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
)
from engine.structure.constraints import ROOT_HEAD, Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.tagged_sentence import shortened
from explorer.classroom.lesson import LessonError

ROOT = "(root)"
_NUMBERED = re.compile(r"(.*)#([0-9]{1,6})$")
_ARROW = " -> "


class References:
    """The names in one sentence.

    Parameters
    ----------
    words
        The words of the sentence without punctuation (``TaggedSentence.proper_words``).
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)

    # Words

    def word(self, name: str) -> int:
        """The position of the word that a name means; raise :class:`LessonError` if there is none."""
        name = name.strip()
        matched = _NUMBERED.match(name)
        if matched is not None:
            form, number = matched.group(1), int(matched.group(2))
            found = [at for at, word in enumerate(self._words) if not form or word == form]
            if 1 <= number <= len(found):
                return found[number - 1]
        if name in self._words:
            return self._words.index(name)
        near = difflib.get_close_matches(shortened(name), self._words, 1)
        instead = f"; write `{near[0]}`" if near else ""
        words = " ".join(self._words)
        raise LessonError(f"there is no word `{shortened(name)}` in the sentence `{words}`{instead}")

    def word_name(self, position: int) -> str:
        """The name of a word, by which it is found again."""
        form = self._words[position]
        number = self._words[:position].count(form) + 1
        name = form if number == 1 else f"{form}#{number}"
        plain = form and readable(form) == form and not re.search(r"[\s{}`#(→]|\.\.|->|^\.", form)
        return name if plain and self.word(name) == position else f"#{position + 1}"

    def span(self, name: str) -> tuple[int, int]:
        """The words ``the..man`` from the first up to behind the last; raise :class:`LessonError` if they are none."""
        # The last dots: the first word may end in one (``etc...man``), the last one has no such name.
        first, dots, last = name.rpartition("..")
        start, end = self.word(first if dots else last), self.word(last) + 1
        if start >= end:
            raise LessonError(f"`{shortened(name)}`: the first word stands behind the last")
        return start, end

    def _span_name(self, start: int, end: int) -> str:
        first = self.word_name(start)
        return first if end == start + 1 else f"{first}..{self.word_name(end - 1)}"

    # What can be selected

    def id(self, name: str) -> Subject:
        """What a name selects; raise :class:`LessonError` if it is none."""
        for prefix, read in self._readers():
            if name == prefix.strip() or (prefix.endswith(" ") and name.startswith(prefix)):
                try:
                    return read(name[len(prefix) :].strip())
                except ValueError as error:
                    raise LessonError(f"`{shortened(name)}` selects nothing: {error}") from error
        raise LessonError(
            f"`{shortened(name)}` selects nothing; write for instance `word saw`, `gap before the`, `arrow of with`, "
            "`F̂ with -> saw`, `node NP the..man`, `chart the..man`"
        )

    def _readers(self) -> tuple[tuple[str, Callable[[str], Subject]], ...]:
        """Each beginning of a name, and what reads the rest; the longer of two that begin alike stands first."""
        return (
            ("word ", lambda rest: WordId(self.word(rest))),
            ("token ", lambda rest: PunctuationId(_number(rest) - 1)),
            ("tag ", lambda rest: TagId(self.word(_after(rest, " of ")), _before(rest, " of "))),
            ("gap tag ", self._gap_tag),
            ("gap before ", lambda rest: GapId(self.inner(rest))),
            ("arrow of ", lambda rest: ArrowId(self.word(rest))),
            ("root", lambda rest: RootId()),
            ("F̂ ", self._estimate),
            ("node ", self._node),
            ("chart ", lambda rest: ChartCellId(*self.span(rest))),
            ("edge ", lambda rest: EdgeId(_number(rest) - 1)),
            ("item ", lambda rest: ItemId(_number(rest) - 1)),
            ("second model", lambda rest: SecondModelId()),
            ("decisions ", lambda rest: DecisionsId(_number(rest) - 1)),
            ("decision ", lambda rest: DecisionId(_number(rest) - 1)),
            ("features", lambda rest: FeaturesId()),
            ("factor ", lambda rest: FactorId(_number(rest) - 1)),
            ("what-if ", lambda rest: WhatIfId(_number(rest) - 1)),
        )

    def inner(self, name: str) -> int:
        """The position of a word that has a gap before it: any but the first."""
        position = self.word(name)
        if position == 0:
            raise LessonError(f"there is no gap before `{shortened(name)}`, the first word")
        return position

    def _gap_tag(self, rest: str) -> Subject:
        return GapTagId(self.inner(_after(rest, " before ")), _letter(_before(rest, " before ")))

    def _estimate(self, rest: str) -> Subject:
        modifier, head = self.word(_before(rest, _ARROW)), _after(rest, _ARROW)
        head, as_, relation = head.partition(" as ")
        position = self.word(head)
        if position == modifier:
            raise ValueError("a word is not its own head")
        return CandidateId(modifier, position, read_relation(relation)) if as_ else MatrixCellId(modifier, position)

    def _node(self, rest: str) -> Subject:
        label, _, words = rest.partition(" ")
        words, _, depth = words.partition(" at depth ")
        return NodeId(*self.span(words), label, _number(depth) if depth else 0)

    def _head(self, name: str) -> int:
        return ROOT_HEAD if name.strip() == ROOT else self.word(name)

    def id_name(self, id: Subject) -> str:
        """The name of something that can be selected; empty for what only Compare shows, where no lesson leads."""
        match id:
            case WordId(position):
                return f"word {self.word_name(position)}"
            case PunctuationId(token):
                return f"token {token + 1}"
            case TagId(position, tag):
                return f"tag {tag} of {self.word_name(position)}"
            case GapId(position):
                return f"gap before {self.word_name(position)}"
            case GapTagId(position, letter):
                return f"gap tag {letter} before {self.word_name(position)}"
            case ArrowId(modifier):
                return f"arrow of {self.word_name(modifier)}"
            case RootId():
                return "root"
            case MatrixCellId(modifier, head):
                return f"F̂ {self._attachment_name(modifier, head)}"
            case CandidateId(modifier, head, relation):
                return f"F̂ {self._attachment_name(modifier, head)} as {relation}"
            case NodeId(start, end, label, depth):
                return f"node {label} {self._span_name(start, end)} at depth {depth}"
            case ChartCellId(start, end):
                return f"chart {self._span_name(start, end)}"
            case SecondModelId():
                return "second model"
            case FeaturesId():
                return "features"
            case EdgeId(number) | ItemId(number) | DecisionsId(number) | DecisionId(number):
                return f"{id.name} {number + 1}"
            case FactorId(number) | WhatIfId(number):
                return f"{id.name} {number + 1}"
            case VerdictId() | ErrorId() | ErrorCellId() | PointId():
                return ""
            case _:
                assert_never(id)

    # What-ifs

    def constraint(self, name: str) -> Constraint:
        """What a parse is made to obey by a name; raise :class:`LessonError` if it is none."""
        # A word may be `not`, too.
        forbid = name.startswith("not ") and not name.startswith(f"not{_ARROW}")
        text = name[4:].strip() if forbid else name.strip()
        try:
            return self._constraint(text, forbid)
        except ValueError as error:
            raise LessonError(
                f"`{shortened(name)}` is no what-if; write for instance `with -> man`, `not with -> man`, "
                "`gap S before the`, `baseNP the..man`, `NP over the..man` or `tag NN of plan`"
            ) from error

    def _constraint(self, text: str, forbid: bool) -> Constraint:
        # First: any of these words may be one of the sentence.
        if _ARROW in text:
            modifier, head = _before(text, _ARROW), _after(text, _ARROW)
            head, as_, relation = head.partition(" as ")
            return Attachment(self.word(modifier), self._head(head), read_relation(relation) if as_ else None, forbid)
        if text.startswith("gap "):
            rest = text[4:].strip()
            return GapTag(self.inner(_after(rest, "before ")), _letter(_before(rest, "before ")), forbid)
        if text.startswith("baseNP "):
            return BaseSpan(*self.span(text[7:]), forbid)
        if text.startswith("tag "):
            return FixedTag(self.word(_after(text[4:], " of ")), _before(text[4:], " of "), forbid)
        label = _before(text, " over ")
        return Bracket(*self.span(_after(text, " over ")), None if label == "constituent" else label, forbid)

    def constraint_name(self, constraint: Constraint) -> str:
        """The name of a what-if."""
        match constraint:
            case GapTag(position, tag, forbid):
                text = f"gap {tag} before {self.word_name(position)}"
            case BaseSpan(start, end, forbid):
                text = f"baseNP {self._span_name(start, end)}"
            case Attachment(modifier, head, relation, forbid):
                text = self._attachment_name(modifier, head) + (f" as {relation}" if relation else "")
            case Bracket(start, end, label, forbid):
                text = f"{label or 'constituent'} over {self._span_name(start, end)}"
            case FixedTag(position, tag, forbid):
                text = f"tag {tag} of {self.word_name(position)}"
        return ("not " if forbid else "") + text

    def _attachment_name(self, modifier: int, head: int) -> str:
        return f"{self.word_name(modifier)}{_ARROW}{ROOT if head == ROOT_HEAD else self.word_name(head)}"


class AnyWords(References):
    """Names in a sentence whose words are not known yet: all of them are taken to be there."""

    def __init__(self) -> None:
        super().__init__(())
        self._seen: dict[str, int] = {}

    def word(self, name: str) -> int:
        """Some position, for a name that could be that of a word."""
        name = name.strip()
        if not name or " " in name:
            raise LessonError(f"`{shortened(name)}` is no word; write one word, such as `the`, `the#2` or `#5`")
        return self._seen.setdefault(name, len(self._seen) + 1)

    def span(self, name: str) -> tuple[int, int]:
        """Some words in a row."""
        first, dots, last = name.partition("..")
        self.word(first)
        self.word(last if dots else first)
        return 0, 1


def check_in_chart(id: Subject, chart: Trace | None) -> None:
    """Raise :class:`LessonError` if an id names an edge or item by a number that the chart has not."""
    if chart is not None and isinstance(id, EdgeId | ItemId):
        there = len(chart) if isinstance(id, EdgeId) else chart.item_count
        if id.number >= there:
            raise LessonError(f"the chart has no {id.name} {id.number + 1}; write a number from 1 to {there:,}")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(f"`{shortened(text)}` is no number from 1")
    return int(text)


def _before(text: str, mark: str) -> str:
    if mark not in text:
        raise ValueError(f"`{mark.strip()}` is missing")
    return text.partition(mark)[0].strip()


def _after(text: str, mark: str) -> str:
    if mark not in text:
        raise ValueError(f"`{mark.strip()}` is missing")
    return text.partition(mark)[2].strip()


def _letter(text: str) -> str:
    if len(text) != 1 or text not in GAP_LETTERS:
        raise ValueError(f"a gap tag is one of S C E B N, not `{shortened(text)}`")
    return text


def read_relation(text: str) -> Relation:
    """The relation that is written ``<PP,VP,VBD>``; raise :class:`ValueError` if it is none."""
    parts = text.strip().removeprefix("<").removesuffix(">").split(",")
    if len(parts) not in (1, 3) or not all(parts):
        raise ValueError(f"a relation is written <PP,VP,VBD>, not `{shortened(text)}`")
    return Relation(*parts)
