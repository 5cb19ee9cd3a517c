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
from typing import NamedTuple

from engine.common.errors import Cancelled, TreeError
from engine.common.parallel import ordered
from engine.common.text_stream import STANDARD_INPUT
from engine.training.survey_results import (
    BrokenTree,
    HeadRuleUse,
    Lengths,
    Repetitions,
    SourceSurvey,
    TreebankSurvey,
)
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from engine.trees.tree_normalisation import clean
from engine.trees.treebank import corpus_name, treebank_files
from engine.trees.treebank_chunks import ChunkBundle, chunk_bundles

SURVEY_STAGE = "reading trees"
TRACE_TAG = "-NONE-"
MOST_BROKEN = 10_000
"""So many broken trees are listed; all are counted."""
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
        """Count a constituent and those below it; true if there is a word in it that is no punctuation."""
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
    """How many heads each line of a table of head rules chooses, in the order of the table; lines without any, too."""
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
    """The most frequent first, equally frequent ones by name."""
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
