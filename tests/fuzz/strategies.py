"""Strategies of hypothesis for the same readers: text of any characters, and text of a reader's own words."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.grammar import LABELS, TAGS, WORDS

_MARKS = (
    "(",
    ")",
    " ",
    "\n",
    "\t",
    "/",
    "\\",
    '"',
    "'",
    "#",
    "<",
    ">",
    "$",
    "!",
    "=",
    ":",
    "-",
    "{",
    "}",
    "[",
    "]",
    "1",
    "*",
)
_LINES = ("NP left NN", "* right", "CUTOFF_LEN 40", "EQ_LABEL A B", "# A", "## B", "- sentence: a/NN", "- stage: parse")


def _bracketed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(LABELS),
        st.lists(inner, min_size=1, max_size=3),
    )


trees: st.SearchStrategy[str] = st.recursive(
    st.builds(lambda tag, word: f"({tag} {word})", st.sampled_from(TAGS), st.sampled_from(WORDS) | st.text(max_size=4)),
    _bracketed,
    max_leaves=8,
)
pieces: st.SearchStrategy[str] = st.lists(
    st.sampled_from(_MARKS + LABELS + TAGS + WORDS + _LINES) | st.text(max_size=3), max_size=20
).map("".join)
lines: st.SearchStrategy[str] = st.lists(st.sampled_from(_LINES) | pieces, max_size=6).map("\n".join)
hostile_bytes: st.SearchStrategy[bytes] = (
    st.one_of(trees, pieces, lines, st.text()).map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary()
)
"""What is read as text, and as a file."""
