"""Values of every wrong kind, handed to every door of the engine: one sentence of ours, never a signal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.structure.constraints import Attachment, BaseSpan, Bracket, FixedTag, GapTag

SENTENCE = "John/NNP saw/VBD a/DT dog/NN ./."
FEW: tuple[Any, ...] = (None, True, -1, 3, 10**400, 1.5, math.nan, "", "x", [], [None], object(), np.zeros(3))
MANY: tuple[Any, ...] = (
    *(False, 0, 1, -(10**400), 10**5000, 2**31, 2**63, -(2**63) - 1, math.inf, -math.inf, "\0", "\ud800", "a/b"),
    *("(S (NP", "9" * 500, b"x", [1, "x"], ["a"], (1, 2), {}, {"a": 1}, set(), print, np.int64(3), 3 + 4j, type),
    *(np.float64("nan"), np.array(["a"]), Path("/nowhere/x"), engine.Settings(), range(3), "b/" * 3),
)
OURS = (engine.EngineError, TypeError)

Door = Callable[[engine.Model, Any], object]
"""Takes a value to some place of the engine."""


def _sentence() -> engine.TaggedSentence:
    return engine.TaggedSentence.parse(SENTENCE)


def _tagged(model: engine.Model) -> engine.TagDistribution:
    return model.tag(["John", "saw", "a", "dog", "."])


def _parser(model: engine.Model) -> engine.Parser:
    return engine.Parser.preset(model, 3)


def _tree() -> engine.Tree:
    return engine.read_tree("(S (NP (NNP John)) (VP (VBD left)))")


def _setting(name: str) -> Door:
    return lambda model, value: engine.Parser(model, engine.Settings(**{name: value})).parse(SENTENCE, n_best=2)


def _constraint(kind: Any, good: tuple[object, ...], name: str) -> Door:
    names = [field.name for field in fields(kind)]
    given = dict(zip(names, good, strict=False))
    return lambda model, value: _parser(model).parse(SENTENCE, constraints=[kind(**{**given, name: value})])


CONSTRAINTS: dict[Any, tuple[object, ...]] = {
    GapTag: (1, "S"),
    BaseSpan: (0, 2),
    Attachment: (0, 1),
    Bracket: (0, 2),
    FixedTag: (1, "NN"),
}
DOORS: dict[str, Door] = {
    **{f"Settings.{field.name}": _setting(field.name) for field in fields(engine.Settings)},
    **{
        f"{kind.__name__}.{field.name}": _constraint(kind, good, field.name)
        for kind, good in CONSTRAINTS.items()
        for field in fields(kind)
    },
    "preset": lambda model, value: engine.Parser.preset(model, value).parse(SENTENCE),
    "Parser, model": lambda model, value: engine.Parser(value, engine.Settings()),
    "Parser, settings": lambda model, value: engine.Parser(model, value),
    "parse": lambda model, value: _parser(model).parse(value),
    "parse, n_best": lambda model, value: _parser(model).parse(SENTENCE, n_best=value),
    "parse, constraints": lambda model, value: _parser(model).parse(SENTENCE, constraints=value),
    "parse, a constraint": lambda model, value: _parser(model).parse(SENTENCE, constraints=[value]),
    "parse, trace": lambda model, value: _parser(model).parse(SENTENCE, trace=value),
    "parse, control": lambda model, value: _parser(model).parse(SENTENCE, control=value),
    "score": lambda model, value: _parser(model).score(value),
    "score, tags": lambda model, value: _parser(model).score(_tree(), value),
    "score, back-off": lambda model, value: _parser(model).score(_tree(), None, value),
    "score, label": lambda model, value: _parser(model).score(engine.Tree(value)),
    "score, children": lambda model, value: _parser(model).score(engine.Tree("S", value)),
    "score, word": lambda model, value: _parser(model).score(engine.Tree("S", [engine.Tree("NN", [], value)])),
    "derivations": lambda model, value: _parser(model).derivations(value, 3),
    "derivations, number": lambda model, value: _parser(model).derivations(_sentence(), value),
    "forest": lambda model, value: _parser(model).forest(value, -20.0),
    "forest, threshold": lambda model, value: _parser(model).forest(_sentence(), value),
    "forest, beam": lambda model, value: _parser(model).forest(_sentence(), -20.0, beam=value),
    "forest, back-off": lambda model, value: _parser(model).forest(_sentence(), -20.0, None, 50.0, value),
    "forest, narrowest": lambda model, value: _parser(model).forest(_sentence(), -20.0, narrowest_beam=value),
    "trace_last": lambda model, value: _parser(model).trace_last(value),
    "trace_last, most": lambda model, value: _parser(model).trace_last(None, value),
    "load": lambda model, value: engine.load(value),
    "save": lambda model, value: model.save(value) if not isinstance(value, str) or len(value) != 1 else None,
    "tag": lambda model, value: model.tag(value),
    "tag, a word": lambda model, value: model.tag([value]),
    "tag, tags": lambda model, value: model.tag(["a"], value),
    "tag, a tag": lambda model, value: model.tag(["a"], [value]),
    "read_tagged": lambda model, value: model.read_tagged(value),
    "read_text": lambda model, value: model.read_text(value),
    "with_reranker": lambda model, value: _parser(model.with_reranker(value)).parse(SENTENCE),
    "TaggedSentence, words": lambda model, value: _parser(model).parse(engine.TaggedSentence(value, ["NN"])),
    "TaggedSentence, tags": lambda model, value: _parser(model).parse(engine.TaggedSentence(["a"], value)),
    "TaggedSentence, a word": lambda model, value: _parser(model).parse(engine.TaggedSentence([value], ["NN"])),
    "TaggedSentence, a tag": lambda model, value: _parser(model).parse(engine.TaggedSentence(["a"], [value])),
    "TaggedSentence.parse": lambda model, value: engine.TaggedSentence.parse(value),
    "TaggedSentence.from_tree": lambda model, value: engine.TaggedSentence.from_tree(value),
    "read_tree": lambda model, value: engine.read_tree(value),
    "json_object": lambda model, value: engine.json_object(value),
    "TagDistribution, sentence": lambda model, value: _of(model, value, _tagged(model).choices),
    "TagDistribution, choices": lambda model, value: _of(model, _sentence(), value),
    "TagDistribution, a token": lambda model, value: _of(model, _sentence(), (value,) * 5),
    "TagDistribution, a tag": lambda model, value: _of(model, _sentence(), (((value, 1.0),),) * 5),
    "TagDistribution, a chance": lambda model, value: _of(model, _sentence(), ((("NN", value),),) * 5),
    "evaluate": lambda model, value: engine.evaluate(_parser(model), value),
    "evaluate, a tree": lambda model, value: engine.evaluate(_parser(model), [value]),
    "from_nltk": lambda model, value: engine.from_nltk(value),
    "to_nltk": lambda model, value: engine.to_nltk(value, lambda label, children: label),
}


def _of(model: engine.Model, sentence: Any, choices: Any) -> engine.Parse:
    return engine.Parser.preset(model, 4).parse(engine.TagDistribution(sentence, choices))


def _tried(model: engine.Model, door: Door, value: Any) -> bool:
    """Whether a value is refused; an error that is not ours fails the test."""
    try:
        door(model, value)
    except OURS as error:
        assert str(error) and "\n" not in str(error) and len(str(error)) < 1000
        return True
    return False


@pytest.mark.parametrize("name", DOORS)
def test_a_few_values_of_wrong_kinds(
    classroom: engine.Model, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sum(_tried(classroom, DOORS[name], value) for value in FEW)


@pytest.mark.robust
@pytest.mark.parametrize("name", DOORS)
def test_many_values_of_wrong_kinds(
    classroom: engine.Model, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sum(_tried(classroom, DOORS[name], value) for value in MANY)


def test_what_is_said(classroom: engine.Model) -> None:
    with pytest.raises(engine.EngineError, match=r"^Beam β is a number of at most 1e308, not 1000+…$"):
        engine.Settings(beam=10**400)
    with pytest.raises(TypeError, match=r"^Use words is True or False, not 'no'$"):
        engine.Settings(lexical="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^a sentence is text, a TaggedSentence or a TagDistribution, not 3$"):
        _parser(classroom).parse(3)  # type: ignore[arg-type]
    with pytest.raises(engine.EngineError, match=r"^the number of parses is from 1 to 100, not 101$"):
        _parser(classroom).parse(SENTENCE, n_best=101)
    with pytest.raises(TypeError, match=r"^a parser is made of a Model, not a value of type Settings$"):
        engine.Parser(engine.Settings(), engine.Settings())  # type: ignore[arg-type]
