"""A look at treebanks before training: what is in them, what is broken and where, and which head rules decide."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import Cancelled, TreeError
from engine.common.parallel import ordered
from engine.counts.tables import too_many_tags
from engine.gate.text_stream import STANDARD_INPUT
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.tree import PENN_LABELS, PENN_TAGS, PUNCTUATION_TAGS, Tree, clean
from engine.trees.treebank import ChunkBundle, chunk_bundles, corpus_name, treebank_files

# What a look at treebanks finds (:mod:`engine.training.survey`), as values, JSON and rows.

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
        How many of those were then moved to an earlier conjunct.
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
        """Return how many sentences have at most so many tokens."""
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
        Labels that have no line in the table, with the heads that the lines of ``*`` chose for them.
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
    def too_many_tags(self) -> str:
        """Why no model can be trained on so many tags; empty if one can."""
        return too_many_tags({tag: count for tag, count in self.tags if tag not in PUNCTUATION_TAGS})

    @property
    def heads(self) -> int:
        """How many heads a line of the table chose."""
        return sum(use.heads for use in self.head_rules)

    def overview(self) -> list[tuple[str, str]]:
        """Return the main figures, in words."""
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
            *([("too many tags", self.too_many_tags)] if self.too_many_tags else []),
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
            "too_many_tags": self.too_many_tags or None,
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
        """Return all of it as rows of kind, name, count and remark, for a spreadsheet."""
        found = [("treebank", one.name, str(one.trees), f"{one.broken} broken") for one in self.sources]
        for kind, counts, known in (("label", self.labels, PENN_LABELS), ("tag", self.tags, PENN_TAGS)):
            found += [(kind, name, str(count), "" if name in known else NOT_PENN) for name, count in counts]
        if self.too_many_tags:
            found.append(("problem", "too many tags", "1", self.too_many_tags))
        for kind, counts in (("function tag", self.function_tags), ("trace", self.traces)):
            found += [(kind, name, str(count), "") for name, count in counts]
        found += [("length", str(length), str(count), "") for length, count in self.lengths.counts]
        found += [("head rule", rule_text(use), str(use.heads), f"line {use.line}") for use in self.head_rules]
        found += [("broken", f"{one.file}:{one.line}:{one.column}", "1", one.problem) for one in self.broken]
        return found


NOT_PENN = "not in the Penn Treebank"


def is_known_label(label: str) -> bool:
    """Return whether the Penn Treebank has a label, or one of its successors."""
    return label in PENN_LABELS


def is_known_tag(tag: str) -> bool:
    """Return whether the Penn Treebank has a tag, or one of its successors."""
    return tag in PENN_TAGS


def rule_text(use: HeadRuleUse) -> str:
    """Return a line of the table as it stands there: ``NP  right-any  NN NNP``."""
    return "  ".join(filter(None, (use.parent, use.search, " ".join(use.candidates)))) or "no line: the first child"


def share_text(part: int, whole: int) -> str:
    """Return a share in per cent: ``12.3 %``."""
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


# A look at treebanks before training: what is in them, what is broken and where, and which head rules decide.

SURVEY_STAGE = "reading trees"
TRACE_TAG = "-NONE-"
MOST_BROKEN = 10_000
"""How many broken trees are listed; all are counted."""
_ASK_EVERY = 500
_DIGEST_BYTES = 8
_INDEX = re.compile(r"-\d+$")
_MARKS = re.compile(r"[-=|]")

Progress = Callable[[str, float], None]
Expansion = tuple[str, tuple[str, ...]]
"""A constituent's label and those of its children, punctuation left out."""


def _silent(stage: str, share: float) -> None:
    """Ignore progress."""


def _never() -> bool:
    """Never cancel."""
    return False


@dataclass(slots=True)
class SurveyPart:
    """What was seen in one bundle of treebank chunks.

    Attributes
    ----------
    source
        The number of the treebank it belongs to.
    share
        Share of this treebank's files that is read with it.
    trees, sentences, tokens, words
        Whole trees, those of them that have a word, their tokens, and their tokens without punctuation.
    labels, tags, function_tags, traces
        How often each occurs.
    lengths
        How many sentences have so many tokens.
    forms
        All different words.
    expansions
        How often each constituent of two or more children occurs.
    only_children
        Constituents of one child, which is their head whatever the rules say.
    digests
        How often each sentence with each tree occurs.
    broken, unread
        The trees that cannot be read; and their number, where several parts are added up.
    """

    source: int
    share: float = 1.0
    trees: int = 0
    sentences: int = 0
    tokens: int = 0
    words: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    function_tags: Counter[str] = field(default_factory=Counter)
    traces: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    forms: set[str] = field(default_factory=set)
    expansions: Counter[Expansion] = field(default_factory=Counter)
    only_children: int = 0
    digests: Counter[tuple[bytes, bytes]] = field(default_factory=Counter)
    broken: list[BrokenTree] = field(default_factory=list)
    unread: int = 0

    def add(self, raw: Tree) -> None:
        """Look at one tree."""
        self.trees += 1
        self._see_marks(raw)
        tree = clean(raw)
        if tree is None:
            return
        leaves = tree.leaves()
        words = [leaf.word or "" for leaf in leaves]
        proper = sum(leaf.label not in PUNCTUATION_TAGS for leaf in leaves)
        self.tags.update(leaf.label for leaf in leaves)
        if not proper:
            return
        self.sentences += 1
        self.tokens += len(leaves)
        self.words += proper
        self.lengths[len(leaves)] += 1
        self.forms.update(words)
        self._see_constituents(tree)
        self.digests[_digest(" ".join(words)), _digest(tree.brackets())] += 1

    def _see_marks(self, raw: Tree) -> None:
        """Count traces and function tags, which the model does without."""
        stack = [raw]
        while stack:
            node = stack.pop()
            if node.word is not None:
                if node.label == TRACE_TAG:
                    self.traces[_INDEX.sub("", node.word)] += 1
                continue
            label = node.label
            if not label.startswith("-"):
                self.function_tags.update(mark for mark in _MARKS.split(label)[1:] if mark and not mark.isdigit())
            stack.extend(node.children)

    def _see_constituents(self, node: Tree) -> bool:
        """Count a constituent and those below it; true if there is a word in it that is not punctuation."""
        if node.word is not None:
            return node.label not in PUNCTUATION_TAGS
        kids = tuple([child.label for child in node.children if self._see_constituents(child)])
        self.labels[node.label] += 1
        if len(kids) > 1:
            self.expansions[node.label, kids] += 1
        elif kids and kids[0] != node.label:
            self.only_children += 1
        return bool(kids)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


class _SourceBundle(NamedTuple):
    """Chunks of one treebank, and its number."""

    source: int
    bundle: ChunkBundle


class SurveyReader:
    """Looks at bundles of treebank chunks; one for every process."""

    def __init__(self, cancelled: Callable[[], bool] = _never) -> None:
        self._cancelled = cancelled

    def __call__(self, task: _SourceBundle) -> SurveyPart:
        """Look at one bundle."""
        part = SurveyPart(task.source, task.bundle.share)
        for chunk in task.bundle.chunks:
            for item in chunk.trees():
                if isinstance(item, TreeError):
                    part.broken.append(BrokenTree(item.name, item.line, item.column, item.problem))
                    continue
                part.add(item)
                if part.trees % _ASK_EVERY == 0 and self._cancelled():
                    raise Cancelled("looking at the treebanks was cancelled")
        return part


def survey(
    sources: Sequence[str | Path],
    *,
    head_rules: str | Path | None = None,
    jobs: int = 1,
    progress: Progress = _silent,
    cancelled: Callable[[], bool] = _never,
) -> TreebankSurvey:
    """Look at treebanks before training on them.

    Parameters
    ----------
    sources
        Treebank files and folders.
    head_rules
        A table of head rules to use in place of the project's own.
    jobs
        Number of processes that read the files.
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.

    Returns
    -------
    TreebankSurvey
        What is in them.  Broken trees are listed and stop nothing.
    """
    rules = load_head_rules(head_rules)
    files = [treebank_files([source]) for source in sources]
    sizes = [sum(_bytes_of(file) for file in inside) for inside in files]
    whole = SurveyPart(-1)
    found = [SurveyPart(number) for number in range(len(files))]
    broken: list[BrokenTree] = []
    progress(SURVEY_STAGE, 0.0)
    make = partial(SurveyReader, *(() if jobs > 1 else (cancelled,)))
    results = ordered(make, _bundles(files), jobs, cancelled=cancelled)
    with closing(results):
        for part in results:
            if cancelled():
                raise Cancelled("looking at the treebanks was cancelled")
            _merge(whole, part)
            source = found[part.source]
            source.trees += part.trees
            source.sentences += part.sentences
            source.words += part.words
            source.unread += len(part.broken)
            broken += part.broken[: MOST_BROKEN - len(broken)]
            before = sum(sizes[: part.source])
            progress(SURVEY_STAGE, (before + sizes[part.source] * part.share) / max(sum(sizes), 1))
    return TreebankSurvey(
        sources=tuple(
            SourceSurvey(corpus_name(source), len(inside), part.trees, part.sentences, part.words, part.unread)
            for source, inside, part in zip(sources, files, found, strict=True)
        ),
        tokens=whole.tokens,
        different_words=len(whole.forms),
        labels=_ranked(whole.labels),
        tags=_ranked(whole.tags),
        function_tags=_ranked(whole.function_tags),
        traces=_ranked(whole.traces),
        lengths=Lengths(tuple(sorted(whole.lengths.items()))),
        head_rules=tuple(rule_uses(rules, whole.expansions)),
        only_children=whole.only_children,
        labels_without_rules=_without_rules(rules, whole.expansions),
        repetitions=_repetitions(whole.digests),
        broken=tuple(broken),
    )


def rule_uses(rules: HeadRules, expansions: Counter[Expansion]) -> list[HeadRuleUse]:
    """Return how many heads each line of a table of head rules chooses, in the order of the table;
    lines without any, too.
    """
    chosen: Counter[int] = Counter()
    moved: Counter[int] = Counter()
    for (parent, labels), times in expansions.items():
        rule, index = rules.deciding(parent, labels)
        line = rule.line if rule is not None else 0
        chosen[line] += times
        if rules.head_index(parent, labels) != index:
            moved[line] += times
    uses = [
        HeadRuleUse(rule.line, parent, rule.search, rule.candidates, chosen[rule.line], moved[rule.line])
        for parent, lines in rules.rules.items()
        for rule in lines
    ]
    if chosen[0]:
        uses.append(HeadRuleUse(0, "", "", (), chosen[0], moved[0]))
    return sorted(uses, key=lambda use: use.line or len(rules.text))


def _without_rules(rules: HeadRules, expansions: Counter[Expansion]) -> tuple[tuple[str, int], ...]:
    found: Counter[str] = Counter()
    for (parent, _), times in expansions.items():
        if parent not in rules.rules:
            found[parent] += times
    return _ranked(found)


def _bundles(files: Sequence[Sequence[Path | str]]) -> Iterator[_SourceBundle]:
    for number, inside in enumerate(files):
        for bundle in chunk_bundles(inside):
            yield _SourceBundle(number, bundle)


def _bytes_of(file: Path | str) -> int:
    return 0 if file == STANDARD_INPUT else Path(file).stat().st_size


def _merge(whole: SurveyPart, part: SurveyPart) -> None:
    whole.tokens += part.tokens
    whole.only_children += part.only_children
    whole.forms |= part.forms
    for name in ("labels", "tags", "function_tags", "traces", "lengths", "expansions", "digests"):
        getattr(whole, name).update(getattr(part, name))


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Return the most frequent first, equally frequent ones by name."""
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _repetitions(digests: Counter[tuple[bytes, bytes]]) -> Repetitions:
    times: Counter[bytes] = Counter()
    trees: Counter[bytes] = Counter()
    for (sentence, _), count in digests.items():
        times[sentence] += count
        trees[sentence] += 1
    repeated = [sentence for sentence, count in times.items() if count > 1]
    return Repetitions(
        sentences=len(repeated),
        occurrences=sum(times[sentence] for sentence in repeated),
        same_tree_again=sum(count - 1 for count in digests.values()),
        several_trees=sum(trees[sentence] > 1 for sentence in repeated),
    )
