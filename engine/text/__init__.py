"""From what a person writes to sentences: tokens, sentence boundaries, word/TAG notation, kinds of input."""
