"""How a sentence is made ready for the parser: the same way in every command, in the window and in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import Parser, SentenceError, TaggedSentence, read_tree
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.tagged_sentence import MOST_WORDS
from engine.study.evaluation import evaluate_sentence
from engine.study.treebank_report import judge, tree_judge
from engine.tagger.tagger import prune_lattice
from tests.engine.command_runner import Cli

WORDS = ["xyzzy", "qwerty", "plugh", "frobnicate", "foo", "quux"]
NONSENSE = f"(S {' '.join(f'(NN {word})' for word in WORDS)})"
TOO_LONG = f"(S {' '.join(['(NN dog)'] * (MOST_WORDS + 1))})"
FACTOR = 1e4


@pytest.fixture
def parser(classroom: Model) -> Parser:
    return Parser.preset(classroom, 4, tag_factor=FACTOR)


def test_the_parser_prunes_the_lattice_itself(classroom: Model, parser: Parser) -> None:
    lattice = classroom.tag(WORDS)
    pruned = prune_lattice(lattice, FACTOR)
    held = sum(map(len, pruned.readings(FACTOR)))
    assert held < sum(map(len, lattice.readings(FACTOR)))
    prepared = parser.prepare(lattice)
    assert prepared == pruned and parser.prepare(prepared) is prepared
    for sentence in (lattice, pruned, " ".join(WORDS)):
        parse = parser.parse(sentence)
        assert parse.tags_considered == held and parse.distribution == pruned
    # Whoever takes the best sequence has no lattice to prune.
    assert Parser.preset(classroom, 3).prepare(lattice) is lattice


def test_every_command_parses_the_same_sentence(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    bank, parses = tmp_path / "bank.ptb", tmp_path / "parses"
    bank.write_text(f"{NONSENSE}\n{TOO_LONG}\n")
    options = ["--model", classroom_model, "--preset", "4", "--tags", "distribution", "--tag-factor", FACTOR]
    parsed = cli("parse", bank, "--input", "trees", *options)
    assert parsed.status == 1 and parsed.lines[1] == "" and "401 words is too long" in parsed.err
    evaluated = cli("evaluate", bank, *options, "--output", parses, "--json")
    assert parses.read_text() == parsed.out
    found = json.loads(evaluated.out)
    assert (evaluated.status, found["sentences"], found["left_out"]) == (0, 1, 1)
    compared = json.loads(cli("compare", bank, *options, "--max-length", 1000, "--json", "-").out)
    assert [one["parse"] for one in compared["judgements"]] == parsed.lines[:1] and compared["left_out"] == 1


def test_a_sentence_that_is_too_long_is_refused_wherever_it_comes_from(classroom: Model, parser: Parser) -> None:
    tree = read_tree(TOO_LONG)
    sentence = TaggedSentence.from_tree(tree)
    for refused in (sentence, classroom.tag(sentence.words, sentence.tags), str(sentence)):
        with pytest.raises(SentenceError, match="401 words is too long"):
            parser.parse(refused)
    assert evaluate_sentence(parser, tree).score is None
    with pytest.raises(SentenceError):
        judge(parser, tree)
    assert tree_judge(classroom, Settings.preset(4))((1, TOO_LONG)) is None
