"""What must hold for any input: hypothesis looks for the one for which it does not."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
import time
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import Cancelled, Control, Model, TaggedSentence, Tree, json_object, read_tree
from engine.chart.parser import Parser
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import BaseNP, analyse, gap_tags, rebuild
from engine.structure.tree_assembly import assemble
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, clean
from tests.waiting import wait_until

PROJECT = Path(__file__).parents[2]
SENTENCES = (
    "John/NNP saw/VBD the/DT dog/NN with/IN a/DT telescope/NN ./.",
    "In/IN the/DT barn/NN ,/, Mary/NNP 's/POS old/JJ friends/NNS ate/VBD blick/NN and/CC cheese/NN ./.",
    "often/RB the/DT the/DT zzz/XX ,/, and/CC",
)


@cache
def lexicaliser() -> Lexicaliser:
    """The project's own head rules."""
    return Lexicaliser(load_head_rules())


# Trees

PHRASES = ("S", "NP", "VP", "PP", "SBAR", "ADJP", "ADVP", "QP", "NML", "PRN", "UCP", "CONJP")
TAGS = ("DT", "NN", "NNS", "NNP", "VBD", "VB", "IN", "TO", "JJ", "RB", "CC", "CD", "POS", "WP", "-LRB-", "MD")
MARKS = (",", ":", ".", "``", "''")

words = st.sampled_from(["a", "b", "c", "'s", "1.18", "-LRB-", "é", "犬"])
leaves = st.builds(Tree, st.sampled_from(TAGS), st.none(), words)
marks = st.sampled_from(MARKS).map(lambda tag: Tree(tag, None, tag))


def phrases(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """A phrase over any of these children, with punctuation among them but never alone."""
    row = st.lists(st.one_of(children, children, children, marks), min_size=1, max_size=4)
    row = row.filter(lambda trees: not all(tree.label in MARKS for tree in trees))
    return st.builds(Tree, st.sampled_from(PHRASES), row)


two_levels = phrases(st.one_of(leaves, phrases(leaves)))
three_levels = phrases(st.one_of(leaves, two_levels))
"""Deeper trees may come back different: a unary chain in a circle (``NP -> VP -> NP``) or a stack of four levels with
modifiers on both sides has the (B, D, U) of another tree.  Of 39,000 treebank trees 4 are such."""


def shape(node: Constituent) -> tuple[object, ...]:
    """Everything about a constituent and those below it."""
    children = tuple(shape(child) for child in node.children)
    return node.label, node.start, node.end, node.head, node.head_child, node.head_label, node.inside, children


@given(three_levels)
@example(read_tree("(S (NP (NP (NN a)) (, ,) (NP (NN b)) (, ,)) (VP (VBD c)))"))
def test_any_small_tree_comes_back_from_its_dependencies(raw: Tree) -> None:
    tree = clean(raw)
    root = lexicaliser().constituent(tree) if tree is not None else None
    if tree is None or root is None:
        return
    sentence = TaggedSentence.from_tree(tree)
    analysis = analyse(root, sentence.proper_tags)
    assert shape(rebuild(analysis)) == shape(root)
    assert len(analysis.dependencies) == len(analysis.reduced)
    assert [arrow.head for arrow in analysis.dependencies].count(0) == 1
    printed = assemble((root,), sentence)
    assert (printed.words(), printed.tags()) == (tree.words(), tree.tags())


@given(three_levels)
def test_the_constituents_of_a_printed_tree_are_those_it_was_printed_from(raw: Tree) -> None:
    """Cleaning, lexicalising and printing settle at once: doing it all again changes nothing."""
    tree = clean(raw)
    root = lexicaliser().constituent(tree) if tree is not None else None
    if tree is None or root is None or root.label in TAGS:
        return
    printed = assemble((root,), TaggedSentence.from_tree(tree))
    again = lexicaliser().constituent(printed)
    assert again is not None
    assert shape(again) == shape(root)


# Sentences

hostile = st.text(
    st.characters(exclude_categories=("Cs", "Zs", "Zl", "Zp", "Cc")), min_size=1, max_size=12
) | st.sampled_from(
    ["/", "//", "1/2", "\\/", "\\*", "\\", "(", ")", "()", "-LRB-", "+", "&", "NPX", "x" * 5000, "👩‍👩‍👧", "̈", "‏"]
)
plain_tags = st.sampled_from([*TAGS, *MARKS, "XX", "NP", "NP&", "S+", "-NONE-"])
tokens = st.tuples(hostile, plain_tags)
sentences = st.lists(tokens, max_size=14)


def tagged(pairs: list[tuple[str, str]]) -> TaggedSentence:
    """A sentence of words as a text can hold them."""
    return TaggedSentence([word for word, _ in pairs], [tag for _, tag in pairs])


@given(sentences)
def test_a_tagged_sentence_can_be_written_and_read(pairs: list[tuple[str, str]]) -> None:
    sentence = tagged(pairs)
    again = TaggedSentence.parse(str(sentence))
    assert again.tags == sentence.tags
    assert again.words == tuple(word.replace("(", "-LRB-").replace(")", "-RRB-") for word in sentence.words)
    assert TaggedSentence.parse(str(again)) == again


@pytest.mark.parametrize("word", ["\\", "a\\", "a\u00a0b", "\u3000", "a\u2028b", "\x1c"])
def test_words_that_a_tree_can_hold_can_be_written(word: str) -> None:
    """The tree reader takes them; so a sentence read from a tree and written as text must come back."""
    tree = read_tree(f"(S (NN {word}) (VBD ran))")
    sentence = TaggedSentence.from_tree(tree)
    assert TaggedSentence.parse(str(sentence)) == sentence


@given(pairs=sentences)
@example(pairs=[])
@example(pairs=[(",", ","), (".", ".")])
@example(pairs=[("a", "NN")])
def test_any_sentence_gets_a_tree_with_every_token(classroom: Model, pairs: list[tuple[str, str]]) -> None:
    sentence = tagged(pairs)
    for preset in (1, 3):
        parse = Parser.preset(classroom, preset).parse(sentence)
        assert tuple(parse.tree.words()) == sentence.words
        assert tuple(parse.tree.tags()) == sentence.tags
        if sentence.words and all(word.isascii() and word.isalnum() for word in sentence.words):
            assert read_tree(parse.tree.brackets()) == parse.tree
        assert parse.log_probability <= 0
        json.dumps(json_object(parse), allow_nan=False)


FAMILIAR = """the/DT dog/NN John/NNP saw/VBD ate/VBD with/IN a/DT telescope/NN and/CC ,/, old/JJ often/RB who/WP
blick/NN to/TO eat/VB was/VBD pizza/NN --/: ./."""
familiar = st.lists(st.sampled_from(FAMILIAR.split()), min_size=1, max_size=12)


@given(pairs=familiar)
def test_base_noun_phrases_gap_tags_and_arrows_agree(classroom: Model, pairs: list[str]) -> None:
    parse = Parser.preset(classroom, 3).parse(" ".join(pairs))
    size = len(parse.sentence.positions)
    gaps = parse.gap_tags
    assert len(gaps) == max(size - 1, 0)
    inside = [False] * size
    for base in parse.basenps:
        assert 0 <= base.start <= base.head < base.end <= size
        assert gaps[base.start : base.end - 1] == "C" * (base.end - base.start - 1)
        assert not any(inside[base.start : base.end])
        inside[base.start : base.end] = [True] * (base.end - base.start)
    for position in range(1, size):
        letter = gaps[position - 1]
        left, right = inside[position - 1], inside[position]
        assert letter in {(True, True): "CB", (True, False): "E", (False, True): "S", (False, False): "N"}[left, right]
    heads = {base.head for base in parse.basenps}
    assert list(parse.reduced) == [place for place in range(size) if not inside[place] or place in heads]
    assert set(parse.heads()) == set(parse.reduced)
    roots = sum(head < 0 for head in parse.heads().values())
    assert roots == len(parse.roots) if parse.fallback else roots == min(size, 1)
    arcs = [sorted((modifier, head)) for modifier, head in parse.heads().items() if head >= 0]
    for low, high in arcs:
        assert not any(low < other_low < high < other_high for other_low, other_high in arcs)


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=12))
def test_gap_tags_tell_the_base_noun_phrases(pieces: list[tuple[int, bool]]) -> None:
    """The tags and whether the first word is in a baseNP give B back."""
    bases, position = [], 0
    for length, is_base in pieces:
        if is_base:
            bases.append(BaseNP(position, position + length, position))
        position += length if is_base else 1
    tags = gap_tags(position, bases)
    found, start = [], 0 if bases and bases[0].start == 0 else None
    for place, tag in enumerate(tags, 1):
        if tag in "EB":
            assert start is not None
            found.append((start, place))
        if tag in "SB":
            start = place
        elif tag in "EN":
            start = None
    if start is not None:
        found.append((start, position))
    assert found == [(base.start, base.end) for base in bases]


@given(pairs=familiar)
def test_the_same_sentence_gives_the_same_parse(classroom: Model, pairs: list[str]) -> None:
    """Working memory is used again; nothing of one sentence is left for the next."""
    parser = Parser.preset(classroom, 3)
    first = parser.parse(" ".join(pairs))
    parser.parse(SENTENCES[1], n_best=10)
    again = parser.parse(" ".join(pairs))
    fresh = Parser.preset(classroom, 3).parse(" ".join(pairs))
    for other in (again, fresh):
        assert (str(other.tree), other.log_probability) == (str(first.tree), first.log_probability)


@given(pairs=familiar, beam=st.sampled_from([1.2, 20.0, 1000.0, math.inf]), literal=st.booleans())
@example(pairs=["eat/VB", "pizza/NN"], beam=1000.0, literal=False)
def test_any_beam_gives_a_parse_whose_ledger_is_its_score(
    classroom: Model, pairs: list[str], beam: float, literal: bool
) -> None:
    parse = Parser.preset(classroom, 3, beam=beam, literal_beam=literal).parse(" ".join(pairs))
    if not parse.fallback:
        assert parse.ledger().total == pytest.approx(parse.log_probability, abs=1e-9)


def test_trees_print_every_token_though_punctuation_is_everywhere(classroom: Model) -> None:
    marks = [(mark, mark) for mark in MARKS]
    pairs = [*marks]
    for word, tag in [("The", "DT"), ("dog", "NN"), ("ate", "VBD"), ("fish", "NN")]:
        pairs += [(word, tag), *marks, *marks]
    sentence = tagged(pairs)
    parses = [Parser.preset(classroom, preset).parse(sentence) for preset in (1, 5)]
    # Fragments under one label, and a tree over the sentence.
    assert [parse.fallback for parse in parses] == [True, False]
    for parse in parses:
        assert tuple(parse.tree.words()) == sentence.words
        runs = [key for key, _ in groupby(parse.tree.tags(), key=lambda tag: tag in PUNCTUATION_TAGS)]
        assert runs == [True, False] * 4 + [True]


# Compiled and interpreted

PARSE_ALL = """
import json, sys
import engine
model = engine.load(sys.argv[1])
assert "numba" not in sys.modules
answers = []
for preset in (1, 3):
    parser = engine.Parser.preset(model, preset)
    for text in sys.argv[2:]:
        for parse in parser.parse(text, n_best=3).alternatives:
            answers.append([parse.log_probability, str(parse.tree), parse.passes, parse.ledger().total])
print(json.dumps(answers))
"""


def test_interpreted_kernels_answer_as_compiled_ones(classroom: Model, classroom_model: Path) -> None:
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=str(PROJECT))
    command = [sys.executable, "-c", PARSE_ALL, str(classroom_model), *SENTENCES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    interpreted = json.loads(done.stdout)
    compiled = []
    for preset in (1, 3):
        parser = Parser.preset(classroom, preset)
        for text in SENTENCES:
            for parse in parser.parse(text, n_best=3).alternatives:
                compiled.append([parse.log_probability, str(parse.tree), parse.passes, parse.ledger().total])
    assert [row[1:3] for row in interpreted] == [row[1:3] for row in compiled]
    for here, there in zip(compiled, interpreted, strict=True):
        assert (here[0], here[3]) == pytest.approx((there[0], there[3]), abs=1e-12)


# Cancelling


def long_sentence() -> str:
    """A sentence that takes the parser a good while."""
    return (
        "John/NNP saw/VBD the/DT dog/NN "
        + "with/IN a/DT telescope/NN and/CC the/DT man/NN who/WP ate/VBD pizza/NN " * 14
    )


def test_cancelling_from_another_thread(classroom: Model) -> None:
    parser = Parser.preset(classroom, 1, beam=math.inf, threshold=-1e6, distance="order", lexical=False)
    before = parser.parse(SENTENCES[0])
    control = Control()
    outcome: list[tuple[object, float]] = []

    def work() -> None:
        found: object
        try:
            found = parser.parse(long_sentence(), control=control)
        except Cancelled as error:
            found = error
        outcome.append((found, time.monotonic()))

    worker = threading.Thread(target=work)
    worker.start()
    wait_until(lambda: control.share > 0.0 or outcome)
    assert not outcome, "the sentence is parsed too fast to be cancelled"
    asked = time.monotonic()
    control.cancel()
    worker.join(timeout=60)
    [(found, ended)] = outcome
    assert isinstance(found, Cancelled) and ended - asked < 2.0
    after = parser.parse(SENTENCES[0])
    assert (str(after.tree), after.log_probability) == (str(before.tree), before.log_probability)
    assert parser.parse(SENTENCES[0], control=Control()).log_probability == before.log_probability


def test_cancelled_before_it_began(classroom: Model) -> None:
    parser = Parser.preset(classroom, 3)
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        parser.parse(SENTENCES[0], control=control)
    assert not parser.parse(SENTENCES[0]).fallback
