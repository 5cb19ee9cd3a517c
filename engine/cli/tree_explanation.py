"""``parse-engine explain --tree``: any tree, of another parser or of a person, scored, priced and judged."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.chart.parser import Parser
from engine.cli.explanation_sections import difference_table, filled, ledger_table, score_text, section
from engine.common.errors import EngineError
from engine.common.numbers import number, size
from engine.common.tables import text_table
from engine.estimates.ledger import Ledger, align
from engine.explain.verdicts import GOLD_TREE, OUR_PARSE, error_description, tree_sentences
from engine.gate.text_stream import read_text
from engine.study.comparison import Arrow
from engine.study.errors import ParseError
from engine.study.foreign_trees import TreeJudgement, judge_tree
from engine.trees.reading import read_tree
from engine.trees.tree import Tree


def tree_explanation(parser: Parser, arguments: argparse.Namespace) -> str:
    """Return all that is to be said of the tree that the command line gives."""
    tree = _given_tree(arguments)
    gold = read_tree(arguments.gold) if arguments.gold is not None else None
    sentence = parser.prepare(arguments.sentence) if arguments.sentence is not None else None
    judged = judge_tree(parser, tree, gold=gold, sentence=sentence)
    everything = arguments.all
    sections = [
        "\n".join(filled(sentence) for sentence in tree_sentences(judged)),
        section("Tree", f"{judged.tree.pretty()}\n{_score(judged.scored.ledger)}"),
        section("Our parse", f"{judged.parse.tree.pretty()}\n{_score(judged.parse.ledger())}"),
    ]
    if judged.differences:
        sections.append(section("What the tree has otherwise than our parse", _errors(judged.differences, OUR_PARSE)))
    if judged.prices:
        sections.append(section("Prices", _prices(judged)))
    if judged.standing is not None and judged.standing.errors:
        sections.append(section("Errors against the gold tree", _errors(judged.standing.errors)))
    sections.append(section("Ledger of the tree", ledger_table(judged.scored.ledger, everything)))
    if not judged.parse.fallback and align(judged.parse.ledger(), judged.scored.ledger)[0]:
        table = difference_table(judged.parse.ledger(), judged.scored.ledger, everything, ("parse", "tree"))
        sections.append(section("Difference (our parse − tree)", table))
    if judged.standing is not None and align(judged.scored.ledger, judged.standing.gold.ledger)[0]:
        table = difference_table(judged.scored.ledger, judged.standing.gold.ledger, everything, ("tree", "gold"))
        sections.append(section("Difference (tree − gold)", table))
    return "\n\n".join(sections)


def _given_tree(arguments: argparse.Namespace) -> Tree:
    """Return the tree in brackets, or a line of a file of trees."""
    if arguments.tree is not None:
        return read_tree(arguments.tree)
    path = Path(arguments.tree_file)
    if not path.is_file():
        raise EngineError(f"{path}: there is no such file")
    lines = read_text(path).removesuffix("\n").split("\n")
    if arguments.line > len(lines):
        raise EngineError(f"{path}: there is no line {arguments.line}; the file has {size(len(lines), 'line')}")
    try:
        return read_tree(lines[arguments.line - 1])
    except EngineError as error:
        raise EngineError(f"{path}, line {arguments.line}: {error}") from error


def _score(ledger: Ledger) -> str:
    return score_text(ledger.log_probability, ledger.total, bool(ledger.second_model))


def _errors(errors: tuple[ParseError, ...], held_against: str = GOLD_TREE) -> str:
    return "\n".join(filled(f"- {error.kind}: {error_description(error, held_against)}") for error in errors)


def _prices(judged: TreeJudgement) -> str:
    """Return what every arrow of the tree that our parse has not would cost our parser."""
    words = judged.scored.sentence.words

    def word(token: int) -> str:
        return words[token] if token >= 0 else "(root)"

    def row(arrow: Arrow, price: float | None) -> tuple[str, ...]:
        shown = number(price) if price is not None else "too much"
        return word(arrow.modifier), word(arrow.head), str(arrow.relation), shown

    table = text_table(("modifier", "head", "relation", "nats"), [row(*priced) for priced in judged.prices], right=(3,))
    return f"{table}\n(what the best parse with this arrow loses in log probability against ours, without a re-ranker)"
