"""Equation (8) for every arrow of a parse, P(D|S,B) of equations (4) and (9), λ by name, what levels are based on."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import Model, Parser, TaggedSentence, json_object, load
from engine.common.numbers import chance, number
from engine.common.tables import text_table
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import ROOT, FactorKind, dependency_probabilities
from engine.explain.attachments import pair_basis
from engine.export.parse_json import MOST_ALTERNATIVES
from engine.settings import Settings
from engine.structure.dependencies import Relation, analyse
from tests.engine.command_runner import Cli
from tests.engine.recount_material import Material, dense, plain, unseen
from tests.engine.test_paper_estimates import fish_model
from tests.engine.test_parser_properties import familiar, sentences, tagged

JOHN = "John/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
LONG = "Mary/NNP saw/VBD the/DT old/JJ man/NN with/IN a/DT telescope/NN in/IN the/DT park/NN ./."
PARK = "Mary saw the man with the telescope in the park."
FLIES = "Time flies like an arrow."
FRAGMENTS = "foo/XYZ bar/XYZ ./."


# Numbers


def test_a_parse_worked_out_by_hand() -> None:
    """`with` modifies `ate` with F̂ = 19/28 or `fish` with 4/9; every other word has one place to go."""
    parse = Parser.preset(fish_model(), 1).parse("I/PRP ate/VBD fish/NN with/IN forks/NNS")
    found = {one.modifier: one for one in parse.dependency_probabilities()}
    attached = found[3]
    assert (attached.head, attached.relation) == (1, Relation("PP", "VP", "VBD"))
    assert attached.factor is not None and attached.factor.probability == pytest.approx(19 / 28)
    assert attached.probability == pytest.approx((19 / 28) / (19 / 28 + 4 / 9))
    (other,) = attached.alternatives
    assert (other.head, other.relation) == (2, Relation("PP", "NP", "NP"))
    assert other.estimate == pytest.approx(4 / 9)
    assert [found[position].probability for position in (0, 2, 4)] == pytest.approx([1, 1, 1])
    # The verb headed all four sentences: F̂(<S> | ate) is the factor of the ledger, and its probability.
    root = parse.ledger().by_modifier()[1]
    assert (found[1].head, found[1].probability, found[1].factor) == (ROOT, root.probability, root)
    expected = math.log((19 / 28) / (19 / 28 + 4 / 9)) + root.log
    assert parse.dependency_probabilities().log_probability == pytest.approx(expected)


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("material", [unseen(), dense()], ids=["unseen", "dense"])
def test_the_recounts_product_is_the_same(material: Material, number: int) -> None:
    """Equations (4) and (9) computed a second time, for the right tree of every sentence."""
    compared = 0
    for mine, tree in zip(material.sentences, material.trees, strict=True):
        product = 1.0
        for j, (head, relation) in mine.arrows.items():
            if head:
                product *= material.recount.attachments(number, mine, j).get((head, relation), 0.0)
            else:
                product *= material.recount.root_arrow(mine.words[mine.reduced[j - 1]], relation[0]).value
        scored = material.parser(number).score(tree)
        explainer = Explainer(material.model, Settings.preset(number), scored.sentence)
        analysis = analyse(scored.root, scored.sentence.proper_tags)
        reduced = analysis.reduced
        found = dependency_probabilities(
            [
                (reduced[arrow.modifier - 1], reduced[arrow.head - 1] if arrow.head else ROOT, arrow.relation)
                for arrow in analysis.dependencies
            ],
            explainer.arrows((scored.root,)),
            {position: explainer.candidates(position, analysis.basenps) for position in reduced},
        )
        heads = [(mine.reduced[head - 1] if head else ROOT, relation) for head, relation in mine.arrows.values()]
        assert heads == [(one.head, plain(one.relation)) for one in found]
        assert found.log_probability == pytest.approx(math.log(product) if product else -math.inf, rel=1e-9)
        compared += product > 0
    assert compared > 20


@given(pairs=st.one_of(sentences, familiar.map(lambda words: TaggedSentence.parse(" ".join(words)))))
@example(pairs=[])
@example(pairs=TaggedSentence.parse(FRAGMENTS))
@example(pairs=TaggedSentence.parse(LONG))
def test_the_probabilities_of_any_word_sum_to_1(
    classroom: Model, pairs: list[tuple[str, str]] | TaggedSentence
) -> None:
    sentence = pairs if isinstance(pairs, TaggedSentence) else tagged(pairs)
    for preset in (1, 3, 5):
        parse = Parser.preset(classroom, preset).parse(sentence)
        found = parse.dependency_probabilities()
        assert [(one.modifier, one.head, one.relation) for one in found] == list(parse.arrows)
        assert [one.modifier for one in found] == list(parse.reduced)
        factors = parse.ledger().by_modifier()
        for one in found:
            assert one.factor == factors.get(one.modifier)
            shares = [candidate.probability for candidate in one.candidates]
            assert math.isclose(math.fsum(shares), 1.0, rel_tol=1e-9) or not shares
            assert shares == sorted(shares, reverse=True) and all(share > 0 for share in shares)
            if one.head != ROOT:
                assert one.factor is not None
                total = math.fsum(candidate.estimate for candidate in one.candidates)
                assert one.probability == pytest.approx(one.factor.probability / total)
                assert len(one.alternatives) == len(one.candidates) - 1
        # A ledger's sum, which has F̂ itself, is the score as before.
        assert parse.ledger().total == pytest.approx(parse.score, abs=1e-9)
        if parse.fallback and len(found):
            assert found.log_probability is None
        else:
            product = math.prod(one.probability or 0.0 for one in found)
            assert found.log_probability == pytest.approx(math.log(product), abs=1e-9)


def test_lambdas_have_the_papers_names_or_those_of_their_levels(classroom: Model) -> None:
    seen: set[str] = set()
    for one in Parser.preset(classroom, 3).parse(LONG).dependency_probabilities():
        assert one.factor is not None
        if one.head == ROOT:
            assert [weight.name for weight in one.factor.weights] == ["λ(word+tag)", "λ(tag)"]
            continue
        levels = {level.name: level.delta for level in one.factor.levels}
        if levels["E1"]:
            expected = [("λ1", "E1", levels["E1"] / (levels["E1"] + 1))]
        elif pool := levels["E2"] + levels["E3"]:
            expected = [("λ2", "E23", pool / (pool + 1))]
        else:
            expected = []
        assert list(one.factor.weights) == expected
        seen.update(weight.name for weight in one.factor.weights)
    assert seen == {"λ1", "λ2"}
    for one in Parser.preset(classroom, 5).parse(LONG).dependency_probabilities():
        assert one.factor is not None
        assert [weight.name for weight in one.factor.weights] == [f"λ({level})" for level in one.factor.used[:-1]]
        assert tuple(weight.value for weight in one.factor.weights) == one.factor.lambdas


def test_a_level_is_based_on_no_tag_that_its_count_ignores(classroom: Model) -> None:
    """Section 2.7: under models (3) and (4) "POS tags only being used when backing off from lexical information"."""
    with_tags = ("with/IN, saw/VBD", "with/IN, VBD", "IN, saw/VBD", "IN, VBD")
    words_alone = ("with, saw", "with, VBD", "IN, saw", "IN, VBD")
    for preset, expected in ((1, with_tags), (2, with_tags), (3, words_alone), (4, words_alone), (5, with_tags)):
        parse = Parser.preset(classroom, preset).parse(JOHN)
        explainer = parse.explainer()
        distance = explainer.ruler(parse.basenps).distance(4, 1)
        basis = pair_basis(explainer.words, explainer.tags, 4, 1)
        contexts = explainer.dependencies.contexts(4, 1, distance.code)
        found = tuple(basis.of(context.level, context.table) for context in contexts)
        assert found[:4] == expected
        if preset == 5:
            assert found[-3:] == (
                "IN, VBD, tags beside with",
                "IN, VBD, tags beside saw",
                "IN, VBD, kinds of words between",
            )


def test_a_factor_is_called_by_its_own_symbol() -> None:
    """F̂ is no probability of an attachment, P̂ is one of a gap tag and of a unary."""
    assert {kind: kind.symbol for kind in FactorKind} == {
        "tag": "P", "gap": "P̂", "dependency": "F̂", "unary": "P̂", "root": "F̂", "feature": "",
        "second model": "P",
    }  # fmt: skip


# The terminal


@pytest.mark.parametrize("preset", [1, 3, 5])
def test_explain_tells_f_lambdas_and_equation_8_of_dependencies_and_alternatives(
    cli: Cli, classroom: Model, classroom_model: Path, preset: int
) -> None:
    parse = Parser.preset(classroom, preset).parse(LONG)
    ran = cli("explain", LONG, "--model", classroom_model, "--preset", preset)
    everything = cli("explain", LONG, "--model", classroom_model, "--preset", preset, "--all")
    probabilities = parse.dependency_probabilities()
    assert probabilities.log_probability is not None
    assert f"log P(D|S,B) {number(probabilities.log_probability)}" in ran.out
    body = ran.out[ran.out.index("Dependencies\n") : ran.out.index("Ledger\n")]
    assert max(map(len, body.split("\n"))) <= 120
    rows = [line.split() for line in body.split("\n")]
    all_rows = [line.split() for line in everything.out.split("\n")]
    words = parse.sentence.proper_words
    explainer = parse.explainer()
    for one in probabilities:
        assert one.factor is not None and one.probability is not None
        numbers = [chance(one.factor.probability), number(one.factor.log), chance(one.probability)]
        (row,) = [row for row in rows if words[one.modifier] in row[1:2] and str(one.relation) in row]
        assert numbers == row[row.index(str(one.relation)) + 1 :][:3]
        for weight in one.factor.weights[:2]:
            assert weight.name in row
        for place, other in enumerate(one.alternatives):
            factor = explainer.dependency(one.modifier, other.head, other.relation, other.distance)
            shown = [words[other.head], str(other.relation), chance(other.estimate), number(factor.log)]
            shown.append(chance(other.probability))
            found = [row for row in all_rows if row[:1] in (["or"], ["if"]) and all(cell in row for cell in shown)]
            assert found and all(weight.name in found[0] or "λ(" in weight.name for weight in factor.weights)
            if place < 3:
                assert any(all(cell in row for cell in shown) for row in rows)


def test_no_attachment_has_a_log_p(cli: Cli, classroom_model: Path) -> None:
    """The word is the whole parse's, or P(D|S,B)'s."""
    out = cli("explain", JOHN, "--model", classroom_model, "--preset", "3").out
    # The headlines before the parse tell what the whole tree costs.
    tables = out[out.index("Parse\n") :].split("\n")
    assert [line for line in tables if "log P" in line and "sum:" not in line] == [
        line for line in tables if line.startswith("log P(D|S,B)")
    ]
    assert "log F̂" in out
    ledger = out[out.index("Ledger\n") :].split("\n")
    assert ledger[2].split()[:3] == ["factor", "what", "log"]
    assert any(line.startswith("dependency F̂") for line in ledger) and any(line.startswith("gap P̂") for line in ledger)


def test_explain_of_fragments_has_no_product(cli: Cli, classroom_model: Path) -> None:
    out = cli("explain", FRAGMENTS, "--model", classroom_model, "--preset", "3").out
    assert "these are the fragments" in out and "P(D|S,B)" not in out


def test_a_hat_takes_no_column() -> None:
    table = text_table(("F̂", "x"), [("0.5", "1"), ("P̂ P̂ P̂", "2")])
    lines = table.replace("\u0302", "").split("\n")
    assert [line.index(cell) for line, cell in zip(lines, "x12", strict=True)] == [7, 7, 7]


# JSON


@pytest.mark.parametrize(("preset", "text", "tags"), [(1, PARK, 1), (3, PARK, 1), (5, PARK, 1), (4, FLIES, 2)])
def test_json_has_f_lambdas_and_equation_8_of_dependencies_and_alternatives(
    classroom: Model, preset: int, text: str, tags: int
) -> None:
    """Of every parse of the n best, whatever tags it has."""
    parser = Parser.preset(load("english") if tags > 1 else classroom, preset)
    parse = parser.parse(text, n_best=8)
    assert len({one.sentence.tags for one in parse.alternatives}) >= tags
    found = json.loads(json.dumps(json_object(parse)))
    assert found["version"] == 2
    assert len(found["alternatives"]) == len(parse.alternatives) > 3
    for described, one in zip(found["alternatives"], parse.alternatives, strict=True):
        probabilities = one.dependency_probabilities()
        assert described["dependencies_log_probability"] == probabilities.log_probability
        explainer, reduced = one.explainer(), one.reduced
        for arrow, mine in zip(described["dependencies"], probabilities, strict=True):
            assert mine.factor is not None
            assert arrow["estimate"] == mine.factor.probability and arrow["probability"] == mine.probability
            assert arrow["lambdas"] == [weight._asdict() for weight in mine.factor.weights]
            assert len(arrow["alternatives"]) == min(MOST_ALTERNATIVES, len(mine.alternatives))
            for other, candidate in zip(arrow["alternatives"], mine.alternatives, strict=False):
                factor = explainer.dependency(mine.modifier, candidate.head, candidate.relation, candidate.distance)
                assert reduced[other["head"] - 1] == candidate.head
                assert Relation(*other["relation"]) == candidate.relation
                assert (other["estimate"], other["probability"]) == (factor.probability, candidate.probability)
                assert [weight["name"] for weight in other["lambdas"]] == [one.name for one in factor.weights]


def test_json_of_fragments_has_no_product(classroom: Model) -> None:
    found = json_object(Parser.preset(classroom, 3).parse(FRAGMENTS))
    assert found["fallback"] and found["dependencies_log_probability"] is None
    heads = [arrow for arrow in found["dependencies"] if not arrow["head"]]
    assert heads and all(arrow["estimate"] is arrow["probability"] is None for arrow in heads)
