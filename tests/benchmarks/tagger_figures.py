"""Measure the tagger: ``python tests/benchmarks/tagger_figures.py --train A.ptb … --test B.ptb …``.

Prints the time and memory that training takes, and for each test file the accuracy over all and over
unknown words, the speed, and how far the probabilities can be believed (reliability table, expected
calibration error).  Times are of the processor, for others may be at work on the machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from engine.tagger.tagger import Tagger, train_tagger
from engine.text.tagged_text import tag_words
from engine.trees.reading import read_brackets
from engine.trees.tree import Tree, clean, plain_word

Sentences = list[tuple[list[str], list[str]]]
BINS = 10


def read(path: Path) -> Sentences:
    """Words and tags of every tree that can be read."""
    sentences = []
    for tree in read_brackets(path.read_text(encoding="utf-8"), path.name):
        if not isinstance(tree, Tree):
            print(f"left out: {tree}")
        elif (cleaned := clean(tree)) is not None:
            sentences.append((cleaned.words(), cleaned.tags()))
    return sentences


def expected_calibration_error(sure: np.ndarray, right: np.ndarray, table: bool = False) -> float:
    """Mean distance of probability and share correct over ten bins of the top probability."""
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    error = 0.0
    for number in range(BINS):
        inside = bins == number
        row = f"    {number / BINS:.1f} – {(number + 1) / BINS:.1f}  {inside.sum():8d} words"
        if inside.any():
            error += float(inside.mean() * abs(sure[inside].mean() - right[inside].mean()))
            row += f"   probability {sure[inside].mean():.4f}   correct {right[inside].mean():.4f}"
        if table:
            print(row)
    return error


def measure(tagger: Tagger, sentences: Sentences, known: set[str]) -> None:
    """Print all figures for one test file."""
    tagger.tag(["warm", "."])
    tagger.distribution(["warm", "."])
    count = sum(len(words) for words, _ in sentences)
    speeds = {}
    methods: dict[str, Callable[[list[str]], object]] = {
        "tag": tagger.tag,
        "distribution": tagger.distribution,
        "for the parser": partial(tag_words, tagger),
    }
    for name, method in methods.items():
        start = time.process_time()
        for words, _ in sentences:
            method(words)
        speeds[name] = count / (time.process_time() - start)

    numbers = {tag: number for number, tag in enumerate(tagger.tags)}
    right, unknown, sure, top_right, gold_probability = [], [], [], [], []
    for words, tags in sentences:
        best, matrix = tagger.distribution(words)
        right += [a == b for a, b in zip(best, tags, strict=True)]
        unknown += [plain_word(word) not in known for word in words]
        sure += matrix.max(axis=1).tolist()
        top_right += [tagger.tags[top] == tag for top, tag in zip(matrix.argmax(axis=1), tags, strict=True)]
        gold_probability += [
            matrix[position, numbers[tag]] if tag in numbers else 0.0 for position, tag in enumerate(tags)
        ]
    correct, is_unknown = np.array(right), np.array(unknown)
    print(f"  words                {count}, of them unknown {is_unknown.sum()}")
    print(f"  accuracy             {100 * correct.mean():.2f} %")
    print(f"  known words          {100 * correct[~is_unknown].mean():.2f} %")
    if is_unknown.any():
        print(f"  unknown words        {100 * correct[is_unknown].mean():.2f} %")
    print(f"  mean log loss        {-np.log(np.maximum(gold_probability, 1e-6)).mean():.4f}")
    for name, speed in speeds.items():
        print(f"  {name + ':':<20} {speed:,.0f} words a second")
    print("  reliability of the most probable tag:")
    error = expected_calibration_error(np.array(sure), np.array(top_right), table=True)
    print(f"  expected calibration error {error:.4f}")


def main() -> None:
    """Train on some files, test on others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--train", nargs="+", type=Path, required=True)
    parser.add_argument("--test", nargs="+", type=Path, required=True)
    arguments = parser.parse_args()
    training = [sentence for path in arguments.train for sentence in read(path)]
    # Compile first, so that the time is that of training.
    train_tagger(training[:20])
    start = time.process_time()
    tagger = train_tagger(training)
    seconds = time.process_time() - start
    print(f"trained on {sum(len(words) for words, _ in training)} words in {seconds:.1f} s")
    size = sum(array.nbytes for array in tagger.arrays().values()) + len(json.dumps(tagger.metadata()))
    print(f"model {size / 1e6:.2f} MB, {len(tagger.arrays()['keys'])} features, ", end="")
    print(f"{len(tagger.arrays()['row_tags'])} weights")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
    start = time.process_time()
    Tagger.from_arrays(tagger.arrays(), tagger.metadata())
    print(f"opened in {1000 * (time.process_time() - start):.1f} ms")
    known = {plain_word(word) for words, _ in training for word in words}
    for path in arguments.test:
        print(f"{path.name}:")
        measure(tagger, read(path), known)


if __name__ == "__main__":
    main()
