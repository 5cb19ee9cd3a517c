"""Parses and pictures as files, on paper, and on the clipboard."""
