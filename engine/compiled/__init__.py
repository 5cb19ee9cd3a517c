"""Compiled loops: the decorator that makes a kernel, and the cache of what was compiled."""
