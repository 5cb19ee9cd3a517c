"""The model browser: ask a model what it knows of a word, a tag, a pair or a relation.

>>> from engine.browsing import Browser
>>> print(Browser(model).find("saw/VBD").text())    # doctest: +SKIP
"""

from engine.browsing.browser import Browser
from engine.browsing.findings import Cell, Findings, FoundTable
from engine.browsing.queries import Query, Term, completions, read_query

__all__ = ["Browser", "Cell", "Findings", "FoundTable", "Query", "Term", "completions", "read_query"]
