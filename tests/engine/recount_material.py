"""Trees for the recount (:mod:`tests.engine.recount`), counted by it and by the engine.

All that the recount asks of the engine stands at the top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.chart.parse import Scored
from engine.chart.parser import Parser
from engine.estimates.explainer import Explainer
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import BaseNP, Relation, analyse, gap_tags
from engine.structure.distance import Distance, Ruler
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import load_head_rules
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean, plain_word
from engine.trees.treebank import BadTrees, read_treebank
from tests.engine.recount import Recount
from tests.engine.recount_trees import HeadTable, Sentence
from tests.engine.small_models import RandomTrees
from tests.trained import trained

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"


# All that is asked of the engine.


def spelled(text: str) -> str:
    """A tree with every word in the one spelling that the model counts, which is no business of the paper's."""
    tree = read_tree(text)
    for leaf in tree.leaves():
        leaf.word = plain_word(leaf.word or "")
    return tree.brackets()


def head_rules() -> str:
    """The text of the table of head rules."""
    return load_head_rules().text


def parser_of(model: Model, number: int) -> Parser:
    """The engine under one of the paper's models, to the letter."""
    return Parser(model, Settings.preset(number))


def explainer_of(model: Model, number: int, sentence: TaggedSentence) -> Explainer:
    """What tells every estimate of a sentence with its counts under one of the paper's models."""
    return Explainer(model, Settings.preset(number), sentence)


def plain(relation: Relation) -> tuple[str, ...]:
    """A relation as the recount writes it."""
    return tuple(label for label in relation if label)


def node(label: str, start: int, end: int, head: int) -> Constituent:
    """A constituent to ask the unary term about."""
    return Constituent(label, start, end, head)


@dataclass(frozen=True)
class Structure:
    """(B, D, U), the reduced sentence and the gap tags as the engine finds them, in the recount's terms."""

    sentence: TaggedSentence
    words: list[tuple[str, str]]
    bases: tuple[BaseNP, ...]
    basenps: list[tuple[int, int, int]]
    reduced: list[int]
    arrows: dict[int, tuple[int, tuple[str, ...]]]
    unaries: list[tuple[int, str, str]]
    gaps: str

    @cached_property
    def ruler(self) -> Ruler:
        """What measures Δ."""
        return Ruler(self.sentence.proper_tags, self.sentence.commas, self.bases)

    def distance(self, j: int, h: int) -> Distance:
        """Δ between two words of the reduced sentence."""
        return self.ruler.distance(self.reduced[j - 1], self.reduced[h - 1])


def structure(scored: Scored) -> Structure:
    """What the engine makes of a tree."""
    sentence = scored.sentence
    analysis = analyse(scored.root, sentence.proper_tags)
    return Structure(
        sentence,
        list(zip(sentence.proper_words, sentence.proper_tags, strict=True)),
        analysis.basenps,
        [(base.start, base.end, base.head) for base in analysis.basenps],
        list(analysis.reduced),
        {arrow.modifier: (arrow.head, plain(arrow.relation)) for arrow in analysis.dependencies},
        [(unary.word, unary.parent, unary.child) for unary in analysis.unaries],
        gap_tags(analysis.length, analysis.basenps),
    )


def converted(path: Path) -> Iterator[tuple[str, object, object]]:
    """Every readable tree of a treebank, and (B, D, gap tags) of it by the recount and by the engine."""
    rules = load_head_rules()
    lexicaliser, table = Lexicaliser(rules), HeadTable(rules.text)
    for raw in read_treebank([path], on_bad=BadTrees()):
        tree = clean(raw)
        root = lexicaliser.constituent(tree) if tree is not None else None
        if tree is None or root is None:
            continue
        analysis = analyse(root, TaggedSentence.from_tree(tree).proper_tags)
        mine = Sentence(raw.brackets(), table)
        yield (
            raw.brackets(),
            (mine.basenps, mine.arrows, mine.gap_tags()),
            (
                [(base.start, base.end, base.head) for base in analysis.basenps],
                {arrow.modifier: (arrow.head, plain(arrow.relation)) for arrow in analysis.dependencies},
                gap_tags(analysis.length, analysis.basenps),
            ),
        )


# Trees.


ODD = """
(ROOT (S (PP-LOC (IN in) (NP (DT the) (VBG running) (NN park))) (NP-SBJ-1 (PRP we)) (VP (VBD ate) (NP (-NONE- *-1)))))
( (S (NP (DT a) (JJ big) (, ,) (JJ old) (: --) (NN dog)) (, ,) (`` ``) (VP (VBD slept)) ('' '') (. .)))
(S1 (S (NP (NP (NNP Ann) (POS 's)) (NN dog) (PP (IN in) (NP (NN park)))) (, ,) (NP=2 (NN run)) (VP (VBD ate))))
(S (NP (DT a) (ADJP (JJ old) (PP (IN in) (NP (NN run)))) (NN dog)) (ADVP|PRT (RB now)) (VP (VBD slept)))
(S (NP (NP (NN dog)) (CC and) (CC or) (NP (NN park))) (VP (VBD saw) (NP (NP (NNP Ann) (POS 's)))))
(FRAG (NP (NN dog)) (, ,) (CC and) (, ,) (NP (NN run)) (CC or) (NP (NN saw)))
(UCP (NP (NN dog)) (CONJP (RB as) (RB well) (IN as)) (ADJP (JJ old)) (CC and) (NP (QP (CD 2) (CC or) (CD 3)) (NN run)))
(NP (NP (NP (NP (NP (NN a)) (PP (IN in))) (PP (IN in) (NP (NN c)))) (PP (IN in))) (SBAR (S (VP (VBD ate)))))
(S (CC and) (NP (NNP Rex) (PRN (-LRB- -LRB-) (NP (NN dog)) (-RRB- -RRB-))) (VP (VBD slept)))
(S (NP (NN dog) (CC and) (NN park) (CC or) (NN run)) (VP (VP (VBD ate)) (CC and) (VP (VBD slept))))
(ROOT (NP (NN dog)) (: ;) (NP (NN park)) (: ;) (NP (NN run)) (, ,) (NP (NN saw)))
(ROOT (NN dog) (. .))
(ROOT (`` ``) (S (NP (NP (NNP Ann) (POS 's) ('' '')) (NN dog)) (VP (VBD slept))) (. .))
( (FRAG (NP (NP (NP (NN run) (POS 's)) (, ,)) (ADJP (JJ old) (PRN (: --))) (NN park))) (. .))
"""
"""Trees with what the others have too little of: verbs and commas within baseNPs, traces, many commas, odd roots.

Some have punctuation where it could be taken for a part of the structure.
"""


class Material:
    """Trees to train on and trees to hold both implementations against each other on."""

    def __init__(self, training: Sequence[str], held: Sequence[str], pairs: int) -> None:
        self.training = [spelled(text) for text in training]
        self.texts = [spelled(text) for text in held]
        self.pairs = pairs

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The trees as the recount sees them."""
        return [Sentence(text, self.table) for text in self.texts]

    @cached_property
    def table(self) -> HeadTable:
        """The head rules."""
        return HeadTable(head_rules())

    @cached_property
    def recount(self) -> Recount:
        """The recount's own model."""
        return Recount(Sentence(text, self.table) for text in self.training)

    @cached_property
    def model(self) -> Model:
        """The engine's model of the same trees."""
        return trained([read_tree(text) for text in self.training], tagger=False)

    def parser(self, number: int) -> Parser:
        """The engine under one of the paper's models."""
        return parser_of(self.model, number)

    @cached_property
    def trees(self) -> list[Tree]:
        """The trees as the engine reads them."""
        return [read_tree(text) for text in self.texts]

    @cached_property
    def structures(self) -> list[Structure]:
        """What the engine makes of every tree."""
        parser = self.parser(1)
        return [structure(parser.score(tree)) for tree in self.trees]

    def explainers(self, number: int) -> list[Explainer]:
        """The engine's explainer of every sentence under one of the paper's models."""
        return [explainer_of(self.model, number, made.sentence) for made in self.structures]


def lines(path: Path, most: int | None = None) -> list[str]:
    """The trees of a treebank of one tree a line."""
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")[:most]


def classroom() -> Material:
    """The classroom trees, counted and looked up again."""
    trees = lines(EXAMPLES / "classroom.ptb")
    return Material(trees, trees, 2000)


def unseen() -> Material:
    """Sentences with words, tags and relations that the classroom trees do not have."""
    return Material(lines(EXAMPLES / "classroom.ptb"), lines(EXAMPLES / "everyday.ptb"), 2000)


def dense() -> Material:
    """Odd trees, and random ones of a small language with stacks, cores, chains and co-ordination in few contexts."""
    source = RandomTrees(7)
    odd = ODD.strip().splitlines()
    training = [str(source.tree(3)) for _ in range(300)]
    return Material(odd + training, odd + [str(source.tree(3)) for _ in range(40)], 2000)


def gum(treebanks: Path) -> Material:
    """A thousand trees of GUM to count, two hundred others to look up."""
    return Material(lines(treebanks / "gum-train.ptb", 1000), lines(treebanks / "gum-dev.ptb", 200), 20_000)
