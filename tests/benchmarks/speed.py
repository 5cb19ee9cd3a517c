"""Parsing speed: one core, warm, from tagged sentence to tree.

    python tests/benchmarks/speed.py --model MODEL TREEBANK [--presets 1 2 3] [--beams 1000 20] [--rounds 5] [--tag]

Every configuration is measured in turn, several rounds over; the best round counts, since other work on
the machine can only slow one down.  With --tag the model's tagger tags the words first, and model (4) chooses
among its tags; tagging is timed by itself.  The time that numpy takes to sort a million random integers is printed
beside as the machine's unit.  Growth is the slope of log time over log length.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np

import engine
from engine.chart.parser import Parser
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import clean
from engine.trees.treebank import BadTrees, read_treebank
from engine.warm_up import compile_now


def unit() -> float:
    """Seconds that numpy takes to sort a million random 64-bit integers."""
    numbers = np.random.default_rng(0).integers(0, 2**62, 1_000_000)
    start = time.perf_counter()
    np.sort(numbers)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebank", nargs="+")
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--presets", type=int, nargs="+", default=[1, 2, 3])
    arguments.add_argument("--beams", type=float, nargs="+", default=[1000, 150, 20, 3])
    arguments.add_argument("--max-length", type=int, default=40)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--tag", action="store_true")
    chosen = arguments.parse_args()
    compile_now()

    gold = []
    for tree in read_treebank(chosen.treebank, BadTrees()):
        cleaned = clean(tree)
        if cleaned is not None and len(cleaned.leaves()) <= chosen.max_length:
            gold.append(engine.TaggedSentence.from_tree(cleaned))
    tokens = sum(map(len, gold))
    start = time.perf_counter()
    model = engine.load(chosen.model)
    opened = time.perf_counter() - start
    size = Path(chosen.model).stat().st_size / 1e6
    print(f"{len(gold)} sentences of at most {chosen.max_length} tokens, {tokens / len(gold):.1f} on average")
    print(f"model {size:.0f} MB, opened in {opened:.3f} s")
    sentences: list[engine.TaggedSentence | TagDistribution] = list(gold)
    if chosen.tag:
        model.tag(gold[0].words)
        start = time.perf_counter()
        sentences = [model.tag(sentence.words) for sentence in gold]
        print(f"tagged at {tokens / (time.perf_counter() - start):,.0f} tokens/s, distributions included")

    parsers = {
        (preset, beam): Parser.preset(model, preset, beam=beam) for preset in chosen.presets for beam in chosen.beams
    }
    best = dict.fromkeys(parsers, float("inf"))
    lengths: dict[tuple[int, float], np.ndarray] = {}
    sort = float("inf")
    for parser in parsers.values():
        for sentence in sentences[:50]:
            _ = parser.parse(sentence).tree
    for _ in range(chosen.rounds):
        for key, parser in parsers.items():
            sort = min(sort, unit())
            times = np.empty(len(sentences))
            for number, sentence in enumerate(sentences):
                start = time.perf_counter()
                _ = parser.parse(sentence).tree
                times[number] = time.perf_counter() - start
            best[key] = min(best[key], float(times.sum()))
            lengths[key] = np.minimum(lengths.get(key, times), times)
    print(f"unit (sorting a million integers): {1000 * sort:.1f} ms")
    print("preset   beam  sentences/s  ms/sentence  units/sentence  growth")
    sizes = np.array([len(sentence.positions) for sentence in gold])
    for (preset, beam), total in best.items():
        long = sizes >= 8
        slope = np.polyfit(np.log(sizes[long]), np.log(lengths[preset, beam][long]), 1)[0]
        each = total / len(sentences)
        print(f"   ({preset})  {beam:5g}  {1 / each:11.0f}  {1000 * each:11.3f}  {each / sort:14.4f}  n^{slope:.2f}")
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")


if __name__ == "__main__":
    main()
