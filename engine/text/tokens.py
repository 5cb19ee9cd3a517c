"""Tokens and sentences of plain text, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its Penn form and the place in the text it stands for.

    Parameters
    ----------
    text
        The form the parser reads; never empty, no whitespace or parenthesis in it.
    start, end
        Offsets of its first character and of the one behind its last.
    """

    text: str
    start: int
    end: int

    def original(self, source: str) -> str:
        """The characters of `source` this token stands for."""
        return source[self.start : self.end]


@dataclass(frozen=True, slots=True)
class TokenisedSentence:
    """The tokens of one sentence and the stretch of text from the first to the last."""

    tokens: tuple[Token, ...]
    start: int
    end: int
