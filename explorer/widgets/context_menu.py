"""Entries of context menus, as whoever offers them hands them over."""

from __future__ import annotations

from collections.abc import Callable

Choice = tuple[str, Callable[[], object]]
"""An entry of a context menu: its title and what it does."""
