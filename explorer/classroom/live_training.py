"""Live training: a small treebank is edited, and the model of the session follows at once, off the GUI thread."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.common.errors import EngineError, TreeError
from engine.common.files import write_whole
from engine.common.numbers import size
from engine.common.resources import resources_folder
from engine.explain.changes import EarlierParse, earlier_factors
from engine.gate.files import digest_of
from engine.gate.text_stream import read_text
from engine.model.model import Model
from engine.tagger.tagger import TagDistribution
from engine.trees.reading import read_brackets
from engine.trees.tree import PUNCTUATION_TAGS, Tree, clean
from engine.trees.treebank import corpus_name
from explorer.kit.messages import error_text
from explorer.kit.state import listen
from explorer.kit.tasks import Job, Worker
from explorer.pictures.facts import facts_of
from explorer.session.editor import Change
from explorer.session.files import make_private
from explorer.session.parsing import ParseRequest, ParserPool, best_parse
from explorer.session.preferences import LIVE_TREEBANK, Preferences
from explorer.session.session import Session

# The treebank of live training: a few trees in memory, from which a model is trained in a moment; no Qt.

MOST_TREES = 2000
"""Trees of the largest treebank: with so many the model follows an edit in half a second."""
EMPTY_NAME = "New treebank"
NO_TREES = (
    "the treebank is empty, so the parser knows no word, no tag and no phrase yet; add a tree in the panel Treebank"
)
NO_WORDS = "the trees hold nothing but traces and punctuation, so there is nothing to count; add a tree with words"


@dataclass(frozen=True, slots=True)
class LiveTreebank:
    """Trees, and how many of them the model is trained on.

    Attributes
    ----------
    name
        What to call it.
    trees
        All of them, as they were read or made.
    first
        How many of the first ones are trained on, to see a model grow; ``None`` for all.
    """

    name: str = EMPTY_NAME
    trees: tuple[Tree, ...] = ()
    first: int | None = None

    @property
    def used(self) -> tuple[Tree, ...]:
        """The trees that the model is trained on."""
        return self.trees if self.first is None else self.trees[: self.first]

    def with_added(self, trees: Iterable[Tree]) -> LiveTreebank:
        """The treebank with more trees at its end; all are trained on again."""
        return _checked(replace(self, trees=(*self.trees, *trees), first=None))

    def with_replaced(self, at: int, tree: Tree) -> LiveTreebank:
        """The treebank with another tree in place of one."""
        return replace(self, trees=(*self.trees[:at], tree, *self.trees[at + 1 :]))

    def without(self, places: Collection[int]) -> LiveTreebank:
        """The treebank without some trees; of the first that are trained on those that stay are."""
        gone = frozenset(places)
        kept = tuple(tree for at, tree in enumerate(self.trees) if at not in gone)
        first = self.first
        if first is not None:
            first -= sum(at < first for at in gone)
        return replace(self, trees=kept, first=first)

    def with_first(self, count: int) -> LiveTreebank:
        """The treebank of which the first trees alone are trained on."""
        count = max(0, min(count, len(self.trees)))
        return replace(self, first=None if count == len(self.trees) else count)

    def text(self) -> str:
        """All trees as a file holds them, one on each line."""
        return treebank_text(self.trees)


def treebank_text(trees: Sequence[Tree]) -> str:
    """Trees as a file holds them, one on each line."""
    return "".join(f"{tree.brackets()}\n" for tree in trees)


def _checked(treebank: LiveTreebank) -> LiveTreebank:
    if len(treebank.trees) > MOST_TREES:
        raise EngineError(
            f"{treebank.name} has {len(treebank.trees):,} trees, and live training takes at most {MOST_TREES:,}, so "
            "that the model follows at once; train on more with `parse-engine train`"
        )
    return treebank


def read_trees(text: str, name: str) -> tuple[Tree, ...]:
    """The trees of a text; raise :class:`EngineError` that says what is wrong with the first broken one, and where."""
    found: list[Tree] = []
    for item in read_brackets(text, name):
        if isinstance(item, TreeError):
            raise item
        found.append(item)
    return tuple(found)


def has_words(tree: Tree) -> bool:
    """Whether there is anything to learn from a tree: a word that is neither trace nor punctuation."""
    cleaned = clean(tree)
    return cleaned is not None and not PUNCTUATION_TAGS.issuperset(cleaned.tags())


def read_one_tree(text: str) -> Tree:
    """The one tree of a text; raise :class:`EngineError` in one sentence if it is none, or several."""
    found = read_trees(text.strip(), "the tree")
    if len(found) != 1:
        problem = "there is no tree in brackets" if not found else "there is more than one tree"
        raise EngineError(f"{problem}; write one, such as (S (NP (NNP Mary)) (VP (VBD left)) (. .))")
    if not has_words(found[0]):
        raise EngineError("the tree has no word to learn from")
    return found[0]


def open_treebank(path: Path) -> LiveTreebank:
    """The treebank of a small file; raise :class:`EngineError` in one sentence if it is none, or too large."""
    trees = read_trees(read_text(path), str(path))
    if not trees:
        raise EngineError(f"{path}: there is no tree in the file; choose one with trees in Penn brackets")
    return _checked(LiveTreebank(path.name, trees))


def classroom_treebank() -> LiveTreebank:
    """The trees that come with the program for teaching."""
    return open_treebank(resources_folder() / "examples" / "classroom.ptb")


def train_on(trees: Sequence[Tree], name: str) -> tuple[Model | None, str]:
    """Train a model on trees, as ``parse-engine train NAME`` does on a file of them.

    Returns
    -------
    tuple
        The model, or ``None`` where there is nothing to count; and in one sentence why, or an empty one.
    """
    if not trees:
        return None, NO_TREES
    if not any(map(has_words, trees)):
        return None, NO_WORDS
    # A start needs no training.
    from engine.training.train import train

    return train(trees, name=name), ""


def save_treebank(trees: Sequence[Tree], path: Path) -> None:
    """Write trees to a file, one on each line."""
    write_whole(path, treebank_text(trees).encode("utf-8", "surrogatepass"))


def _free_name(path: Path, content: bytes) -> Path:
    """The name itself, or with a number behind it the first that no other content has."""
    number, found = 1, path
    while found.exists() and digest_of(found) != hashlib.sha256(content).hexdigest():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def save_model(trees: Sequence[Tree], path: Path) -> Path:
    """Write the model of these trees, and beside it the trees themselves; their file is returned.

    The model is byte for byte what ``parse-engine train --no-record`` makes of that file.  A file of other trees
    with the model's name stays: then theirs has a number.
    """
    treebank = _free_name(path.with_suffix(".ptb"), treebank_text(trees).encode("utf-8", "surrogatepass"))
    model, problem = train_on(trees, corpus_name(treebank))
    if model is None:
        raise EngineError(f"there is no model to save: {problem}")
    save_treebank(trees, treebank)
    model.save(path)
    return treebank


# Live training: a small treebank is edited, and the model of the session follows at once, off the GUI thread.
#
# Each edit is one step of the session's undo stack.  The model is trained anew from all trees, which for the
# classroom's takes a twentieth of a second: so it is the one that ``parse-engine train`` makes of the same trees.

LAST_TREEBANK = "last-treebank.ptb"
"""All trees of the panel, beside the preferences: they come back after a crash, and at the next start if wanted."""
_GROWING = 16
"""The kind of edits that merge with the one before: moves of the slider."""
_NO_MODEL = "the trees were too few to parse anything with"
_CANCELLED = "Training was cancelled; the model before stays."


@dataclass(frozen=True, slots=True)
class LiveState:
    """What an edit changes: the trees, and whether the session uses the model that they make."""

    treebank: LiveTreebank | None = None
    live: bool = False


class Trained(NamedTuple):
    """What training made: the model or why there is none, and how long it took."""

    model: Model | None
    problem: str
    seconds: float


class LiveTraining(QObject):
    """The treebank of the panel and the model that follows it.

    Parameters
    ----------
    session
        Its undo stack takes the edits, its view marks what changed, its parses use the model.
    preferences
        Beside what the trees are kept.

    Signals
    -------
    treebank_changed
        Other trees, or the session uses another model than theirs.
    trained
        The model of the trees is there.
    compared
        What changed against before is known, or no longer.
    """

    treebank_changed = Signal()
    trained = Signal()
    compared = Signal()

    def __init__(self, session: Session, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = session.editor
        self._parses = session.parses
        self._view = session.view
        self._messages = session.messages
        self._folder = preferences.folder
        self._treebank: LiveTreebank | None = None
        self._trained: Trained | None = None
        # The model before the last edit, and the one that a person compares with instead.
        self._before: Trained | None = None
        self._pinned: Trained | None = None
        self._pinned_trees = 0
        self._asked: object = None
        self._live = False
        self._parsers = ParserPool()
        self._training = session.tasks.watch(Worker("live training", newest_only=True, parent=self), _CANCELLED)
        self._comparing = Worker("compare with before", newest_only=True, parent=self)
        self._saving = Worker("save treebank", parent=self)

    # What is there

    @property
    def treebank(self) -> LiveTreebank | None:
        """The trees; ``None`` if live training was not started."""
        return self._treebank

    @property
    def live(self) -> bool:
        """Whether the session uses the model of the trees."""
        return self._treebank is not None and self._editor.document.live

    @property
    def model(self) -> Model | None:
        """The newest model of the trees."""
        return self._trained.model if self._trained is not None else None

    @property
    def problem(self) -> str:
        """Why the trees make no model, in one sentence; empty if they do."""
        return self._trained.problem if self._trained is not None else ""

    @property
    def seconds(self) -> float:
        """How long the last training took."""
        return self._trained.seconds if self._trained is not None else 0.0

    @property
    def busy(self) -> bool:
        """Whether a model, a comparison or a file is still to come."""
        return self._training.busy or self._comparing.busy or self._saving.busy

    @property
    def pinned_trees(self) -> int | None:
        """Of how many trees the model is that a person compares with; ``None`` for the one before the last edit."""
        return self._pinned_trees if self._pinned is not None else None

    @property
    def kept(self) -> Path | None:
        """The file with the trees of the last time; ``None`` if there is none."""
        path = self._folder / LAST_TREEBANK
        return path if path.is_file() else None

    # Edits

    def start(self, treebank: LiveTreebank) -> None:
        """Train on other trees from now on, with nothing to compare with yet."""
        self._before = self._pinned = self._trained = None
        self._push(f"live training on {treebank.name}", LiveState(treebank, True))

    def stop(self) -> None:
        """Go back to the model that the session used before; the trees leave the panel, which can be undone."""
        self._push("stopping live training", LiveState())

    def resume(self) -> None:
        """Use the model of the trees again."""
        self._push("using the live model", LiveState(self._treebank, True))

    def add(self, trees: Sequence[Tree]) -> None:
        """Add trees at the end."""
        self._edit(f"adding {size(len(trees), 'tree')}", lambda treebank: treebank.with_added(trees))

    def replace_tree(self, at: int, tree: Tree) -> None:
        """Put another tree in the place of one."""
        self._edit("editing a tree", lambda treebank: treebank.with_replaced(at, tree))

    def remove(self, places: Collection[int]) -> None:
        """Take trees out."""
        if places:
            self._edit(f"removing {size(len(places), 'tree')}", lambda treebank: treebank.without(places))

    def set_first(self, count: int) -> None:
        """Train on the first trees alone; all of them again with as many as there are."""
        self._edit("training on the first trees", lambda treebank: treebank.with_first(count), _GROWING)

    def pin(self, pinned: bool = True) -> None:
        """Compare with the model of now from now on; or again with the one before the last edit."""
        self._pinned = self._trained if pinned else None
        self._pinned_trees = len(self._treebank.used) if self._treebank is not None else 0
        self._asked = None
        self.treebank_changed.emit()
        self.compare()

    def _edit(self, title: str, edit: Callable[[LiveTreebank], LiveTreebank], kind: int = -1) -> None:
        if self._treebank is None:
            self._messages.show("Choose a treebank first: there are buttons for it in the panel Treebank", True)
            return
        try:
            after = edit(self._treebank)
        except EngineError as error:
            self._messages.show_error(error)
        else:
            self._push(title, LiveState(after, True), kind)

    def _push(self, title: str, after: LiveState, kind: int = -1) -> None:
        before = LiveState(self._treebank, self._editor.document.live)
        if after != before:
            self._editor.undo_stack.push(Change(title, before, after, self._show, kind, within=math.inf))

    def _show(self, state: LiveState) -> None:
        """Have these trees, and use their model or not: for edits and their undoing."""
        other = state.treebank is not self._treebank
        if self._treebank is None:
            # Before there are trees no document and no parse is anything to live training.
            self._follow_session(True)
        self._treebank = state.treebank
        if other and state.treebank is not None:
            self._train(state.treebank)
        elif state.treebank is None:
            self._training.cancel()
        self._editor.set_document(replace(self._editor.document, live=state.live))
        if state.treebank is None:
            self._follow_session(False)
        self.treebank_changed.emit()

    def _follow_session(self, follows: bool) -> None:
        listen(
            follows,
            (self._editor.document_changed, self._document_changed),
            (self._parses.result_changed, self.compare),
            (self._parses.problem_changed, self.compare),
        )

    # The model follows

    def _train(self, treebank: LiveTreebank) -> None:
        folder = self._folder

        def work(job: Job) -> Trained:
            job.report(None, "Training")
            make_private(folder)
            save_treebank(treebank.trees, folder / LAST_TREEBANK)
            save_treebank(treebank.used, folder / LIVE_TREEBANK)
            started = time.perf_counter()
            model, problem = train_on(treebank.used, LIVE_TREEBANK)
            return Trained(model, problem, time.perf_counter() - started)

        self._training.request(work, self._follow, self._messages.show_error)

    def _follow(self, trained: Trained) -> None:
        self._before, self._trained = self._trained, trained
        self._parses.models.set_live(trained.model, trained.problem)
        self._parses.follow(self._editor.document)
        self.trained.emit()
        self.compare()

    def _document_changed(self) -> None:
        if self._live != self.live:
            self._live = self.live
            self.treebank_changed.emit()
        if not self.live:
            self._forget()

    # What changed

    def compare(self) -> None:
        """Hold the parse against that of the model before, if there is one and both are there."""
        result, before = self._parses.result, self._pinned or self._before
        if not self.live or before is None or self._parses.problem:
            self._forget()
            return
        if result is None or not self._parses.is_complete or result.request.model is not self.model:
            return
        key = (result.parse, before)
        if self._asked is not None and key == self._asked:
            return
        self._asked = key

        def work(job: Job) -> EarlierParse:
            return compared(result.request, before, result.parse, self._parsers, job)

        self._comparing.request(work, self._found, self._messages.show_error)

    def _found(self, earlier: EarlierParse) -> None:
        self._view.set_earlier(earlier)
        self.compared.emit()

    def _forget(self) -> None:
        self._asked = None
        self._comparing.cancel()
        if self._view.earlier is not None:
            self._view.set_earlier(None)
            self.compared.emit()

    # Saving

    def save_treebank(self, path: Path) -> None:
        """Write all trees to a file in the background."""
        treebank = self._treebank
        if treebank is not None:
            told = f"{size(len(treebank.trees), 'tree')} saved to {path.name}"
            self._save(lambda job: save_treebank(treebank.trees, path), told)

    def save_model(self, path: Path) -> None:
        """Write the model to a file in the background, and its trees beside it."""
        treebank = self._treebank
        if treebank is not None:
            self._saving.request(
                lambda job: save_model(treebank.used, path),
                lambda trees: self._messages.show(f"Model saved to {path.name}, and its trees to {trees.name}"),
                self._messages.show_error,
            )

    def _save(self, work: Callable[[Job], object], told: str) -> None:
        self._saving.request(work, lambda _: self._messages.show(told), self._messages.show_error)


def compared(request: ParseRequest, before: Trained, now: Parse, parsers: ParserPool, job: Job) -> EarlierParse:
    """What an earlier model makes of the sentence of a request, beside the parse that the newer one found."""
    if before.model is None:
        return EarlierParse(now, None, (), _NO_MODEL)
    try:
        reading, parse = best_parse(replace(request, model=before.model), parsers, job.control)
    except EngineError as error:
        return EarlierParse(now, None, earlier_factors(now, before.model), error_text(error))
    # What the picture needs is looked up here, off the GUI thread.
    _ = facts_of(parse).arrows
    distribution = reading.sentence if isinstance(reading.sentence, TagDistribution) else None
    return EarlierParse(now, parse, earlier_factors(now, before.model, distribution))
