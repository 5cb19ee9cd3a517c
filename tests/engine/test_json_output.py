"""``parse-engine parse --format json`` prints what ``parse.schema.json`` describes, whatever comes in."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from engine import Parser, TaggedSentence, json_object
from engine.export import FORMATS
from engine.export.parse_json import SCHEMA_FILE
from engine.model.model import Model
from tests.engine.command_runner import Cli
from tests.engine.reranked_models import reranked_classroom, with_scale

VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
JOHN = "John/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
TREE = "(S (NP (DT The) (NN dog)) (VP (VBD slept)) (. .))"
PARSE_KEYS = {"schema", "version", "settings", "words", "tree", "structure", "tokens", "score", "tags_considered"}


@pytest.mark.parametrize(
    ("options", "stdin", "marks"),
    [
        ([], f"{JOHN}\n", [""]),
        (["--n-best", "4"], f"{JOHN}\n", ["alternatives"]),
        (["--input", "text"], "The dog slept.  Mary didn't see\n John.\n", ["text", "text"]),
        (["--input", "trees"], f"{TREE}\n(S (NN a\n{TREE}\n", ["", "error", ""]),
        (["--input", "trees", "--tags", "best"], f"{TREE}\n", [""]),
        ([], "\n   \n./. ,/,\nMary/NNP\n", ["empty", "empty", "", ""]),
        (["--tags", "gold"], "John left/VBD\n/NNP\n(S (NN a))\nMary/NNP\n", ["error", "error", "error", ""]),
        ([], "of/IN ,/, of/IN of/IN ./.\n", ["fallback"]),
        ([], "bar/XYZ left/VBD\n", ["unknown_tags"]),
        (["--beam", "inf", "--preset", "2"], f"{JOHN}\n", [""]),
        (["--preset", "4"], "The saw left the telescope with a duck\n", [""]),
        ([], "John/NNP \udcff/NN\n", ["error"]),
        (["--input", "text"], "John saw \udcff the dog.\n", ["text"]),
        ([], "dog/NN " * 401 + "\n", ["error"]),
    ],
    ids=[
        *("one", "n-best", "text", "broken-tree", "best-tags", "empty", "malformed", "fragments", "unknown-tag"),
        *("no-beam", "distribution", "not-utf-8", "text-not-utf-8", "too-long"),
    ],
)
def test_the_commands_own_output_follows_the_schema(
    cli: Cli, classroom_model: Path, options: list[str], stdin: str, marks: list[str]
) -> None:
    data = stdin.encode("utf-8", "surrogateescape")
    lines = cli("parse", "--model", classroom_model, "--format", "json", *options, stdin=data).lines
    assert len(lines) == len(marks)
    for line, mark in zip(lines, marks, strict=True):
        found = json.loads(line)
        VALIDATOR.validate(found)
        if mark == "error":
            assert set(found) == {"schema", "version", "error"}
            continue
        assert set(found) >= PARSE_KEYS
        assert (found["tree"] is None) == (mark == "empty") == (not found["tokens"])
        assert ("alternatives" in found) == (mark == "alternatives")
        assert ("text" in found) == (mark == "text")
        assert found["fallback"] or mark != "fallback"
        assert bool(found["unknown_tags"]) == (mark == "unknown_tags")


def test_terminal_window_and_python_write_the_same_object(
    cli: Cli, classroom: Model, classroom_model: Path, tmp_path: Path
) -> None:
    for options, n_best in (([], 1), (["--n-best", "3"], 3)):
        parse = Parser.preset(classroom).parse(JOHN, n_best=n_best)
        ran = cli("parse", "--model", classroom_model, "--format", "json", *options, stdin=JOHN)
        assert json.loads(ran.out) == json.loads(FORMATS["json"].write(parse)) == json_object(parse)


def test_every_key_that_is_printed_is_described(cli: Cli, classroom_model: Path) -> None:
    kinds = VALIDATOR.schema["$defs"]
    described = {*kinds["sentence"]["properties"], *kinds["parse"]["properties"]} - {"error"}
    options = ["--input", "text", "--n-best", "3", "--format", "json", "--model", classroom_model]
    found = json.loads(cli("parse", *options, stdin="Mary saw the man with the telescope.").out)
    assert set(found) == described
    for one in found["alternatives"]:
        assert set(one) == set(kinds["parse"]["properties"])


def test_the_schema_refuses_what_lacks_a_part(classroom: Model) -> None:
    found = json_object(Parser.preset(classroom).parse(TaggedSentence(["Mary"], ["NNP"])))
    VALIDATOR.validate(found)
    for key in PARSE_KEYS:
        assert not VALIDATOR.is_valid({other: value for other, value in found.items() if other != key})
    assert not VALIDATOR.is_valid(found | {"text": "Mary"})
    assert not VALIDATOR.is_valid(found | {"error": "no"})


def test_the_second_model_and_the_vote_are_told_where_parses_are_reranked() -> None:
    model = with_scale(reranked_classroom(), 0.02)
    for changes, by_vote in (({}, True), ({"expected_f1": False}, False)):
        parser = Parser.preset(model, 5, **changes)
        parse = parser.parse(JOHN, n_best=3)
        found = json_object(parse)
        VALIDATOR.validate(found)
        features = sum(factor.log for factor in parse.ledger().features)
        second = found["second_model"]
        total = found["log_probability"] + second["weight"] * second["log_probability"] + features
        assert total == pytest.approx(found["score"], abs=1e-9)
        assert (found["votes"] is not None) == by_vote
        if by_vote:
            votes = found["votes"]
            assert votes["expected_f1"] == parse.expected_f1 and votes["highest_score"] >= found["score"]
            assert [one["label"] for one in votes["constituents"]][:2] == ["S", "NP"]
            assert all(0 < one["share"] <= 1 for one in votes["constituents"])
    plain = json_object(Parser.preset(model, 5, rerank=0).parse(JOHN))
    VALIDATOR.validate(plain)
    assert plain["second_model"] is None and plain["votes"] is None
