"""The one list of everything the window can do: names, shortcuts, tips, menus; toolbar and palette follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from engine.settings import PRESETS, SETTING_NAMES, preset_title
from explorer.classroom.actions import CLASSROOM_ACTIONS
from explorer.compare.actions import COMPARE_ACTIONS, GOLD_ACTIONS
from explorer.kit.actions import (
    EDIT,
    FILE,
    GO,
    HELP,
    MENUS,
    SETTINGS,
    SUBMENUS,
    VIEW,
    WHAT_IF,
    Action,
    MenuLetters,
    with_letters,
)
from explorer.kit.appearance import icon
from explorer.kit.glosses import preset_gloss, setting_gloss, wrapped
from explorer.knowledge.actions import BROWSER_ACTIONS, EVIDENCE_ACTIONS
from explorer.laboratory.controller import LABORATORY_ACTIONS
from explorer.output.export import PRINT_ACTIONS
from explorer.panels.settings import SWITCHES
from explorer.pictures.theme import LIGHT, Theme, blend
from explorer.session.navigation import STAGES

# The actions about help: the manual, the tour, the shortcuts, crash reports, about.

HELP_ACTIONS: tuple[Action, ...] = (
    Action("manual", "Manual", HELP, "F1", "Open the manual at the page of this stage; it can be searched"),
    Action("what-is-this", "What is this?", HELP, "Shift+F1", "Then click anything: the manual opens at its page"),
    Action("palette", "Find anything …", HELP, "Ctrl+K", "Find actions, settings, themes, files and pages", "search"),
    Action(
        "tour",
        "Tour",
        HELP,
        "Alt+F1",
        "Seven steps through the window, in each of which you do something yourself",
        separated=True,
    ),
    Action("shortcuts", "Keyboard shortcuts", HELP, "Ctrl+/", "Every key of the window on one sheet"),
    Action(
        "crash-report",
        "Show crash report …",
        HELP,
        "Ctrl+Shift+F1",
        "What went wrong inside the program the last time, to read, copy or save; without your sentences",
        separated=True,
    ),
    Action(
        "about",
        "About",
        HELP,
        "Ctrl+F1",
        "Version, licences, credits, the model that is loaded, and what it runs on",
    ),
)


# The one list of everything the window can do: names, shortcuts, tips, menus; toolbar and palette follow from it.

_STAGE_TIPS = (
    "Words and tags, with the tagger's alternatives; punctuation stands outside the model",
    "The tag S C E B N of every gap between words, with its five probabilities (section 2.5)",
    "The m words that remain when every baseNP is its head-word alone (section 2)",
    "F̂ of every modifier and head (section 2.4), with the chosen heads outlined",
    "The chart: every edge that the parser built, kept or pruned, and why (sections 3 and 4.1)",
    "The tree and its dependencies: drag an arrow's head to another word to force it",
)
_SWITCH_KEYS = tuple(f"Ctrl+Alt+{key}" for key in "PGDFWKV")
ACTIONS: tuple[Action, ...] = (
    Action("new", "New session", FILE, "Ctrl+N", "Start with an empty list of sentences", separated=False),
    Action(
        "open",
        "Open …",
        FILE,
        "Ctrl+O",
        "Open sentences, trees, a session or a model; dropping a file does the same",
        "open",
    ),
    *GOLD_ACTIONS,
    Action(
        "open-model",
        "Open model …",
        FILE,
        "Ctrl+M",
        "Load another trained model; the old one stays if it cannot be used",
        "model",
    ),
    *EVIDENCE_ACTIONS,
    Action(
        "save",
        "Save session",
        FILE,
        "Ctrl+S",
        "Write sentences, what-ifs, settings and the model's name to a file",
        "save",
        separated=True,
    ),
    Action("save-as", "Save session as …", FILE, "Ctrl+Shift+S", "Write the session to another file"),
    Action(
        "export",
        "Export picture …",
        FILE,
        "Ctrl+E",
        "Write the picture as SVG, PDF or PNG, the parse as LaTeX, JSON and more",
        "export",
        separated=True,
    ),
    *PRINT_ACTIONS,
    Action(
        "preferences",
        "Preferences …",
        FILE,
        "Ctrl+,",
        "Theme, text size, motion, digits of numbers, recent files, the tour",
        separated=True,
    ),
    Action(
        "quit",
        "Quit",
        FILE,
        "Ctrl+Q",
        "Close the window; sentences and settings come back at the next start",
        separated=True,
    ),
    Action("undo", "Undo", EDIT, "Ctrl+Z", "Take the last change back", "undo"),
    Action(
        "redo",
        "Redo",
        EDIT,
        "Ctrl+Shift+Z",
        "Make the change again that was taken back",
        "redo",
        other_shortcut="Ctrl+Y",
    ),
    Action(
        "copy-picture",
        "Copy picture",
        EDIT,
        "Ctrl+Shift+C",
        "Put the picture on the clipboard, as SVG and as image",
        "copy",
        separated=True,
    ),
    Action(
        "copy-tree", "Copy tree as brackets", EDIT, "Ctrl+Shift+B", "Put the tree on the clipboard in Penn brackets"
    ),
    Action(
        "copy-explanation",
        "Copy explanation as text",
        EDIT,
        "Ctrl+Shift+E",
        "Put what the inspector says on the clipboard",
    ),
    Action(
        "copy-latex",
        "Copy explanation as LaTeX",
        EDIT,
        "Ctrl+Shift+X",
        "Put what the inspector says on the clipboard, with its formulas as LaTeX",
    ),
    Action("copy-twin", "Copy picture as text", EDIT, "Ctrl+Shift+T", "Put the picture on the clipboard as plain text"),
    Action("edit-sentence", "Edit sentence", EDIT, "Ctrl+L", "Go to the sentence bar", separated=True),
    Action("find", "Find sentence …", EDIT, "Ctrl+F", "Find sentences of the list by words, tags, labels or marks"),
    Action("next-sentence", "Next sentence", EDIT, "Ctrl+Down", "Show the next sentence of the list"),
    Action("previous-sentence", "Previous sentence", EDIT, "Ctrl+Up", "Show the sentence before"),
    Action(
        "remove-sentence", "Remove sentence", EDIT, "Ctrl+Delete", "Take the sentence that is shown out of the list"
    ),
    Action(
        "parse-all",
        "Parse all sentences",
        EDIT,
        "Ctrl+Shift+P",
        "Parse every sentence of the list in the background and mark what became of it",
    ),
    Action(
        "zoom-in",
        "Zoom in",
        VIEW,
        "Ctrl++",
        "Make the picture larger; so does the wheel with Ctrl",
        "zoom-in",
        # Plus without Shift, where it shares its key with the equals sign.
        other_shortcut="Ctrl+=",
    ),
    Action("zoom-out", "Zoom out", VIEW, "Ctrl+-", "Make the picture smaller", "zoom-out"),
    Action("fit", "Fit picture", VIEW, "Ctrl+0", "Fit the picture to the window, now and whenever that changes", "fit"),
    Action("actual-size", "Actual size", VIEW, "Ctrl+1", "Show the picture at 100 %", "actual"),
    # Not Ctrl+Shift++: where plus is typed with Shift, that is the key of zooming in.
    Action("text-larger", "Larger text", VIEW, "Ctrl+>", "Make the type of the whole window larger", separated=True),
    Action("text-smaller", "Smaller text", VIEW, "Ctrl+<", "Make the type of the whole window smaller"),
    Action("text-normal", "Normal text", VIEW, "Ctrl+Shift+0", "Type of the whole window at its normal size"),
    Action(
        "theme",
        "Next theme",
        VIEW,
        "Shift+F9",
        "Light, dark, high contrast, high contrast dark, or as the system has it",
        separated=True,
    ),
    Action(
        "word-tags",
        "Words with their tags",
        VIEW,
        "Ctrl+Shift+W",
        "Every word with its tag under the sentence bar, in every stage",
        checkable=True,
    ),
    Action("reset-layout", "Reset layout", VIEW, "Ctrl+Alt+0", "Put every panel back where it was at the first start"),
    Action("reduce-motion", "Reduce motion", VIEW, "Ctrl+Shift+M", "No animation from stage to stage", checkable=True),
    Action(
        "tree-beside",
        "Tree beside arrows",
        VIEW,
        "Ctrl+Shift+A",
        "Tree and arrows beside instead of above one another",
        checkable=True,
        separated=True,
    ),
    Action(
        "compact-tree",
        "Compact tree",
        VIEW,
        "Ctrl+Shift+K",
        "Words right under their parents instead of on one base line",
        checkable=True,
    ),
    Action(
        "twin",
        "Picture as text",
        VIEW,
        "F4",
        "The picture as text, for reading, searching and screen readers",
        checkable=True,
        separated=True,
    ),
    *(
        Action(f"stage-{number}", f"{number}  {name}", GO, f"Alt+{number}", tip, checkable=True)
        for number, (name, tip) in enumerate(zip(STAGES, _STAGE_TIPS, strict=True), 1)
    ),
    Action(
        "step-back",
        "Step back",
        GO,
        "Left",
        "One step back, within the stage and then to the stage before",
        "previous",
        separated=True,
        stage_only=True,
    ),
    Action(
        "step-forward",
        "Step forward",
        GO,
        "Right",
        "One step on, within the stage and then to the next stage",
        "next",
        stage_only=True,
    ),
    Action("previous-stage", "Previous stage", GO, "Ctrl+PgUp", "The stage before"),
    Action("next-stage", "Next stage", GO, "Ctrl+PgDown", "The stage after"),
    Action("play", "Play", GO, "F5", "Play all steps, one after the other", "play", checkable=True),
    Action(
        "run-to",
        "Run chart to …",
        GO,
        "F6",
        "Replay the chart up to the next constituent of a label, head-word or span",
        separated=True,
    ),
    *BROWSER_ACTIONS,
    Action(
        "cancel", "Cancel work", GO, "Ctrl+.", "Stop parsing or loading; what is shown stays", "cancel", separated=True
    ),
    *(
        Action(
            f"preset-{number}",
            f"Preset {preset_title(number)}",
            SETTINGS,
            f"Ctrl+Alt+{number}",
            preset_gloss(number).sentence,
            checkable=True,
        )
        for number in PRESETS
    ),
    Action(
        "wider-beam", "Wider beam", SETTINGS, "Ctrl+]", "β times 1.5: fewer constituents are pruned", separated=True
    ),
    Action("narrower-beam", "Narrower beam", SETTINGS, "Ctrl+[", "β divided by 1.5: more constituents are pruned"),
    Action("no-beam", "No beam", SETTINGS, "Ctrl+Shift+]", "β = ∞: the threshold alone prunes"),
    Action(
        "smallest-beam",
        "Smallest β that keeps this tree",
        SETTINGS,
        "Ctrl+Shift+[",
        "Find how narrow the beam can be before this tree is lost",
    ),
    *(
        Action(
            name,
            SETTING_NAMES[field],
            SETTINGS,
            keys,
            setting_gloss(field).sentence,
            checkable=True,
            separated=name == "punctuation-rule",
        )
        for (name, field), keys in zip(SWITCHES.items(), _SWITCH_KEYS, strict=True)
    ),
    Action(
        "force",
        "Force what is selected",
        WHAT_IF,
        "Ctrl+I",
        "The parse must have the selected arrow, gap tag or constituent",
        "what-if",
    ),
    Action(
        "forbid",
        "Forbid what is selected",
        WHAT_IF,
        "Ctrl+Shift+I",
        "The parse must do without the selected arrow, gap tag or constituent",
    ),
    Action(
        "lift-all", "Remove all what-ifs", WHAT_IF, "Ctrl+Shift+L", "Parse without any what-if again", separated=True
    ),
    *COMPARE_ACTIONS,
    *LABORATORY_ACTIONS,
    *CLASSROOM_ACTIONS,
    *HELP_ACTIONS,
)


class WindowActions(QObject):
    """The actions of one window.

    Parameters
    ----------
    window
        Whose menus they stand in.
    handlers
        What each does, by name; a switch's is called with its state.
    stage_area
        The widget to which the keys of `stage_only` actions belong.
    """

    def __init__(self, window: QMainWindow, handlers: Mapping[str, Callable[..., object]], stage_area: QWidget) -> None:
        super().__init__(window)
        self._by_name: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        bar = window.menuBar()
        used = {SUBMENUS.get(entry.menu, entry.menu) for entry in ACTIONS}
        shown = [title for title in MENUS if title in used]
        for title, marked in zip(shown, with_letters(shown), strict=True):
            self.menus[title] = bar.addMenu(marked)
            self.menus[title].setAccessibleName(title)
            self.menus[title].setToolTipsVisible(True)
            MenuLetters(self.menus[title])
        for entry in ACTIONS:
            action = QAction(entry.title, window)
            action.setObjectName(entry.name)
            keys = QKeySequence(entry.shortcut)
            action.setShortcuts([keys, *([QKeySequence(entry.other_shortcut)] if entry.other_shortcut else [])])
            action.setCheckable(entry.checkable)
            action.setToolTip(wrapped(f"{entry.tip}  ({keys.toString(QKeySequence.SequenceFormat.NativeText)})"))
            action.setStatusTip(entry.tip)
            handler = handlers[entry.name]
            if entry.checkable:
                action.triggered.connect(lambda checked, call=handler: call(checked))
            else:
                action.triggered.connect(lambda _checked=False, call=handler: call())
            if entry.stage_only:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                stage_area.addAction(action)
            else:
                window.addAction(action)
            menu = self._menu(entry.menu)
            if entry.separated and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(action)
            self._by_name[entry.name] = action
        self._theme = LIGHT
        self._playing = False

    def _menu(self, title: str) -> QMenu:
        """A menu, or one within another, which is made with its first entry."""
        if title not in self.menus:
            menu = self.menus[title] = self.menus[SUBMENUS[title]].addMenu(title)
            menu.setToolTipsVisible(True)
        return self.menus[title]

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of another theme."""
        self._theme = theme
        self._draw_icons()

    def set_playing(self, playing: bool) -> None:
        """Show the icon of a pause while it plays."""
        self._playing = playing
        self._draw_icons()

    def _draw_icons(self) -> None:
        muted = self._theme.colour("muted")
        faint = blend(self._theme.colour("surface"), muted, 0.4)
        for entry in ACTIONS:
            if entry.icon:
                name = "pause" if entry.name == "play" and self._playing else entry.icon
                self._by_name[entry.name].setIcon(icon(name, muted, faint))

    def all(self) -> list[QAction]:
        """Every action, in the order of the menus."""
        return list(self._by_name.values())
