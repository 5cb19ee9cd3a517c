"""What the presenter asks of whatever puts a question to the class, below its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from explorer.classroom.presentation import Presentation
from explorer.graphics.drawing import Drawing
from explorer.graphics.selection import Id
from explorer.graphics.theme import Theme


class QuestionPanel(Protocol):
    """What asks the class, below the picture."""

    widget: QWidget
    subject: Id | None
    """What it is about, which stays in sight."""
    has_pictures: bool
    """Whether its answers are pictures, which take the place of the stage's own."""

    @property
    def answer(self) -> str:
        """The answer in words, for the speaker alone."""
        ...

    def reveal(self) -> None:
        """Show the answer."""
        ...

    def handle_key(self, event: QKeyEvent) -> bool:
        """Do what a key means while the answer is covered, such as counting a hand; whether it means anything."""
        ...

    def cover(self, drawing: Drawing) -> Drawing:
        """The picture without what tells the answer."""
        ...

    def set_look(self, type_height: int, theme: Theme) -> None:
        """Set type so high in pixels, in these colours."""
        ...


QuestionFactory = Callable[[Presentation], QuestionPanel | None]
"""Makes what asks the question of a step that is parsed; ``None`` where its text is enough."""
