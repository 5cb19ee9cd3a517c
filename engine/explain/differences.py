"""What differs between two parses of a sentence, named as a linguist would.

Named first is what the rest follows from: tags, then baseNPs, then heads, then labels and brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.chart.parse import Parse
from engine.estimates.ledger import ROOT
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED
from engine.structure.dependencies import BaseNP
from engine.trees.tree import LabelledSpan

MOST_NAMED = 2
_MOST_WORDS = 5
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def difference_name(parse: Parse, other: Parse, most: int = MOST_NAMED) -> str:
    """Name a parse by what it has otherwise than another one; ``the same tree`` if that is nothing."""
    found = differences(parse, other)
    if not found:
        return "the same tree"
    more = len(found) - most
    return "; ".join(found[:most]) + (f"; and {more} more" if more > 0 else "")


def differences(parse: Parse, other: Parse) -> tuple[str, ...]:
    """Everything that a parse has otherwise than another one of the same words, what the rest follows from first."""
    if parse.sentence.proper_words != other.sentence.proper_words:
        return ("other words",)
    found = [*_tags(parse, other), *_bases(parse, other), *_heads(parse, other)]
    found += _labels(parse, other)
    return tuple(found or _brackets(parse, other))


def _name(parse: Parse, position: int) -> str:
    """A word; one that the sentence has several times with its number among them."""
    words = parse.sentence.proper_words
    word = words[position]
    if not any(map(str.isalnum, word)):
        word = f"“{word}”"
    if words.count(words[position]) == 1:
        return word
    number = words[: position + 1].count(words[position])
    return f"{word} ({_ORDINALS.get(number, f'{number}th')})"


def _span(parse: Parse, start: int, end: int) -> str:
    words = parse.sentence.proper_words[start:end]
    return " ".join(words) if len(words) <= _MOST_WORDS else f"{' '.join(words[:2])} … {' '.join(words[-2:])}"


def _tags(parse: Parse, other: Parse) -> Iterator[str]:
    pairs = zip(parse.sentence.proper_tags, other.sentence.proper_tags, strict=True)
    for position, (mine, theirs) in enumerate(pairs):
        if mine != theirs:
            yield f"{_name(parse, position)}: {mine} instead of {theirs}"


def _bases(parse: Parse, other: Parse) -> Iterator[str]:
    """BaseNPs that are larger or smaller here, or that only one of the two has."""
    mine, theirs = ({(base.start, base.end): base for base in one.basenps} for one in (parse, other))
    told: set[tuple[int, int]] = set()
    split: set[BaseNP] = set()
    for span, base in mine.items():
        if span in theirs:
            continue
        rival = max(
            (one for one in theirs.values() if _overlap(base, one)), key=lambda one: _overlap(base, one), default=None
        )
        if rival is None:
            yield f"{_span(parse, *span)} as an NP of its own"
            continue
        told.add((rival.start, rival.end))
        told |= {one for one in theirs if span[0] <= one[0] and one[1] <= span[1]}
        for start, end in _beyond(base, rival):
            yield f"{_span(parse, start, end)} inside the NP of {_name(parse, _core(base, rival))}"
        # Of the pieces of one baseNP the first is told, by what went away from it.
        for start, end in _beyond(rival, base) if rival not in split else ():
            yield f"{_span(parse, start, end)} outside the NP of {_name(parse, _core(base, rival))}"
        split.add(rival)
    for span, base in theirs.items():
        if span not in mine and span not in told and not any(_overlap(base, one) for one in mine.values()):
            yield f"{_span(parse, *span)} not as an NP of its own"


def _overlap(first: BaseNP, second: BaseNP) -> int:
    return max(0, min(first.end, second.end) - max(first.start, second.start))


def _beyond(first: BaseNP, second: BaseNP) -> Iterator[tuple[int, int]]:
    """Words of the first that the second has not, before and after it."""
    if first.start < second.start:
        yield first.start, second.start
    if second.end < first.end:
        yield second.end, first.end


def _core(first: BaseNP, second: BaseNP) -> int:
    """A word that both have, by which they are known: the head of one of them, if the other has it."""
    for base, one in ((second, first), (first, second)):
        if one.start <= base.head < one.end:
            return base.head
    return max(first.start, second.start)


def _same_phrase(parse: Parse, other: Parse, mine: int, theirs: int) -> bool:
    """Whether two heads stand for one phrase: the head of a baseNP changes with its words."""
    for one in (parse, other):
        for base in one.basenps:
            if base.start <= mine < base.end and base.start <= theirs < base.end:
                return True
    return False


def _heads(parse: Parse, other: Parse) -> Iterator[str]:
    mine, theirs = parse.heads(), other.heads()
    roots: list[str] = []
    moved: list[str] = []
    for position, head in mine.items():
        before = theirs.get(position)
        if before is None or before == head:
            continue
        if ROOT in (head, before):
            if head == ROOT:
                roots.append(f"{_name(parse, position)} as the head of the sentence")
            continue
        if not _same_phrase(parse, other, head, before):
            moved.append(f"{_name(parse, position)} → {_name(parse, head)} instead of {_name(parse, before)}")
    yield from roots
    yield from moved


def _labels(parse: Parse, other: Parse) -> Iterator[str]:
    """Words with the same head in both, related to it otherwise; the label of the whole."""
    mine, theirs = ({modifier: (head, relation) for modifier, head, relation in one.arrows} for one in (parse, other))
    for position, (head, relation) in mine.items():
        if position not in theirs or theirs[position][0] != head or theirs[position][1] == relation:
            continue
        before, name = theirs[position][1], _name(parse, position)
        if relation.modifier != before.modifier:
            what = "the sentence" if head == ROOT else name
            yield f"{what} as {relation.modifier} instead of {before.modifier}"
        elif relation.parent != before.parent:
            yield f"{name} in {relation.parent} instead of {before.parent}"
        elif relation.head.rstrip(STACKED) == before.head.rstrip(STACKED):
            level = "higher" if relation.head.count(STACKED) > before.head.count(STACKED) else "lower"
            yield f"{name} one level {level} in {relation.parent}"
        else:
            yield f"{name} beside {relation.head} instead of {before.head}"


def _brackets(parse: Parse, other: Parse) -> Iterator[str]:
    """Constituents that only one of the two has, where nothing else differs."""
    mine, theirs = (Counter(_labelled(one)) for one in (parse, other))
    for (label, start, end), _ in sorted((mine - theirs).items(), key=lambda one: (one[0][1], -one[0][2])):
        yield f"with {label} over {_span(parse, start, end)}"
    for (label, start, end), _ in sorted((theirs - mine).items(), key=lambda one: (one[0][1], -one[0][2])):
        yield f"without {label} over {_span(parse, start, end)}"


def _labelled(parse: Parse) -> Iterator[LabelledSpan]:
    for root in parse.roots:
        for node in root.walk():
            if node.is_base:
                yield BASE_LABEL, node.start, node.end
                yield from node.inside or ()
            elif node.children and node.head_label != CORE and not node.label.endswith(JOINED):
                yield node.label, node.start, node.end
