"""The tables and formulas of pages: every number in them is a claim."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.chart.parser import Parser
from engine.explain.explanation import Formula, TableBlock
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    EdgeId,
    FactorId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    RootId,
)
from tests.claims.asked import UNCOVERED, Asked, Claim, checked
from tests.claims.case import ROOT, Facts
from tests.claims.estimates import Counts, pooled
from tests.claims.notation import agrees, share_is, value_of
from tests.claims.sentences import (
    cell_edges,
    cell_items,
    modifier_of,
    one_phrase,
    page_pair,
    tag_chances,
    the_edge,
    unaries_of,
    unless,
)
from tests.engine.recount_trees import Phrase

Row = tuple[str, ...]
Checker = Callable[[Asked, TableBlock, int, Row], str]
_TABLES: dict[tuple[str, ...], tuple[str, Checker]] = {}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
DIGITS = re.compile(r"\d")


def table(kind: str, *header: str) -> Callable[[Checker], Checker]:
    """Note what a table says, and what finds out whether a row is so."""

    def note(check: Checker) -> Checker:
        _TABLES[header] = kind, check
        return check

    return note


def table_claims(block: TableBlock, asked: Asked) -> Iterator[Claim]:
    """Take a table apart, row by row."""
    kind, check = _TABLES.get(block.header, ("", None))
    for place, row in enumerate(block.rows):
        text = " | ".join(row)
        if check is not None:
            yield Claim(f"table: {kind}", text, checked(check, asked, block, place, row))
        elif any(map(DIGITS.search, row)):
            yield Claim(UNCOVERED, f"table {block.header}: {text}")


def log_is(text: str, value: float) -> bool:
    """A logarithm as tables write it."""
    if text in ("0", "≈ 0"):
        return abs(value) < (1e-8 if text == "0" else 0.0051)
    return agrees(text.removeprefix("+"), value)


def number_is(text: str, value: float) -> bool:
    """A number with so many digits that count."""
    return value == 0 if text == "0" else (text == "≈ 0" and value < 0.0005) or agrees(text, value)


# Estimates and their counts.


@table("gap tags", "tag", "", "P̂", "")
def gap_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    position = asked.subject.position  # type: ignore[union-attr]
    found = asked.facts.gap_chances(position)
    chosen = asked.facts.gap_tags[position - 1] == row[0]
    return unless(number_is(row[2], found[row[0]]) and (row[3] == "chosen") == chosen, found)


@table("tags", "tag", "P")
def tag_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    position = asked.subject.start if isinstance(asked.subject, NodeId) else asked.subject.position  # type: ignore[union-attr]
    found = tag_chances(asked, position)
    return unless(number_is(row[1], found[row[0]]), found[row[0]])


def levels_of(asked: Asked, block: TableBlock) -> dict[str, Counts]:
    """η and δ of every level of what a page is about, by the name that the table has for it."""
    facts, estimates = asked.facts, asked.facts.estimates
    match asked.subject:
        case GapId(position) | GapTagId(position):
            letter = asked.subject.letter if isinstance(asked.subject, GapTagId) else facts.gap_tags[position - 1]
            found = {
                name: estimates.counts(met, letter) for name, met in estimates.gap_levels(facts.gap(position)).items()
            }
        case NodeId() | FactorId():
            node, parent = unary_node(asked)
            levels = estimates.unary_levels(facts.phrased(node))
            found = {name: estimates.unary_counts(met, parent) for name, met in levels.items()}
        case _:
            modifier, head, relation = page_pair(asked)
            if head == ROOT:
                levels = estimates.root_levels(*facts.sentence.words[modifier])
                rows = {name: met.level(relation[0], estimates.weighted) for name, met in levels.items()}
                return rows
            levels = estimates.pair_levels(facts.pair(modifier, head))
            found = {name: estimates.counts(met, relation) for name, met in levels.items()}
    if "E2" in found:
        found["E23"] = pooled([found["E2"], found["E3"]])
    if "before" in found:
        found["before, after"] = pooled([found["before"], found["after"]])
    found["even"] = (1, 5)
    return found


def unary_node(asked: Asked) -> tuple[Phrase, str]:
    """The constituent that a unary factor is over, and what stands over it."""
    facts = asked.facts
    if isinstance(asked.subject, NodeId):
        node = one_phrase(asked, asked.subject)
        assert node is not None
        return next((one, parent) for one, parent in facts.unaries if one is node)
    assert isinstance(asked.subject, FactorId)
    factor = asked.parse.ledger().factors[asked.subject.number]
    about: Any = factor.subject
    found = [
        (one, parent)
        for one, parent in facts.unaries
        if (one.head, one.label, parent) == (about.head, about.label, about.parent or "")
    ]
    # A word may head several constituents with one label: the factor is that of one of them.
    return min(found, key=lambda one: abs(facts.unary_chance(*one) - factor.probability))


@table("counts", "", "based on", "η", "δ", "E = η/δ")
def count_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    name = row[0].translate(_SUBSCRIPTS).replace(" + ", "+")
    found = levels_of(asked, block).get(name)
    if found is None:
        return f"which level is {name}"
    told = int(row[2].replace(",", "")), int(row[3].replace(",", ""))
    problem = unless(told == found, found)
    estimate = found[0] / found[1] if found[1] else math.nan
    return problem or unless(number_is(row[4], estimate) if found[1] else row[4] == "–", estimate)


@table("recursion", "level", "λ", "E", "m")
def recursion_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    # The row below it and λ and E of this one give what comes out here, as far as digits are shown.
    if place + 1 == len(block.rows):
        return unless(row[2] == row[3], row[2])
    weight, estimate = value_of(row[1])[0], value_of(row[2])[0]
    below, here = value_of(block.rows[place + 1][3])[0], value_of(row[3])
    value = weight * estimate + (1 - weight) * below
    slack = abs(here[1]) + 2e-4 * max(abs(value), abs(here[0])) + 2e-4 * (estimate + below) * max(1 - weight, 1e-3)
    return unless(abs(value - here[0]) <= slack, value)


_RESULT = re.compile(r"= ([^,=]+),  log (?:F̂|P̂|P) (\S+|≈ 0)$")


def formula_claims(block: Formula, asked: Asked) -> Iterator[Claim]:
    """Check what comes out of a formula."""
    for text, _ in block.lines:
        found = _RESULT.search(text)
        value = result_of(asked)
        if found is not None and value is not None:
            log = math.log(value) if value > 0 else -math.inf
            so = number_is(found[1], value) and log_is(found[2], log)
            yield Claim("formula", text, unless(so, (value, log)))


def result_of(asked: Asked) -> float | None:
    """The estimate that a page ends in."""
    facts = asked.facts
    match asked.subject:
        case GapId(position):
            return facts.gap_chances(position)[facts.gap_tags[position - 1]]
        case GapTagId(position, letter):
            return facts.gap_chances(position)[letter]
        case FactorId():
            found = unaries_of(asked)
            return found[0] if len(found) == 1 else None
        case NodeId():
            node = one_phrase(asked, asked.subject)
            found = [facts.unary_chance(one, parent) for one, parent in facts.unaries if one is node]
            return found[0] if found else None
        case ArrowId() | MatrixCellId() | CandidateId() | RootId():
            modifier, head, relation = page_pair(asked)
            if head == ROOT:
                return facts.estimates.root(*facts.sentence.words[modifier], relation[0])
            return facts.dependencies(modifier, head).get(relation, 0.0)
    return None


# What-ifs.


@table("what-ifs", "what if", "in score")
def what_if_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    result = asked.case.result
    if row[0] == "all together":
        value = result.parse.score - result.free.score
    elif row[1] == "–":
        return ""
    else:
        what_ifs = result.request.line.what_ifs
        staying = what_ifs[:place] + what_ifs[place + 1 :]
        made = result.parse
        without = Parser(made.model, made.settings).parse(result.reading.sentence, constraints=staying)
        value = made.score - without.score
    return unless(log_is(row[1], value), value)


@table("what changed", "change", "with it", "without it")
def changed_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    best, free = asked.case.facts(asked.case.listed[0]), asked.case.facts(asked.case.result.free)
    if not best.readable or not free.readable:
        return ""
    mine = [value for _, text, value in factor_texts(best) if text == row[1]] if row[1] != "–" else [0.0]
    its = [value for _, text, value in factor_texts(free) if text == row[2]] if row[2] != "–" else [0.0]
    if not mine or not its:
        # What a re-ranker adds is not computed a second time.
        return unless(bool(asked.parse.settings.rerank), "no such factor")
    found = [one - other for one in mine for other in its]
    return unless(any(log_is(row[0], value) for value in found), found)


# Attachments.


_ANSWERS = (
    ("head follows modifier", "head precedes modifier"),
    ("not adjacent", "adjacent"),
    ("no verb between", "a verb between"),
    ("0 commas between", "1 comma between", "2 commas between", "more than 2 commas between"),
    ("no comma after the first", "comma after the first"),
    ("no comma before the second", "comma before the second"),
)


@table("Δ", "question", "result")
def distance_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    subject = asked.subject
    if isinstance(subject, MatrixCellId):
        modifier, head = subject.modifier, subject.head
    else:
        modifier, head, _ = page_pair(asked)
    answer = _ANSWERS[place][int(asked.facts.pair(modifier, head).delta[place])]
    return unless(row[1] == answer, answer)


@table("equation (8)", "head", "R", "F̂", "P of (8)")
def candidate_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    facts = asked.facts
    ranked = facts.others(modifier_of(asked))
    labels = tuple(row[1].split(","))
    found = [one for one in ranked if facts.words[one.head] == row[0] and one.relation == labels]
    so = any(number_is(row[2], one.estimate) and number_is(row[3], one.probability) for one in found)
    marked = place == block.marked
    own = page_pair(asked)
    here = any((one.head, one.relation) == own[1:] for one in found)
    problem = unless(so, found) or unless(not marked or here, "another is asked about")
    # But for the one that is marked they are the most probable.
    least = min(one.probability for one in found)
    better = sum(one.probability > least * (1 + 1e-9) for one in ranked)
    return problem or unless(marked or better < 8, f"{better} are more probable")


@table("other heads in the list", "head", "rank", "log P")
def other_head_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    return other_head(asked, row)


@table("other heads in the list", "head", "rank", "log P", "re-ranker", "score")
def reranked_head_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    return other_head(asked, row)


def other_head(asked: Asked, row: Row) -> str:
    """Whether a parse of the list is the best with another head."""
    rank = int(row[1])
    other, modifier, own = asked.case.listed[rank - 1], modifier_of(asked), asked.parse
    facts = asked.case.facts(other)
    head = facts.heads.get(modifier)
    if head is None or (facts.words[head] if head >= 0 else "root") != row[0] or head == asked.facts.heads[modifier]:
        return f"there the head is {head}"
    log, score = other.log_probability - own.log_probability, other.score - own.score
    values = (log, score - log, score) if len(row) > 3 else (log,)
    problem = unless(all(log_is(text, value) for text, value in zip(row[2:], values, strict=True)), values)
    same = [one.score for one in asked.case.listed if asked.case.facts(one).heads.get(modifier) == head]
    return problem or unless(other.score >= max(same) - 1e-9, f"another with this head scores {max(same)}")


# Constituents and ledgers.


@table("children", "label", "words", "")
def child_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    child = node.children[place]
    words = " ".join(asked.words[child.start : child.end])[:40]
    return unless(row == (child.label, words, "head" if place == node.head_child else ""), (child.label, words))


_KINDS = {"tag P": "tag", "gap P̂": "gap", "dependency F̂": "dependency", "unary P̂": "unary", "root F̂": "root"}


def factor_texts(facts: Facts) -> list[tuple[str, str, float]]:
    """Every factor of a parse as tables name it, with its log."""
    words, found = facts.words, []
    for kind, about, value in facts.factors:
        log = math.log(value) if value > 0 else -math.inf
        match kind, about:
            case "tag", (int(position), tag):
                text = f"{words[position]}/{tag}"
            case "gap", (int(position), letter):
                text = f"{words[position - 1]} {letter} {words[position]}"
            case "dependency", (int(modifier), int(head), relation):
                assert isinstance(relation, tuple)
                text = f"{words[modifier]} → {words[head]} <{','.join(relation)}>"
            case "root", (int(position), label):
                text = f"{words[position]} → root <{label}>"
            case "unary", (int(head), label, ""):
                text = f"no unary over {label} ({words[head]})"
            case _, (int(head), label, parent):
                text = f"{parent} → {label} ({words[head]})"
        found.append((kind, text, log))
    return found


@table("ledger", "factor", "what", "log")
def ledger_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    if row[1] == "sum":
        total = math.fsum(value_of(one[2])[0] if "0" != one[2] != "≈ 0" else 0.0 for one in block.rows[:-1])
        return unless(
            abs(value_of(row[2])[0] - total) < 0.0006 * len(block.rows) + 1e-3
            if row[2] not in ("0", "≈ 0")
            else abs(total) < 0.01,
            total,
        )
    found = [log for kind, text, log in factor_texts(asked.facts) if kind == _KINDS[row[0]] and text == row[1]]
    return unless(any(log_is(row[2], log) for log in found), found)


@table("what costs most", "factor", "log")
def dear_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    found = factor_texts(asked.facts)
    logs = [log for _, text, log in found if text == row[0]]
    so = [log for log in logs if log_is(row[1], log)]
    cheaper = sorted(log for _, _, log in found)
    return unless(bool(so), logs) or unless(so[0] <= cheaper[min(place, len(cheaper) - 1)] + 1e-6, cheaper[:place])


@table("sums", "factors", "", "log")
def sum_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    found = asked.facts.factors
    logs = {
        kind: [math.log(value) if value > 0 else -math.inf for one, _, value in found if one == kind]
        for kind in _KINDS.values()
    }
    ledger = asked.parse.ledger()
    if row[0] in _KINDS:
        own = logs[_KINDS[row[0]]]
        return unless(
            int(row[1].replace(",", "")) == len(own) and log_is(row[2], math.fsum(own)), (len(own), math.fsum(own))
        )
    if row[0] in ("log P", "subtotal: log P"):
        total = asked.facts.log_probability
        return unless(int(row[1].replace(",", "")) == len(found) and log_is(row[2], total), (len(found), total))
    if row[0] == "score":
        return unless(
            int(row[1].replace(",", "")) == len(ledger) and log_is(row[2], asked.parse.score), asked.parse.score
        )
    some = ledger.second_model if row[0] == "second model" else ledger.features
    total = math.fsum(factor.log for factor in some)
    return unless(int(row[1].replace(",", "")) == len(some) and log_is(row[2], total), total)


@table("vote", "contested constituent", "share of the vote", "")
def vote_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    shares = asked.case.vote().shares
    own = asked.facts.voted()
    label, _, words = row[0].partition(" `")
    found = [
        (bracket, share)
        for bracket, share in shares.items()
        if bracket[0] == label and short(asked.words[bracket[1] : bracket[2]]) == words.removesuffix("`")
    ]
    return unless(
        any(share_is(row[1], share) and (bracket in own) == (row[2] != "not in it") for bracket, share in found), found
    )


def short(words: Sequence[str]) -> str:
    """Words of which the middle is left out where there are many."""
    return " ".join(words if len(words) <= 7 else [*words[:4], "…", *words[-2:]])


# The chart.


_REASONS = {
    "kept": "kept",
    "dominated by an equal": "dominated",
    "out of the beam": "out of beam",
    "under the threshold": "under threshold",
    "against the comma rule": "comma rule",
    "against a what-if": "constraint",
}


@table("edges of a cell", "kept or pruned", "edges")
def reason_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    found = sum(edge.pruning_reason == _REASONS[row[0]] for edge in cell_edges(asked))
    return unless(int(row[1].replace(",", "")) == found, found)


@table("items of a cell", "label", "head", "log P", "to best", "")
def item_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    assert isinstance(asked.subject, ChartCellId)
    items = cell_items(asked, asked.subject.start, asked.subject.end)
    best = items[0].score
    return unless(
        any(
            (item.label, asked.words[item.head]) == row[:2]
            and log_is(row[2], item.score)
            and log_is(row[3], item.score - best)
            for item in items
        ),
        [(item.label, item.score, item.score - best) for item in items if item.label == row[0]],
    )


@table("parts of an edge", "part", "log")
def part_row(asked: Asked, block: TableBlock, place: int, row: Row) -> str:
    edge, trace = the_edge(asked), asked.parse.chart
    assert trace is not None and isinstance(asked.subject, EdgeId | ItemId)
    logs = {"gap tags": edge.gap, "unaries": edge.unary, "tags P(t|S)": edge.tag, "log P": edge.score}
    if row[0] in logs:
        return unless(log_is(row[1], logs[row[0]]), logs[row[0]])
    if row[0].startswith("F̂"):
        return unless(log_is(row[1], edge.dependency), edge.dependency)
    sides = [trace.item(side) for side in (edge.left, edge.right) if side >= 0]
    if row[0].startswith("its child, which was pruned"):
        child = edge.score - edge.unary - edge.tag
        return unless(edge.left < 0 and log_is(row[1], child), child)
    parts = math.fsum(item.score for item in sides)
    if row[0] == "no unary over its parts":
        # What the parts pay beyond what they cost themselves.
        paid = edge.score - parts - edge.gap - edge.dependency - edge.unary - edge.tag
        # A phrase that goes on growing is not finished; its modifier is.
        done = [item for item in sides if not edge.kind.startswith("grow") or item.head != edge.head]
        expected = math.fsum(item.done - item.score for item in done if math.isfinite(item.done))
        core = edge.head_label == "NPX"
        return unless(log_is(row[1], paid), paid) or unless(core or abs(paid - expected) < 1e-6, expected)
    return unless(any(item.label in row[0] and log_is(row[1], item.score) for item in sides) or edge.left < 0, sides)
