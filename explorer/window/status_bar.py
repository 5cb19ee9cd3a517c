"""The status bar: model, preset, β, time per parse and zoom; while there is work, how far it is."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from engine.chart.parse import Parse
from engine.common.numbers import beam_text, duration
from engine.compiled.cache import AVAILABILITY
from engine.gate.private_files import take_cache_problem
from explorer.canvas.canvas import Canvas
from explorer.kit.controls import ElidedLabel
from explorer.kit.messages import Messages
from explorer.kit.tasks import TaskMonitor
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.statuses import RIGHT, SentenceStatuses

BUSY_AFTER_MS = 150
MESSAGE_SECONDS = 1.5
"""How long a message stands before the progress of work takes its place."""
_GAP = 32
"""Pixels between a message and the facts."""


class StatusBar(QObject):
    """Fills a status bar.

    Parameters
    ----------
    bar
        The bar.
    editor, parses, statuses, tasks, canvas
        What it tells about.
    cancel
        The action behind its button.
    """

    def __init__(
        self,
        bar: QStatusBar,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        tasks: TaskMonitor,
        canvas: Canvas,
        cancel: QAction,
    ) -> None:
        super().__init__(bar)
        self._bar = bar
        self._message_time = 0.0
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._tasks = tasks
        self._canvas = canvas
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        self.progress.setAccessibleName("Progress")
        self.doing = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.doing.setObjectName("quiet")
        self.stop_button = QToolButton()
        self.stop_button.setDefaultAction(cancel)
        self.stop_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for widget in (self.progress, self.doing, self.stop_button):
            bar.addWidget(widget)
            widget.hide()
        self.facts = ElidedLabel()
        self.facts.setObjectName("quiet")
        self.facts.setContentsMargins(0, 0, 12, 0)
        bar.addPermanentWidget(self.facts)
        bar.messageChanged.connect(self._message_changed)
        self._busy = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._busy.timeout.connect(self._show_busy)
        self._watch = QTimer(self, interval=50)
        self._watch.timeout.connect(self._show_busy)
        self._compiling = QTimer(self, interval=1000)
        self._compiling.timeout.connect(self._compiled)
        self._tasks.busy_changed.connect(self._busy_changed)
        self._parses.result_changed.connect(self.show_facts)
        self._parses.model_changed.connect(self.show_facts)
        self._editor.document_changed.connect(self.show_facts)
        canvas.zoomed.connect(lambda _: self.show_facts())
        self.show_facts()

    def stop(self) -> None:
        """Stop watching: the window closes."""
        for timer in (self._busy, self._watch, self._compiling):
            timer.stop()

    def show_facts(self) -> None:
        """Show model, preset, β, the time of the parse, and what is remarkable about it."""
        parts = [self._editor.document.model_name or "no model", f"preset ({self._editor.document.preset})"]
        parts.append(f"β = {beam_text(self._editor.settings.beam)}")
        result = self._parses.result
        if result is not None:
            parts.append(f"parsed in {duration(result.seconds)}")
            if result.reading.unknown:
                tags = {result.reading.tagged.tags[token] for token in result.reading.unknown}
                parts.insert(0, f"unknown to the model: {' '.join(sorted(tags))}")
            status = self._statuses.get(self._editor.line)
            if status is not None and status.f1 is not None and self._parses.is_current:
                same = status.mark == RIGHT
                parts.insert(
                    0, "the same as the gold tree" if same else f"differs from the gold tree, F1 {status.f1:.1f} (F9)"
                )
            if remark := _remark(result.parse):
                parts.insert(0, remark)
        if self._compiling.isActive():
            parts.insert(0, "first start: compiling, slower for a minute")
        parts.append(f"{round(self._canvas.scale_factor * 100)} %")
        self.facts.setText("   ·   ".join(parts))

    def _message_changed(self, message: str) -> None:
        self._message_time = time.monotonic()
        if message:
            for widget in (self.progress, self.doing, self.stop_button):
                widget.hide()
        # A message is read before facts that stay: where both have no room, they wait until it is gone.
        needed = self._bar.fontMetrics().horizontalAdvance(message) + _GAP + self.facts.sizeHint().width()
        self.facts.setVisible(not message or needed <= self._bar.width())

    def _busy_changed(self) -> None:
        if self._tasks.busy:
            if not self._watch.isActive():
                self._busy.start()
        else:
            self._busy.stop()
            self._watch.stop()
            for widget in (self.progress, self.doing, self.stop_button):
                widget.hide()
        # What this process remembers of its own compilers: the cache has files, which a slow disk keeps waiting.
        if AVAILABILITY.compiling() and not self._compiling.isActive():
            self._compiling.start()

    def _compiled(self) -> None:
        if not AVAILABILITY.compiling():
            self._compiling.stop()
            self.show_facts()

    def _show_busy(self) -> None:
        job = self._tasks.job
        if job is None:
            return
        if self._bar.currentMessage():
            # A message has its moment; then it gives way, or it would stand over the progress.
            self._watch.start()
            if time.monotonic() - self._message_time < MESSAGE_SECONDS:
                return
            self._bar.clearMessage()
        self._watch.start()
        share = job.share
        self.progress.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.progress.setValue(round(1000 * share))
        self.doing.setText(job.activity or "Parsing …")
        for widget in (self.progress, self.doing, self.stop_button):
            widget.show()


def _remark(parse: Parse) -> str:
    """What is out of the ordinary about a parse, in a few words; empty for an ordinary one."""
    if parse.given_up:
        return "too much work; only fragments"
    if parse.fallback:
        return "no tree spans the sentence; only fragments"
    if parse.narrowed:
        return f"too much work; parsed with β = {beam_text(parse.beam)}"
    return "found with further back-off" if parse.further_backoff else ""


# What keeps the program from using its cache, said once in the window: it works without, and takes longer.


def show_cache_problems(tasks: TaskMonitor, messages: Messages) -> None:
    """Show what was noted about the cache whenever a task has ended.

    Parameters
    ----------
    tasks
        The tasks of a window: opening models, parsing and reading treebanks use the cache.
    messages
        Where it is shown.
    """

    def tell() -> None:
        if not tasks.busy and (problem := take_cache_problem()):
            messages.show(problem, True)

    tasks.busy_changed.connect(tell)
