"""Inputs by grammar: brackets, patterns, rows of CoNLL-U and JSON values that are right almost everywhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.fuzz.mutation import MOST_BYTES, NASTY
from tests.fuzz.target import Make

LABELS = (
    "S",
    "NP",
    "VP",
    "PP",
    "NP-SBJ",
    "NP-SBJ-1",
    "SBAR",
    "ADVP",
    "TOP",
    "",
    "PRN",
    "X",
    "NP=2",
    "S|<A-B>",
    "-NONE-",
)
TAGS = (
    "NN",
    "DT",
    "VBD",
    "IN",
    ".",
    ",",
    "``",
    "''",
    "-LRB-",
    "-NONE-",
    "CC",
    "PRP",
    ":",
    "CD",
    "HYPH",
    "NN|JJ",
    "POS",
)
WORDS = (
    "dog",
    "the",
    "saw",
    "with",
    ".",
    ",",
    "*T*-1",
    "0",
    "-LRB-",
    "a/b",
    "\\/",
    "don't",
    "U.S.",
    "1,000",
    "¿",
    "日本",
    "",
)
_RELATIONS = (
    *(
        "<",
        ">",
        "<<",
        ">>",
        "<1",
        "<-1",
        ">2",
        "<:",
        ">:",
        "<<,",
        "<<-",
        ">>,",
        ">>-",
        ".",
        "..",
        ",",
        ",,",
        "$",
        "$.",
        "$,",
    ),
    *(
        "$..",
        "$,,",
        "<#",
        ">#",
        "<<#",
        ">>#",
        "==",
        "=",
        "<+(NP)",
        ">+(VP)",
        "<,",
        "<-",
        "?<",
        "!<",
        "!$",
        "<0",
        "<999999999",
    ),
)
_NODES = (
    "NP",
    "/^V/",
    "__",
    "NP|PP",
    "!NP",
    "@NP",
    "*",
    '"dog"',
    "/(a*)*/",
    "/[/",
    "i@np",
    "=a",
    "NP=a",
    "~a",
    "//",
    "NP=",
    "{NP}",
)
HUGE = (2**31, 2**32, 2**63, 2**64, -1, -(2**63), 10**30, 0, 1e308, 1.5, float("inf"), float("nan"), -0.0)


def brackets(random: Random) -> bytes:
    """Some trees, one or two of their brackets wrong."""
    text = "\n".join(_tree(random, random.randint(1, 6)) for _ in range(random.randint(1, 4)))
    for _ in range(random.choice((0, 0, 1, 2))):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(("(", ")", " ", "\n", "\n(", "")) + text[at + 1 :]
    if random.random() < 0.02:
        depth = random.choice((299, 300, 301, 5000))
        text = "(S " * depth + text + ")" * depth
    return text.encode()


def _tree(random: Random, depth: int) -> str:
    if depth <= 0 or random.random() < 0.3:
        return f"({random.choice(TAGS)} {random.choice(WORDS)})"
    children = (_tree(random, depth - 1) for _ in range(random.choice((1, 1, 2, 2, 3, 5))))
    return f"({random.choice(LABELS)} {' '.join(children)})"


def tagged(random: Random) -> bytes:
    """Words with tags, some without, some with too many slashes."""
    pieces = []
    for _ in range(random.choice((1, 3, 8, 20))):
        word, tag = random.choice(WORDS), random.choice(TAGS)
        pieces.append(
            random.choice(
                (f"{word}/{tag}", f"{word}/{tag}", f"{word}/{tag}", word, f"{word}/", f"/{tag}", f"{word}//{tag}")
            )
        )
    return random.choice((" ", "  ", "\t", "\xa0", "\n")).join(pieces).encode()


def pattern(random: Random) -> bytes:
    """A pattern for trees, of a few nodes."""
    return _pattern(random, random.randint(0, 4)).encode()


def _pattern(random: Random, depth: int) -> str:
    text = random.choice(_NODES)
    for _ in range(random.choice((0, 1, 1, 2)) if depth else 0):
        part = f"{random.choice(_RELATIONS)} {_pattern(random, depth - 1)}"
        text += " " + random.choice(
            (part, part, f"({part})", f"[{part} | {part}]", f"!{part}", f"& {part}", f"?{part}")
        )
    return text if random.random() < 0.6 else f"({text})"


def conllu(random: Random) -> bytes:
    """Rows of CoNLL-U, some of their cells wrong."""
    rows = []
    for _ in range(random.randint(1, 3)):
        size = random.randint(1, 8)
        rows.append(
            random.choice(("# text = a b", "# sent_id = 1", "# tree = (S (NN a))", f"# tree = {_tree(random, 2)}", "#"))
        )
        for number in range(1, size + 1):
            head = random.randint(0, size)
            row = [str(number), random.choice(WORDS), "_", "X", random.choice(TAGS), "_", str(head), "dep", "_", "_"]
            if random.random() < 0.15:
                row[random.randrange(10)] = random.choice(
                    ("", "_", "-1", "1-2", "1.1", "9" * 30, "x", "٣", "²", "a b", "SpaceAfter=No")
                )
            if random.random() < 0.03:
                row = row[: random.randint(0, 9)]
            rows.append("\t".join(row))
        rows.append(random.choice(("", "", "\t", " ")))
    return "\n".join(rows).encode()


def changed_json(random: Random, value: Any) -> Any:
    """A JSON value with one thing in it of another type, another size, missing, doubled or far too deep."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(list(value))
        fate = random.random()
        if fate < 0.1:
            return {name: one for name, one in value.items() if name != key}
        if fate < 0.15:
            return {**value, random.choice(("", "format", "kind", "\ud800", "a" * 2000)): wrong_value(random)}
        return {**value, key: changed_json(random, value[key])}
    if isinstance(value, list) and value and random.random() < 0.85:
        at = random.randrange(len(value))
        fate = random.random()
        if fate < 0.1:
            return value[:at] + value[at + 1 :]
        if fate < 0.2:
            return value[:at] + [value[at]] * random.choice((2, 3, 50)) + value[at:]
        return [*value[:at], changed_json(random, value[at]), *value[at + 1 :]]
    if isinstance(value, (int, float)) and random.random() < 0.5:
        return random.choice((value + 1, value - 1, -value, value * 1000, *HUGE))
    return wrong_value(random)


def wrong_value(random: Random) -> Any:
    """Any JSON value."""
    kind = random.randrange(9)
    if kind == 0:
        return random.choice((None, True, False))
    if kind == 1:
        return random.choice(HUGE)
    if kind == 2:
        return random.choice(([], {}, [[]], [None], {"": None}, [1, 2, 3], {"kind": "gap"}))
    if kind == 3:
        return _nested(random.choice((3, 60, 400)))
    if kind == 4:
        return random.choice(WORDS + TAGS + LABELS)
    if kind == 5:
        return random.randint(-5, 50)
    return random.choice(NASTY).decode("utf-8", "surrogatepass")


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def json_bytes(value: Any, indent: int | None = None) -> bytes:
    """JSON as files hold it; halves of characters as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent).encode()


def json_inputs(*good: Any, indent: int | None = None) -> Make:
    """Make inputs from good JSON values with up to three things in each of them wrong."""

    def made(random: Random) -> bytes:
        value = random.choice(good)
        for _ in range(random.randint(1, 3)):
            value = changed_json(random, value)
        # A list of 500 copies of 500 copies is a matter of memory alone.
        data = json_bytes(value, indent)[:MOST_BYTES]
        if random.random() < 0.01:
            data = data[: len(data) // 2] + random.choice((b"[", b'{"a":')) * random.choice((1000, 200_000))
        return data

    return made


def json_lines(good: Sequence[Any]) -> Make:
    """The same, a value on each of some lines."""
    one = json_inputs(*good)
    return lambda random: b"\n".join(one(random) for _ in range(random.randint(1, 4)))
