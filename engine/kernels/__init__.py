"""The compiled loops: plain functions over plain arrays, each readable beside the paper.

Nothing here knows of files, trees or strings.  The same source runs in two ways (see
:mod:`engine.jit`): compiled by numba, and as ordinary Python while the first compilation
of a new installation is still going on.
"""
