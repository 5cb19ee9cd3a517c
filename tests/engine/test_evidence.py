"""Evidence: every count of a model is the number of training instances that are shown for it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.common.arrays import Int64Array
from engine.common.errors import Cancelled, EngineError
from engine.counts.contexts import describe_context, describe_outcome, key_width, pack, unpack
from engine.counts.counts_layout import ContextWord
from engine.counts.lookup_kernel import fill_constituent, fill_gap, fill_pair, fill_root, find, key_of, key_range
from engine.counts.specifications_layout import (
    COMMA_BETWEEN,
    CONTEXT_FIELDS,
    DEPENDENCY_BETWEEN,
    DEPENDENCY_PAIR,
    DEPENDENCY_TAGS,
    DISTANCE_ADJACENCY,
    DISTANCE_ANY_COMMAS,
    DISTANCE_ORDER,
    FIELDS,
    GAP_COMMA,
    GAP_PAIR,
    ROOT_ANY,
    ROOT_WORD,
    SPAN_ENDS,
    SPAN_TAGS,
    TABLES,
    UNARY_LABEL,
    UNARY_WORD,
    CountedFactor,
    FieldKind,
)
from engine.counts.tables import table_contexts, table_outcomes
from engine.estimates.estimates_layout import EVEN
from engine.estimates.factors import filled
from engine.estimates.ledger import Factor
from engine.model.model import Model
from engine.rerank.features_layout import UNUSED_WORD
from engine.settings import Settings
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.counted import ANY, EXACT, OTHER, PART, Counted, Sources, count_in, own_treebanks
from engine.study.evidence import Evidence, find_tree, kept_trees, read_trees
from engine.trees.treebank import read_treebank

SENTENCES = (
    "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
    "The/DT teacher/NN ,/, who/WP laughed/VBD ,/, gave/VBD the/DT zebra/NN two/CD books/NNS ./.",
    "Yesterday/NN he/PRP said/VBD that/IN the/DT dog/NN and/CC the/DT cat/NN slept/VBD in/IN Anna/NNP 's/POS room/NN",
)


@pytest.fixture(scope="module")
def evidence(classroom: Model, classroom_treebank: Path) -> Evidence:
    return Evidence(classroom, read_trees([classroom_treebank], classroom.rules))


def every_count(model: Model, table: int) -> Iterator[tuple[int, int, dict[int, int]]]:
    """Every context of a table with its δ, and with its outcomes and their η."""
    found = table_contexts(model.counts, table)
    counted = table_outcomes(model.counts, found)
    etas: list[dict[int, int]] = [{} for _ in found.keys]
    for place, outcome, eta in zip(*(column.tolist() for column in counted), strict=True):
        etas[place][outcome] = eta
    return zip(found.keys.tolist(), found.deltas.tolist(), etas, strict=True)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_every_count_of_the_model_is_the_number_of_instances_shown(
    evidence: Evidence, classroom: Model, table: int
) -> None:
    contexts = 0
    for key, delta, etas in every_count(classroom, table):
        all_instances = evidence.instances(Counted("", table, (key,)))
        assert (len(all_instances), all_instances.weighted) == (delta, delta)
        assert count_in(classroom.counts, Counted("", table, (key,))) == delta
        for outcome, eta in etas.items():
            counted = Counted("", table, (key,), outcome)
            assert len(all_instances.of(outcome)) == eta == count_in(classroom.counts, counted)
        assert len(all_instances.of(ANY)) == sum(etas.values())
        contexts += 1
    assert contexts == len(table_contexts(classroom.counts, table).keys) > 0


def test_the_instances_of_a_table_are_all_there_are(evidence: Evidence, classroom: Model) -> None:
    """All contexts together: every gap, constituent, reduced word and pair is in exactly one context of each table."""
    for table in range(len(TABLES)):
        found = table_contexts(classroom.counts, table)
        instances = evidence.instances(Counted("", table, tuple(found.keys.tolist())))
        assert len(instances) == found.deltas.sum()
        places = [*zip(*(column.tolist() for column in (instances.first, instances.last)), strict=True)]
        if TABLES[table].factor is not CountedFactor.UNARY:
            assert len(set(map(tuple, instances.rows.tolist()))) == len(places)


def test_keys_are_taken_apart_as_they_were_packed(classroom: Model) -> None:
    widths = classroom.counts.widths
    for table, specification in enumerate(TABLES):
        keys = table_contexts(classroom.counts, table).keys
        assert int(keys.max()).bit_length() <= key_width(widths, table) == classroom.counts.places[table, 2]
        parts = unpack(widths, table, keys)
        assert len(parts) == len(specification.fields)
        again = pack(widths, table, {field: parts[FIELDS[field].name] for field in specification.fields})
        assert (again == keys).all()


def contexts_by_factor() -> dict[CountedFactor, tuple[Int64Array, dict[str, int]]]:
    """Of every factor but spans a context with a number of its own in every field, and these numbers by name."""
    modifier, head = ContextWord(11, 2, 5, 6), ContextWord(13, 4, 7, 8)
    words = {"modifier": 11, "modifier tag": 2, "head": 13, "head tag": 4}
    beside = {"before modifier": 5, "after modifier": 6, "before head": 7, "after head": 8}
    near = {"distance": 0b1101101, "order": 3, "between": 9}
    sides = {"left": 11, "left tag": 2, "right": 13, "right tag": 4, "comma": 1, "before": 5, "after": 8}
    over = {"label": 3, "word": 11, "tag": 2, "before": 5, "after": 6, "head-child": 7, "first tag": 4}
    return {
        CountedFactor.DEPENDENCY: (filled(fill_pair, modifier, head, 0b1101101, 9), words | beside | near),
        CountedFactor.GAP: (filled(fill_gap, modifier, head, 1), sides),
        CountedFactor.UNARY: (filled(fill_constituent, 3, modifier, 7, 4), over),
        CountedFactor.ROOT: (filled(fill_root, 11, 2), {"word": 11, "tag": 2, "any": 0}),
    }


def test_a_key_has_the_fields_that_the_specification_names(classroom: Model) -> None:
    """A context with values of its own in every field: each table finds those of its fields, and no others."""
    counts, contexts = classroom.counts, contexts_by_factor()
    reduced = {
        DISTANCE_ANY_COMMAS: 0b1100101,
        DISTANCE_ADJACENCY: 0b1100000,
        DISTANCE_ORDER: 0b1000000,
    }
    for table, specification in enumerate(TABLES):
        if specification.factor is not CountedFactor.SPAN:
            context, values = contexts[specification.factor]
            parts = unpack(counts.widths, table, np.array([key_of(counts.bits, table, context)]))
            for field in specification.fields:
                name = FIELDS[field].name
                assert parts[name] == reduced.get(field, values[name]), (specification.name, name)


@pytest.mark.parametrize("unknown", [-1, UNUSED_WORD])
def test_a_context_with_an_unknown_word_has_no_key_where_the_table_has_the_word(classroom: Model, unknown: int) -> None:
    counts = classroom.counts
    for table, specification in enumerate(TABLES):
        context = np.ones(CONTEXT_FIELDS, np.int64)
        for field in specification.fields:
            if FIELDS[field].kind is FieldKind.WORD:
                context[field] = unknown
                assert key_of(counts.bits, table, context) < 0
                assert key_range(counts.bits, table, context, 1)[2] == 0
                assert find(counts, table, key_of(counts.bits, table, context)) == (0, 0, 0)
                context[field] = 1
        others = set(range(CONTEXT_FIELDS)).difference(specification.fields)
        context[list(others)] = unknown
        assert key_of(counts.bits, table, context) >= 0


def test_contexts_have_the_same_keys_one_by_one_and_as_columns(classroom: Model) -> None:
    bits, widths = classroom.counts.bits, classroom.counts.widths
    rows = np.random.default_rng(1).integers(0, 1 << bits, (50, CONTEXT_FIELDS))
    for table in range(len(TABLES)):
        packed = pack(widths, table, dict(enumerate(rows.T)))
        assert packed.tolist() == [key_of(bits, table, row) for row in rows]


def test_no_context_has_no_instances(evidence: Evidence) -> None:
    """Where a word is unknown there is no key, which is not the same as any key."""
    for table in range(len(TABLES)):
        assert len(evidence.instances(Counted("", table, ()))) == 0


def switched() -> list[Settings]:
    presets = [Settings.preset(number) for number in (1, 2, 3, 5)]
    return [
        *presets,
        Settings.preset(2, distance="order"),
        Settings.preset(3, distance="order"),
        Settings.preset(3, lexical=False),
        Settings.preset(5, lexical=False),
        Settings.preset(5, contexts=False, gap_contexts=False, unary_contexts=False),
    ]


@pytest.mark.parametrize("settings", switched(), ids=range(len(switched())))
def test_every_count_that_is_explained_opens_as_many_instances(
    evidence: Evidence, classroom: Model, settings: Settings
) -> None:
    compared = 0
    for text in SENTENCES:
        parse = engine.Parser(classroom, settings).parse(TaggedSentence.parse(text))
        explainer = parse.explainer()
        sources = Sources(explainer)

        def compare(factor: Factor, counts: Sequence[Counted]) -> None:
            nonlocal compared
            assert [level.name for level in factor.levels] == [counted.level for counted in counts]
            for level, counted in zip(factor.levels, counts, strict=True):
                if level.name == EVEN:
                    # All five gap tags alike: that is no count.
                    assert counted.keys == ()
                    continue
                assert count_in(classroom.counts, counted) == level.eta
                assert count_in(classroom.counts, counted.of(None)) == level.delta
                assert len(evidence.instances(counted)) == level.eta
                assert len(evidence.instances(counted.of(None))) == level.delta
                compared += 1

        for factor in parse.ledger():
            compare(factor if factor.kind != "tag" else replace(factor, levels=()), sources.of(factor, parse.roots))
        for position in range(1, len(explainer.words)):
            for letter in GAP_LETTERS:
                compare(explainer.gap(position, letter), sources.gap(position, letter))
        ruler = explainer.ruler(parse.basenps)
        for modifier in ruler.reduced:
            for candidate in explainer.candidates(modifier, parse.basenps):
                arguments = (modifier, candidate.head, candidate.relation, candidate.distance)
                compare(explainer.dependency(*arguments), sources.dependency(*arguments))
        for root in parse.roots:
            for node in root.walk():
                for parent in (None, "VP", "S"):
                    compare(explainer.unary(node, parent), sources.unary(node, parent))
            compare(explainer.root(root.head, root.label), sources.root(root.head, root.label))
    assert compared > 300


def test_a_sentence_is_shown_with_its_words_marked(evidence: Evidence, classroom: Model) -> None:
    words, tags = classroom.word_numbers, classroom.tag_numbers
    found = table_contexts(classroom.counts, DEPENDENCY_PAIR)
    parts = unpack(classroom.counts.widths, DEPENDENCY_PAIR, found.keys)
    chosen = (parts["modifier"] == words["with"]) & (parts["head"] == words["saw"]) & (found.records >= 0)
    counted = Counted("E1", DEPENDENCY_PAIR, tuple(found.keys[chosen].tolist()), ANY)
    instances = evidence.instances(counted)
    assert len(instances) > 0
    for index in range(len(instances)):
        sentence = evidence.sentence(DEPENDENCY_PAIR, instances, index)
        assert sentence.source == "classroom.ptb"
        marked = {role: (sentence.words[token], sentence.tags[token]) for token, role in sentence.marks.items()}
        assert marked == {"modifier": ("with", "IN"), "head": ("saw", "VBD")}
        assert "‹with›" in sentence.text() and "«saw»" in sentence.text()
        assert sentence.outcome in {f"<{','.join(triple)}>" for triple in classroom.vocabulary.triples}
        again = TaggedSentence.parse(sentence.tagged())
        assert (again.words, again.tags) == (sentence.words, sentence.tags)
    assert "with" in counted.words(classroom) and "saw" in counted.words(classroom)
    assert tags["IN"] in parts["modifier tag"]


def test_a_shown_sentence_is_the_one_at_its_number(
    evidence: Evidence, classroom: Model, classroom_treebank: Path
) -> None:
    trees = [tree.words() for tree in read_treebank([classroom_treebank])]
    instances = evidence.instances(Counted("", ROOT_ANY, (0,), ANY))
    assert len(instances) == len(trees)
    for index, words in enumerate(trees):
        sentence = evidence.sentence(ROOT_ANY, instances, index)
        assert (sentence.number, list(sentence.words)) == (index + 1, words)


def test_constituents_and_spans_are_bracketed(evidence: Evidence, classroom: Model) -> None:
    label, parent = classroom.label_numbers["NP"], classroom.label_numbers[""]
    instances = evidence.instances(Counted("", UNARY_LABEL, (label,), parent))
    shown = [evidence.sentence(UNARY_LABEL, instances, index) for index in range(len(instances))]
    assert all(sentence.span is not None and len(sentence.marks) == 1 for sentence in shown)
    assert all(sentence.text().count("[") == 1 == sentence.text().count("«") for sentence in shown)
    assert {sentence.outcome for sentence in shown} == {"no unary"}
    inside = table_contexts(classroom.counts, SPAN_ENDS)
    spans = evidence.instances(Counted("", SPAN_ENDS, tuple(inside.keys.tolist()), ANY))
    assert len(spans) and {evidence.sentence(SPAN_ENDS, spans, index).outcome for index in range(len(spans))} <= set(
        classroom.vocabulary.phrases
    )


def test_every_context_and_outcome_can_be_told_in_words(classroom: Model) -> None:
    widths, vocabulary = classroom.counts.widths, classroom.vocabulary
    for table in range(len(TABLES)):
        for key, _, etas in list(every_count(classroom, table))[:40]:
            assert describe_context(vocabulary, widths, table, key).strip()
            assert all(describe_outcome(vocabulary, table, outcome) for outcome in etas)
    spans = {describe_context(vocabulary, widths, SPAN_TAGS, key) for key, _, _ in every_count(classroom, SPAN_TAGS)}
    ends = {describe_context(vocabulary, widths, SPAN_ENDS, key) for key, _, _ in every_count(classroom, SPAN_ENDS)}
    assert spans == ends >= {"a span of 1 word in a baseNP", "a span of 2 words in a baseNP"}
    keys = pack(widths, GAP_COMMA, {COMMA_BETWEEN: np.array([1])})
    assert describe_context(vocabulary, widths, GAP_COMMA, int(keys[0])) == "any two words, a comma between"


def test_a_context_without_distance_names_words_that_hold_a_comma(tmp_path: Path) -> None:
    path = tmp_path / "numbers.ptb"
    path.write_text("(S (NP (NNS dogs)) (VP (VBD ate) (NP (CD 10,000))) (. .))\n" * 3)
    model = engine.train([path])
    settings = Settings.preset(3, distance="order")
    parse = engine.Parser(model, settings).parse(TaggedSentence.parse("dogs/NNS ate/VBD 10,000/CD ./."))
    factor = parse.ledger().by_modifier()[2]
    counted = Sources(parse.explainer()).of(factor, parse.roots)[0]
    assert len(counted.keys) > 1
    assert counted.of(None).words(model) == "10,000 → ate: head precedes modifier"


def test_the_classroom_model_knows_its_own_trees(classroom: Model, classroom_treebank: Path) -> None:
    assert own_treebanks(classroom) == [classroom_treebank.resolve()]
    other = Model(classroom.vocabulary, classroom.counts, {"corpora": ["wsj"]}, classroom.rules)
    assert own_treebanks(other) == []


def test_the_right_trees_are_recognised(evidence: Evidence) -> None:
    assert evidence.match.kind == EXACT
    assert "130 sentences" in evidence.match.sentence


def half_files(classroom_treebank: Path, tmp_path: Path) -> tuple[Path, Path]:
    trees = [str(tree) for tree in read_treebank([classroom_treebank])]
    first, second = tmp_path / "first.ptb", tmp_path / "second.ptb"
    first.write_text("\n".join(trees[:60]))
    second.write_text("\n".join(trees[60:]))
    return first, second


def test_a_part_of_the_trees_is_recognised(classroom: Model, classroom_treebank: Path, tmp_path: Path) -> None:
    first, second = half_files(classroom_treebank, tmp_path)
    part = Evidence(classroom, read_trees([first], classroom.rules))
    assert part.match.kind == PART
    assert "60 of the 130 sentences" in part.match.sentence
    both = Evidence(classroom, read_trees([second, first], classroom.rules))
    assert both.match.kind == EXACT
    # Under the model's own numbers, though these trees would have numbered their words otherwise.
    total = 0
    for key, delta, _ in every_count(classroom, DEPENDENCY_PAIR):
        fewer = len(part.instances(Counted("", DEPENDENCY_PAIR, (key,))))
        assert fewer <= delta
        assert len(both.instances(Counted("", DEPENDENCY_PAIR, (key,)))) == delta
        total += fewer
    assert total > 0
    counted = Counted("", ROOT_ANY, (0,))
    assert "60 of the 130" in part.remark(count_in(classroom.counts, counted), part.instances(counted))


def test_other_trees_are_recognised_in_one_sentence(classroom: Model, classroom_treebank: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.ptb"
    path.write_text("(S (NP (NNP Zeno)) (VP (VBD ran)))")
    other = Evidence(classroom, read_trees([path], classroom.rules))
    assert other.match.kind == OTHER
    assert "‘Zeno’" in other.match.sentence and other.match.sentence.count(". ") == 0
    trees = [str(tree) for tree in read_treebank([classroom_treebank])]
    # As many sentences, one of them another: the first twice and the last not at all.
    path.write_text("\n".join([trees[0], *trees[:-1]]))
    swapped = Evidence(classroom, read_trees([path], classroom.rules))
    assert (swapped.match.kind, swapped.trees.sentences) == (OTHER, 130)
    path.write_text("\n".join([*trees, trees[0]]))
    more = Evidence(classroom, read_trees([path], classroom.rules))
    assert more.match.kind == OTHER and "131 sentences" in more.match.sentence


def test_weighted_and_compact_models_are_told_of(classroom_treebank: Path, tmp_path: Path) -> None:
    first, second = half_files(classroom_treebank, tmp_path)
    model = engine.train([first, second], weights=[3, 1], compact=True, tagger=False)
    assert model.metadata["compact"] is True
    for sources in ([first, second], [second, first]):
        evidence = Evidence(model, read_trees(sources, model.rules))
        assert evidence.match.kind == EXACT
        for table in (DEPENDENCY_PAIR, GAP_PAIR, UNARY_WORD, ROOT_WORD, SPAN_TAGS, DEPENDENCY_BETWEEN):
            for key, delta, etas in list(every_count(model, table))[::5]:
                instances = evidence.instances(Counted("", table, (key,)))
                assert len(instances) == delta
                assert {outcome: len(instances.of(outcome)) for outcome in etas} == etas
    counted = Counted("", ROOT_ANY, (0,))
    instances = evidence.instances(counted)
    weighted = count_in(model.counts.weighted, counted)
    assert len(instances) == count_in(model.counts, counted) < instances.weighted == weighted
    remark = evidence.remark(len(instances), instances)
    assert f"Preset (5) counts these {len(instances):,} places {weighted:,} times" in remark
    # A context that the model left out: the trees hold it all the same, and it is said why the model has none.
    full = engine.train([first, second], weights=[3, 1], tagger=False)
    left_out = next(
        key for key, _, etas in every_count(full, DEPENDENCY_PAIR)
        if not etas and count_in(model.counts, Counted("", DEPENDENCY_PAIR, (key,))) == 0
    )  # fmt: skip
    instances = evidence.instances(Counted("", DEPENDENCY_PAIR, (left_out,)))
    assert len(instances) > 0 and "compact" in evidence.remark(0, instances)


def test_an_index_is_kept_and_opened_again(classroom: Model, classroom_treebank: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    first = kept_trees([classroom_treebank], classroom.rules, shares.append, folder=tmp_path)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    (file,) = tmp_path.iterdir()
    written = file.stat().st_size
    number = file.stat().st_ino
    second = kept_trees([classroom_treebank], classroom.rules, folder=tmp_path)
    assert file.stat().st_ino == number, "it was built anew"
    again = Evidence(classroom, second)
    assert again.match.kind == EXACT
    for key, delta, _ in every_count(classroom, DEPENDENCY_TAGS):
        counted = Counted("", DEPENDENCY_TAGS, (key,))
        instances = again.instances(counted)
        assert len(instances) == delta
        one = Evidence(classroom, first).sentence(DEPENDENCY_TAGS, instances, 0) if key % 50 == 0 else None
        assert one is None or one == again.sentence(DEPENDENCY_TAGS, instances, 0)
    # A damaged one is built anew; so is that of a changed file.
    file.write_bytes(file.read_bytes()[: written // 2])
    third = kept_trees([classroom_treebank], classroom.rules, folder=tmp_path)
    assert third.sentences == 130 and file.stat().st_size == written
    other = tmp_path / "classroom.ptb"
    other.write_text(classroom_treebank.read_text() + "\n(S (NP (NNP Zeno)) (VP (VBD ran)))\n")
    assert kept_trees([other], classroom.rules, folder=tmp_path).sentences == 131


def test_reading_can_be_cancelled_and_leaves_nothing(
    classroom: Model, classroom_treebank: Path, tmp_path: Path
) -> None:
    with pytest.raises(Cancelled):
        kept_trees([classroom_treebank], classroom.rules, cancelled=lambda: True, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_no_treebank_is_not_read_to_its_end(classroom: Model, tmp_path: Path) -> None:
    """A sparse file may be longer than any disk."""
    trees = "(S (NP (NNP Zeno)) (VP (VBD ran)))\n" * 200
    for start in ("", trees):
        file = tmp_path / "sparse.ptb"
        file.write_text(start)
        os.truncate(file, 1 << 40)
        began = time.process_time()
        if start:
            found = kept_trees([file], classroom.rules, folder=tmp_path)
            assert found.sentences == 200
        else:
            with pytest.raises(EngineError, match="begins with NUL"):
                kept_trees([file], classroom.rules, folder=tmp_path)
        assert time.process_time() - began < 5


def test_bad_sources_are_one_sentence(classroom: Model, tmp_path: Path) -> None:
    for sources, said in (([], "no training treebank"), (["-"], "standard input"), ([tmp_path / "no"], "no such file")):
        with pytest.raises(EngineError, match=said):
            kept_trees(sources, classroom.rules, folder=tmp_path)
    empty = tmp_path / "empty.ptb"
    empty.write_text("(X (. .))\n")
    with pytest.raises(EngineError, match="no trees in it"):
        read_trees([empty], classroom.rules)


def test_the_tree_of_a_sentence_is_found_in_its_file(
    evidence: Evidence, classroom_treebank: Path, tmp_path: Path
) -> None:
    trees = list(read_treebank([classroom_treebank]))
    instances = evidence.instances(Counted("", ROOT_ANY, (0,), ANY))
    for index in (0, 57, 129):
        sentence = evidence.sentence(ROOT_ANY, instances, index)
        assert str(find_tree(classroom_treebank, sentence.number, sentence.words)) == str(trees[index])
    # In a folder, over several lines, after trees that are no sentences.
    (tmp_path / "a.mrg").write_text("(S (-NONE- *))\n(X (. .))\n( (S (NN x)\n" + trees[0].pretty() + "\n")
    (tmp_path / "b.mrg").write_text(trees[1].pretty() + "\n\n" + trees[2].pretty())
    for number, tree in enumerate(trees[:3], 1):
        if number > 1:
            assert str(find_tree(tmp_path, number, tree.words())) == str(tree)
    assert find_tree(tmp_path, 1, ["no", "such", "words"]) is None
