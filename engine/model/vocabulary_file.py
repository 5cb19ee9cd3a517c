"""What a model file holds beside its counts, and what it may be: the vocabulary, and what the model says of its
training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import lt
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, UInt8Array
from engine.counts.corpus import NOTHING, Vocabulary
from engine.gate.checked_json import CheckedValue, ValueProblem
from engine.gate.stored_arrays import StoredArray, check_types
from engine.structure.sentence_layout import LONGEST_CHAIN

# What a model says about its training: shown to people and asked for by name, so every value has its type.

_COUNTS = ("trees", "skipped", "sentences", "words")
LARGEST_WEIGHT = 1_000_000
MOST_LISTED = 10_000
"""Names of treebanks, credits, reasons: a list has at most so many."""


def check_about(about: CheckedValue) -> None:
    """Raise :class:`ValueProblem` unless everything that is asked for by name is what it should be."""
    about.members()
    for name in ("corpora", "credits"):
        if (found := about.optional(name)) is not None:
            found.each(CheckedValue.text, MOST_LISTED)
    for name in _COUNTS:
        if name in about.value:
            about.member(name).integer(0)
    if "trees" in about.value:
        about.member("sentences")
    if (weights := about.optional("weights")) is not None:
        weights.each(lambda weight: weight.integer(1, LARGEST_WEIGHT), MOST_LISTED)
    if (reason := about.optional("without_tagger")) is not None:
        reason.text()
    if (compact := about.optional("compact")) is not None:
        compact.flag()
    if (left_out := about.optional("left_out")) is not None:
        _check_left_out(left_out)
    if (run := about.optional("run")) is not None:
        _check_run(run)


def _check_left_out(left_out: CheckedValue) -> None:
    if (reasons := left_out.optional("reasons")) is not None:
        for pair in reasons.items(MOST_LISTED):
            reason, count = pair.items(2, 2)
            reason.text()
            count.integer(0)
    if (others := left_out.optional("other_reasons")) is not None:
        others.integer(0)
    if (first := left_out.optional("first")) is not None:
        for place in first.items(MOST_LISTED):
            file, line, column, _ = place.items(4, 4)
            file.text()
            line.integer()
            column.integer()


def _check_run(run: CheckedValue) -> None:
    run.member("program").text()
    run.member("finished").text()
    run.member("seconds").number(0, 1e12)
    for seconds in run.member("stages").members().values():
        seconds.number(0, 1e12)
    if (memory := run.optional("memory_bytes")) is not None:
        memory.integer(0)
    run.member("jobs").integer(0)
    run.member("options").member("head_rules").text()


# The vocabulary in a model file: what it may be, so that every number made from it is inside the arrays of kernels.
#
# Kernels have rows of scratch by triple, by label and by tag, and walk along unary chains; grammar and keys are made
# from these lists.  So tags are labels, triples and chains are made of labels, every list is sorted as training sorts
# it, on which estimates rely to be quick, and there is no more of anything than keys and memory have room for.

MOST_WORDS = 1 << 20
"""Those of ``english`` are 36,994."""
MOST_TRIPLES = 1 << 17
MOST_CHAINS = 1 << 14
MOST_NAMES = 1 << 13
"""Labels at most, and tags: a grammar holds less than 6,000, whatever the one takes from the other."""
MOST_PHRASES = 1 << 10
"""Labels of phrases inside baseNPs, of which every span in a baseNP may be each; ``english`` has 7."""
MOST_UNARY_ESTIMATES = 1 << 25
"""A grammar has P̂ of every label over every label by head tag, in 8 bytes each; that of ``english`` has 0.9 million."""
ARRAYS = (StoredArray("words", np.uint8, "all words in UTF-8, with line feeds between them"),)
"""The array of a vocabulary in a model file."""
LONGEST_NAME = 1000
_NAME = re.compile(rf"[^\s()]{{1,{LONGEST_NAME}}}", re.ASCII)
"""What a tree may have for a label (:mod:`engine.trees.reading`)."""


def stored_vocabulary(vocabulary: Vocabulary) -> tuple[dict[str, Any], UInt8Array]:
    """The vocabulary as a model file holds it: lists of names, and all words as one array of bytes."""
    names = {
        "tags": vocabulary.tags,
        "labels": vocabulary.labels,
        "triples": vocabulary.triples,
        "chains": vocabulary.chains,
        "phrases": vocabulary.phrases,
    }
    return names, np.frombuffer("\n".join(vocabulary.words).encode("utf-8", "surrogatepass"), np.uint8)


def read_vocabulary(stored: CheckedValue, words: AnyArray) -> Vocabulary:
    """Read what :func:`stored_vocabulary` made; raise :class:`ValueProblem` if it is not such a vocabulary."""
    nothing, *labels = stored.member("labels").each(CheckedValue.text, MOST_NAMES) or [None]
    if nothing != NOTHING:
        raise ValueProblem("its first label should be empty")
    tags = _names(stored.member("tags"))
    known = frozenset((NOTHING, *_names(CheckedValue(labels, "labels"))))
    if not known.issuperset(tags):
        raise ValueProblem("its labels lack some of its tags")
    phrases = _names(stored.member("phrases"), MOST_PHRASES)
    triples = _of_labels(stored.member("triples"), known, MOST_TRIPLES, 3, 3)
    chains = _of_labels(stored.member("chains"), known, MOST_CHAINS, 2, LONGEST_CHAIN)
    if any(len(set(chain)) != len(chain) for chain in chains) or any(NOTHING in chain for chain in chains):
        raise ValueProblem("a chain of unaries has the same label twice, or none")
    links = sum(map(len, chains))
    if (len(tags) + 1) * max((len(labels) + 2) ** 2, links) > MOST_UNARY_ESTIMATES:
        raise ValueProblem(f"it has more labels ({len(labels):,}) and tags ({len(tags):,}) than a grammar can hold")
    return Vocabulary(
        _words(words),
        tags,
        (NOTHING, *labels),
        tuple((modifier, parent, head) for modifier, parent, head in triples),
        chains,
        phrases,
    )


def _names(value: CheckedValue, most: int = MOST_NAMES) -> tuple[str, ...]:
    """At most so many names of tags or labels, each once; such as stand in trees."""
    found = value.each(CheckedValue.text, most)
    _check_order(value.place, found)
    for name in found:
        if not _NAME.fullmatch(name):
            raise ValueProblem(f"{value.place} has a name that no tree can have")
    return found


def _of_labels(
    value: CheckedValue, known: frozenset[str], most: int, shortest: int, longest: int
) -> tuple[tuple[str, ...], ...]:
    """At most so many lists of known labels, each once; all looked at together, for there are thousands."""
    rows = [row.value for row in value.items(most)]
    if any(not isinstance(row, list | tuple) or not shortest <= len(row) <= longest for row in rows):
        value.fail(f"lists of {shortest} to {longest} labels")
    if any(not isinstance(label, str) or label not in known for row in rows for label in row):
        value.fail("lists of labels that the model has")
    found = tuple(map(tuple, rows))
    _check_order(value.place, found)
    return found


def _words(blob: AnyArray) -> tuple[str, ...]:
    check_types(ARRAYS, {"words": blob})
    if int(np.count_nonzero(blob == ord("\n"))) >= MOST_WORDS:
        raise ValueProblem("its words are too many")
    try:
        text = blob.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise ValueProblem("its words are no text") from None
    words = tuple(text.split("\n")) if text else ()
    _check_order("words", words)
    return words


def _check_order(what: str, found: Sequence[str] | Sequence[tuple[str, ...]]) -> None:
    if not all(map(lt, found, found[1:])):
        raise ValueProblem(f"{what} should be sorted, each of them once")
