"""Pictures as data: display lists, layouts, themes; no Qt."""
