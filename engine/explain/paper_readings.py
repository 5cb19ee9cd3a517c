"""Readings of the paper: what it leaves open, or what differs from its letter, and what is done here.

One table for all who tell of it.  The inspector says the fact of a reading where it matters for what is selected;
the table of the manual's page "How it follows the paper" has a row for every reading, with its effect, and is held
against this one by a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from engine.chart.parse import Parse
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED


class PaperReading(Enum):
    """One reading of the paper.

    Attributes
    ----------
    title
        What it is called in the manual.
    section
        The section of the paper that it is about.
    fact
        What is done, in a sentence or two that a person can read beside the thing that it concerns.
    switch
        The option of the terminal that has it otherwise; empty if there is none.
    """

    def __init__(self, title: str, section: str, fact: str, switch: str = "") -> None:
        self.title = title
        self.section = section
        self.fact = fact
        self.switch = switch

    PUNCTUATION = (
        "quotes and full stops",
        "2",
        "Quotes and final punctuation are left out of the model, and put back in the printed tree.",
    )
    BRACKETS = (
        "brackets as words",
        "2",
        "Brackets are no punctuation here but words of the sentence, and a parenthesis is headed by its bracket.",
    )
    ABSORBED = (
        "phrases inside baseNPs",
        "2",
        "A baseNP absorbs the flat phrases in it (ADJP, QP, NML …): no dependency touches what is not its "
        "head-word, and the brackets are restored after parsing, by a small model outside the score.",
    )
    POSSESSIVE = (
        "possessives",
        "2",
        "A baseNP absorbs the possessive that it begins with: no dependency touches it, and its bracket is restored "
        "after parsing, by rule.",
    )
    ONE_WORD = (
        "noun phrases of one word",
        "2",
        "An NP over a single word is a baseNP, not a unary production.",
    )
    CLEANING = (
        "cleaned trees",
        "2.1",
        "Traces, function tags, indices and X → X are dropped before anything is counted.",
    )
    HEAD_RULES = (
        "head rules",
        "2.1",
        "Heads are found by Magerman's table as Collins published it later (1999).",
        "train --head-rules",
    )
    HEAD_SHIFT = (
        "heads after CC",
        "2.1",
        "As long as CC stands before the head-child, the child two to the left of it takes its place: the first of the "
        "conjuncts that CC joins is the head.",
        "train --head-rules",
    )
    BASE_HEADS = (
        "heads of baseNPs",
        "2.1",
        "The head-word of a baseNP is found over its words alone, as if it had no brackets inside: `million` in ‘about "
        "five million’, though the QP alone would be headed by `about`.",
    )
    CORE = (
        "cores, NPX",
        "2.1",
        "NPX is the core of a noun phrase with something beside it: its words form a baseNP of their own, whose "
        "bracket the printed tree does not have.",
    )
    COORDINATION = (
        "co-ordination, X&",
        "2.1",
        "A conjunction stands under the conjunct after it, in a constituent that is headed by the conjunct, written "
        "with & (NP&) and left out of the printed tree.",
    )
    LEFT_CONJUNCTS = (
        "conjuncts left of the head",
        "2.1",
        "A conjunction is joined with the conjunct after it also where neither of the conjuncts is the head: both "
        "modify a head that follows, the first as X and the second as X&.",
    )
    STACKING = (
        "stacked adjunction, X+",
        "2.1",
        "The + says that the head-child is itself an adjunction to the same label, so that the tree can be told "
        "from its triples.",
    )
    ROOT = (
        "the root's F̂",
        "2.1",
        "The paper gives the head of the sentence an arrow but no estimate: here it is the share of all such words "
        "in reduced sentences that headed theirs under this label.",
    )
    TREEBANK_WEIGHTS = (
        "weights of treebanks",
        "2.2",
        "Preset (5) counts every treebank as often as the model's weights say; presets (1) to (4) count each tree "
        "once.",
        "--no-treebank-weights",
    )
    COMPACT = (
        "compact models",
        "2.2",
        "A model that was trained to be compact lacks rare counts: its numbers are not the paper's.",
        "train --compact",
    )
    VERBS = (
        "verbs",
        "2.3",
        "A modal (MD) is no verb to question 3, which looks for VB, VBD, VBG, VBN, VBP and VBZ.",
    )
    COMMAS_BESIDE = (
        "questions 5 and 6",
        "2.3",
        "Questions 5 and 6 look just outside the two words' baseNPs; beside the words themselves the answers would "
        "differ.",
    )
    MISSING_LEVEL = (
        "levels that do not exist",
        "2.4",
        "With tags ignored, words may meet under tags that they never had: a level without any count is left out, "
        "and the next one that has some takes its place.",
    )
    GAP_COMMA = (
        "gaps between unseen tags",
        "2.5",
        "Two tags that never stood side by side in training, with a comma or without as here, fall back to the "
        "comma alone.",
    )
    EQUATION_8 = (
        "the root in equation (8)",
        "2.6",
        "Equation (8) sums over the words that a word could modify, and the root is none: F̂ is a share of all the "
        "times that such a word stood in a reduced sentence, and stands in P(D|S,B) as it is.",
    )
    UNARY_TERM = (
        "the unary term",
        "2.6",
        "The paper names P̂(U|B,S) and not its form: here every finished constituent pays for its unary parent, or "
        "for having none, by its label and head tag.",
    )
    UNARY_CHAINS = (
        "unary chains",
        "2.6",
        "Chains of unary productions are built only if all of the chain was seen in training, whatever each "
        "production would have for itself.",
    )
    COMMA_RULE = (
        "the comma rule",
        "2.7",
        "The rule is asked of every join of two constituents: where a comma stands between them, the right one must "
        "end before a comma or at the end of the sentence (in preset (5) before CC or a closing bracket, too).",
        "--no-punctuation-rule",
    )
    TAGS_KEPT = (
        "what keeps its tags",
        "2.7",
        "With tags ignored where there are words, dependencies alone ignore them: gaps, unaries and the root go by "
        "words and tags as before.",
    )
    TAGS_CUT = (
        "tags of model (4)",
        "2.7",
        "Not all tags of this list were in the chart: a tag must be at least 1/20 as probable as the word's best "
        "(1/100 in preset (5)), unless another factor is set.",
        "--tag-factor",
    )
    PUNCTUATION_TAGS = (
        "punctuation in model (4)",
        "2.7",
        "Which tokens are punctuation is settled by the tagger's best sequence of tags.",
    )
    SIGNATURE = (
        "equal constituents",
        "3",
        "Two constituents are one to the chart only if all that Δ and the gap tags will ask of them is the same.",
    )
    FURTHER_BACKOFF = (
        "no tree above probability 0",
        "3",
        "Where the paper's estimates give every tree probability 0, the sentence is parsed again with further "
        "back-off.",
        "--no-further-backoff",
    )
    FRAGMENTS = (
        "fragments",
        "3",
        "Where no tree spans a sentence, the best cover of fragments is given, and marked as such.",
    )
    PARSEVAL = (
        "PARSEVAL",
        "4",
        "Constituents are counted as evalb counts them with Collins's parameters, but for four differences.",
    )
    TABLE_TAGS = (
        "tags of the paper's tables",
        "4",
        "Tables 3 to 5 start from automatic tags: the tagger's best, and distributions for model (4).",
        "experiment --tags gold",
    )
    NO_LEXICAL = (
        "no lexical information",
        "4",
        "Without lexical information no estimate looks at a word: dependencies, gaps, unaries, root and the insides "
        "of baseNPs go by tags alone.",
        "--no-lexical",
    )
    BEAM = (
        "what the beam spares",
        "4.1",
        "The beam spares single words, and gives unary results 2 nats more, since they compete with their own child.",
        "--literal-beam",
    )
    BEAM_WIDENED = (
        "a beam without a parse",
        "4.1",
        "Where nothing is found within the beam, which the paper does not tell of, one more try is made with β 300 "
        "times wider.",
        "--literal-beam",
    )
    LIST_BEAM = (
        "the beam of a re-ranked list",
        "4.1",
        "A list to be re-ranked comes from a chart whose β is 25 times wider than asked for, but at most 500: within a "
        "narrow beam the best parse is found, and little to choose from.",
        "--literal-beam",
    )
    THRESHOLD = (
        "steps of the threshold",
        "4.1",
        "The threshold starts at −60 beside a beam and at −20 where it prunes alone, and each further step is twice "
        "as large; the paper gives no numbers.",
        "--threshold",
    )


# Readings that matter for labels, and for what a baseNP absorbed, wherever these are met.


def of_labels(labels: Iterable[str]) -> Iterator[PaperReading]:
    """Explain the labels that no treebank has: NP&, NPX, NP+."""
    for label in labels:
        if label.endswith(JOINED):
            yield PaperReading.COORDINATION
        elif label == CORE:
            yield PaperReading.CORE
        elif label.endswith(STACKED):
            yield PaperReading.STACKING


def of_inside(labels: Iterable[str]) -> Iterator[PaperReading]:
    """Tell of what sort the brackets inside a baseNP are: an NP is the possessive that it begins with."""
    for label in labels:
        yield PaperReading.POSSESSIVE if label == BASE_LABEL else PaperReading.ABSORBED


def of_absorbed(parse: Parse, position: int) -> Iterator[PaperReading]:
    """Tell why no dependency touches a word of a phrase that its baseNP absorbed."""
    for base in parse.basenps:
        if base.start <= position < base.end and position != base.head:
            yield from of_inside(label for label, start, end in base.inside if start <= position < end)
