"""Holds what the program says in words against what it does: every number, comparison, *never*, *times*, *only*, *all*.

Explanations are drawn at random, their English is taken apart into claims by a table of patterns, and every claim is
computed again by code that shares nothing with :mod:`engine.explain` or the estimates: counts come from the training
trees (:mod:`tests.claims.training`), estimates from the paper's formulas (:mod:`tests.claims.estimates`), structure
from the printed tree (:mod:`tests.engine.recount_trees`).  A sentence with a number or a word like *never* that no
pattern knows is reported as uncovered.

    python -m tests.claims --model english --trained-on TREEBANK … --treebank gum-dev.ptb --number 200 --seed 7
"""
