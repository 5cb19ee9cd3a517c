"""What help has to tell of a window: what there is to find, and what the tour leads through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.application.actions import WindowActions
from explorer.application.appearance_controller import AppearanceController
from explorer.application.command_palette import Command
from explorer.application.file_controller import FileController
from explorer.application.help import Help
from explorer.application.palette_commands import commands
from explorer.application.tour_steps import tour_steps
from explorer.help.tour import Step
from explorer.panels.sentence_bar import SentenceBar
from explorer.panels.settings_strip import SettingsStrip
from explorer.stages.stage_strip import StageStrip
from explorer.stages.stage_view import StageView


class HelpedParts(NamedTuple):
    """The parts of the window that help speaks of."""

    sentence_bar: SentenceBar
    settings_strip: SettingsStrip
    stage_strip: StageStrip
    stages: StageView
    inspector: QDockWidget
    panel_toggles: Sequence[QAction]


def connect_help(
    help: Help, parts: HelpedParts, actions: WindowActions, appearance: AppearanceController, files: FileController
) -> None:
    """Tell help what there is to find, which menus there are, and which parts the tour shows."""

    def everything() -> list[Command]:
        return commands(
            [*actions.all(), *parts.panel_toggles], appearance, files, parts.settings_strip, help.open_manual
        )

    def inspector() -> QWidget:
        parts.inspector.show()
        return parts.inspector

    def steps() -> tuple[Step, ...]:
        return tour_steps(
            help.editor,
            help.view,
            parts.sentence_bar,
            parts.stage_strip,
            parts.stages.canvas,
            parts.stages.tabs,
            inspector,
            parts.settings_strip,
            lambda: help.palette is not None,
        )

    help.commands, help.steps = everything, steps
    help.menus = lambda: list(actions.menus.values())
