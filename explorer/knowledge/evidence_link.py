"""The training treebank of the session's model: which files it is, read once, and asked for the places of a count."""

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
from explorer.document.document import Line
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.document.session_tasks import in_a_sentence
from explorer.explanations.explanation_blocks import CountLink
from explorer.tasks.worker import Job, Worker

if TYPE_CHECKING:
    from engine.analysis.evidence import Evidence


@dataclass(frozen=True)
class Found:
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
        What is to be said where the places do not simply add up to it.
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


def find(evidence: Evidence, link: CountLink) -> Found:
    """The places behind a count."""
    counts = evidence.model.counts
    parts = tuple((counted.table, evidence.instances(counted)) for counted in link.counted)
    whole = sum(count_in(counts, counted) for counted in link.counted)
    return Found(link, evidence, parts, whole, evidence.remark(whole, *(instances for _, instances in parts)))


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
    """Links treebanks to models, and finds the sentences of counts; reads nothing before it is asked.

    Signals
    -------
    changed
        What is linked, asked or found is another.
    """

    changed = Signal()

    def __init__(self, session: Session, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._worker = Worker("evidence", newest_only=True, parent=self)
        self.evidence: Evidence | None = None
        self.asked: CountLink | None = None
        self.found: Found | None = None
        self.problem = ""
        self._reading: Job | None = None
        session.model_changed.connect(self._model_changed)

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
        model = self._session.model
        if model is None:
            return []
        stored = self._preferences.stored.value(self._key())
        names = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [Path(str(name)) for name in names if name] or own_treebanks(model)

    def _key(self) -> str:
        """Where the treebanks of the model are remembered; its path itself would be taken for a group of settings."""
        path = str(Path(self._session.document.model).absolute())
        return f"treebanks/{hashlib.sha256(path.encode()).hexdigest()[:16]}"

    def link(self, sources: Sequence[str | Path]) -> None:
        """These are the treebanks of the model from now on; no sources: it has none, or those of its own."""
        if self._session.model is None:
            self._session.message.emit("there is no model to link a treebank to; open one with Ctrl+M", True)
            return
        self._preferences.stored.setValue(self._key(), [str(Path(source).absolute()) for source in sources])
        self._forget()
        if sources or self.asked is not None:
            self._read()
        self.changed.emit()

    def add(self, sources: Sequence[str | Path]) -> None:
        """Link these treebanks, beside others of the model's where a model was counted from several.

        Those that come with the program need not be named.
        """
        model = self._session.model
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
        self.asked = link
        self.found = None
        if self.evidence is not None:
            self._find(self.evidence, link)
        elif self._reading is None:
            self._read()
        self.changed.emit()

    def _read(self) -> None:
        model, sources = self._session.model, self.sources()
        self.problem = ""
        if model is None or not sources:
            return

        def on_result(evidence: Evidence) -> None:
            if evidence.model is not self._session.model:
                return
            self.evidence = evidence
            self._session.message.emit(evidence.match.sentence, False)
            if self.asked is not None:
                self._find(evidence, self.asked)

        def on_finished() -> None:
            if self._reading is job:
                self._reading = None
                if self.evidence is None and not self.problem and job.cancelled:
                    self.problem = "Reading the training trees was cancelled."
                self.changed.emit()

        job = self._session.loading.request(
            lambda job: read_evidence(job, model, sources), on_result, self._failed, on_finished=on_finished
        )
        self._reading = job

    def _find(self, evidence: Evidence, link: CountLink) -> None:
        def on_result(found: Found) -> None:
            self.found = found
            self.changed.emit()

        self._worker.request(lambda job: find(evidence, link), on_result, self._failed)

    def _failed(self, error: Exception) -> None:
        said = in_a_sentence(error)
        self.problem = said[:1].upper() + said[1:] + ("" if said.endswith(".") else ".")
        self.changed.emit()

    def _forget(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        self._worker.cancel()
        self.evidence = self.found = None
        self.problem = ""

    def _model_changed(self) -> None:
        # A count belongs to the model that it was asked of.
        self.asked = None
        self._forget()
        self.changed.emit()

    def add_to_list(self, sentence: EvidenceSentence) -> None:
        """Put a training sentence into the sentence list, and show its parse."""
        self._session.add_lines([Line(sentence.tagged(), place=sentence.place)], "adding a training sentence")

    def add_tree(self, sentence: EvidenceSentence) -> None:
        """Put the tree of a training sentence into the sentence list, as its gold tree."""
        source = next((one for one in self.sources() if corpus_name(one) == sentence.source), None)
        if source is None:
            return

        def work(job: Job) -> Tree | None:
            from engine.analysis.evidence.tree_lookup import find_tree

            return find_tree(source, sentence.number, sentence.words)

        def on_result(tree: Tree | None) -> None:
            if tree is None:
                self._session.message.emit(f"{source}: the tree is not there any more; link the treebank again", True)
            else:
                self._session.add_lines([Line(str(tree), place=sentence.place)], "adding a training tree")

        self._worker.request(work, on_result, self._failed)

    def close(self) -> None:
        """End the thread."""
        self._worker.stop()
