"""Explanations: whatever can be selected, explained with the paper's formula and this sentence's numbers; no Qt."""
