"""Every number of section 2 computed a second time (:mod:`tests.engine.recount`), and held against the engine's."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.estimates.ledger import Factor
from engine.structure.dependencies import Relation
from tests.engine.recount import GAPS, NO_PARENT, Estimate, two_tags
from tests.engine.recount_material import Material, classroom, converted, dense, gum, node, plain, unseen

MODELS = (1, 2, 3)
"""The paper's models that start from given tags."""


@dataclass
class Tally:
    """Counts what was compared, and keeps what differed."""

    compared: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def same(self, kind: str, mine: object, engines: object, *where: object) -> None:
        """Note whether two values are equal: numbers with a fraction to 1e-12."""
        self.compared[kind] = self.compared.get(kind, 0) + 1
        if isinstance(mine, float) and isinstance(engines, float):
            equal = mine == engines or math.isclose(mine, engines, rel_tol=1e-12, abs_tol=1e-300)
        else:
            equal = mine == engines
        if not equal:
            self.differences.append(f"{kind}: {mine} here, {engines} in the engine: {' '.join(map(str, where))}")

    def factor(self, kind: str, mine: Estimate, engines: Factor, *where: object) -> None:
        """Compare an estimate with its counts."""
        self.same(f"{kind}, probability", mine.value, engines.probability, *where)
        for level, other in itertools.zip_longest(mine.levels, engines.levels):
            self.same(f"{kind}, η", level and level.eta, other and other.eta, *where)
            self.same(f"{kind}, δ", level and level.delta, other and other.delta, *where)

    def mixture(self, kind: str, mine: Estimate, engines: Factor, *where: object) -> None:
        """Compare an estimate of the form of section 2.4 with its counts and its λ."""
        self.factor(kind, mine, engines, *where)
        self.same(f"{kind}, levels mixed", mine.used, engines.used, *where)
        self.same(f"{kind}, number of λ", len(mine.weights), len(engines.lambdas), *where)
        for weight, other in zip(mine.weights, engines.lambdas, strict=False):
            self.same(f"{kind}, λ", weight, other, *where)

    def done(self, least: int) -> None:
        """Fail for any difference, and if there was too little to compare."""
        total = sum(self.compared.values())
        shown = "\n".join(self.differences[:10])
        assert not self.differences, f"{len(self.differences):,} of {total:,} numbers differ:\n{shown}"
        print(f"{total:,} compared:", ", ".join(f"{kind} {number:,}" for kind, number in self.compared.items()))
        assert total >= least


@pytest.fixture(scope="module", params=["classroom", "unseen", "dense", pytest.param("gum", marks=pytest.mark.slow)])
def material(request: pytest.FixtureRequest) -> Material:
    """One treebank after the other."""
    if request.param == "gum":
        treebanks: Path = request.getfixturevalue("treebanks")
        return gum(treebanks)
    return {"classroom": classroom, "unseen": unseen, "dense": dense}[request.param]()


def test_base_noun_phrases_dependencies_unaries_and_gap_tags(material: Material) -> None:
    """Section 2.1: (B, D, U), the reduced sentence, and the gap tags of section 2.5."""
    tally = Tally()
    for mine, engines, text in zip(material.sentences, material.structures, material.texts, strict=True):
        tally.same("words", mine.words, engines.words, text)
        tally.same("basenps", mine.basenps, engines.basenps, text)
        tally.same("reduced", mine.reduced, engines.reduced, text)
        tally.same("arrows", set(mine.arrows), set(engines.arrows), text)
        for j, arrow in mine.arrows.items():
            tally.same("arrow", arrow, engines.arrows.get(j), text)
        tally.same("gaps", mine.gap_tags(), engines.gaps, text)
        # Of each word from the bottom up, as they are nested.
        chains = sorted(
            (
                (mine.reduced.index(unary.head) + 1, unary.parent, unary.label)
                for unary in reversed(mine.unaries)
                if unary.parent
            ),
            key=lambda unary: unary[0],
        )
        tally.same("unaries", chains, engines.unaries, text)
    tally.done(500)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gum-dev.ptb", "craft-dev.ptb"])
def test_every_tree_of_a_real_treebank_has_the_same_structure(treebanks: Path, name: str) -> None:
    """Section 2.1 over everything that annotators do."""
    tally = Tally()
    for text, mine, engines in converted(treebanks / name):
        tally.same("tree", mine, engines, text)
    tally.done(1500)


def test_distances_of_all_pairs(material: Material) -> None:
    """Section 2.3: Δ of every two words of every reduced sentence."""
    tally = Tally()
    for mine, engines, text in zip(material.sentences, material.structures, material.texts, strict=True):
        for j, h in itertools.permutations(mine.arrows, 2):
            tally.same("Δ", tuple(mine.delta(j, h)), tuple(engines.distance(j, h)), j, h, text)
    tally.done(1000)


@pytest.mark.parametrize("number", MODELS)
def test_dependencies(material: Material, number: int) -> None:
    """Sections 2.2, 2.4 and 2.7: η, δ, λ and F̂ of every arrow of the trees, and of random arrows."""
    tally = Tally()
    chance = random.Random(number)
    relations = sorted(material.recount.relations)
    explainers = material.explainers(number)
    places = [at for at, sentence in enumerate(material.sentences) if len(sentence.reduced) > 1]
    wanted = [
        (at, j, h, relation)
        for at in places
        for j, (h, relation) in material.sentences[at].arrows.items()
        if h > 0 and relation in material.recount.relations
    ]
    gold = len(wanted)
    for at in chance.choices(places, k=material.pairs):
        j, h = chance.sample(sorted(material.sentences[at].arrows), 2)
        # One that words of these tags have had at this distance, if there is one, and any.
        pair = material.recount.pair(material.sentences[at], j, h)
        likely = sorted(material.recount.pairs[False][3].of(two_tags(*pair)))
        wanted.append((at, j, h, chance.choice(likely or relations)))
        wanted.append((at, j, h, chance.choice(relations)))
    for at, j, h, relation in wanted:
        sentence, explainer = material.sentences[at], explainers[at]
        mine = material.recount.dependency(number, sentence, j, h, relation)
        distance = material.structures[at].distance(j, h)
        engines = explainer.dependency(sentence.reduced[j - 1], sentence.reduced[h - 1], Relation(*relation), distance)
        tally.mixture("F̂", mine, engines, j, h, relation, material.texts[at])
    assert gold > 150
    tally.done(10 * material.pairs)


def test_a_relation_never_seen_is_impossible(material: Material) -> None:
    """Section 3: "any dependency with a triple of non-terminals which has not been seen [...] will get zero"."""
    explainers = material.explainers(1)
    for mine, engines, explainer in zip(material.sentences, material.structures, explainers, strict=True):
        for j, (h, relation) in mine.arrows.items():
            if h > 0 and relation not in material.recount.relations:
                at = mine.reduced
                factor = explainer.dependency(at[j - 1], at[h - 1], Relation(*relation), engines.distance(j, h))
                assert factor.probability == material.recount.dependency(1, mine, j, h, relation).value == 0


@pytest.mark.parametrize("number", MODELS)
def test_attachments(material: Material, number: int) -> None:
    """Equation (8): F̂ and probability of every head and relation that a word can have."""
    tally = Tally()
    for mine, engines, explainer in zip(
        material.sentences, material.structures, material.explainers(number), strict=True
    ):
        for j, position in enumerate(mine.reduced, 1):
            found = {
                (mine.reduced.index(candidate.head) + 1, plain(candidate.relation)): candidate
                for candidate in explainer.candidates(position, engines.bases)
            }
            estimates = material.recount.possible(number, mine, j)
            attachments = material.recount.attachments(number, mine, j)
            tally.same("candidates", set(estimates), set(found), mine.words, j)
            for arrow, value in estimates.items():
                if arrow in found:
                    tally.same("candidate, F̂", value, found[arrow].estimate, mine.words, j, arrow)
                    tally.same("candidate, P", attachments[arrow], found[arrow].probability, mine.words, j, arrow)
    tally.done(900)


@pytest.mark.parametrize("number", MODELS)
def test_gaps(material: Material, number: int) -> None:
    """Section 2.5: counts and distribution of all five tags of every gap."""
    tally = Tally()
    for mine, explainer in zip(material.sentences, material.explainers(number), strict=True):
        for position in range(1, len(mine.words)):
            distribution = explainer.gap_distribution(position)
            tally.same("tags of a gap", set(GAPS), set(distribution), mine.words)
            for tag in GAPS:
                estimate = material.recount.gap(mine, position, tag)
                tally.same("P̂(G), distribution", estimate.value, distribution[tag], position, tag, mine.words)
                tally.mixture("P̂(G)", estimate, explainer.gap(position, tag), position, tag, mine.words)
    tally.done(10_000)


def test_unaries_and_roots(material: Material) -> None:
    """The footnotes to sections 2.6 and 2.1: every constituent's unary parent or none, and the root."""
    tally = Tally()
    chance = random.Random(0)
    labels = sorted(material.recount.roots[2].of(()))
    for mine, explainer in zip(material.sentences, material.explainers(1), strict=True):
        for unary in mine.unaries:
            tag = mine.words[unary.head][1]
            # Its own parent, and another that its label has had.
            others = sorted(set(material.recount.unaries[1].of((unary.label,))) - {NO_PARENT})
            for parent in {unary.parent, None, *chance.sample(others, min(1, len(others)))}:
                estimate = material.recount.unary(unary.label, tag, parent)
                engines = explainer.unary(node(unary.label, unary.start, unary.end, unary.head), parent)
                tally.same("P̂(U)", estimate.value, engines.probability, unary, mine.words)
                if engines.levels:
                    tally.factor("P̂(U)", estimate, engines, unary, mine.words)
        for position in mine.reduced:
            for label in {mine.root.label, *chance.choices(labels, k=2)} & set(labels):
                estimate = material.recount.root_arrow(mine.words[position], label)
                tally.factor("root", estimate, explainer.root(position, label), label, mine.words[position])
    tally.done(4000)


@pytest.mark.parametrize("number", MODELS)
def test_scores_of_trees(material: Material, number: int) -> None:
    """Equation (20) with its footnote: the product of all factors of every tree, and of those that are not zero."""
    tally = Tally()
    parser = material.parser(number)
    for mine, tree in zip(material.sentences, material.trees, strict=True):
        factors = material.recount.factors(number, mine)
        scored = parser.score(tree)
        tally.same("factors", len(factors), len(scored.ledger), mine.words)
        tally.same("zeros", factors.count(0.0), sum(factor.probability == 0 for factor in scored.ledger), mine.words)
        positive = math.fsum(math.log(factor) for factor in factors if factor)
        ledger = math.fsum(factor.log for factor in scored.ledger if factor.probability)
        tally.same("positive factors", positive, ledger, mine.words)
        tally.same("score", positive if all(factors) else -math.inf, scored.log_probability, mine.words)
    tally.done(150)


PUNCTUATED = {
    "root": ("(ROOT (S (NP (DT the) (NN dog)) (VP (VBD slept))) (. .))", "(S (NP (DT the) (NN dog)) (VP (VBD slept)))"),
    "root in quotes": ("( (`` ``) (TOP (NP (NN dog)) (. .)) ('' ''))", "(NP (NN dog))"),
    "root over a word": ("(ROOT (`` ``) (NN dog) (. .))", "(ROOT (NN dog))"),
    "possessive": (
        "(ROOT (S (NP (NP (NNP Mary) (POS 's) ('' '')) (NN dog)) (VP (VBD slept))))",
        "(S (NP (NP (NNP Mary) (POS 's)) (NN dog)) (VP (VBD slept)))",
    ),
    "possessive, one level up": (
        "(S (NP (NP (NP (NNP Mary) (POS 's)) (, ,)) (NN dog)) (VP (VBD slept)))",
        "(S (NP (NP (NNP Mary) (POS 's)) (NN dog)) (VP (VBD slept)))",
    ),
    "phrase of a baseNP": (
        "(S (NP (DT a) (ADJP (JJ old) (PRN (: --))) (NN dog)) (VP (VBD slept)))",
        "(S (NP (DT a) (ADJP (JJ old)) (NN dog)) (VP (VBD slept)))",
    ),
}
"""Trees with punctuation where it could be taken for a part of the structure, and without it."""


@pytest.mark.parametrize("name", PUNCTUATED)
def test_punctuation_makes_no_other_structure(name: str) -> None:
    """Section 2: the model is over what is left "by removing punctuation"."""
    made = Material(PUNCTUATED[name], PUNCTUATED[name], 0)
    for mine, engines in zip(made.sentences, made.structures, strict=True):
        assert (mine.basenps, mine.arrows, mine.gap_tags()) == (engines.basenps, engines.arrows, engines.gaps)
    with_it, without = made.structures
    assert (with_it.basenps, with_it.arrows, with_it.unaries) == (without.basenps, without.arrows, without.unaries)
    assert without.arrows
