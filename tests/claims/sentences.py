"""The sentences of headlines, reasons and pages: a pattern for each way of saying something, and what is true."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from engine.chart.parse import Parse
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
    TagId,
    WordId,
)
from tests.claims.asked import Asked, Checker, Pattern, expanded
from tests.claims.case import ROOT, Facts
from tests.claims.estimates import Pair, summed
from tests.claims.notation import (
    agrees,
    amounts_to,
    chances,
    changes_by,
    count_of,
    is_span,
    is_word,
    ratio_is,
    share_is,
)
from tests.claims.training import NEVER, ORDER, Met, code
from tests.engine.recount_trees import Phrase, Relation

PATTERNS: list[Pattern] = []
CLOSE = 1e-9


def says(kind: str, *patterns: str) -> Callable[[Checker], Checker]:
    """Note how something is said, and what finds out whether it is so."""

    def note(check: Checker) -> Checker:
        PATTERNS.extend(Pattern(kind, expanded(pattern), check) for pattern in patterns)
        return check

    return note


def unless(true: bool, instead: object = "") -> str:
    """What is wrong, unless it is true."""
    return "" if true else f"it is {instead}" if instead != "" else "it is not so"


def number(text: str) -> int:
    """A whole number."""
    return int(text.replace(",", ""))


# What the subject is about.


def modifier_of(asked: Asked) -> int:
    """The word whose attachment is told."""
    match asked.subject:
        case WordId(position):
            return position
        case ArrowId(modifier) | MatrixCellId(modifier) | CandidateId(modifier):
            return modifier
        case RootId():
            return next(word for word, head in asked.facts.heads.items() if head == ROOT)
        case NodeId(start):
            return start
        case None:
            return -1
    raise ValueError(f"{asked.subject} is about no attachment")


def best_other(asked: Asked, modifier: int) -> Any:
    """The most probable candidate with another head than the word has."""
    head = asked.facts.heads[modifier]
    return next((one for one in asked.facts.others(modifier) if one.head != head), None)


def own_chance(asked: Asked, modifier: int) -> float:
    """P of equation (8) of what the parse has."""
    return asked.facts.chance(modifier, asked.facts.heads[modifier], asked.facts.relations[modifier])


def odds(asked: Asked, modifier: int, own: str, chance: str, other: str, others: str) -> str:
    """Whether a word and its head, and the best other head, have these probabilities."""
    facts = asked.facts
    if facts.heads.get(modifier, ROOT) == ROOT:
        return "it has no head"
    rival, mine = best_other(asked, modifier), own_chance(asked, modifier)
    if rival is None:
        return "there is no other head"
    head = facts.heads[modifier]
    problems = [
        unless(is_word(own, facts.words[head]), f"headed by {facts.words[head]}"),
        unless(chances(chance, mine), mine),
        unless(chances(others, rival.probability), rival.probability),
    ]
    # Two heads may be as probable as each other.
    level = [
        one
        for one in facts.others(modifier)
        if one.head != head and math.isclose(one.probability, rival.probability, rel_tol=1e-9)
    ]
    problems.append(unless(any(is_word(other, facts.words[one.head]) for one in level), facts.words[rival.head]))
    return "; ".join(filter(None, problems))


# Attachments.


@says("arrow", r"«W:word» modifies «W:head»\.", r"«W:word» modifies «W:head», for the whole baseNP «W:base»\.")
def modifies(asked: Asked, word: str, head: str, base: str | None = None) -> str:
    facts, modifier = asked.facts, modifier_of(asked)
    if modifier not in facts.heads or facts.heads[modifier] == ROOT:
        return "it has no head"
    if base is not None:
        own = facts.base_of(modifier)
        if own is None or own[2] != modifier or not is_span(base, facts.words[own[0] : own[1]]):
            return f"its baseNP is {own}"
    return unless(
        is_word(word, facts.words[modifier]) and is_word(head, facts.words[facts.heads[modifier]]),
        facts.words[facts.heads[modifier]],
    )


@says(
    "arrow of another parse",
    r"«W:word» modifies «W:head» in this parse; in the best one "
    r"(?P<there>it is inside a baseNP|it heads the sentence|it modifies «W:other»)\.",
)
def modifies_here(asked: Asked, word: str, head: str, there: str, other: str | None) -> str:
    problem = modifies(asked, word, head)
    best, modifier = asked.case.facts(asked.case.listed[0]), modifier_of(asked)
    now = best.heads.get(modifier)
    if "baseNP" in there:
        return problem or unless(now is None, now)
    if "heads" in there:
        return problem or unless(now == ROOT, now)
    return problem or unless(now is not None and now >= 0 and is_word(other or "", best.words[now]), now)


@says("odds", r"(?:Its head is )?[cC]lear: «W:head» «P:own», next best «W:other» «P:others»[.]?")
def clear_head(asked: Asked, head: str, own: str, other: str, others: str) -> str:
    modifier = modifier_of(asked)
    mine, rival = own_chance(asked, modifier), best_other(asked, modifier)
    return odds(asked, modifier, head, own, other, others) or unless(
        mine >= 5 * rival.probability * (1 - CLOSE), "not clear"
    )


@says("odds", r"«W:head» is likelier than «W:other»: «P:own» against «P:others»[.]?")
def likelier_head(asked: Asked, head: str, own: str, other: str, others: str) -> str:
    modifier = modifier_of(asked)
    return odds(asked, modifier, head, own, other, others) or unless(
        own_chance(asked, modifier) > best_other(asked, modifier).probability, "less likely"
    )


@says("odds", r"(?:Its head is )?[nN]early a tie: «W:first» «P:one», «W:second» «P:two»[.]?")
def tie_of_heads(asked: Asked, first: str, one: str, second: str, two: str) -> str:
    modifier = modifier_of(asked)
    mine, rival = own_chance(asked, modifier), best_other(asked, modifier)
    if rival is None:
        return "there is no other head"
    problem = unless(max(mine, rival.probability) <= 1.25 * min(mine, rival.probability) * (1 + CLOSE), "no tie")
    return problem or min(
        odds(asked, modifier, first, one, second, two), odds(asked, modifier, second, two, first, one), key=len
    )


@says("odds", r"By itself «W:other» is likelier, «P:others» against «P:own»[.]?")
def unlikelier_head(asked: Asked, other: str, others: str, own: str) -> str:
    modifier = modifier_of(asked)
    if modifier not in asked.facts.heads:
        return "it has no head"
    head = asked.words[asked.facts.heads[modifier]]
    return odds(asked, modifier, f"`{head}`", own, other, others) or unless(
        own_chance(asked, modifier) < best_other(asked, modifier).probability, "likelier"
    )


@says("nothing else", r"It can modify nothing else\.", r"Its head is the only one possible\.")
def nothing_else(asked: Asked) -> str:
    return unless(best_other(asked, modifier_of(asked)) is None, best_other(asked, modifier_of(asked)))


@says(
    "inside", r"«W:word» has no arrow of its own: it is inside the baseNP «W:base», and «W:head» stands for all of it\."
)
def inside(asked: Asked, word: str, base: str, head: str) -> str:
    facts, position = asked.facts, modifier_of(asked)
    own = facts.base_of(position)
    if own is None or own[2] == position or not is_word(word, facts.words[position]):
        return f"its baseNP is {own}"
    return unless(is_span(base, facts.words[own[0] : own[1]]) and is_word(head, facts.words[own[2]]), own)


@says("inside", r"«W:word» is inside the baseNP «W:base», headed by «W:head»\.")
def word_inside(asked: Asked, word: str, base: str, head: str) -> str:
    return inside(asked, word, base, head)


@says("root", r"«W:word» heads the sentence\.", r"«W:word» heads the sentence, for the whole baseNP «W:base»\.")
def heads_it(asked: Asked, word: str, base: str | None = None) -> str:
    facts, position = asked.facts, modifier_of(asked)
    if base is not None:
        own = facts.base_of(position)
        if own is None or not is_span(base, facts.words[own[0] : own[1]]):
            return f"its baseNP is {own}"
    return unless(facts.heads.get(position) == ROOT and is_word(word, facts.words[position]), "another word")


@says("root", r"«W:word» heads the sentence, which is an? «L:label»\.")
def heads_as(asked: Asked, word: str, label: str) -> str:
    facts, position = asked.facts, modifier_of(asked)
    return heads_it(asked, word) or unless(facts.relations[position] == (label,), facts.relations[position])


@says("root", r"`(?P<word>[^`]*)` heads the sentence: it modifies nothing, and its relation is <(?P<label>[^>]+)>\.")
def page_of_root(asked: Asked, word: str, label: str) -> str:
    return heads_as(asked, f"`{word}`", label)


@says("root chance", r"Such a word heads such a sentence with probability «P:chance»\.")
def root_chance(asked: Asked, chance: str) -> str:
    facts, position = asked.facts, modifier_of(asked)
    value = facts.estimates.root(*facts.sentence.words[position], facts.relations[position][0])
    return unless(chances(chance, value), value)


@says("list", r"Another word heads it in «N:others» of the «N:many» best parses\.")
def other_roots(asked: Asked, others: str, many: str) -> str:
    position = modifier_of(asked)
    found = [asked.case.facts(one).heads.get(position) != ROOT for one in asked.case.listed]
    if not all(asked.case.facts(one).readable for one in asked.case.listed):
        return unless(number(many) == len(found), len(found))
    return unless((number(others), number(many)) == (sum(found), len(found)), f"{sum(found)} of {len(found)}")


@says("list", r"(?P<many>Both of the|All «N:all») best parses agree\.")
def all_agree(asked: Asked, many: str, all: str | None) -> str:
    position = modifier_of(asked)
    heads = [asked.case.facts(one).heads.get(position) for one in asked.case.listed]
    size = 2 if many.startswith("Both") else number(all or "0")
    return unless(size == len(heads) and set(heads) == {ROOT}, heads)


@says("list", r"Its rival in the list is close\.")
def close_rival(asked: Asked) -> str:
    position = modifier_of(asked)
    others = [one.score for one in asked.case.listed if asked.case.facts(one).heads.get(position) != ROOT]
    return unless(bool(others) and abs(max(others) - asked.parse.score) < 0.25, "not")


@says("forced", r"A what-if forces it\.", r"; a what-if forces it\.", r"A what-if forces its tag, (?P<tag>\S+)\.")
def forced(asked: Asked, tag: str | None = None) -> str:
    return unless(bool(asked.case.result.request.line.what_ifs), "free")


# What decides, and the best tree with something else.


def differs(asked: Asked) -> Callable[[Parse], bool]:
    """Whether a parse of the list has otherwise what is selected."""
    facts, case = asked.facts, asked.case
    match asked.subject:
        case GapId(position) | GapTagId(position):
            return lambda one: (
                one.sentence.positions != facts.parse.sentence.positions
                or case.facts(one).gap_tags[position - 1 : position] != facts.gap_tags[position - 1]
            )
        case TagId(position):
            token = facts.parse.sentence.positions[position]
            own = facts.parse.sentence.tags[token]
            return lambda one: one.sentence.tags[token] != own
        case NodeId(start, end, label) as node:
            if one_phrase(asked, node) is not None:
                return lambda one: (label, start, end) not in case.facts(one).brackets()
            position = start
        case _:
            position = modifier_of(asked)
    return lambda one: case.facts(one).heads.get(position) != facts.heads.get(position)


@says("what decides", r"; the rest of the tree decides(?: \(«C:change»\))?\.?")
def rest_decides(asked: Asked, change: str | None) -> str:
    if change is None:
        return ""
    differing = differs(asked)
    others = [one for one in asked.case.listed if one is not asked.parse and differing(one)]
    if isinstance(asked.subject, WordId):
        # Of its tag or of its head.
        token = asked.parse.sentence.positions[asked.subject.position]
        tags = [one for one in asked.case.listed if one.sentence.tags[token] != asked.parse.sentence.tags[token]]
        others_sets = [others, tags]
    else:
        others_sets = [others]
    expected = []
    for some in others_sets:
        if some:
            best = max(some, key=lambda one: one.score)
            expected.append(asked.parse.log_probability - best.log_probability)
    return unless(any(changes_by(change, one) for one in expected), expected)


@says("what decides", r"; the vote decides\.?")
def vote_decides(asked: Asked) -> str:
    differing = differs(asked)
    if isinstance(asked.subject, WordId):
        return ""
    others = [one.score for one in asked.case.listed if differing(one)]
    return unless(asked.parse.votes is not None and bool(others) and max(others) > asked.parse.score, others)


@says("what decides", r"; the re-ranker decides(?: \(«C:change»\))?\.?")
def reranker_decides(asked: Asked, change: str | None) -> str:
    if change is None or isinstance(asked.subject, WordId):
        return ""
    differing = differs(asked)
    own = asked.parse
    others = [one for one in asked.case.listed if one is not own and differing(one)]
    gains = [(own.score - own.log_probability) - (one.score - one.log_probability) for one in others]
    fits = [one for one, gain in zip(others, gains, strict=True) if changes_by(change, gain)]
    # Without the re-ranker one of these would be ahead, or nearly.
    return unless(any(one.log_probability > own.log_probability - math.log(1.25) for one in fits), gains)


@says("what decides", r"; the best sequence of tags as a whole decides\.?", r"; the whole tree decides\.?")
def tags_decide(asked: Asked) -> str:
    return ""


_WHAT = (
    r"The best tree (?P<what>with «W:inside» inside a baseNP|with «W:root» as the root|with «W:under» under (?:the (?P<head_at>\d+)\w\w )?«W:head»|"
    r"headed by (?:the (?P<headed_at>\d+)\w\w )?«W:headed»|without it|with (?P<letter>[SCEBN]) here|with «T:tag» for «W:tagged») is the «O:rank» of the list"
)


@says(
    "best tree with another",
    _WHAT + r"; this one is «X:ratio»\.",
    _WHAT + r", though «X:though»\.",
    _WHAT + r": log P «C:log», re-ranker «C:rest»\.",
)
def best_with(
    asked: Asked,
    what: str,
    rank: str,
    inside: str | None,
    root: str | None,
    under: str | None,
    head: str | None,
    headed: str | None,
    head_at: str | None,
    headed_at: str | None,
    letter: str | None,
    tag: str | None,
    tagged: str | None,
    ratio: str | None = None,
    though: str | None = None,
    log: str | None = None,
    rest: str | None = None,
) -> str:
    case = asked.case

    def has(one: Parse) -> bool:
        facts = case.facts(one)
        if inside:
            return facts.heads.get(modifier_of(asked)) is None
        if root or headed:
            heads = [word for word, above in facts.heads.items() if above == ROOT]
            return numbered(facts, heads[0], root or headed or "", headed_at)
        if under:
            above = facts.heads.get(modifier_of(asked))
            return above is not None and above >= 0 and numbered(facts, above, head or "", head_at)
        if letter:
            return facts.gap_tags[asked.subject.position - 1] == letter  # type: ignore[union-attr]
        if tag:
            position = asked.subject.position  # type: ignore[union-attr]
            return facts.tags[position] == tag.strip("“”")
        return differs(asked)(one)

    found = [(place, one) for place, one in enumerate(case.listed, 1) if one is not asked.parse and has(one)]
    if not found:
        return "no tree of the list has it"
    place, best = max(found, key=lambda pair: (pair[1].score, -pair[0]))
    if not rank.startswith(str(place)) or rank[:-2] != f"{place:,}":
        if not any(f"{at:,}" == rank[:-2] and one.score >= best.score - CLOSE for at, one in found):
            return f"it is number {place}"
        place, best = next((at, one) for at, one in found if f"{at:,}" == rank[:-2])
    own = asked.parse
    ahead = own.log_probability - best.log_probability
    if ratio:
        return unless(ratio_is(ratio, ahead), ahead)
    if though:
        return unless(ratio_is(though, -ahead), ahead)
    others = (best.score - best.log_probability) - (own.score - own.log_probability)
    return unless(changes_by(log or "", -ahead) and changes_by(rest or "", others), (-ahead, others))


def numbered(facts: Facts, position: int, quoted: str, at: str | None) -> bool:
    """Whether a word is the one that is named, by its number if the sentence has it several times."""
    same = [place for place, word in enumerate(facts.words) if word == facts.words[position]]
    return is_word(quoted, facts.words[position]) and (at is None or same.index(position) + 1 == int(at))


# How often in training.


def finest(levels: dict[str, Met], order: Sequence[Sequence[str]]) -> str | None:
    """The first level that was met; of several side by side the one that was met most often."""
    for names in order:
        met = [name for name in names if name in levels and levels[name].times]
        if met:
            return max(met, key=lambda name: levels[name].times)
    return None


_SOME = "a comma or more|a comma|two commas|three commas or more"
_BESIDE_WHICH = "both|the first word|the second word|neither"
_PLACE = (
    r"(?P<right>right )?(?P<order>after|before) (?:«W:other»|(?:any|a) word tagged (?P<other_tag>[^\s,]+))"
    rf"(?:, with (?P<commas>{_SOME})(?: \(beside (?P<where>{_BESIDE_WHICH})\))? between,?"
    rf"|, not next to it and with (?:(?P<verb>a|no) verb(?: and (?P<and_commas>{_SOME})"
    rf"(?: \(beside (?P<where_too>{_BESIDE_WHICH})\))?)?"
    rf"|(?P<but_commas>{_SOME})(?: \(beside (?P<but_where>{_BESIDE_WHICH})\))? but no verb) between,?)?"
)
_TOLD = r"(?:«W:told»|any word tagged (?P<told_tag>\S+))"
_OFTEN = (
    r"(?P<often>the one time this was met|both times|all «N:all» times|once out of «N:once» times"
    r"|«N:eta» times out of «N:delta»)"
)
_WEIGHTED = r"(?: \(weighted: «N:heavy_eta» of «N:heavy_delta»\))?(?:\.|(?=; with words))"


def counted(met: Met, outcome: Any, parts: dict[str, str | None], weighted_pages: bool) -> str:
    """Whether something was so as often as is told."""
    eta, delta = met.level(outcome)
    often = parts.get("often")
    if often is None:
        told = 0, count_of(parts["met"] or "")
    elif often.startswith("the one"):
        told = 1, 1
    elif often == "both times":
        told = 2, 2
    elif parts["all"]:
        told = number(parts["all"]), number(parts["all"])
    elif parts["once"]:
        told = 1, number(parts["once"])
    else:
        told = number(parts["eta"] or ""), number(parts["delta"] or "")
    problem = unless(told == (eta, delta), f"{eta} of {delta}")
    heavy = parts.get("heavy_eta")
    if heavy:
        found = met.level(outcome, True)
        problem = problem or unless((number(heavy), number(parts["heavy_delta"] or "")) == found, f"weighted {found}")
    elif weighted_pages and met.level(outcome, True) != (eta, delta):
        problem = problem or "the weights are not told"
    return problem


def pairs_of(asked: Asked) -> list[tuple[Facts, int, int, Relation]]:
    """Modifier, head and relation of what counts are told of, in the order of the reasons; of a verdict, in any."""
    if asked.views:
        return [
            (facts, modifier, head, facts.relations[modifier])
            for facts in asked.views
            for modifier, head in facts.heads.items()
            if head != ROOT
        ]
    facts, modifier = asked.facts, modifier_of(asked)
    own = (facts, modifier, facts.heads[modifier], facts.relations[modifier])
    match asked.subject:
        case MatrixCellId(_, head) if head != own[2]:
            if not any(one.head == head for one in facts.others(modifier)):
                return [own]
            return [(facts, modifier, head, likeliest(facts, modifier, head)), own]
        case CandidateId(_, head, relation) if (head, plain(relation)) != own[2:]:
            return [(facts, modifier, head, plain(relation)), own]
    rival = best_other(asked, modifier)
    return [own, *([(facts, modifier, rival.head, rival.relation)] if rival is not None else [])]


def likeliest(facts: Facts, modifier: int, head: int) -> Relation:
    """The most probable relation between two words; of several that are as probable the one that sorts first."""
    ranked = [one for one in facts.others(modifier) if one.head == head]
    return min(one.relation for one in ranked if one.probability >= ranked[0].probability * (1 - CLOSE))


def plain(relation: Iterable[str]) -> Relation:
    """A relation as the recount writes it."""
    return tuple(label for label in relation if label)


_BESIDE = {
    "both": (True, True),
    "the first word": (True, False),
    "the second word": (False, True),
    "neither": (False, False),
}
_COMMAS = {None: 0, "a comma": 1, "two commas": 2, "three commas or more": 3}


def pair_counts(asked: Asked, pair: Pair, parts: dict[str, str | None]) -> Met:
    """How often two words stood as a sentence says, each by itself or by its tag."""
    training = asked.case.training
    plain_words = asked.case.preset in (3, 4)
    wanted: dict[str, Any] = {}
    mask, tags = 0, 0
    first, second = training.tag(pair.modifier_tag), training.tag(pair.head_tag)
    keeps_tags = not plain_words
    if parts["told"]:
        wanted["modifier"] = pair.modifier
    if parts["other"]:
        wanted["head"] = pair.head
    if parts["told_tag"] or keeps_tags:
        if first is None:
            return NEVER
        mask, tags = mask | 255 << 8, tags | first << 8
    if parts["other_tag"] or keeps_tags:
        if second is None:
            return NEVER
        mask, tags = mask | 255, tags | second
    if mask:
        wanted["masked_tags"] = (mask, tags)
    delta = code(pair.delta)
    if not is_detailed(parts):
        return training.pairs.met(**wanted, masked_delta=(ORDER, delta & ORDER))
    if told_commas(parts) == "a comma or more":
        some = [delta & ~(3 << 3) | many << 3 for many in (1, 2, 3)]
        return summed([training.pairs.met(**wanted, delta=one) for one in some])
    # What is not told is not there: all of Δ is told.
    return training.pairs.met(**wanted, delta=delta)


def is_detailed(parts: dict[str, str | None]) -> bool:
    """Whether more is told of a place than the order of two words."""
    return bool(parts["right"] or parts["verb"] or parts["but_commas"] or parts["commas"])


def told_commas(parts: dict[str, str | None]) -> str | None:
    """How many commas are told of."""
    return parts["commas"] or parts["and_commas"] or parts["but_commas"]


def place_is(asked: Asked, pair: Pair, parts: dict[str, str | None]) -> str:
    """Whether two words stand as is said."""
    delta = pair.delta
    problem = unless((parts["order"] == "after") == delta.head_precedes, "the other order")
    if not is_detailed(parts):
        return problem
    problem = problem or unless(
        bool(parts["right"]) == delta.adjacent, "adjacent" if delta.adjacent else "not adjacent"
    )
    told = told_commas(parts)
    if told == "a comma or more":
        problem = problem or unless(delta.commas_between > 0, "no comma")
    else:
        problem = problem or unless(_COMMAS[told] == delta.commas_between, f"{delta.commas_between} commas")
    where = parts["where"] or parts["where_too"] or parts["but_where"]
    beside = _BESIDE[where] if where else (bool(told), bool(told))
    problem = problem or unless(beside == (delta.comma_after_first, delta.comma_before_second), "commas elsewhere")
    verb = parts["verb"] == "a"
    return problem or unless(
        verb == delta.verb_between or delta.adjacent, "a verb" if delta.verb_between else "no verb"
    )


@says(
    "times, dependency",
    rf"[Ii]n training, {_TOLD} {_PLACE} (?:modified it in this way|was co-ordinated with it) {_OFTEN}{_WEIGHTED}",
    rf"[Ii]n training it never happened that {_TOLD} {_PLACE} (?:modified it in this way|was co-ordinated with it) \(met «M:met»\){_WEIGHTED}",
)
def dependency_times(asked: Asked, **parts: str | None) -> str:
    pairs = pairs_of(asked)
    at = asked.following("times, dependency")
    asked.last.clear()
    problems = []
    for facts, modifier, head, relation in pairs if asked.views else pairs[at:] or pairs:
        if head == ROOT:
            continue
        pair = facts.pair(modifier, head)
        words = unless(
            (not parts["told"] or is_word(parts["told"], facts.words[modifier]))
            and (not parts["other"] or is_word(parts["other"], facts.words[head]))
            and (not parts["told_tag"] or parts["told_tag"] == pair.modifier_tag)
            and (not parts["other_tag"] or parts["other_tag"] == pair.head_tag),
            "about other words",
        )
        problem = words or place_is(asked, pair, parts)
        problem = problem or counted(pair_counts(asked, pair, parts), relation, parts, asked.facts.estimates.weighted)
        if not problem:
            asked.last.append((pair, relation))
        elif not words:
            problems.append(problem)
    return "" if asked.last else " / ".join(problems) or "about no pair of words"


@says(
    "times, dependency",
    r"; with words tagged (?P<tag>\S+) and (?P<head_tag>\S+) that stood so it happened «M:often» out of «N:all»\.",
)
def tags_did(asked: Asked, tag: str, head_tag: str, often: str, all: str) -> str:
    found = []
    for pair, relation in asked.last:
        number_of_tags = asked.case.training.tags(pair.modifier_tag, pair.head_tag)
        met = asked.case.training.pairs.met(tags=number_of_tags, delta=code(pair.delta))
        if (tag, head_tag) == (pair.modifier_tag, pair.head_tag):
            found.append(met.level(relation))
    return unless((count_of(often), number(all)) in found, found)


@says("never met", r"«W:word» and «W:head» were never met like this in training, nor were their tags\.")
def never_met(asked: Asked, word: str, head: str) -> str:
    at, pairs = asked.following("times, dependency"), pairs_of(asked)
    for facts, modifier, above, _ in pairs if asked.views else pairs[at:] or pairs:
        if is_word(word, facts.words[modifier]) and is_word(head, facts.words[above]):
            levels = facts.estimates.pair_levels(facts.pair(modifier, above))
            return unless(
                not any(met.times for met in levels.values()), {name: met.times for name, met in levels.items()}
            )
    return "about other words"


_EVENTS = {
    "S": "a baseNP started",
    "C": "a baseNP went on",
    "E": "a baseNP ended",
    "B": "one baseNP ended and the next started",
    "N": "there was no baseNP on either side",
}
_EVENT = "(?P<event>" + "|".join(_EVENTS.values()) + ")"
_GAP = (
    r"between (?:«W:left»|any word tagged (?P<left_tag>\S+)) and (?:«W:right»|any word tagged (?P<right_tag>\S+?))"
    rf"(?P<comma>, with a comma between,)? {_EVENT}"
)


@says(
    "times, gap",
    rf"[Ii]n training, {_GAP} {_OFTEN}{_WEIGHTED}",
    rf"[Ii]n training it never happened that {_GAP} \(met «M:met»\){_WEIGHTED}",
)
def gap_times(asked: Asked, **parts: str | None) -> str:
    letter = next(letter for letter, event in _EVENTS.items() if event == parts["event"])
    if asked.views:
        places = [(facts, at) for facts in asked.views for at in range(1, len(facts.words))]
    else:
        assert isinstance(asked.subject, GapId | GapTagId)
        places = [(asked.facts, asked.subject.position)]
    problems = [gap_count(asked, facts, position, letter, parts) for facts, position in places]
    return "" if "" in problems else " / ".join(sorted(set(problems))[:3])


def gap_count(asked: Asked, facts: Facts, position: int, letter: str, parts: dict[str, str | None]) -> str:
    """Whether a gap like the one before a word had a tag as often as is told."""
    gap = facts.gap(position)
    problem = unless(bool(parts["comma"]) == gap.comma, "a comma" if gap.comma else "no comma")
    for quoted, tag, own in (("left", "left_tag", 1), ("right", "right_tag", 0)):
        if parts[quoted]:
            problem = problem or unless(is_word(parts[quoted] or "", facts.words[position - own]), "another word")
        else:
            problem = problem or unless(parts[tag] == facts.tags[position - own], "another tag")
    wanted = {"left_tag": gap.left_tag, "right_tag": gap.right_tag, "comma": gap.comma}
    if parts["left"]:
        wanted["left"] = gap.left
    if parts["right"]:
        wanted["right"] = gap.right
    met = asked.case.training.gaps.met(**wanted)
    return problem or counted(met, letter, parts, asked.facts.estimates.weighted)


_BY_COMMA = rf"wherever (?P<comma>a|no) comma stood between two words, {_EVENT}"


@says(
    "times, gap",
    rf"[Ii]n training, {_BY_COMMA} {_OFTEN}{_WEIGHTED}",
    rf"[Ii]n training it never happened that {_BY_COMMA} \(met «M:met»\){_WEIGHTED}",
)
def comma_times(asked: Asked, **parts: str | None) -> str:
    letter = next(letter for letter, event in _EVENTS.items() if event == parts["event"])
    met = asked.case.training.gaps.met(comma=parts["comma"] == "a")
    return counted(met, letter, parts, asked.facts.estimates.weighted)


@says("never met", r"«W:left» and «W:right» were never met side by side in training, nor were their tags\.")
def gap_never_met(asked: Asked, left: str, right: str) -> str:
    for facts in asked.views or (asked.facts,):
        for position in range(1, len(facts.words)):
            if is_word(left, facts.words[position - 1]) and is_word(right, facts.words[position]):
                gap = facts.gap(position)
                met = asked.case.training.gaps.met(left_tag=gap.left_tag, right_tag=gap.right_tag)
                return unless(not met.times, met.times)
    return "about other words"


_CONSTITUENT = (
    r"an? «L:label»(?: headed by (?:«W:word»|a word tagged (?P<tag>\S+)))? "
    r"(?P<over>had no unary production over it|stood alone under an? «L:parent»)"
)


@says(
    "times, unary",
    rf"[Ii]n training, {_CONSTITUENT} {_OFTEN}{_WEIGHTED}",
    rf"[Ii]n training it never happened that {_CONSTITUENT} \(met «M:met»\){_WEIGHTED}",
)
def unary_times(asked: Asked, **parts: str | None) -> str:
    label, parent = parts["label"], parts["parent"] or ""
    problems = ["no such constituent"]
    for facts in asked.views or (asked.facts,):
        for node, above in facts.unaries:
            over = facts.phrased(node)
            if node.label != label or above != parent:
                continue
            wanted = {"label": label}
            if parts["word"]:
                if not is_word(parts["word"], facts.words[node.head]):
                    continue
                wanted |= {"tag": over.tag, "word": over.word}
            elif parts["tag"]:
                if parts["tag"] != over.tag:
                    continue
                wanted["tag"] = over.tag
            met = asked.case.training.unaries.met(**wanted)
            if not parent:
                # None at all is what is left.
                none, heavy = (
                    times - sum(outcomes.values())
                    for times, outcomes in (
                        (met.times, met.outcomes),
                        (met.weighted_times, met.weighted_outcomes),
                    )
                )
                met = met._replace(outcomes=Counter({"": none}), weighted_outcomes=Counter({"": heavy}))
            problem = counted(met, parent, parts, asked.facts.estimates.weighted)
            if not problem:
                return ""
            problems.append(problem)
    return " / ".join(problems)


_HEADED = (
    r"(?:«W:word»|a word tagged (?P<tag>\S+)|(?P<any>a word of the reduced sentence)) headed an? «L:label» "
    r"as a whole sentence"
)


@says(
    "times, root",
    rf"[Ii]n training, {_HEADED} {_OFTEN}{_WEIGHTED}",
    rf"[Ii]n training it never happened that {_HEADED} \(met «M:met»\){_WEIGHTED}",
)
def root_times(asked: Asked, **parts: str | None) -> str:
    problems = []
    for facts in asked.views or (asked.facts,):
        position = next(word for word, head in facts.heads.items() if head == ROOT)
        word, tag = facts.sentence.words[position]
        wanted = {"word": word, "tag": tag} if parts["word"] else {"tag": tag} if parts["tag"] else {}
        met = asked.case.training.roots.met(**wanted)
        problems.append(counted(met, parts["label"], parts, asked.facts.estimates.weighted))
    return "" if "" in problems else " / ".join(problems)


# What a word does not modify.


_UNRELATED = (
    r"(?:nothing of the kind was seen in training between words tagged (?P<tag>\S+) and (?P<head_tag>\S+) "
    r"(?P<place>that stand like these|in this order)|words tagged (?P<had_tag>\S+) and (?P<had_head_tag>\S+) "
    r"(?:(?P<blocked>that stand like these were related in training, but these words were met like this and never so, and "
    r"since they were met F̂ does not fall back to tags alone)|(?P<floor>were related in this order in training, but here F̂ "
    r"is under 10⁻⁶, which the parser takes for 0)))\."
)


@says(
    "cannot modify",
    rf"«W:word» cannot modify «W:head» in any way: {_UNRELATED}",
    rf"F̂ is 0 for every R: {_UNRELATED}",
)
def cannot_modify(asked: Asked, word: str = "", head: str = "", **parts: str | None) -> str:
    subject = asked.subject
    assert isinstance(subject, MatrixCellId | CandidateId)
    facts = asked.facts
    pair = facts.pair(subject.modifier, subject.head)
    found = facts.dependencies(subject.modifier, subject.head)
    tags = parts["tag"] or parts["had_tag"], parts["head_tag"] or parts["had_head_tag"]
    problem = unless(not found, found) or unless(tags == (pair.modifier_tag, pair.head_tag), "other tags")
    levels = facts.estimates.pair_levels(pair)
    number_of_tags = asked.case.training.tags(pair.modifier_tag, pair.head_tag)
    met = levels["E4"]
    if parts["floor"] or parts["place"] == "in this order":
        order = ORDER, code(pair.delta) & ORDER
        met = NEVER
        if number_of_tags is not None:
            met = asked.case.training.pairs.met(tags=number_of_tags, masked_delta=order)
    seen = sum(met.outcomes.values())
    if parts["place"]:
        return problem or unless(not seen, f"seen {seen} times between these tags")
    if parts["floor"]:
        return problem or unless(seen > 0 and asked.case.preset == 5, seen)
    own = sum(levels[name].times for name in ("E1", "E2", "E3"))
    return problem or unless(seen > 0 and own > 0, (seen, own))


@says(
    "another relation", r"«W:word» modifies «W:head», but as «R:own», not as «R:other»: «P:chance» against «P:others»\."
)
def another_relation(asked: Asked, word: str, head: str, own: str, other: str, chance: str, others: str) -> str:
    facts, modifier = asked.facts, modifier_of(asked)
    above = facts.heads[modifier]
    mine = facts.chance(modifier, above, tuple(own[1:-1].split(",")))
    its = facts.chance(modifier, above, tuple(other[1:-1].split(",")))
    return unless(chances(chance, mine) and chances(others, its), (mine, its))


@says("no arrow", r"«W:word» does not modify «W:head»: it (?P<does>heads the sentence|modifies «W:other»)\.")
def does_not_modify(asked: Asked, word: str, head: str, does: str, other: str | None) -> str:
    facts, subject = asked.facts, asked.subject
    assert isinstance(subject, MatrixCellId | CandidateId)
    above = facts.heads[subject.modifier]
    if does.startswith("heads"):
        return unless(above == ROOT, above)
    return unless(
        above != subject.head
        and above >= 0
        and is_word(other or "", facts.words[above])
        and is_word(head, facts.words[subject.head])
    )


def asked_chance(asked: Asked) -> float:
    """P of equation (8) of the head, or head and relation, that is asked about."""
    subject, facts = asked.subject, asked.facts
    assert isinstance(subject, MatrixCellId | CandidateId)
    wanted = plain(subject.relation) if isinstance(subject, CandidateId) else None
    found = (
        one.probability
        for one in facts.others(subject.modifier)
        if one.head == subject.head and wanted in (None, one.relation)
    )
    return next(found, 0.0)


@says("chance if no root", r"If it were not the root, this would have the probability «P:chance»\.")
def if_not_root(asked: Asked, chance: str) -> str:
    value = asked_chance(asked)
    return unless(chances(chance, value), value)


@says(
    "by itself",
    r"By itself that is (?P<how>clearly less likely|less likely|nearly as likely): «P:chance» against «P:others»\.?",
    r"By itself that is (?P<how>likelier), «P:chance» against «P:others»\.?",
)
def by_itself(asked: Asked, how: str, chance: str, others: str) -> str:
    value, own = asked_chance(asked), own_chance(asked, modifier_of(asked))
    problem = unless(chances(chance, value) and chances(others, own), (value, own))
    so = {
        "clearly less likely": own >= 5 * value * (1 - CLOSE),
        "less likely": own > 1.25 * value * (1 - CLOSE),
        "nearly as likely": max(own, value) <= 1.25 * min(own, value) * (1 + CLOSE),
        "likelier": value > own,
    }
    return problem or unless(so[how], (value, own))


@says("list", r"Not one of the «N:all» best parses has it\.", r"Not one of the best parse has it\.")
def not_one(asked: Asked, all: str) -> str:
    subject = asked.subject
    assert isinstance(subject, MatrixCellId | CandidateId)
    having = [one for one in asked.case.listed if asked.case.facts(one).heads.get(subject.modifier) == subject.head]
    return unless(number(all) == len(asked.case.listed) and not having, f"{len(having)} of {len(asked.case.listed)}")


# Gaps.


_GAP_MEANINGS = {
    "S": "a baseNP starts between {0} and {1}",
    "C": "{0} and {1} stand in the same baseNP",
    "E": "a baseNP ends between {0} and {1}",
    "B": "one baseNP ends and the next starts between {0} and {1}",
    "N": "neither {0} nor {1} is in a baseNP",
}


def meanings(start: str) -> str:
    """What each letter means, as a pattern with a part for each letter."""
    words = (r"(?:`[^`]*`|“[^”]*”)",) * 2
    parts = []
    for letter, text in _GAP_MEANINGS.items():
        told = text[:1].upper() + text[1:] if start == "capital" and text[0] != "{" else text
        parts.append(f"(?P<{letter}_told>{told.format(*words)})")
    return f"(?:{'|'.join(parts)})"


@says("gap", meanings("capital") + r" \((?P<letter>[SCEBN])\)\.")
def gap_means(asked: Asked, letter: str, **told: str | None) -> str:
    assert isinstance(asked.subject, GapId | GapTagId)
    return unless(bool(told[f"{letter}_told"]) and asked.facts.gap_tags[asked.subject.position - 1] == letter)


@says("gap", r"(?P<letter>[SCEBN]) is not the tag of this gap; it would mean that " + meanings("") + r"\.")
def gap_would_mean(asked: Asked, letter: str, **told: str | None) -> str:
    assert isinstance(asked.subject, GapTagId)
    own = asked.facts.gap_tags[asked.subject.position - 1]
    return unless(bool(told[f"{letter}_told"]) and own != letter and asked.subject.letter == letter)


def gap_odds(asked: Asked, own: str, chance: str, other: str, others: str) -> str:
    """Whether the gap tag and the best of the rest have these probabilities."""
    assert isinstance(asked.subject, GapId | GapTagId)
    position = asked.subject.position
    found = asked.facts.gap_chances(position)
    chosen = asked.facts.gap_tags[position - 1]
    most = max(value for letter, value in found.items() if letter != chosen)
    problem = unless(own == chosen and chances(chance, found[own]) and chances(others, found[other]), found)
    return problem or unless(math.isclose(found[other], most, rel_tol=1e-9), found)


@says("gap odds", r"[cC]lear: (?P<own>[SCEBN]) «P:chance», next best (?P<other>[SCEBN]) «P:others»\.?")
def clear_gap(asked: Asked, own: str, chance: str, other: str, others: str) -> str:
    found = asked.facts.gap_chances(asked.subject.position)  # type: ignore[union-attr]
    return gap_odds(asked, own, chance, other, others) or unless(found[own] >= 5 * found[other] * (1 - CLOSE))


@says("gap odds", r"(?P<own>[SCEBN]) is likelier than (?P<other>[SCEBN]): «P:chance» against «P:others»\.?")
def likelier_gap(asked: Asked, own: str, chance: str, other: str, others: str) -> str:
    found = asked.facts.gap_chances(asked.subject.position)  # type: ignore[union-attr]
    return gap_odds(asked, own, chance, other, others) or unless(found[own] > found[other])


@says("gap odds", r"Nearly a tie: (?P<own>[SCEBN]) «P:chance», (?P<other>[SCEBN]) «P:others»\.?")
def tie_of_gaps(asked: Asked, own: str, chance: str, other: str, others: str) -> str:
    found = asked.facts.gap_chances(asked.subject.position)  # type: ignore[union-attr]
    near = max(found[own], found[other]) <= 1.25 * min(found[own], found[other]) * (1 + CLOSE)
    return gap_odds(asked, own, chance, other, others) or unless(near)


@says("gap odds", r"By itself (?P<other>[SCEBN]) is likelier, «P:others» against «P:chance»\.?")
def unlikelier_gap(asked: Asked, other: str, others: str, chance: str) -> str:
    position = asked.subject.position  # type: ignore[union-attr]
    own, found = asked.facts.gap_tags[position - 1], asked.facts.gap_chances(position)
    return gap_odds(asked, own, chance, other, others) or unless(found[own] < found[other])


@says("only gap tag", r"No other tag than (?P<own>[SCEBN]) is possible\.?")
def only_gap(asked: Asked, own: str) -> str:
    found = asked.facts.gap_chances(asked.subject.position)  # type: ignore[union-attr]
    return unless(not any(value for letter, value in found.items() if letter != own), found)


@says("impossible", r"The model holds it for impossible here; the parse has (?P<own>[SCEBN]), «P:chance»\.")
def impossible_gap(asked: Asked, own: str, chance: str) -> str:
    assert isinstance(asked.subject, GapTagId)
    found = asked.facts.gap_chances(asked.subject.position)
    chosen = asked.facts.gap_tags[asked.subject.position - 1]
    return unless(not found[asked.subject.letter] and own == chosen and chances(chance, found[own]), found)


@says(
    "gap odds",
    r"By itself it is (?P<how>likelier) than (?P<own>[SCEBN]), «P:chance» against «P:others»\.?",
    r"It is (?P<how>less likely) than (?P<own>[SCEBN]): «P:chance» against «P:others»\.",
)
def not_chosen_gap(asked: Asked, how: str, own: str, chance: str, others: str) -> str:
    assert isinstance(asked.subject, GapTagId)
    found = asked.facts.gap_chances(asked.subject.position)
    mine, its = found[asked.subject.letter], found[own]
    so = mine > its if how == "likelier" else mine <= its
    chosen = asked.facts.gap_tags[asked.subject.position - 1]
    return unless(chosen == own and so and chances(chance, mine) and chances(others, its), found)


# Words and their tags.


def position_of(asked: Asked) -> int:
    """The word that is selected."""
    match asked.subject:
        case WordId(position) | TagId(position):
            return position
        case NodeId(start):
            return start
    return modifier_of(asked)


def tag_chances(asked: Asked, position: int) -> dict[str, float]:
    """P(t|S) of every tag that the tagger holds possible for a word."""
    tagging = asked.case.result.tagging or asked.parse.tagging
    return dict(tagging.choices[asked.parse.sentence.positions[position]]) if tagging is not None else {}


def is_given(asked: Asked, position: int) -> bool:
    """Whether a person gave the tag of a word."""
    return asked.parse.tagging is None or asked.parse.sentence.positions[position] in asked.parse.tagging.given


@says(
    "unknown word",
    r"The model has never seen this word(?:, so its estimates rest on tags|: estimates fall back to those based on tags)\.",
)
def unknown_word(asked: Asked) -> str:
    word, _ = asked.facts.sentence.words[position_of(asked)]
    return unless(word not in asked.case.training.words, "a word of the training trees")


@says(
    "given tag",
    r"Its tag, (?P<tag>\S+), was given\.",
    r"Its tag was given: the tagger is not asked, and this is what it would have said\.",
    r"Its tag was given; the model has no tagger to ask\.",
)
def given_tag(asked: Asked, tag: str | None = None) -> str:
    position = position_of(asked)
    return unless(is_given(asked, position) and tag in (None, asked.facts.tags[position]), "chosen")


@says("only tag", r"The tagger holds no other tag than (?P<tag>\S+) possible\.")
def only_tag(asked: Asked, tag: str) -> str:
    found = tag_chances(asked, position_of(asked))
    return unless(not any(value for name, value in found.items() if name != tag), found)


def tag_odds(asked: Asked, tag: str, chance: str, other: str, others: str) -> str:
    """Whether the word's tag and the best of the others have these probabilities."""
    position = position_of(asked)
    found = tag_chances(asked, position)
    own = asked.facts.tags[position]
    most = max((value for name, value in found.items() if name != own), default=0.0)
    plain_tag = other.strip("“”")
    return unless(
        tag.strip("“”") == own
        and chances(chance, found.get(own, 0.0))
        and chances(others, most)
        and found[plain_tag] == most,
        found,
    )


@says("tag odds", r"Its tag is clear: «T:tag» «P:chance», next best «T:other» «P:others»\.?")
def clear_tag(asked: Asked, tag: str, chance: str, other: str, others: str) -> str:
    found = tag_chances(asked, position_of(asked))
    near = found.get(tag, 0.0) >= 5 * found.get(other.strip("“”"), 0.0) * (1 - CLOSE)
    return tag_odds(asked, tag, chance, other, others) or unless(near, found)


@says("tag odds", r"Its tag «T:tag» is likelier than «T:other»: «P:chance» against «P:others»\.?")
def likelier_tag(asked: Asked, tag: str, chance: str, other: str, others: str) -> str:
    found = tag_chances(asked, position_of(asked))
    return tag_odds(asked, tag, chance, other, others) or unless(found[tag] > found[other.strip("“”")], found)


@says("tag odds", r"Its tag is nearly a tie: «T:tag» «P:chance», «T:other» «P:others»\.?")
def tie_of_tags(asked: Asked, tag: str, chance: str, other: str, others: str) -> str:
    found = tag_chances(asked, position_of(asked))
    values = found[tag], found[other.strip("“”")]
    return tag_odds(asked, tag, chance, other, others) or unless(max(values) <= 1.25 * min(values) * (1 + CLOSE), found)


@says("tag odds", r"By itself the tag «T:other» is likelier than «T:tag», «P:others» against «P:chance»\.?")
def unlikelier_tag(asked: Asked, tag: str, chance: str, other: str, others: str) -> str:
    found = tag_chances(asked, position_of(asked))
    return tag_odds(asked, tag, chance, other, others) or unless(found.get(tag, 0.0) < found[other.strip("“”")], found)


@says(
    "tag",
    r"«W:word» is tagged «T:tag»\.",
    r"«W:word» is not tagged (?P<no>“[^”]+”|\S+) but (?P<tag>“[^”]+”|\S+?)\.(?= |$)",
)
def tagged(asked: Asked, word: str, tag: str, no: str | None = None) -> str:
    position = position_of(asked)
    own = asked.facts.tags[position]
    return unless(
        is_word(word, asked.words[position]) and tag.strip("“”") == own and (no is None or no.strip("“”") != own), own
    )


@says("tag odds", r"That tag was given; the tagger would have given «T:other» «P:others» and «T:tag» «P:chance»\.")
def would_have_given(asked: Asked, other: str, others: str, tag: str, chance: str) -> str:
    found = tag_chances(asked, position_of(asked))
    return unless(
        is_given(asked, position_of(asked))
        and chances(chance, found.get(tag.strip("“”"), 0.0))
        and chances(others, found.get(other.strip("“”"), 0.0)),
        found,
    )


@says("tag odds", r"The tagger prefers «T:tag», «P:chance» against «P:others»\.?")
def tagger_prefers(asked: Asked, tag: str, chance: str, others: str) -> str:
    found = tag_chances(asked, position_of(asked))
    pair = [asked.subject.tag, asked.facts.tags[position_of(asked)]]  # type: ignore[union-attr]
    values = [found.get(one, 0.0) for one in pair]
    best, rest = max(values), min(values)
    return unless(chances(chance, best) and chances(others, rest) and found.get(tag.strip("“”"), 0.0) == best, found)


@says("tags of the parse", r"The parser chose among them, paying P\(t\|S\) \(section 2\.7\)\.")
def chose_tags(asked: Asked) -> str:
    return unless(asked.parse.distribution is not None)


@says(
    "tags of the parse",
    r"The tagger's best sequence of tags stands; under presets \(4\) and \(5\) the parser chooses\.",
)
def took_tags(asked: Asked) -> str:
    return unless(asked.parse.distribution is None and asked.case.preset not in (4, 5))


@says("reduced", r"It stands outside all baseNPs and is a word of the reduced sentence S̄\.")
def outside(asked: Asked) -> str:
    position = position_of(asked)
    return unless(asked.facts.base_of(position) is None and position in asked.facts.sentence.reduced)


@says("reduced", r"It heads the baseNP \[(?P<base>.*?)\] and stands for it in the reduced sentence S̄\.")
def stands_for(asked: Asked, base: str) -> str:
    position, own = position_of(asked), asked.facts.base_of(position_of(asked))
    return unless(own is not None and own[2] == position and base == " ".join(asked.words[own[0] : own[1]]), own)


@says(
    "reduced",
    r"It lies inside the baseNP \[(?P<base>.*?)\], which the reduced sentence S̄ keeps as its head-word `(?P<head>[^`]*)` alone; no dependency touches it\.",
)
def lies_inside(asked: Asked, base: str, head: str) -> str:
    position, own = position_of(asked), asked.facts.base_of(position_of(asked))
    return unless(
        own is not None
        and own[2] != position
        and base == " ".join(asked.words[own[0] : own[1]])
        and head == asked.words[own[2]],
        own,
    )


@says("reduced", r"The word lies inside a baseNP; no dependency touches it\.")
def inside_base(asked: Asked) -> str:
    return unless(position_of(asked) not in asked.facts.heads)


@says(
    "reduced",
    r"(?P<named>`[^`]*`(?: and `[^`]*`)?) (?:lies inside a baseNP and is not its head|lie inside baseNPs as no heads): in this parse no dependency touches (?:it|them)\.",
)
def pair_inside(asked: Asked, named: str) -> str:
    subject = asked.subject
    assert isinstance(subject, MatrixCellId | CandidateId)
    found = [asked.words[one] for one in (subject.modifier, subject.head) if one not in asked.facts.heads]
    return unless(named == " and ".join(f"`{word}`" for word in found), found)


@says("comma", r"(?P<comma>A comma|No comma) stands between the two words \(cᵢ = (?P<c>[01])\); section 2\.5\.")
def comma_between(asked: Asked, comma: str, c: str) -> str:
    gap = asked.facts.gap(asked.subject.position)  # type: ignore[union-attr]
    return unless(gap.comma == (comma == "A comma") == (c == "1"))


# Equation (8) and the list, on the page of an arrow.


@says("margin", r"It leads the next by (?P<margin>[+−]?\S+) in the logarithm of P\.")
def leads_by(asked: Asked, margin: str) -> str:
    modifier, head, relation = page_pair(asked)
    ranked = asked.facts.others(modifier)
    own = next(one for one in ranked if (one.head, one.relation) == (head, relation))
    rest = max(one.probability for one in ranked if one is not own)
    return unless(agrees(margin.removeprefix("+"), math.log(own.probability / rest)), math.log(own.probability / rest))


@says(
    "margin",
    r"By P alone (?:it is level with (?P<level>the first)|the first is ahead by (?P<margin>\S+) in the logarithm); the rest of the tree decides\.",
)
def behind_by(asked: Asked, level: str | None, margin: str | None) -> str:
    modifier, head, relation = page_pair(asked)
    ranked = asked.facts.others(modifier)
    own = next(one for one in ranked if (one.head, one.relation) == (head, relation))
    ahead = math.log(ranked[0].probability / own.probability)
    return unless(ahead < 0.005 + CLOSE if level else agrees(margin or "", ahead), ahead)


def page_pair(asked: Asked) -> tuple[int, int, Relation]:
    """The pair that a page is about."""
    facts, modifier = asked.facts, modifier_of(asked)
    match asked.subject:
        case MatrixCellId(_, head) if head != facts.heads[modifier]:
            return modifier, head, likeliest(facts, modifier, head)
        case CandidateId(_, head, relation):
            return modifier, head, plain(relation)
    return modifier, facts.heads[modifier], facts.relations[modifier]


@says("more candidates", r"and «N:more» more(?P<least>, none of them more probable)?$")
def more_candidates(asked: Asked, more: str, least: str | None) -> str:
    if not isinstance(asked.subject, ArrowId | MatrixCellId | CandidateId | RootId):
        return ""
    modifier, head, relation = page_pair(asked)
    ranked = asked.facts.others(modifier)
    own = next(one.probability for one in ranked if (one.head, one.relation) == (head, relation))
    # Where several are as probable, any of them may be shown first.
    better = sum(one.probability > own * (1 + CLOSE) for one in ranked)
    level = sum(one.probability >= own * (1 - CLOSE) for one in ranked)
    problem = unless(number(more) == len(ranked) - 8, len(ranked) - 8)
    return problem or unless(better < 8 if least else level > 8, (better, level))


@says("list", r"All «N:all» have this one, or the word inside a baseNP\.")
def all_have_this(asked: Asked, all: str) -> str:
    modifier = modifier_of(asked)
    heads = [asked.case.facts(one).heads.get(modifier) for one in asked.case.listed]
    return unless(number(all) == len(heads) and set(heads) <= {None, asked.facts.heads[modifier]}, heads)


@says(
    "list",
    r"Each number is that tree’s minus this parse’s\.(?: The rank is that by expected F1, which need not follow the score\.)?",
)
def each_number(asked: Asked) -> str:
    return ""


@says("arrow", r"A modifier (?P<modifier>\S+) under (?P<parent>\S+), whose head-child is (?P<child>\S+)\.")
def triple(asked: Asked, modifier: str, parent: str, child: str) -> str:
    return unless((modifier, parent, child) == page_pair(asked)[2], page_pair(asked)[2])


# Constituents.


def one_phrase(asked: Asked, subject: NodeId) -> Phrase | None:
    """The constituent that a node is."""
    wanted = subject.label.rstrip("+*'")
    for node in asked.facts.phrases:
        if (node.start, node.end) == (subject.start, subject.end) and node.label.rstrip("+*'") == wanted:
            return node
    return None


_WHAT_IT_IS = r"(?:[Tt]he word|[Tt]he baseNP|[Tt]he (?P<label>[^\s`]+)) «W:span» "


@says("constituent", _WHAT_IT_IS + r"is the whole sentence and is headed by «W:head»\.")
def whole_sentence(asked: Asked, span: str, head: str, label: str | None) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    return headed(asked, node, span, head, label) or unless(node is asked.facts.sentence.root)


def headed(asked: Asked, node: Phrase, span: str, head: str, label: str | None) -> str:
    """Whether a constituent has these words, this label and this head."""
    return unless(
        is_span(span, asked.words[node.start : node.end])
        and is_word(head, asked.words[node.head])
        and (label is None or label == node.label.rstrip("&")),
        f"{node.label} headed by {asked.words[node.head]}",
    )


@says(
    "constituent",
    _WHAT_IT_IS
    + r"is headed by «W:head» and (?P<does>stands alone under (?P<above>\S+?)|is the head of the (?P<around>\S+) around it|is joined to «W:joined»|modifies «W:modified»)\.",
)
def does(
    asked: Asked,
    span: str,
    head: str,
    label: str | None,
    does: str,
    above: str | None,
    around: str | None,
    joined: str | None,
    modified: str | None,
) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    parent = asked.facts.parents.get(id(node))
    problem = headed(asked, node, span, head, label)
    if parent is None:
        return "it is the whole"
    is_head = parent.children[parent.head_child] is node
    word = asked.words[parent.head]
    if above:
        return problem or unless(len(parent.children) == 1 and parent.label.rstrip("&") == above, parent.label)
    if around:
        return problem or unless(is_head and parent.label.rstrip("&") == around, parent.label)
    if joined:
        return problem or unless(not is_head and parent.label.endswith("&") and is_word(joined, word), word)
    return problem or unless(not is_head and is_word(modified or "", word), word)


def having(asked: Asked) -> list[bool]:
    """Which parses of the list have the constituent that is selected."""
    subject = asked.subject
    assert isinstance(subject, NodeId)
    node = one_phrase(asked, subject)
    assert node is not None
    wanted = (node.label, node.start, node.end)
    return [wanted in asked.case.facts(one).brackets() for one in asked.case.listed]


def attached_elsewhere(asked: Asked) -> list[bool]:
    """In which parses of the list what the constituent modifies is another word."""
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    own = asked.facts.heads.get(node.head)
    return [asked.case.facts(one).heads.get(node.head) != own for one in asked.case.listed]


def modifies_something(asked: Asked) -> bool:
    """Whether a constituent is a modifier, so that it can be attached."""
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    parent = asked.facts.parents.get(id(node))
    return parent is not None and node is not None and parent.children[parent.head_child] is not node


@says("list", r"Clear: (?:(?P<both>both) of the|all «N:all») best parses have it\.")
def all_have_it(asked: Asked, both: str | None, all: str | None) -> str:
    found = having(asked)
    size = 2 if both else number(all or "0")
    problem = unless(size == len(found) and all_of(found), f"{sum(found)} of {len(found)}")
    return problem or unless(not (modifies_something(asked) and any(attached_elsewhere(asked))), "attached elsewhere")


def all_of(found: Sequence[bool]) -> bool:
    """Whether all are so."""
    return sum(found) == len(found)


@says(
    "list",
    r"(?:(?P<both>Both) of the|All «N:all») best parses have this phrase, but «N:few» of the «N:many» best attach(?:es)? it elsewhere\.",
)
def all_have_it_but(asked: Asked, both: str | None, all: str | None, few: str, many: str) -> str:
    found, elsewhere = having(asked), attached_elsewhere(asked)
    size = 2 if both else number(all or "0")
    return unless(
        size == len(found) == number(many) and all_of(found) and number(few) == sum(elsewhere),
        f"{sum(found)} of {len(found)}, {sum(elsewhere)} elsewhere",
    )


@says("list", r"(?:Nearly a tie: )?«N:few» of the «N:many» best parses (?:has|have) it\.?")
def some_have_it(asked: Asked, few: str, many: str) -> str:
    found = having(asked)
    return unless((number(few), number(many)) == (sum(found), len(found)), f"{sum(found)} of {len(found)}")


def shares(asked: Asked) -> dict[tuple[str, int, int], float]:
    """What every constituent got of the vote, from the scores of all parses that vote."""
    return asked.case.vote().shares


def own_share(asked: Asked) -> float:
    """The share of the vote of the constituent that is selected."""
    subject = asked.subject
    assert isinstance(subject, NodeId)
    node = one_phrase(asked, subject)
    assert node is not None
    return shares(asked).get((node.label, node.start, node.end), 0.0)


@says("vote", r"(?:(?P<how>Clear|Nearly a tie): |(?P<only>Only ))?«%:share» of the list's probability is for it\.?")
def share_of_vote(asked: Asked, share: str, how: str | None, only: str | None) -> str:
    value = own_share(asked)
    problem = unless(share_is(share, value), value)
    if how == "Clear":
        return problem or unless(value >= 0.95 - CLOSE, value)
    return problem or unless(not only or value <= 0.4 + CLOSE, value)


@says("vote", r"Every parse of the list has this (?P<what>phrase|constituent)\.")
def every_parse_has(asked: Asked, what: str) -> str:
    if isinstance(asked.subject, NodeId):
        return unless(abs(own_share(asked) - 1) < 1e-9, own_share(asked)) or unless(
            what == "constituent" or not (modifies_something(asked) and any(attached_elsewhere(asked))),
            "attached elsewhere",
        )
    return ""


@says("vote", r"Every parse of the list has this phrase, but «N:few» of the «N:many» best attach(?:es)? it elsewhere\.")
def every_parse_but(asked: Asked, few: str, many: str) -> str:
    elsewhere = attached_elsewhere(asked)
    return unless(abs(own_share(asked) - 1) < 1e-9, own_share(asked)) or unless(
        (number(few), number(many)) == (sum(elsewhere), len(elsewhere)), sum(elsewhere)
    )


@says(
    "vote",
    r"(?:(?P<none>No parse of the list has this constituent)|«%:share» of the list's probability has this constituent); "
    r"(?:(?P<nothing>nothing that crosses it got any)|the strongest rival that crosses it: (?P<label>\S+) «W:span», «%:its»)\.",
)
def vote_line(
    asked: Asked,
    none: str | None,
    share: str | None,
    nothing: str | None,
    label: str | None,
    span: str | None,
    its: str | None,
) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    value, all_shares = own_share(asked), shares(asked)
    problem = unless(value == 0 if none else share_is(share or "", value), value)
    crossing = [
        (one, bracket)
        for bracket, one in all_shares.items()
        if bracket[1] < node.start < bracket[2] < node.end or node.start < bracket[1] < node.end < bracket[2]
    ]
    most = max((one for one, _ in crossing), default=0.0)
    if nothing:
        return problem or unless(most < 0.005, most)
    return problem or unless(
        share_is(its or "", most)
        and any(
            abs(one - most) < 1e-9 and bracket[0] == label and is_span(span or "", asked.words[bracket[1] : bracket[2]])
            for one, bracket in crossing
        ),
        most,
    )


@says("size", r"It spans (?:one word|«N:many» words)\.")
def spans(asked: Asked, many: str | None) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    return unless(node.end - node.start == (number(many) if many else 1), node.end - node.start)


@says("least sure gap", r"Its least sure gap tag is (?P<letter>[SCEBN]) between «W:left» and «W:right»: «P:chance»\.")
def least_sure_gap(asked: Asked, letter: str, left: str, right: str, chance: str) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    facts = asked.facts
    found = {
        position: facts.gap_chances(position)[facts.gap_tags[position - 1]]
        for position in range(max(node.start, 1), min(node.end, len(facts.words) - 1) + 1)
    }
    least = min(found.values())
    return unless(
        any(
            chances(chance, value)
            and value <= least * (1 + CLOSE)
            and facts.gap_tags[position - 1] == letter
            and is_word(left, facts.words[position - 1])
            and is_word(right, facts.words[position])
            for position, value in found.items()
        ),
        found,
    )


_GAP_EVENTS = {
    "a baseNP starts": "S",
    "a baseNP goes on": "C",
    "a baseNP ends": "E",
    "one baseNP ends and the next starts": "B",
    "there is no baseNP on either side": "N",
}
_EVENTS_NOW = "|".join(_GAP_EVENTS)
_FACTOR = (
    rf"that (?:«W:f_tagged» is tagged (?P<f_tag>“[^”]+”|[^\s,]+)|(?P<f_gap>{_EVENTS_NOW}) between «W:f_left» and «W:f_right»|"
    r"«W:f_modifier» (?:is attached to|modifies) «W:f_head» as «R:f_relation»|«W:f_root» heads the sentence, an? (?P<f_root_label>[^\s:,]+)|"
    r"an? (?P<f_parent>\S+) stands over the (?P<f_label>\S+) of «W:f_word» and nothing else|"
    r"no unary production stands over the (?P<f_bare>\S+) of «W:f_bare_word»)"
)


def named(pattern: str, prefix: str) -> str:
    """The pattern of a factor with its parts under other names."""
    return pattern.replace("f_", prefix)


def factors_like(facts: Facts, parts: dict[str, str | None], prefix: str = "f_") -> list[float]:
    """Log of the factors of a parse that are about what is said."""
    part = {name.removeprefix(prefix): value for name, value in parts.items() if name.startswith(prefix)}
    if not part:
        return []
    words, found = facts.words, []
    for kind, about, value in facts.factors:
        match kind, about:
            case "tag", (int(position), tag):
                so = (part["tag"] or "").strip("“”") == tag and is_word(part["tagged"] or "``", words[position])
            case "gap", (int(position), letter):
                so = (
                    _GAP_EVENTS.get(part["gap"] or "") == letter
                    and is_word(part["left"] or "``", words[position - 1])
                    and is_word(part["right"] or "``", words[position])
                )
            case "dependency", (int(modifier), int(head), tuple(relation)):
                so = (
                    is_word(part["modifier"] or "``", words[modifier])
                    and is_word(part["head"] or "``", words[head])
                    and part["relation"] == f"<{','.join(relation)}>"
                )
            case "root", (int(position), label):
                so = is_word(part["root"] or "``", words[position]) and part["root_label"] == label
            case "unary", (int(head), label, ""):
                so = part["bare"] == label and is_word(part["bare_word"] or "``", words[head])
            case "unary", (int(head), label, parent):
                so = part["parent"] == parent and part["label"] == label and is_word(part["word"] or "``", words[head])
            case _:
                so = False
        if so:
            found.append(math.log(value) if value > 0 else -math.inf)
    return found


@says("dearest factor", rf"What costs most in it is {_FACTOR}: «A:cost» in log P\.")
def costs_most_in_it(asked: Asked, cost: str, **parts: str | None) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    facts = asked.facts
    dearest = min(
        (math.log(value) for (kind, about, value) in facts.factors if value > 0 and within(facts, node, kind, about)),
        default=0.0,
    )
    logs = factors_like(facts, parts)
    return unless(
        any(amounts_to(cost, log) and log < 0 and log <= dearest + 1e-9 for log in logs), f"{logs}, dearest {dearest}"
    )


def within(facts: Facts, node: Phrase, kind: str, about: tuple[Any, ...]) -> bool:
    """Whether a factor is one of those that a constituent pays: all that it is built by."""
    inside = range(node.start, node.end)
    match kind:
        case "tag":
            return about[0] in inside
        case "gap":
            return about[0] - 1 in inside and about[0] in inside
        case "dependency":
            return about[0] in inside and about[1] in inside
        case "unary":
            below = list(descendants(node))
            above = facts.parents.get(id(node))
            if above is not None and (len(above.children) == 1 or facts.is_core(node)):
                # What stands over it is paid by that.
                below.remove(node)
            parents = {id(one): parent for one, parent in facts.unaries}
            return any((one.head, one.label, parents.get(id(one))) == about for one in below)
    return False


def descendants(node: Phrase) -> Iterator[Phrase]:
    """Yield a constituent and all in it."""
    yield node
    for child in node.children:
        yield from descendants(child)


@says("dearest factor", rf"What costs it most is {_FACTOR}: «A:cost» in log P\.")
def costs_it_most(asked: Asked, cost: str, **parts: str | None) -> str:
    facts = asked.facts
    dearest = min(math.log(value) for _, _, value in facts.factors if value > 0)
    logs = factors_like(facts, parts)
    return unless(any(amounts_to(cost, log) and log <= dearest + 1e-9 for log in logs), f"{logs}, dearest {dearest}")


@says("constituent", r"(?P<label>\S+) stands over fragments: no tree spans the sentence\. It is no part of the score\.")
def over_fragments(asked: Asked, label: str) -> str:
    return unless(asked.parse.fallback)


@says(
    "constituent",
    r"The (?P<label>\S+) «W:span» is put in after parsing, inside its baseNP\. It is no part of the score\.",
    r"This bracket is restored after parsing; it is no part of the score\.",
)
def restored(asked: Asked, label: str | None = None, span: str | None = None) -> str:
    subject = asked.subject
    assert isinstance(subject, NodeId)
    base = asked.facts.base_of(subject.start)
    return unless(base is not None and base[0] <= subject.start and subject.end <= base[1], base)


@says("constituent", r"Head-word `(?P<head>[^`]*)`/(?P<tag>\S+), words «N:first» to «N:last»\.")
def head_word(asked: Asked, head: str, tag: str, first: str, last: str) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    assert node is not None
    return unless(
        (head, tag) == (asked.words[node.head], asked.facts.tags[node.head])
        and (number(first), number(last)) == (node.start + 1, node.end)
    )


@says("constituent", r"A baseNP: the gap tags make it \(section 2\.5\); its inside is restored afterwards\.")
def is_base(asked: Asked) -> str:
    node = one_phrase(asked, asked.subject)  # type: ignore[arg-type]
    return unless(node is not None and node.base)


@says(
    "unary",
    r"Over it stands (?P<parent>\S+), by a unary production\.",
    r"No unary production stands over it\.",
    r"It is the core of a phrase, which settles what stands over it\.",
)
def over_it(asked: Asked, parent: str | None = None) -> str:
    if not isinstance(asked.subject, NodeId):
        return ""
    node = one_phrase(asked, asked.subject)
    above = asked.facts.parents.get(id(node))
    alone = above.label if above is not None and len(above.children) == 1 else None
    return unless(parent == alone, alone)


@says("second model", r"«N:many» decisions?, «#:log» × «#:weight» = «#:sum» of the score; the ledger lists them\.")
def second_model_line(asked: Asked, many: str, log: str, weight: str, sum: str) -> str:
    from tests.claims.notation import value_of

    product = value_of(log)[0] * value_of(weight)[0]
    slack = abs(value_of(log)[0]) * value_of(weight)[1] / 2 + 0.002
    return unless(abs(product - value_of(sum)[0]) <= slack, product)


# Whole parses.


def rivals(asked: Asked) -> list[Parse]:
    """The other parses of the list."""
    return [one for one in asked.case.listed if one is not asked.parse]


def best_rival(asked: Asked) -> Parse | None:
    """The other parse of the highest score."""
    return max(rivals(asked), key=lambda one: one.score, default=None)


@says("best parse", r"This is the best parse, with log P (?P<log>about 0|[−\d.,]+)\.")
def alone(asked: Asked, log: str) -> str:
    value = asked.facts.log_probability
    return unless(not rivals(asked) and (agrees(log, value) if log != "about 0" else abs(value) < 0.005), value)


@says(
    "best parse",
    r"This is (?P<how>clearly )?the best parse\. It is (?:«A:amount» ahead in score of|«X:ratio» as) the next \((?P<name>.*?)\)\.(?= |$)",
    r"This is the best parse, but (?P<tie>nearly a tie): it is (?:«A:amount» ahead in score of|«X:ratio» as) the next "
    r"\((?P<name>.*?)\)\.(?= |$)",
)
def best_parse(
    asked: Asked, amount: str | None, ratio: str | None, name: str, how: str | None = None, tie: str | None = None
) -> str:
    rival = best_rival(asked)
    if rival is None:
        return "there is no other"
    lead = asked.parse.score - rival.score
    problem = unless(asked.parse is asked.case.listed[0] and lead >= -CLOSE, "not the best")
    problem = problem or unless(
        amounts_to(amount, lead) if amount else ratio_is(ratio or "", log_lead(asked, rival)), lead
    )
    near, far = math.log(1.25), math.log(5.0)
    so = lead < near + CLOSE if tie else lead >= far - CLOSE if how else near - CLOSE <= lead <= far + CLOSE
    return problem or unless(so, lead) or names_difference(asked, name, rival)


def log_lead(asked: Asked, rival: Parse) -> float:
    """By how much log P of the parse is ahead of another's, both by second code."""
    other = asked.case.facts(rival)
    return asked.facts.log_probability - other.log_probability if other.readable else math.nan


def names_difference(asked: Asked, name: str, other: Parse) -> str:
    """Whether a parse really has otherwise what its name says; at least tags and heads are looked at."""
    return difference_problem(asked.case.facts(other), asked.facts, name)


_ARROWS = re.compile(
    r"(?P<word>.+?)(?: \((?P<at>\d+)(?:st|nd|rd|th)\))? → (?P<head>.+?)(?: \((?P<head_at>\d+)\w+\))? instead of (?P<other>.+?)(?: \((?P<other_at>\d+)\w+\))?"
)
_TAG = re.compile(r"(?P<word>.+?)(?: \((?P<at>\d+)(?:st|nd|rd|th)\))?: (?P<tag>\S+) instead of (?P<other>\S+)")


def place_of(facts: Facts, word: str, at: str | None) -> int | None:
    """The place of a word, by its number among the same words."""
    plain_word = word[1:-1] if word[:1] == "“" else word
    found = [place for place, one in enumerate(facts.words) if one == plain_word]
    if at is None:
        return found[0] if len(found) == 1 else None
    return found[int(at) - 1] if len(found) >= int(at) else None


def difference_problem(mine: Facts, other: Facts, name: str) -> str:
    """What is wrong with a list of what one parse has otherwise than another."""
    if not mine.readable or not other.readable:
        return ""
    if name == "the same tree":
        return unless(mine.brackets() == other.brackets() and mine.heads == other.heads, "another tree")
    for part in name.split("; "):
        if (found := _ARROWS.fullmatch(part)) is not None:
            word = place_of(mine, found["word"], found["at"])
            if word is None:
                return f"which {found['word']}"
            heads = mine.heads.get(word), other.heads.get(word)
            told = place_of(mine, found["head"], found["head_at"]), place_of(mine, found["other"], found["other_at"])
            if heads != told:
                return f"{part}: {heads}"
        elif (found := _TAG.fullmatch(part)) is not None:
            word = place_of(mine, found["word"], found["at"])
            if word is None or (mine.tags[word], other.tags[word]) != (found["tag"], found["other"]):
                return part
        elif part.endswith(" as the head of the sentence"):
            words = [mine.words[word] for word, head in mine.heads.items() if head == ROOT]
            if not part.startswith((words[0], f"“{words[0]}”")):
                return f"{part}: {words}"
        elif part.endswith(" not as an NP of its own"):
            span = part.removesuffix(" not as an NP of its own")
            if base_like(mine, span) or not base_like(other, span):
                return part
        elif part.endswith(" as an NP of its own"):
            span = part.removesuffix(" as an NP of its own")
            if not base_like(mine, span) or base_like(other, span):
                return part
    return ""


def base_like(facts: Facts, span: str) -> bool:
    """Whether a parse has a baseNP of these words."""
    for start, end, _ in facts.sentence.basenps:
        words = facts.words[start:end]
        short = " ".join(words) if len(words) <= 5 else f"{' '.join(words[:2])} … {' '.join(words[-2:])}"
        if short == span:
            return True
    return False


@says(
    "re-ranked parse",
    r"The re-ranker chose this parse\. By log P alone (?:another one is «A:amount» ahead|(?P<tie>another one is nearly a tie)): "
    r"(?P<name>.*?)\.(?= |$)",
)
def reranker_chose(asked: Asked, amount: str | None, tie: str | None, name: str) -> str:
    found = []
    for one in rivals(asked):
        lead = one.log_probability - asked.parse.log_probability
        fits = abs(lead) <= math.log(1.25) + CLOSE if tie else lead > 0 and amounts_to(amount or "", lead)
        if fits and not names_difference(asked, name, one):
            found.append(lead)
    best = max((one.log_probability - asked.parse.log_probability for one in rivals(asked)), default=-math.inf)
    return unless(bool(found), best) or unless(bool(tie) or max(found) >= best - 0.01, f"another is {best} ahead")


@says(
    "voted parse",
    r"This parse was voted for, with expected F1 (?P<own>[\d.]+) %\. Another \((?P<name>.*?)\) scores «A:amount» higher, "
    r"but its expected F1 is (?P<its>[\d.]+) %\.",
)
def voted_for(asked: Asked, own: str, name: str, amount: str, its: str) -> str:
    rival = best_rival(asked)
    if rival is None:
        return "there is no other"
    problem = unless(amounts_to(amount, rival.score - asked.parse.score), rival.score - asked.parse.score)
    values = expected_f1(asked, asked.parse), expected_f1(asked, rival)
    problem = problem or unless(close_percents(own, values[0]) and close_percents(its, values[1]), values)
    return problem or names_difference(asked, name, rival)


def close_percents(text: str, value: float) -> bool:
    """Whether a percentage is told as rounded; parses of hardly any probability do not vote, which costs a little."""
    return agrees(text, 100 * value) or abs(float(text) - 100 * value) < 0.02


LEAST_CHANCE = 1e-4
"""A parse that is less probable does not vote for expected F1."""


def expected_f1(asked: Asked, parse: Parse, made: Parse | None = None) -> float:
    """The F1 that a parse can expect against all of the list (that of another parse, if one is named) that vote."""
    vote = asked.case.vote(made)
    mine = asked.case.facts(parse).voted()
    total = 0.0
    for one, chance in zip(vote.parses, vote.chances, strict=True):
        theirs = asked.case.facts(one).voted()
        size = len(mine) + len(theirs)
        if chance >= LEAST_CHANCE:
            total += chance * (2 * len(mine & theirs) / size if size else 1.0)
    return total


@says("expected F1", r"Its expected F1 over the list is (?P<own>[\d.]+) %, the highest of all\.")
def highest_f1(asked: Asked, own: str) -> str:
    mine = expected_f1(asked, asked.parse)
    others = [expected_f1(asked, one) for one in asked.case.vote().parses]
    return unless(close_percents(own, mine), mine) or unless(mine >= max(others) - 2e-4, max(others))


@says("expected F1", r"Its expected F1 is (?P<own>[\d.]+) %, that of the chosen parse (?P<its>[\d.]+) %\.")
def two_f1(asked: Asked, own: str, its: str) -> str:
    values = expected_f1(asked, asked.parse), expected_f1(asked, asked.case.listed[0])
    return unless(close_percents(own, values[0]) and close_percents(its, values[1]), values)


@says("expected F1", r"Expected F1 (?P<own>[\d.]+) % over a list of «N:voters»\.")
def f1_over(asked: Asked, own: str, voters: str) -> str:
    value = expected_f1(asked, asked.parse)
    return unless(close_percents(own, value) and number(voters) == len(asked.case.vote().parses), value)


@says("expected F1", r"It has the highest score of the list, too\.")
def highest_score(asked: Asked) -> str:
    best = max(one.score for one in asked.case.vote().parses)
    return unless(asked.parse.score >= best - CLOSE, best)


@says(
    "n-th parse",
    r"This is the «O:rank» of the list\. Against the (?P<named>chosen|best) parse: (?P<name>.*?)\.(?= |$)",
)
def nth(asked: Asked, rank: str, named: str, name: str) -> str:
    place = asked.case.listed.index(asked.parse) + 1
    problem = unless(rank[:-2] == f"{place:,}", place)
    return problem or difference_problem(asked.facts, asked.case.facts(asked.case.listed[0]), name)


@says(
    "n-th parse",
    r"Its score is (?:(?P<same>the same)|«A:amount» (?P<side>higher|lower)): log P «C:log», re-ranker «C:rest»\.",
)
def behind_in_score(asked: Asked, same: str | None, amount: str | None, side: str | None, log: str, rest: str) -> str:
    best = asked.case.listed[0]
    difference = asked.parse.score - best.score
    by_log = asked.parse.log_probability - best.log_probability
    so = (
        abs(difference) < 0.005 + CLOSE
        if same
        else amounts_to(amount or "", difference) and (difference > 0) == (side == "higher")
    )
    return unless(so and changes_by(log, by_log) and changes_by(rest, difference - by_log), (difference, by_log))


@says("n-th parse", r"The (?:best|chosen) parse is «X:ratio»\.", r"The parse without it is «X:without»\.")
def more_probable(asked: Asked, ratio: str | None = None, without: str | None = None) -> str:
    if without:
        ahead = asked.case.result.free.log_probability - asked.case.listed[0].log_probability
        return unless(ratio_is(without, ahead), ahead)
    ahead = -log_lead(asked, asked.case.listed[0])
    return unless(ratio_is(ratio or "", ahead), ahead)


@says("n-th parse", r"Its log P is (?:(?P<same>the same)|«A:amount» (?P<side>higher|lower))\.")
def same_log(asked: Asked, same: str | None, amount: str | None, side: str | None) -> str:
    ahead = log_lead(asked, asked.case.listed[0])
    return unless(
        abs(ahead) < 0.005 + CLOSE if same else amounts_to(amount or "", ahead) and (ahead > 0) == (side == "higher"),
        ahead,
    )


_SECOND = named(_FACTOR, "g_")


@says(
    "what speaks most",
    rf"What speaks most for it is {_FACTOR}, «A:gain» better than (?:{_SECOND}|(?P<nothing>nothing))\.",
    rf"What speaks most for it is {_FACTOR}, which costs «A:less» less here\.",
    rf"What speaks most for it is that it does not pay for {_SECOND}: «A:unpaid»\.",
)
def speaks_most(asked: Asked, **parts: str | None) -> str:
    against = asked.case.listed[0] if asked.parse is not asked.case.listed[0] else None
    others = [against] if against is not None else rivals(asked)
    for other in others:
        facts = asked.case.facts(other)
        mine = factors_like(asked.facts, parts) or [0.0]
        if parts.get("unpaid"):
            theirs = factors_like(facts, parts, "g_")
            if any(amounts_to(parts["unpaid"] or "", -one) and one < 0 for one in theirs):
                return ""
        elif parts.get("less"):
            theirs = factors_like(facts, parts)
            if any(amounts_to(parts["less"] or "", one - its) and one > its for one in mine for its in theirs):
                return ""
        elif parts.get("nothing"):
            return "better than nothing"
        else:
            theirs = factors_like(facts, parts, "g_")
            if any(amounts_to(parts["gain"] or "", one - its) and one > its for one in mine for its in theirs):
                return ""
    return "no such factors"


_FOUND = (
    r"[Nn]o tree was found under the paper's estimates; this one was found with further back-off, down to the order of two "
    r"tags \(a reduced Δ\)(?P<gaps> and, for gap tags, to the comma alone)?\.?"
)


@says("how it was found", _FOUND)
def found_further(asked: Asked, gaps: str | None) -> str:
    further = int(asked.parse.further_backoff)
    # That no tree is possible under the preset's own estimates: the best of them would have been found.
    return unless(further == (2 if gaps else 1) and further > 0, further)


@says("how it was found", r"Nothing was found within β; the beam was widened to (?P<beam>\S+)\.")
def widened(asked: Asked, beam: str) -> str:
    return unless(asked.parse.widened and beam_is(beam, asked.parse.beam), asked.parse.beam)


def beam_is(text: str, beam: float) -> bool:
    """``1,000``, ``10⁶``, ``∞``."""
    if text.startswith("10") and not text[2:].isdigit() and text[2:]:
        return agrees(f"1·{text}", beam)
    return agrees(text, beam)


@says(
    "how it was found",
    r"So that the re-ranker has parses to choose from, the chart was filled with β = (?P<beam>\S+)\.(?= |$)",
)
def list_beam(asked: Asked, beam: str) -> str:
    return unless(asked.parse.beam > asked.parse.settings.beam and beam_is(beam, asked.parse.beam), asked.parse.beam)


@says(
    "how it was found",
    r"Found in pass «N:passes»: each time the threshold was lowered or the beam widened(?P<further>, then the estimates backed off further)?\.",
)
def passes(asked: Asked, passes: str, further: str | None) -> str:
    return unless(
        number(passes) == asked.parse.passes > 1 and bool(further) == bool(asked.parse.further_backoff),
        asked.parse.passes,
    )


@says("log P", r"log P = «#:log»(?:,  score «#:score»)?,  (?:1 word|«N:words» words),  «N:reduced» in S̄")
def parse_line(asked: Asked, log: str, score: str | None, words: str | None, reduced: str) -> str:
    facts = asked.facts
    problem = unless(agrees(log, facts.log_probability), facts.log_probability)
    problem = problem or unless(score is None or agrees(score, asked.parse.score), asked.parse.score)
    sizes = len(facts.words), len(facts.sentence.reduced)
    return problem or unless((number(words) if words else 1, number(reduced)) == sizes, sizes)


@says(
    "definition",
    r"The dependencies alone, each F̂ divided by its sum over all heads and relations of the word \(equation 8\)\.",
)
@says("definition", r"w is the sum of the same product over all outcomes, so that they remain probabilities\.")
@says(
    "definition",
    r"Every parse of the list votes for its constituents with its probability\. Chosen is the parse that is most like all of them: the one of greatest expected F1\.",
)
@says(
    "definition",
    r"a pair that cannot be|no dependency|no arrow|a tag that the tagger holds possible|punctuation|a feature of the re-ranker|a cell of the chart|This parse",
)
@says("definition", r"The weights of these features are added to the score, each as many times as the tree has it\.")
@says(
    "definition",
    r"A ‘comma’ \(any token tagged , or :\) is no word of the model, but is asked about: by questions 4 to 6 of the distance Δ, by the gap model \(cᵢ = 1\), and by the punctuation rule of section 2\.7\.",
)
@says("definition", r"The classes are those of Kummerfeld, Hall, Curran and Klein \(2012\)\.")
@says("definition", r"Missing brackets are in the gold tree alone, extra ones in the parse alone\.")
@says("definition", r"Brackets inside baseNPs are outside the score: no factor of the model sees them\.")
@says("definition", r"– : such a context was not met twice, and is passed over\.")
@says("definition", r"A head-driven, generative model of whole trees .*? with the parser's own\.")
@says(
    "definition",
    r"Which (?:label the whole tree has|word heads|child is the head|complements the head takes|tag|word)[^.]*\.",
)
@says("definition", r"What comes next on this side of the head, going outward; STOP if nothing does\.")
def defined(asked: Asked, **parts: str | None) -> str:
    return ""


@says(
    "definition",
    r"It is no word of the model, but whether commas stand between two words is asked for every dependency and every gap\.",
)
@says("definition", r"The re-ranker weighs its log probability with the parser's own\.")
def said_of_all(asked: Asked) -> str:
    return ""


@says("weights", r"(?:η and δ are weighted|The second model's counts are weighted): every tree counts (?P<list>.*?)\.$")
@says("weights", r"every tree counts (?P<list>.*?)\.$")
def weights_of(asked: Asked, list: str) -> str:
    about = asked.parse.model.metadata
    for name, weight in zip(about["corpora"], about["weights"], strict=True):
        part = next((part for part in re.split(r", (?=once|\d+ times)", list) if name in part), "")
        if not part.startswith("once in " if weight == 1 else f"{weight} times in "):
            return f"{name} {weight}"
    return ""


@says(
    "rank",
    r"Number «N:rank» of the «N:many» shown by (?:score|expected F1)(?:, number «N:by_score» by score)?, number «N:by_log» by "
    r"log P alone\.",
)
def rank_of(asked: Asked, rank: str, many: str, by_score: str | None, by_log: str) -> str:
    own, listed = asked.parse, asked.case.listed
    better = sum(one.log_probability > own.log_probability + CLOSE for one in listed)
    level = sum(abs(one.log_probability - own.log_probability) <= CLOSE for one in listed)
    problem = unless((number(rank), number(many)) == (listed.index(own) + 1, len(listed)), listed.index(own) + 1)
    problem = problem or unless(better < number(by_log) <= better + level, better + 1)
    higher = sum(one.score > own.score + CLOSE for one in listed)
    return problem or unless(by_score is None or number(by_score) >= higher + 1, higher + 1)


# What is counted at the top of pages.


@says("word number", r"word «N:place» of «N:words»")
def word_number(asked: Asked, place: str, words: str) -> str:
    return unless((number(place), number(words)) == (position_of(asked) + 1, len(asked.words)))


@says("gap number", r"gap G«N:place» between two words")
def gap_number(asked: Asked, place: str) -> str:
    return unless(number(place) == asked.subject.position + 1)  # type: ignore[union-attr]


@says("log of an arrow", r"<(?P<labels>[^>]+)>,  log F̂ (?P<log>≈ 0|\S+)(?P<other>  ·  not in this parse)?")
def log_of_arrow(asked: Asked, labels: str, log: str, other: str | None) -> str:
    facts, modifier = asked.facts, modifier_of(asked)
    relation = tuple(labels.split(","))
    if len(relation) == 1:
        value = facts.estimates.root(*facts.sentence.words[modifier], labels)
    else:
        own = page_pair(asked)
        if own[2] != relation:
            return f"the relation is {own[2]}"
        value = facts.dependencies(own[0], own[1]).get(relation, 0.0)
        in_parse = own[1] == facts.heads[modifier] and relation == facts.relations[modifier]
        if bool(other) == in_parse:
            return "in this parse" if in_parse else "not in this parse"
    shown = math.log(value) if value > 0 else -math.inf
    return unless(agrees(log, shown) if log != "0" else abs(shown) < CLOSE, shown)


@says("log of a unary", r"unary P̂,  log P̂ (?P<log>≈ 0|\S+)")
def log_of_unary(asked: Asked, log: str) -> str:
    logs = [math.log(value) if value > 0 else -math.inf for value in unaries_of(asked)]
    return unless(any(agrees(log, one) if log != "0" else abs(one) < CLOSE for one in logs), logs)


def unaries_of(asked: Asked) -> list[float]:
    """P̂ of the unaries that a factor is about."""
    assert isinstance(asked.subject, FactorId)
    about = asked.parse.ledger().factors[asked.subject.number].subject
    wanted = (about.head, about.label, about.parent or "")  # type: ignore[union-attr]
    # A word may head several constituents with one label.
    return [value for kind, what, value in asked.facts.factors if kind == "unary" and what == wanted]


@says(
    "unary chance",
    r"Probability «P:chance»(?:, which costs (?:(?P<nothing>nothing worth naming)|«A:cost» in log P)|: (?P<impossible>impossible))\.",
)
def unary_chance(asked: Asked, chance: str, nothing: str | None, cost: str | None, impossible: str | None) -> str:
    for value in unaries_of(asked):
        log = math.log(value) if value else -math.inf
        so = log > -0.005 - CLOSE if nothing else math.isinf(log) if impossible else amounts_to(cost or "", log)
        if so and chances(chance, value):
            return ""
    return f"it is {unaries_of(asked)}"


@says(
    "unary",
    r"(?:(?P<parent>\S+) stands over|No unary production stands over) the (?P<label>\S+) headed by «W:word»(?P<by>, by a unary production)?\.",
)
def unary_over(asked: Asked, parent: str | None, label: str, word: str, by: str | None) -> str:
    return unless(
        any(
            (node.label, above or None) == (label, parent) and is_word(word, asked.words[node.head])
            for node, above in asked.facts.unaries
        )
    )


@says("constant c", r"c is (?P<list>(?:[\d.]+ for (?:E\([^)]*\)|E[₀-₉]+|λ\S+)(?:, )?)+)\.")
def constants(asked: Asked, list: str) -> str:
    wanted = {
        "E₁": (2.5, 1.0), "E₂₃": (3.0,), "E₄": (40.0, 1.0), "E(Δ without commas)": (5.0,), "E(order+adjacency)": (5.0,),
        "E(comma)": (0.05,), "E(label+tag)": (1.0,), "E(word+tag)": (3.0,), "E(tag)": (1.0,),
    }  # fmt: skip
    told = dict(part.split(" for ", 1)[::-1] for part in list.split(", "))
    wrong = [
        name
        for name, value in told.items()
        if name not in wanted or not any(agrees(value, one) for one in wanted[name])
    ]
    return unless(not wrong, wrong)


# The chart.


def cell_edges(asked: Asked) -> list[Any]:
    """All edges over the words of a cell."""
    assert isinstance(asked.subject, ChartCellId)
    trace = asked.parse.chart
    assert trace is not None
    return [edge for edge in trace if (edge.start, edge.end) == (asked.subject.start, asked.subject.end)]


def cell_items(asked: Asked, start: int, end: int) -> list[Any]:
    """All items that survived over some words, the best first: the beam compares scores without what is above."""
    trace = asked.parse.chart
    assert trace is not None
    usable = {item.number for item in trace.cell(start, end).items}
    found = [item for item in trace.items if (item.start, item.end) == (start, end) and item.number in usable]
    return sorted(found, key=lambda item: -item.score)


@says("chart cell", r"The parser built nothing over «W:span»\.", r"The parser built no edge over these words\.")
def built_nothing(asked: Asked, span: str | None = None) -> str:
    return unless(not cell_edges(asked), len(cell_edges(asked)))


@says(
    "chart cell",
    r"Nothing survives over «W:span»: (?:(?P<only>the only edge was)|(?P<both>both edges were)|all «N:all» edges were) pruned\.",
)
def nothing_survives(asked: Asked, span: str, only: str | None, both: str | None, all: str | None) -> str:
    assert isinstance(asked.subject, ChartCellId)
    size = 1 if only else 2 if both else number(all or "0")
    items = cell_items(asked, asked.subject.start, asked.subject.end)
    return unless(size == len(cell_edges(asked)) and not items, f"{len(items)} of {len(cell_edges(asked))}")


@says("chart cell", r"«N:many» constituents? survives? over «W:span»; the best is (?P<label>\S+) headed by «W:head»\.")
def survive(asked: Asked, many: str, span: str, label: str, head: str) -> str:
    assert isinstance(asked.subject, ChartCellId)
    items = cell_items(asked, asked.subject.start, asked.subject.end)
    best = [item for item in items if item.score >= items[0].score - CLOSE]
    return unless(number(many) == len(items), len(items)) or unless(
        any(item.label == label and is_word(head, asked.words[item.head]) for item in best), best
    )


@says("chart cell", r"(?:No edge was|«N:many» edges? (?:was|were)) pruned(?: here)?\.")
def were_pruned(asked: Asked, many: str | None) -> str:
    found = sum(edge.pruning_reason != "kept" for edge in cell_edges(asked))
    return unless(found == (number(many) if many else 0), found)


def built(facts: Facts) -> dict[tuple[int, int], set[tuple[str, int]]]:
    """What a parse is built from, by its words: constituents, and phrases with some of their modifiers."""
    found: dict[tuple[int, int], set[tuple[str, int]]] = {}
    for node in facts.phrases:
        found.setdefault((node.start, node.end), set()).add((node.label, node.head))
        # Modifiers on the right are taken first.
        head, end = node.children[node.head_child :][:1], node.children[-1:]
        partial = [(first, last) for first in head for last in node.children[node.head_child + 1 :]]
        partial += [(first, last) for first in node.children[: node.head_child] for last in end]
        for first, last in partial:
            found.setdefault((first.start, last.end), set()).add((node.label, node.head))
    return found


_WHY = {
    "because a better way to build the same was found": "dominated",
    "because it is out of the beam": "out of beam",
    "because they are out of the beam": "out of beam",
    "because it is under the threshold": "under threshold",
    "because they are under the threshold": "under threshold",
    "by the comma rule": "comma rule",
    "because it is against a what-if": "constraint",
    "because they are against a what-if": "constraint",
}
_REASON = "(?:" + "|".join(_WHY) + ")"


@says("chart cell", rf"Pruned: (?P<list>\d[\d,]* {_REASON}(?:(?:, | and )\d[\d,]* {_REASON})*)\.")
def pruned_for(asked: Asked, list: str) -> str:
    told = {_WHY[why]: number(many) for many, why in re.findall(rf"(\d[\d,]*) ({_REASON})", list)}
    found: dict[str, int] = {}
    for edge in cell_edges(asked):
        if edge.pruning_reason != "kept":
            found[edge.pruning_reason] = found.get(edge.pruning_reason, 0) + 1
    return unless(told == found, found)


@says("chart cell", r"The parse that is shown has no constituent here\.")
def none_here(asked: Asked) -> str:
    assert isinstance(asked.subject, ChartCellId)
    return unless((asked.subject.start, asked.subject.end) not in built(asked.facts), "one")


@says(
    "chart cell",
    r"The best is also what the parse that is shown has here\.",
    r"The parse that is shown has (?P<label>\S+) here, «A:behind» behind the best\.",
)
def parse_has(asked: Asked, label: str | None = None, behind: str | None = None) -> str:
    assert isinstance(asked.subject, ChartCellId)
    start, end = asked.subject.start, asked.subject.end
    items = cell_items(asked, start, end)
    own = built(asked.facts).get((start, end), set())
    mine = [item for item in items if (item.label.rstrip("+"), item.head) in own]
    if label is None:
        return unless(items[0] in mine, (items[0], own))
    return unless(
        any(item.label == label and amounts_to(behind or "", items[0].score - item.score) for item in mine), own
    )


@says("chart cell", r"The best is «X:ratio» as the next, (?P<label>\S+) headed by «W:head»\.")
def as_the_next(asked: Asked, ratio: str, label: str, head: str) -> str:
    assert isinstance(asked.subject, ChartCellId)
    items = cell_items(asked, asked.subject.start, asked.subject.end)
    lead = items[0].score - items[1].score
    level = [item for item in items[1:] if item.score >= items[1].score - CLOSE] + [items[0]]
    return unless(ratio_is(ratio, lead), lead) or unless(
        any(item.label == label and is_word(head, asked.words[item.head]) for item in level), items[1]
    )


@says("chart cell", r"words «N:first» to «N:last»,  «N:many» edges")
def cell_line(asked: Asked, first: str, last: str, many: str) -> str:
    assert isinstance(asked.subject, ChartCellId)
    told = number(first) - 1, number(last), number(many)
    return unless(told == (asked.subject.start, asked.subject.end, len(cell_edges(asked))), len(cell_edges(asked)))


@says("chart cell", r"and «N:more» more; the table below the chart has all")
def more_items(asked: Asked, more: str) -> str:
    assert isinstance(asked.subject, ChartCellId)
    return unless(number(more) == len(cell_items(asked, asked.subject.start, asked.subject.end)) - 12)


def the_edge(asked: Asked) -> Any:
    """The edge that is told of."""
    trace = asked.parse.chart
    assert trace is not None
    if isinstance(asked.subject, EdgeId):
        return trace.edge(asked.subject.number)
    assert isinstance(asked.subject, ItemId)
    return next(edge for edge in trace if edge.pruning_reason == "kept" and edge.item == asked.subject.number)


@says("edge", r"This edge builds (?P<label>\S+) over «W:span», headed by «W:head»\.")
def builds(asked: Asked, label: str, span: str, head: str) -> str:
    edge = the_edge(asked)
    return unless(
        label == (edge.label or edge.head_tag)
        and is_span(span, asked.words[edge.start : edge.end])
        and is_word(head, asked.words[edge.head])
        and edge.start <= edge.head < edge.end
    )


@says("edge", r"It was kept(?:, (?:(?P<best>as the best over these words)|(?P<only>the only one here)))?\.")
def kept(asked: Asked, best: str | None, only: str | None) -> str:
    edge = the_edge(asked)
    items = cell_items(asked, edge.start, edge.end)
    problem = unless(edge.pruning_reason == "kept", edge.pruning_reason)
    if best:
        return problem or unless(
            any(item.number == edge.item and item.score >= items[0].score - CLOSE for item in items)
        )
    return problem or unless(not only or [item.number for item in items] == [edge.item], len(items))


@says("edge", rf"It was pruned (?P<why>{_REASON})(?:, by «A:margin»)?\.")
def was_pruned(asked: Asked, why: str, margin: str | None) -> str:
    edge = the_edge(asked)
    problem = unless(edge.pruning_reason == _WHY[why], edge.pruning_reason)
    trace = asked.parse.chart
    assert trace is not None
    if why == "because it is under the threshold" and margin:
        return problem or unless(edge.score < trace.threshold, (edge.score, trace.threshold))
    return problem or unless(margin is None or amounts_to(margin, edge.margin), edge.margin)


@says(
    "edge",
    r"It is a single word\.",
    r"It is a baseNP, made by the gap tags\.",
    r"It is a unary production: (?P<above>\S+) over (?P<below>\S+)\.",
    r"A single word\.",
    r"A baseNP, made by the gap tags\.",
    r"A unary production (?P<above>\S+) → (?P<below>\S+)\.",
)
def made(asked: Asked, above: str | None = None, below: str | None = None) -> str:
    edge = the_edge(asked)
    trace = asked.parse.chart
    assert trace is not None
    if above is None:
        return unless(edge.left < 0 and edge.kind in ("word", "baseNP"), edge.kind)
    child = trace.item(edge.left).label if edge.left >= 0 else edge.head_label
    return unless(edge.kind == "unary" and above == edge.label and child == below, edge)


@says("edge", r"It joins two: (?P<label>\S+) «W:modifier» modifies (?P<other>\S+) «W:head»\.")
def joins(asked: Asked, label: str, modifier: str, other: str, head: str) -> str:
    edge, trace = the_edge(asked), asked.parse.chart
    assert trace is not None
    left, right = trace.item(edge.left), trace.item(edge.right)
    # The head of the whole is that of the part that does not modify.
    top, below = (left, right) if left.head == edge.head else (right, left)
    return unless(
        label == below.label
        and other == top.label
        and is_span(modifier, asked.words[below.start : below.end])
        and is_span(head, asked.words[top.start : top.end]),
        (below, top),
    )


_TERM = r"(?:P\([^)]*`[^`]*`\)|P\(\S+ over \S+\)|P̂\(gap tags\)|F̂\(<[^>]*>\)|P\(tags\)|P\(no unary over its parts\))"
_VALUE = r"(?:\d[\d.]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|over 0\.999|under 0\.0001)"


@says(
    "edge product",
    rf"P\((?P<label>[^)]*)\) = {_TERM}(?: × {_TERM})*(?: = (?P<numbers>{_VALUE}(?: × {_VALUE})+))? = (?P<value>{_VALUE})\.",
)
def product(asked: Asked, label: str, numbers: str | None, value: str) -> str:
    edge = the_edge(asked)
    problem = unless(near_power(value, edge.score), math.exp(edge.score))
    if numbers:
        total = math.fsum(math.log(loose(one)) for one in numbers.split(" × ") if loose(one) > 0)
        problem = problem or unless(abs(total - edge.score) < 0.06 * len(numbers.split(" × ")), (total, edge.score))
    if edge.relation is not None and not problem:
        problem = edge_dependency(asked, edge)
    return problem


def loose(text: str) -> float:
    """A number of a product; one at the end of what is shown stands for it."""
    if text.startswith("over"):
        return 1.0
    if text.startswith("under"):
        return 5e-5
    return float(number_in(text))


def number_in(text: str) -> float:
    """A number with or without a power of ten."""
    from tests.claims.notation import value_of

    return value_of(text)[0]


def near_power(text: str, log: float) -> bool:
    """Whether a number, or a power of ten with two digits, is e to a logarithm."""
    if text.startswith(("over", "under")) or "·" not in text:
        return chances(text, math.exp(log)) or agrees(text, math.exp(log))
    mantissa, power = text.split("·10")
    exponent = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    expected = log - exponent * math.log(10)
    return abs(float(mantissa) - math.exp(expected)) <= 0.05 + 1e-6


def edge_dependency(asked: Asked, edge: Any) -> str:
    """Whether F̂ of a join is that of its two heads, at the distance that its baseNPs make."""
    found = derivation_pair(asked, edge)
    if found is None:
        return ""
    value = asked.facts.estimates.dependencies(found).get(plain(edge.relation), 0.0)
    log = math.log(value) if value > 0 else -math.inf
    return unless(abs(log - edge.dependency) < 1e-6, (log, edge.dependency))


def derivation_pair(asked: Asked, edge: Any) -> Pair | None:
    """The two heads that a join relates, in the reduced sentence of what it joins; ``None`` under other tags."""
    trace, facts = asked.parse.chart, asked.facts
    assert trace is not None
    if facts.parse.distribution is not None:
        return None
    bases: list[tuple[int, int, int]] = []
    stack = [trace.item(edge.left), trace.item(edge.right)]
    kinds = {one.item: one.kind for one in trace.edges_in(edge.start, edge.end)}
    del kinds
    while stack:
        item = stack.pop()
        children = trace.children(item.number)
        if children:
            stack += [trace.item(child) for child in children]
        elif item.label == "NP":
            bases.append((item.start, item.end, item.head))
    left, right = trace.item(edge.left), trace.item(edge.right)
    modifier, head = (right.head, left.head) if left.head == edge.head else (left.head, right.head)
    return facts.pair_under(modifier, head, sorted(bases), edge.start, edge.end)


@says(
    "edge product", r"P\((?P<label>[^)]*)\) = «P:value»: a (?P<what>word by itself|baseNP of one word) costs nothing\."
)
def word_costs_nothing(asked: Asked, label: str, value: str, what: str) -> str:
    edge = the_edge(asked)
    kind = "word" if what.startswith("word") else "baseNP"
    return unless((edge.kind, edge.score, value, edge.end - edge.start) == (kind, 0, "1", 1), edge)


@says("edge", r"The better way is «A:ahead» ahead in log P\.")
def better_way(asked: Asked, ahead: str) -> str:
    edge, trace = the_edge(asked), asked.parse.chart
    assert trace is not None
    lead = trace.item(edge.item).score - edge.score
    return unless(lead >= -CLOSE and amounts_to(ahead, lead), lead)


@says(
    "edge",
    r"Of its own factors (?:the )?(?P<name>gap tags|dependency|unary|tags|that no unary stands over its parts) costs? most: «A:cost» in log P\.",
)
def own_most(asked: Asked, name: str, cost: str) -> str:
    edge = the_edge(asked)
    logs = {"gap tags": edge.gap, "dependency": edge.dependency, "unary": edge.unary, "tags": edge.tag}
    rest = edge.score - math.fsum(logs.values())
    trace = asked.parse.chart
    assert trace is not None
    for side in (edge.left, edge.right):
        if side >= 0:
            rest -= trace.item(side).score
    logs["that no unary stands over its parts"] = rest if edge.right >= 0 else 0.0
    return unless(logs[name] <= min(logs.values()) + 1e-6 and amounts_to(cost, logs[name]), logs)


@says("edge", r"edge «N:place» of «N:all»")
def edge_number(asked: Asked, place: str, all: str) -> str:
    edge = the_edge(asked)
    assert asked.parse.chart is not None
    return unless((number(place), number(all)) == (edge.number + 1, len(asked.parse.chart)), edge.number)


@says("edge", r"Head-word `(?P<head>[^`]*)`/(?P<tag>\S+)\.(?= |$)")
def edge_head(asked: Asked, head: str, tag: str) -> str:
    edge = the_edge(asked)
    return unless((head, tag) == (asked.words[edge.head], edge.head_tag), (edge.head, edge.head_tag))


@says("edge", r"(?P<which>One more|A first) modifier,? on the (?P<side>left|right): <(?P<labels>[^>]*)>\.")
def modifier_edge(asked: Asked, which: str, side: str, labels: str) -> str:
    edge, trace = the_edge(asked), asked.parse.chart
    assert trace is not None
    left = trace.item(edge.left)
    right_side = left.head == edge.head
    return unless((side == "right") == right_side and plain(edge.relation) == tuple(labels.split(",")), edge)


@says(
    "edge",
    r"Kept\.",
    r"Pruned: (?P<why>[a-z -]+)(?:, by (?P<margin>[\d.,]+|≈ 0))?(?:; item «N:item», (?P<label>\S+) «W:span», has «#:log»)?\.",
)
def edge_note(
    asked: Asked,
    why: str | None = None,
    margin: str | None = None,
    item: str | None = None,
    label: str | None = None,
    span: str | None = None,
    log: str | None = None,
) -> str:
    edge, trace = the_edge(asked), asked.parse.chart
    assert trace is not None
    words = {
        "dominated by an equal": "dominated",
        "out of the beam": "out of beam",
        "under the threshold": "under threshold",
        "against the comma rule": "comma rule",
        "against a what-if": "constraint",
        None: "kept",
    }
    problem = unless(words[why] == edge.pruning_reason, edge.pruning_reason)
    problem = problem or unless(margin is None or agrees(margin, abs(edge.margin)), edge.margin)
    if item:
        winner = trace.item(number(item))
        problem = problem or unless(
            winner.label == label and agrees(log or "", winner.score) and winner.number == edge.item, winner
        )
    return problem


@says("chart item", r"This chart item is (?P<label>\S+) over «W:span», headed by «W:head»\.")
def chart_item(asked: Asked, label: str, span: str, head: str) -> str:
    assert asked.parse.chart is not None and isinstance(asked.subject, ItemId)
    item = asked.parse.chart.item(asked.subject.number)
    return unless(item.label == label and is_word(head, asked.words[item.head]), item)


@says(
    "in the chart",
    r"It is (?:(?P<best>the best over these words)|«#:behind» behind the best over these words)"
    r"(?:; (?P<spared>the beam spares single words)|; β = (?P<beam>\S+?)(?P<more>, with what it gives unary results,)? "
    r"leaves (?P<room>\S+) more|, further than β = (?P<tight>\S+?)(?P<also>, with what it gives unary results,)? allows, "
    r"by (?P<over>\S+?))?\.(?= |$)",
)
def in_the_chart(
    asked: Asked,
    best: str | None,
    behind: str | None,
    spared: str | None,
    beam: str | None,
    more: str | None,
    room: str | None,
    tight: str | None,
    also: str | None,
    over: str | None,
) -> str:
    node, trace = one_phrase(asked, asked.subject), asked.parse.chart  # type: ignore[arg-type]
    assert node is not None and trace is not None
    items = cell_items(asked, node.start, node.end)
    mine = [item.score for item in items if (item.label, item.head) == (node.label, node.head)]
    if not mine:
        return "no such item"
    lead = items[0].score - max(mine)
    problem = unless(abs(lead) < CLOSE if best else agrees(behind or "", lead), lead)
    settings = asked.parse.settings
    unary = len(node.children) == 1
    slack = math.log(trace.beam) - lead + (settings.unary_slack if unary and not settings.literal_beam else 0.0)
    single = node.end - node.start == 1 and not settings.literal_beam
    problem = problem or unless(
        bool(spared) == (single and math.isfinite(trace.beam)), "spared" if single else "not spared"
    )
    problem = problem or unless(not (more or also) or unary, "no unary")
    if beam:
        problem = problem or unless(beam_is(beam, trace.beam) and agrees(room or "", slack), slack)
    if tight:
        problem = problem or unless(beam_is(tight, trace.beam) and agrees(over or "", -slack), slack)
    return problem


# What-ifs.


@says("what-if", r"What if: (?P<what>.*?)\.(?= (?:It |Its |Beside |What it))")
def what_if(asked: Asked, what: str) -> str:
    return unless(bool(asked.case.result.request.line.what_ifs))


def price_of(asked: Asked) -> tuple[float, float]:
    """By how much score and log P of the parse differ from those of the free one."""
    best, free = asked.case.listed[0], asked.case.result.free
    mine, others = asked.case.facts(best), asked.case.facts(free)
    log = mine.log_probability - others.log_probability if mine.readable and others.readable else math.nan
    return best.score - free.score, log


@says("what-if price", r"(?:All together: )?It costs nothing: the best parse is so anyway\.")
def costs_nothing(asked: Asked) -> str:
    best, free = asked.case.listed[0], asked.case.result.free
    return unless(best.tree.brackets() == free.tree.brackets(), "another tree")


@says(
    "what-if price",
    r"(?:All together: )?It (?P<does>costs|gains) «A:amount» in (?P<unit>score|log P)(?P<other>: another tree, about as good)?\.",
)
def costs(asked: Asked, does: str, amount: str, unit: str, other: str | None) -> str:
    score, log = price_of(asked)
    value = score if unit == "score" else log
    return unless(amounts_to(amount, value) and (bool(other) or (value > 0) == (does == "gains")), value)


@says(
    "what-if price",
    r"(?:All together: )?Its price cannot be told: (?:this parse|the parse without it) is a cover of fragments\.",
)
def no_price(asked: Asked) -> str:
    return unless(asked.case.listed[0].fallback or asked.case.result.free.fallback)


@says("what-if price", r"Log P: «C:log»; re-ranker: «C:rest»\.")
def price_parts(asked: Asked, log: str, rest: str) -> str:
    score, by_log = price_of(asked)
    return unless(changes_by(log, by_log) and changes_by(rest, score - by_log), (score, by_log))


@says("what-if price", r"The parse without it was chosen by expected F1, not by score\.")
def free_by_vote(asked: Asked) -> str:
    return unless(asked.case.result.free.votes is not None and price_of(asked)[0] > 0)


@says(
    "what-if price",
    r"(?:Beside (?:the other what-if|the «N:others» other what-ifs) it (?P<does>costs|gains) «A:amount»|It costs nothing beside (?:the other what-if|the «N:more» other what-ifs)|What it costs beside (?:the other what-if|the \d+ other what-ifs) is not known)\.",
)
def beside(asked: Asked, others: str | None, does: str | None, amount: str | None, more: str | None) -> str:
    from engine.chart.parser import Parser
    from engine.common.errors import EngineError

    what_ifs = asked.case.result.request.line.what_ifs
    at = asked.subject.number  # type: ignore[union-attr]
    made = asked.case.result.parse
    staying = what_ifs[:at] + what_ifs[at + 1 :]
    try:
        without = Parser(made.model, made.settings).parse(asked.case.result.reading.sentence, constraints=staying)
    except EngineError:
        return unless(does is None)
    price = without.score - made.score
    if does is None:
        return unless(abs(price) < 0.005 + CLOSE, price)
    return unless(amounts_to(amount or "", price) and (price > 0) == (does == "costs"), price)


@says("what changed", r"Changed: (?P<what>.*?)\.$")
def changed(asked: Asked, what: str) -> str:
    best, free = asked.case.listed[0], asked.case.result.free
    more = re.search(r"; and (\d+) more$", what)
    plain_text = what[: more.start()] if more else what
    return difference_problem(asked.case.facts(best), asked.case.facts(free), plain_text)


@says("what-if", r"«N:many» what-ifs?")
def number_of_what_ifs(asked: Asked, many: str) -> str:
    return unless(number(many) == len(asked.case.result.request.line.what_ifs))


@says("what costs most", r"What costs most: (?P<what>.*?) \((?P<change>[+−]?[\d.,]+|≈ 0)\)\.$")
def what_if_costs(asked: Asked, what: str, change: str) -> str:
    return ""
