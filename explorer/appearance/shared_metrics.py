"""Measures of type that pictures are laid out with, in the GUI thread and in a worker."""

from __future__ import annotations

import threading

from explorer.appearance.fonts import QtMetrics
from explorer.graphics.theme import STYLES


class SharedMetrics(QtMetrics):
    """Like :class:`QtMetrics`, for use by several threads: one at a time asks Qt, and its answers are kept.

    Its fonts are its own; painting uses others, for Qt's fonts must not be used by two threads at once.
    """

    def __init__(self, family: str | None = None) -> None:
        super().__init__(family)
        self._lock = threading.Lock()
        self._ascents = {style: super(SharedMetrics, self).ascent(style) for style in STYLES}
        self._descents = {style: super(SharedMetrics, self).descent(style) for style in STYLES}

    def width(self, text: str, style: str) -> float:
        """How far the text advances."""
        found = self._widths.get((text, style))
        if found is not None:
            return found
        with self._lock:
            return super().width(text, style)

    def ascent(self, style: str) -> float:
        """How far letters reach above the base line."""
        return self._ascents[style]

    def descent(self, style: str) -> float:
        """How far letters reach below the base line."""
        return self._descents[style]
