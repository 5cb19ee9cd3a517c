r"""Trees of another parser, brought to the words of the gold trees; or else what differs, token by token.

Words are the same if their Penn forms are (``(`` and ``-LRB-``, ``1\/2`` and ``1/2``, ``…`` and ``...``), quotes of
any shape, and capitals or none: parsers write these in their own ways, and no bracket depends on them. The tree is
then given the gold tree's spelling. Anything else is another tokenisation, which has other brackets: it is told,
never mended. Traces are no tokens. An empty line, ``()`` and ``(())`` stand for a sentence without a parse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from engine.chart.parse import Parse, Scored
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import ChartTooLarge, EngineError, TreeError
from engine.common.numbers import size
from engine.gate.text_stream import read_text
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import Arrow, LedgerDifference, difference_of, f1_of
from engine.study.errors import ParseError, classify_errors
from engine.study.parseval import SentenceScore, score_pair
from engine.study.prices import MOST_NATS, attachment_prices
from engine.study.verdicts import Verdict, verdict
from engine.tagger.tagger import TagDistribution
from engine.trees.reading import read_brackets
from engine.trees.tree import Tree, bare_label, compared_word

_NO_PARSE = re.compile(r"[\s()]*")
_SHOWN_DIFFERENCES = 3


@dataclass(frozen=True, slots=True)
class TokenDifference:
    """A place where two tokenisations part: from which token of the gold tree on (from 1), and what each has there."""

    token: int
    gold: tuple[str, ...]
    theirs: tuple[str, ...]

    def __str__(self) -> str:
        return f"token {self.token}: gold {quoted_tokens(self.gold)} | theirs {quoted_tokens(self.theirs)}"


def quoted_tokens(words: Sequence[str]) -> str:
    """Some tokens as a sentence shows them."""
    return f"`{' '.join(words)}`" if words else "nothing"


@dataclass(frozen=True, slots=True)
class Problem:
    """A sentence that a system's tree cannot be scored for.

    Attributes
    ----------
    system, number
        The system's name, and the gold tree's number in the treebank, from 1.
    where
        File and line of the tree, or of where it should be.
    what
        What is wrong, in words.
    differences
        Where the tokens differ, if that is what is wrong.
    """

    system: str
    number: int
    where: str
    what: str
    differences: tuple[TokenDifference, ...] = ()

    def __str__(self) -> str:
        told = "; ".join(str(one) for one in self.differences[:_SHOWN_DIFFERENCES])
        more = len(self.differences) - _SHOWN_DIFFERENCES
        told += f"; and {size(more, 'place')} more" if more > 0 else ""
        return f"{self.where}, sentence {self.number}: {self.what}{f' ({told})' if told else ''}"

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        return {
            "system": self.system,
            "sentence": self.number,
            "where": self.where,
            "what": self.what,
            "differences": [
                {"token": one.token, "gold": list(one.gold), "theirs": list(one.theirs)} for one in self.differences
            ],
        }


@dataclass(slots=True)
class ForeignTrees:
    """What a file of trees gives for each gold tree.

    Attributes
    ----------
    trees
        For each gold tree the file's, in the gold tree's spelling; ``None`` where there is no parse, and where there is
        a problem.
    problems
        What cannot be scored, by the place of the gold tree.
    respelled
        How many tokens were written in another way and taken for the same.
    lines, surplus
        How many lines the file has for sentences, and how many trees that no gold tree goes with.
    """

    trees: list[Tree | None]
    problems: dict[int, Problem]
    respelled: int = 0
    lines: int = 0
    surplus: int = 0


def _key(word: str) -> str:
    """Return a word as far as parsers agree on it: quotes of one kind, and no capitals."""
    form = compared_word(word)
    return "'" if form == "`" else form.lower()


def token_differences(gold: Sequence[str], theirs: Sequence[str]) -> tuple[TokenDifference, ...]:
    """Return every place where two tokenisations of a sentence differ."""
    one, other = list(map(_key, gold)), list(map(_key, theirs))
    return tuple(
        TokenDifference(start + 1, tuple(gold[start:end]), tuple(theirs[left:right]))
        for kind, start, end, left, right in SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def respelled(tree: Tree, words: Sequence[str]) -> Tree:
    """Return the tree with other spellings of its words; traces keep theirs."""
    spellings = iter(words)

    def copy(node: Tree) -> Tree:
        if node.word is None:
            return Tree(node.label, [copy(child) for child in node.children])
        return Tree(node.label, None, node.word if _is_trace(node) else next(spellings))

    return copy(tree)


def token_words(tree: Tree) -> list[str]:
    """Return the words of a tree without its traces."""
    return [leaf.word or "" for leaf in tree.leaves() if not _is_trace(leaf)]


def _is_trace(leaf: Tree) -> bool:
    return bare_label(leaf.label) == "-NONE-"


def read_foreign_trees(path: Path, golds: Sequence[Tree], numbers: Sequence[int], system: str) -> ForeignTrees:
    """Read a file of one tree a line and bring each to the words of its gold tree.

    Where the file has another number of lines, or trees over several lines with empty ones between, the words tell
    which tree goes with which gold tree.

    Parameters
    ----------
    path
        The file; an empty line, ``()`` or ``(())`` stands for no parse.
    golds, numbers
        All gold trees in the file's order, and their numbers in the treebank.
    system
        The system's name, for what cannot be scored.
    """
    lines = list(_lines(path))
    if not any(isinstance(line.tree, Tree) for line in lines):
        broken = next((str(line.tree) for line in lines if isinstance(line.tree, TreeError)), None)
        raise EngineError(broken or f"{path}: there is no tree in the file; give it one tree a line")
    wanted = [token_words(gold) for gold in golds]
    given = [_given(line.tree) for line in lines]
    found = ForeignTrees([None] * len(golds), {}, lines=len(lines))
    places = _places(wanted, given)
    found.surplus = sum(words is not None for words in given) - sum(
        place is not None and given[place] is not None for place in places
    )
    counts = f"the file has {size(len(lines), 'line')} for {size(len(golds), 'gold tree')}"
    for at, place in enumerate(places):
        if place is None:
            found.problems[at] = Problem(system, numbers[at], str(path), f"there is no line for it: {counts}")
            continue
        tree, where = lines[place].tree, f"{path}, line {lines[place].number}"
        if isinstance(tree, TreeError):
            found.problems[at] = Problem(system, numbers[at], where, tree.problem)
        elif tree is not None:
            words = token_words(tree)
            differences = token_differences(wanted[at], words)
            if differences:
                what = "its tokens are not those of the gold tree"
                found.problems[at] = Problem(system, numbers[at], where, what, differences)
            else:
                found.respelled += sum(one != other for one, other in zip(wanted[at], words, strict=True))
                found.trees[at] = respelled(tree, wanted[at])
    return found


def _given(tree: Tree | TreeError | None) -> list[str] | None:
    """Return the words of a line; a broken tree has some, but nobody knows which."""
    return token_words(tree) if isinstance(tree, Tree) else None if tree is None else []


class _Line(NamedTuple):
    """What stands for one sentence: where it begins, and its tree, what is wrong with it, or ``None`` for no parse."""

    number: int
    tree: Tree | TreeError | None


def _lines(path: Path) -> Iterator[_Line]:
    """Yield every line's tree; a tree that goes on over indented lines is one."""
    if not path.is_file():
        raise EngineError(f"{path}: there is no such file")
    physical = read_text(path).removesuffix("\n").split("\n")
    at = 0
    while at < len(physical):
        start, text = at, physical[at]
        at += 1
        depth = _depth(text)
        while depth > 0 and at < len(physical) and physical[at][:1] in (" ", "\t", ")"):
            text += "\n" + physical[at]
            depth += _depth(physical[at])
            at += 1
        yield _Line(start + 1, _tree(text, path, start + 1))


def _depth(text: str) -> int:
    return text.count("(") - text.count(")")


def _tree(text: str, path: Path, number: int) -> Tree | TreeError | None:
    # Only pairs of brackets around nothing are a sentence without a parse; a lone one is a mistake.
    if _NO_PARSE.fullmatch(text) and not _depth(text):
        return None
    read = list(read_brackets(text, str(path), number))
    broken = next((one for one in read if isinstance(one, TreeError)), None)
    if broken is not None:
        return broken
    if len(read) != 1:
        return TreeError(f"{len(read)} trees on one line; give one tree a line", str(path), number, 1, 0)
    return read[0]


def _places(wanted: Sequence[list[str]], given: Sequence[list[str] | None]) -> list[int | None]:
    """Return the line that goes with each gold tree: in order if there are as many and most
    fit, else by their words.
    """
    keys = [tuple(map(_key, words)) for words in wanted]
    others = [tuple(map(_key, words)) if words is not None else None for words in given]
    if len(given) == len(wanted):
        # A line left out here and one too many there moves all between them; a few that do not fit are what they are.
        unfit = sum(other is not None and key != other for key, other in zip(keys, others, strict=True))
        if 2 * unfit <= len(keys):
            return list(range(len(keys)))
    places: list[int | None] = [None] * len(wanted)
    for _, start, end, left, right in SequenceMatcher(None, keys, others, autojunk=False).get_opcodes():
        # Between lines that fit, as many trees as there are gold ones go in order, whatever is wrong with them.
        between = list(range(left, right))
        if len(between) != end - start:
            # Some parsers put an empty line after each tree.
            between = [place for place in between if given[place] is not None]
        if len(between) == end - start:
            places[start:end] = between
    return places


# Any tree under our model: its score, its price, why our parser has another one, and how it stands to gold.


class PricedArrow(NamedTuple):
    """An arrow of the tree that our parse has not.

    `price` is what the best parse with it loses against ours, in nats of log probability without a re-ranker;
    ``None`` if that is more than :data:`engine.study.prices.MOST_NATS`, or impossible.
    """

    arrow: Arrow
    price: float | None


@dataclass(frozen=True, slots=True)
class GoldStanding:
    """A tree against the gold tree: PARSEVAL's counts, its errors, and which of the two our model prefers.

    `gold` is the gold tree's score; `nats` is the tree's score less that, above zero where our model prefers the tree.
    """

    score: SentenceScore
    errors: tuple[ParseError, ...]
    gold: Scored
    nats: float

    @property
    def f1(self) -> float:
        """F1 of the tree in per cent."""
        return f1_of(self.score.matched, self.score.gold, self.score.proposed)


@dataclass(frozen=True, slots=True)
class TreeJudgement:
    """A tree of another parser, or of anybody, under our model.

    Attributes
    ----------
    tree, scored
        The tree, and its score with every factor; or what makes it impossible.
    parse
        What our parser makes of the same words.
    verdict
        Why our parser has not this tree, the tree taken for gold.
    differences
        What the tree has otherwise than our parse, by class of error.
    difference
        Factor against factor, the tree less our parse; ``None`` where our parse is a cover of fragments.
    prices
        What each arrow of the tree that our parse has not would cost.
    standing
        The tree against gold, if the gold tree is known.
    """

    tree: Tree
    scored: Scored
    parse: Parse
    verdict: Verdict
    differences: tuple[ParseError, ...]
    difference: LedgerDifference | None
    prices: tuple[PricedArrow, ...]
    standing: GoldStanding | None = None


def judge_tree(
    parser: Parser,
    tree: Tree,
    *,
    gold: Tree | None = None,
    sentence: TaggedSentence | TagDistribution | None = None,
    control: Control | None = None,
) -> TreeJudgement:
    """Score, explain, price and judge any tree as if our parser had to defend its own against it.

    Parameters
    ----------
    parser
        Our model and settings.
    tree
        The tree, with whatever traces and function tags.
    gold
        The gold tree of the same words, if it is known.
    sentence
        What our parser parses: the tree's words and tags if nothing is given, or its words tagged otherwise.
    control
        Stops the work from another thread.
    """
    words = token_words(gold) if gold is not None else list(_words(sentence)) if sentence is not None else None
    if words is not None:
        differing = token_differences(words, token_words(tree))
        if differing:
            whose = "the gold tree" if gold is not None else "the sentence"
            place = differing[0]
            raise EngineError(
                f"the tokens of the tree are not those of {whose}: from token {place.token} on {whose} has "
                f"{quoted_tokens(place.gold)}, the tree {quoted_tokens(place.theirs)}"
            )
        tree = respelled(tree, words)
    found = verdict(parser, tree, sentence=sentence, repair=False, control=control)
    parse = found.parse
    distribution = parse.distribution if sentence is not None else None
    scored = parser.score(tree, distribution, parse.further_backoff)
    difference = None if parse.fallback else difference_of(parse.ledger(), scored.ledger)
    standing = None
    if gold is not None:
        right = parser.score(gold, distribution, parse.further_backoff)
        errors = tuple(classify_errors(tree, gold))
        ahead = scored.score - right.score if scored.possible and right.possible else math.nan
        standing = GoldStanding(score_pair(gold, tree), errors, right, ahead)
    return TreeJudgement(
        tree,
        scored,
        parse,
        found,
        tuple(classify_errors(tree, parse.tree)),
        difference,
        tuple(_prices(parser, found, control)),
        standing,
    )


def _words(sentence: TaggedSentence | TagDistribution) -> tuple[str, ...]:
    return sentence.sentence.words if isinstance(sentence, TagDistribution) else sentence.words


def _prices(parser: Parser, found: Verdict, control: Control | None) -> list[PricedArrow]:
    """Return the price of every arrow that the tree has and our parse has not; none if they are too much work."""
    arrows, parse = found.comparison.missing_arrows, found.parse
    if not arrows or parse.fallback:
        return []
    sentence = parse.sentence
    places = {token: position for position, token in enumerate(sentence.positions)}
    asked = parse.distribution or sentence
    try:
        words = list(attachment_prices(parser, asked, parse, most=MOST_NATS, control=control))
    except ChartTooLarge:
        return []
    priced = {(price.modifier, price.head, price.relation): price.cost for word in words for price in word.prices}
    return [
        PricedArrow(
            arrow,
            priced.get((places.get(arrow.modifier, -1), places.get(arrow.head, -1), arrow.relation)),
        )
        for arrow in arrows
    ]
