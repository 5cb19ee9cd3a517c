"""Table 4, "for `no lexical information' all estimates are based on POS tags alone": no word can change a parse."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.estimates.ledger import FactorKind, FeatureSubject
from engine.model.model import Model
from engine.settings import PRESETS, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank
from tests.engine.small_models import (
    MATERIALS,
    UNKNOWN,
    WORDS,
    Material,
    classroom_material,
    dense_material,
    random_reranker,
)
from tests.trained import trained

CLOSE = 1e-9
EVERYDAY = Path(__file__).parents[2] / "resources" / "examples" / "everyday.ptb"

INSIDES = """
(S (NP (PRP They)) (VP (VBP see) (NP (DT the) (QP (RB about) (CD fifty)) (NNS dogs))) (. .))
(S (NP (PRP They)) (VP (VBP see) (NP (DT the) (QP (RB about) (CD fifty)) (NNS cats))) (. .))
(S (NP (PRP They)) (VP (VBP see) (NP (DT the) (RB very) (CD few) (NNS dogs))) (. .))
(S (NP (PRP They)) (VP (VBP see) (NP (DT the) (RB very) (CD few) (NNS dogs))) (. .))
(S (NP (PRP They)) (VP (VBP see) (NP (DT the) (RB very) (CD few) (NNS cats))) (. .))
"""
"""Trees in which the words alone say whether RB CD is a phrase within the baseNP; more often it is not."""


def without_words(sentence: TaggedSentence) -> TaggedSentence:
    """The sentence with an unknown word for every token, punctuation included."""
    return TaggedSentence([f"{UNKNOWN}{number}" for number in range(len(sentence))], sentence.tags)


def shape(tree: Tree) -> Any:
    """Labels and tags of a tree, without its words."""
    return (tree.label, tuple(shape(child) for child in tree.children))


def facts(parse: Parse) -> list[Any]:
    """All that a parse and its ledger say but for the words: of every parse in its list."""
    return [
        (
            shape(one.tree),
            one.score,
            one.log_probability,
            one.fallback,
            [
                (
                    factor.key,
                    factor.subject.text if isinstance(factor.subject, FeatureSubject) else "",
                    factor.levels,
                    factor.used,
                    factor.lambdas,
                    factor.probability,
                    factor.ratios,
                    factor.whole,
                )
                for factor in one.ledger()
            ],
        )
        for one in parse.alternatives
    ]


@cache
def insides() -> Model:
    return trained([read_tree(line) for line in INSIDES.strip().splitlines()])


@cache
def reranking(material: str) -> Model:
    """A model of either material with a re-ranker, half of whose features look at words."""
    model = (dense_material if material == "dense" else classroom_material)().model
    return model.with_reranker(random_reranker(model, 3.0))


@MATERIALS
@pytest.mark.parametrize("preset", PRESETS)
def test_other_words_change_nothing(material: Any, preset: int) -> None:
    found: Material = material()
    parser = Parser.preset(found.model, preset, lexical=False)
    whole = 0
    for sentence in found.sentences[:150]:
        parse = parser.parse(sentence, n_best=3)
        assert facts(parser.parse(without_words(sentence), n_best=3)) == facts(parse), str(sentence)
        for one in parse.alternatives:
            assert one.ledger().total == pytest.approx(one.score, abs=CLOSE)
        whole += not parse.fallback
    assert whole > 40


@pytest.mark.parametrize("preset", [3, 5])
def test_nor_with_a_model_of_real_text(preset: int) -> None:
    """The bundled model has everything: a re-ranker, phrases within baseNPs, words that head sentences."""
    model = Model.load("english")
    parser = Parser.preset(model, preset, lexical=False)
    compared = 0
    for tree in read_treebank([EVERYDAY]):
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = TaggedSentence.from_tree(cleaned)
        assert facts(parser.parse(without_words(sentence))) == facts(parser.parse(sentence)), str(sentence)
        compared += 1
    assert compared == 50


TOKENS = st.sampled_from([(word, tag) for tag, words in WORDS.items() for word in [*words.split(), UNKNOWN]])
MARKS = st.sampled_from([(",", ","), (":", ":"), ("?", "."), (".", "."), ("''", "''")])


@given(
    tokens=st.lists(TOKENS | TOKENS | MARKS, min_size=1, max_size=9),
    preset=st.sampled_from(PRESETS),
    distance=st.sampled_from(["full", "order"]),
    rerank=st.sampled_from([0, 5]),
    n_best=st.sampled_from([1, 4]),
)
def test_nor_in_any_sentence(
    tokens: list[tuple[str, str]], preset: int, distance: str, rerank: int, n_best: int
) -> None:
    sentence = TaggedSentence([word for word, _ in tokens], [tag for _, tag in tokens])
    settings = Settings.preset(preset, lexical=False, rerank=rerank)
    if preset < 5:
        settings = replace(settings, distance=distance)
    parser = Parser(reranking("dense"), settings)
    parse = parser.parse(sentence, n_best=n_best)
    assert facts(parser.parse(without_words(sentence), n_best=n_best)) == facts(parse)
    assert parse.ledger().total == pytest.approx(parse.score, abs=CLOSE)


def test_phrases_within_basenps_are_restored_from_tags_alone() -> None:
    text = "They/PRP see/VBP the/DT about/RB fifty/CD dogs/NNS ./."
    with_words, without = (
        Parser.preset(insides(), 3, lexical=lexical).parse(text).tree.brackets() for lexical in (True, False)
    )
    assert "(QP (RB about) (CD fifty))" in with_words
    assert "QP" not in without


def test_the_root_is_estimated_from_its_tag_alone() -> None:
    model = classroom_material().model
    text = "Mary/NNP saw/VBD the/DT man/NN ./."
    roots = []
    for lexical in (True, False):
        factors = Parser.preset(model, 3, lexical=lexical).parse(text).ledger().factors
        [root] = [factor for factor in factors if factor.kind is FactorKind.ROOT]
        roots.append(root)
    (word, tag, anything), (no_word, same_tag, same_anything) = (root.levels for root in roots)
    assert word.delta > 0 and (no_word.eta, no_word.delta) == (0, 0)
    assert (tag, anything) == (same_tag, same_anything)
    assert roots[0].probability != roots[1].probability


def test_the_re_ranker_weighs_no_feature_with_a_word() -> None:
    """What is left are features of labels, tags and punctuation, each with the weight that it had."""
    model, seen = reranking("classroom"), 0
    # A question mark has the tag of a full stop and counts as one, which gives other features.
    sentences = [sentence for sentence in classroom_material().sentences if "?" not in sentence.words]
    for sentence in sentences[:80]:
        weights = []
        for lexical in (True, False):
            parser = Parser.preset(model, 3, lexical=lexical, rerank=5)
            scored = parser.score(Parser.preset(model, 3).parse(sentence).tree)
            weights.append(
                {
                    (factor.subject.template, factor.subject.values): factor.probability
                    for factor in scored.ledger
                    if isinstance(factor.subject, FeatureSubject)
                }
            )
        every, left = weights
        assert left.items() <= every.items()
        words = set(sentence.proper_words)
        assert not any(f"‘{word}’" in values for _, values in left for word in words)
        seen += len(left) < len(every)
    assert seen > 20
