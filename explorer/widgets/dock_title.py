"""The title bar of a panel.

Qt's own is drawn in the size of type that it was made in, with buttons of one size; this one grows with the type.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from explorer.appearance.bundled_files import icon_file


class DockTitle(QWidget):
    """Shows a panel's title, with buttons that take the panel out of the window and close it.

    The panel is moved by it, as by Qt's own: what the mouse does beside the buttons is left to the panel.

    Parameters
    ----------
    dock
        The panel, which gets this title bar.
    """

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dock = dock
        self.title = QLabel(dock.windowTitle())
        self.title.setObjectName("quiet")
        # A long title gives way to the buttons.
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.apart = self._button("panel-apart", self._toggle_floating)
        self.close_button = self._button("panel-close", dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 3, 4, 3)
        layout.setSpacing(0)
        layout.addWidget(self.title, 1)
        layout.addWidget(self.apart)
        layout.addWidget(self.close_button)
        dock.windowTitleChanged.connect(self.title.setText)
        dock.topLevelChanged.connect(lambda _: self._name_buttons())
        self._name_buttons()
        dock.setTitleBarWidget(self)

    def _button(self, name: str, clicked: object) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(QIcon(str(icon_file(name))))
        button.clicked.connect(clicked)
        return button

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())

    def _name_buttons(self) -> None:
        title = self._dock.windowTitle()
        what = "Put the panel back into the window" if self._dock.isFloating() else "Take the panel out of the window"
        for button, tip in ((self.apart, what), (self.close_button, "Close the panel")):
            button.setToolTip(tip)
            button.setAccessibleName(f"{tip}: {title}")

    def minimumSizeHint(self) -> QSize:
        """Room for the buttons at least."""
        return QSize(self.apart.sizeHint().width() + self.close_button.sizeHint().width(), self.sizeHint().height())
