"""Errors that a user can cause: the text of each is one sentence that says what to do."""

from __future__ import annotations

from engine.common.characters import one_line


class EngineError(Exception):
    """Base of every error that a user can cause; its text is fit to be shown as it is, whatever it quotes."""

    def __init__(self, text: str = "") -> None:
        super().__init__(one_line(text))


class TreeError(EngineError):
    """A bracketed tree that cannot be read: what is wrong, and in which file, line and column."""

    def __init__(self, problem: str, name: str, line: int, column: int, offset: int = 0) -> None:
        super().__init__(f"{name}, line {line}, column {column}: {problem}")
        self.problem = one_line(problem)
        self.name = name
        self.line = line
        self.column = column
        self.offset = offset

    def __reduce__(self) -> tuple[type[TreeError], tuple[str, str, int, int, int]]:
        """Let the error travel between processes."""
        return TreeError, (self.problem, self.name, self.line, self.column, self.offset)


class RowError(EngineError):
    """A row of a table of text (CoNLL-U, evalb's) that cannot be read: what is wrong, and in which file and line."""

    def __init__(self, problem: str, name: str, line: int) -> None:
        super().__init__(f"{name}, line {line}: {problem}")
        self.problem = one_line(problem)
        self.name = name
        self.line = line

    def __reduce__(self) -> tuple[type[RowError], tuple[str, str, int]]:
        """Let the error travel between processes."""
        return RowError, (self.problem, self.name, self.line)


class SentenceError(EngineError):
    """A tagged sentence that cannot be used: which token, and what to write instead."""


class ModelError(EngineError):
    """A model file that cannot be used: missing, foreign, truncated, altered or newer."""


class DamagedPart(ModelError):
    """A part of a model that is not as it should be; whoever opens the file adds its name."""


class ConstraintError(EngineError):
    """Constraints that no parse can obey, with the reason."""


class Cancelled(EngineError):
    """Work that was stopped because the caller asked for it."""


class ChartTooLarge(EngineError):
    """A chart that is too much work to fill, or has more edges than the caller has room for."""


class PatternError(EngineError):
    """A pattern that cannot be searched for: what is wrong, at which column, and what to write instead.

    Attributes
    ----------
    column
        Where in the pattern it is wrong, from 1 on; 0 if nowhere in particular.
    """

    def __init__(self, problem: str, column: int = 0) -> None:
        super().__init__(f"the pattern, column {column}: {problem}" if column else f"the pattern: {problem}")
        self.problem = one_line(problem)
        self.column = column

    def __reduce__(self) -> tuple[type[PatternError], tuple[str, int]]:
        """Let the error travel between processes."""
        return PatternError, (self.problem, self.column)
