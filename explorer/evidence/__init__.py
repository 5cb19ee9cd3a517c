"""Evidence: the training sentences behind a count."""
