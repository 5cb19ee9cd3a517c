"""The tour: a card beside the part of the window that it speaks of; what it asks for is done in the window itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from explorer.session.editor import DocumentEditor
from explorer.session.view_state import ViewState
from explorer.stages.stages import count_in_words

# The tour: a card beside the part of the window that it speaks of; what it asks for is done in the window itself.

LOOK_MS = 150
"""How often the tour looks whether the step was done."""
_LETTERS = 48
"""Letters in a line of the card."""
_MARGIN = 12


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes
    ----------
    title, text
        What it is about, and what to do.
    done_text
        What there is to see once it is done.
    target
        The part of the window that it speaks of.
    begin
        Called when the step begins; what it returns says whether it is done.
    also
        Other parts of the window that it speaks of: the card leaves them free as well, if it can.
    """

    title: str
    text: str
    done_text: str
    target: Callable[[], QWidget]
    begin: Callable[[], Callable[[], bool]]
    also: tuple[QWidget, ...] = ()


class TourCard(QFrame):
    """The card, and a frame around what it speaks of; both lie over the window and take no room of it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("tour-card")
        self.outline = QFrame(window)
        self.outline.setObjectName("tour-outline")
        self.outline.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.outline.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.number = QLabel()
        self.number.setObjectName("quiet")
        self.title = QLabel()
        self.title.setObjectName("tour-title")
        self.title.setWordWrap(True)
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.leave = QToolButton()
        self.leave.setText("✕")
        self.leave.setToolTip("Leave the tour (Esc); the Help menu starts it again")
        self.leave.setAccessibleName("Leave the tour")
        self.back = QPushButton("&Back")
        self.next = QPushButton("S&kip")
        for button in (self.leave, self.back, self.next):
            # The keys stay with the window, where the step is done.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        head = QHBoxLayout()
        head.addWidget(self.number, 1)
        head.addWidget(self.leave)
        foot = QHBoxLayout()
        foot.addWidget(self.back)
        foot.addStretch(1)
        foot.addWidget(self.next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addLayout(foot)

    def place_beside(self, target: QWidget, also: Sequence[QWidget] = ()) -> None:
        """Stand beside a part of the window, within the window; over the part's corner where it leaves no room.

        Parameters
        ----------
        target
            The part that gets the frame.
        also
            Others that the card does not cover if there is another place.
        """
        self._fit()
        area = self._area_of(target)
        self.outline.setGeometry(area.adjusted(-2, -2, 2, 2).intersected(self._window.rect()))
        others = [self._area_of(part) for part in also if part.isVisible()]
        self.move(card_place(area, self.size(), self._window.size(), others))
        self.outline.raise_()
        self.raise_()

    def _area_of(self, part: QWidget) -> QRect:
        """Where a part of the window is, as far as it is seen."""
        return QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()).intersected(self._window.rect())

    def _fit(self) -> None:
        """Be as wide as a line of text is read well, and as high as the text needs."""
        width = self.fontMetrics().averageCharWidth() * _LETTERS
        layout = self.layout()
        self.setFixedSize(width, layout.totalHeightForWidth(width) if layout is not None else self.height())


def card_place(area: QRect, card: QSize, window: QSize, also: Sequence[QRect] = ()) -> QPoint:
    """Where the card's corner goes: below the area, right, left or above it, or else into its lower right corner.

    Of the places beside the area the first is taken that leaves free what is to be seen as well (`also`); if none does,
    the first of all.
    """
    inner = QRect(QPoint(0, 0), window).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)

    def within(corner: QPoint) -> QPoint:
        x = max(inner.left(), min(corner.x(), inner.right() - card.width() + 1))
        y = max(inner.top(), min(corner.y(), inner.bottom() - card.height() + 1))
        return QPoint(x, y)

    below = QPoint(area.left() + _MARGIN, area.bottom() + _MARGIN)
    below_at_its_end = QPoint(area.right() - card.width() - _MARGIN, below.y())
    # Low beside it: what is done in the picture must not be covered.
    low = area.bottom() - _MARGIN - card.height()
    right = QPoint(area.right() + _MARGIN, low)
    left = QPoint(area.left() - _MARGIN - card.width(), low)
    above = QPoint(area.left() + _MARGIN, area.top() - _MARGIN - card.height())
    lowest = inner.bottom() - card.height() + 1
    corners = (below, below_at_its_end, right, left, above, QPoint(right.x(), lowest), QPoint(left.x(), lowest))
    places = [QRect(within(corner), card) for corner in corners]
    beside = [place for place in places if not place.intersects(area)]
    free = [place for place in beside if not any(place.intersects(other) for other in also)]
    if beside:
        return (free or beside)[0].topLeft()
    return within(QPoint(area.right() - card.width() - _MARGIN, area.bottom() - card.height() - _MARGIN))


class Tour(QObject):
    """Leads through the steps, in the real window.

    Parameters
    ----------
    steps
        In their order.
    window
        Over which the card lies.

    Signals
    -------
    ended
        The last step was done, or the tour was left.
    """

    ended = Signal()

    def __init__(self, steps: Sequence[Step], window: QWidget) -> None:
        super().__init__(window)
        self._steps = steps
        self._window = window
        self.card = TourCard(window)
        self.at = 0
        self.is_done = False
        self._done: Callable[[], bool] = lambda: False
        self._escape = QShortcut(Qt.Key.Key_Escape, window, self.leave)
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._check)
        self.card.next.clicked.connect(self.go_on)
        self.card.back.clicked.connect(lambda: self._show(self.at - 1))
        self.card.leave.clicked.connect(self.leave)
        window.installEventFilter(self)
        self._show(0)
        self._look.start()

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self._steps[self.at]

    def _show(self, number: int) -> None:
        self.at = number
        self.is_done = False
        step = self.step
        self._done = step.begin()
        self._say(step.text)
        card = self.card
        card.number.setText(f"Tour, step {number + 1} of {len(self._steps)}")
        card.title.setText(step.title)
        card.back.setEnabled(number > 0)
        card.next.setText("S&kip")
        card.next.setDefault(False)
        self._place()

    def _say(self, text: str) -> None:
        self.card.text.setText(text)
        self.card.setAccessibleName(f"{self.card.number.text()}: {self.step.title}")
        self.card.setAccessibleDescription(text)

    def _check(self) -> None:
        if not self.is_done and self._done():
            self.is_done = True
            self._say(f"<b>✓ Done.</b> {self.step.done_text}")
            self.card.next.setText("&Finish" if self.at == len(self._steps) - 1 else "&Next")
        # What is shown beside the card may have moved: a panel that opened, a row more of words.
        self._place()

    def go_on(self) -> None:
        """Go to the next step; after the last one the tour ends."""
        if self.at == len(self._steps) - 1:
            self.leave()
        else:
            self._show(self.at + 1)

    def leave(self) -> None:
        """End the tour."""
        self._look.stop()
        self._window.removeEventFilter(self)
        self._escape.setEnabled(False)
        self._escape.deleteLater()
        self.card.outline.hide()
        self.card.outline.deleteLater()
        self.card.hide()
        self.card.deleteLater()
        self.ended.emit()
        self.deleteLater()

    def _place(self) -> None:
        target = self.step.target()
        self.card.outline.setVisible(target.isVisible())
        self.card.place_beside(target if target.isVisible() else self._window, self.step.also)
        self.card.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False


# The seven steps of the tour: what each speaks of, what to do, and how the window tells that it was done.

EXAMPLE = "Mary saw the man with the telescope."
Part = Callable[[], QWidget]


def tour_steps(
    editor: DocumentEditor,
    view: ViewState,
    sentence_bar: QWidget,
    stage_strip: QWidget,
    picture: QWidget,
    tables: QWidget,
    inspector: Part,
    settings: QWidget,
    palette_open: Callable[[], bool],
) -> tuple[Step, ...]:
    """Make the steps.

    Parameters
    ----------
    editor, view
        What tells whether a step was done.
    sentence_bar, stage_strip, picture, tables, inspector, settings
        The parts of the window that the steps speak of; the inspector is shown when its step comes.
    palette_open
        Whether the command palette is open.
    """

    def another(value: Callable[[], object]) -> Callable[[], Callable[[], bool]]:
        """Done as soon as a value is another one than at the beginning."""

        def begin() -> Callable[[], bool]:
            before = value()
            return lambda: value() != before

        return begin

    def something_else_selected() -> Callable[[], bool]:
        before = view.selection
        return lambda: view.selection is not None and view.selection != before

    def opened() -> Callable[[], bool]:
        return palette_open

    return (
        Step(
            "Type a sentence",
            f"Click into this field, type plain English and press <b>Enter</b>, for instance<br><i>{EXAMPLE}</i>",
            "Every word stands below with its tag, and the sentence is parsed. Point at a tag to read what it means; "
            "click it to choose another one.",
            lambda: sentence_bar,
            another(lambda: editor.line.text),
            (picture,),
        ),
        Step(
            f"{count_in_words()} stages lead to the parse",
            "The parser works in stages, from the words to the tree. Click another stage here, or press <b>←</b>.",
            "The words keep their places from stage to stage. <b>→</b> and <b>←</b> step, <b>F5</b> plays all steps.",
            lambda: stage_strip,
            another(lambda: view.stage),
            (picture,),
        ),
        Step(
            "Click anything",
            "Whatever the picture shows can be asked about. Click a word, a gap, an arrow or a label.",
            "What you clicked is selected, here and in every other stage.",
            lambda: picture,
            something_else_selected,
        ),
        Step(
            "Read why",
            "The inspector explains what is selected, with the paper’s formula and this sentence’s own numbers. Click "
            "something else in the picture, and see how it follows.",
            "Point at a symbol such as η, λ or F̂ to read what it means. A count in colour opens the training "
            "sentences that it counted.",
            inspector,
            something_else_selected,
            (picture,),
        ),
        Step(
            "Ask what if",
            "Go to the stage <b>Parse</b> and drag the head of an arrow to another word; or right-click a word, a "
            "gap or a label and choose what to force.",
            "The sentence is parsed again as you want it, and the price is shown under <i>What-ifs</i>. <b>Ctrl+Z</b> "
            "takes it back.",
            lambda: picture,
            another(lambda: editor.line.what_ifs),
            (tables,),
        ),
        Step(
            "Change the model’s settings",
            "Choose another preset, move the beam β, or switch something on or off.",
            "The sentence was parsed again at once. Presets (1) to (4) are the paper’s own models, (5) goes beyond it.",
            lambda: settings,
            another(lambda: (editor.document.preset, editor.settings)),
            (picture,),
        ),
        Step(
            "Find everything with Ctrl+K",
            "Press <b>Ctrl+K</b> and type a few letters: actions, settings, themes, files and pages of the manual.",
            "That was the tour. <b>F1</b> opens the manual, <b>Shift+F1</b> and a click tell about a single thing. The "
            "Help menu starts the tour again.",
            lambda: picture,
            opened,
        ),
    )
