"""Explanations: whatever can be selected, told with the paper's formula and this sentence's numbers; no Qt."""
