"""Fuzzing of every reader: hostile inputs by mutation and by grammar, read in forked children, judged by one rule."""
