"""The panel of search by structure: a pattern, where to look for it, the matches, counts of them, and help."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.files import replaced
from engine.patterns import PatternError
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages, as_sentence, error_text
from explorer.document.parse_service import ParseService
from explorer.document.preferences import Preferences
from explorer.document.sentence_status import SentenceStatuses
from explorer.graphics.number_text import no_markup, size
from explorer.graphics.theme import Theme
from explorer.laboratory.count_table import CountPage
from explorer.laboratory.list_matches import (
    COMMAS,
    GOLD,
    PLACE_TIPS,
    PLACES,
    TABS,
    ListMatch,
    counted,
    counts_text,
    matches_text,
    trees_text,
    values,
)
from explorer.laboratory.match_table import MatchTable
from explorer.laboratory.pattern_field import PatternField
from explorer.laboratory.pattern_help import EXAMPLES, NOTATION, operator_rows
from explorer.laboratory.structure_search import SearchPart, SearchRequest, search_list
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker
from explorer.widgets.buttons import text_button
from explorer.widgets.rows_table import Row, RowsView

MATCHES, COUNTS, HELP = range(3)
"""The tabs."""
_CANCELLED = "The search was cancelled; what was found until then is listed."
_START = "Write a pattern above and press Enter, or choose an example from the menu beside it."
_PROGRESS_MS = 100
_NO_MODEL = "There is no model to parse with; open one with Ctrl+M, or search the gold trees."
_EXPORTS = ("Matches as CSV", "Matches as TSV", "Counts as CSV", "Counts as TSV", "Matching trees in brackets")


class SearchPanel(QWidget):
    """Searches the list by structure and shows what is found.

    Parameters
    ----------
    editor, parses, statuses
        The sentences, the model, and what is known of the sentences.
    preferences, messages, tasks
        What is remembered, where messages are shown, and the tasks that can be waited for.

    Signals
    -------
    match_chosen
        A :class:`ListMatch` is to be shown.
    compare_wanted
        The sentence that is shown is to be compared with its gold tree.
    """

    match_chosen = Signal(object)
    compare_wanted = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        preferences: Preferences,
        messages: Messages,
        tasks: TaskMonitor,
    ) -> None:
        super().__init__()
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._preferences = preferences
        self._messages = messages
        self._worker = tasks.watch(Worker("search", newest_only=True, parent=self), _CANCELLED, self.stop)
        self._writer = Worker("write matches", parent=self)
        self._request: SearchRequest | None = None
        self._sentences: set[int] = set()
        self._searched = 0
        self._note = ""
        self.place = QComboBox()
        for name, title in PLACES.items():
            self.place.addItem(title, name)
            self.place.setItemData(self.place.count() - 1, PLACE_TIPS[name], Qt.ItemDataRole.ToolTipRole)
        self.place.setAccessibleName("Where to search")
        self.field = PatternField(preferences)
        self.start = text_button("Search", "Search the list for the pattern (Enter)", self.search_or_stop)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setRange(0, 1000)
        self.progress.setAccessibleName("Progress of the search")
        self.table = MatchTable(_START)
        self.counts = CountPage(messages)
        self.help = RowsView(("pattern", "meaning"), (), 1, "How to write a pattern", 0)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.table, "Matches")
        self.tabs.addTab(self.counts, "Counts")
        self.tabs.addTab(self.help, "How to write a pattern")
        self._lay_out()
        self._fill_help()
        self._watch = QTimer(self, interval=_PROGRESS_MS)
        self._watch.timeout.connect(self._show_progress)
        self.field.entered.connect(self.search)
        self.place.activated.connect(lambda _: self.search() if self._request is not None else None)
        self.table.chosen.connect(self.go_to)
        self.tabs.currentChanged.connect(lambda _: self.counts.count(self.matches))
        self.help.activated_row.connect(self._take_help)
        self.help.clicked.connect(lambda index: self._take_help(self.help.rows_model.rows[index.row()].id))
        editor.document_changed.connect(self._show_state)
        parses.model_changed.connect(self._show_state)
        self.setFocusProxy(self.field)
        self._show_state()

    # Building

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 8, 2)
        row.setSpacing(6)
        for widget in (self.place, self.start):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self.place, 0, top)
        row.addWidget(self.field, 1, top)
        row.addWidget(self.start, 0, top)
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.summary.setObjectName("quiet")
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.summary.setAccessibleName("Summary of the search")
        self.compare = text_button("Compare", "Show the gold tree beside the parse", self.compare_wanted.emit)
        self.previous = text_button("‹", "Go to the previous match (Ctrl+J, P)", lambda: self.step(-1))
        self.next = text_button("›", "Go to the next match (Ctrl+J, N)", lambda: self.step(1))
        self.export = QToolButton()
        self.export.setText("Export ▾")
        self.export.setToolTip("Write matches, counts or trees to a file")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_menu = QMenu(self)
        for title in _EXPORTS:
            self.export_menu.addAction(f"{title} …", partial(self.ask_file, title))
        self.export.setMenu(self.export_menu)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 2, 8, 4)
        foot.addWidget(self.summary, 1)
        for button in (self.compare, self.previous, self.next, self.export):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.progress)
        layout.addWidget(self.tabs, 1)
        layout.addLayout(foot)
        self.progress.hide()
        self.compare.hide()

    def _fill_help(self) -> None:
        rows = [Row((text, meaning), text, chosen=True) for text, meaning in EXAMPLES]
        rows += [Row(cells) for cells in (*NOTATION, *operator_rows())]
        self.help.set_rows(rows)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.counts.table.set_theme(theme)

    # Searching

    @property
    def busy(self) -> bool:
        """Whether something is being searched, counted or written."""
        return self._worker.busy or self._writer.busy or self.counts.busy

    @property
    def matches(self) -> list[ListMatch]:
        """What was found so far."""
        return self.table.matches.matches

    def look_for(self, text: str, place: str = "") -> None:
        """Search for a pattern as if it were typed; where it was last searched for, if no place is named."""
        self.field.set_text(text)
        if place:
            self.place.setCurrentIndex(self.place.findData(place))
        self.search()

    def search_or_stop(self) -> None:
        """Search for what is typed, or stop searching."""
        if self._worker.busy:
            self.stop()
        else:
            self.search()

    def search(self) -> None:
        """Search the list for the pattern that is typed; one that is none leaves everything as it is."""
        pattern = self.field.pattern()
        if pattern is None:
            return
        place = str(self.place.currentData())
        if place != GOLD and self._parses.model is None:
            self._note = _NO_MODEL
            self._show_state()
            return
        self.field.remember(self.field.text)
        document, model = self._editor.document, self._parses.model
        request = SearchRequest(pattern, place, document, model, self._statuses.by_line)
        self._request, self._note = request, ""
        self._sentences, self._searched = set(), 0
        self.table.matches.clear()
        self.compare.hide()
        self.counts.set_names(pattern.names)
        if self.tabs.currentIndex() == HELP:
            self.tabs.setCurrentIndex(MATCHES)
        self._worker.request(
            lambda job: search_list(job, request), self._finish, self._fail, self._take, self._show_state
        )
        self._watch.start()
        self._show_state()

    def stop(self) -> None:
        """Stop searching; what was found stays."""
        self._worker.cancel()
        self._note = "stopped"
        self._show_state()

    def _take(self, part: SearchPart) -> None:
        first = not self.matches
        self.table.matches.add(part.matches)
        self._sentences.update(match.sentence.number for match in part.matches)
        if part.statuses:
            self._statuses.add(part.statuses)
        if first and part.matches:
            self.table.fit_columns()
        self._searched = part.searched
        self._show_state()
        self.counts.count(self.matches, at_once=False)

    def _finish(self, part: SearchPart) -> None:
        self._take(part)
        if part.stopped:
            self._note = "stopped here, but there are more; make the pattern narrower"
        elif not part.searched and self._request is not None:
            what = "gold tree" if self._request.place == GOLD else "tree to search"
            self._note = f"no sentence of the list has a {what}"
        self.table.fit_columns()

    def _fail(self, error: Exception) -> None:
        if isinstance(error, PatternError):
            self.field.show_problem(error)
        self._note = error_text(error)

    def _show_progress(self) -> None:
        job = self._worker.job
        if job is None:
            self._watch.stop()
            self.progress.hide()
        else:
            self.progress.show()
            self.progress.setValue(round(1000 * (job.share or 0.0)))

    def _show_state(self) -> None:
        searching, request = self._worker.busy, self._request
        self.start.setText("Stop" if searching else "Search")
        self.start.setToolTip("Stop the search" if searching else "Search the list for the pattern (Enter)")
        some = bool(self.matches)
        for button in (self.previous, self.next, self.export):
            button.setEnabled(some)
        if not searching:
            self._show_progress()
        parts = []
        if request is not None:
            parts.append(
                f"{size(len(self.matches), 'match', 'matches')} in {len(self._sentences):,} of {self._searched:,} trees"
            )
            if searching:
                parts.append("searching …")
            elif self.is_outdated:
                parts.append("out of date: the list or the settings have changed since")
        parts += [self._note] if self._note else []
        self.summary.setText(as_sentence("   ·   ".join(parts)) if parts else "")
        self.summary.setToolTip(no_markup(self.summary.text()))
        waiting = "Searching …" if searching else "No match."
        self.table.set_hint(waiting if request is not None else _START)

    @property
    def is_outdated(self) -> bool:
        """Whether the list, or for parses the model or the settings, are others than those that were searched."""
        request = self._request
        if request is None:
            return False
        now, then = self._editor.document, request.document
        if now.lines is not then.lines:
            return True
        if request.place == GOLD or request.model is None or self._parses.model is None:
            return False
        return now.provenance(self._parses.model) != then.provenance(request.model)

    # Going from match to match

    def step(self, by: int) -> None:
        """Go to the next match, or to the one before; after the last comes the first."""
        if not self.matches:
            return
        current = self.table.currentIndex().row()
        self.go_to((current + by) % len(self.matches) if current >= 0 else (0 if by > 0 else len(self.matches) - 1))

    def go_to(self, row: int) -> None:
        """Show a match: its sentence, and where in its tree it is."""
        self.table.show_row(row)
        self.match_chosen.emit(self.matches[row])

    def show_place(self, elsewhere: bool) -> None:
        """Offer to compare, if the match is in a tree that the picture does not show."""
        self.compare.setVisible(elsewhere)

    # Help and files

    def _take_help(self, example: object) -> None:
        if isinstance(example, str):
            self.look_for(example)

    def ask_file(self, title: str) -> None:
        """Choose a file to write to."""
        suffix = ".ptb" if title == _EXPORTS[-1] else f".{title[-3:].lower()}"
        folder = self._preferences.text("folder")
        start = str(Path(folder) / f"matches{suffix}") if folder else f"matches{suffix}"
        chosen, _ = QFileDialog.getSaveFileName(self, title, start, f"*{suffix};;All files (*)")
        if chosen:
            self.write(title, Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(suffix))

    def write(self, title: str, path: Path) -> None:
        """Write matches, counts or trees to a file, in the background."""
        matches, names = list(self.matches), self._request.pattern.names if self._request is not None else ()
        (name, way), column = self.counts.choice, self.counts.title
        delimiter = TABS if title.endswith("TSV") else COMMAS

        def text(some: Iterable[ListMatch]) -> str:
            if title.startswith("Counts"):
                return counts_text(counted(values(some, name, way)), column, delimiter)
            return trees_text(some) if title == _EXPORTS[-1] else matches_text(some, names, delimiter)

        def work(job: Job) -> None:
            with replaced(path) as beside:
                beside.write_text(text(job.in_turns(matches)), encoding="utf-8")

        self._writer.request(work, lambda _: self._messages.show(f"Written to {path.name}"), self._messages.show_error)
