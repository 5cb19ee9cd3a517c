"""The training treebank of the model in use: which files it is, read once, and searched for the places of a count."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.analysis.evidence import EvidenceSentence, Instances, bundled_treebanks, count_in, own_treebanks
from engine.model.model import Model
from engine.trees.tree import Tree
from engine.trees.treebank import corpus_name
from explorer.document.document import TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages, as_sentence, error_text
from explorer.document.parse_service import ParseService
from explorer.document.preferences import LIVE_TREEBANK, Preferences
from explorer.explanations.explanation_blocks import CountLink
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker

if TYPE_CHECKING:
    from engine.analysis.evidence import Evidence


_CANCELLED = "Reading the training trees was cancelled."


@dataclass(frozen=True)
class CountPlaces:
    """The places behind one count.

    Attributes
    ----------
    link
        The count.
    evidence
        The trees in which they are.
    parts
        The places in each of its tables: one, or two where two levels are pooled.
    counted
        The number itself, as the model has it.
    remark
        A sentence that explains why the places do not simply add up to it; empty if they do.
    """

    link: CountLink
    evidence: Evidence
    parts: tuple[tuple[int, Instances], ...]
    counted: int
    remark: str

    def __len__(self) -> int:
        return sum(len(instances) for _, instances in self.parts)

    def sentence(self, index: int) -> EvidenceSentence:
        """One place as its sentence."""
        for table, instances in self.parts:
            if index < len(instances):
                return self.evidence.sentence(table, instances, index)
            index -= len(instances)
        raise IndexError(index)


def find(evidence: Evidence, link: CountLink) -> CountPlaces:
    """The places behind a count."""
    counts = evidence.model.counts
    parts = tuple((counted.table, evidence.instances(counted)) for counted in link.counted)
    whole = sum(count_in(counts, counted) for counted in link.counted)
    return CountPlaces(link, evidence, parts, whole, evidence.remark(whole, *(instances for _, instances in parts)))


def read_evidence(job: Job, model: Model, sources: Sequence[Path]) -> Evidence:
    """Read treebanks and link them to a model, in a worker."""
    # Imported when it is needed, as the browser is: the window is there sooner.
    from engine.analysis.evidence import Evidence, kept_trees

    names = ", ".join(source.name for source in sources)
    trees = kept_trees(
        list(sources), model.rules, lambda share: job.report(share, f"Reading {names}"), lambda: job.cancelled
    )
    job.report(None, f"Comparing {names} with the model")
    return Evidence(model, trees)


class EvidenceLink(QObject):
    """Links treebanks to models, and finds the sentences of counts; reads nothing before it is asked to.

    Signals
    -------
    changed
        What is linked, asked or found is another.
    """

    changed = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        preferences: Preferences,
        messages: Messages,
        tasks: TaskMonitor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._preferences = preferences
        self._messages = messages
        self._worker = Worker("evidence", newest_only=True, parent=self)
        self._reader = tasks.watch(Worker("read evidence", newest_only=True, parent=self), _CANCELLED)
        self._evidence: Evidence | None = None
        self._asked: CountLink | None = None
        self._found: CountPlaces | None = None
        self._problem = ""
        self._reading: Job | None = None
        self._parses.model_changed.connect(self._model_changed)

    @property
    def evidence(self) -> Evidence | None:
        """The training trees, once they are read."""
        return self._evidence

    @property
    def asked(self) -> CountLink | None:
        """The count whose places are wanted."""
        return self._asked

    @property
    def found(self) -> CountPlaces | None:
        """Its places, once they are found."""
        return self._found

    @property
    def problem(self) -> str:
        """Why there are none, as a sentence."""
        return self._problem

    @property
    def busy(self) -> bool:
        """Whether trees are being read or a count is being looked for."""
        return self._reading is not None or self._worker.busy

    @property
    def reading(self) -> bool:
        """Whether trees are being read."""
        return self._reading is not None

    def sources(self) -> list[Path]:
        """The treebanks of the model: those that were linked to it, or its own where they come with the program."""
        model = self._parses.model
        if model is None:
            return []
        if self._editor.document.live:
            return [path for path in (self._preferences.folder / LIVE_TREEBANK,) if path.is_file()]
        return [Path(name) for name in self._preferences.names(self._key())] or own_treebanks(model)

    def remember(self, model: str | Path, sources: Sequence[str | Path]) -> None:
        """These are the treebanks of a model that may not be open yet; nothing is read."""
        self._preferences.keep_names(self._key(model), [str(Path(source).absolute()) for source in sources])

    def _key(self, model: str | Path = "") -> str:
        """Where the treebanks of a model are remembered, of the one in use if none is named.

        Its path itself would be taken for a group of settings.
        """
        path = str(Path(model or self._editor.document.model).absolute())
        return f"treebanks/{hashlib.sha256(path.encode()).hexdigest()[:16]}"

    def link(self, sources: Sequence[str | Path]) -> None:
        """These are the treebanks of the model from now on; no sources: it has none, or those of its own."""
        if self._parses.model is None:
            self._messages.show("there is no model to link a treebank to; open one with Ctrl+M", True)
            return
        if self._editor.document.live:
            self._messages.show("the live model has its treebank already: the trees in the panel Treebank", True)
            return
        self._preferences.keep_names(self._key(), [str(Path(source).absolute()) for source in sources])
        self._forget()
        if sources or self._asked is not None:
            self._read()
        self.changed.emit()

    def add(self, sources: Sequence[str | Path]) -> None:
        """Link these treebanks, beside others of the model's where a model was counted from several.

        Those that come with the program need not be named.
        """
        model = self._parses.model
        corpora: list[str] = model.metadata.get("corpora", []) if model is not None else []
        named = {corpus_name(source): Path(source) for source in sources}
        if model is not None and set(named) <= set(corpora):
            others = [*self.sources(), *bundled_treebanks(model)]
            known = {corpus_name(source): source for source in others if corpus_name(source) in corpora} | named
            self.link([known[name] for name in dict.fromkeys(corpora) if name in known])
        else:
            self.link(list(named.values()))

    def ask(self, link: CountLink) -> None:
        """Find the sentences of a count; the treebank is read first where that has not been done."""
        self._asked = link
        self._found = None
        if self._evidence is not None:
            self._find(self._evidence, link)
        elif self._reading is None:
            self._read()
        self.changed.emit()

    def _read(self) -> None:
        model, sources = self._parses.model, self.sources()
        self._problem = ""
        if model is None or not sources:
            return

        def on_result(evidence: Evidence) -> None:
            if evidence.model is not self._parses.model:
                return
            self._evidence = evidence
            self._messages.show(evidence.match.sentence)
            if self._asked is not None:
                self._find(evidence, self._asked)

        def on_finished() -> None:
            if self._reading is job:
                self._reading = None
                if self._evidence is None and not self._problem and job.cancelled:
                    self._problem = _CANCELLED
                self.changed.emit()

        job = self._reader.request(
            lambda job: read_evidence(job, model, sources), on_result, self._failed, on_finished=on_finished
        )
        self._reading = job

    def _find(self, evidence: Evidence, link: CountLink) -> None:
        def on_result(found: CountPlaces) -> None:
            self._found = found
            self.changed.emit()

        self._worker.request(lambda job: find(evidence, link), on_result, self._failed)

    def _failed(self, error: Exception) -> None:
        self._problem = as_sentence(error_text(error))
        self.changed.emit()

    def _forget(self) -> None:
        self._reader.cancel()
        self._reading = None
        self._worker.cancel()
        self._evidence = self._found = None
        self._problem = ""

    def _model_changed(self) -> None:
        # A count belongs to the model that it was asked of.
        self._asked = None
        self._forget()
        self.changed.emit()

    def add_words(self, sentence: EvidenceSentence) -> None:
        """Put a training sentence into the sentence list without its tree, its words tagged."""
        self._editor.add_lines([TextLine(sentence.tagged(), place=sentence.place)], "adding a training sentence")

    def add_to_list(self, sentence: EvidenceSentence) -> None:
        """Put a training sentence into the sentence list with its gold tree, and show its parse."""
        source = next((one for one in self.sources() if corpus_name(one) == sentence.source), None)
        if source is None:
            self._messages.show(f"{sentence.source} is not linked to the model any more; link the treebank again", True)
            return

        def work(job: Job) -> Tree | None:
            from engine.analysis.evidence.tree_lookup import find_tree

            return find_tree(source, sentence.number, sentence.words)

        def on_result(tree: Tree | None) -> None:
            if tree is None:
                self._messages.show(f"{source}: the tree is not there any more; link the treebank again", True)
            else:
                self._editor.add_lines([TextLine(str(tree), place=sentence.place)], "adding a training sentence")

        self._worker.request(work, on_result, self._failed)
