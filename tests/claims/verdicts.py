"""The sentences of verdicts and errors: what is so in either tree, what it weighs, what training never had."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.explain.glosses import ERRORS, glosses
from engine.explain.subjects import GapId, GapTagId
from engine.study.errors import ErrorClass
from engine.study.verdicts import Verdict, VerdictKind
from tests.claims.asked import Asked, claims_in
from tests.claims.case import ROOT, Facts
from tests.claims.notation import agrees, amounts_to, changes_by, count_of, is_span, is_word, ratio_is
from tests.claims.sentences import _PLACE, PATTERNS, number, page_pair, place_is, says, unless
from tests.claims.tables import log_is, number_is, table
from tests.claims.training import NEVER, ORDER, code
from tests.engine.recount_trees import COMMAS, SILENT, Node, bare, read

__all__ = ["PATTERNS"]
CLOSE = 1e-9


def judged(asked: Asked) -> Verdict:
    """The verdict that is told of."""
    assert asked.case.verdict is not None
    return asked.case.verdict


def scores(asked: Asked) -> tuple[float, float]:
    """Log P of the gold tree and of the parse that is judged, by second code."""
    gold, parse = asked.views
    return gold.log_probability, parse.log_probability if parse.readable else math.nan


def lead(asked: Asked) -> float:
    """By how much the parse that is judged scores higher than the gold tree."""
    found = judged(asked)
    if found.judged.settings.rerank and found.judged.model.reranker is not None:
        return found.judged.score - found.gold.score
    gold, parse = scores(asked)
    return parse - gold


# The kind of verdict, and its figures.


@says(
    "verdict",
    r"Outside the model: the parser cannot build the gold tree\.",
    r"The model cannot have the gold tree, whatever the beam\.",
)
def outside(asked: Asked) -> str:
    """By the estimates of the settings, the rules on commas and brackets, the chains and tags that there are."""
    found = judged(asked)
    strict = Facts(found.judged, asked.case, asked.case.gold, 0)
    impossible = [about for _, about, value in strict.factors if not value]
    others = [one for one in found.impossibilities if one.factor is None]
    return unless(found.kind is VerdictKind.OUTSIDE and bool(impossible or others), strict.log_probability)


@says("verdict", r"There are «N:many» such obstacles\.")
def obstacles(asked: Asked, many: str) -> str:
    found = judged(asked)
    strict = Facts(found.judged, asked.case, asked.case.gold, 0)
    zero = sum(not value for _, _, value in strict.factors)
    others = sum(one.factor is None for one in found.impossibilities)
    return unless(number(many) == zero + others, f"{zero} + {others}")


@says("verdict", r"Right: the parse is the gold tree\.", r"The parse is the gold tree\.")
def right(asked: Asked) -> str:
    gold, parse = asked.views
    return unless(gold.structure() == parse.structure(), "another tree")


_BESIDE = r"(?:(?P<brackets>\d+ brackets? inside baseNPs|)(?: and )?(?P<apart>\d+ brackets? that the model does not tell apart|)(?: and )?(?P<tags>\d+ tags?|))"


@says("verdict", rf"Right as far as the score goes; beside it there differ {_BESIDE}\.")
def nearly_right(asked: Asked, brackets: str, apart: str, tags: str) -> str:
    gold, parse = asked.views
    first, second = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    differing = sum(((first - second) + (second - first)).values())
    wrong = wrong_tags(asked)
    told = [int(text.split()[0]) if text else 0 for text in (brackets, apart, tags)]
    same = gold.structure() == parse.structure()
    return unless(same, "another tree") or unless(
        (told[0] + told[1], told[2]) == (differing, len(wrong)), (differing, len(wrong))
    )


def wrong_tags(asked: Asked) -> list[tuple[str, str, str]]:
    """Every token whose tag in the parse is another than in gold: word, tag, gold's tag."""
    found = judged(asked).parse
    gold = [(leaf.word, bare(leaf.label)) for leaf in read(asked.case.gold).leaves() if leaf.label != "-NONE-"]
    pairs = zip(found.sentence.words, found.sentence.tags, gold, strict=True)
    return [(word, tag, its) for word, tag, (_, its) in pairs if tag != its]


_WRONG = r"«W:{0}» is tagged (?P<{0}_tag>“[^”]+”|[^\s,]+), not (?P<{0}_gold>“[^”]+”|[^\s,;]+?)(?: \(«M:{0}_times»\))?"


@says(
    "wrong tags",
    rf"(?:Tag error: )?{_WRONG.format('one')}(?:(?:,| and) {_WRONG.format('two')})?(?: and (?P<more>\d+) other tags? (?:is|are) wrong)?"
    r"(?:; from the gold tags the parse is right)?\.(?= |$)",
)
def tags_wrong(asked: Asked, one: str, two: str | None, more: str | None, **parts: str | None) -> str:
    found = Counter(wrong_tags(asked))
    told = 0
    for name, word in (("one", one), ("two", two)):
        if word is None:
            continue
        wanted = [
            times
            for (own, tag, gold), times in found.items()
            if is_word(word, own)
            and tag == (parts[f"{name}_tag"] or "").strip("“”")
            and gold == (parts[f"{name}_gold"] or "").strip("“”")
        ]
        times = count_of(parts[f"{name}_times"] or "once")
        if times not in wanted:
            return f"{word}: {dict(found)}"
        told += times
    return unless(told + int(more or 0) == sum(found.values()), dict(found))


@says("verdict", r"With the gold tags the parse is still wrong, and what follows is about that parse\.")
def still_wrong(asked: Asked) -> str:
    gold, parse = asked.views
    return unless(parse.parse is not judged(asked).parse, "the parse from other tags") or unless(
        gold.structure() != parse.structure(), "right"
    )


@says("verdict", r"With the gold tags the parse would be right\.")
def would_be_right(asked: Asked) -> str:
    return unless(judged(asked).kind is VerdictKind.TAGS)


@says("verdict", r"The model prefers the wrong tree: it gives the gold tree a lower score\.")
def prefers_wrong(asked: Asked) -> str:
    return unless(lead(asked) > -1e-6, lead(asked))


@says("verdict", r"The gold tree was ahead of the parse before the re-ranker put the list into its order\.")
def was_ahead(asked: Asked) -> str:
    gold, parse = scores(asked)
    return unless(gold > parse, (gold, parse))


@says("verdict", r"The gold tree was not among the parses that were re-ranked\.")
def was_not_listed(asked: Asked) -> str:
    gold, _ = asked.views
    same = [one for one in listed(asked) if one.readable and one.structure() == gold.structure()]
    return unless(not same, "it was")


def listed(asked: Asked) -> Iterator[Facts]:
    """All parses that were re-ranked."""
    return (asked.case.facts(one) for one in asked.case.vote(judged(asked).judged).parses)


@says(
    "verdict",
    r"The gold tree has a higher score, but the beam or the threshold pruned a part of it\.",
    r"The gold tree has a higher score than the parse, and a smaller expected F1\.",
)
def higher_score(asked: Asked) -> str:
    found = judged(asked)
    return unless(found.found_nothing or lead(asked) < 1e-6, lead(asked))


@says("verdict", r"(?:[Mm]odel error: )?[Tt]he model prefers the parse by «A:nats» nats \(«X:ratio»\)\.")
def prefers(asked: Asked, nats: str, ratio: str) -> str:
    value = lead(asked)
    return unless(value > 0 and amounts_to(nats, value) and ratio_is(ratio, value), value)


@says(
    "verdict",
    r"[Tt]he re-ranker prefers the parse by «A:amount» in score(?: \((?P<shares>[^)]*)\))?; by log P alone it is «X:ratio»\.",
)
def reranker_prefers(asked: Asked, amount: str, shares: str | None, ratio: str) -> str:
    gold, parse = scores(asked)
    problem = unless(amounts_to(amount, lead(asked)), lead(asked)) or unless(
        ratio_is(ratio, parse - gold), parse - gold
    )
    return problem or shares_are(asked, shares)


def shares_are(asked: Asked, shares: str | None) -> str:
    """Whether log P, second model and features make so much of a lead."""
    if not shares:
        return ""
    gold, parse = scores(asked)
    told = dict(re.findall(r"(log P|second model|features) ([^,]+)", shares))
    by_log = parse - gold
    rest = lead(asked) - by_log
    problem = unless(changes_by(told["log P"], by_log), by_log)
    others = sum(
        float(value.replace("−", "-").replace("the same", "0")) for name, value in told.items() if name != "log P"
    )
    return problem or unless(abs(others - rest) < 0.011 * len(told), rest)


@says(
    "verdict",
    r"The gold tree is «X:ratio» as the parse \(«A:nats» nats\), but (?:the second model and its features|its features) put it "
    r"«A:amount» in score behind(?: \((?P<shares>[^)]*)\))?\.",
)
def put_behind(asked: Asked, ratio: str, nats: str, amount: str, shares: str | None) -> str:
    gold, parse = scores(asked)
    ahead = gold - parse
    problem = unless(ahead > 0 and ratio_is(ratio, ahead) and amounts_to(nats, ahead), ahead)
    return (
        problem or unless(amounts_to(amount, lead(asked)) and lead(asked) > 0, lead(asked)) or shares_are(asked, shares)
    )


@says(
    "verdict",
    r"The model gives both trees the same score, and (?:the parse was found first|the parse has the greater expected F1)\.",
)
def same_score(asked: Asked) -> str:
    return unless(abs(lead(asked)) < 1e-6, lead(asked))


@says(
    "verdict",
    r"[Tt]he gold tree is ahead of the parse by «A:amount» (?P<unit>nats|in score)"
    r"(?:, but (?:its expected F1 over the list is (?P<its>[\d.]+) %, and that of the parse (?P<own>[\d.]+) %\.)?"
    r"|; the list has not got it, but a tree that scores as high, which lost the vote\.)",
)
def ahead_by(asked: Asked, amount: str, unit: str, its: str | None, own: str | None) -> str:
    from tests.claims.sentences import close_percents, expected_f1

    value = -lead(asked)
    problem = unless(value > 0 and amounts_to(amount, value), value)
    if its is None:
        return problem
    made = judged(asked).judged
    gold = [one for one in asked.case.vote(made).parses if same_tree(asked, one)]
    values = expected_f1(asked, gold[0], made) if gold else math.nan, expected_f1(asked, made, made)
    return problem or unless(close_percents(its, values[0]) and close_percents(own or "", values[1]), values)


def same_tree(asked: Asked, parse: Any) -> bool:
    """Whether a parse is the gold tree to the model."""
    gold, _ = asked.views
    facts = asked.case.facts(parse)
    return facts.readable and facts.structure() == gold.structure()


@says("verdict", r"Choosing by score finds (?P<what>it|a tree at least as good)\.")
def choosing(asked: Asked, what: str) -> str:
    best = max(asked.case.vote(judged(asked).judged).parses, key=lambda one: one.score)
    found = judged(asked)
    return unless(best.score >= found.gold.score - 1e-6 and (what != "it" or same_tree(asked, best)), best.score)


@says(
    "verdict",
    r"it is not among the «N:many» parses that were re-ranked(?:, nor would it be among «N:most» with β = 10⁹\.|; (?P<repair>.*?) (?:find|holds) (?P<what>it|a tree at least as good)\.)",
)
def not_among(asked: Asked, many: str, most: str | None, repair: str | None, what: str | None) -> str:
    found = judged(asked).judged
    voters = found.votes.voters if found.votes is not None else number(many)
    return unless(number(many) == voters, voters) or unless(
        not any(same_tree(asked, one) for one in asked.case.vote(judged(asked).judged).parses)
    )


@says(
    "verdict",
    r"the search lost it(?:: (?P<loss>.*?nats|.*? was pruned))?(?: \(of \d+ such things the first\))?\.(?: (?P<repair>.*?) (?:keeps?|finds?) (?:it|a tree at least as good)\.| No β up to 10⁹ finds it\.)?",
)
def lost(asked: Asked, loss: str | None, repair: str | None) -> str:
    from engine.chart.parser import Parser

    found = judged(asked)
    if found.repair is None:
        return ""
    sentence = found.judged.distribution or found.judged.sentence
    again = Parser(found.judged.model, found.repair.applied(found.judged.settings)).parse(sentence)
    return unless(again.score >= found.gold.score - 1e-6, (again.score, found.gold.score))


@says("verdict", r"No tree was found, though gold is possible \(log probability «#:log»\):")
def possible(asked: Asked, log: str) -> str:
    strict = Facts(judged(asked).judged, asked.case, asked.case.gold, 0)
    return unless(agrees(log, strict.log_probability), strict.log_probability)


@says(
    "verdict",
    r"The parse was found with further back-off, under which (?:(?P<impossible>the gold tree is impossible, too)|"
    r"(?P<same>both trees have the same score)|it is ahead by «A:own» (?:nats|in score)|"
    r"the gold tree is ahead by «A:its» (?:nats|in score), but the search lost it)\.",
)
def with_further(asked: Asked, impossible: str | None, same: str | None, own: str | None, its: str | None) -> str:
    gold, parse = scores(asked)
    problem = unless(bool(judged(asked).judged.further_backoff), "found without")
    if impossible:
        return problem or unless(math.isinf(gold) or bool(judged(asked).gold.impossibilities), gold)
    if same:
        return problem or unless(abs(gold - parse) < 1e-6, gold - parse)
    value = parse - gold if own else gold - parse
    return problem or unless(value > 0 and amounts_to(own or its or "", value), value)


# Where phrases are attached.


_THE = r"(?:[Tt]he (?:\d+(?:st|nd|rd|th)|[^\s`“]+) )?(?:`[^`]*`|“[^”]*”)"


def resolved(facts: Facts, text: str) -> list[int]:
    """The words that are named: by themselves, by their number among the same, or as heads of phrases."""
    quote = re.search(r"(?:`[^`]*`|“[^”]*”)$", text)
    assert quote is not None
    quoted, before = quote[0], text[: quote.start()].strip()[4:].strip()
    words = [place for place, word in enumerate(facts.words) if is_word(quoted, word)]
    if re.fullmatch(r"\d+(?:st|nd|rd|th)", before):
        return words[int(before[:-2]) - 1 : int(before[:-2])]
    phrases = [
        node.head
        for node in facts.phrases
        if is_span(quoted, facts.words[node.start : node.end]) and before in ("", node.label.rstrip("&"))
    ]
    return phrases if before else [*words, *phrases]


def attached(facts: Facts, modifier: int, target: str, joined: bool) -> bool:
    """Whether a word is attached to, or co-ordinated with, what is named."""
    head = facts.heads.get(modifier, ROOT)
    return head in resolved(facts, target) and facts.relations[modifier][0].endswith("&") == joined


_HANGS = r"(?P<{0}>(?:(?P<{0}_what>{1}|it) is )?(?P<{0}_how>attached to|co-ordinated with|to|with) (?P<{0}_to>{1})|(?P<{0}_root>{1}) heads the sentence, an? (?P<{0}_label>[^\s,.]+))"


def hanging(facts: Facts, parts: dict[str, str | None], name: str, words: list[int]) -> list[int]:
    """Of some words, or of those that are named, the ones that hang as is said."""
    if parts[f"{name}_root"]:
        roots = [word for word, head in facts.heads.items() if head == ROOT]
        return [
            word
            for word in roots
            if word in resolved(facts, parts[f"{name}_root"] or "")
            and facts.relations[word] == (parts[f"{name}_label"],)
        ]
    what, target = parts[f"{name}_what"], parts[f"{name}_to"] or ""
    if what and what != "it":
        words = resolved(facts, what)
    joined = "with" in (parts[f"{name}_how"] or "")
    return [word for word in words if attached(facts, word, target, joined)]


@says(
    "attachment",
    rf"(?:[^:`]+ error: |Voted down: |List too short: )?[Ii]n gold {_HANGS.format('gold', _THE)}, "
    rf"in the parse(?:, where (?P<where>{_THE}) heads it,)? {_HANGS.format('own', _THE)}(?=[.,:;]| \()[.,]?",
)
def attached_elsewhere(asked: Asked, **parts: str | None) -> str:
    gold, parse = asked.views
    named = resolved(gold, parts["gold_what"]) if parts["gold_what"] else []
    words = hanging(gold, parts, "gold", named)
    if not words:
        return f"not in gold: {[(word, gold.heads.get(word)) for word in named]}"
    here = resolved(parse, parts["where"]) if parts["where"] else words
    found = hanging(parse, parts, "own", here)
    return unless(bool(found), f"in the parse {[(word, parse.heads.get(word)) for word in here]}")


@says(
    "attachment",
    rf"[Ii]n (?P<tree>gold|the parse) (?:alone )?{_HANGS.format('gold', _THE)}(?:, (?:and not in (?:the parse|gold)|"
    rf"in (?:the parse|gold) (?P<word>{_THE}) is inside the baseNP (?P<base>{_THE})))?(?=[.,:;]| \()[.,]?",
)
def attached_alone(asked: Asked, tree: str, word: str | None, base: str | None, **parts: str | None) -> str:
    mine, other = asked.views if tree == "gold" else asked.views[::-1]
    if mine is asked.views[0]:
        mine = Facts(mine.parse, asked.case, asked.case.gold, mine.estimates.further)
    words = hanging(mine, parts, "gold", resolved(mine, parts["gold_what"]) if parts["gold_what"] else [])
    if not words:
        return "not so"
    if base is None:
        return ""
    inside = [other.base_of(one) for one in words]
    return unless(
        any(one is not None and is_span(base, other.words[one[0] : one[1]]) for one in inside),
        inside,
    )


@says(
    "attachment",
    rf"(?P<phrase>{_THE}) is attached to (?P<head>{_THE}) in both"
    rf"(?:, but at another distance(?:: in gold (?P<distance>[^.(]*?))?|, headed by (?P<own>{_THE}) in gold, by (?P<its>{_THE}) in the parse"
    r"|, in gold within an? (?P<parent>\S+), in the parse within an? (?P<other>\S+)"
    r"|, in gold one level (?P<level>higher|lower) in the (?P<stacked>\S+)"
    r"|, in gold beside the (?P<beside>\S+), in the parse beside the (?P<other_beside>\S+))(?=[.,:;]| \()[.,]?",
)
def attached_in_both(asked: Asked, phrase: str, head: str, **parts: str | None) -> str:
    gold, parse = asked.views
    for word in resolved(gold, parts["own"] or phrase):
        if gold.heads.get(word, ROOT) not in resolved(gold, head):
            continue
        if parts["own"]:
            others = resolved(parse, parts["its"] or "")
            if any(parse.heads.get(one) == gold.heads[word] for one in others):
                return ""
            continue
        if parse.heads.get(word) != gold.heads[word]:
            continue
        mine, its = gold.relations[word], parse.relations[word]
        if parts["parent"]:
            so = (mine[1].rstrip("&+"), its[1].rstrip("&+")) == (parts["parent"], parts["other"])
        elif parts["level"]:
            so = mine[1] == parts["stacked"] and mine[2].rstrip("+") == its[2].rstrip("+") and mine[2] != its[2]
        elif parts["beside"]:
            names = [one.rstrip("+").replace("NPX", "baseNP") for one in (mine[2], its[2])]
            so = names == [parts["beside"], parts["other_beside"]]
        else:
            so = mine == its and gold.pair(word, gold.heads[word]).delta != parse.pair(word, parse.heads[word]).delta
        if so:
            return ""
    return "not so"


@says(
    "attachment",
    rf"(?P<word>{_THE}), attached to (?P<head>{_THE}) in both, is (?:just )?an? (?P<mine>\S+) in gold, (?:just )?an? (?P<its>[^\s.,(]+) in the parse[.,]?",
)
def labelled_otherwise(asked: Asked, word: str, head: str, mine: str, its: str) -> str:
    gold, parse = asked.views
    return unless(
        any(
            gold.heads.get(one, ROOT) in resolved(gold, head)
            and parse.heads.get(one) == gold.heads[one]
            and (gold.relations[one][0].rstrip("&"), parse.relations[one][0].rstrip("&")) == (mine, its)
            for one in resolved(gold, word)
        )
    )


@says(
    "attachment",
    rf"[Ii]n gold (?P<phrase>{_THE}) is (?P<how>co-ordinated with|just attached to) (?P<head>{_THE}), in the parse "
    r"(?P<other>just attached to it|co-ordinated with it)[.,]?",
)
def joined_or_not(asked: Asked, phrase: str, how: str, head: str, other: str) -> str:
    gold, parse = asked.views
    return unless(
        any(
            attached(gold, one, head, how.startswith("co"))
            and parse.heads.get(one) == gold.heads[one]
            and parse.relations[one][0].endswith("&") == other.startswith("co")
            for one in resolved(gold, phrase)
        )
    )


@says("attachment", r"[Ii]n gold the whole sentence is an? (?P<mine>\S+), in the parse an? (?P<its>[^\s.,(]+)[.,]?")
def whole_is(asked: Asked, mine: str, its: str) -> str:
    gold, parse = asked.views
    return unless((gold.sentence.root.label, parse.sentence.root.label) == (mine, its))


# Gaps, unaries and tags of either tree.

_TELLS = (
    r"(?:the baseNP (?P<{0}_S>`[^`]*`|“[^”]*”) starts|the baseNP (?P<{0}_C>`[^`]*`|“[^”]*”) goes on|"
    r"the baseNP (?P<{0}_B>`[^`]*`|“[^”]*”) ends and (?P<{0}_after>`[^`]*`|“[^”]*”) starts|"
    r"the baseNP (?P<{0}_E>`[^`]*`|“[^”]*”) ends|(?P<{0}_N>there is no baseNP on either side))"
)


def gap_is(facts: Facts, position: int, parts: dict[str, str | None], name: str) -> bool:
    """Whether a gap has the tag that is told, and the baseNPs beside it are those."""
    letter = next((letter for letter in "SCBEN" if parts[f"{name}_{letter}"]), "")
    if facts.gap_tags[position - 1] != letter:
        return False
    if letter == "N":
        return True
    base = facts.base_of(position if letter in "SC" else position - 1)
    return base is not None and is_span(parts[f"{name}_{letter}"] or "", facts.words[base[0] : base[1]])


@says(
    "gap of two trees",
    r"(?:[^:`]+ error: )?[Bb]etween «W:left» and «W:right» "
    + _TELLS.format("gold")
    + r" in gold(?:, "
    + _TELLS.format("own")
    + r" in the parse)?(?=[.,:;]| \()[.,]?",
    r"[Bb]etween «W:left» and «W:right» " + _TELLS.format("gold") + r" in both, but in another context[.,]?",
)
def gaps_differ(asked: Asked, left: str, right: str, **parts: str | None) -> str:
    gold, parse = asked.views
    for position in range(1, len(gold.words)):
        if is_word(left, gold.words[position - 1]) and is_word(right, gold.words[position]):
            if not gap_is(gold, position, parts, "gold"):
                continue
            told = any(value for name, value in parts.items() if name.startswith("own_"))
            if not told or gap_is(parse, position, parts, "own"):
                return ""
    return "not so"


_STANDS = (
    r"(?:no unary production stands over the (?P<{0}_none>[^\s`]+) (?P<{0}_bare>`[^`]*`|“[^”]*”)|"
    r"(?P<{0}_word>`[^`]*`|“[^”]*”) by itself is an? (?P<{0}_alone>[^\s.,(]+)|"
    r"an? (?P<{0}_parent>\S+) stands over the (?P<{0}_label>[^\s`]+) (?P<{0}_span>`[^`]*`|“[^”]*”) and nothing else)"
)


def stands(facts: Facts, parts: dict[str, str | None], name: str) -> bool:
    """Whether something stands over a constituent, or nothing does."""
    part = {key.removeprefix(f"{name}_"): value for key, value in parts.items()}
    for node, above in facts.unaries:
        words = facts.words[node.start : node.end]
        if part["none"] and node.label == part["none"] and not above and is_span(part["bare"] or "", words):
            return True
        if part["word"] and above == part["alone"] and node.end - node.start == 1 and is_span(part["word"], words):
            return True
        if (
            part["parent"]
            and (node.label, above) == (part["label"], part["parent"])
            and is_span(part["span"] or "", words)
        ):
            return True
    return False


@says(
    "unary of two trees",
    r"(?:[^:`]+ error: )?[Ii]n (?P<tree>gold|the parse) "
    + _STANDS.format("own")
    + r"(?:, in (?:the parse|gold)(?P<rest>, too, but in another context| none does| it is not| an? (?P<other>[^\s.,(]+))|, and not in (?:the parse|gold))?(?=[.,:;]| \()[.,]?",
)
def unaries_differ(asked: Asked, tree: str, rest: str | None, other: str | None, **parts: str | None) -> str:
    gold, parse = asked.views
    mine, its = (gold, parse) if tree == "gold" else (parse, gold)
    if not stands(mine, parts, "own"):
        return "not so"
    if rest in (" none does", " it is not") or (rest is None and "own_parent" in parts and parts["own_parent"]):
        return unless(not stands(its, parts, "own"), "so in both")
    return ""


@says(
    "unary of two trees",
    r"[Ii]n (?P<tree>gold|the parse) alone (?:there is the (?P<label>[^\s`]+) (?P<span>`[^`]*`|“[^”]*”)|«W:word» has no phrase of its own)[.,]?",
)
def phrase_alone(asked: Asked, tree: str, label: str | None, span: str | None, word: str | None) -> str:
    gold, parse = asked.views
    mine, its = (gold, parse) if tree == "gold" else (parse, gold)

    def has(facts: Facts) -> bool:
        if word:
            return any(
                node.end - node.start == 1
                and is_word(word, facts.words[node.start])
                and node.label == facts.tags[node.start]
                and not above
                for node, above in facts.unaries
            )
        return any(
            node.label == label and is_span(span or "", facts.words[node.start : node.end]) for node in facts.phrases
        )

    return unless(has(mine), "nowhere") or unless(not has(its), "in both")


@says("tag of two trees", r"«W:word» is tagged (?P<mine>“[^”]+”|\S+) in gold, (?P<its>“[^”]+”|\S+) in the parse[.,]?")
def tags_differ(asked: Asked, word: str, mine: str, its: str) -> str:
    gold, parse = asked.views
    wanted = mine.strip("“”"), its.strip("“”")
    return unless(
        any((gold.tags[at], parse.tags[at]) == wanted for at, one in enumerate(gold.words) if is_word(word, one))
    )


# What it weighs.

_EST = r"(?:[FP]̂ |P )?(?:≈ 0|−?[\d.]+(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
_FIGURES = (
    rf"(?P<f_first>{_EST}) in (?P<f_where>gold|the parse)(?:, (?P<f_second>{_EST}) in the parse(?: for {_THE} at {_THE})?"
    r"|, which (?:gold|the parse) does not pay)"
)


def factor_logs(facts: Facts) -> list[tuple[str, Any, float]]:
    """Every factor with what it is aligned by, and its probability."""
    found: list[tuple[str, Any, float]] = []
    for kind, about, value in facts.factors:
        aligned = about[:2] if kind == "unary" else about[0]
        found.append(("arrow" if kind in ("root", "dependency") else kind, aligned, value))
    return found


@says(
    "weight of a difference",
    rf"That (?P<how>weighs most: |speaks for gold \(|is a part of it \(){_FIGURES}, (?:a difference of «A:nats» nats|«A:amount» in score)\)?\.",
    rf"\({_FIGURES}, (?:a difference of «A:nats» nats|«A:amount» in score)\)\.",
    rf"\({_FIGURES}\)\.",
)
def weighs(asked: Asked, how: str = "", nats: str | None = None, amount: str | None = None, **parts: str | None) -> str:
    gold, parse = asked.views
    if amount:
        # What a re-ranker adds is not computed a second time.
        return ""
    first, second = (re.sub(r"^[FP]̂? ", "", parts[name] or "") for name in ("f_first", "f_second"))
    mine, its = factor_logs(gold), factor_logs(parse)
    pairs: list[tuple[float, float]] = []
    if second:
        pairs = [(one, other) for kind, key, one in mine for name, at, other in its if (kind, key) == (name, at)]
        fits = [(one, other) for one, other in pairs if number_is(first, one) and number_is(second, other)]
    else:
        own = mine if parts["f_where"] == "gold" else its
        fits = [(value, 1.0) if own is mine else (1.0, value) for _, _, value in own if number_is(first, value)]
    if not fits:
        return "no such factors"
    differences = [log(one) - log(other) for one, other in fits]
    if nats is None:
        return ""
    so = [value for value in differences if amounts_to(nats, value)]
    if how.startswith("speaks"):
        so = [value for value in so if value > 0]
    elif how:
        so = [value for value in so if value < 0]
    if not so:
        return f"it is {differences}"
    if how.startswith("weighs"):
        aligned = Counter((kind, at) for kind, at, _ in mine)
        against = [
            log(one) - log(other)
            for kind, key, one in mine
            for name, at, other in its
            if (kind, key) == (name, at) and aligned[kind, key] == 1
        ]
        most = min(against, default=0.0)
        return unless(min(so) <= most + 1e-6 or math.isinf(most), f"another weighs {most}")
    return ""


def log(value: float) -> float:
    """The logarithm, also of 0."""
    return math.log(value) if value > 0 else -math.inf


@says(
    "what speaks",
    r"What weighs most against the gold tree: ",
    r"Against the gold tree (?:speaks most|also speaks): ",
    r"For the gold tree speaks most: ",
    r"For (?:both|gold|the parse): (?=in training|`|“|that)",
    r"«A:nats» nats\.",
)
def speaks(asked: Asked, nats: str | None = None) -> str:
    if nats is None:
        return ""
    gold, parse = asked.views
    mine, its = factor_logs(gold), factor_logs(parse)
    found = [log(one) - log(other) for kind, key, one in mine for name, at, other in its if (kind, key) == (name, at)]
    found += [log(one) for _, _, one in (*mine, *its)]
    return unless(any(amounts_to(nats, value) for value in found if math.isfinite(value)), "no such difference")


# What training never had.


@says("never", r"In training nothing was ever related as [^<.]*\((?P<labels><[^>]*>)\)\.")
def never_triple(asked: Asked, labels: str) -> str:
    relation = tuple(labels[1:-1].split(","))
    return unless(relation not in asked.case.training.triples, "it was")


@says("never", r"In training no sentence was an? (?P<label>\S+)\.")
def never_root(asked: Asked, label: str) -> str:
    times = asked.case.training.roots.met().outcomes[label]
    return unless(not times, f"{times} times")


@says(
    "never",
    r"In training an? (?P<label>\S+?)(?: headed by a word tagged (?P<tag>\S+))? always had a unary production over it\.",
)
def always_unary(asked: Asked, label: str, tag: str | None) -> str:
    wanted = {"label": label, **({"tag": tag} if tag else {})}
    met = asked.case.training.unaries.met(**wanted)
    return unless(met.times == sum(met.outcomes.values()), f"{sum(met.outcomes.values())} of {met.times}")


@says(
    "never",
    r"In training an? (?P<parent>\S+) never stood alone over an? (?P<label>\S+?)(?: headed by a word tagged (?P<tag>\S+))?\.(?= |$)",
)
def never_unary(asked: Asked, parent: str, label: str, tag: str | None) -> str:
    wanted = {"label": label, **({"tag": tag} if tag else {})}
    times = asked.case.training.unaries.met(**wanted).outcomes[parent]
    return unless(not times, f"{times} times")


@says("never", r"(?:In gold the|The) unary chain (?P<chain>.*?) was never seen in training\.")
def never_chain(asked: Asked, chain: str) -> str:
    labels = tuple(reversed(chain.split(" → ")))
    return unless(labels not in asked.case.training.chains, "it was")


@says(
    "never",
    r"In training it never happened between words tagged (?P<left>\S+) and (?P<right>\S+?)(?P<comma>, with a comma between,)? that (?P<event>[^.]*)\.",
)
def never_gap(asked: Asked, left: str, right: str, comma: str | None, event: str) -> str:
    letter = _PAST[event]
    met = asked.case.training.gaps.met(left_tag=left, right_tag=right, comma=bool(comma))
    return unless(not met.outcomes[letter], f"{met.outcomes[letter]} of {met.times}")


_PAST = {
    "a baseNP started": "S",
    "a baseNP went on": "C",
    "a baseNP ended": "E",
    "one baseNP ended and the next started": "B",
    "there was no baseNP on either side": "N",
}


@says(
    "never",
    r"In training «W:left» and «W:right» stood side by side(?P<comma>, with a comma between,)? «M:met», and it never happened "
    r"there that (?P<event>[^;]*); since both words were met, the paper does not fall back to tags alone, so P̂ is 0\.",
)
def blocked_gap(asked: Asked, left: str, right: str, comma: str | None, met: str, event: str) -> str:
    gold = Facts(judged(asked).judged, asked.case, asked.case.gold, 0)
    for position in range(1, len(gold.words)):
        if is_word(left, gold.words[position - 1]) and is_word(right, gold.words[position]):
            levels = gold.estimates.gap_levels(gold.gap(position))
            found = levels["E1"].times, levels["E1"].outcomes[_PAST[event]], gold.gap_chances(position)[_PAST[event]]
            if found == (count_of(met), 0, 0.0) and gold.gap(position).comma == bool(comma):
                return ""
    return "not so"


@says(
    "never",
    rf"In training a word tagged (?P<tag>\S+) never stood {_PLACE}\.",
    rf"In training a word tagged (?P<tag>\S+) stood {_PLACE} «M:met», but never as [^<.]*\((?P<labels><[^>]*>)\)\.",
)
def never_stood(asked: Asked, tag: str, labels: str | None = None, met: str | None = None, **parts: str | None) -> str:
    problems = []
    for facts in asked.views:
        for modifier in facts.heads:
            for head in facts.heads:
                if modifier == head or facts.tags[modifier] != tag or facts.tags[head] != parts["other_tag"]:
                    continue
                pair = facts.pair(modifier, head)
                problem = place_is(asked, pair, parts)
                if problem:
                    continue
                numbered = asked.case.training.tags(tag, parts["other_tag"] or "")
                seen = (
                    NEVER if numbered is None else asked.case.training.pairs.met(tags=numbered, delta=code(pair.delta))
                )
                if labels is None:
                    problem = unless(not seen.times, f"{seen.times} times")
                else:
                    relation = tuple(labels[1:-1].split(","))
                    problem = unless(
                        (seen.times, seen.outcomes[relation]) == (count_of(met or ""), 0),
                        (seen.times, seen.outcomes[relation]),
                    )
                if not problem:
                    return ""
                problems.append(problem)
    return "; ".join(sorted(set(problems))) or "no such words"


@says(
    "never",
    r"In training a word tagged (?P<tag>\S+) (?P<order>after|before) a word tagged (?P<other>\S+) was never [^<.]*\((?P<labels><[^>]*>)\)\.",
)
def never_in_order(asked: Asked, tag: str, order: str, other: str, labels: str) -> str:
    numbered = asked.case.training.tags(tag, other)
    if numbered is None:
        return ""
    seen = asked.case.training.pairs.met(tags=numbered, masked_delta=(ORDER, int(order == "after")))
    times = seen.outcomes[tuple(labels[1:-1].split(","))]
    return unless(not times, f"{times} times")


@says(
    "never",
    r"In training such words were related as [^<.]*\((?P<labels><[^>]*>)\), but so seldom that F̂ is under 10⁻⁶ here, which the parser takes for 0\.",
)
def so_seldom(asked: Asked, labels: str) -> str:
    relation = tuple(labels[1:-1].split(","))
    gold, _ = asked.views
    found = [word for word, one in gold.relations.items() if one == relation and gold.heads[word] != ROOT]
    values = [gold.dependencies(word, gold.heads[word]).get(relation, 0.0) for word in found]
    return unless(0.0 in values, values)


@says(
    "never",
    r"In training (?:two «W:twice»|«W:one» and «W:other») stood so «M:met», never as [^<.]*\((?P<labels><[^>]*>)\); since both "
    r"words were met, the paper does not fall back to tags alone, so F̂ is 0\.",
)
def blocked_pair(asked: Asked, twice: str | None, one: str | None, other: str | None, met: str, labels: str) -> str:
    relation = tuple(labels[1:-1].split(","))
    strict = Facts(judged(asked).judged, asked.case, asked.case.gold, 0)
    found = []
    for word, own in strict.relations.items():
        head = strict.heads[word]
        if own != relation or head == ROOT or not is_word(twice or one or "", strict.words[word]):
            continue
        levels = strict.estimates.pair_levels(strict.pair(word, head))
        found.append((levels["E1"].times, levels["E1"].outcomes[relation], levels["E4"].outcomes[relation] > 0))
        if found[-1] == (count_of(met), 0, True) and not strict.dependencies(word, head).get(relation):
            return ""
    return f"it is {found}"


@says("never", r"[Tt]he tag (?P<tag>\S+) of «W:word» is not among those considered \(P = (?P<chance>[\d.e+-]+)\)\.")
def tag_not_considered(asked: Asked, tag: str, word: str, chance: str) -> str:
    distribution = judged(asked).judged.distribution
    if distribution is None:
        return "tags were given"
    values = [
        dict(distribution.choices[token]).get(tag, 0.0)
        for token, one in enumerate(distribution.sentence.words)
        if is_word(word, one)
    ]
    return unless(any(float(chance) == float(f"{value:.2g}") for value in values), values)


@says(
    "comma rule",
    r"(?:In gold the|[Tt]he) comma before «W:word» separates children of (?P<label>[^\s,]+), so the punctuation rule demands one after "
    r"«W:last», too, and there is none\.",
)
def torn(asked: Asked, word: str, label: str, last: str) -> str:
    gold, _ = asked.views
    commas = [at for at, one in enumerate(gold.words) if is_word(word, one) and at and gold.sentence.comma_before(at)]
    ends = [
        at
        for at, one in enumerate(gold.words)
        if is_word(last, one) and at + 1 < len(gold.words) and not gold.sentence.comma_before(at + 1)
    ]
    return unless(
        bool(commas) and any(node.label.startswith(label.rstrip("+&")) for node in gold.phrases) and bool(ends)
    )


# Why an estimate is zero, as ledgers and pages of estimates have it.


@says("zero", r"The triple (?P<labels><[^>]*>) was never seen in training\.")
def zero_triple(asked: Asked, labels: str) -> str:
    return never_triple(asked, labels)


@says(
    "zero",
    r"(?P<labels><[^>]*>) was never seen between (?P<tag>\S+) and (?P<other>\S+) (?P<place>in this order|at this distance)\.",
    r"(?P<tag>\S+) and (?P<other>\S+) never stood at this distance in training\.",
    r"(?P<labels><[^>]*>) was seen, but here F̂ is under 10⁻⁶, which the parser takes for 0\.",
    r"`[^`]*` and `[^`]*` were met like this, never as (?P<labels><[^>]*>); since both were met, F̂ does not fall back to tags "
    r"alone and is 0\.",
)
def zero_pair(
    asked: Asked, tag: str | None = None, other: str | None = None, labels: str | None = None, place: str = ""
) -> str:
    modifier, head, relation = page_pair(asked)
    facts = asked.facts
    levels = facts.estimates.pair_levels(facts.pair(modifier, head))
    if facts.dependencies(modifier, head).get(relation):
        return "it is not zero"
    if labels is None:
        return unless(not levels["E4"].times, levels["E4"].times)
    if tag:
        met = levels["order" if place == "in this order" else "E4"]
        return unless(not met.outcomes[relation], met.outcomes[relation])
    if asked.case.preset == 5:
        return unless(levels["order"].outcomes[relation] > 0)
    return unless(levels["E1"].times > 0 and levels["E4"].outcomes[relation] > 0, (levels["E1"].times, relation))


@says(
    "zero",
    r"(?P<letter>[SCEBN]) was never seen between (?P<left>\S+) and (?P<right>[^\s,]+?)(?P<comma>, with a comma between)?\.(?= |$)",
    r"In training «W:word» and «W:other» stood side by side like this «M:met», never with (?P<letter>[SCEBN]) between; since both "
    r"words were met, P̂ does not fall back to tags alone and is 0\.",
)
def zero_gap(
    asked: Asked,
    letter: str,
    left: str = "",
    right: str = "",
    comma: str | None = None,
    word: str = "",
    other: str = "",
    met: str | None = None,
) -> str:
    assert isinstance(asked.subject, GapId | GapTagId)
    gap = asked.facts.gap(asked.subject.position)
    levels = asked.facts.estimates.gap_levels(gap)
    if asked.facts.gap_chances(asked.subject.position)[letter]:
        return "it is not zero"
    if met is None:
        seen = levels["E4"].outcomes[letter]
        return unless(not seen and bool(comma) == gap.comma and (left, right) == (gap.left_tag, gap.right_tag), seen)
    return unless((levels["E1"].times, levels["E1"].outcomes[letter]) == (count_of(met), 0), levels["E1"])


# Classes of errors.


@says(
    "definition", "(?:[^`.:]+: )?(?:" + "|".join(re.escape(gloss.text) for gloss in glosses()[ERRORS].values()) + r")\."
)
@says("definition", "(?:" + "|".join(kind.value[0].upper() + kind.value[1:] for kind in ErrorClass) + "): ")
def error_class(asked: Asked) -> str:
    return ""


# Brackets and F1.


def labelled(text: str) -> Counter[tuple[str, int, int]]:
    """The constituents of a tree as PARSEVAL counts them: labels over words, punctuation left out, PRT as ADVP."""
    found: Counter[tuple[str, int, int]] = Counter()

    def visit(node: Node, start: int) -> int:
        label = bare(node.label)
        if node.word:
            return start if label in COMMAS | SILENT or label == "-NONE-" else start + 1
        end = start
        for child in node.children:
            end = visit(child, end)
        if end > start and label not in ("", "ROOT", "TOP", "S1"):
            found[{"PRT": "ADVP"}.get(label, label), start, end] += 1
        return end

    visit(read(text), 0)
    return found


def f1(gold: Counter[tuple[str, int, int]], proposed: Counter[tuple[str, int, int]]) -> float:
    """F1 in per cent."""
    both, size = sum((gold & proposed).values()), sum(gold.values()) + sum(proposed.values())
    return 200.0 * both / size if size else 100.0


@says("F1", r"F1 (?P<f1>[\d.]+) %,  «N:both» of «N:all» gold brackets? found")
def f1_line(asked: Asked, f1: str, both: str, all: str) -> str:
    gold, own = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    value = globals()["f1"](gold, own)
    told = number(both), number(all)
    found = sum((gold & own).values()), sum(gold.values())
    return unless(agrees(f1, value) and told == found, (value, found))


def the_error(asked: Asked) -> Any:
    """The error that is told of."""
    return asked.case.errors[asked.told["error"]]


@says(
    "F1",
    r"It costs (?:(?P<points>[\d.]+) points? of F1|(?P<less>less than 0\.1 points of F1))\.",
    r"It costs no F1 by itself\.",
)
def costs(asked: Asked, points: str | None = None, less: str | None = None) -> str:
    gain = repaired(asked)
    if less:
        return unless(0 < gain < 0.05 + CLOSE, gain)
    return unless(agrees(points, gain) if points else gain < CLOSE, gain)


def repaired(asked: Asked) -> float:
    """By how much F1 rises when the brackets of one error alone are put right."""
    error = the_error(asked)
    gold, own = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    both, size = sum((gold & own).values()), sum(gold.values())
    proposed = sum(own.values())
    gained, lost_ = len(error.missing), len(error.extra)
    before = 200.0 * both / (size + proposed)
    return 200.0 * (both + gained) / (size + proposed + gained - lost_) - before


@says(
    "brackets",
    r"(?:(?P<missing>\d+) brackets? (?:is|are) missing)?(?: and )?(?:(?P<extra>\d+) brackets? (?:is|are) extra)?\.(?= |$)",
)
def missing_and_extra(asked: Asked, missing: str | None, extra: str | None) -> str:
    error = the_error(asked)
    gold, own = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    tokens = asked.parse.sentence.positions
    narrowed = {token: at for at, token in enumerate(tokens)}

    def there(spans: Any, some: Counter[tuple[str, int, int]]) -> bool:
        for span in spans:
            first = next((narrowed[at] for at in range(span.start, span.end) if at in narrowed), None)
            last = next((narrowed[at] for at in range(span.end - 1, span.start - 1, -1) if at in narrowed), None)
            if (
                first is None
                or last is None
                or ({"PRT": "ADVP"}.get(span.label, span.label), first, last + 1) not in some
            ):
                return False
        return True

    problem = unless((int(missing or 0), int(extra or 0)) == (len(error.missing), len(error.extra)))
    return problem or unless(there(error.missing, gold - own) and there(error.extra, own - gold), "other brackets")


@says("brackets", r"(?P<label>\S+) over «W:span» is (?P<where>missing|not in gold)\.")
def bracket(asked: Asked, label: str, span: str, where: str) -> str:
    gold, own = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    some = gold - own if where == "missing" else own - gold
    words = asked.facts.words
    wanted = {"PRT": "ADVP"}.get(label, label)
    return unless(any(one[0] == wanted and is_span(span, words[one[1] : one[2]]) for one in some), some)


@says("brackets", r"«W:span» is labelled (?P<own>\S+), in gold (?P<its>[^\s.]+)\.")
def relabelled(asked: Asked, span: str, own: str, its: str) -> str:
    gold, mine = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    words = asked.facts.words
    return unless(
        any(one[0] == own and is_span(span, words[one[1] : one[2]]) for one in mine)
        and any(one[0] == its and is_span(span, words[one[1] : one[2]]) for one in gold)
    )


@says("error", r"error «N:place» of «N:all»(?:,  costs (?P<points>[\d.]+) of F1)?")
def error_line(asked: Asked, place: str, all: str, points: str | None) -> str:
    problem = unless((number(place), number(all)) == (asked.told["error"] + 1, len(asked.case.errors)))
    return problem or unless(points is None or agrees(points, repaired(asked)), repaired(asked))


@says("more", r"and «N:more» more(?=$)")
def more_rows(asked: Asked, more: str) -> str:
    found = judged(asked)
    sizes = [len(found.impossibilities) - 8, len(found.difference.rows) - 8 if found.difference is not None else 0]
    return unless(number(more) in sizes, sizes)


# Tables.


@table("obstacles", "cause", "what")
def cause_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    found = [claim for claim in claims_in(row[1], PATTERNS, asked)]
    return "; ".join(filter(None, (claim.problem for claim in found)))


@table("verdict in numbers", "", "parse", "gold")
def number_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    found = judged(asked)
    brackets = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    both = sum((brackets[0] & brackets[1]).values())
    match row[0]:
        case "log P":
            gold, parse = scores(asked)
            own = row[1] == "–" or log_is(row[1], parse)
            impossible = [one for one in found.impossibilities if one.factor is None]
            return unless(
                own and (log_is(row[2], gold) or bool(impossible) or ("∞" in row[2] and math.isinf(gold))),
                (parse, gold),
            )
        case "score":
            return unless(log_is(row[1], found.judged.score) and log_is(row[2], found.gold.score))
        case "price of the gold tree":
            return unless(
                row[2] == "impossible" if math.isinf(found.nats) else log_is(row[2], lead(asked)), lead(asked)
            )
        case "brackets":
            told = number(row[1]), number(row[2])
            return unless(told == (sum(brackets[1].values()), sum(brackets[0].values())), brackets)
        case "of them in both":
            return unless((number(row[1]), number(row[2])) == (both, both), both)
        case "expected F1":
            from tests.claims.sentences import close_percents, expected_f1

            value = expected_f1(asked, found.judged, found.judged)
            return unless(close_percents(row[1].removesuffix(" %"), value), value)
    return ""


@table("differences", "nats", "parse", "gold")
def difference_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    from tests.claims.tables import factor_texts

    gold, parse = asked.views
    mine = [value for _, text, value in factor_texts(parse) if text == row[1]] if row[1] != "–" else [0.0]
    its = [value for _, text, value in factor_texts(gold) if text == row[2]] if row[2] != "–" else [0.0]
    if not mine or not its:
        # What a re-ranker adds is not computed a second time.
        return unless(bool(judged(asked).judged.settings.rerank), "no such factor")
    found = [other - one for one in mine for other in its if not (math.isinf(one) and math.isinf(other))]
    return unless(any(log_is(row[0], value) or (math.isinf(value) and "∞" in row[0]) for value in found), found)


@table("wrong tags", "word", "parse", "gold")
def tag_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    return unless(row in wrong_tags(asked), wrong_tags(asked))


@table("errors", "error", "words", "costs F1")
def error_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    asked.told["error"] = place
    value = repaired(asked)
    return unless(agrees(row[2], value), value)


@table("brackets of an error", "bracket", "label", "words")
def bracket_row(asked: Asked, block: Any, place: int, row: tuple[str, ...]) -> str:
    gold, own = labelled(asked.case.gold), labelled(asked.parse.tree.brackets())
    some = gold - own if row[0] == "missing" else own - gold
    return unless(any(one[0] == {"PRT": "ADVP"}.get(row[1], row[1]) for one in some), some)
