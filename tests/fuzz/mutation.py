"""Inputs by mutation: bytes of good inputs flipped, cut, repeated, spliced, and mixed with tokens that readers know."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.target import Make

MOST_BYTES = 1 << 20
_USUAL_BYTES = 1 << 14
_LONGEST_PIECE = 400
NASTY = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *("", "\0", "\n", "\r\n", "\r", "\t", " ", "\x1b[2J", "\x7f", "\x85", "\u2028", "\xa0", "\ufeff", "\u200b"),
        *("\u202e", "\ud800", "\udfff", "\U0001f415", "e\u0301", "İ", "ß", "ǆ", "²", "௧", "Ⅷ", "一", "½", "日本", "ال"),
        *(
            "0",
            "-1",
            "1",
            "1e999",
            "-0.0",
            "nan",
            "inf",
            "∞",
            "9" * 40,
            "9" * 5000,
            "4294967296",
            "18446744073709551616",
            "1_000",
        ),
        *(
            "(",
            ")",
            "((",
            "()",
            "(())",
            "[",
            "]",
            "{",
            "}",
            '"',
            "'",
            "\\",
            "/",
            "\\/",
            "#",
            "*",
            "-",
            "--",
            "=",
            ":",
            ",",
        ),
        *("null", "true", "-NONE-", "-LRB-", "*T*-1", "../../etc/passwd", "%s%n", "${HOME}", "<b>", "&amp;", "A" * 300),
    )
)
"""What has broken some reader of something once: separators, controls, numbers, brackets, halves of characters."""
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252")

_Change = Callable[[Random, bytes, Sequence[bytes], Sequence[bytes]], bytes]


def _flip(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes((data[at] ^ (1 << random.randrange(8)),)) + data[at + 1 :]


def _overwrite(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + random.randbytes(random.randint(1, 4)) + data[at + 1 :]


def _cut(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    start, end = _piece(random, data)
    return data[:start] + data[end:]


def _truncate(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data))
    return data[:at] if random.random() < 0.7 else data[at:]


def _repeat(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    start, end = _piece(random, data)
    times = random.randint(2, 8) if random.random() < 0.9 else random.randint(50, 2000)
    return data[:end] + data[start:end] * times + data[end:]


def _insert(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(tokens) + data[at:]


def _replace(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    start, end = _piece(random, data, 12)
    return data[:start] + random.choice(tokens) + data[end:]


def _splice(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    other = random.choice(corpus)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _swap(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


_CHANGES: tuple[_Change, ...] = (
    _flip,
    _overwrite,
    _cut,
    _truncate,
    _repeat,
    _insert,
    _insert,
    _replace,
    _splice,
    _swap,
)


def _piece(random: Random, data: bytes, longest: int = _LONGEST_PIECE) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.randint(1, random.randint(1, longest)))


def mutated(random: Random, corpus: Sequence[bytes], tokens: Sequence[bytes] = NASTY) -> bytes:
    """A good input after one change or some."""
    return changed(random, random.choice(corpus), corpus, tokens)


def changed(random: Random, data: bytes, corpus: Sequence[bytes], tokens: Sequence[bytes] = NASTY) -> bytes:
    """An input after one change or some; one that has become empty begins anew from a token."""
    for _ in range(1 + min(int(random.expovariate(0.5)), 12)):
        data = random.choice(_CHANGES)(random, data, corpus, tokens) if data else random.choice(tokens)
        if len(data) > _USUAL_BYTES:
            data = data[: MOST_BYTES if random.random() < 0.01 else _USUAL_BYTES]
    return data


def mutation(corpus: Sequence[str | bytes], *tokens: str) -> Make:
    """Make inputs by mutating good ones, with tokens of their own language among those inserted."""
    good = [one.encode() if isinstance(one, str) else one for one in corpus]
    # Half of what is inserted is of the language, whatever it has how few words of.
    own = [token.encode() for token in tokens]
    known = [*NASTY, *own * max(1, len(NASTY) // max(len(own), 1))] if own else NASTY
    return lambda random: mutated(random, good, known)


def either(*makers: Make) -> Make:
    """Make inputs in one of several ways, each as often."""
    return lambda random: random.choice(makers)(random)


def encoded(make: Make) -> Make:
    """Make files of what another makes: now and then in another encoding, or gzipped."""

    def made(random: Random) -> bytes:
        data = make(random)
        if random.random() < 0.15:
            data = data.decode("utf-8", "replace").encode(random.choice(ENCODINGS), "replace")
        if random.random() < 0.1:
            data = gzip.compress(data, 1, mtime=0)
            if random.random() < 0.5:
                data = changed(random, data, (data,))
        return data

    return made
