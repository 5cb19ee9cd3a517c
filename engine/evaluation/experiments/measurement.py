"""One trial under way: what its sentences have given so far, which can be kept and taken up again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from engine.evaluation.evaluation import Evaluation, SentenceEvaluation
from engine.evaluation.parseval import Summary

_SPEED = "sentences_per_second"


class Measurement:
    """Sums over the sentences of a trial; its time is that of the parser, as in the paper, without the tagger's.

    Attributes
    ----------
    done
        How many sentences it has, those that were not parsed among them.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        self.done = 0
        self._lengths = tuple(lengths)
        self._evaluation = Evaluation.of(lengths)
        self._seconds = dict.fromkeys(lengths, 0.0)

    @classmethod
    def taken_up(cls, lengths: Sequence[int], state: Mapping[str, Any] | None) -> Measurement:
        """Go on from what :meth:`state` has said; begin anew without it, or where it is of other lengths."""
        made = cls(lengths)
        if state is not None and all(str(length) in state["sums"] for length in lengths):
            made.done = int(state["done"])
            for length in lengths:
                sums = state["sums"][str(length)]
                made._evaluation.summaries[length] = Summary(**sums["summary"])
                made._evaluation.fallbacks[length] = sums["fallback"]
                made._seconds[length] = sums["seconds"]
        return made

    def add(self, found: SentenceEvaluation) -> None:
        """Take in one sentence."""
        self.done += 1
        self._evaluation.add(found)
        for length in self._lengths:
            if found.score is not None and found.score.length <= length:
                self._seconds[length] += found.seconds - found.tagging_seconds

    def state(self) -> dict[str, Any]:
        """The sums, ready to be written as JSON."""
        return {
            "done": self.done,
            "sums": {
                str(length): {
                    "summary": asdict(self._evaluation.summaries[length]),
                    "fallback": self._evaluation.fallbacks[length],
                    "seconds": self._seconds[length],
                }
                for length in self._lengths
            },
        }

    def measures(self) -> dict[str, Any]:
        """The measures of the sentences so far, by the longest sentence."""
        found = {}
        for length in self._lengths:
            summary, seconds = self._evaluation.summaries[length], self._seconds[length]
            found[str(length)] = {
                **summary.as_dict(),
                "fallback": self._evaluation.fallbacks[length],
                "seconds": seconds,
                _SPEED: summary.sentences / seconds if seconds else 0.0,
            }
        return found


def nothing_measured(lengths: Sequence[int]) -> dict[str, Any]:
    """What stands for the result of a trial that waits: its row is there, and its cells are empty."""
    keys = (*Summary().as_dict(), "fallback", "seconds", _SPEED)
    training = dict.fromkeys(("seconds", "sentences", "words", "contexts", "bytes", "tagger"))
    return {"training": training, "measures": {str(length): dict.fromkeys(keys) for length in lengths}}
