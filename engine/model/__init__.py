"""A trained model as data, and its file."""
