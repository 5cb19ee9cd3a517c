"""Search by structure: patterns in the notation of Tregex and TGrep2, looked for in many trees at once."""

from engine.common.errors import PatternError
from engine.patterns.forest import Forest
from engine.patterns.pattern import Match, MatchedNode, Pattern
from engine.patterns.pattern_differences import extra, lacking, missing

__all__ = ["Forest", "Match", "MatchedNode", "Pattern", "PatternError", "extra", "lacking", "missing"]
