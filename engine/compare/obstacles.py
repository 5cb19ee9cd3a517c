"""What keeps a gold tree outside the model: zero factors, the rule on commas, chains and tags never seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.ledger import Factor
from engine.parse import Scored


class Cause(StrEnum):
    """Why a tree is impossible."""

    TRIPLE = "triple never seen"
    DISTANCE = "dependency never seen at this distance"
    GAP = "gap tag never seen here"
    UNARY = "unary never seen"
    ROOT = "never the root"
    COMMA_RULE = "comma rule"
    BRACKETS = "brackets torn apart"
    TAG = "tag not considered"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that makes a tree impossible: its cause, the same in words, and the zero factor if it is one."""

    cause: Cause
    text: str
    factor: Factor | None = None


def obstacles(scored: Scored) -> tuple[Obstacle, ...]:
    """Everything that makes a tree impossible, zero factors first; empty for a tree that the parser could build."""
    raise NotImplementedError
