"""Normalisation of trees: what a treebank adds to labels and words is taken away.

Traces, function tags, indices and ``X -> X`` go, so that the rest of the engine meets only what the model is about.
Where trees are only written again, function tags and traces can be kept.
"""

from __future__ import annotations

from functools import lru_cache

from engine.trees.tree import ROOT_LABELS, Tree

TRACE = "-NONE-"
"""The tag of what nobody wrote."""


@lru_cache(maxsize=65536)
def bare_label(label: str) -> str:
    """A label without function tags, indices and alternatives: ``NP-SBJ-1``, ``NP=2``, ``ADVP|PRT``."""
    if label.startswith("-"):
        return label
    for mark in "-=|":
        head, found, _ = label.partition(mark)
        if found and head:
            label = head
    return label


def clean(tree: Tree, collapse: bool = True, functions: bool = False, traces: bool = False) -> Tree | None:
    """The tree without traces, function tags, root label and (if `collapse`) ``X -> X``.

    Parameters
    ----------
    tree
        As it was read.
    collapse
        Whether ``X -> X`` becomes one constituent.
    functions, traces
        Whether labels keep their function tags, indices and alternatives; whether traces stay.

    Returns
    -------
    Tree or None
        ``None`` if nothing but traces was there.  Where the root holds several
        constituents they stay together under the label ``TOP``.
    """
    stripped = _strip(tree, collapse, functions, traces)
    if stripped is None or stripped.is_word:
        return Tree("TOP", [stripped]) if stripped is not None else None
    if stripped.label in ROOT_LABELS:
        inner = stripped.children
        if len(inner) == 1 and not inner[0].is_word:
            return inner[0] if inner[0].label not in ROOT_LABELS else clean(inner[0], collapse, functions, traces)
        stripped.label = "TOP"
    return stripped


def _strip(node: Tree, collapse: bool, functions: bool, traces: bool) -> Tree | None:
    label = node.label if functions else bare_label(node.label)
    if node.word is not None:
        return None if label == TRACE and not traces else Tree(label, None, node.word)
    children = []
    for child in node.children:
        kept = _strip(child, collapse, functions, traces)
        if kept is not None:
            children.append(kept)
    if not children:
        return None
    if collapse and len(children) == 1 and children[0].label == label and children[0].word is None:
        return children[0]
    return Tree(label, children)
