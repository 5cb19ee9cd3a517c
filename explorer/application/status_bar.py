"""The status bar: model, preset, β, time per parse and zoom; while there is work, how far it is."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from engine.compiled.background import AVAILABILITY
from engine.compiled.cache import is_compiled
from explorer.canvas.canvas import Canvas
from explorer.document.sentence_findings import RIGHT
from explorer.document.session import Session
from explorer.graphics.number_text import beam_text, duration

BUSY_AFTER_MS = 150
MESSAGE_SECONDS = 1.5
"""How long a message stands before the progress of work takes its place."""


class Status(QObject):
    """Fills a status bar.

    Parameters
    ----------
    bar
        The bar.
    session, canvas
        What it tells about.
    cancel
        The action behind its button.
    """

    def __init__(self, bar: QStatusBar, session: Session, canvas: Canvas, cancel: QAction) -> None:
        super().__init__(bar)
        self._bar = bar
        self._said = 0.0
        self._session = session
        self._canvas = canvas
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        self.progress.setAccessibleName("Progress")
        self.doing = QLabel()
        self.doing.setObjectName("quiet")
        self.stop_button = QToolButton()
        self.stop_button.setDefaultAction(cancel)
        self.stop_button.setText("Cancel")
        self.stop_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for widget in (self.progress, self.doing, self.stop_button):
            bar.addWidget(widget)
            widget.hide()
        self.facts = QLabel()
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
        session.parsing.busy_changed.connect(self._busy_changed)
        session.loading.busy_changed.connect(self._busy_changed)
        session.answer_changed.connect(self.show_facts)
        session.model_changed.connect(self.show_facts)
        session.document_changed.connect(self.show_facts)
        canvas.zoomed.connect(lambda _: self.show_facts())

    def stop(self) -> None:
        """The window closes."""
        for timer in (self._busy, self._watch, self._compiling):
            timer.stop()

    def show_facts(self) -> None:
        session = self._session
        parts = [Path(session.document.model).stem or "no model", f"preset ({session.document.preset})"]
        parts.append(f"β = {beam_text(session.settings.beam)}")
        answer = session.answer
        if answer is not None:
            parts.append(f"parsed in {duration(answer.seconds)}")
            if answer.reading.unknown:
                tags = {answer.reading.tagged.tags[token] for token in answer.reading.unknown}
                parts.insert(0, f"unknown to the model: {' '.join(sorted(tags))}")
            finding = session.findings.get(session.line)
            if finding is not None and finding.f1 is not None and session.current:
                same = finding.mark == RIGHT
                parts.insert(0, "as the gold tree" if same else f"differs from gold, F1 {finding.f1:.1f}: Ctrl+D")
            if answer.parse.fallback:
                parts.insert(0, "no tree spans the sentence: fragments")
        if self._compiling.isActive():
            parts.insert(0, "compiling, once: slow until then")
        parts.append(f"{round(self._canvas.scale_factor * 100)} %")
        self.facts.setText("   ·   ".join(parts))

    def _message_changed(self) -> None:
        self._said = time.monotonic()

    def _busy_changed(self) -> None:
        if self._session.parsing.busy or self._session.loading.busy:
            if not self._watch.isActive():
                self._busy.start()
        else:
            self._busy.stop()
            self._watch.stop()
            for widget in (self.progress, self.doing, self.stop_button):
                widget.hide()
        if not is_compiled() and not self._compiling.isActive():
            self._compiling.start()

    def _compiled(self) -> None:
        if is_compiled() or not AVAILABILITY.compiling():
            self._compiling.stop()
            self.show_facts()

    def _show_busy(self) -> None:
        job = self._session.loading.job or self._session.parsing.job
        if job is None:
            return
        if self._bar.currentMessage():
            # A message has its moment; then it gives way, or it would stand over the progress.
            self._watch.start()
            if time.monotonic() - self._said < MESSAGE_SECONDS:
                return
            self._bar.clearMessage()
        self._watch.start()
        share = job.share
        self.progress.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.progress.setValue(round(1000 * share))
        self.doing.setText(job.stage or "Parsing …")
        for widget in (self.progress, self.doing, self.stop_button):
            widget.show()
