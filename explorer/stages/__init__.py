"""The stages: each joins a picture, a table of the same numbers, and what a person can do there."""
