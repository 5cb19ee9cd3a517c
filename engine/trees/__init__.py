"""Phrase-structure trees: Penn brackets, treebanks on disk, head rules."""
