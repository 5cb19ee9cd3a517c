"""PARSEVAL: the measures of the paper's section 4 ("Results").

The counting is that of ``evalb`` with Collins's parameter file ``COLLINS.prm``, so that a
figure from here may be laid beside the paper's table of results:

- traces, function tags and indices are taken away, and so are tokens tagged as commas, colons,
  quotes or final punctuation; a constituent left without tokens vanishes;
- ``ADVP`` and ``PRT`` are one label (the footnote of section 4);
- the root label is never counted, ``X -> X`` counts twice, and brackets match as a multiset;
- sums are taken over all sentences before dividing, so long sentences weigh more.

It parts from ``evalb`` in four places:

- the GOLD tags alone say which tokens are deleted, where ``evalb`` asks each tree for its own and
  as a rule throws the sentence out if the two disagree;
- a sentence without a usable parse costs recall, where ``evalb`` leaves it out;
- an empty root label, ``ROOT`` and ``S1`` are roots too, where ``evalb`` knows ``TOP`` only;
- ``ADVP|PRT`` is read as its first label, where ``evalb`` keeps it as a label of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import eq, mul

from engine.evaluation.evalb_parameters import COLLINS, EvalbParameters
from engine.trees.tree import ROOT_LABELS, LabelledSpan, Tree
from engine.trees.tree_normalisation import bare_label

Heads = Mapping[int, int]
"""From a token's position to its head's, -1 for the head of the sentence."""

EQUAL_LABELS = COLLINS.equal
"""``EQ_LABEL`` of ``COLLINS.prm``: the label on the left is counted as the one on the right."""
MEASURES = {
    "sentences": ("Sentences", "{}"),
    "labeled_recall": ("LR", "{:.1f}%"),
    "labeled_precision": ("LP", "{:.1f}%"),
    "f1": ("F1", "{:.1f}%"),
    "crossing": ("CBs", "{:.2f}"),
    "no_crossing": ("0 CBs", "{:.1f}%"),
    "two_or_less_crossing": ("<=2 CBs", "{:.1f}%"),
    "complete_match": ("Complete", "{:.1f}%"),
    "tag_accuracy": ("Tags", "{:.1f}%"),
    "attachment": ("Attached", "{:.1f}%"),
    "failed": ("Failed", "{}"),
    "skipped": ("Skipped", "{}"),
}
"""Each measure of :class:`Summary`: its title in :func:`summary_table` (in ASCII, for any terminal) and its form."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The counts of one sentence (section 4), from which every measure is summed.

    Attributes
    ----------
    gold, proposed, matched
        Number of constituents in the treebank's parse, in the parser's, and in both.
    crossing
        Number of proposed constituents that cross one or more of the treebank's.
    tokens, tags_correct
        Number of tokens that are not deleted, and how many of them have the treebank's tag.
    length
        Number of all tokens but traces, punctuation included.
    complete, failed
        Whether the two trees have the same constituents; whether there was no parse to score,
        since none was found or it has other tokens.
    """

    gold: int
    proposed: int
    matched: int
    crossing: int
    tokens: int
    tags_correct: int
    length: int
    complete: bool
    failed: bool = False


class _Pair:
    """Two trees brought to the same tokens; `usable` says whether that worked."""

    def __init__(self, gold: Tree, proposed: Tree | None, parameters: EvalbParameters) -> None:
        words, tags, spans = _flatten(gold)
        kept = [tag not in parameters.deleted for tag in tags]
        # places[i] is how many kept tokens precede token i: a position among all tokens,
        # looked up here, becomes a position among those that count.
        places = list(accumulate(kept, initial=0))
        self.length = len(words) - sum(tag in parameters.without_length for tag in tags)
        self.tokens = places[-1]
        self.gold = _brackets(spans, places, parameters)
        self.proposed: Counter[LabelledSpan] = Counter()
        self.tags_correct = 0
        self.usable = False
        if proposed is not None:
            proposed_words, proposed_tags, proposed_spans = _flatten(proposed)
            if proposed_words == words:
                self.usable = True
                self.proposed = _brackets(proposed_spans, places, parameters)
                # A product of truths: whether the token counts and has the same tag in both trees.
                self.tags_correct = sum(map(mul, kept, map(eq, tags, proposed_tags)))


def _flatten(tree: Tree) -> tuple[list[str], list[str], list[LabelledSpan]]:
    """Return words, tags and constituents of ``clean(tree, collapse=False)``, constituents in pre-order.

    In one pass and without a second tree, which takes a third of the time.  What dominated nothing
    but traces is among the constituents with equal ends; :func:`_brackets` drops it.
    """
    words: list[str] = []
    tags: list[str] = []
    spans: list[LabelledSpan] = []

    def visit(nodes: list[Tree]) -> None:
        for node in nodes:
            label = bare_label(node.label)
            if node.word is None:
                place, start = len(spans), len(words)
                spans.append((label, start, start))
                visit(node.children)
                spans[place] = (label, start, len(words))
            elif label != "-NONE-":
                words.append(node.word)
                tags.append(label)

    visit([tree])
    return words, tags, spans


def _brackets(
    spans: Iterable[LabelledSpan], places: Sequence[int], parameters: EvalbParameters
) -> Counter[LabelledSpan]:
    equal, deleted = parameters.equal, parameters.deleted | ROOT_LABELS
    counted = (span for span in spans if places[span[1]] != places[span[2]] and span[0] not in deleted)
    if not parameters.labeled:
        return Counter(("", places[start], places[end]) for _, start, end in counted)
    return Counter((equal.get(label, label), places[start], places[end]) for label, start, end in counted)


def _crossing(extra: Counter[LabelledSpan], gold: Counter[LabelledSpan]) -> Iterator[LabelledSpan]:
    """Yield those of `extra` that overlap a bracket of `gold` with neither inside the other."""
    spans = {(start, end) for _, start, end in gold}
    for bracket in extra.elements():
        _, start, end = bracket
        # A span that gold has as well, under another label, cannot cross: a tree does not cross itself.
        if (start, end) not in spans and any(
            left < start < right < end or start < left < end < right for left, right in spans
        ):
            yield bracket


def score_pair(gold: Tree, proposed: Tree | None, parameters: EvalbParameters = COLLINS) -> SentenceScore:
    """Count what the measures of section 4 need for one sentence.

    Parameters
    ----------
    gold, proposed
        The treebank's tree as it was read, with root, traces and function tags, and the parser's
        over all tokens of `gold` but traces, or ``None`` if it found no parse.
    parameters
        What is left out of the count, and which labels are one.

    Returns
    -------
    SentenceScore
        For ``None``, and for a tree with other tokens than `gold`, the score is `failed`: no
        proposed constituents, and all of the treebank's lost.
    """
    pair = _Pair(gold, proposed, parameters)
    # What matches is in the treebank's tree and cannot cross it, so only the rest is looked at.
    extra = pair.proposed - pair.gold
    return SentenceScore(
        gold=pair.gold.total(),
        proposed=pair.proposed.total(),
        matched=pair.proposed.total() - extra.total(),
        crossing=sum(1 for _ in _crossing(extra, pair.gold)),
        tokens=pair.tokens,
        tags_correct=pair.tags_correct,
        length=pair.length,
        complete=pair.usable and pair.gold == pair.proposed,
        failed=not pair.usable,
    )


def attachment_score(gold_heads: Heads, proposed_heads: Heads) -> tuple[int, int]:
    """Count the modifiers that hang on the right word: unlabeled dependencies (section 2, Figure 1(c)).

    Parameters
    ----------
    gold_heads, proposed_heads
        For each modifier its head; a token that is not in the mapping (punctuation) does not count.

    Returns
    -------
    tuple of int
        Modifiers whose head is the same in both, and modifiers in gold.
    """
    correct = sum(proposed_heads.get(modifier) == head for modifier, head in gold_heads.items())
    return correct, len(gold_heads)


def _percent(part: int, whole: int) -> float:
    # evalb's convention: a share of nothing is 0.
    return 100.0 * part / whole if whole else 0.0


@dataclass(slots=True)
class Summary:
    """The measures of section 4 over the sentences added so far; percentages run from 0 to 100.

    Attributes
    ----------
    sentences, failed, skipped
        All sentences added, those without a usable parse (``evalb``'s errors), and those that
        were parsed but are nothing but punctuation (which ``evalb`` skips too).

    Notes
    -----
    A failed sentence takes part in recall, where all its constituents are lost, and thereby in
    F1.  As in ``evalb`` it takes no part in crossing brackets, complete match and tagging
    accuracy: with no proposal there is nothing that could cross, and it should not pass for a
    sentence with 0 crossing brackets.  Where `failed` is above zero these are flattering.
    """

    sentences: int = 0
    failed: int = 0
    skipped: int = 0
    gold_brackets: int = 0
    proposed_brackets: int = 0
    matched_brackets: int = 0
    crossing_brackets: int = 0
    sentences_without_crossing: int = 0
    sentences_with_two_or_less: int = 0
    sentences_complete: int = 0
    tokens: int = 0
    tags_correct: int = 0
    dependencies_correct: int = 0
    dependencies_gold: int = 0

    def add(self, score: SentenceScore, dependencies: tuple[int, int] | None = None) -> None:
        """Take in one sentence, with the result of :func:`attachment_score` if there is one."""
        self.sentences += 1
        if dependencies is not None:
            self.dependencies_correct += dependencies[0]
            self.dependencies_gold += dependencies[1]
        self.gold_brackets += score.gold
        if score.failed:
            self.failed += 1
        elif score.tokens == 0:
            self.skipped += 1
        else:
            self.proposed_brackets += score.proposed
            self.matched_brackets += score.matched
            self.crossing_brackets += score.crossing
            self.sentences_without_crossing += score.crossing == 0
            self.sentences_with_two_or_less += score.crossing <= 2
            self.sentences_complete += score.complete
            self.tokens += score.tokens
            self.tags_correct += score.tags_correct

    @property
    def scored(self) -> int:
        """Sentences with a parse and at least one token: ``evalb``'s valid sentences."""
        return self.sentences - self.failed - self.skipped

    @property
    def labeled_recall(self) -> float:
        """LR: per cent of the treebank's constituents that were proposed."""
        return _percent(self.matched_brackets, self.gold_brackets)

    @property
    def labeled_precision(self) -> float:
        """LP: per cent of the proposed constituents that the treebank has."""
        return _percent(self.matched_brackets, self.proposed_brackets)

    @property
    def f1(self) -> float:
        """The harmonic mean of LR and LP; the paper gives the two only."""
        return _percent(2 * self.matched_brackets, self.gold_brackets + self.proposed_brackets)

    @property
    def crossing(self) -> float:
        """CBs: crossing brackets per sentence, an average and no percentage."""
        return self.crossing_brackets / self.scored if self.scored else 0.0

    @property
    def no_crossing(self) -> float:
        """0 CBs: per cent of sentences without a crossing bracket."""
        return _percent(self.sentences_without_crossing, self.scored)

    @property
    def two_or_less_crossing(self) -> float:
        """≤ 2 CBs: per cent of sentences with two crossing brackets or fewer."""
        return _percent(self.sentences_with_two_or_less, self.scored)

    @property
    def complete_match(self) -> float:
        """Per cent of sentences with all brackets right, none missing and none extra."""
        return _percent(self.sentences_complete, self.scored)

    @property
    def tag_accuracy(self) -> float:
        """Per cent of tokens, punctuation left out, with the treebank's tag."""
        return _percent(self.tags_correct, self.tokens)

    @property
    def attachment(self) -> float | None:
        """Per cent of the treebank's dependencies that were found; ``None`` if none were added."""
        return _percent(self.dependencies_correct, self.dependencies_gold) if self.dependencies_gold else None

    def as_dict(self) -> dict[str, int | float | None]:
        """All of :data:`MEASURES`, ready to be written as JSON."""
        return {name: getattr(self, name) for name in MEASURES}


def summary_table(summaries: Mapping[int | None, Summary]) -> str:
    """Lay summaries out as the paper's table of results, one row for each cut-off length.

    A measure that no summary has (attachment, if no dependencies were added) gets no column.
    """
    columns = [["Length", *("all" if limit is None else f"<={limit}" for limit in summaries)]]
    for name, (title, form) in MEASURES.items():
        values = [getattr(summary, name) for summary in summaries.values()]
        if any(value is not None for value in values):
            columns.append([title, *("-" if value is None else form.format(value) for value in values)])
    aligned = [[cell.rjust(max(map(len, column))) for cell in column] for column in columns]
    return "\n".join("  ".join(row) for row in zip(*aligned, strict=True))
