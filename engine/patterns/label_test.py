"""Which labels and words a node's description fits; each is asked about once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.common.characters import is_text, made_text
from engine.common.errors import PatternError
from engine.patterns.chains import Mask
from engine.patterns.forest import Forest
from engine.patterns.pattern_syntax import Atom
from engine.trees.tree_normalisation import bare_label

LONGEST_REGEX = 500


class AtomTest(dict[str, bool]):
    """Whether an alternative of a description fits a form, remembered for every form that was asked about."""

    def __init__(self, atom: Atom) -> None:
        super().__init__()
        self.atom = atom
        self._fits = _test(atom)

    def __missing__(self, form: str) -> bool:
        """Ask about a form for the first time."""
        answer = self[form] = self._fits(bare_label(form) if self.atom.basic else form)
        return answer

    def mask(self, forest: Forest) -> Mask:
        """The nodes of a forest that it fits."""
        if self.atom.kind == "any":
            return np.ones(len(forest), np.bool_)
        if self.atom.kind == "root":
            roots: Mask = forest.depths == 0
            return roots
        fitting = np.fromiter(map(self.__getitem__, forest.forms), np.bool_, len(forest.forms))
        found = fitting[forest.form_numbers]
        # A word has no category.
        return found & ~forest.is_word if self.atom.basic else found


def _test(atom: Atom) -> Callable[[str], bool]:
    if atom.kind == "regex":
        search = _regex_search(atom)
        # re2 reads UTF-8, which half a character has none of.
        return lambda form: search(made_text(form)) is not None
    if atom.ignore_case:
        folded = atom.text.casefold()
        return lambda form: form.casefold() == folded
    return atom.text.__eq__


def _regex_search(atom: Atom) -> Callable[[str], object]:
    """What looks for an expression, in time that is linear in what it is tried on, whatever it says."""
    # Here, so that commands that search for nothing start without it.
    import re2

    if not is_text(atom.text):
        raise PatternError("the regular expression holds half a character; write it anew", atom.column)
    if len(atom.text) > LONGEST_REGEX:
        raise PatternError(f"the regular expression is longer than {LONGEST_REGEX} characters; shorten it", atom.column)
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not atom.ignore_case
    try:
        search: Callable[[str], object] = re2.compile(atom.text, options).search
        return search
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        reason = str(reason)[:60]
        raise PatternError(
            f"/{atom.text[:40]}/ is no regular expression that can be used here ({reason}); "
            "correct it, or write the label without / /",
            atom.column,
        ) from error
