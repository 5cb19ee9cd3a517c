"""What the window itself says: stages, comparisons, every action and what it opens, tools over many sentences."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QMenu, QTabBar, QWidget

from engine.common.resources import named_model
from engine.explain.subjects import ErrorCellId, ErrorId, Subject, VerdictId
from engine.settings import Settings
from explorer.compare.export import as_html, as_latex, as_text
from explorer.compare.sides import Comparison
from explorer.pictures.theme import LIGHT
from explorer.session.document import Document, TextLine
from explorer.stages.player import StageNavigator
from explorer.stages.stages import STAGES
from explorer.window.snapshots import Photographer, quiet_platform
from tests.golden.folders import EXAMPLES, Case, Files
from tests.golden.material import FIFTEEN, GOLD, SEVEN, THIRTY
from tests.golden.pages import name_of, things
from tests.golden.pictures import application

SIZE = (1280, 800)
MOST_ROWS, MOST_CHARACTERS = 80, 4000
TEXTS = (
    *("text", "title", "windowTitle", "placeholderText", "toolTip", "statusTip", "whatsThis", "prefix", "suffix"),
    *("accessibleName", "accessibleDescription", "plainText", "currentText", "specialValueText"),
)
"""Properties of widgets in which a person, or a screen reader, reads something."""


# What a widget says


def said(widget: QWidget) -> str:
    """All that a widget and the widgets in it say; in an order that does not depend on how they are nested."""
    lines = []
    for one in (widget, *widget.findChildren(QWidget)):
        kind = _kind(one)
        for name in TEXTS:
            value = one.property(name)
            if isinstance(value, str) and value.strip():
                lines.append(f"{kind} {name}: {value[:MOST_CHARACTERS]!r}")
        if isinstance(one, QTabBar):
            lines += [f"tab {one.tabText(at)!r} {one.tabToolTip(at)!r}" for at in range(one.count())]
        if isinstance(one, QComboBox):
            lines += [f"choice {one.itemText(at)!r}" for at in range(one.count())]
        elif isinstance(one, QAbstractItemView) and one.model() is not None:
            lines.append(_table(one.model()))
    return "\n".join(sorted(lines)) + "\n"


def _kind(one: QObject) -> str:
    """The class of a widget as Qt knows it: classes of ours may be called otherwise one day."""
    about = one.metaObject()
    while not about.className().startswith("Q"):
        about = about.superClass()
    return about.className()


def _table(model: QAbstractItemModel) -> str:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount())
    header = [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]
    rows = []
    for row in range(min(model.rowCount(), MOST_ROWS)):
        cells = [model.index(row, column, QModelIndex()) for column in columns]
        rows.append(" | ".join(str(model.data(cell)) for cell in cells))
        rows += [f"    tip {tip!r}" for cell in cells if (tip := model.data(cell, Qt.ItemDataRole.ToolTipRole))]
    return "\n".join([f"table of {model.rowCount()}: {' | '.join(header)}", *(f"    {row}" for row in rows)])


def _actions(menu: QMenu, path: str) -> Iterator[str]:
    """The titles, keys and tips of a menu's entries, and of menus in it."""
    for action in menu.actions():
        if action.isSeparator():
            yield f"{path} / --"
            continue
        keys = " ".join(key.toString() for key in action.shortcuts())
        title = f"{path} / {action.text()}"
        tips = f"{action.toolTip()!r} {action.statusTip()!r}"
        yield f"{title}   {keys}   {tips} {action.isEnabled()} {action.isChecked()}"
        if (inner := action.menu()) is not None:
            assert isinstance(inner, QMenu)
            yield from _actions(inner, title)


# What a person does


@contextmanager
def opened(model: str) -> Iterator[Photographer]:
    """A window with a bundled model."""
    application()
    with quiet_platform(), Photographer(named_model(model), SIZE) as photographer:
        yield photographer
        # Windows that were opened over it go with it.
        for other in QApplication.topLevelWidgets():
            if other is not photographer.window:
                other.close()
    gc.collect()


def document(preset: int, *lines: str) -> Document:
    """Sentences under a preset."""
    return Document("", preset, Settings.preset(preset), tuple(map(TextLine, lines)))


def quiet(shown: Photographer) -> None:
    """Wait until nothing is done any more, and everything is shown."""
    shown.wait(lambda: shown.session.tasks.idle)
    shown.settle()


def _inspected(shown: Photographer, id: Subject | None) -> str:
    shown.session.view.select(id)
    quiet(shown)
    inspector = shown.window.inspector
    return f"=== {name_of(id)}\n{inspector.view.toPlainText()}\n--- {inspector.view.accessibleDescription()}"


def _stages(asked: tuple[tuple[str, int, str, str], ...]) -> Files:
    """Every stage of sentences: picture as text, tips of all things in it, tables, and what each step selects."""
    for model in dict.fromkeys(one[0] for one in asked):
        with opened(model) as shown:
            for name, preset, title, text in asked:
                if name == model:
                    yield from _sentence(shown, f"{model}-{preset}-{title}", document(preset, text))


def _sentence(shown: Photographer, name: str, wanted: Document) -> Files:
    shown.show(wanted)
    session, window = shown.session, shown.window
    navigator = StageNavigator(session.view, session.parses)
    for number, stage in enumerate(STAGES, 1):
        session.view.set_stage(stage.name)
        session.view.select(None)
        quiet(shown)
        canvas = window.stages.canvas
        assert canvas.drawing is not None
        tips = [f"{name_of(id)}: {canvas.description(region)!r}" for id, region in canvas.drawing.regions.items()]
        parts = [canvas.text_twin, "=== tips", *sorted(tips), "=== table", said(window.stages.tabs)]
        parts += ["=== legend and status", said(window.statusBar())]
        yield f"{name}/{number} {stage.title}.txt", "\n".join(parts) + "\n"
        steps = []
        session.view.set_chart_step(None)
        for _ in range(12):
            navigator.step(True)
            if session.view.stage != stage.name:
                break
            quiet(shown)
            steps.append(f"{name_of(session.view.focus)}: {window.inspector.explanation.spoken!r}")
        yield f"{name}/{number} {stage.title} steps.txt", "\n".join(steps) + "\n"
    result = session.parses.result
    assert result is not None
    wanted_ids = list(dict.fromkeys(things(result, result.parse)))
    pages = [_inspected(shown, id) for id in wanted_ids[:: max(1, len(wanted_ids) // 40)]]
    yield f"{name}/inspector.txt", "\n".join(pages) + "\n"
    session.view.set_stage(STAGES[-1].name)
    quiet(shown)
    yield f"{name}/window.txt", said(window)


def _compared(shown: Photographer) -> Comparison:
    tools = shown.window.features.comparison

    def done() -> bool:
        comparison = tools.comparisons.comparison
        return tools.panel.settled and comparison is not None and comparison.full

    quiet(shown)
    shown.wait(done)
    quiet(shown)
    shown.wait(done)
    assert tools.comparisons.comparison is not None
    return tools.comparisons.comparison


def _comparisons(model: str, presets: tuple[int, ...]) -> Files:
    """Parses compared with gold trees, or with the second best, in words, tables, pictures and pages."""
    with opened(model) as shown:
        metrics = shown.window.stages.picture.metrics
        for preset in presets:
            for number, line in enumerate((*GOLD, SEVEN)):
                shown.show(document(preset, line))
                shown.window.features.comparison.show()
                comparison = _compared(shown)
                name = f"{model}-{preset}-{number}"
                yield f"{name}/text.txt", as_text(comparison)
                yield f"{name}/latex.tex", as_latex(comparison)
                yield f"{name}/page.html", as_html(comparison, LIGHT, metrics).replace("><", ">\n<")
                panel = shown.window.features.comparison.panel
                twins = []
                for page in range(panel.pictures.count()):
                    panel.pictures.setCurrentIndex(page)
                    _compared(shown)
                    twins.append(f"=== {panel.pictures.tabText(page)}\n{panel.canvas.text_twin}")
                yield f"{name}/pictures.txt", "\n".join(twins) + "\n"
                yield f"{name}/panel.txt", said(panel)
                ids: list[Subject] = [VerdictId(), *map(ErrorId, range(len(comparison.mistakes)))]
                ids += [ErrorId(at, bracket) for at in range(len(comparison.mistakes)) for bracket in range(3)]
                yield f"{name}/inspector.txt", "\n".join(_inspected(shown, id) for id in ids) + "\n"


# Every action


_LEFT_OUT = ("Quit", "Train live from an empty treebank")
"""What ends the program, and what leaves a model that parses nothing, end the case."""


def _menus() -> Files:
    """The menu bar with all that is in it, and what happens in the window when an action is chosen."""
    with opened("classroom") as shown:
        shown.show(document(3, SEVEN, GOLD[0]))
        lines: list[str] = []
        for top in shown.window.menuBar().actions():
            menu = top.menu()
            assert isinstance(menu, QMenu)
            menu.aboutToShow.emit()
            lines += _actions(menu, top.text())
        yield "menus.txt", "\n".join(lines) + "\n"
        titles = sorted({action.text() for action in shown.window.findChildren(QAction) if action.isEnabled()})
        for title in titles:
            if title.replace("&", "") and title.replace("&", "") not in _LEFT_OUT:
                yield f"{_file_name(title)}.txt", _choose(shown, title)


def _file_name(title: str) -> str:
    return "".join(letter if letter.isalnum() or letter in " .-" else "_" for letter in title.replace("&", ""))


def _choose(shown: Photographer, title: str) -> str:
    """Choose an action: what is said then, and the windows that open, which are closed again."""
    shown.show(document(3, SEVEN, GOLD[0]))
    window = shown.window
    # What was said before stays for some seconds.
    window.statusBar().clearMessage()
    parts: list[str] = []
    before = {id(one) for one in QApplication.topLevelWidgets() if one.isVisible()}

    def close_modal() -> None:
        modal = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        if modal is not None:
            parts.append(f"=== it asks: {modal.windowTitle()}\n{said(modal)}")
            modal.close()

    closing = QTimer(interval=20)
    closing.timeout.connect(close_modal)
    closing.start()
    action = next(one for one in window.findChildren(QAction) if one.text() == title)
    action.trigger()
    quiet(shown)
    closing.stop()
    close_modal()
    message = window.statusBar().currentMessage()
    # Autosave says so a moment after one session has taken the place of another, whatever is done meanwhile.
    parts.append(f"=== message: {'' if message.startswith('What was here before') else message}")
    parts.append(f"=== banner: {window.stages.banner.text.text() if window.stages.banner.isVisible() else ''}")
    parts.append(f"=== picture: {window.stages.canvas.text_twin}")
    for other in QApplication.topLevelWidgets():
        if other.isVisible() and id(other) not in before and other is not window:
            parts.append(f"=== it opens: {other.windowTitle()}\n{said(other)}")
            other.close()
    window.session.editor.undo_stack.setClean()
    return f"{title}: checked {action.isChecked()}\n" + "\n".join(parts) + "\n"


# Tools over many sentences


def _tools() -> Files:
    """The list, the error table, search by structure, the model browser and systems, over a small treebank."""
    with tempfile.TemporaryDirectory(prefix="golden-") as place, opened("classroom") as shown:
        bank = Path(place) / "bank.ptb"
        trees = (EXAMPLES / "everyday.ptb").read_text(encoding="utf-8").split("\n")[:15]
        bank.write_text("\n".join(trees) + "\n", encoding="utf-8")
        shown.show(document(3, *trees))
        window = shown.window
        window.features.comparison.show_errors()
        window.features.comparison.errors.judge()
        shown.wait(lambda: not window.features.comparison.errors.busy)
        quiet(shown)
        yield "error table.txt", said(window.features.comparison.errors)
        table = window.features.comparison.errors.model.table
        assert table is not None
        cells = [ErrorCellId(kind, verdict) for kind in ("", *table.kinds) for verdict in ("", *table.verdicts)]
        yield "error cells.txt", "\n".join(_inspected(shown, cell) for cell in cells) + "\n"
        shown.session.list_parsing.start()
        quiet(shown)
        yield "list.txt", said(window.sentences)
        for pattern in ("VP < PP", "NP=whole << /^t/"):
            window.features.laboratory.search.find(pattern)
            quiet(shown)
            shown.wait(lambda: False, 0.3)
            yield f"search {_file_name(pattern)}.txt", said(window.features.laboratory.search.panel)
        for asked in ("with", "the", "with saw", "<PP,VP,VBD>", "nothingness"):
            window.features.knowledge.look_up(asked)
            quiet(shown)
            shown.wait(lambda: False, 0.3)
            docks = window.features.knowledge.docks
            yield f"look up {_file_name(asked)}.txt", "\n".join(said(dock) for dock, _ in docks)
        window.features.laboratory.systems.show()
        systems = window.features.laboratory.systems.window
        systems.setup.fields["jobs"].setValue(1)
        systems.setup.fields["resamples"].setValue(200)
        systems.compare()
        shown.wait(lambda: not systems.busy)
        quiet(shown)
        for tab in range(systems.results.tabs.count()):
            systems.results.tabs.setCurrentIndex(tab)
            quiet(shown)
            yield f"systems {tab}.txt", said(systems)
        systems.close()


FAST = (
    *(("classroom", preset, "seven", SEVEN) for preset in (1, 5)),
    ("english", 3, "fifteen", FIFTEEN),
    ("english", 5, "gold", GOLD[0]),
)
ALL = (
    *(
        ("english", preset, title, text)
        for preset in (1, 2, 3, 4, 5)
        for title, text in (("seven", SEVEN), ("thirty", THIRTY))
    ),
)
CASES = (
    Case("stages", partial(_stages, FAST)),
    Case("comparisons", partial(_comparisons, "english", (3, 5))),
    Case("actions", _menus),
    Case("tools", _tools),
    Case("stages-all", partial(_stages, ALL), fast=False),
    Case("comparisons-all", partial(_comparisons, "classroom", (1, 2, 3, 4, 5)), fast=False),
)
