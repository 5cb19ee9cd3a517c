"""Sessions as files, read whoever wrote them and written in the background; and whatever else is opened, in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.common.characters import is_text
from engine.common.errors import EngineError, TreeError
from engine.common.numbers import size
from engine.gate.checked_json import CheckedValue, ValueProblem, load_json
from engine.gate.files import read_bytes
from engine.gate.private_files import private_folder
from engine.gate.text_stream import TextStream
from engine.model.model import Model
from engine.settings import FULL_DISTANCE, MOST_RERANKED, ORDER_ONLY, PRESETS, Settings
from engine.structure.constraints import ROOT_HEAD, Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.text.input import is_tree
from engine.trees.treebank import chunks_of, treebank_files
from explorer.kit.appearance import PAPER_SENTENCE
from explorer.kit.file_kinds import LESSON, MODEL, SESSION, SESSION_FORMAT, kind_of
from explorer.kit.messages import Messages
from explorer.kit.tasks import Job, Worker
from explorer.session.document import (
    BETWEEN,
    CLOSING,
    OPENING,
    VERSION,
    Document,
    SessionError,
    TextLine,
    iterate_lines,
    read_file,
    save_document,
)
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import OpenModels
from explorer.session.view_state import PARSE, ViewState

# Read a session's file, whoever wrote it: every value by its type and limits, in one sentence if one is wrong.
#
# What the values mean for each other is checked, too: the sentence that is shown is one of the list, and a what-if
# names words that its sentence can have.  How many words those are in truth the model says, when it reads the
# sentence.

MOST_BYTES = 1 << 29
"""Of a session's file; fifty thousand trees have some hundred million."""
_KIND = "a session file of Parse Explorer"
MOST_VALUES = 6_000_000
"""Of lists, objects and what they hold, commas in sentences among them: a short file of nothing else fills a memory."""
MOST_LINES = 1_000_000
MOST_WHAT_IFS = 1000
LONGEST_NAME = 4096
"""Characters of a file's name, a place or a label."""
_LIMITS: Mapping[str, tuple[float, float]] = {
    "tag_factor": (1.0, 1e12),
    "beam": (1.0, 1e300),
    "unary_slack": (0.0, 1e6),
    "threshold": (-1e6, 0.0),
    "threshold_step": (1e-3, 1e6),
}
"""Of the settings that are numbers: beyond them nothing differs any more, or a search never ends."""


def load_document(path: Path) -> tuple[Document, str]:
    """Open a session file; the second value is the stage that is to be shown."""
    stored = read_stored(path)
    try:
        return read_document(stored), read_stage(stored)
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from error


def read_stored(path: Path, private: bool = False) -> CheckedValue:
    """Return what is in a session file, whatever it is;
    with `private` only if nobody but this user can have written it.
    """
    content = read_bytes(path, MOST_BYTES, _KIND, SessionError, private=private)
    if sum(map(content.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise SessionError(f"{path}: this is too long for {_KIND}")
    try:
        return _parsed(content)
    except ValueProblem as error:
        raise SessionError(f"{path}: this is not a session file of Parse Explorer ({error})") from error


def _parsed(content: bytes) -> CheckedValue:
    """Return the value of some JSON; of a session's, if it is as it was written, sentence by sentence.

    Python's reader lets no other thread run until it is through, and a window stands still while it reads a long list.
    """
    before, opening, rest = content.partition(OPENING)
    rows, closing, after = rest.rpartition(CLOSING)
    if opening and closing:
        # Someone may have edited it, or it is something else altogether: then it is read as a whole.
        with suppress(ValueError, TypeError, RecursionError):
            stored = load_json(before + b'"lines": []' + after)
            stored.value["lines"] = [load_json(row).value for row in rows.split(BETWEEN)]
            return stored
    return load_json(content)


def read_document(stored: CheckedValue) -> Document:
    """Return the document that was stored; raise :class:`SessionError` if it is not one."""
    known = isinstance(stored.value, dict)
    if not known or stored.value.get("format") != SESSION_FORMAT:
        raise SessionError("this is not a session file of Parse Explorer")
    try:
        version = stored.member("version").integer()
        if version > VERSION:
            raise SessionError(
                f"the session was made with a newer version of Parse Explorer (format {version}; this one reads "
                f"{VERSION}); install the newer version"
            )
        if version < 1:
            raise SessionError(f"the session has version {version}, which no program has written")
        lines = _lines(stored.member("lines"))
        current = stored.member("current").integer(0)
        if current >= max(len(lines), 1):
            raise ValueProblem(f"sentence {current} of {len(lines)} is shown")
        preset = stored.member("preset").integer()
        if preset not in PRESETS:
            raise ValueProblem(f"there is no preset {preset}")
        gold_tags = stored.optional("gold_tags")
        return Document(
            _name(stored.member("model")),
            preset,
            _settings(stored.member("settings")),
            lines,
            current,
            gold_tags is None or gold_tags.flag(),
        )
    except ValueProblem as error:
        raise damaged(error) from error


def damaged(problem: ValueProblem) -> SessionError:
    """Return the error that tells what is wrong with a session."""
    return SessionError(f"a part of the session is missing or wrong ({problem})")


_NUMBERED_STAGES = ("sentence", "gaps", "reduced", "estimates", "chart", PARSE)
"""The stages of the versions that stored a stage by its number."""


def read_stage(stored: CheckedValue) -> str:
    """Return the name of the stage that was shown; that it is one is for whoever shows it."""
    try:
        stage = stored.optional("stage")
        if stage is None:
            return PARSE
        if isinstance(stage.value, str):
            return stage.text(LONGEST_NAME)
        return _NUMBERED_STAGES[stage.integer(0, len(_NUMBERED_STAGES) - 1)]
    except ValueProblem as error:
        raise damaged(error) from error


def read_file_name(stored: CheckedValue, name: str) -> Path | None:
    """Return a member that names a file; ``None`` if there is no such member, or no such file any more."""
    value = stored.optional(name)
    if value is None or not _name(value):
        return None
    path = Path(_name(value))
    return path if is_file(path) else None


def is_file(path: Path) -> bool:
    """Return whether there is such a file; a name that no file can have names none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _lines(stored: CheckedValue) -> tuple[TextLine, ...]:
    stored.items(MOST_LINES)
    return tuple(
        _plain_line(value) or read_line(CheckedValue(value, f"{stored.place}[{at}]"))
        for at, value in enumerate(stored.value)
    )


def _plain_line(value: Any) -> TextLine | None:
    """Return a sentence without what-ifs, as nearly all of a long list are; ``None`` if it is
    to be looked at closely.
    """
    if type(value) is not dict or len(value) != 1 + ("place" in value):
        return None
    text, place = value.get("text"), value.get("place", "")
    if not isinstance(text, str) or not isinstance(place, str) or len(place) > LONGEST_NAME:
        return None
    return TextLine(text, (), place) if text.isascii() and place.isascii() and place.isprintable() else None


def read_line(stored: CheckedValue) -> TextLine:
    """Return a sentence of the list."""
    value = stored.value
    text = stored.member("text").text()
    if not is_text(text):
        stored.member("text").fail("a text of whole characters")
    if len(value) == 1:
        return TextLine(text)
    place, what_ifs = stored.optional("place"), stored.optional("what_ifs")
    found: tuple[Constraint, ...] = ()
    if what_ifs is not None:
        found = tuple(_what_if(each, len(text)) for each in what_ifs.items(MOST_WHAT_IFS))
    return TextLine(text, found, _name(place) if place is not None else "")


def _name(stored: CheckedValue) -> str:
    name = stored.text(LONGEST_NAME)
    if not is_text(name) or "\0" in name:
        stored.fail("a text of whole characters")
    return name


def _what_if(stored: CheckedValue, most: int) -> Constraint:
    """Return a what-if of a sentence of at most so many words: one for each of its characters."""
    kind = stored.member("kind").choice(("gap", "base", "attachment", "bracket", "tag"))
    forbidden = stored.optional("forbid")
    forbid = forbidden is not None and forbidden.flag()
    match kind:
        case "gap":
            return GapTag(_word(stored, "position", 1, most), stored.member("tag").choice(tuple(GAP_LETTERS)), forbid)
        case "tag":
            return FixedTag(_word(stored, "position", 0, most), _name(stored.member("tag")), forbid)
        case "attachment":
            modifier, head = _word(stored, "modifier", 0, most), _word(stored, "head", ROOT_HEAD, most)
            if modifier == head:
                raise ValueProblem(f"{stored.place}: a word does not modify itself")
            relation = stored.optional("relation")
            names = [_name(one) for one in relation.items(3, 3)] if relation is not None else []
            return Attachment(modifier, head, Relation(*names) if names else None, forbid)
    start = _word(stored, "start", 0, most)
    end = stored.member("end").integer(start + 1, max(most, start + 1))
    if kind == "base":
        return BaseSpan(start, end, forbid)
    label = stored.optional("label")
    return Bracket(start, end, _name(label) if label is not None else None, forbid)


def _word(stored: CheckedValue, name: str, least: int, most: int) -> int:
    return stored.member(name).integer(least, max(most - 1, least))


def _settings(stored: CheckedValue) -> Settings:
    values: dict[str, Any] = {}
    known = stored.members()
    for field in fields(Settings):
        value = known.get(field.name)
        if value is None:
            continue
        if field.type == "bool":
            values[field.name] = value.flag()
        elif field.type == "int":
            values[field.name] = value.integer(0, MOST_RERANKED)
        elif field.type == "str":
            values[field.name] = value.choice((FULL_DISTANCE, ORDER_ONLY))
        elif value.value is None and field.name in ("beam", "threshold"):
            values[field.name] = math.inf if field.name == "beam" else None
        else:
            values[field.name] = value.number(*_LIMITS[field.name])
    try:
        return Settings(**values)
    except EngineError as error:
        # Some settings exclude each other.
        raise ValueProblem(str(error)) from error


# A session as the program keeps it for itself: for the next start, and for the time after a crash.

LIST_SUFFIX = ".list"
"""Of the file that holds a long list of sentences beside the session."""
_DIGEST_LENGTH = 64


class StoredSession(NamedTuple):
    """A session as it comes back at the next start.

    Attributes
    ----------
    document, stage
        What a person has made, and the stage that was shown.
    path
        The session's file; ``None`` if it is in none.
    saved
        Whether the file has all of it.
    last
        The digest of the last session that this one went on from; empty if it went on from none.
    """

    document: Document
    stage: str
    path: Path | None = None
    saved: bool = True
    last: str = ""

    def beside_document(self) -> dict[str, Any]:
        """Return all but the document, as it is stored beside it."""
        file = {"file": str(self.path), "saved": self.saved} if self.path else {}
        return {"stage": self.stage, **file, **({"last": self.last} if self.last else {})}

    @property
    def is_elsewhere(self) -> bool:
        """Whether nothing is lost without it: no sentence in it is a person's, or its own file has all of it."""
        if not any(line.text.strip() and line != TextLine(PAPER_SENTENCE) for line in self.document.lines):
            return True
        if self.path is None:
            return False
        try:
            found = load_document(self.path)[0]
        except SessionError:
            return False
        # A model that is not there was replaced by the one that was open, and which sentence is shown is no work.
        model = found.model if is_file(Path(found.model)) else self.document.model
        return replace(found, model=model, current=self.document.current) == replace(self.document, live=False)


def make_private(folder: Path) -> None:
    """Make a folder that nobody else can read, if it is not there; raise :class:`SessionError` in one sentence."""
    try:
        private_folder(folder)
    except OSError as error:
        raise SessionError(f"{folder}: cannot be made ({error.strerror or error})") from error
    except EngineError as error:
        raise SessionError(f"{folder}: this folder belongs to another user, so nothing is kept in it") from error


def save_session(session: StoredSession, path: Path, extra: Mapping[str, Any] | None = None) -> None:
    """Write a session where nobody else can read it."""
    make_private(path.parent)
    save_document(session.document, path, {**session.beside_document(), **(extra or {})}, private=True)


def read_session(path: Path) -> StoredSession:
    """Return a session that the program has kept; raise :class:`SessionError` if it cannot be used."""
    stored = read_stored(path, private=True)
    try:
        if isinstance(stored.value, dict) and "list" in stored.value:
            stored = _with_list(stored, path)
        file, saved, last = read_file_name(stored, "file"), stored.optional("saved"), stored.optional("last")
        return StoredSession(
            read_document(stored),
            read_stage(stored),
            # Where it was moved or removed there is nothing any more that this could be saved over.
            file,
            saved is None or saved.flag(),
            last.text(_DIGEST_LENGTH) if last is not None else "",
        )
    except ValueProblem as error:
        raise SessionError(f"{path}: {damaged(error)}") from error
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from error


def _with_list(stored: CheckedValue, path: Path) -> CheckedValue:
    """Return a session whose sentences stand in a separate file, but for those that were changed since."""
    name = stored.member("list").text()
    if not name.startswith(path.stem) or Path(name).name != name or not name.endswith(LIST_SUFFIX):
        stored.member("list").fail("the name of a file beside this one")
    whole = read_stored(path.with_name(name), private=True)
    lines = [each.value for each in whole.member("lines").items()]
    for at, line in stored.member("changes").members().items():
        if not at.isdecimal() or int(at[:12]) >= len(lines):
            line.fail(f"that of a sentence from 0 to {len(lines) - 1}")
        # Checked where it can be named; with the others it is read once more.
        read_line(line)
        lines[int(at)] = line.value
    return CheckedValue({**stored.value, "lines": lines, "current": stored.member("shown").value})


# The file of a session: where it is, and writing it in the background.


class SessionFile(QObject):
    """Knows in which file the session is, and saves it.

    Signals
    -------
    about_to_leave
        Another session takes the place of the one that is shown.
    path_changed
        The session is in another file now, or in none.
    """

    about_to_leave = Signal()
    path_changed = Signal()

    def __init__(
        self, editor: DocumentEditor, view: ViewState, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._messages = messages
        self._path: Path | None = None
        self._worker = Worker("file", parent=self)
        # Counts the documents that were started with: what is written of one says nothing about the next.
        self._sitting = 0
        self._save_failed = False

    @property
    def path(self) -> Path | None:
        """The file; ``None`` if the session is in none."""
        return self._path

    @property
    def saving(self) -> bool:
        """Whether something is still to be written."""
        return self._worker.busy

    def set_path(self, path: Path | None) -> None:
        """Name the file that the session is in."""
        self._path = path
        self.path_changed.emit()

    def leave(self) -> None:
        """Forget the file: what comes now is no longer what is in it.  Called while the old session is still shown."""
        self.about_to_leave.emit()
        self._sitting += 1
        self.set_path(None)

    def save(self, path: Path, on_saved: Callable[[], None] = lambda: None) -> Job:
        """Write the session file in the background, as the document is now, and call `on_saved` when it is written.

        It counts as saved at once, and as changed again, with a message, if it cannot be written.
        """
        document, stage, sitting = self._editor.document, self._view.stage, self._sitting
        self._editor.undo_stack.setClean()

        def on_result(_: None) -> None:
            if sitting == self._sitting:
                self.set_path(path)
            on_saved()

        def on_error(error: Exception) -> None:
            self._save_failed = True
            if sitting == self._sitting:
                self._editor.undo_stack.resetClean()
            self._messages.show_error(error)

        return self._worker.request(lambda job: save_document(document, path, {"stage": stage}), on_result, on_error)

    def finish(self) -> bool:
        """Wait until everything that was to be saved is written; false if some of it could not be."""
        self._save_failed = False
        self._worker.finish()
        return not self._save_failed


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
        self._open_lesson = open_lesson

    @property
    def busy(self) -> bool:
        """Whether something is still to be loaded."""
        return self._loading.busy

    def open(self, path: Path, on_opened: Callable[[], None] = lambda: None) -> None:
        """Open a file, whatever it is: model, session, lesson, sentences or trees; of a folder all trees.

        `on_opened` is called for what is opened again by its own name: all but models, which are listed by themselves.
        """
        try:
            kind = kind_of(path)
        except OSError as error:
            self._messages.show(f"{path}: cannot be read ({error.strerror or error})", True)
            return
        if kind is MODEL:
            self.open_model(path)
        elif kind is SESSION:
            self.open_session(path, on_opened)
        else:
            (self._open_lesson if kind is LESSON else self.open_text)(path)
            on_opened()

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
