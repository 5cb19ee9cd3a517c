"""The second model in the ledger: every decision with its counts, and a sum that is the score."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from engine.chart.parser import Parser
from engine.estimates.counts_remark import second_model_remark
from engine.estimates.ledger import (
    Decision,
    Factor,
    FactorKind,
    GenerativeSubject,
    Ledger,
    align,
    by_constituent,
    second_model_sum,
)
from engine.estimates.second_model import FLOOR, frame_text, known_by_class, level_contexts
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.treebank_report import judge
from engine.tagger.tagger import TagDistribution
from engine.trees.reading import read_tree
from tests.engine.reranked_models import classroom_trees, reranked_classroom, words_of

CLOSE = 1e-9
SUBJECT, WITH = "(NP (NNP Mary))", "(PP (IN with) (NP (DT the) (NN telescope)))"
HIGH = f"(S {SUBJECT} (VP (VBD saw) (NP (DT the) (NN man)) {WITH}) (. .))"
LOW = f"(S {SUBJECT} (VP (VBD saw) (NP (NP (DT the) (NN man)) {WITH})) (. .))"


def subject_of(factor: Factor) -> GenerativeSubject:
    assert isinstance(factor.subject, GenerativeSubject)
    return factor.subject


def telescope() -> Ledger:
    """All factors of `Mary saw the man with the telescope`, with the telescope that she saw through."""
    return Parser.preset(reranked_classroom(), 5).score(read_tree(HIGH)).ledger


@pytest.mark.parametrize("from_words", [False, True], ids=["gold tags", "tag distribution"])
@pytest.mark.parametrize(
    "changes",
    [{}, {"lexical": False}, {"expected_f1": False}, {"rerank": 0}],
    ids=["preset 5", "no words", "by score", "none"],
)
def test_the_ledger_sums_to_the_score(changes: dict[str, object], from_words: bool) -> None:
    model = reranked_classroom()
    # Rarer tags make trees that are not read as they were built: two conjunctions side by side.
    parser = Parser.preset(model, 5, tag_factor=20.0, **changes)
    compared = decisions = 0
    for tree in classroom_trees()[::2]:
        sentence: TaggedSentence | TagDistribution = words_of(tree)
        if from_words:
            sentence = model.tag(words_of(tree).words)
        for one in parser.parse(sentence, n_best=3).alternatives:
            if one.fallback:
                continue
            ledger = one.ledger()
            assert ledger.total == pytest.approx(one.score, abs=CLOSE)
            assert ledger.log_probability == pytest.approx(one.log_probability, abs=CLOSE)
            scored = parser.score(one.tree, one.distribution, one.further_backoff)
            assert scored.score == pytest.approx(one.score, abs=CLOSE)
            compared += 1
            decisions += len(ledger.second_model)
    assert compared > 60
    assert (decisions > 2000) == bool(parser.settings.rerank)


def test_a_decision_mixes_the_counts_that_it_shows() -> None:
    for factor in telescope().second_model:
        levels = {level.name: level for level in factor.levels}
        different = dict(zip(levels, factor.distinct, strict=True))
        value = levels[FLOOR].estimate
        for name, weight in reversed(list(zip(factor.used, factor.lambdas, strict=False))):
            level = levels[name]
            assert weight == pytest.approx(level.delta / (level.delta + 4 * different[name]), abs=1e-12)
            value = weight * level.estimate + (1 - weight) * value
        assert factor.probability == pytest.approx(value, abs=1e-12)
        assert factor.log == pytest.approx(factor.power * math.log(value), abs=1e-12)
        contexts = level_contexts(subject_of(factor), reranked_classroom().vocabulary)
        assert len(contexts) == len(factor.levels) and all(contexts)


def test_decisions_are_told_as_a_linguist_would() -> None:
    told = [factor.what for factor in telescope().second_model]
    for text in (
        "S is the root of a head tagged VBD",
        "S is the root, headed by saw/VBD",
        "head of VP (saw) is VBD",
        "frame of VP (saw) on the right: {NP}",
        "VP (saw) takes baseNP (man) on the right, next to the head",
        "VP (saw) takes PP (with) on the right, after NP",
        "PP on the right of VP (saw) is headed by with/IN",
        "STOP on the right of VP (saw), after PP",
        "baseNP (man): DT before man/NN",
        "baseNP (man): the/DT before man/NN",
        "baseNP (man): STOP before the/DT",
    ):
        assert text in told
    assert told.index("head of S (saw) is VP") < told.index("head of VP (saw) is VBD")


def test_decisions_stand_by_constituent() -> None:
    second = telescope().second_model
    groups = by_constituent(second)
    assert [subject_of(group[0]).whole for group in groups] == [
        "S (saw)",
        "baseNP (Mary)",
        "VP (saw)",
        "baseNP (man)",
        "PP (with)",
        "baseNP (telescope)",
    ]
    assert [subject_of(factor).number for factor in second] == list(range(len(second)))
    whole = second_model_sum(second)
    assert whole.contribution == pytest.approx(sum(second_model_sum(group).contribution for group in groups))
    assert whole.weight == pytest.approx(reranked_classroom().reranker.generative_weight)  # type: ignore[union-attr]


def test_every_word_is_generated_once() -> None:
    words = (Decision.ROOT_WORD, Decision.MODIFIER_WORD, Decision.BASE_WORD)
    subjects = [subject_of(factor) for factor in telescope().second_model]
    assert Counter(one.place for one in subjects if one.decision in words) == Counter(range(7))


def test_a_rare_word_is_known_by_its_class() -> None:
    parse = Parser.preset(reranked_classroom(), 5).parse("Mary/NNP saw/VBD the/DT blicking/NN ./.")
    classes = {subject_of(factor).outcome: known_by_class(subject_of(factor)) for factor in parse.ledger().second_model}
    assert classes["blicking"] == "a…ing" and classes["saw"] == ""
    texts = [
        text
        for factor in parse.ledger().second_model
        for text in level_contexts(subject_of(factor), parse.model.vocabulary)
    ]
    assert any("a rare word a…ing" in text for text in texts)


def test_frames_are_written_in_braces() -> None:
    assert frame_text(0) == "{}" and frame_text(0b001_000_010) == "{NP, NP, S}"


def test_ledgers_of_two_trees_are_aligned_decision_by_decision() -> None:
    parser = Parser.preset(reranked_classroom(), 5)
    high, low = parser.score(read_tree(HIGH)), parser.score(read_tree(LOW))
    lines, equal = align(high.ledger, low.ledger)
    assert sum(line.difference for line in lines) == pytest.approx(high.ledger.total - low.ledger.total, abs=CLOSE)
    pairs = {
        (line.first.what, line.second.what)
        for line in lines
        if line.kind is FactorKind.GENERATIVE and line.first is not None and line.second is not None
    }
    assert (
        "VP (saw) takes PP (with) on the right, after NP",
        "NP (man) takes PP (with) on the right, next to the head",
    ) in pairs
    assert sum(factor.kind is FactorKind.GENERATIVE for factor in equal) > 15


def test_a_tree_with_labels_that_training_never_had_is_scored() -> None:
    scored = Parser.preset(reranked_classroom(), 5).score(read_tree("(S (XP (NNP Mary)) (VP (VBD saw) (YP (QQ him))))"))
    assert not scored.possible
    assert all(factor.what for factor in scored.ledger)


def test_the_terminal_shows_one_row_or_all() -> None:
    table = telescope()
    brief, whole = table.table(brief=True), table.table()
    count = len(table.second_model)
    assert f"{count} decisions: −" in brief and "takes PP" not in brief
    assert "VP (saw) takes PP (with) on the right, after NP" in whole and " u " in whole and "λ 0." in whole
    assert "sum with second model and features: score" in brief


def test_reports_name_decisions_without_words() -> None:
    parser = Parser.preset(reranked_classroom(), 5)
    names = set()
    for number, tree in enumerate(classroom_trees(), 1):
        judged = judge(parser, tree, number, repair=False)
        assert judged is not None
        names |= {loss.name for loss in judged.factors if loss.kind is FactorKind.GENERATIVE}
    assert any("modifier in VP, right: PP" in name for name in names)


def test_weighted_counts_are_said_to_be_so(classroom: Model) -> None:
    assert second_model_remark(classroom) == ""
    model = reranked_classroom()
    assert second_model_remark(model) == ""
    weighted = Model(
        model.vocabulary,
        model.counts,
        {**model.metadata, "corpora": ["a.ptb", "b.ptb"], "weights": [3, 1]},
        model.rules,
        model.tagger,
        model.reranker,
        model.generative,
    )
    assert second_model_remark(weighted) == (
        "The second model's counts are weighted: every tree counts 3 times in a.ptb, once in b.ptb."
    )
