"""Pictures of a sentence as display lists: layouts, the six stages, themes; no Qt."""
