"""The list's filter: a line of terms, all of which a sentence must meet.

========================  ==========================================================================
``telescope "the man"``   its words contain this, upper and lower case alike
``tag:VBD``               some word has this tag
``label:NP``              some constituent of its gold tree has this label
``triple:PP,VP,VBD``      its gold tree or its parse has such a dependency; ``*`` stands for anything
``tree:"PP > VP"``        its gold tree, or without one its parse, has what the pattern says
``missing:"PP > VP"``     its gold tree has such a match, and its parse has not
``extra:"PP > VP"``       its parse has such a match, and its gold tree has not
``is:differs``            its mark, if that is up to date: parsed, right, differs, fragments, failed
``is:old``                its mark is out of date
``is:unseen``             it was not parsed yet
``is:gold``               it has a gold tree
``is:backoff``            its parse was found with further back-off
``class:PP``              an error of this class
``verdict:search``        this verdict
``length>20``             so many tokens: ``<  <=  =  >=  >``, or ``length:10-20``
``f1<80``                 F1 of its parse in per cent, likewise
========================  ==========================================================================

A minus before a term turns it round: ``-tag:CC``.  Patterns are those of :mod:`engine.patterns`; a quotation mark in
one has a backslash before it.  Parses are those that are kept of sentences which were parsed: a filter does not parse.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.common.errors import EngineError
from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import Relation, analyse
from engine.study.provenance import Provenance
from engine.text.input import is_tree
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from explorer.session.document import TextLine, length_of, plain
from explorer.session.statuses import UNSEEN, SentenceStatus

if TYPE_CHECKING:
    from engine.patterns.pattern import Pattern

TEXT, TAG, LABEL, TRIPLE, TREE, MISSING, EXTRA, MARK, CLASS, VERDICT, LENGTH, F1 = (
    "text",
    "tag",
    "label",
    "triple",
    "tree",
    "missing",
    "extra",
    "is",
    "class",
    "verdict",
    "length",
    "f1",
)
NAMES = (TAG, LABEL, TRIPLE, TREE, MISSING, EXTRA, MARK, CLASS, VERDICT, LENGTH, F1)
_FROM_STATUS = frozenset({MARK, CLASS, VERDICT, F1})
_PATTERNS = frozenset({TREE, MISSING, EXTRA})
_SLOW = _PATTERNS | {TRIPLE}
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
_TERM = re.compile(
    rf"""(?P<minus>-)?(?:
        (?P<name>{"|".join(NAMES)})(?P<sign>:|<=|>=|<|>|=)(?:"(?P<long>(?:\\"|[^"])*)"?|(?P<short>\S*))
        |"(?P<phrase>[^"]*)"?
        |(?P<word>\S+)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+(?:\.\d+)?)?\s*(?:-|–|\.\.)\s*(\d+(?:\.\d+)?)?")
_QUOTE, _WRITTEN_QUOTE = '"', r"\""
_GOLD, _SEEN, _BACKOFF = "gold", "unseen", "backoff"
OLD = "old"
"""What the filter calls a mark that is out of date."""


class FilterError(EngineError):
    """A filter that means nothing: what to write instead."""


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """One term: kind, value in lower case (a triple, tag, label and pattern as written), and whether it is negated."""

    kind: str
    value: str
    negated: bool = False
    low: float = 0.0
    high: float = 0.0
    sign: str = ""
    pattern: Pattern | None = None


Test = Callable[[TextLine, SentenceStatus | None], bool]


class ListFilter:
    """What the filter asks for.

    Parameters
    ----------
    text
        As a person wrote it.

    Attributes
    ----------
    terms
        Its terms; none where everything passes.
    follows_statuses
        Whether what it finds changes when sentences are parsed.
    slow
        Whether trees must be read for it.

    Raises
    ------
    FilterError
        If a term means nothing.
    """

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.terms: tuple[FilterTerm, ...] = tuple(map(_term, _TERM.finditer(text)))
        self.follows_statuses = any(term.kind in _FROM_STATUS | _SLOW for term in self.terms)
        self.slow = any(term.kind in _SLOW for term in self.terms)

    def test(self, lexicaliser: Lexicaliser | None, plain_texts: dict[str, str], now: Provenance | None = None) -> Test:
        """Return what tells whether a sentence passes.

        Parameters
        ----------
        lexicaliser
            Finds the heads of gold trees, for triples; ``None`` if there is no model.
        plain_texts
            Words of lines without their tags and brackets, as far as they were looked at; grows.
        now
            Under what gold trees are judged now: a mark that was found under something else is out of date.
        """
        # What is quick is asked first.
        order = sorted(self.terms, key=lambda term: (term.kind in _SLOW, term.kind == TEXT))
        tests = [(_test(term, lexicaliser, plain_texts, now), term.negated) for term in order]
        return lambda line, status: all(test(line, status) != negated for test, negated in tests)


def with_term(text: str, kind: str, value: str) -> str:
    """Return a filter with this term in place of any other of its kind; an empty value takes the term out."""
    kept = [_closed(match) for match in _TERM.finditer(text) if (match["name"] or "").lower() != kind]
    written = quoted(kind, value) if " " in value else f"{kind}:{value}"
    return " ".join([*kept, *([written] if value else [])])


def quoted(kind: str, value: str) -> str:
    """Return a term with its value in quotation marks."""
    return f'{kind}:"{value.replace(_QUOTE, _WRITTEN_QUOTE)}"'


def _closed(match: re.Match[str]) -> str:
    """Return a term as it was written; a quotation that runs to the end is closed."""
    quotation = match["phrase"] is not None or match["long"] is not None
    return match[0] + ('"' if quotation and match[0].replace(_WRITTEN_QUOTE, "").count('"') == 1 else "")


def _term(match: re.Match[str]) -> FilterTerm:
    negated = bool(match["minus"])
    name = (match["name"] or "").lower()
    if not name:
        phrase = match["phrase"] if match["phrase"] is not None else match["word"]
        return FilterTerm(TEXT, phrase.lower(), negated)
    value = match["long"] if match["long"] is not None else match["short"]
    sign = match["sign"]
    if name in (LENGTH, F1):
        low, high = _numbers(name, sign, value)
        return FilterTerm(name, value, negated, low, high, sign)
    if sign != ":":
        raise FilterError(f"`{match[0]}`: write `{name}:` and what to look for")
    if name == TRIPLE:
        labels = value.strip("<>").split(",")
        if len(labels) not in (1, 3):
            raise FilterError("a triple is written `triple:PP,VP,VBD`, with `*` for anything")
        return FilterTerm(name, ",".join(labels), negated)
    if name in _PATTERNS:
        value = value.replace(_WRITTEN_QUOTE, _QUOTE)
        return FilterTerm(name, value, negated, pattern=_pattern(name, value, match))
    return FilterTerm(name, value if name in (TAG, LABEL) else value.lower(), negated)


def _pattern(name: str, value: str, match: re.Match[str]) -> Pattern:
    """Return the pattern of a term; what is wrong with it is told by its column in the filter."""
    # Loaded when it is needed: a start does not wait for it.
    from engine.common.errors import PatternError
    from engine.patterns.pattern import Pattern

    try:
        return Pattern(value)
    except PatternError as error:
        column = match.start("long" if match["long"] is not None else "short") + max(error.column, 1)
        raise FilterError(f"`{name}:`, column {column}: {error.problem}") from None


def _numbers(name: str, sign: str, value: str) -> tuple[float, float]:
    found = _RANGE.fullmatch(value) if sign in ":=" else None
    if found is not None and (found[1] or found[2]):
        return float(found[1] or 0), float(found[2] or "inf")
    try:
        number = float(value.rstrip("%"))
    except ValueError:
        raise FilterError(f"`{name}` wants a number: `{name}>20`, `{name}:10-20`") from None
    return number, number


def _test(
    term: FilterTerm, lexicaliser: Lexicaliser | None, plain_texts: dict[str, str], now: Provenance | None
) -> Test:
    match term.kind:
        case "text":
            return _text_test(term.value, plain_texts)
        case "tag" | "label":
            return _label_test(term.value, term.kind == TAG)
        case "triple":
            return _triple_test(term.value.split(","), lexicaliser)
        case "tree" | "missing" | "extra":
            assert term.pattern is not None
            return _pattern_test(term.kind, term.pattern, lexicaliser)
        case "is":
            return _mark_test(term.value, now)
        case "class":
            return lambda line, status: (
                status is not None and any(one.lower().startswith(term.value) for one in status.classes)
            )
        case "verdict":
            return lambda line, status: status is not None and status.verdict.lower().startswith(term.value or "?")
        case "length":
            return lambda line, status: _within(length_of(line.text), term)
    return lambda line, status: status is not None and status.f1 is not None and _within(status.f1, term)


def _within(value: float, term: FilterTerm) -> bool:
    if term.sign in (":", "=") or term.sign not in _COMPARE:
        return term.low <= value <= term.high
    return _COMPARE[term.sign](value, term.low)


def _text_test(value: str, plain_texts: dict[str, str]) -> Test:
    def test(line: TextLine, status: SentenceStatus | None) -> bool:
        text = plain_texts.get(line.text)
        if text is None:
            text = plain_texts[line.text] = plain(line.text).lower()
        return value in text

    return test


def _label_test(value: str, is_tag: bool) -> Test:
    label = re.escape(value)
    after = r"(?:[-=|][^\s()]*)?\s+[^\s()]+\s*\)" if is_tag else r"(?:[-=|][^\s()]*)?\s*\("
    pattern = re.compile(rf"\(\s*{label}{after}")
    quick = "(" + value
    tagged = re.compile(rf"\S/{label}(?=\s|$)")

    def test(line: TextLine, status: SentenceStatus | None) -> bool:
        if is_tree(line.text):
            return quick in line.text and bool(pattern.search(line.text))
        return is_tag and bool(tagged.search(line.text))

    return test


def _mark_test(value: str, now: Provenance | None) -> Test:
    if value == _GOLD:
        return lambda line, status: is_tree(line.text)
    if value == _SEEN:
        return lambda line, status: status is None
    if value == _BACKOFF:
        return lambda line, status: status is not None and status.further_backoff
    if value == OLD:
        return lambda line, status: status is not None and not status.is_up_to_date(line, now)

    def test(line: TextLine, status: SentenceStatus | None) -> bool:
        if status is None:
            return UNSEEN.startswith(value)
        return status.mark.startswith(value) and status.is_up_to_date(line, now)

    return test


def _triple_test(labels: Sequence[str], lexicaliser: Lexicaliser | None) -> Test:
    def fits(relations: Iterable[Relation]) -> bool:
        wanted = labels if len(labels) == 3 else (labels[0], "", "")
        return any(
            all(label in ("*", part) for label, part in zip(wanted, relation, strict=True)) for relation in relations
        )

    def test(line: TextLine, status: SentenceStatus | None) -> bool:
        if status is not None and fits(status.triples):
            return True
        return lexicaliser is not None and is_tree(line.text) and fits(gold_triples(line.text, lexicaliser))

    return test


def _pattern_test(kind: str, pattern: Pattern, lexicaliser: Lexicaliser | None) -> Test:
    from engine.patterns.pattern import extra, missing

    rules = lexicaliser.rules if lexicaliser is not None else None
    differing = {MISSING: missing, EXTRA: extra}.get(kind)

    def test(line: TextLine, status: SentenceStatus | None) -> bool:
        gold = _tree(line.text) if is_tree(line.text) else None
        if differing is None and gold is not None:
            return pattern.found_in(gold, rules)
        parse = _tree(status.tree) if status is not None and status.tree else None
        if differing is None or gold is None or parse is None:
            return differing is None and parse is not None and pattern.found_in(parse, rules)
        return next(differing(pattern, gold, parse, rules), None) is not None

    return test


def _tree(text: str) -> Tree | None:
    """Return a tree as the model sees it; ``None`` if it cannot be read."""
    try:
        return clean(read_tree(text))
    except EngineError:
        return None


def gold_triples(text: str, lexicaliser: Lexicaliser) -> frozenset[Relation]:
    """Return the triples of a bracketed tree; none if it cannot be read."""
    try:
        tree = clean(read_tree(text))
        root = lexicaliser.constituent(tree) if tree is not None else None
    except EngineError:
        return frozenset()
    if tree is None or root is None:
        return frozenset()
    # Tags of the words proper: analysing counts without punctuation, as constituents do.
    from engine.structure.tagged_sentence import TaggedSentence

    tags = TaggedSentence.from_tree(tree).proper_tags
    return frozenset(arrow.relation for arrow in analyse(root, tags).dependencies)
