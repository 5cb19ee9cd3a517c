"""The classroom of one window: its parts, and what their actions do: presenter, answers, exercises, live training,
handouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from engine.common.errors import EngineError
from engine.common.numbers import size
from engine.gate.text_stream import read_text
from engine.model.model import Model
from engine.trees.tree import Tree
from explorer.classroom.answers import Tally, collect, lesson_digest, question_steps, save_table
from explorer.classroom.lesson import Lesson, plain_title
from explorer.classroom.lesson_controller import LessonController
from explorer.classroom.lesson_file import read_lesson
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.live_training import LiveTraining, LiveTreebank, classroom_treebank, open_treebank
from explorer.classroom.part import LessonFeature
from explorer.kit.actions import CLASSROOM, REPLAY, TREEBANK, action, calls, declared
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_open, ask_save, ask_several
from explorer.kit.file_kinds import CSV, LESSON, MODEL, RESULTS, TREES, FileKind
from explorer.kit.tasks import Job, Worker
from explorer.pictures.options import ALL_EDGES, PARSE_EDGES, SURVIVING_EDGES
from explorer.session.features import SessionFeature
from explorer.session.preferences import Preferences
from explorer.session.session import Session

if TYPE_CHECKING:
    from explorer.classroom.answers import Collection
    from explorer.classroom.exercise_window import ExerciseWindow, TableWindow
    from explorer.classroom.handout_dialog import HandoutDialog
    from explorer.classroom.live_training_panel import LiveTrainingPanel, TreeDialog
    from explorer.classroom.presenter import PresenterWindow, SpeakerView


# Handouts in a window: opens their dialog for the lesson that is played and the sentences of the list.


class HandoutController(LessonFeature):
    """Makes handouts."""

    dialog: HandoutDialog | None = None

    @action("handout", "Handout …", CLASSROOM, "Ctrl+Alt+U", separated=True)
    def open_dialog(self) -> None:
        """Pages to hand out, from a lesson or from sentences, with questions and a key: print them, or save
        them as PDF.
        """
        # Loaded when it is asked for: a start does not wait for it.
        from explorer.classroom.handout_dialog import HandoutDialog

        session, lesson = self._session, self._player.lesson
        if session.parses.model is None:
            self._messages.show("there is no model yet; open one with Ctrl+M", True)
            return
        dialog = HandoutDialog(
            lesson if lesson.steps else None,
            self._player.path,
            session.editor.document,
            session.parses.model,
            self._preferences,
            self._messages,
            self._parent,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.destroyed.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _closed(self) -> None:
        self.dialog = None


# The presenter of a window: opens it, on which screen, and the speaker's view beside it.

WINDOW_SIZE = (1024, 640)


class PresenterController(LessonFeature):
    """Presents the lesson of a window, or what is on its screen.

    Parameters
    ----------
    session, preferences, parent, player
        As for every part that is about a lesson.
    tally
        What the class answers.

    Attributes
    ----------
    window, speaker
        What is open now; ``None`` if it is not.
    """

    def __init__(
        self, session: Session, preferences: Preferences, parent: QWidget, player: LessonPlayer, tally: Tally
    ) -> None:
        super().__init__(session, preferences, parent, player)
        self._tally = tally
        self.window: PresenterWindow | None = None
        self.speaker: SpeakerView | None = None

    @action("present", "Present", CLASSROOM, "F11")
    def present(self) -> None:
        """The lesson, or what is on the screen, on the whole screen in type for the last row; ? shows its keys.

        Where there is a second screen, the class sees that one, and the speaker's view opens on the first.
        """
        window = self._open()
        own = self._parent.screen()
        other = other_screen(own, QGuiApplication.screens())
        # Also where no window manager makes it so large.
        window.setGeometry((other or own).geometry())
        window.showFullScreen()
        window.activateWindow()
        if other is not None:
            self._show_speaker()

    @action("present-window", "Present in a window", CLASSROOM, "Shift+F11")
    def present_in_window(self) -> None:
        """The same in a window, where there is one screen only or it is shared in a call."""
        window = self._open()
        window.resize(*WINDOW_SIZE)
        window.showNormal()
        window.activateWindow()

    # The replay of the chart

    @action("replay-all", "Replay all edges of the chart", REPLAY, "Alt+7", separated=True)
    def replay_all(self) -> None:
        """Steps in the chart go through every edge that the parser built, kept or pruned."""
        self._session.navigator.choose_edges(ALL_EDGES)

    @action("replay-survivors", "Replay surviving edges", REPLAY, "Alt+8")
    def replay_survivors(self) -> None:
        """Steps in the chart go through what was kept."""
        self._session.navigator.choose_edges(SURVIVING_EDGES)

    @action("replay-parse", "Replay the edges of this parse", REPLAY, "Alt+9")
    def replay_parse(self) -> None:
        """Steps in the chart build the tree that is shown, and nothing else."""
        self._session.navigator.choose_edges(PARSE_EDGES)

    @action("replay-cells", "Replay cell by cell, or edge by edge", REPLAY, "Alt+0")
    def replay_by_cell(self) -> None:
        """Steps in the chart stop where a cell is complete, or at every edge."""
        self._session.navigator.choose_by_cell(not self._session.view.replay.by_cell)

    @action("replay-first", "First edge of the chart", REPLAY, "Alt+Home")
    def first_edge(self) -> None:
        """Go to the first edge of the replay."""
        self._session.navigator.to_first()

    @action("replay-last", "Last edge of the chart", REPLAY, "Alt+End")
    def last_edge(self) -> None:
        """Go to the last edge of the replay."""
        self._session.navigator.to_last()

    @action("replay-slower", "Replay slower", REPLAY, "Alt+-")
    def replay_slower(self) -> None:
        """Play the chart slower."""
        self._session.navigator.choose_speed(self._session.view.replay.speed - 1)

    @action("replay-faster", "Replay faster", REPLAY, "Alt++", other_shortcut="Alt+=")
    def replay_faster(self) -> None:
        """Play the chart faster."""
        self._session.navigator.choose_speed(self._session.view.replay.speed + 1)

    # The windows

    def leave(self) -> None:
        """Close the presenter."""
        if self.window is not None:
            self.window.close()

    def _open(self) -> PresenterWindow:
        if self.window is not None:
            return self.window
        # A start presents nothing.
        from explorer.classroom.presentation import Presentation, copy_session
        from explorer.classroom.presenter import PresenterWindow

        session = copy_session(self._session, self)
        presentation = Presentation(session)
        window = self.window = PresenterWindow(presentation, self._tally, self._parent)
        window.left.connect(self._left)
        window.speaker_wanted.connect(self.toggle_speaker)
        player = self._player
        if player.lesson.steps:
            presentation.open(player.lesson, player.path, player.index)
        return window

    def toggle_speaker(self) -> None:
        """Show the speaker's view, or close it."""
        if self.speaker is not None:
            self.speaker.close()
        else:
            self._show_speaker()

    def _show_speaker(self) -> None:
        if self.window is None or self.speaker is not None:
            return
        from explorer.classroom.presenter import SpeakerView

        self.speaker = SpeakerView(self.window, self._parent)
        self.speaker.left.connect(self._speaker_left)
        self.speaker.show()
        if other_screen(self._parent.screen(), QGuiApplication.screens()) is None:
            # On one screen the class's window keeps the keys.
            self.window.activateWindow()

    def _speaker_left(self) -> None:
        self.speaker = None

    def _left(self) -> None:
        self.window = None
        if self.speaker is not None:
            self.speaker.close()
        self._parent.activateWindow()

    def finish(self) -> None:
        """Close the presenter with its window."""
        self.leave()


def other_screen(own: QScreen, screens: Sequence[QScreen]) -> QScreen | None:
    """The first screen that is not this one; ``None`` if there is one only."""
    return next((screen for screen in screens if screen is not own and screen.name() != own.name()), None)


# Live training in the window: its panel, its dialogs, and what its actions do.

_SELECT_FIRST = "Select a tree in the panel Treebank first"
_LAST_NAME = "Trees of last time"
_OPENING_CANCELLED = "Opening the treebank was cancelled."
_NARROW = 1200
"""Windows less wide than this have no room for two panels beside the picture."""
DOCK_KEY = "Ctrl+Alt+N"


class LiveTrainingController(SessionFeature):
    """The panel of live training and its actions; the model of the session follows its treebank."""

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(session, preferences, parent)
        self._placed = False
        self.training = LiveTraining(session, preferences, self)
        self._opening = session.tasks.watch(Worker("open treebank", newest_only=True, parent=self), _OPENING_CANCELLED)
        self.dock, self._place = self.add_dock("Treebank", "live-training", DOCK_KEY, parent, lambda: self.panel)
        self.dialog: TreeDialog | None = None

    @cached_property
    def panel(self) -> LiveTrainingPanel:
        """The panel with the trees."""
        from explorer.classroom.live_training_panel import LiveTrainingPanel

        panel = LiveTrainingPanel(self.training, self._session, declared(LiveTrainingController))
        panel.wanted.connect(lambda name: calls(self)[name]())
        self._place.hold(panel)
        return panel

    @property
    def busy(self) -> bool:
        """Whether a treebank, a model or a comparison is still to come."""
        return self._opening.busy or self.training.busy

    # The actions, in the order of the menu

    @action("live-classroom", "Train live on the classroom’s trees", TREEBANK, "Ctrl+Alt+Shift+C", separated=True)
    def start_classroom(self) -> None:
        """A model that follows every edit of the 130 trees that come with the program."""
        self.open(classroom_treebank)

    @action("live-empty", "Train live from an empty treebank", TREEBANK, "Ctrl+Alt+Shift+N")
    def start_empty(self) -> None:
        """See what the parser can do after 1, 2, 5 trees."""
        self.start(LiveTreebank())

    @action("live-open", "Train live on a small treebank …", TREEBANK, "Ctrl+Alt+Shift+O")
    def ask_treebank(self) -> None:
        """A file of at most 2,000 trees in Penn brackets."""
        if path := ask_open(self._parent, self._preferences, "Open a small treebank", TREES):
            self.open_file(path)

    @action("live-again", "Train live on the trees of last time", TREEBANK, "Ctrl+Alt+Shift+L")
    def start_again(self) -> None:
        """Go on with the live treebank as it was when live training last ended."""
        kept = self.training.kept
        if kept is None:
            self._messages.show("There are no trees of last time yet", True)
            return

        def read() -> LiveTreebank:
            text = read_text(kept)
            return LiveTreebank(_LAST_NAME, open_treebank(kept).trees if text.strip() else ())

        self.open(read)

    @action("live-add-parse", "Add this parse to the treebank", TREEBANK, "Ctrl+Alt+Shift+A")
    def add_parse(self) -> None:
        """The parse that is shown becomes a tree of the live treebank, and the model follows."""
        parse = self._session.parses.shown
        if parse is None or not parse.sentence.positions:
            self._messages.show("There is no parse to add yet", True)
        else:
            self.training.add([parse.tree])

    @action("live-add", "Add tree to the treebank …", TREEBANK, "Ctrl+Alt+Shift+T")
    def ask_new_tree(self) -> None:
        """Type a tree or a sentence, correct it, and add it to the live treebank."""
        if self.training.treebank is not None:
            line = self._session.editor.line.text if self._session.parses.result is None else ""
            self._ask("Add tree", line, lambda tree: self.training.add([tree]))
        else:
            self.training.add([])

    @action("live-edit", "Edit tree of the treebank …", TREEBANK, "Ctrl+Alt+Shift+E")
    def ask_edit(self) -> None:
        """Change the selected tree of the live treebank: drag in its picture, or type its brackets."""
        treebank, chosen = self.training.treebank, self.panel.selected
        if treebank is None or not chosen:
            self._messages.show(_SELECT_FIRST, True)
            return
        at = chosen[0]
        text = treebank.trees[at].brackets()
        self._ask("Edit tree", text, lambda tree: self.training.replace_tree(at, tree))

    @action("live-remove", "Remove tree from the treebank", TREEBANK, "Ctrl+Alt+Shift+R")
    def remove(self) -> None:
        """Take the selected trees out of the live treebank, and the model follows."""
        if chosen := self.panel.selected:
            self.training.remove(chosen)
        else:
            self._messages.show(_SELECT_FIRST, True)

    @action("live-pin", "Compare with this model from now on", TREEBANK, "Ctrl+Alt+Shift+P")
    def pin(self) -> None:
        """Tell changes against the live model as it is now; once more, against the one before the last edit again."""
        self.training.pin(self.training.pinned_trees is None)

    @action("live-save", "Save live treebank …", TREEBANK, "Ctrl+Alt+Shift+S")
    def ask_save(self) -> None:
        """Write the trees of the live treebank to a file."""
        self._ask_file("Save treebank", "treebank.ptb", TREES, self.training.save_treebank)

    @action("live-model", "Save live treebank as model …", TREEBANK, "Ctrl+Alt+Shift+M")
    def ask_save_model(self) -> None:
        """Write the live model to a file, and its trees beside it: what parse-engine train makes of them."""
        self._ask_file("Save model, and its trees beside it", "treebank.model", MODEL, self.training.save_model)

    @action("live-stop", "Stop live training", TREEBANK, "Ctrl+Alt+Shift+Q")
    def stop(self) -> None:
        """Go back to the model that was used before; it can be undone."""
        self.training.stop()

    # Starting

    def start(self, treebank: LiveTreebank) -> None:
        """Train on these trees from now on, with the panel in sight."""
        self.show_panel()
        self.training.start(treebank)

    def show_panel(self) -> None:
        """Show the panel; in a narrow window behind the inspector's tab, so that the picture keeps its room."""
        window = self._parent
        if not self._placed and isinstance(window, QMainWindow) and window.width() < _NARROW:
            inspector = window.findChild(QDockWidget, "inspector")
            if isinstance(inspector, QDockWidget) and inspector.isVisible() and not self.dock.isVisible():
                window.tabifyDockWidget(inspector, self.dock)
        self._placed = True
        self.dock.show()
        self.dock.raise_()

    def open(self, read: Callable[[], LiveTreebank]) -> None:
        """Read a treebank in the background, and train on it."""

        def work(job: Job) -> LiveTreebank:
            job.report(None, "Opening the treebank")
            return read()

        self.show_panel()
        self._opening.request(work, self.training.start, self._messages.show_error)

    def open_file(self, path: Path) -> None:
        """Train on the trees of a file."""
        self.open(lambda: open_treebank(path))

    def _ask(self, title: str, text: str, take: Callable[[Tree], None]) -> None:
        from explorer.classroom.live_training_panel import TreeDialog

        self.dialog = TreeDialog(title, text, self._proposing_model(), self._parent)
        self.dialog.tree_made.connect(take)
        self.dialog.open()

    def _proposing_model(self) -> Model | None:
        """The model that parses what is typed: the one before live training, which has seen more, if it is at hand."""
        return self._session.parses.models.kept(self._session.editor.document.model) or self.training.model

    def _ask_file(self, title: str, name: str, kind: FileKind, save: Callable[[Path], None]) -> None:
        if self.training.treebank is None:
            self._messages.show("There is no live treebank to save", True)
            return
        if path := ask_save(self._parent, self._preferences, title, name, kind):
            save(path)


# The class's answers and the exercises of one window.

_NOTHING_ASKED = "the class has answered nothing yet; present a lesson with questions first"


class QuestionsController(LessonFeature):
    """Opens exercises, collects their results, and keeps what the class answered.

    Attributes
    ----------
    tally
        What the class answered; whoever puts questions to it records them here.
    """

    exercise_window: ExerciseWindow | None = None
    table_window: TableWindow | None = None

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget, player: LessonPlayer) -> None:
        super().__init__(session, preferences, parent, player)
        self.tally = Tally()

    # Exercises

    @action("exercise", "Exercise from this lesson …", CLASSROOM, "Ctrl+Alt+Q", separated=True)
    def ask_exercise(self) -> None:
        """The questions of the lesson that is open, or of a file, for one student: two tries, hints, points, a
        result.

        Of a lesson that asks nothing, a file is asked for.
        """
        if question_steps(self._player.lesson):
            self.open_exercise(self._player.lesson, self._player.path)
            return
        if path := ask_open(self._parent, self._preferences, "Exercise from a lesson", LESSON):
            self.open_exercise_file(path)

    def open_exercise_file(self, path: Path) -> None:
        """Open the exercise of a lesson's file."""
        try:
            lesson = read_lesson(path)
        except EngineError as error:
            self._messages.show_error(error)
            return
        self.open_exercise(lesson, path)

    def open_exercise(self, lesson: Lesson, path: Path | None) -> None:
        """Open the exercise of a lesson."""
        if not question_steps(lesson):
            title = plain_title(lesson.title)
            self._messages.show(
                f"the lesson “{title}” asks nothing; add `- question: head of …` or the like to a step", True
            )
            return
        if self.exercise_window is not None and not self.exercise_window.close():
            self.exercise_window.raise_()
            return
        # A start needs none of these windows.
        from explorer.classroom.exercise_window import ExerciseWindow

        model = self._session.editor.document.model
        window = ExerciseWindow(lesson, path, model, self._preferences, self._parent)
        window.destroyed.connect(lambda: self._closed(window))
        self.exercise_window = window
        window.show()

    def _closed(self, window: ExerciseWindow) -> None:
        if self.exercise_window is window:
            self.exercise_window = None

    # Results

    @action("collect-results", "Collect results …", CLASSROOM, "Ctrl+Alt+J")
    def ask_results(self) -> None:
        """Read the results of many students and show them as one table, which can be exported as CSV."""
        if paths := ask_several(self._parent, self._preferences, "Collect results", RESULTS):
            self.show_results(paths)

    def show_results(self, paths: Sequence[Path]) -> None:
        """Show the results of many students as one table."""
        from explorer.classroom.exercise_window import TableWindow

        lesson = self._player.lesson
        digests = {plain_title(lesson.title): lesson_digest(lesson)} if question_steps(lesson) else {}
        found = collect(paths, digests)
        self._show_table(
            TableWindow(
                found.table(),
                _note(found),
                "results.csv",
                self._preferences,
                self._parent,
                whole=found.table(by_question=True),
            )
        )

    # The class's answers

    @action("class-answers", "The class's answers", CLASSROOM, "Ctrl+Alt+H")
    def show_tally(self) -> None:
        """What the class answered in this lesson: hands, the model's answer, gold."""
        if not len(self.tally):
            self._messages.show(_NOTHING_ASKED, True)
            return
        from explorer.classroom.exercise_window import TableWindow

        table = self.tally.table()
        option = table.header.index("option")
        self._show_table(TableWindow(table, "", "answers.csv", self._preferences, self._parent, option))

    @action("export-class-answers", "Export the class's answers …", CLASSROOM, "Ctrl+Alt+Shift+H")
    def ask_tally_file(self) -> None:
        """Write what the class answered to a CSV file, which any spreadsheet opens."""
        if not len(self.tally):
            self._messages.show(_NOTHING_ASKED, True)
            return
        title = "Export the class's answers"
        if path := ask_save(self._parent, self._preferences, title, "answers.csv", CSV):
            self.export_tally(path)

    def export_tally(self, path: Path) -> None:
        """Write what the class answered to a CSV file."""
        self._messages.write(path, lambda: save_table(self.tally.table(), path))

    def _show_table(self, window: TableWindow) -> None:
        self.table_window = window
        window.destroyed.connect(lambda: self._table_closed(window))
        window.show()

    def _table_closed(self, window: TableWindow) -> None:
        if self.table_window is window:
            self.table_window = None


def _note(found: Collection) -> str:
    """What is said below the table of results: how many there are, and what is wrong with the others."""
    count = size(len(found.results), "result")
    if not found.problems:
        return f"{count}."
    wrong = size(len(found.problems), "file was not read", "files were not read")
    return "\n".join((f"{count}; {wrong}:", *found.problems))


# The classroom of one window: makes its parts, and gives each what it uses.


class ClassroomController(Feature):
    """The parts of the classroom, made once for a window.

    Parameters
    ----------
    session
        The session of the window: what is on the screen when something is added to a lesson or presented.
    preferences
        What is remembered from start to start.
    parent
        The window over which the classroom's windows open.

    Attributes
    ----------
    player
        Plays a lesson in the window itself.
    questions
        The class's answers, and exercises.
    handouts
        Makes handouts.
    presenter
        Presents it, or what is on the screen.
    live_training
        Trains a model before everybody's eyes.
    lessons
        Opens, records, edits and saves lessons.
    """

    area = Qt.DockWidgetArea.LeftDockWidgetArea

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self.player = LessonPlayer(session, self)
        common = (session, preferences, parent, self.player)
        self.lessons = LessonController(*common)
        self.questions = QuestionsController(*common)
        self.handouts = HandoutController(*common)
        self.presenter = PresenterController(*common, self.questions.tally)
        self.live_training = LiveTrainingController(session, preferences, parent)
        self.parts = (self.lessons, self.presenter, self.questions, self.live_training, self.handouts)

    def fill_menus(self, menus: Mapping[str, QMenu]) -> None:
        """List the lessons on top of the classroom's menu."""
        menu = menus[CLASSROOM]
        menu.insertMenu(menu.actions()[0], self.lessons.lessons_menu)
