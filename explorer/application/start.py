"""Starting: the window with the last session, or one picture, or snapshots of every stage."""

from __future__ import annotations

import argparse
import gc
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.characters import readable
from engine.common.errors import EngineError
from engine.common.resources import bundled_models, model_file
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, PRESETS, Settings
from explorer.appearance.bundled_files import PAPER_SENTENCE
from explorer.appearance.fonts import register_fonts
from explorer.appearance.palette import theme_named
from explorer.application.explorer_command import SUCCESS, is_model, window_size
from explorer.document.document import FORMAT, Document, Line, load_document
from explorer.document.input_reading import check_characters, read_file, split_text
from explorer.document.parse_service import Parsers, Question, answer, best_parse
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.document.stage_navigation import PARSE
from explorer.graphics.theme import LIGHT, SYSTEM, THEMES, Theme

FULL_LOOK = 100
"""After how many looks for younger garbage all of it is looked for; Python's own number is 10."""


def run(options: argparse.Namespace) -> int:
    """Do what the command line asks for."""
    if options.theme and options.theme != SYSTEM and options.theme not in THEMES:
        raise EngineError(f"there is no theme `{options.theme}`; choose one of {', '.join((SYSTEM, *THEMES))}")
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["parse-explorer"])
    QCoreApplication.setApplicationName("parse-explorer")
    register_fonts()
    plan = Plan(options)
    if options.export or options.snapshot:
        from explorer.application.snapshots import quiet_platform, snapshot

        with quiet_platform():
            return export(plan, options) if options.export else snapshot(plan, options)
    return open_window(application, plan, options)


class Plan:
    """What the arguments name: a model, a session, files of sentences, sentences."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.model: Path | None = find_model(options.model) if options.model else None
        self.session: Path | None = None
        self.files: list[Path] = []
        self.texts: list[str] = []
        for text in options.inputs:
            path = Path(text)
            if not text.strip():
                raise EngineError("the text is empty: there is no sentence to draw")
            if _is(path, Path.is_dir):
                self.files.append(path)
            elif not _is(path, Path.is_file):
                if path.suffix in (".model", ".json", ".txt", ".ptb", ".mrg") and " " not in text:
                    raise EngineError(f"{text}: there is no such file")
                check_characters(text)
                self.texts.append(readable(text))
            elif is_model(path) or path.suffix == ".model":
                self.model = path
            elif FORMAT.encode() in path.read_bytes()[:200]:
                self.session = path
            else:
                self.files.append(path)
        changes = {"beam": options.beam} if options.beam is not None else {}
        preset = options.preset if options.preset is not None else DEFAULT_PRESET
        if preset not in PRESETS:
            raise EngineError(f"there is no preset {preset}; choose one of {', '.join(map(str, PRESETS))}")
        self.chosen = options.preset is not None or options.beam is not None
        self.preset, self.settings = preset, Settings.preset(preset, **changes)

    @property
    def empty(self) -> bool:
        """Whether nothing was named that is to be shown."""
        return not (self.session or self.files or self.texts)

    def sentences(self, model: Model | None) -> list[Line]:
        """What the texts and files hold, split as the window splits what is typed; none if nothing was named."""
        found = [line for text in self.texts for line in split_text(text, model)]
        for file in self.files:
            lines = split_text(read_file(file), model, file.name)
            if not lines:
                raise EngineError(f"{file}: the file holds no sentence")
            found += lines
        return found

    def found_model(self) -> Path:
        """The model that was named, or the one that comes with the program."""
        if self.model is not None:
            return self.model
        bundled = bundled_models()
        if not bundled:
            raise EngineError("there is no model; name one with `--model FILE`, or train one with `parse-engine train`")
        return next(iter(bundled.values()))


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether this is a file or folder; a sentence may be longer than any name of one can be."""
    try:
        return kind(path)
    except OSError:
        return False


def find_model(name: str) -> Path:
    """The file of a model: as it is named, or the bundled one of that name."""
    path = model_file(name)
    if path is None or not path.is_file():
        bundled = bundled_models()
        known = f" (bundled: {', '.join(bundled)})" if bundled else ""
        raise EngineError(f"{name}: there is no such model{known}")
    return path


def export(plan: Plan, options: argparse.Namespace) -> int:
    """Parse what was named and write it down: a picture of the first sentence, or the text of all."""
    from explorer.export.export_controller import PICTURES, check_ending, format_of, write_parse, write_texts

    path = Path(options.export)
    if options.what not in PICTURES:
        raise EngineError(f"there is no picture `{options.what}`; choose one of {', '.join(PICTURES)}")
    form = format_of(path, options.format)
    if not form:
        check_ending(path)
    if plan.empty:
        raise EngineError("there is nothing to draw; name a sentence, a file of sentences or trees, or a session")
    model = Model.load(plan.found_model())
    settings = plan.settings
    if plan.session is not None:
        document, _ = load_document(plan.session)
        lines, settings = [document.line], document.settings if not plan.chosen else settings
    else:
        lines = plan.sentences(model)
    if form:
        parsers = Parsers()
        write_texts((_best_parse(Question(model, settings, line), parsers) for line in lines), path, form)
        return SUCCESS
    if len(lines) > 1:
        print(
            f"parse-explorer: the picture shows the first of {len(lines):,} sentences; the others were left out",
            file=sys.stderr,
        )
    made = answer(Question(model, settings, lines[0]), Parsers(), Control(), lambda quick: None)
    write_parse(made.parse, path, _theme(options), options.what, options.scale)
    return SUCCESS


def _best_parse(question: Question, parsers: Parsers) -> Parse:
    """The parse that a picture of the line would show; an error says which line of a file it is."""
    try:
        return best_parse(question, parsers)[1]
    except EngineError as error:
        place = question.line.place
        raise EngineError(f"{place}: {error}" if place else str(error)) from error


def _theme(options: argparse.Namespace) -> Theme:
    return theme_named(options.theme) if options.theme else LIGHT


def open_window(application: QApplication, plan: Plan, options: argparse.Namespace) -> int:
    """Open the window and stay until it is closed."""
    preferences = Preferences()
    session = Session()
    if options.theme:
        preferences.keep("theme", options.theme)
    # The model is unpacked, which leaves Python alone, while the window's modules are loaded and the window is built.
    said = begin(session, preferences, plan)
    from explorer.appearance.icons import icon
    from explorer.application.main_window import MainWindow

    window = MainWindow(session, preferences)
    window.setWindowIcon(icon("app", "#b84a00", "#b84a00"))
    if options.size != "1280x800":
        window.resize(*window_size(options.size))
    window.show()
    window.say(said)
    _collect_later(session)
    signal.signal(signal.SIGINT, lambda *_: window.close())
    # Python looks at signals only between two of its own instructions: let it run now and then.
    alive = QTimer(interval=250)
    alive.timeout.connect(lambda: None)
    alive.start()
    status = application.exec()
    alive.stop()
    return status


def _collect_later(session: Session) -> None:
    """Look for garbage again once the model is loaded; what is there by then is there to stay."""

    def loaded() -> None:
        session.model_changed.disconnect(loaded)
        gc.freeze()
        # A full look takes as long as several pictures, and holds up all threads: let it be rare.
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, FULL_LOOK)
        gc.enable()

    session.model_changed.connect(loaded)
    if session.model is not None:
        loaded()


def begin(session: Session, preferences: Preferences, plan: Plan) -> str:
    """Show what was asked for, what a crash left behind, the last session, or the paper's sentence.

    Returns
    -------
    str
        What there is to say about it, if anything.
    """
    said = ""
    recovered = preferences.recovery.left_behind()
    last = preferences.last()
    stage = PARSE
    if plan.session is not None:
        document, stored = load_document(plan.session)
        stage = int(stored.get("stage", PARSE))
    elif plan.empty and recovered is not None:
        document, stage = recovered
        said = "What you did before the program stopped is here again"
    elif plan.empty and last is not None and last[0].lines:
        document, stage = last
    else:
        lines = (Line(PAPER_SENTENCE),) if plan.empty else ()
        document = Document("", plan.preset, plan.settings, lines)
    if plan.chosen:
        document = replace(document, preset=plan.preset, settings=plan.settings)
    model = plan.model
    if model is None and document.model and Path(document.model).is_file():
        model = Path(document.model)
    if model is None:
        used = [Path(name) for name in preferences.recent("models") if Path(name).is_file()]
        model = (used or list(bundled_models().values()) or [None])[0]  # type: ignore[list-item]
    session.restore(replace(document, model=str(model.absolute()) if model is not None else ""), stage)
    if plan.session is not None:
        session.path = plan.session
        session.path_changed.emit()
    # When the model is there, which says what is a tag: so the window shows what `--export` would write.
    for text in plan.texts:
        session.add_text(text, "opening sentences")
    for file in plan.files:
        session.open_text(file)
    return said
