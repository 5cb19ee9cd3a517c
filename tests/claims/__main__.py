"""The command: see :mod:`tests.claims`."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from engine.common.resources import named_model
from engine.model.model import Model
from engine.settings import PRESETS
from tests.claims.asked import PLAIN, UNCOVERED
from tests.claims.drawing import Drawing
from tests.claims.training import Training, trees_of
from tests.claims.verdicts import PATTERNS
from tests.engine.recount_trees import HeadTable


def main() -> int:
    """Run the command; the result is its exit status, which is 1 if a claim is false."""
    parser = argparse.ArgumentParser(prog="python -m tests.claims", description=__doc__)
    parser.add_argument("--model", required=True, help="a bundled model by name, or a file")
    parser.add_argument(
        "--trained-on", nargs="+", type=Path, required=True, help="the treebanks of the model, in order"
    )
    parser.add_argument("--treebank", nargs="+", type=Path, required=True, help="gold trees to parse and to judge by")
    parser.add_argument("--presets", nargs="+", type=int, default=list(PRESETS))
    parser.add_argument("--number", type=int, default=200, help="how many explanations")
    parser.add_argument("--each", type=int, default=6, help="how many of them of one sentence, beside the verdict")
    parser.add_argument("--longest", type=int, default=30, help="words of the longest sentence")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file to keep the counted training trees in, for the next time")
    parser.add_argument("--all", action="store_true", help="list what is not covered, too")
    options = parser.parse_args()
    path = Path(options.model)
    model = Model.load(path if path.exists() else named_model(options.model))
    weights = model.metadata.get("weights") or [1] * len(options.trained_on)
    started = time.time()
    table = HeadTable(model.rules.text)
    texts = (
        (text, weight) for file, weight in zip(options.trained_on, weights, strict=True) for text in trees_of(file)
    )
    if options.keep is not None and options.keep.exists():
        training = pickle.loads(options.keep.read_bytes())
    else:
        training = Training.of(texts, table)
        if options.keep is not None:
            options.keep.write_bytes(pickle.dumps(training))
    print(f"{training.trees:,} training trees read in {time.time() - started:.0f} s", flush=True)
    trees = [text for file in options.treebank for text in trees_of(file)]
    drawing = Drawing(model, training, trees, options.presets, options.seed, options.longest)
    seen: Counter[str] = Counter()
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    left: Counter[str] = Counter()
    pages = 0
    for case in drawing.cases():
        for told in drawing.explanations(case, options.each, PATTERNS):
            pages += 1
            for claim in told.claims:
                seen[claim.kind] += 1
                if claim.problem:
                    where = f"preset {case.preset}, {told.subject}, {case.gold}"
                    wrong[claim.kind].append(f"{claim.text}\n      {claim.problem}\n      {where}")
                elif claim.kind in (UNCOVERED, PLAIN):
                    left[f"{claim.kind}: {claim.text}"] += 1
        if pages >= options.number:
            break
    checked = sum(count for kind, count in seen.items() if kind not in (UNCOVERED, PLAIN))
    false = sum(map(len, wrong.values()))
    print(f"{pages:,} explanations, {checked:,} claims checked, {false} false")
    print(f"{seen[UNCOVERED]} uncovered, {seen[PLAIN]} with nothing to check")
    for kind, count in sorted(seen.items()):
        print(f"  {kind:28} {count:6} {len(wrong[kind]) or '':>6}")
    for kind, found in wrong.items():
        print(f"\n{kind}: {len(found)} false")
        for one in found[:12]:
            print(f"  {one}")
    if options.all:
        print()
        for text, count in left.most_common(400):
            print(f"{count:5} {text}")
    print(f"{time.time() - started:.0f} s")
    return int(bool(false))


if __name__ == "__main__":
    sys.exit(main())
