"""Work off the GUI thread: progress, cancel, results on the GUI thread."""
