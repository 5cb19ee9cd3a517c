"""The state of a window: the document and its changes, the view state, the parse service; and reading text into it."""
