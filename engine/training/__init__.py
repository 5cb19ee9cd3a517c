"""From treebanks to a model."""
