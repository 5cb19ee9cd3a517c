"""The model browser: what the model knows of a word, a tag, a pair or a relation."""
