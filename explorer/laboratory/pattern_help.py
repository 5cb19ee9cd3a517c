"""What can be written in a pattern, with examples, and patterns made of a node of a tree; no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.patterns.operators import OPERATORS
from engine.trees.head_rules import HeadRules
from engine.trees.tree import PUNCTUATION_TAGS, Tree

EXAMPLES = (
    ("PP > VP", "a PP right under a VP"),
    ("PP > (VP < /^VB/=verb)", "the same, with the verb named: verbs can then be counted"),
    ("NP < (PP <<# with)", "an NP with a PP right under it that ‘with’ heads"),
    ("VP < NP=object !< PP", "a VP with an NP and without a PP"),
    ("S !< NP", "a clause with no NP right under it, such as one without a subject"),
    ("/^VB/ . (__ << /ly$/)", "a verb right before a phrase or word that contains a word in -ly"),
    ("NP $+ PP", "an NP with a PP as its next sister"),
    ("NP|PP < CC", "a co-ordination of NPs or PPs"),
)
"""Patterns to begin with, and what each finds."""
NOTATION = (
    ("NP", "a label, or a word, as it is"),
    ("/^VB/", "a regular expression: any label or word that begins with VB"),
    ("__", "any node"),
    ("NP|PP", "one or the other"),
    ("!NP", "anything but an NP"),
    ("@NP", "an NP with or without function tags, such as NP-SBJ"),
    ("NP=x", "an NP that is called x: it is marked, listed and counted by this name"),
    ("A < B < C", "A has both under it: every relation is about A"),
    ("A < (B < C)", "A has B under it, and B has C: what is in brackets is about B"),
    ("A !< B", "A has no such B"),
    ("A [< B | < C]", "A has one or the other"),
    ("A ?< B=x", "B is named if it is there, and need not be"),
)
"""What the parts of a pattern look like."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9'-]*")
_SHOWN_PARTS = 3


def operator_rows() -> Iterator[tuple[str, str]]:
    """Every relation as it is written between A and B, and what it says."""
    for sign, operator in OPERATORS.items():
        written = f"{sign}(C)" if sign in ("<+", ">+") else sign
        yield f"A {written} B", operator.meaning


def patterns_like(tree: Tree, path: tuple[int, ...], rules: HeadRules | None = None) -> list[str]:
    """Patterns that a node of a tree matches, to begin with: by what is above it, what is in it, and its head."""
    above, node = None, tree
    for number in path:
        above, node = node, node.children[number]
    made = []
    if node.word is not None:
        made.append(f"{_form(node.label)} < {_form(node.word)}")
    if above is not None:
        made.append(f"{_form(node.label)} > {_form(above.label)}")
    if node.word is None:
        head = _head_word(node, rules)
        parts = " ".join(f"< {_part(child, rules)}" for child in node.children[:_SHOWN_PARTS])
        made.append(f"{_form(node.label)} {parts}")
        if head:
            made.append(f"{_form(node.label)} <<# {_form(head)}")
    return made or [_form(node.label)]


def _part(node: Tree, rules: HeadRules | None) -> str:
    """A child as a part of a pattern; of a PP its preposition, too, which tells more than the label."""
    head = _head_word(node, rules) if node.label.startswith("PP") else ""
    return f"({_form(node.label)} <<# {_form(head)})" if head else _form(node.label)


def _head_word(node: Tree, rules: HeadRules | None) -> str:
    while rules is not None and node.word is None:
        proper = [child for child in node.children if child.label not in PUNCTUATION_TAGS]
        if not proper:
            return ""
        node = proper[rules.head_index(node.label, [child.label for child in proper])]
    return node.word or ""


def _form(form: str) -> str:
    """A label or word as a pattern has it."""
    if _PLAIN.fullmatch(form):
        return form
    return '"' + form.replace("\\", "\\\\").replace('"', '\\"') + '"'
