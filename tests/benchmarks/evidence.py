"""How long it takes to find the training sentences of a count, and whether they add up to it.

``python tests/benchmarks/evidence.py --model english TREEBANK…`` draws contexts from every table, half of them by how
often they occur, and the most frequent one.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from engine.common.resources import model_file
from engine.common.tables import text_table
from engine.counts.specifications_layout import TABLES
from engine.counts.tables import TableContexts, table_contexts
from engine.model.model import Model
from engine.study.counted import Counted
from engine.study.evidence import Evidence, kept_trees


def measure(evidence: Evidence, table: int, found: TableContexts, places: np.ndarray) -> tuple[list[float], int]:
    """Milliseconds of the processor for every context, and how many counts were compared."""
    counts = evidence.model.counts
    times, compared = [], 0
    for place in places.tolist():
        counted = Counted("", table, (int(found.keys[place]),))
        start = time.process_time()
        instances = evidence.instances(counted)
        times.append(1000 * (time.process_time() - start))
        assert len(instances) == found.deltas[place]
        compared += 1
        record = found.records[place]
        if record >= 0:
            pairs = counts.records[record + 2 : record + 2 + 2 * counts.records[record + 1]].reshape(-1, 2)
            for outcome, eta in pairs.tolist():
                assert len(instances.of(outcome)) == eta
                compared += 1
    return times, compared


def main() -> None:
    """Link, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--model", default="english")
    parser.add_argument("--contexts", type=int, default=30, help="contexts drawn from every table")
    options = parser.parse_args()
    path = model_file(options.model)
    assert path is not None
    model = Model.load(path)
    start = time.perf_counter()
    trees = kept_trees(options.treebanks, model.rules)
    read = time.perf_counter()
    evidence = Evidence(model, trees)
    print(f"read in {read - start:.1f} s, linked in {time.perf_counter() - read:.1f} s. {evidence.match.sentence}")
    evidence.instances(Counted("", 0, (0,)))
    random = np.random.default_rng(0)
    rows, compared = [], 0
    for table, specification in enumerate(TABLES):
        found = table_contexts(model.counts, table)
        size, half = len(found.keys), options.contexts // 2
        frequent = random.choice(size, half, p=found.deltas / found.deltas.sum())
        places = np.concatenate([random.integers(0, size, half), frequent, [found.deltas.argmax()]])
        times, more = measure(evidence, table, found, places)
        compared += more
        rows.append((specification.title, f"{np.median(times):.1f}", f"{max(times):.1f}", f"{found.deltas.max():,}"))
    print(text_table(("table", "median ms", "most ms", "largest δ"), rows, right=(1, 2, 3)))
    print(f"{compared:,} counts compared: all equal to what is shown")


if __name__ == "__main__":
    main()
