"""Text in HTML and SVG: escaped, without what these cannot hold; and what a page may do, which is nothing."""

from __future__ import annotations

import html

from engine.common.characters import has_shape

SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
)
"""Stands in the head of every page: it runs nothing and fetches nothing, whatever words are in it."""
_BOX = "□"


def markup(text: str, quote: bool = True) -> str:
    """Text escaped for HTML and XML; a box for every character that these cannot hold, or that turns those after it."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(letter if letter in "\n\t" or has_shape(letter) else _BOX for letter in text)
    return html.escape(text, quote=quote)
