"""Training trees linked to a model: numbered as it numbers things, and checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.analysis.evidence.counted import Counted
from engine.analysis.evidence.instance_search import Searcher
from engine.analysis.evidence.instances import EvidenceSentence, Instances
from engine.analysis.evidence.source_treebanks import EXACT, OTHER, PART, Match
from engine.analysis.evidence.training_trees import TrainingTrees
from engine.common.arrays import Int32Array, Int64Array
from engine.counts.context_descriptions import describe_outcome
from engine.counts.corpus import Corpus, Vocabulary
from engine.counts.counts_layout import ROOT
from engine.counts.events import NO_OUTCOME
from engine.counts.specifications_layout import GAP_RIGHT, ROOT_WORD, UNARY_WORD
from engine.counts.table_contents import table_contexts, table_outcomes
from engine.model.model import Model

_COMPARED = (GAP_RIGHT, UNARY_WORD, ROOT_WORD)
"""Tables with words in them that no model leaves anything out of (:mod:`engine.counts.pruning`)."""
_OUTCOME_BITS = 12


class Evidence:
    """The training trees of a model: finds the sentences behind its counts.

    Parameters
    ----------
    model
        The model.
    trees
        The trees that it was counted from, or that a person named as such.
    """

    def __init__(self, model: Model, trees: TrainingTrees) -> None:
        self.model = model
        self.trees = trees
        corpus, unknown = _renumbered(trees.corpus, model.vocabulary)
        weights = np.repeat(_source_weights(model, trees), np.diff(trees.borders))
        self._searcher = Searcher(corpus, model.counts.widths, weights)
        self.match = self._compare(unknown)

    def instances(self, counted: Counted) -> Instances:
        """The places that a count counted, in the order of the trees."""
        return self._searcher.find(counted.table, counted.keys).of(counted.outcome)

    def sentence(self, table: int, instances: Instances, index: int) -> EvidenceSentence:
        """One place as its sentence, with its words marked."""
        trees = self.trees
        number = int(instances.sentences[index])
        start, end = trees.tokens.starts[number : number + 2].tolist()
        words = tuple(trees.tokens.words[word] for word in trees.tokens.word_numbers[start:end])
        tags = tuple(trees.tokens.tags[tag] for tag in trees.tokens.tag_numbers[start:end])
        token = trees.token_of_row
        marks = {
            int(token[row]) - start: role
            for row, role in zip(instances.rows[index].tolist(), instances.roles, strict=True)
            if role
        }
        span = None
        if instances.roles[0] == instances.roles[1]:
            span = (int(token[instances.first[index]]) - start, int(token[instances.last[index]]) - start + 1)
        source = int(np.searchsorted(trees.borders, number, side="right")) - 1
        outcome = int(instances.outcomes[index])
        return EvidenceSentence(
            trees.names[source],
            number - int(trees.borders[source]) + 1,
            words,
            tags,
            marks,
            span,
            describe_outcome(self.model.vocabulary, table, outcome),
            int(instances.weights[index]),
        )

    def remark(self, shown: int, *found: Instances) -> str:
        """Explain why the places do not add up to the count that the model has; nothing if they do.

        Weights are explained too: preset (5) may count a tree three times, and all else counts it once.
        """
        places, weighted = sum(map(len, found)), sum(instances.weighted for instances in found)
        remarks = []
        if weighted != places:
            what = "this place" if places == 1 else f"these {places:,} places"
            remarks.append(f"Preset (5) counts {what} {weighted:,} times, by the weights of the model's treebanks.")
        if places != shown:
            if self.match.kind != EXACT:
                remarks.append(f"The model counted {shown:,}. {self.match.sentence}")
            elif shown == 0 and not self.model.exact:
                remarks.append("The model is compact: it left this context out as one that hardly changes an estimate.")
            elif not self.model.exact:
                remarks.append(
                    f"The model counted {shown:,}: it is compact, and left out what hardly changes an estimate."
                )
            else:
                remarks.append(f"The model counted {shown:,}, which these trees do not explain.")
        return " ".join(remarks)

    def _compare(self, unknown: Mapping[str, list[str]]) -> Match:
        """Compare what these trees give with what the model has."""
        about, sentences = self.model.metadata, self.trees.sentences
        total = about.get("sentences", 0)
        for kind, names in unknown.items():
            if names:
                more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
                return _other(f"it does not know their {kind} ‘{names[0]}’{more}")
        agrees, within = True, True
        for table in _COMPARED:
            mine, model = self._totals(table)
            agrees &= bool((mine == model).all())
            within &= bool((mine <= model).all())
        if agrees and sentences == total:
            return Match(EXACT, f"These are the trees that the model was counted from: {sentences:,} sentences.")
        if within and sentences < total:
            return Match(
                PART,
                f"These are {sentences:,} of the {total:,} sentences that the model was counted from, so a count may "
                "be greater than what is shown.",
            )
        if sentences != total:
            return _other(f"they are {sentences:,} sentences, and it was counted from {total:,}")
        return _other("as many sentences, but other counts")

    def _totals(self, table: int) -> tuple[Int64Array, Int64Array]:
        """Count every context and outcome of a table in these trees, and look the same up in the model."""
        counts = self.model.counts
        events = self._searcher.events.all(table)
        # One more than any label for a word that is no root: so its δ is compared as well.
        no_root = (1 << _OUTCOME_BITS) - 1
        outcomes = np.where(events.outcomes == NO_OUTCOME, no_root, events.outcomes)
        mine, places = np.unique((events.keys << _OUTCOME_BITS) | outcomes, return_inverse=True)
        my_totals = np.bincount(places)
        found = table_contexts(counts, table)
        counted = table_outcomes(counts, found)
        theirs = (found.keys[counted.places] << _OUTCOME_BITS) | counted.outcomes
        their_totals = counted.etas.astype(np.int64)
        if table == ROOT_WORD:
            rest = found.deltas.copy()
            np.subtract.at(rest, counted.places, counted.etas)
            others = (found.keys << _OUTCOME_BITS) | no_root
            theirs = np.concatenate([theirs, others[rest > 0]])
            their_totals = np.concatenate([their_totals, rest[rest > 0]])
        everything = np.union1d(mine, theirs)
        both = np.zeros((2, len(everything)), np.int64)
        both[0, np.searchsorted(everything, mine)] = my_totals
        both[1, np.searchsorted(everything, theirs)] = their_totals
        return both[0], both[1]


def _other(reason: str) -> Match:
    return Match(
        OTHER,
        f"These are not the trees that the model was counted from ({reason}): what is shown need not add up to its "
        "counts.",
    )


def _source_weights(model: Model, trees: TrainingTrees) -> Int64Array:
    """Find how many times preset (5) counts the trees of each source; once where the files do not tell."""
    corpora: list[str] = model.metadata.get("corpora", [])
    weights: list[int] = model.metadata.get("weights", [])
    by_name = dict(zip(corpora, weights, strict=False))
    if by_name and len(by_name) == len(corpora) and all(name in by_name for name in trees.names):
        return np.array([by_name[name] for name in trees.names], np.int64)
    if len(trees.names) == len(weights):
        return np.array(weights, np.int64)
    return np.ones(len(trees.names), np.int64)


def _renumbered(corpus: Corpus, vocabulary: Vocabulary) -> tuple[Corpus, dict[str, list[str]]]:
    """The columns as a model numbers words, tags, labels and triples; and those that it does not know.

    What it does not know gets the number after its last, for which keys have room.
    """
    own = corpus.vocabulary
    unknown: dict[str, list[str]] = {}
    maps: dict[str, Int32Array] = {}
    for name, kind in (("words", "word"), ("tags", "tag"), ("labels", "label"), ("triples", "relation")):
        numbers = {value: number for number, value in enumerate(getattr(vocabulary, name))}
        values = getattr(own, name)
        maps[name] = np.array([numbers.get(value, len(numbers)) for value in values] or [0], np.int32)
        missing = [value for value in values if value not in numbers]
        unknown[kind] = [f"<{','.join(value)}>" if isinstance(value, tuple) else value for value in missing]
    if not any(unknown.values()) and all(
        getattr(own, name) == getattr(vocabulary, name) for name in ("words", "tags", "labels", "triples", "phrases")
    ):
        return corpus, unknown
    columns = corpus.columns
    relations = np.zeros_like(columns.relations)
    is_root, is_arrow = columns.heads == ROOT, columns.heads >= 0
    relations[is_root] = maps["labels"][columns.relations[is_root]]
    relations[is_arrow] = maps["triples"][columns.relations[is_arrow]]
    renumbered = replace(
        corpus,
        vocabulary=vocabulary,
        columns=columns._replace(
            words=maps["words"][columns.words],
            tags=maps["tags"][columns.tags].astype(columns.tags.dtype),
            relations=relations,
        ),
        unary_labels=maps["labels"][corpus.unary_labels],
        unary_parents=maps["labels"][corpus.unary_parents],
        unary_children=maps["labels"][corpus.unary_children],
        inside_labels=maps["labels"][corpus.inside_labels],
    )
    return renumbered, unknown
