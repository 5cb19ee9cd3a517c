"""What two trees of the same words have otherwise, one row of their ledgers at a time, as a linguist would say it.

A ledger knows head-words alone; here the phrases and baseNPs that these stand for are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.chart.parse import Cause, Impossibility
from engine.common.numbers import ordinal, significant
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    FactorKind,
    FactorSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
)
from engine.explain.attachments import dependency_reason, gap_reason, root_reason, unary_reason, why_zero
from engine.explain.context import Training
from engine.explain.factors import factor_clause, plain
from engine.explain.wording import MOST_WORDS, capital, joined, quoted, span_text, tag_text, with_article
from engine.structure.constituents import CONJUNCTIONS, CORE, JOINED, STACKED, Constituent
from engine.structure.dependencies import Relation
from engine.study.comparison import LedgerDifference, LedgerRow

LEAST_NATS = 0.1
"""Nats under which a difference is not told: one in which the one is 1.1 times as probable as the other."""
PARSE_AND_GOLD = ("in the parse", "in gold")
"""How the two trees are called, if they are called nothing else."""
_HANGING = CONJUNCTIONS | {"-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-", "HYPH", "SYM", "``", "''"}
"""Tags of words whose attachment nobody would name first, unless they head a phrase."""


class TreeInWords:
    """A tree by the words that head its phrases.

    Parameters
    ----------
    roots
        Its constituents; those of every fragment, if no tree spans the sentence.
    words, tags
        Its words and tags, without punctuation.
    """

    def __init__(self, roots: Sequence[Constituent], words: Sequence[str], tags: Sequence[str]) -> None:
        self.words = words
        self.tags = tags
        self._phrases: dict[int, Constituent] = {}
        self._nodes: dict[tuple[str, int], Constituent] = {}
        self._bases: dict[int, Constituent] = {}
        self._spans: dict[tuple[int, int], int] = {}
        self._attached: dict[int, int] = {}
        for root in roots:
            for node in root.walk():
                self._attached.update((child.head, node.head) for child in node.children if child.head != node.head)
                if node.label.endswith(JOINED):
                    continue
                self._phrases.setdefault(node.head, node)
                self._spans.setdefault((node.start, node.end), node.head)
                self._nodes.setdefault((node.label, node.head), node)
                if node.is_base:
                    self._bases.update(dict.fromkeys(range(node.start, node.end), node))

    def extent(self, head: int) -> tuple[int, int]:
        """First word of the largest phrase that a word heads, and the one after the last."""
        node = self._phrases.get(head)
        return (node.start, node.end) if node is not None else (head, head + 1)

    def head_of(self, extent: tuple[int, int]) -> int | None:
        """Return the head of the phrase over some words; ``None`` if they are none."""
        return self._spans.get(extent)

    def attached_to(self, head: int) -> int | None:
        """Return what a word is attached to; ``None`` if it heads the tree, or is inside a baseNP."""
        return self._attached.get(head)

    def phrase(self, head: int) -> str:
        """Return the largest phrase that a word heads: ``the PP `with the telescope```, of one word the word."""
        start, end = self.extent(head)
        if end - start == 1:
            return quoted(self.words[head])
        return f"the {self._phrases[head].label} {span_text(self.words, start, end)}"

    def node(self, label: str, head: int) -> str:
        """Return the phrase with a label that a word heads."""
        node = self._nodes.get((label, head))
        start, end = (node.start, node.end) if node is not None else (head, head + 1)
        return f"the {label} {span_text(self.words, start, end)}"

    def base(self, position: int) -> tuple[int, int] | None:
        """First word and the one after the last of the baseNP that a word is in; ``None`` if it is in none."""
        node = self._bases.get(position)
        return (node.start, node.end) if node is not None else None

    def base_text(self, position: int) -> str:
        """Return the baseNP that a word is in; the word, if it is in none."""
        return span_text(self.words, *(self.base(position) or (position, position + 1)))

    def word(self, position: int) -> str:
        """Return a word; one that the sentence has several times with its number among them."""
        word = self.words[position]
        if self.words.count(word) == 1:
            return quoted(word)
        return f"the {ordinal(self.words[: position + 1].count(word))} {quoted(word)}"


class Contrast:
    """Tells rows of a comparison of two ledgers: the parse's and gold's.

    Parameters
    ----------
    parse, gold
        The two trees.
    in_parse, in_gold
        What training has of the words with the tags of each.
    names
        How the two are called.
    """

    def __init__(
        self,
        parse: TreeInWords,
        gold: TreeInWords,
        in_parse: Training,
        in_gold: Training,
        names: tuple[str, str] = PARSE_AND_GOLD,
    ) -> None:
        self._parse = parse
        self._gold = gold
        self._in_parse = in_parse
        self._in_gold = in_gold
        self._there, self._here = names

    def attachment(self, difference: LedgerDifference) -> LedgerRow | None:
        """Return the row of the attachment that a linguist would name first; ``None`` if nothing hangs elsewhere.

        That is one against gold before one for it, a phrase that is the same in both trees before one that is not, and
        of these the one that weighs most.
        """
        found = [row for row in difference.rows if self._hangs_elsewhere(row)]
        return max(found, key=self._telling, default=None)

    def _hangs_elsewhere(self, row: LedgerRow) -> bool:
        heads = [_head(factor.subject) if factor is not None else None for factor in (row.first, row.second)]
        return None not in heads and heads[0] != heads[1]

    def _telling(self, row: LedgerRow) -> tuple[bool, bool, bool, bool, float]:
        assert row.second is not None
        modifier = _modifier(row.second.subject)
        start, end = self._gold.extent(modifier)
        is_phrase = end - start > 1 or self._gold.tags[modifier] not in _HANGING
        other = self._other_head(row.second.subject)
        # Where the phrase hangs in the parse, if another word heads it there.
        target = other[1] if other is not None else None
        elsewhere = target != _head(row.second.subject)
        moved = self._parse.extent(modifier) == (start, end) or (target is not None and elsewhere)
        return is_phrase, elsewhere, row.contribution < 0, moved, abs(row.contribution)

    def row_of(self, difference: LedgerDifference | None, subject: FactorSubject) -> LedgerRow | None:
        """Return the row in which gold has a factor; ``None`` if the parse has it, too."""
        rows = difference.rows if difference is not None else ()
        return next((row for row in rows if row.second is not None and row.second.subject == subject), None)

    # What a row is about.

    def text(self, row: LedgerRow) -> str:
        """Return what is so in gold, and what in the parse, as a clause."""
        first, second = row.first, row.second
        if second is None:
            assert first is not None
            return self._only(first.subject, self._parse, self._there, self._gold, self._here)
        if first is None:
            return self._only(second.subject, self._gold, self._here, self._parse, self._there)
        match first.subject, second.subject:
            case DependencySubject() as parse, DependencySubject() as gold if parse.head == gold.head:
                return self._related(parse, gold)
            case RootSubject(label=parse), RootSubject(label=gold):
                whole = "the whole sentence is"
                return f"{self._here} {whole} {with_article(gold)}, {self._there} {with_article(parse)}"
            case DependencySubject() | RootSubject() as parse, DependencySubject() | RootSubject() as gold:
                return self._attached(parse, gold)
            case GapSubject() as parse, GapSubject() as gold:
                return self._between(parse, gold)
            case UnarySubject() as parse, UnarySubject() as gold:
                return self._over(parse, gold)
            case TagSubject(tag=parse), TagSubject(word=word, tag=gold):
                return f"{quoted(word)} is tagged {tag_text(gold)} {self._here}, {tag_text(parse)} {self._there}"
            case GenerativeSubject(text=parse), GenerativeSubject(text=gold) if parse != gold:
                return f"for the second model {plain(gold)} {self._here}, {plain(parse)} {self._there}"
            case parse, gold if parse.text == gold.text:
                return f"{factor_clause(gold)} in both, but in another context"
            case parse, gold:
                return f"{self._here} {factor_clause(gold)}, {self._there} {factor_clause(parse)}"

    def obstacle(self, found: Impossibility, difference: LedgerDifference | None = None) -> str:
        """Return what makes gold impossible, in sentences: what is so in each tree; what training never had.

        Parameters
        ----------
        found
            What makes it impossible by the estimates that gold was scored with.
        difference
            Both ledgers compared, by whatever estimates, if they were.
        """
        if found.factor is None:
            # The tagger, not gold, is the subject of a tag's text.
            own = found.cause is not Cause.TAG
            return f"{capital(f'{self._here} {found.text}' if own else found.text)}."
        subject = found.factor.subject
        rows = difference.rows if difference is not None else ()
        row = next((row for row in rows if row.second is not None and row.second.subject == subject), None)
        told = self.text(row) if row is not None else self._in_gold_alone(subject)
        return f"{capital(told)}. {why_zero(self._in_gold, found.factor)}"

    def _in_gold_alone(self, subject: FactorSubject) -> str:
        match subject:
            case DependencySubject() | RootSubject():
                return f"{self._here} {self._hangs(subject, self._gold, self._gold.phrase(subject.modifier))}"
            case UnarySubject():
                return f"{self._here} {_stands(subject, self._gold)}"
            case GapSubject():
                return f"{_place(subject)} {_gap_event(subject, self._gold)} {self._here}"
            case _:
                return f"{self._here} {factor_clause(subject)}"

    def _other_head(self, gold: FactorSubject) -> tuple[int, int] | None:
        """The head of gold's phrase in the parse, if that is another word, and what it is attached to there."""
        if not isinstance(gold, DependencySubject):
            return None
        head = self._parse.head_of(self._gold.extent(gold.modifier))
        target = self._parse.attached_to(head) if head is not None and head != gold.modifier else None
        return (head, target) if head is not None and target is not None else None

    def _attached(self, parse: DependencySubject | RootSubject, gold: DependencySubject | RootSubject) -> str:
        modifier = _modifier(gold)
        if isinstance(gold, DependencySubject) and (other := self._other_head(gold)) is not None:
            own, head = self._gold.word(modifier), self._parse.word(other[0])
            phrase, target = self._gold.phrase(modifier), self._gold.word(gold.head)
            if other[1] == gold.head:
                return (
                    f"{phrase} is attached to {target} in both, headed by {own} {self._here}, by {head} {self._there}"
                )
            return (
                f"{self._here} {phrase} is attached to {target}, {self._there}, where {head} heads it, to "
                f"{self._parse.word(other[1])}"
            )
        same = self._gold.extent(modifier) == self._parse.extent(modifier)
        first = self._hangs(gold, self._gold, self._gold.phrase(modifier))
        if (
            same
            and isinstance(gold, DependencySubject)
            and isinstance(parse, DependencySubject)
            and gold.relation.modifier.endswith(JOINED) == parse.relation.modifier.endswith(JOINED)
        ):
            preposition = "with" if gold.relation.modifier.endswith(JOINED) else "to"
            return f"{self._here} {first}, {self._there} {preposition} {self._head_of(parse, self._parse)}"
        own = "it" if same else self._parse.phrase(modifier)
        return f"{self._here} {first}, {self._there} {self._hangs(parse, self._parse, own)}"

    def _hangs(self, subject: DependencySubject | RootSubject, tree: TreeInWords, phrase: str) -> str:
        """Return where a phrase is attached, as a clause."""
        match subject:
            case RootSubject(modifier, label=label):
                return f"{quoted(tree.words[modifier])} heads the sentence, {with_article(label)}"
            case DependencySubject(relation=relation) if relation.modifier.endswith(JOINED):
                return f"{phrase} is co-ordinated with {self._head_of(subject, tree)}"
            case _:
                return f"{phrase} is attached to {self._head_of(subject, tree)}"

    @staticmethod
    def _head_of(subject: DependencySubject, tree: TreeInWords) -> str:
        base = tree.base(subject.head)
        if subject.relation.modifier.endswith(JOINED) and base is not None and base[1] - base[0] <= MOST_WORDS:
            return span_text(tree.words, *base)
        return tree.word(subject.head)

    def _related(self, parse: DependencySubject, gold: DependencySubject) -> str:
        """Return what a phrase with the same head in both trees is to it in each."""
        modifier, mine, other = gold.modifier, gold.relation, parse.relation
        head, phrase = self._gold.word(gold.head), self._gold.phrase(modifier)
        attached = f"{phrase} is attached to {head} in both"
        if mine == other:
            changed = [answer for answer in gold.distance.words() if answer not in parse.distance.words()]
            return f"{attached}, but at another distance" + (f": {self._here} {joined(changed)}" if changed else "")
        if mine.modifier.endswith(JOINED) != other.modifier.endswith(JOINED):
            if mine.modifier.endswith(JOINED):
                return f"{self._here} {phrase} is co-ordinated with {head}, {self._there} just attached to it"
            return f"{self._here} {phrase} is just attached to {head}, {self._there} co-ordinated with it"
        if mine.modifier != other.modifier:
            extent = self._gold.extent(modifier)
            same = extent == self._parse.extent(modifier)
            word = span_text(self._gold.words, *extent) if same else quoted(gold.modifier_word)
            return (
                f"{word}, attached to {head} in both, is {_as_what(mine, self._gold.tags[modifier])} {self._here}, "
                f"{_as_what(other, self._parse.tags[modifier])} {self._there}"
            )
        if mine.parent != other.parent:
            parents = [with_article(one.parent.rstrip(JOINED)) for one in (mine, other)]
            return f"{attached}, {self._here} within {parents[0]}, {self._there} within {parents[1]}"
        levels = mine.head.count(STACKED), other.head.count(STACKED)
        if mine.head.rstrip(STACKED) == other.head.rstrip(STACKED):
            place = "higher" if levels[0] > levels[1] else "lower"
            return f"{attached}, {self._here} one level {place} in the {mine.parent}"
        return f"{attached}, {self._here} beside {_head_text(mine)}, {self._there} beside {_head_text(other)}"

    def _only(self, subject: FactorSubject, own: TreeInWords, where: str, other: TreeInWords, elsewhere: str) -> str:
        """Return what one tree alone pays for."""
        match subject:
            case DependencySubject() | RootSubject():
                modifier = _modifier(subject)
                told = f"{where} {self._hangs(subject, own, own.phrase(modifier))}"
                inside = other.base(modifier)
                if inside is not None and inside[1] - inside[0] > 1:
                    base = span_text(own.words, *inside)
                    return f"{told}, {elsewhere} {quoted(own.words[modifier])} is inside the baseNP {base}"
                return f"{told}, and not {elsewhere}"
            case UnarySubject(head=head, label=label, parent=None):
                if label == own.tags[head]:
                    return f"{where} alone {quoted(own.words[head])} has no phrase of its own"
                return f"{where} alone there is {own.node(label, head)}"
            case UnarySubject():
                return f"{where} {_stands(subject, own)}, and not {elsewhere}"
            case _:
                return f"{where} alone {factor_clause(subject)}"

    def _between(self, parse: GapSubject, gold: GapSubject) -> str:
        told = _gap_event(gold, self._gold)
        if parse.tag == gold.tag:
            return f"{_place(gold)} {told} in both, but in another context"
        return f"{_place(gold)} {told} {self._here}, {_gap_event(parse, self._parse)} {self._there}"

    def _over(self, parse: UnarySubject, gold: UnarySubject) -> str:
        if parse.parent == gold.parent:
            return f"{self._here} {_stands(gold, self._gold)}, {self._there}, too, but in another context"
        if parse.parent is None:
            return f"{self._here} {_stands(gold, self._gold)}, {self._there} {_not_so(gold, self._parse)}"
        if gold.parent is None:
            return f"{self._there} {_stands(parse, self._parse)}, {self._here} {_not_so(parse, self._gold)}"
        other = with_article(parse.parent)
        return f"{self._here} {_stands(gold, self._gold)}, {self._there} {other}"

    # What it weighs, and why.

    def figures(self, row: LedgerRow) -> str:
        """Return the estimates of both trees: ``F̂ 0.0213 in gold, 0.499 in the parse``."""
        first, second = row.first, row.second
        if row.kind is FactorKind.FEATURE:
            # A weight, which its share of the score tells.
            return ""
        if second is None:
            assert first is not None
            return f"{_figure(first, True)} {self._there}, which gold does not pay"
        if first is None:
            return f"{_figure(second, True)} {self._here}, which the parse does not pay"
        same = first.kind.symbol == second.kind.symbol
        told = f"{_figure(second, True)} {self._here}, {_figure(first, not same)} {self._there}"
        if isinstance(first.subject, DependencySubject) and self._other_head(second.subject) is not None:
            told += f" for {quoted(first.subject.modifier_word)} at {self._parse.word(first.subject.head)}"
        return told

    def evidence(self, row: LedgerRow) -> Iterator[str]:
        """Yield how often training had what gold has, then how often what the parse has."""
        told = [
            _counted(training, factor) if factor is not None and factor.levels else ""
            for factor, training in ((row.second, self._in_gold), (row.first, self._in_parse))
        ]
        if told[0] and told[0] == told[1]:
            # What tells the two apart is nothing that this level looks at.
            yield f"For both: {_small(told[0])}"
            return
        for one, name in zip(told, (self._here, self._there), strict=True):
            if one:
                yield f"{name.replace('in ', 'For ', 1)}: {_small(one)}"


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _counted(training: Training, factor: Factor) -> str:
    """How often training had what a factor says; nothing, if it is not counted there."""
    match factor.subject:
        case DependencySubject():
            return dependency_reason(training, factor)
        case GapSubject():
            return gap_reason(training, factor)
        case UnarySubject():
            return unary_reason(training, factor)
        case RootSubject():
            return root_reason(training, factor)
        case _:
            return ""


def _figure(factor: Factor, named: bool) -> str:
    return f"{factor.kind.symbol} {significant(factor.probability)}" if named else significant(factor.probability)


def _head(subject: FactorSubject) -> int | None:
    """The head of what a factor attaches (−1: the root); ``None`` if it attaches nothing."""
    match subject:
        case DependencySubject(head=head):
            return head
        case RootSubject():
            return -1
        case _:
            return None


def _modifier(subject: FactorSubject) -> int:
    assert isinstance(subject, DependencySubject | RootSubject)
    return subject.modifier


def _as_what(relation: Relation, tag: str) -> str:
    label = relation.modifier.rstrip(JOINED)
    return f"just {with_article(label)}" if label == tag else with_article(label)


def _head_text(relation: Relation) -> str:
    head = relation.head.rstrip(STACKED)
    return "the baseNP" if head == CORE else f"the {head}"


def _place(gap: GapSubject) -> str:
    return f"between {quoted(gap.left)} and {quoted(gap.right)}"


def _gap_event(gap: GapSubject, tree: TreeInWords) -> str:
    """What happens in a gap, with the baseNPs that it happens to."""
    before, after = tree.base_text(gap.position - 1), tree.base_text(gap.position)
    return {
        "S": f"the baseNP {after} starts",
        "C": f"the baseNP {after} goes on",
        "E": f"the baseNP {before} ends",
        "B": f"the baseNP {before} ends and {after} starts",
        "N": "there is no baseNP on either side",
    }[gap.tag]


def _stands(unary: UnarySubject, tree: TreeInWords) -> str:
    """What a unary production does, or that there is none."""
    if unary.parent is None:
        return f"no unary production stands over {tree.node(unary.label, unary.head)}"
    if unary.label == tree.tags[unary.head]:
        return f"{quoted(unary.word)} by itself is {with_article(unary.parent)}"
    return f"{with_article(unary.parent)} stands over {tree.node(unary.label, unary.head)} and nothing else"


def _not_so(unary: UnarySubject, other: TreeInWords) -> str:
    return "it is not" if unary.label == other.tags[unary.head] else "none does"
