"""Tables beside the pictures: all columns in sight, numbers whole, what is cut off in the tool tip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.tables import LEAST_WIDTH, Row, RowsView

LONG = "word and tag: NP VP announced NN 1 and much more that nobody would have room for"


@pytest.mark.parametrize("width", [560, 760, 900, 1600])
def test_all_columns_stay_in_sight(width: int, qtbot: QtBot) -> None:
    view = RowsView(("factor", "what", "mixes", "η/δ", "log P"), (4,), 3)
    qtbot.addWidget(view)
    view.resize(width, 200)
    view.show()
    for what, mixes in ((LONG, LONG), (LONG, "E1"), ("gap", LONG)):
        view.set_rows([Row(("gap", what, mixes, LONG, "−12.345"))] * 3)
        QApplication.processEvents()
        assert view.horizontalScrollBar().maximum() == 0
        last = view.columnViewportPosition(4) + view.columnWidth(4)
        assert last <= view.viewport().width() and view.columnWidth(4) > 50
        texts = [view.columnWidth(column) for column in (1, 2, 3)]
        assert min(texts) >= min(LEAST_WIDTH, 40)
        if what == mixes:
            assert abs(texts[0] - texts[1]) <= 1
    view.resize(500, 200)
    QApplication.processEvents()
    assert view.columnWidth(1) < 360


def test_the_column_that_names_a_row_is_cut_off_last(qtbot: QtBot) -> None:
    name = "resignation → announced <NP,VP,VBD>"
    for stretch in (1, 3):
        view = RowsView(("factor", "what", "mixes", "η/δ", "log P"), (4,), stretch, key=1)
        qtbot.addWidget(view)
        view.resize(860, 200)
        view.show()
        view.set_rows([Row(("dependency", name, LONG, LONG, "−12.345"))])
        QApplication.processEvents()
        assert view.horizontalScrollBar().maximum() == 0
        assert view.columnWidth(1) >= view.fontMetrics().horizontalAdvance(name) + 16
        # Where there is no room even so, it gives way like the others.
        view.resize(600, 200)
        QApplication.processEvents()
        assert view.horizontalScrollBar().maximum() == 0
        assert view.columnWidth(1) < view.fontMetrics().horizontalAdvance(name)


def test_a_name_is_not_squeezed_out_by_numbers(qtbot: QtBot) -> None:
    view = RowsView(("", "gap", "tag", *"SCEBN"), (0, 3, 4, 5, 6, 7), 1, key=1)
    qtbot.addWidget(view)
    view.show()
    numbers = ("5.81×10⁻¹⁷",) * 5
    view.set_rows([Row(("10", "resignation  ·  yesterday", "B", *numbers))])
    for width, scrolls in ((400, True), (1200, False), (400, True)):
        view.resize(width, 200)
        QApplication.processEvents()
        assert view.columnWidth(1) > view.fontMetrics().horizontalAdvance("resignation  ·  yesterday")
        assert (view.horizontalScrollBar().maximum() > 0) == scrolls


def test_columns_that_can_be_spared_give_way(qtbot: QtBot) -> None:
    view = RowsView(("nats", "first", "second", "first from", "second from"), (0,), 4, spare=(3, 4))
    qtbot.addWidget(view)
    view.show()
    name = "resignation → announced <NP,VP,VBD>"
    view.set_rows([Row(("−1.2", name, name, LONG, LONG))])
    for width, hidden in ((620, True), (1400, False), (620, True)):
        view.resize(width, 200)
        QApplication.processEvents()
        assert [view.isColumnHidden(column) for column in range(5)] == [False] * 3 + [hidden] * 2
        assert view.horizontalScrollBar().maximum() == 0
        right = max(
            view.columnViewportPosition(c) + view.columnWidth(c) for c in range(5) if not view.isColumnHidden(c)
        )
        assert abs(right - view.viewport().width()) <= 1
        assert min(view.columnWidth(1), view.columnWidth(2)) > view.fontMetrics().horizontalAdvance(name)


def test_a_cell_says_in_full_what_is_cut_off(qtbot: QtBot) -> None:
    view = RowsView(("what", "log P"), (1,), 0)
    qtbot.addWidget(view)
    view.set_rows([Row((LONG, "0")), Row((LONG, "0"), tip="because")])
    model = view.rows_model
    tips = [model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert tips == [LONG, "because"]
