"""The list of sentences, its filter, and gold trees: found, compared with, edited by hand."""
