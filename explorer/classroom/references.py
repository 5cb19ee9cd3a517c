"""Name what a lesson shows by the words of its sentence: ``arrow of with``, ``gap before the#2``, ``with -> man``.

A word is named by its form, the second of that form by ``the#2``, and any word by its number, counted from 1 without
punctuation: ``#5``.  Words in a row are ``the..telescope``.  Everything that can be selected and every what-if has one
such name, and each name leads back to it: both follow from one table of forms.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.chart.parse import Parse
from engine.chart.trace import Trace
from engine.common.characters import readable
from engine.explain.registry import TOPICS
from engine.explain.subjects import CandidateId, EdgeId, ItemId, MatrixCellId, Subject
from engine.structure.constraints import ROOT_HEAD, Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.tagged_sentence import shortened
from explorer.classroom.lesson import LessonError

ROOT = "(root)"
_NUMBERED = re.compile(r"(.*)#([0-9]{1,6})$")


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

    def span_name(self, span: tuple[int, int]) -> str:
        """The name of words in a row, from the first up to behind the last."""
        start, end = span
        first = self.word_name(start)
        return first if end == start + 1 else f"{first}..{self.word_name(end - 1)}"

    def inner(self, name: str) -> int:
        """The position of a word that has a gap before it: any but the first."""
        position = self.word(name)
        if position == 0:
            raise LessonError(f"there is no gap before `{shortened(name)}`, the first word")
        return position

    def head(self, name: str) -> int:
        """The position of the head that a name means, which may be the root."""
        return ROOT_HEAD if name == ROOT else self.word(name)

    def head_name(self, position: int) -> str:
        """The name of a head."""
        return ROOT if position == ROOT_HEAD else self.word_name(position)

    # What can be selected, and what-ifs

    def id(self, name: str) -> Subject:
        """What a name selects; raise :class:`LessonError` if it is none."""
        try:
            found: Subject | None = _read(_SELECTED, name, self)
            if isinstance(found, MatrixCellId | CandidateId) and found.head == found.modifier:
                raise ValueError("a word is not its own head")
        except ValueError as error:
            raise LessonError(f"`{shortened(name)}` selects nothing: {error}") from error
        if found is None:
            raise LessonError(
                f"`{shortened(name)}` selects nothing; write for instance `word saw`, `gap before the`, "
                "`arrow of with`, `F̂ with -> saw`, `node NP the..man`, `chart the..man`"
            )
        return found

    def id_name(self, id: Subject) -> str:
        """The name of something that can be selected; empty for what only Compare shows, where no lesson leads."""
        return _written(_SELECTED, id, self)

    def constraint(self, name: str) -> Constraint:
        """What a parse is made to obey by a name; raise :class:`LessonError` if it is none."""
        # A word may be `not`, too.
        forbid = name.startswith("not ") and not name.startswith("not -> ")
        try:
            found: Constraint | None = _read(_FORCED, name[4:].strip() if forbid else name.strip(), self)
        except ValueError as error:
            raise LessonError(
                f"`{shortened(name)}` is no what-if; write for instance `with -> man`, `not with -> man`, "
                "`gap S before the`, `baseNP the..man`, `NP over the..man` or `tag NN of plan`"
            ) from error
        assert found is not None
        return replace(found, forbid=forbid)

    def constraint_name(self, constraint: Constraint) -> str:
        """The name of a what-if."""
        return ("not " if constraint.forbid else "") + _written(_FORCED, constraint, self)


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


def kept_chart(parse: Parse) -> Trace:
    """The chart of a parse; raise :class:`LessonError` if there is none."""
    if parse.chart is None:
        raise LessonError("the chart of this sentence was not kept; take a shorter sentence or a smaller β")
    return parse.chart


def check_in_chart(id: Subject, chart: Trace | None) -> None:
    """Raise :class:`LessonError` if an id names an edge or item by a number that the chart has not."""
    if chart is not None and isinstance(id, EdgeId | ItemId):
        there = len(chart) if isinstance(id, EdgeId) else chart.item_count
        if id.number >= there:
            raise LessonError(f"the chart has no {id.name} {id.number + 1}; write a number from 1 to {there:,}")


# The forms of all names, and what is filled into them.


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(f"`{shortened(text)}` is no number from 1")
    return int(text)


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


_SLOTS: dict[str, tuple[Callable[[References, str], Any], Callable[[References, Any], str]]] = {
    "word": (lambda names, text: names.word(text), lambda names, value: names.word_name(value)),
    "inner": (lambda names, text: names.inner(text), lambda names, value: names.word_name(value)),
    # No cell of F̂ is the root's, but a what-if may be about it.
    "other": (lambda names, text: names.word(text), lambda names, value: names.head_name(value)),
    "head": (lambda names, text: names.head(text), lambda names, value: names.head_name(value)),
    "span": (lambda names, text: names.span(text), lambda names, value: names.span_name(value)),
    "number": (lambda names, text: _number(text) - 1, lambda names, value: str(value + 1)),
    "depth": (lambda names, text: _number(text), lambda names, value: str(value)),
    "letter": (lambda names, text: _letter(text), lambda names, value: str(value)),
    "relation": (lambda names, text: read_relation(text), lambda names, value: str(value)),
    "label": (lambda names, text: text, lambda names, value: str(value)),
}
"""What can be filled into a form: how its text is read, and how its value is written."""
_SLOT = re.compile(r"\{(\w+):(\w+)\}")


class _Form:
    """How one sort of thing is named.

    Parameters
    ----------
    form
        Words, and in braces what is filled in: the field that it is, and its kind in :data:`_SLOTS`.  A span is two
        fields, ``start`` and ``end``.
    made
        The class of what is named.
    given
        Fields that have these values where the form does not name them.
    """

    def __init__(self, form: str, made: type[Any], **given: Any) -> None:
        self.beginning, *parts = _SLOT.split(form)
        self.made = made
        self.given = given
        # Of each slot the field, the kind, and the words behind it.
        self.slots = list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))

    def rest(self, text: str) -> str | None:
        """What stands behind the beginning of the form; ``None`` if a text begins otherwise."""
        begins = self.beginning.endswith(" ") or not self.beginning
        if text == self.beginning.strip() or (begins and text.startswith(self.beginning)):
            return text[len(self.beginning) :].strip()
        return None

    def split(self, rest: str) -> tuple[dict[str, tuple[str, str]], str]:
        """Of each field its kind and its text, and the first words of the form that are missing."""
        texts: dict[str, tuple[str, str]] = {}
        missing = ""
        for field, kind, mark in self.slots:
            if mark.strip() and mark not in rest:
                missing = missing or mark.strip()
            text, _, rest = rest.partition(mark) if mark else (rest, "", "")
            texts[field] = kind, text.strip()
        return texts, missing

    def read(self, rest: str, names: References) -> Any:
        """What a text of this form means."""
        texts, missing = self.split(rest)
        if missing:
            raise ValueError(f"`{missing}` is missing")
        values = dict(self.given)
        for field in filter(texts.__contains__, self.made.__match_args__):
            kind, text = texts[field]
            value = _SLOTS[kind][0](names, text)
            values |= {"start": value[0], "end": value[1]} if kind == "span" else {field: value}
        return self.made(**values)

    def written(self, thing: Any, names: References) -> str | None:
        """The name of a thing; ``None`` if it has another form."""
        if type(thing) is not self.made or any(getattr(thing, field) != value for field, value in self.given.items()):
            return None
        text = self.beginning
        for field, kind, mark in self.slots:
            value = (thing.start, thing.end) if kind == "span" else getattr(thing, field)
            if value is None or (kind == "depth" and not value):
                # The root has the form that names no depth.
                return None
            text += _SLOTS[kind][1](names, value) + mark
        return text


def _read(forms: Sequence[_Form], text: str, names: References) -> Any:
    """What a text means: by the first form of its beginning whose words are all there; ``None`` if it is nothing."""
    begun: list[tuple[_Form, str]] = []
    for form in forms:
        rest = form.rest(text)
        if rest is not None and (not begun or form.beginning == begun[0][0].beginning):
            if not form.split(rest)[1]:
                return form.read(rest, names)
            if form.beginning or form is forms[-1]:
                begun.append((form, rest))
    return begun[-1][0].read(begun[-1][1], names) if begun else None


def _written(forms: Sequence[_Form], thing: Any, names: References) -> str:
    return next((text for form in forms if (text := form.written(thing, names)) is not None), "")


def _form(form: str, made: type[Any]) -> _Form:
    """A form of a class; fields that it leaves out are 0."""
    filled = {field for field, _ in _SLOT.findall(form)} | ({"end"} if "{start:span}" in form else set())
    return _Form(form, made, **{field: 0 for field in made.__match_args__ if field not in filled})


# Of two forms that begin alike the longer is tried first.
_SELECTED = sorted(
    (_form(form, made) for made, topic in TOPICS.items() for form in topic.forms), key=lambda form: -len(form.slots)
)
"""What can be selected, as its topics say."""
_FORCED = (
    # First: any of the other words may be one of the sentence.
    _Form("{modifier:word} -> {head:head} as {relation:relation}", Attachment),
    _Form("{modifier:word} -> {head:head}", Attachment, relation=None),
    _Form("gap {tag:letter} before {position:inner}", GapTag),
    _Form("baseNP {start:span}", BaseSpan),
    _Form("tag {tag:label} of {position:word}", FixedTag),
    _Form("constituent over {start:span}", Bracket, label=None),
    _Form("{label:label} over {start:span}", Bracket),
)
"""What a parse can be made to obey."""
