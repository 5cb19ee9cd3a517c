"""The state of a window: document, view state, parse service, and what is kept of them on disk."""
