"""What all tables have in common: rows without a grid, chosen as a whole."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView


def set_up_rows(table: QTableView) -> None:
    """Show a table as rows without a grid, and leave the tab key to the window."""
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().setVisible(False)
    table.horizontalHeader().setHighlightSections(False)
