"""Help: the manual and its search, the tour, the sheet of shortcuts, what a click asks about, about."""
