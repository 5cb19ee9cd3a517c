"""The re-ranker: features of whole trees, and their weights."""
