"""Labels that stand beside something larger."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def quiet_label(text: str = "") -> QLabel:
    """A line in a quiet colour, which can be copied."""
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
