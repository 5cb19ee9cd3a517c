"""From an estimate to its counts: which contexts of which tables the levels of an explained factor were looked up in.

Each method stands beside the one of :class:`engine.estimates.explainer.Explainer` with the same name, and answers for
every level
of that factor, in the same order.  The keys are made by the kernels that the estimates use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from engine.analysis.evidence.counted import Counted
from engine.counts import counting_kernel, keys_kernel
from engine.counts import counts_layout as data
from engine.counts.counts_layout import COMMA_BITS
from engine.estimates import estimates_kernel
from engine.estimates.context_explanations import CONTEXT_NAMES, EVEN
from engine.estimates.explainer import Explainer, unary_decisions
from engine.estimates.factor_subjects import DependencySubject, GapSubject, RootSubject, UnarySubject
from engine.estimates.ledger import Factor
from engine.structure.constituents import Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance
from engine.structure.structure_layout import AFTER, BEFORE, DELTA_BITS, HEAD_FIRST, OWN_TAG


class Sources:
    """The counts behind the estimates of one explained sentence."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer
        self._model = explainer.model
        self._widths = explainer.model.counts.widths
        self._switches = explainer.switches
        self._numbers = explainer.model.numbers(explainer.sentence)

    def of(self, factor: Factor, roots: Sequence[Constituent]) -> tuple[Counted, ...]:
        """The counts of a factor of a parse's ledger, whose roots these are; none for a tag or a feature."""
        match factor.subject:
            case GapSubject(position=position, tag=tag):
                return self.gap(position, tag)
            case DependencySubject(modifier=modifier, head=head, relation=relation, distance=distance):
                return self.dependency(modifier, head, relation, distance)
            case RootSubject(modifier=head, label=label):
                return self.root(head, label)
            case UnarySubject() as subject:
                # The contexts of preset (5) are not in the subject: the node itself is asked for them.
                for node, parent in chain.from_iterable(map(unary_decisions, roots)):
                    same = (node.head, node.label, parent) == (subject.head, subject.label, subject.parent)
                    if same and self._explainer.unary(node, parent) == factor:
                        return self.unary(node, parent)
        return ()

    def dependency(self, modifier: int, head: int, relation: Relation, distance: Distance) -> tuple[Counted, ...]:
        """The counts of F̂(R | modifier, head, Δ); none for a relation that training never had."""
        outcome = self._model.triple_numbers.get(relation)
        if outcome is None:
            return ()
        if self._switches.recursion:
            return self._recursion(modifier, head, distance.code, outcome)
        (word_m, tag_m), (word_h, tag_h) = self._numbers[modifier], self._numbers[head]
        keys = estimates_kernel.lexical_keys(self._widths, self._switches, word_m, tag_m, word_h, tag_h)
        order = bool(self._switches.order_only)
        shift = data.PAIR_PLAIN if self._switches.ignore_tags else data.PAIR
        codes = range(distance.code & HEAD_FIRST, (distance.code & HEAD_FIRST) + HEAD_FIRST) if order else None
        found = []
        for level, key in enumerate(keys):
            in_all = tuple((int(key) << DELTA_BITS) | code for code in codes or (distance.code,)) if key >= 0 else ()
            found.append(Counted(f"E{level + 1}", shift + level, in_all, outcome))
        table = data.TAGS_ORDER if order else data.TAGS
        found.append(Counted("E4", table, self._pair(table, modifier, head, distance.code), outcome))
        return tuple(found)

    def _pair(self, table: int, modifier: int, head: int, code: int) -> tuple[int, ...]:
        """The key of one table of dependencies, if its words are known."""
        key = counting_kernel.level_key(self._widths, table, *self._numbers[modifier], *self._numbers[head], code)
        return (int(key),)

    def _recursion(self, modifier: int, head: int, code: int, outcome: int) -> tuple[Counted, ...]:
        (word_m, tag_m), (word_h, tag_h) = self._numbers[modifier], self._numbers[head]
        lexical = bool(self._switches.lexical)
        knows_m, knows_h = lexical and word_m >= 0, lexical and word_h >= 0
        levels = (
            ("E1", data.PAIR, knows_m and knows_h),
            ("E2", data.MODIFIER, knows_m),
            ("E3", data.HEAD, knows_h),
            ("E4", data.TAGS, True),
            ("Δ without commas", data.TAGS_NEAR, True),
            ("order+adjacency", data.TAGS_ADJACENT, True),
            ("order", data.TAGS_ORDER, True),
        )
        found = [
            Counted(name, table, self._pair(table, modifier, head, code) if exists else (), outcome)
            for name, table, exists in levels
        ]
        contexts = self._explainer.contexts.of_pair(modifier, head)
        for number, (name, context) in enumerate(zip(CONTEXT_NAMES, contexts, strict=True)):
            table = data.BESIDE_MODIFIER + number
            key = keys_kernel.context_key(self._widths, table, tag_m, tag_h, code, context)
            found.append(Counted(name, table, (int(key),) if self._switches.contexts else (), outcome))
        return tuple(found)

    def gap(self, position: int, tag: str) -> tuple[Counted, ...]:
        """The counts of P̂(G = tag) of the gap before a word."""
        outcome = GAP_LETTERS.index(tag)
        left, right = self._numbers[position - 1], self._numbers[position]
        comma = int(self._explainer.sentence.commas[position] > 0)
        lexical = bool(self._switches.lexical)
        knows_left, knows_right = lexical and left[0] >= 0, lexical and right[0] >= 0
        levels = (
            ("E1", data.GAP_PAIR, knows_left and knows_right),
            ("E2", data.GAP_LEFT, knows_left),
            ("E3", data.GAP_RIGHT, knows_right),
            ("E4", data.GAP_TAG_PAIR, True),
            ("comma", data.GAP_COMMA, True),
        )
        gap_key = counting_kernel.gap_key
        found = {
            name: Counted(
                name, table, (int(gap_key(self._widths, table, *left, *right, comma)),) if exists else (), outcome
            )
            for name, table, exists in levels
        }
        # The coarsest level of preset (5) is no count: all five tags alike.
        found[EVEN] = Counted(EVEN, data.GAP_COMMA, (), outcome)
        around = self._explainer.contexts.around
        before, after = int(around[position - 1, BEFORE]), int(around[position, AFTER])
        key = (keys_kernel.tag_key(self._widths, left[1], right[1]) << COMMA_BITS) | comma
        names = ("before", "after", "before+after")
        beside = self._widths.tag + 1
        found |= zip(names, _around(names, data.GAP_BEFORE, key, before, after, beside, outcome), strict=True)
        return tuple(found[level.name] for level in self._explainer.gap(position, tag).levels)

    def unary(self, node: Constituent, parent: str | None) -> tuple[Counted, ...]:
        """The counts of P̂(parent or none | label, head tag); none for labels that training never had."""
        labels = self._model.label_numbers
        if node.label not in labels or (parent or "") not in labels:
            return ()
        outcome, label = labels[parent or ""], labels[node.label]
        word, tag = self._numbers[node.head]
        key = int(keys_kernel.tag_key(self._widths, label, tag))
        by_tag = Counted("label+tag", data.UNARY_TAG, (key,), outcome)
        by_label = Counted("label", data.UNARY_LABEL, (label,), outcome)
        if not self._switches.unary_contexts:
            return by_tag, by_label
        around = self._explainer.contexts.around
        before, after = int(around[node.start, BEFORE]), int(around[node.end - 1, AFTER])
        beside = self._widths.tag + 1
        by_word = ((key << self._widths.word) | word,) if word >= 0 else ()
        child, first = labels.get(node.head_label, 0), int(around[node.start, OWN_TAG])
        inner = (((key << self._widths.label) | child) << self._widths.tag) | first
        after_counted, before_counted, both = _around(
            ("after", "before", "before+after"), data.UNARY_AFTER, key, before, after, beside, outcome
        )
        return (
            by_label,
            by_tag,
            Counted("word+tag", data.UNARY_WORD, by_word, outcome),
            after_counted,
            before_counted,
            both,
            Counted("inside", data.UNARY_INNER, (inner,), outcome),
        )

    def root(self, head: int, label: str) -> tuple[Counted, ...]:
        """The counts of F̂(<label> | head-word, head tag); none for a label that training never had."""
        outcome = self._model.label_numbers.get(label)
        if outcome is None:
            return ()
        word, tag = self._numbers[head]
        by_word = (int(keys_kernel.tag_key(self._widths, word, tag)),) if word >= 0 else ()
        return (
            Counted("word+tag", data.ROOT_WORD, by_word, outcome),
            Counted("tag", data.ROOT_TAG, (tag,), outcome),
            Counted("any", data.ROOT_ANY, (0,), outcome),
        )


def _around(
    names: Sequence[str], first: int, key: int, before: int, after: int, beside: int, outcome: int
) -> tuple[Counted, ...]:
    """The three tables with neighbours, in the order of `names`: the one before, the one after, both."""
    late = (int(key) << beside) | after
    keys = {"before": (int(key) << beside) | before, "after": late, "before+after": (late << beside) | before}
    return tuple(Counted(name, first + number, (keys[name],), outcome) for number, name in enumerate(names))
