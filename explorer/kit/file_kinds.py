"""Kinds of files: how each is called, what its files end in, and how it is known; no Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.gate.array_file import MAGIC
from engine.gate.files import read_beginning
from engine.trees.treebank import TREEBANK_SUFFIXES


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of files.

    Attributes
    ----------
    title
        What dialogs call files of this kind.
    suffixes
        What their names may end in.
    new
        What the name of a new one is given; the first of the suffixes if nothing is said.
    is_such
        Tells by its first bytes and its name whether a file is of this kind; nothing for kinds that are asked for by
        whoever knows what to do with them.
    """

    title: str
    suffixes: tuple[str, ...]
    new: str = ""
    is_such: Callable[[bytes, Path], bool] | None = None

    @property
    def new_suffix(self) -> str:
        """What the name of a new file is given."""
        return self.new or self.suffixes[0]

    @property
    def to_open(self) -> str:
        """The filter of a dialog that opens such files."""
        return f"{self.title} ({' '.join(f'*{suffix}' for suffix in self.suffixes)})"

    @property
    def to_save(self) -> str:
        """The filter of a dialog that writes one; `x.session.json` is offered, and `x.json` shown, too."""
        return f"{self.title} (*{Path('x' + self.new_suffix).suffix})"


SESSION_FORMAT = "parse-explorer session"
"""Stands in the first line of every session's file."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def _is_model(start: bytes, path: Path) -> bool:
    return start.startswith(MAGIC) or path.suffix == ".model"


def _is_session(start: bytes, path: Path) -> bool:
    return start.lstrip().startswith(b"{") and SESSION_FORMAT.encode() in start


def _is_lesson(start: bytes, path: Path) -> bool:
    text = start.removeprefix(_BYTE_ORDER_MARK).lstrip()
    return path.suffix.lower() in LESSON.suffixes and text.startswith(b"# ")


SENTENCES = FileKind("Sentences", (".txt", ".tagged", ".conllu"))
TREES = FileKind("Trees", (*TREEBANK_SUFFIXES, ".txt", ".gz"), new=".ptb")
# A new session, or lesson, is known to desktops by all of its ending, and to other programs by the end of that.
SESSION = FileKind("Sessions", (".json",), ".session.json", _is_session)
MODEL = FileKind("Models", (".model",), is_such=_is_model)
LESSON = FileKind("Lessons", (".md", ".markdown"), ".lesson.md", _is_lesson)
OPENED = (SENTENCES, TREES, SESSION, MODEL, LESSON)
"""What the window opens by itself, whichever of them it is."""
CSV = FileKind("CSV", (".csv",))
TSV = FileKind("TSV", (".tsv",))
PDF = FileKind("PDF", (".pdf",))
TEXT = FileKind("Text", (".txt",))
RESULTS = FileKind("Results", (".json",))
_BEGINNING = 200
"""So many bytes tell what a file is."""


def kinds_of(titles: Mapping[str, str]) -> tuple[FileKind, ...]:
    """Kinds to write, from their titles by suffix."""
    return tuple(FileKind(title, (suffix,)) for suffix, title in titles.items())


def kind_of(path: Path) -> FileKind:
    """What a file is, or a folder, which holds trees; raise :class:`OSError` if it cannot be read.

    Which sentences or trees a text holds is found out when it is read: all texts are :data:`SENTENCES` here.
    """
    if path.is_dir():
        return TREES
    start = read_beginning(path, _BEGINNING)
    return next((kind for kind in OPENED if kind.is_such is not None and kind.is_such(start, path)), SENTENCES)


def is_name_of_file(text: str) -> bool:
    """Whether a text is meant to be the name of a file that the window opens: one word with such an ending."""
    return " " not in text and Path(text).suffix in {suffix for kind in OPENED for suffix in kind.suffixes}
