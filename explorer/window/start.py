"""Starting: the window with the last session, or one picture, or snapshots of every stage."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.common.files import check_outputs
from engine.common.resources import bundled_models
from engine.model.model import Model
from explorer.kit.appearance import PAPER_SENTENCE, theme_named
from explorer.kit.fonts import register_fonts
from explorer.kit.messages import as_sentence
from explorer.kit.tasks import GarbageCollection
from explorer.pictures.theme import LIGHT, SYSTEM, THEMES, Theme
from explorer.session.document import Document, TextLine
from explorer.session.files import is_file, load_document
from explorer.session.parsing import ParseRequest, ParserPool, best_parse, parse_for_window
from explorer.session.preferences import Preferences
from explorer.session.recovery import Recovered
from explorer.session.session import Session
from explorer.session.view_state import PARSE
from explorer.window.crash_reports import CrashReports, watch_actions
from explorer.window.start_plan import StartPlan, window_size

_TOLD = "crash-report-told"


def run(options: argparse.Namespace) -> int:
    """Do what the command line asks for."""
    if options.theme and options.theme != SYSTEM and options.theme not in THEMES:
        raise EngineError(f"there is no theme `{options.theme}`; choose one of {', '.join((SYSTEM, *THEMES))}")
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["parse-explorer"])
    QCoreApplication.setApplicationName("parse-explorer")
    # By this a desktop finds the entry, and so the icon, of a window on Wayland.
    QGuiApplication.setDesktopFileName("parse-explorer")
    register_fonts()
    if options.handout:
        from explorer.window.handout import write_handout

        return write_handout(options)
    plan = StartPlan(options)
    if options.export or options.snapshot:
        if plan.lesson is not None:
            raise EngineError(
                f"{plan.lesson}: a lesson is shown in the window; open it without --export and --snapshot"
            )
        from explorer.window.snapshots import quiet_platform, snapshot

        with quiet_platform():
            return export(plan, options) if options.export else snapshot(plan, options)
    return open_window(application, plan, options)


def export(plan: StartPlan, options: argparse.Namespace) -> int:
    """Parse what was named and write it down: a picture of the first sentence, or the text of all."""
    from explorer.output.files import check_ending, format_of, write_parse, write_texts
    from explorer.stages.stages import pictures

    path = Path(options.export)
    check_outputs([options.export], options.inputs, [options.model])
    if options.what not in pictures():
        raise EngineError(f"there is no picture `{options.what}`; choose one of {', '.join(pictures())}")
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
        parsers = ParserPool()
        write_texts((_best_parse(ParseRequest(model, settings, line), parsers) for line in lines), path, form)
        return 0
    if len(lines) > 1:
        print(
            f"parse-explorer: the picture shows the first of {len(lines):,} sentences; the others were left out",
            file=sys.stderr,
        )
    result = parse_for_window(ParseRequest(model, settings, lines[0]), ParserPool(), Control(), lambda quick: None)
    write_parse(result.parse, path, _theme(options), options.what, options.scale)
    return 0


def _best_parse(request: ParseRequest, parsers: ParserPool) -> Parse:
    """The parse that a picture of the line would show; an error says which line of a file it is."""
    try:
        return best_parse(request, parsers)[1]
    except EngineError as error:
        place = request.line.place
        raise EngineError(f"{place}: {error}" if place else str(error)) from error


def _theme(options: argparse.Namespace) -> Theme:
    return theme_named(options.theme) if options.theme else LIGHT


def open_window(application: QApplication, plan: StartPlan, options: argparse.Namespace) -> int:
    """Open the window and stay until it is closed."""
    preferences = Preferences()
    reports = CrashReports(preferences.folder)
    reports.start()
    try:
        return _open_window(application, plan, options, preferences, reports)
    finally:
        reports.stop()


def _open_window(
    application: QApplication,
    plan: StartPlan,
    options: argparse.Namespace,
    preferences: Preferences,
    reports: CrashReports,
) -> int:
    session = Session()
    reports.show_in(session.messages)
    if options.theme:
        preferences.keep("theme", options.theme)
    # The model is unpacked, which leaves Python alone, while the window's modules are loaded and the window is built.
    message = begin(session, preferences, plan)
    from explorer.kit.appearance import icon
    from explorer.window.main_window import MainWindow

    window = MainWindow(session, preferences)
    window.setWindowIcon(icon("app", "#b84a00", "#b84a00"))
    if options.size != "1280x800":
        window.resize(*window_size(options.size))
    window.show()
    watch_actions(reports, [(one.objectName(), one.triggered.connect) for one in window.named_actions.all()])
    window.show_message(" ".join(filter(None, (message, _crash_message(reports, preferences)))))
    if plan.lesson is not None:
        session.loader.open(plan.lesson)
    if options.exercise:
        window.features.classroom.questions.open_exercise_file(Path(options.exercise))
    elif plan.empty:
        window.help.offer_tour()
    _collect_later(session)
    # Not in the middle of whatever is being done: what is half changed would be kept half.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))
    # Python looks at signals only between two of its own instructions: let it run now and then.
    alive = QTimer(interval=250)
    alive.timeout.connect(lambda: None)
    alive.start()
    status = application.exec()
    alive.stop()
    return status


def _collect_later(session: Session) -> None:
    """Collect garbage again once the model is loaded."""
    garbage = GarbageCollection(session.tasks, session)

    def loaded() -> None:
        session.parses.model_changed.disconnect(loaded)
        garbage.start()

    session.parses.model_changed.connect(loaded)
    if session.parses.model is not None:
        loaded()


def begin(session: Session, preferences: Preferences, plan: StartPlan) -> str:
    """Show what was asked for, what a crash left behind, the last session, or the paper's sentence.

    Returns
    -------
    str
        A message about it, if there is one.
    """
    stage, path, saved = PARSE, plan.session, True
    opened = load_document(plan.session) if plan.session is not None else None
    recovered = preferences.take_over(wanted=plan.empty)
    # The one of the last start is gone on from only if nothing else is shown.
    last = preferences.last() if plan.empty and recovered.session is None else None
    if opened is not None:
        document, stage = opened
    elif recovered.session is not None:
        document, stage, path, saved, _ = recovered.session
    elif last is not None and last.document.lines:
        document, stage, path, saved, _ = last
    else:
        lines = (TextLine(PAPER_SENTENCE),) if plan.empty else ()
        document = Document("", plan.preset, plan.settings, lines)
    if plan.chosen:
        document = replace(document, preset=plan.preset, settings=plan.settings)
    model = plan.model
    if model is None and document.model and is_file(Path(document.model)):
        model = Path(document.model)
    if model is None:
        used = [Path(name) for name in preferences.recent("models") if is_file(Path(name))]
        model = (used or list(bundled_models().values()) or [None])[0]  # type: ignore[list-item]
    document = replace(document, model=str(model.absolute()) if model is not None else "")
    session.restore(document, stage, path, saved)
    # When the model is there, which says what is a tag: so the window shows what `--export` would write.
    for text in plan.texts:
        session.loader.add_text(text, "opening sentences")
    for file in plan.files:
        session.loader.open(file)
    return _recovery_message(recovered)


def _crash_message(reports: CrashReports, preferences: Preferences) -> str:
    """What there is to say about a crash report that nobody was told of yet; empty if there is none."""
    reports.collect()
    newest = next(iter(reports.files()), None)
    if newest is None or newest.name <= preferences.text(_TOLD):
        return ""
    preferences.keep(_TOLD, newest.name)
    return f"Something went wrong inside the program; Help > Show crash report has what happened ({newest})."


def _recovery_message(recovered: Recovered) -> str:
    """What there is to say about what windows that did not close have left; empty if they have left nothing."""
    said = []
    if recovered.session is not None:
        said.append("what you did before the program stopped is here again")
    if recovered.earlier:
        others = "what another window showed" if recovered.session is not None else "what you did"
        said.append(f"{others} before the program stopped is among the earlier sessions in File > Recent")
    return " ".join(as_sentence(one) for one in (*said, *recovered.damaged))
