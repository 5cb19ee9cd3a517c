"""Normalisation of trees: what a treebank adds to labels and words is taken away.

Traces, function tags, indices and ``X -> X`` go, so that the rest of the engine meets only what the model is about.
"""

from __future__ import annotations

from functools import lru_cache

from engine.trees.tree import ROOT_LABELS, Tree


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


def clean(tree: Tree, collapse: bool = True) -> Tree | None:
    """The tree without traces, function tags, root label and (if `collapse`) ``X -> X``.

    Returns
    -------
    Tree or None
        ``None`` if nothing but traces was there.  Where the root holds several
        constituents they stay together under the label ``TOP``.
    """
    stripped = _strip(tree, collapse)
    if stripped is None or stripped.is_word:
        return Tree("TOP", [stripped]) if stripped is not None else None
    if stripped.label in ROOT_LABELS:
        inner = stripped.children
        if len(inner) == 1 and not inner[0].is_word:
            return inner[0] if inner[0].label not in ROOT_LABELS else clean(inner[0], collapse)
        stripped.label = "TOP"
    return stripped


def _strip(node: Tree, collapse: bool) -> Tree | None:
    label = bare_label(node.label)
    if node.word is not None:
        return None if label == "-NONE-" else Tree(label, None, node.word)
    children = []
    for child in node.children:
        kept = _strip(child, collapse)
        if kept is not None:
            children.append(kept)
    if not children:
        return None
    if collapse and len(children) == 1 and children[0].label == label and children[0].word is None:
        return children[0]
    return Tree(label, children)
