"""Parse Explorer: the window over :mod:`engine`."""
