"""Readers of the window: sessions, preferences, lessons, exercise results, the list and its filter."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from engine.common.errors import ConstraintError
from engine.settings import Settings
from engine.structure.constituents import Lexicaliser
from engine.structure.constraints import (
    Attachment,
    BaseSpan,
    Bracket,
    FixedTag,
    GapTag,
    check_constraints,
    describe_constraint,
)
from engine.structure.dependencies import Relation
from engine.trees.head_rules import load_head_rules
from explorer.classroom.answers import FORMAT as RESULT_FORMAT
from explorer.classroom.answers import collect, parse_result
from explorer.classroom.lesson import Lesson, lesson_title, step_settings
from explorer.classroom.lesson_editor import check_lesson
from explorer.classroom.lesson_file import lesson_text, read_lesson
from explorer.classroom.live_training import open_treebank, read_one_tree
from explorer.panels.list_filter import ListFilter, with_term
from explorer.session.document import (
    Document,
    TextLine,
    iterate_lines,
    length_of,
    plain,
    read_file,
    read_line,
    save_document,
)
from explorer.session.files import load_document
from explorer.session.preferences import Preferences
from explorer.stages.chart import Condition
from explorer.window.start_plan import StartPlan, window_size
from tests.fuzz import grammar, workspace
from tests.fuzz.grammar import json_bytes, json_inputs
from tests.fuzz.materials import CONLLU, LESSONS, PROSE, TAGGED, TREES, prepared_model
from tests.fuzz.mutation import either, encoded, mutation
from tests.fuzz.target import Broken, Target, all_of, as_text, check_refusal
from tests.fuzz.text_targets import MOST_PARSED

_WHAT_IFS = (
    Attachment(4, 1, Relation("PP", "VP", "VBD")),
    GapTag(2, "S"),
    BaseSpan(2, 4),
    Bracket(2, 7, "NP", True),
    FixedTag(3, "NN"),
)
_DOCUMENT = Document(
    "classroom",
    3,
    Settings.preset(3),
    (
        TextLine("I/PRP saw/VBD the/DT man/NN with/IN the/DT telescope/NN", _WHAT_IFS, "a.txt, line 1"),
        TextLine(TREES[0]),
    ),
    1,
)
_SESSION: dict[str, Any] = {**_DOCUMENT.as_dict(), "stage": 5}
_RECOVERY: dict[str, Any] = {
    **_SESSION,
    "lines": [],
    "list": "recovery-1-1.list",
    "changes": {"0": {"text": "a/NN"}},
    "shown": 0,
    "file": "/nowhere/session.json",
    "saved": False,
}
_RESULT: dict[str, Any] = {
    "format": RESULT_FORMAT,
    "version": 1,
    "student": "Ada",
    "lesson": "Where does *with* go?",
    "digest": "0" * 64,
    "finished": "2024-05-01T10:00:00",
    "answers": [
        {
            "step": 1,
            "title": "A man",
            "kind": "head",
            "question": "Which?",
            "tries": ["saw", "man"],
            "right": "saw",
            "marked_by": "model",
            "points": 1,
        }
    ],
}
_INI = """[General]
geometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3)
processes=2
theme=dark
word-tags=true
folder=/tmp
[recent]
models=/a.model, /b.model
"""
_FILTERS = (
    'telescope "the man" tag:VBD -tag:CC length>20 f1<80',
    'tree:"PP > VP" missing:"NP < \\"x\\"" extra:PP class:PP verdict:search',
    "is:differs is:old is:unseen is:gold is:backoff length:10-20 triple:PP,VP,VBD triple:S triple:*,*,NN label:NP",
)
_NAMES = (
    "tag:",
    "label:",
    "triple:",
    "tree:",
    "missing:",
    "extra:",
    "is:",
    "class:",
    "verdict:",
    "length",
    "f1",
    '"',
    "-",
    "<=",
    "NP",
)
_LESSONS = tuple(path.read_bytes() for path in sorted(LESSONS.glob("*.md")))
_LESSON_WORDS = (
    *(
        "- sentence: ",
        "- stage: ",
        "- select: ",
        "- question: ",
        "- what-if: ",
        "- ask: ",
        "- rank: ",
        "- beam: ",
        "- preset: ",
    ),
    *(
        "- model: ",
        "- treebank: ",
        "- format: ",
        "- hint: ",
        "- threshold: ",
        "\n## ",
        "\n# ",
        "\n> ",
        "{F̂ of with}",
        "{score}",
        "{",
    ),
    *(
        "arrow of with",
        "gap before saw",
        "head of with",
        "with -> saw",
        "man.2",
        "better tree 2",
        "on",
        "off",
        "∞",
        "1e400",
    ),
)


def _session(data: bytes) -> None:
    path = workspace.input_file(data, "session.json")
    document, _ = load_document(path)
    model = prepared_model()
    for line in document.lines[:5]:
        plain(line.text)
        length_of(line.text)
        if len(line.text.split()) <= MOST_PARSED and line.what_ifs:
            tagged = read_line(line.text, model, document.gold_tags).tagged
            for what_if in line.what_ifs[:5]:
                _describe(what_if, tagged)
    save_document(document, path)
    if load_document(path)[0] != document:
        raise Broken("a session that was saved is not the one that is opened")


def _describe(what_if: Any, tagged: Any) -> None:
    try:
        check_constraints([what_if], tagged)
    except ConstraintError as error:
        check_refusal(str(error))
    else:
        describe_constraint(what_if, tagged)


def _last_session(data: bytes) -> None:
    preferences = Preferences(workspace.folder_with(data, "last-session.json"))
    last = preferences.last()
    if last is not None:
        preferences.save_last(last)


def _left_behind(data: bytes) -> None:
    folder = workspace.folder_with(data, "recovery-1-1.json")
    (folder / "recovery-1-1.list").write_bytes(json_bytes(_SESSION))
    for problem in Preferences(folder).take_over(True).damaged:
        check_refusal(problem)


def _preferences(data: bytes) -> None:
    preferences = Preferences(workspace.folder_with(data, "window.ini"))
    for name in ("geometry", "processes", "theme", "word-tags", "folder", "recent/models", "export/scale"):
        preferences.bytes(name)
        preferences.text(name)
        preferences.number(name, 1.0)
        preferences.flag(name)
        preferences.names(name)
    if not 1 <= preferences.processes <= 16:
        raise Broken(f"{preferences.processes} processes")
    preferences.add_recent("models", "/c.model")
    preferences.write()


def _lesson(data: bytes) -> None:
    path = workspace.input_file(data, "lesson.md")
    lesson_title(path)
    lesson = read_lesson(path)
    for problem in check_lesson(lesson, path):
        check_refusal(problem.text("lesson.md"))
    for index in range(min(len(lesson.steps), 10)):
        step_settings(lesson, index)
    _check_written(lesson)


def _check_written(lesson: Lesson) -> None:
    text = lesson_text(lesson)
    again = read_lesson(workspace.input_file(text.encode("utf-8", "replace"), "again.md"))
    if lesson_text(again) != text:
        raise Broken("a lesson that was written is not the one that is read")


def _result(data: bytes) -> None:
    path = workspace.input_file(data, "result.json")
    collected = collect([path, path])
    for problem in collected.problems:
        check_refusal(problem)
    collected.table(by_question=True).csv().encode()
    parse_result(data.decode("utf-8", "replace"))


def _filter(data: bytes) -> None:
    text = as_text(data)
    with_term(text, "class", "PP")
    found = ListFilter(text)
    test = found.test(Lexicaliser(load_head_rules()), {})
    for line in (*TREES[:2], *TAGGED, PROSE[0]):
        test(TextLine(line), None)


def _list_file(data: bytes) -> None:
    path = workspace.input_file(data, "input.txt")
    for model in (None, prepared_model()):
        for line in iterate_lines(read_file(path), model, path.name, lambda error: check_refusal(str(error))):
            plain(line.text, 80)
            length_of(line.text)


def _line(data: bytes) -> None:
    read_line(as_text(data)[:2000], prepared_model())


def _live_treebank(data: bytes) -> None:
    all_of(lambda: read_one_tree(as_text(data)), lambda: open_treebank(workspace.input_file(data, "live.ptb")))


def _chart_condition(data: bytes) -> None:
    Condition.parse(as_text(data), ["I", "saw", "the", "man"])


def _start(data: bytes) -> None:
    text = as_text(data)

    def plan(*inputs: str) -> None:
        options = argparse.Namespace(model=None, inputs=inputs, beam=None, preset=None)
        StartPlan(options).sentences(prepared_model())

    all_of(
        lambda: window_size(text),
        lambda: plan(text),
        *(partial(plan, str(workspace.input_file(data, name))) for name in ("some.json", "some.md", "some.txt")),
    )


WINDOW_TARGETS: tuple[Target, ...] = (
    Target(
        "session",
        either(
            json_inputs(_SESSION), json_inputs(_SESSION, indent=1), mutation([json_bytes(_SESSION)], '"', "{", "[", ",")
        ),
        _session,
        prepare=prepared_model,
        examples=[json_bytes(_SESSION)],
    ),
    Target("last-session", json_inputs({**_SESSION, "file": "/tmp/x", "saved": True}), _last_session, weight=0.5),
    Target("left-behind", json_inputs(_RECOVERY), _left_behind, weight=0.3),
    Target(
        "preferences",
        mutation((_INI,), "@ByteArray(", "@Variant(", "@Invalid()", "\\x", "[", "]", "=", "%"),
        _preferences,
        weight=0.5,
    ),
    Target("lesson", mutation(_LESSONS, *_LESSON_WORDS), _lesson, weight=2, examples=_LESSONS),
    Target(
        "exercise-result",
        either(json_inputs(_RESULT), mutation([json_bytes(_RESULT)], '"', "{", "[", "\\ud800")),
        _result,
        examples=[json_bytes(_RESULT)],
        weight=2,
    ),
    Target("filter", mutation(_FILTERS, *_NAMES), _filter, weight=2, examples=[text.encode() for text in _FILTERS]),
    Target(
        "list-file",
        encoded(
            either(
                mutation((*TREES, *TAGGED, *PROSE, *CONLLU), "\n", "/NN", "(S (NN a))"),
                grammar.brackets,
                grammar.conllu,
            )
        ),
        _list_file,
        prepare=prepared_model,
    ),
    Target(
        "line",
        either(grammar.tagged, grammar.brackets, mutation((*TAGGED, *TREES), "/NN", "(")),
        _line,
        prepare=prepared_model,
    ),
    Target(
        "chart-condition", mutation(("NP saw", "3-5", "VP 2-7"), "-", "–", "1", "saw"), _chart_condition, weight=0.5
    ),
    Target("live-treebank", encoded(either(grammar.brackets, mutation(TREES, "(NN a)", "(", ")"))), _live_treebank),
    Target(
        "start",
        encoded(mutation((*PROSE, TREES[0], json_bytes(_SESSION), b"1280x800"), "x", ".json", "/")),
        _start,
        prepare=prepared_model,
    ),
)
