"""Search by structure: patterns in the notation of Tregex and TGrep2, looked for in many trees at once."""

from engine.common.errors import PatternError
from engine.patterns.forest import Forest
from engine.patterns.pattern import Match, MatchedNode, Pattern, extra, lacking, missing
from engine.patterns.search import Found, MatchCounts, search_treebank

__all__ = [
    "Forest",
    "Found",
    "Match",
    "MatchCounts",
    "MatchedNode",
    "Pattern",
    "PatternError",
    "extra",
    "lacking",
    "missing",
    "search_treebank",
]
