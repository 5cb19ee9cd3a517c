"""What a look at treebanks finds (:mod:`engine.training.treebank_survey`), as values, JSON and rows."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.trees.tree import PENN_LABELS, PENN_TAGS

LENGTH_STEP = 10
"""Sentences are grouped by so many tokens."""
PAPER_LIMITS = (40, 100)
"""The lengths up to which the paper's tables count sentences."""
_PER_CENT = 100.0

Ranked = tuple[tuple[str, int], ...]
"""Names with how often they occur, the most frequent first."""


class BrokenTree(NamedTuple):
    """A tree that cannot be read: in which file, where, and why."""

    file: str
    line: int
    column: int
    problem: str


class SourceSurvey(NamedTuple):
    """One treebank: its name, files, whole trees, sentences to learn from, their words, and broken trees."""

    name: str
    files: int
    trees: int
    sentences: int
    words: int
    broken: int


class HeadRuleUse(NamedTuple):
    """One line of a table of head rules, and how many heads it chose.

    Attributes
    ----------
    line
        Its number in the table; 0 stands for "no line found any: the first child".
    parent, search, candidates
        What it says.
    heads
        How many heads it chose, of constituents of two or more children.
    moved
        How many of those were then moved to the first conjunct.
    """

    line: int
    parent: str
    search: str
    candidates: tuple[str, ...]
    heads: int
    moved: int

    @property
    def is_default(self) -> bool:
        """Whether it is a last resort: it names no label, and takes the outermost child."""
        return not self.candidates


class Lengths(NamedTuple):
    """How many sentences have how many tokens, punctuation included, in rising order."""

    counts: tuple[tuple[int, int], ...]

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return sum(count for _, count in self.counts)

    @property
    def mean(self) -> float:
        """The mean length; 0 if there is no sentence."""
        return sum(length * count for length, count in self.counts) / max(self.sentences, 1)

    @property
    def median(self) -> int:
        """The length that half of the sentences do not exceed; 0 if there is no sentence."""
        seen = 0
        for length, count in self.counts:
            seen += count
            if 2 * seen >= self.sentences:
                return length
        return 0

    @property
    def longest(self) -> int:
        """The most tokens; 0 if there is no sentence."""
        return self.counts[-1][0] if self.counts else 0

    def up_to(self, limit: int) -> int:
        """How many sentences have at most so many tokens."""
        return sum(count for length, count in self.counts if length <= limit)

    def groups(self, step: int = LENGTH_STEP) -> list[tuple[int, int, int]]:
        """First and last length of every group up to the longest sentence, and how many sentences are in it."""
        grouped = [[start + 1, start + step, 0] for start in range(0, self.longest, step)]
        for length, count in self.counts:
            grouped[(length - 1) // step][2] += count
        return [(first, last, count) for first, last, count in grouped]


class Repetitions(NamedTuple):
    """Sentences that occur more than once.

    Attributes
    ----------
    sentences, occurrences
        How many different ones there are, and how often they occur together.
    same_tree_again
        Trees that an earlier one equals in every bracket.
    several_trees
        How many of the sentences have trees that differ.
    """

    sentences: int
    occurrences: int
    same_tree_again: int
    several_trees: int


class TreebankSurvey(NamedTuple):
    """What is in treebanks.

    Attributes
    ----------
    sources
        Each treebank with its counts.
    tokens, different_words
        Tokens of all sentences, punctuation included, and how many different ones there are.
    labels, tags
        Of constituents and of tokens, as the model sees them: without function tags and traces.
    function_tags, traces
        What a treebank has beyond that, and training leaves out.
    lengths
        How long the sentences are.
    head_rules
        Every line of the head rules with the heads it chose.
    only_children
        Constituents of one child, which need no rule.
    labels_without_rules
        Labels that have no line of their own in the table, with the heads that the lines of ``*`` chose for them.
    repetitions
        Sentences that occur more than once.
    broken
        The trees that cannot be read; the first ten thousand of them.
    """

    sources: tuple[SourceSurvey, ...]
    tokens: int
    different_words: int
    labels: Ranked
    tags: Ranked
    function_tags: Ranked
    traces: Ranked
    lengths: Lengths
    head_rules: tuple[HeadRuleUse, ...]
    only_children: int
    labels_without_rules: Ranked
    repetitions: Repetitions
    broken: tuple[BrokenTree, ...]

    @property
    def trees(self) -> int:
        """How many whole trees there are."""
        return sum(source.trees for source in self.sources)

    @property
    def sentences(self) -> int:
        """How many trees have a word, and are sentences to learn from."""
        return sum(source.sentences for source in self.sources)

    @property
    def words(self) -> int:
        """How many tokens are no punctuation."""
        return sum(source.words for source in self.sources)

    @property
    def broken_count(self) -> int:
        """How many trees cannot be read."""
        return sum(source.broken for source in self.sources)

    @property
    def heads(self) -> int:
        """How many heads a line of the table chose."""
        return sum(use.heads for use in self.head_rules)

    def overview(self) -> list[tuple[str, str]]:
        """The main figures, in words."""
        lengths, again = self.lengths, self.repetitions
        default = sum(use.heads for use in self.head_rules if use.is_default)
        often = f", {again.occurrences:,} times in all" if again.sentences else ""
        rows = [
            ("trees", f"{self.trees:,}"),
            ("broken trees", f"{self.broken_count:,}"),
            ("sentences to learn from", f"{self.sentences:,}"),
            ("words, without punctuation", f"{self.words:,}"),
            ("tokens", f"{self.tokens:,}"),
            ("different tokens", f"{self.different_words:,}"),
            ("labels", _with_unknown(self.labels, PENN_LABELS)),
            ("tags", _with_unknown(self.tags, PENN_TAGS)),
            ("function tags, left out", _with_kinds(self.function_tags)),
            ("traces, left out", _with_kinds(self.traces)),
            ("mean length", f"{lengths.mean:.1f} tokens (median {lengths.median:,}, longest {lengths.longest:,})"),
        ]
        for limit in PAPER_LIMITS:
            short = lengths.up_to(limit)
            rows.append((f"at most {limit} tokens", f"{short:,} ({share_text(short, self.sentences)})"))
        rows += [
            ("heads chosen by a rule", f"{self.heads:,}, by a rule without labels {share_text(default, self.heads)}"),
            ("repeated sentences", f"{again.sentences:,}{often}"),
            ("repeated trees", f"{again.same_tree_again:,}"),
            ("repeated, with different trees", f"{again.several_trees:,}"),
        ]
        return rows

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        lengths = self.lengths
        return {
            "treebanks": [source._asdict() for source in self.sources],
            "trees": self.trees,
            "broken_trees": self.broken_count,
            "sentences": self.sentences,
            "words": self.words,
            "tokens": self.tokens,
            "different_tokens": self.different_words,
            "labels": _listed(self.labels, PENN_LABELS),
            "tags": _listed(self.tags, PENN_TAGS),
            "function_tags": dict(self.function_tags),
            "traces": dict(self.traces),
            "lengths": {
                "mean": round(lengths.mean, 3),
                "median": lengths.median,
                "longest": lengths.longest,
                "counts": {str(length): count for length, count in lengths.counts},
            },
            "head_rules": [
                {**use._asdict(), "candidates": list(use.candidates), "share": _share(use.heads, self.heads)}
                for use in self.head_rules
            ],
            "only_children": self.only_children,
            "labels_without_rules": dict(self.labels_without_rules),
            "repetitions": self.repetitions._asdict(),
            "broken": [broken._asdict() for broken in self.broken],
        }

    def rows(self) -> list[tuple[str, str, str, str]]:
        """All of it as rows of kind, name, count and remark, for a spreadsheet."""
        found = [("treebank", one.name, str(one.trees), f"{one.broken} broken") for one in self.sources]
        for kind, counts, known in (("label", self.labels, PENN_LABELS), ("tag", self.tags, PENN_TAGS)):
            found += [(kind, name, str(count), "" if name in known else NOT_PENN) for name, count in counts]
        for kind, counts in (("function tag", self.function_tags), ("trace", self.traces)):
            found += [(kind, name, str(count), "") for name, count in counts]
        found += [("length", str(length), str(count), "") for length, count in self.lengths.counts]
        found += [("head rule", rule_text(use), str(use.heads), f"line {use.line}") for use in self.head_rules]
        found += [("broken", f"{one.file}:{one.line}:{one.column}", "1", one.problem) for one in self.broken]
        return found


NOT_PENN = "not in the Penn Treebank"


def is_known_label(label: str) -> bool:
    """Whether the Penn Treebank has a label, or one of its successors."""
    return label in PENN_LABELS


def is_known_tag(tag: str) -> bool:
    """Whether the Penn Treebank has a tag, or one of its successors."""
    return tag in PENN_TAGS


def rule_text(use: HeadRuleUse) -> str:
    """A line of the table as it stands there: ``NP  right-any  NN NNP``."""
    return "  ".join(filter(None, (use.parent, use.search, " ".join(use.candidates)))) or "no line: the first child"


def share_text(part: int, whole: int) -> str:
    """A share in per cent: ``12.3 %``."""
    return f"{_PER_CENT * part / max(whole, 1):.1f} %"


def _share(part: int, whole: int) -> float:
    return round(part / max(whole, 1), 6)


def _with_kinds(counts: Ranked) -> str:
    total = sum(count for _, count in counts)
    return f"{total:,}" + (f" ({len(counts):,} different)" if total else "")


def _with_unknown(counts: Ranked, known: frozenset[str]) -> str:
    others = sum(name not in known for name, _ in counts)
    return f"{len(counts):,} different" + (f", {others:,} {NOT_PENN}" if others else "")


def _listed(counts: Ranked, known: frozenset[str]) -> list[dict[str, Any]]:
    return [{"name": name, "count": count, "penn": name in known} for name, count in counts]
