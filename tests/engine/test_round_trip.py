"""Trees to (B, D, U) and back: nothing is lost in the model's representation (section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import Analysis, analyse, gap_tags, rebuild
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.reading import read_tree
from engine.trees.tree import PUNCTUATION_TAGS, ROOT_LABELS, Tree, clean
from engine.trees.treebank import BadTrees, read_treebank

PROJECT = Path(__file__).parents[2]
CLASSROOM = PROJECT / "resources" / "examples" / "classroom.ptb"
EVERY = 20
"""Of the large treebanks one tree in so many is enough."""


def shape(node: Constituent) -> tuple[object, ...]:
    """Everything about a constituent and those below it."""
    children = tuple(shape(child) for child in node.children)
    return node.label, node.start, node.end, node.head, node.head_child, node.head_label, node.inside, children


def without_punctuation(tree: Tree) -> str:
    """A tree's brackets without its punctuation and without the X -> X or TOP -> X that its loss may leave."""

    def strip(node: Tree) -> Tree | None:
        if node.word is not None:
            return None if node.label in PUNCTUATION_TAGS else node
        children = [kept for child in node.children if (kept := strip(child)) is not None]
        if not children:
            return None
        if len(children) == 1 and node.label in {children[0].label, *ROOT_LABELS} and children[0].word is None:
            return children[0]
        return Tree(node.label, children)

    stripped = strip(tree)
    return stripped.brackets() if stripped is not None else ""


def check_analysis(analysis: Analysis, root: Constituent, sentence: TaggedSentence) -> None:
    """What holds for (B, D, U) of every tree."""
    size = len(sentence.positions)
    arrows = analysis.dependencies
    # One arrow from every word of the reduced sentence, exactly one of them to the root.
    assert [arrow.modifier for arrow in arrows] == list(range(1, len(analysis.reduced) + 1))
    assert [arrow.modifier for arrow in arrows if arrow.head == 0] == [analysis.reduced.index(root.head) + 1]
    assert all(arrow.head != arrow.modifier for arrow in arrows)
    assert list(analysis.reduced) == sorted(set(analysis.reduced))
    # BaseNPs do not overlap, and each has its head-word in the reduced sentence and no other.
    covered = [position for base in analysis.basenps for position in range(base.start, base.end)]
    assert covered == sorted(set(covered))
    heads = {base.head for base in analysis.basenps}
    assert set(range(size)) - (set(covered) - heads) == set(analysis.reduced)
    assert len(gap_tags(size, analysis.basenps)) == max(size - 1, 0)
    assert analysis.length == size


def round_trip(raw: Tree, lexicaliser: Lexicaliser) -> bool:
    """Take one tree there and back; whether it holds a word at all."""
    tree = clean(raw)
    root = lexicaliser.constituent(tree) if tree is not None else None
    if tree is None or root is None:
        return False
    sentence = TaggedSentence.from_tree(tree)
    analysis = analyse(root, sentence.proper_tags)
    check_analysis(analysis, root, sentence)
    rebuilt = rebuild(analysis)
    assert shape(rebuilt) == shape(root), tree.brackets()
    printed = assemble((rebuilt,), sentence)
    assert without_punctuation(printed) == without_punctuation(tree)
    assert (printed.words(), printed.tags()) == (tree.words(), tree.tags())
    return True


def sample(path: Path, every: int) -> Iterator[Tree]:
    """One tree in so many of a file; craft-dev holds a broken one, which is left out."""
    for number, tree in enumerate(read_treebank([path], on_bad=BadTrees())):
        if number % every == 0:
            yield tree


def test_every_classroom_tree_comes_back() -> None:
    lexicaliser = Lexicaliser(load_head_rules())
    assert sum(round_trip(tree, lexicaliser) for tree in sample(CLASSROOM, 1)) == 130


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gum-train.ptb", "gum-dev.ptb", "craft-train.ptb", "craft-dev.ptb"])
def test_trees_of_real_treebanks_come_back(treebanks: Path, name: str) -> None:
    lexicaliser = Lexicaliser(load_head_rules())
    assert sum(round_trip(tree, lexicaliser) for tree in sample(treebanks / name, EVERY)) > 30


@pytest.mark.parametrize(
    "text",
    [
        # Stacked adjunction, one, two and three levels, and the same modifiers side by side.
        "(NP (NP (NP (NN a)) (PP (IN b) (NP (NN c)))) (PP (IN d) (NP (NN e))))",
        "(NP (NP (NP (NP (NN a)) (PP (IN b))) (PP (IN c))) (PP (IN d)))",
        "(NP (NP (NP (NP (NP (NN a)) (PP (IN b))) (PP (IN c))) (PP (IN d))) (PP (IN e)))",
        "(NP (NP (NN a)) (PP (IN b)) (PP (IN c)) (PP (IN d)))",
        "(VP (VP (VP (VBD a) (NP (NN b))) (PP (IN c))) (PP (IN d)))",
        "(S (PP (IN a)) (S (PP (IN b)) (S (NP (NN c)) (VP (VBD d)))))",
        # Modifiers on both sides of several levels.
        "(S (NP (NN a)) (ADVP (RB b)) (VP (MD c) (VP (VB d) (NP (NN e)) (NP (NN f)))) (PP (IN g)))",
        # Cores.
        "(NP (DT a) (NN b) (S (VP (TO to) (VP (VB c)))))",
        "(NP (NP (DT a) (NN b) (S (VP (TO to) (VP (VB c))))) (PP (IN d)))",
        "(NP (NP (NNP John) (POS 's)) (NN b) (S (VP (TO to) (VP (VB c)))))",
        "(NP (PP (IN x)) (DT a) (NN b) (S (VP (VB c))) (PP (IN d)))",
        # Insides of baseNPs.
        "(NP (NP (NP (NNP John) (POS 's)) (NN dog) (POS 's)) (ADJP (RB very) (JJ old)) (NN bone))",
        "(NP (QP (RB about) (CD two)) (NML (NN cell) (NN wall)) (NNS kinds))",
        # Co-ordination: helpers are spliced away.
        "(NP (NP (NN a)) (CC and) (NP (NN b)))",
        "(NP (NP (NN a)) (, ,) (NP (NN b)) (, ,) (CC and) (NP (NN c)))",
        "(NP (CC both) (NP (NN a)) (CC and) (NP (NN b)))",
        "(S (S (VP (VB a))) (CC and) (S (VP (VB b))) (CC or) (S (VP (VB c))))",
        "(S (CC But) (NP (NN a)) (VP (VBD b)))",
        "(VP (VB a) (CC and) (VB b) (NP (NN c)))",
        # Unary chains.
        "(SBAR (S (VP (VBD a))))",
        "(FRAG (ADVP (RB a)))",
        "(S (SBAR (S (VP (VBD a)))) (VP (VBD b)))",
        "(NP (SBAR (WHNP (WP a)) (S (VP (VBD b)))))",
        # Brackets are words, quotes and dashes are not.
        "(NP (NP (NN a)) (PRN (-LRB- -LRB-) (NP (NN b)) (-RRB- -RRB-)))",
        "(S (`` ``) (NP (NN a)) ('' '') (: --) (VP (VBD b)) (. .))",
        "(S (. .) (, ,) (NP (NN a)) (: ;) (: ;) (VP (VBD b) (, ,)) (. .))",
        # Punctuation beside the sentence, and at the end of a possessive.
        "(ROOT (`` ``) (S (NP (NN a)) (VP (VBD b))) (. .))",
        "(ROOT (NP (NN a)) (: ;) (NP (NN b)) (. .))",
        "(ROOT (NN a) (. .))",
        "(S (NP (NP (NNP John) (POS 's) ('' '')) (NN dog)) (VP (VBD b)))",
    ],
)
def test_difficult_trees_come_back(text: str) -> None:
    assert round_trip(read_tree(text), Lexicaliser(load_head_rules()))


@pytest.mark.parametrize(
    "text",
    [
        # The comma that closes an apposition stays with the one that opens it.
        "(S (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN dog)) (, ,)) (VP (VBD ran)) (. .))",
        "(S (NP (NP (NNP Ann)) (, ,) (NP (NP (DT a) (NN dog)) (PP (IN of) (NP (NN luck)))) (, ,)) (VP (VBD ran)))",
        # One that closes nothing is between the two.
        "(S (NP (NP (DT a) (NN dog)) (PP (IN of) (NP (NN luck)))) (, ,) (VP (VBD ran)) (. .))",
    ],
)
def test_commas_come_back_in_their_places(text: str) -> None:
    tree = read_tree(text)
    sentence = TaggedSentence.from_tree(tree)
    root = Lexicaliser(load_head_rules()).constituent(tree)
    assert root is not None
    assert assemble((rebuild(analyse(root, sentence.proper_tags)),), sentence).brackets() == text


def test_different_trees_have_different_dependencies() -> None:
    """`NP -> NP PP PP` and `NP -> (NP -> NP PP) PP` would be the same but for the mark on stacked labels."""
    lexicaliser = Lexicaliser(load_head_rules())
    pieces = ["(NP (NN a))", "(PP (IN b))", "(PP (IN c))", "(PP (IN d))"]

    def nestings(parts: list[str]) -> Iterator[str]:
        """Every way to stack the PPs on the NP."""
        if len(parts) == 1:
            yield parts[0]
        for cut in range(1, len(parts)):
            for below in nestings(parts[:cut]):
                yield f"(NP {below} {' '.join(parts[cut:])})"

    found = set()
    texts = list(nestings(pieces))
    assert len(texts) == 4
    for text in texts:
        tree = clean(read_tree(text))
        assert tree is not None
        root = lexicaliser.constituent(tree)
        assert root is not None
        found.add(analyse(root, tree.tags()))
    assert len(found) == len(texts)


class _Interrupting(HeadRules):
    """Head rules in whose middle another tree is lexicalised, as another thread would."""

    def head_index(self, parent: str, labels: Sequence[str]) -> int:
        if self.meanwhile:
            self.meanwhile.pop()()
        return super().head_index(parent, labels)

    meanwhile: ClassVar[list[Callable[[], object]]] = []


def test_a_lexicaliser_works_on_several_trees_at_once() -> None:
    rules = load_head_rules()
    first = read_tree("(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN dog))))")
    second = read_tree("(S (NP (PRP we)) (VP (VBD left) (NP (NN home))))")
    shared = Lexicaliser(_Interrupting(rules.rules, rules.text))
    _Interrupting.meanwhile.append(lambda: shared.constituent(second))
    found, expected = shared.constituent(first), Lexicaliser(rules).constituent(first)
    assert not _Interrupting.meanwhile and found is not None and expected is not None
    assert shape(found) == shape(expected)
