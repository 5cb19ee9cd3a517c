"""Pictures on the screen: painting display lists, zoom, selection."""
