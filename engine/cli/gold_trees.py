"""The gold tree that goes with a sentence of the terminal: its score, and the verdict on the parse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chart.parse import Parse, Scored
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.penn_forms import compared_word
from engine.trees.tree import Tree
from engine.trees.tree_normalisation import clean
from engine.trees.tree_reading import read_tree

# What compares is imported when it is asked for: without a gold tree a command starts without it.
if TYPE_CHECKING:
    from engine.analysis.comparison import ParseError, Verdict


def score_gold(parser: Parser, text: str, sentence: TaggedSentence, distribution: TagDistribution | None) -> Scored:
    """Score a gold tree in brackets; raise :class:`EngineError` if it is one of another sentence."""
    tree = read_tree(text)
    cleaned = clean(tree)
    gold = TaggedSentence.from_tree(cleaned) if cleaned is not None else TaggedSentence((), ())
    if list(map(compared_word, gold.words)) != list(map(compared_word, sentence.words)):
        raise EngineError(
            "the words of the gold tree are not those of the sentence; give the tree of this very sentence"
        )
    if gold.positions != sentence.positions:
        raise EngineError(
            "the gold tree tags other tokens as punctuation than the sentence does; give them their tags as word/TAG"
        )
    return parser.score(tree, distribution)


def judged_by(
    parser: Parser, tree: Tree, parse: Parse, sentence: TaggedSentence | TagDistribution
) -> tuple[Verdict, list[ParseError]] | None:
    """What is to blame for a wrong parse, and what it got wrong; ``None`` where its words are written otherwise."""
    from engine.analysis.comparison import classify_errors, verdict

    cleaned = clean(tree)
    if cleaned is None or tuple(cleaned.words()) != parse.sentence.words:
        # Treebank and tokeniser write a quote in two ways.
        return None
    return verdict(parser, tree, parse, sentence=sentence), classify_errors(parse.tree, tree)
