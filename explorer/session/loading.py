"""Loading: models, session files, treebanks and sentences, in the order they were asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError, TreeError
from engine.common.numbers import size
from engine.gate.text_stream import TextStream
from engine.model.model import Model
from engine.text.input import is_tree
from engine.trees.treebank import chunks_of, treebank_files
from explorer.kit.messages import Messages
from explorer.kit.tasks import Job, Worker
from explorer.session.document import Document, TextLine
from explorer.session.editor import DocumentEditor
from explorer.session.files import load_document
from explorer.session.lines import iterate_lines, read_file
from explorer.session.parse_service import OpenModels

# Treebanks into the list: files and folders of any size, read in a worker with progress and cancel.

_TREES_A_REPORT = 64


class LoadedLines(NamedTuple):
    """The sentences of a text or treebank, and why some of it is not among them."""

    lines: list[TextLine]
    refused: list[EngineError]


def read_treebank(job: Job, source: Path) -> LoadedLines:
    """Read all trees of a file or folder; broken ones are left out and reported.

    Raises
    ------
    EngineError
        In one sentence: nothing can be read, or there is not a single tree.
    """
    name = source.name or str(source)
    job.report(0.0, f"Opening {name}")
    files = [Path(file) for file in treebank_files([source])]
    sizes = [file.stat().st_size for file in files]
    whole = sum(sizes) or 1
    found = LoadedLines([], [])
    before = 0
    for file, length in zip(files, sizes, strict=True):
        stream = TextStream(file)
        items = (item for chunk in chunks_of(stream.blocks(), stream.name) for item in chunk.trees())
        for number, item in enumerate(items, 1):
            if isinstance(item, TreeError):
                found.refused.append(item)
                continue
            found.lines.append(TextLine(item.brackets(), place=f"{file.name}, tree {number}"))
            if number % _TREES_A_REPORT == 0:
                share = (before + length * (stream.share or 0.0)) / whole
                job.report(share, f"Opening {name}: {size(len(found.lines), 'tree')}")
        before += length
        job.report(before / whole)
    if not found.lines:
        raise found.refused[0] if found.refused else EngineError(f"{source}: there are no trees in it")
    return found


# Loading: models, session files, and sentences and trees from files or text, in the order they were asked for.

_PROGRESS_EVERY = 512


class FileLoader:
    """Loads what a person opens, pastes or drops, and puts it into the document.

    Parameters
    ----------
    loading
        The thread that loads; the one of the models, too, so that a file opened after a model is read with it.
    models, editor, messages
        The models that are used, the document that is changed, and where messages are shown.
    restore
        Starts a session with a document and a stage.
    open_lesson
        Opens a lesson.
    """

    def __init__(
        self,
        loading: Worker,
        models: OpenModels,
        editor: DocumentEditor,
        messages: Messages,
        restore: Callable[[Document, str, Path | None], None],
        open_lesson: Callable[[Path], object],
    ) -> None:
        self._loading = loading
        self._models = models
        self._editor = editor
        self._messages = messages
        self._restore = restore
        self.open_lesson = open_lesson

    @property
    def busy(self) -> bool:
        """Whether something is still to be loaded."""
        return self._loading.busy

    def open_model(self, path: str | Path, undoable: bool = True) -> Job:
        """Load a model in the background; the old one stays until it is there, and if it cannot be used."""
        name = str(path)

        def on_loaded() -> None:
            if name == self._editor.document.model and not self._editor.document.live:
                # The file has been written anew: the document stays as it is, with another model.
                self._editor.document_changed.emit()
            elif undoable and self._models.current is not None:
                self._editor.set_model(name, f"model {Path(name).name}")
            else:
                self._editor.set_document(self._editor.document.with_model(name))
            self._messages.show(f"Model {Path(name).name}")

        return self._models.load(name, on_loaded)

    def open_text(self, path: str | Path) -> Job:
        """Read a file of sentences or trees, or a folder of trees, in the background, and add them to the list."""
        file = Path(path)

        def work(job: Job) -> LoadedLines:
            return read_lines(job, file, self._models.latest)

        return self._add_lines(work, f"opening {file.name}", f"from {file.name}")

    def add_text(self, text: str, title: str) -> Job:
        """Add the sentences of a text that was pasted or dropped to the list, in the background."""

        def work(job: Job) -> LoadedLines:
            job.report(None, "Reading the text")
            return find_lines(job, text, self._models.latest, "", "there is no sentence in the text")

        return self._add_lines(work, title, "added")

    def _add_lines(self, work: Callable[[Job], LoadedLines], title: str, where: str) -> Job:
        def on_result(found: LoadedLines) -> None:
            self._editor.add_lines(found.lines, title)
            message = f"{size(len(found.lines), 'sentence')} {where}"
            if found.refused:
                more = f", and {len(found.refused) - 1:,} more" if len(found.refused) > 1 else ""
                message += f"; left out: {found.refused[0]}{more}"
            self._messages.show(message, bool(found.refused))

        return self._loading.request(work, on_result, self._messages.show_error)

    def open_session(self, path: Path, on_opened: Callable[[], None] = lambda: None, nameless: bool = False) -> Job:
        """Open a session file in the background; if that fails a message is shown, and everything stays as it is.

        A `nameless` session is in no file of the user's yet.
        """

        def on_result(found: tuple[Document, str]) -> None:
            self._restore(*found, None if nameless else path)
            on_opened()

        def work(job: Job) -> tuple[Document, str]:
            job.report(None, f"Opening {path.name}")
            return load_document(path)

        return self._loading.request(work, on_result, self._messages.show_error)


def read_lines(job: Job, file: Path, model: Model | None) -> LoadedLines:
    """Read the sentences or trees of a file of any length, or the trees of a folder."""
    if file.is_dir():
        return read_treebank(job, file)
    job.report(None, f"Reading {file.name}")
    text = read_file(file)
    if is_tree(text):
        return read_treebank(job, file)
    return find_lines(job, text, model, file.name, f"{file}: there is no sentence in the file")


def find_lines(job: Job, text: str, model: Model | None, name: str, nothing: str) -> LoadedLines:
    """Find the sentences of a text of any length; raise :class:`EngineError` that says `nothing` if there are none."""
    found = LoadedLines([], [])
    characters = 0
    for line in iterate_lines(text, model, name, found.refused.append):
        found.lines.append(line)
        characters += len(line.text) + 1
        if len(found.lines) % _PROGRESS_EVERY == 0:
            job.report(min(characters / len(text), 1.0))
    if not found.lines:
        raise found.refused[0] if found.refused else EngineError(nothing)
    return found
