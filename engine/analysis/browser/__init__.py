"""The model browser: ask a model what it knows of a word, a tag, a pair or a relation.

>>> from engine.analysis.browser import Browser
>>> print(Browser(model).find("saw/VBD").text())    # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from engine.analysis.browser.browser_query import Query, Term, completions, read_query
from engine.analysis.browser.findings import Cell, Findings, FoundTable

if TYPE_CHECKING:
    from engine.analysis.browser.browser import Browser

__all__ = ["Browser", "Cell", "Findings", "FoundTable", "Query", "Term", "completions", "read_query"]


def __getattr__(name: str) -> Any:
    """Import the browser, which takes tables apart, when it is first asked for."""
    if name == "Browser":
        from engine.analysis.browser.browser import Browser

        return Browser
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
