"""Pictures before anybody paints them: display lists, layouts, themes; no Qt."""
