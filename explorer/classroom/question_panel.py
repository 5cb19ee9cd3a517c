"""What the presenter asks of whatever puts a question to the class, below its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtWidgets import QWidget

from explorer.classroom.presentation import Presentation


class QuestionPanel(Protocol):
    """What asks the class, below the picture."""

    widget: QWidget

    def reveal(self) -> None:
        """Show the answer."""
        ...


QuestionFactory = Callable[[Presentation], QuestionPanel | None]
"""Makes what asks the question of the step that is shown; ``None`` where its text is enough."""
