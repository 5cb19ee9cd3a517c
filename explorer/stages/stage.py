"""The base of all stages, and which things of their pictures belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from engine.chart.parse import Parse
from engine.chart.trace import Trace, TracedParse
from engine.explain.registry import related, words_of
from engine.explain.subjects import ChartCellId, Subject
from explorer.kit.actions import Choice
from explorer.kit.messages import Messages
from explorer.kit.tables import Row, RowsView
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.folding import Span, hides
from explorer.pictures.layout import Room, WordColumns
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.view_state import ViewState

# The base of all stages, and which things of their pictures belong together.


class Picture(NamedTuple):
    """A picture of a parse, as files and the terminal know it.

    Attributes
    ----------
    name
        By which the terminal calls it; files are named after it.
    title
        What the window calls it where it offers pictures to write.
    draw
        Draws it: called with a parse and metrics, and with the room if there is a limit.
    """

    name: str
    title: str
    draw: Callable[..., Drawing]


class Stage(QObject):
    """One stage: its picture, the table under it, and what can be done with the things in them.

    What a class declares, the window, files, handouts and the presenter follow.

    Parameters
    ----------
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.

    Attributes
    ----------
    name
        By which sessions and lessons store it.
    title
        What the strip of the stages and the heading of its section in the manual call it, and its picture.
    tip
        What it shows, for its button.
    caption
        One sentence on what it is about, as Markdown, for whoever sees it for the first time.
    pictures
        What can be written to files; the first is the picture of the stage.
    replays
        Whether it shows the replay of the chart, which then takes the place of steps.
    folds_trees
        Whether its picture folds parts of the tree, which are printed beside it.
    tells_gaps
        Whether its picture, without drawing gaps, tells their tags by rows below the sentence; they are covered where a
        question asks for a gap.
    table_title
        What the table under the picture shows.
    focus
        Words of a long sentence that are looked at, by first position and the one after the last.

    Signals
    -------
    picture_changed
        The picture is drawn in another way now.
    highlights_changed
        More is known of what belongs to the thing that is selected or pointed at.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    tip: ClassVar[str]
    caption: ClassVar[str]
    pictures: ClassVar[tuple[Picture, ...]]
    replays: ClassVar[bool] = False
    folds_trees: ClassVar[bool] = False
    tells_gaps: ClassVar[bool] = False
    table_title = ""
    picture_changed = Signal()
    highlights_changed = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self.focus: tuple[tuple[int, int], ...] = ()

    @property
    def parse(self) -> Parse | None:
        """The parse that is shown."""
        return self._parses.shown

    @cached_property
    def detail(self) -> QWidget:
        """The table under the picture, made when it is asked for: a picture that is shown alone has none."""
        return self.make_detail()

    def make_detail(self) -> QWidget:
        """Make what :attr:`detail` is."""
        raise NotImplementedError

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """What the player and the arrow keys step through: each is something that can be selected."""
        return ()

    @classmethod
    def on_paper(
        cls, parse: Parse, metrics: Metrics, room: Room, selection: Subject | None, chart_step: int | None
    ) -> Drawing:
        """The picture for a handout, with this selected, and so much of the chart built."""
        return cls.pictures[0].draw(parse, metrics, room=room)

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The picture in the room that there is; a long sentence is open around :attr:`focus`."""
        raise NotImplementedError

    @property
    def shows(self) -> object:
        """What the picture shows beside the parse, the what-ifs and :attr:`focus`: if it differs, it is drawn anew."""
        return None

    def row_of(self, id: Subject | None) -> Subject | None:
        """What the row of the picture is about that is marked while a thing is selected; nothing without rows."""
        return None

    @property
    def follows_selection(self) -> bool:
        """Whether the picture shows more of what is selected than a mark."""
        return False

    @property
    def uses_height(self) -> bool:
        """Whether the picture is drawn otherwise in a room of another height; all are in one of another width."""
        return False

    def fit(self) -> None:
        """Draw the picture so that it is in sight as a whole, if it can be: it is read from far away."""

    def refresh(self) -> None:
        """Fill the table anew: another parse is shown."""

    def follow(self) -> None:
        """Mark in the table what is selected."""

    def open_folded(self, id: Subject) -> bool:
        """Open what a person has folded and now clicks; whether there was such a thing."""
        return False

    def choices(self, id: Subject) -> list[Choice]:
        """What can be done with a thing of the picture."""
        return []

    def activate(self, id: Subject) -> None:
        """Do the first of the choices of a thing that was double-clicked."""
        choices = self.choices(id)
        if choices:
            choices[0][1]()

    def drop(self, what: Subject, target: Subject) -> None:
        """Do what dragging a thing to another means here; nothing, unless a stage says so."""

    def highlights(self, id: Subject | None) -> dict[str, set[Subject]]:
        """What else to highlight with a thing, by role."""
        parse = self.parse
        return {"extra": related(parse, id)} if parse is not None else {}


class TableStage(Stage):
    """A stage whose detail is one table.

    Attributes
    ----------
    header
        Titles of the columns.
    right
        Numbers of the columns that hold numbers, which stand to the right.
    stretch
        Number of the column that takes what room is left; −1 for the last.
    key
        Number of the column by which a row is known, which is never squeezed; −1 for none.
    """

    header: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    stretch = -1
    key = -1

    def make_detail(self) -> QWidget:
        """The table; choosing a row selects what it stands for."""
        self.table = RowsView(self.header, self.right, self.stretch, self.table_title, self.key)
        self.table.chosen.connect(self._view.select)
        self.table.pointed.connect(self._view.point_at)
        self.table.activated_row.connect(self._activate_row)
        return self.table

    def _activate_row(self, id: Subject | None) -> None:
        if id is not None:
            self.activate(id)

    def rows(self, parse: Parse) -> list[Row]:
        """The rows for a parse."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Fill the table."""
        parse = self.parse
        self.table.set_rows(self.rows(parse) if parse is not None and parse.sentence.positions else [])
        self.follow()

    def follow(self) -> None:
        """Mark the row of what is selected."""
        self.table.mark(self._view.selection)


def derivation_cells(trace: Trace, number: int, parse: TracedParse | None = None) -> tuple[set[Subject], set[Subject]]:
    """Cells of the items that an item is built from, all the way down, and of those that are built from it.

    An item of the `parse` that is shown is built as it is in that parse, any other as it is most probable.
    """
    # Imported when it is needed: it would make every start a quarter of a second longer.
    import networkx

    graph = trace.graph()
    for item, children in parse.children.items() if parse is not None else ():
        graph.remove_edges_from([(child, item) for child in trace.children(item)])
        graph.add_edges_from((child, item) for child in children)

    def cells(numbers: set[int]) -> set[Subject]:
        items = (trace.item(one) for one in numbers)
        return {ChartCellId(item.start, item.end) for item in items}

    return cells(networkx.ancestors(graph, number)), cells(networkx.descendants(graph, number))


# What of a long sentence is looked at: the stages that fold it keep it open there.


class SentenceFocus:
    """Tells all stages which words are looked at; the tree and the chart are open around the same ones."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._sentence: tuple[str, ...] | None = None

    def follow(self, parse: Parse | None, selection: Subject | None, other_stage: bool) -> None:
        """Forget what was looked at in another sentence; in another stage, look at what is selected."""
        sentence = tuple(parse.sentence.words) if parse is not None else None
        if sentence != self._sentence:
            self._sentence = sentence
            self._set(())
        words = words_of(parse, selection) if parse is not None and other_stage else ()
        if words:
            self._set(words)

    def look_at(self, parse: Parse | None, drawing: Drawing | None, id: Subject | None) -> bool:
        """Look at a thing that is folded, or hidden in what is folded; whether it was."""
        if parse is None or drawing is None or not drawing.folded:
            return False
        words = words_of(parse, id)
        if not any(hides(span, words) for span in drawing.folded):
            return False
        self._set(words)
        return True

    def _set(self, words: tuple[Span, ...]) -> None:
        for stage in self._stages:
            stage.focus = words
