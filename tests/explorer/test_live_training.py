"""Live training without its panel: the model is the terminal's, edits are undone, and changes are told rightly."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from engine.chart.parser import Parser
from engine.cli.command_line import main
from engine.common.errors import EngineError
from engine.estimates.ledger import DependencySubject
from engine.explain.changes import NOTHING, EarlierParse, ability, earlier_factors, what_changed
from engine.explain.subjects import ArrowId
from engine.gate.checked_json import CheckedValue
from engine.settings import PRESETS
from engine.trees.tree import Tree
from explorer.classroom.live_training import (
    MOST_TREES,
    NO_TREES,
    NO_WORDS,
    LiveTraining,
    LiveTreebank,
    classroom_treebank,
    open_treebank,
    read_one_tree,
    save_model,
    save_treebank,
    train_on,
)
from explorer.classroom.live_training_panel import change_rows
from explorer.panels.gold_trees import EditError, bracket, relabel, unbracket, walk
from explorer.pictures.facts import look_up
from explorer.session.document import LIVE_NAME
from explorer.session.files import read_document
from explorer.session.preferences import LIVE_TREEBANK, Preferences
from explorer.session.session import Session

NAME = "small.ptb"
SENTENCE = "Mary saw the man with the telescope."
NOUN = (
    "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
)
VERB = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
WITH, SAW, MAN = 4, 1, 3


def by_hand(trees: tuple[Tree, ...], folder: Path) -> bytes:
    """The model that the terminal makes of the same trees."""
    folder.mkdir(exist_ok=True)
    source, target = folder / NAME, folder / "terminal.model"
    save_treebank(trees, source)
    assert main(["train", str(source), "-o", str(target), "--no-record"]) == 0
    return target.read_bytes()


def live(trees: tuple[Tree, ...], folder: Path) -> bytes:
    """The model that live training makes of them."""
    model, problem = train_on(trees, NAME)
    assert model is not None, problem
    model.save(folder / "live.model")
    return (folder / "live.model").read_bytes()


def random_edit(treebank: LiveTreebank, pool: tuple[Tree, ...], dice: random.Random) -> LiveTreebank:
    """One edit that a person could make."""
    kind = dice.choice(("add", "add", "remove", "relabel", "bracket", "unbracket", "first", "replace"))
    if kind == "add" or not treebank.trees:
        return treebank.with_added([dice.choice(pool)])
    at = dice.randrange(len(treebank.trees))
    if kind == "remove":
        return treebank.without([at])
    if kind == "first":
        return treebank.with_first(dice.randint(1, len(treebank.trees)))
    if kind == "replace":
        return treebank.with_replaced(at, dice.choice(pool))
    tree = treebank.trees[at]
    path = dice.choice([path for path, _, _, _ in walk(tree)])
    try:
        if kind == "relabel":
            changed = relabel(tree, path, dice.choice(("NP", "VP", "PP", "NN", "VBD", "X-SBJ")))
        else:
            changed = (
                bracket(tree, path, path, dice.choice(("NP", "ADVP"))) if kind == "bracket" else unbracket(tree, path)
            )
    except EditError:
        return treebank
    return treebank.with_replaced(at, changed)


def edited_treebanks(edits: int, seed: int = 1996) -> Iterator[LiveTreebank]:
    """The classroom's trees, after each of so many random edits."""
    pool, dice = classroom_treebank().trees, random.Random(seed)
    treebank = LiveTreebank("some", pool[:40])
    for _ in range(edits):
        treebank = random_edit(treebank, pool, dice)
        yield treebank


def test_the_model_is_byte_for_byte_that_of_the_terminal_after_random_edits(tmp_path: Path) -> None:
    compared = 0
    for number, treebank in enumerate(edited_treebanks(200), 1):
        if number % 40 == 0:
            assert live(treebank.used, tmp_path) == by_hand(treebank.used, tmp_path / "by hand"), (
                f"after {number} edits"
            )
            compared += 1
    assert compared == 5


@pytest.mark.slow
def test_the_model_is_byte_for_byte_that_of_the_terminal_after_every_one_of_200_edits(tmp_path: Path) -> None:
    compared = 0
    for treebank in edited_treebanks(200, seed=2000):
        if treebank.used:
            assert live(treebank.used, tmp_path) == by_hand(treebank.used, tmp_path / "by hand")
            compared += 1
    assert compared > 150


def test_the_classrooms_trees_make_the_model_of_its_file(tmp_path: Path) -> None:
    treebank = classroom_treebank()
    assert len(treebank.trees) == 130
    save_model(treebank.used, tmp_path / "small.model")
    assert (tmp_path / "small.model").read_bytes() == by_hand(treebank.used, tmp_path / "by hand")
    assert open_treebank(tmp_path / "small.ptb").trees == treebank.trees


def test_no_tree_one_two_and_five_trees() -> None:
    trees = classroom_treebank().trees
    assert train_on((), NAME) == (None, NO_TREES)
    assert train_on((read_one_tree_or_marks("(S (. .))"),), NAME) == (None, NO_WORDS)
    parsed = 0
    for count in (1, 2, 5):
        model, problem = train_on(trees[:count], NAME)
        assert model is not None and not problem
        for preset in PRESETS:
            for sentence in (SENTENCE, "Zorks zork!", "the/DT zork/NN zorked/VBZ"):
                parse = Parser.preset(model, preset).parse(sentence, n_best=3, trace=True)
                look_up(parse)
                assert parse.fallback or parse.ledger().total == pytest.approx(parse.score)
                parsed += 1
    assert parsed == 3 * len(PRESETS) * 3


def read_one_tree_or_marks(text: str) -> Tree:
    """A tree, be it of nothing but punctuation."""
    with pytest.raises(EngineError, match="no word"):
        read_one_tree(text)
    return Tree("S", [Tree(".", word=".")])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no tree in brackets"),
        ("Mary left", "outside"),
        ("(S (NP", "lacks 2 closing"),
        ("(S (NN a)) (S (NN b))", "more than one"),
        ("(S (-NONE- *))", "no word"),
    ],
)
def test_what_is_no_tree_is_said_in_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(EngineError, match=problem):
        read_one_tree(text)


def test_a_large_treebank_is_refused_with_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.ptb"
    path.write_text("(S (NN a))\n" * (MOST_TREES + 1))
    with pytest.raises(EngineError, match=r"2,001 trees.*at most 2,000"):
        open_treebank(path)
    with pytest.raises(EngineError, match="no tree in the file"):
        (tmp_path / "none.ptb").write_text("\n")
        open_treebank(tmp_path / "none.ptb")


def test_removing_keeps_the_first_trees_that_are_trained_on() -> None:
    trees = classroom_treebank().trees[:10]
    treebank = LiveTreebank("some", trees).with_first(5)
    assert treebank.used == trees[:5]
    assert treebank.without([0, 7]).used == trees[1:5]
    assert treebank.with_added([trees[0]]).used == (*trees, trees[0])
    assert treebank.with_first(10).first is None and treebank.with_first(0).used == ()


# What changed


def changes(before: tuple[Tree, ...], now: tuple[Tree, ...], sentence: str = SENTENCE, preset: int = 3) -> EarlierParse:
    """What two treebanks make of a sentence."""
    then, _ = train_on(before, NAME)
    model, _ = train_on(now, NAME)
    assert then is not None and model is not None
    parse = Parser.preset(model, preset).parse(sentence)
    return EarlierParse(parse, Parser.preset(then, preset).parse(sentence), earlier_factors(parse, then))


def test_a_moved_arrow_is_told_first_with_its_counts_before_and_now() -> None:
    noun, verb = read_one_tree(NOUN), read_one_tree(VERB)
    earlier = changes((noun, noun, verb), (noun, noun, verb, verb, verb, verb))
    assert earlier.before is not None
    assert earlier.before.heads()[WITH] == MAN and earlier.now.heads()[WITH] == SAW
    first = what_changed(earlier)[0]
    assert first.id == ArrowId(WITH)
    assert first.text == "with now modifies saw (before: man). With saw as its head: before 1 of 3, now 4 of 6."
    told = {cells[0]: cells for cells in (row.cells for row in change_rows(earlier))}
    assert told["F̂ with → saw"][3] == "1/3 → 4/6"


def test_counts_of_both_models_are_those_of_their_own_explanations() -> None:
    noun, verb = read_one_tree(NOUN), read_one_tree(VERB)
    earlier = changes((noun, noun, verb), (noun, noun, noun, verb))
    compared = 0
    assert earlier.before is not None and earlier.before.heads() == earlier.now.heads()
    own = {factor.subject: factor for factor in earlier.before.ledger()}
    for factor, then in earlier.pairs:
        assert own[factor.subject] == then
        compared += isinstance(factor.subject, DependencySubject)
    assert compared >= 4
    assert earlier.factor_before(earlier.pairs[0][0]) in (None, earlier.pairs[0][1])


def test_an_edit_that_has_no_part_in_the_sentence_changes_nothing() -> None:
    noun = read_one_tree(NOUN)
    earlier = changes((noun, noun), (noun, noun))
    assert [one.text for one in what_changed(earlier)] == [NOTHING]
    assert [row.cells[0] for row in change_rows(earlier)] == ["log P of the best parse"]


def test_a_word_that_comes_and_goes_is_named() -> None:
    trees = classroom_treebank().trees
    zork = read_one_tree("(S (NP (NNP Zork)) (VP (VBD slept)) (. .))")
    told = [one.text for one in what_changed(changes(trees, (*trees, zork), "Zork slept."))]
    assert "Zork is among the trees now." in told
    told = [one.text for one in what_changed(changes((*trees, zork), trees, "Zork slept."))]
    assert "Zork is no longer among the trees." in told


@pytest.mark.parametrize("preset", PRESETS)
def test_changes_are_told_under_every_preset(preset: int) -> None:
    trees = classroom_treebank().trees
    told = what_changed(changes(trees[:30], trees, preset=preset))
    assert told and all(one.text.endswith(".") for one in told)


# Edits are undone


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    yield made
    made.close()


def training_of(session: Session, folder: Path) -> LiveTraining:
    """Live training in a session."""
    return LiveTraining(session, Preferences(folder), session)


EDITS = st.lists(
    st.tuples(st.sampled_from(("add", "remove", "replace", "first", "stop")), st.integers(0, 1000)), max_size=12
)


@given(edits=EDITS)
def test_edits_are_undone_one_by_one_and_made_again(qtbot: QtBot, tmp_path: Path, edits: list[tuple[str, int]]) -> None:
    pool = classroom_treebank().trees[:20]
    session = Session()
    training = training_of(session, tmp_path)
    training.start(LiveTreebank("some", pool[:3]))
    stack = session.editor.undo_stack
    states = {stack.index(): (training.treebank, training.live)}
    for kind, number in edits:
        size = len(training.treebank.trees) if training.treebank is not None else 0
        if training.treebank is None:
            training.start(LiveTreebank("some", pool[:2]))
        elif kind == "add":
            training.add([pool[number % 20]])
        elif kind == "remove" and size:
            training.remove([number % size])
        elif kind == "replace" and size:
            training.replace_tree(number % size, pool[number % 20])
        elif kind == "first" and size:
            training.set_first(number % (size + 1))
        elif kind == "stop":
            training.stop()
        states[stack.index()] = (training.treebank, training.live)
    last = stack.index()
    for index in (*range(last - 1, 0, -1), *range(1, last + 1)):
        stack.setIndex(index)
        assert (training.treebank, training.live) == states[index]
    stack.setIndex(0)
    assert training.treebank is None and not session.editor.document.live
    session.close()
    session.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_the_model_of_the_session_follows_and_goes_back(
    qtbot: QtBot, session: Session, classroom_path: Path, tmp_path: Path
) -> None:
    session.loader.open_model(classroom_path, undoable=False)
    qtbot.waitUntil(lambda: session.parses.model is not None)
    before = session.parses.model
    session.editor.edit_text(SENTENCE)
    training = training_of(session, tmp_path)
    training.start(LiveTreebank("some", (read_one_tree(NOUN),)))
    qtbot.waitUntil(lambda: not training.busy and session.parses.is_complete)
    document = session.editor.document
    assert session.parses.model is training.model is not before
    assert document.model_name == LIVE_NAME and document.model == str(classroom_path)
    assert session.parses.provenance is not None and LIVE_NAME in str(session.parses.provenance)
    # No session file speaks of a model that has no file.
    assert read_document(CheckedValue(document.as_dict())) == document.with_model(str(classroom_path))
    assert (tmp_path / LIVE_TREEBANK).read_text() == f"{NOUN}\n"
    result = session.parses.result
    assert result is not None and ability(result.parse) == "It has seen every word of the sentence."
    training.stop()
    qtbot.waitUntil(lambda: session.parses.is_complete)
    assert session.parses.model is before and session.view.earlier is None


def test_an_empty_treebank_says_what_it_cannot_do(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.editor.edit_text(SENTENCE)
    training = training_of(session, tmp_path)
    training.start(LiveTreebank())
    qtbot.waitUntil(lambda: not training.busy)
    assert session.parses.model is None and session.parses.result is None
    assert session.parses.problem == training.problem == NO_TREES
    training.add([read_one_tree(VERB)])
    qtbot.waitUntil(lambda: not training.busy and session.parses.is_complete)
    assert not session.parses.problem
    parse = session.parses.shown
    assert parse is not None and parse.tree == read_one_tree(VERB)
    qtbot.waitUntil(lambda: session.view.earlier is not None)
    assert session.view.earlier is not None
    [told] = what_changed(session.view.earlier)
    assert told.text.startswith("Before, there was no parse")


def test_a_pinned_model_stays_what_is_compared_with(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.editor.set_preset(3)
    session.editor.edit_text(SENTENCE)
    training = training_of(session, tmp_path)
    noun, verb = read_one_tree(NOUN), read_one_tree(VERB)

    def done() -> bool:
        earlier = session.view.earlier
        return (
            not training.busy
            and session.parses.is_complete
            and (earlier is None or earlier.now is session.parses.shown)
        )

    training.start(LiveTreebank("some", (noun, verb, verb)))
    qtbot.waitUntil(done)
    training.pin()
    pinned = training.model
    for _ in range(2):
        training.add([noun])
        qtbot.waitUntil(lambda: done() and session.view.earlier is not None)
    earlier = session.view.earlier
    assert earlier is not None and earlier.before is not None and earlier.before.model is pinned
    assert training.pinned_trees == 3
    training.pin(False)
    qtbot.waitUntil(lambda: done() and session.view.earlier is not earlier)
    assert session.view.earlier is not None and session.view.earlier.before is not None
    assert session.view.earlier.before.model is not pinned
