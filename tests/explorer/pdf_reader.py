"""Reads back what was written to a PDF file of Qt: its pages, their sizes, their text, the fonts that are embedded."""

from __future__ import annotations

import re
import unicodedata
import zlib
from pathlib import Path

_OBJECT = re.compile(rb"(\d+) 0 obj\b(.*?)\bendobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*)\r?\nendstream", re.DOTALL)
_RANGE = re.compile(rb"<([0-9a-fA-F]+)> <([0-9a-fA-F]+)> (?:\[([^\]]*)\]|<([0-9a-fA-F]+)>)")


class PdfFile:
    """A PDF file as Qt writes it.

    Attributes
    ----------
    sizes
        Width and height of every page in points, rounded.
    content
        What is painted on every page, one after the other.
    """

    def __init__(self, content: bytes | Path) -> None:
        data = content.read_bytes() if isinstance(content, Path) else content
        assert data.startswith(b"%PDF")
        self._objects = {int(number): body for number, body in _OBJECT.findall(data)}
        boxes = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", data)
        self.sizes = [(round(float(box.split()[2])), round(float(box.split()[3]))) for box in boxes]
        pages = [body for body in self._objects.values() if re.search(rb"/Type\s*/Page\b", body)]
        self.content = [self._stream(self._reference(body, b"Contents")).decode("latin-1") for body in pages]

    def _reference(self, body: bytes, name: bytes) -> int:
        found = re.search(rb"/" + name + rb"\s+(\d+) 0 R", body)
        assert found is not None, name
        return int(found[1])

    def _stream(self, number: int) -> bytes:
        body = self._objects[number]
        found = _STREAM.search(body)
        assert found is not None
        return zlib.decompress(found[1]) if b"FlateDecode" in body else found[1]

    @property
    def embedded_fonts(self) -> int:
        """How many font programs the file carries."""
        return sum(b"/FontFile" in body for body in self._objects.values())

    @property
    def fonts(self) -> int:
        """How many fonts it uses."""
        return sum(b"/Type0" in body for body in self._objects.values())

    @property
    def images(self) -> int:
        """How many images of pixels it has."""
        return sum(bool(re.search(rb"/Subtype\s*/Image", body)) for body in self._objects.values())

    def text(self, page: int) -> str:
        """What is written on a page, in the order in which it is painted, one space between words."""
        letters: list[str] = []
        known: dict[int, str] = {}
        for name, shown in re.findall(r"/F(\d+)\s+[\d.]+\s+Tf|<([0-9a-fA-F]+)>", self.content[page]):
            if name:
                known = self._letters(int(name))
                letters.append(" ")
            else:
                codes = (int(shown[at : at + 4], 16) for at in range(0, len(shown), 4))
                letters += [known.get(code, "") for code in codes]
        return " ".join("".join(letters).split())

    def _letters(self, font: int) -> dict[int, str]:
        """The letter of every glyph of a font."""
        table = self._stream(self._reference(self._objects[font], b"ToUnicode"))
        found: dict[int, str] = {}
        for first, last, several, single in _RANGE.findall(table):
            letters = [int(letter, 16) for letter in re.findall(rb"[0-9a-fA-F]{4,}", several)]
            start, end = int(first, 16), int(last, 16)
            letters = letters or [int(single, 16) + place for place in range(end - start + 1)]
            # Letters that are joined, as the fi of "first", are told apart again.
            found |= {start + place: unicodedata.normalize("NFKC", chr(one)) for place, one in enumerate(letters)}
        return found
