"""The paper's Table 3 on NLTK's sample of the Wall Street Journal: our rows beside the paper's.

    pip install nltk && python -m nltk.downloader treebank
    python tests/benchmarks/wsj_sample.py [--rerank] [--jobs 2] [--model wsj.model]

NLTK's sample has 3,914 trees of the Penn Treebank, in 199 files, a tenth of what the paper's parser was trained on.
Whole files are kept apart: the last sixth of them is tested on, the others are trained on.  The table is made twice by
`parse-engine experiment models`: from automatic tags, as the paper's, and from gold tags.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import engine
from engine.cli.command_line import main as parse_engine

PLACE = "corpora/treebank/combined"
TESTED_SHARE = 6
"""One file of so many is tested on."""


def texts_of_sample() -> list[tuple[str, str]]:
    """Every file of NLTK's sample: its name and its brackets; leave with one sentence if it is not there."""
    try:
        import nltk
        from nltk.corpus.reader import BracketParseCorpusReader
    except ImportError:
        sys.exit("NLTK is not installed; run `pip install nltk`")
    try:
        reader = BracketParseCorpusReader(nltk.data.find(PLACE), r"wsj_.*\.mrg")
    except LookupError:
        sys.exit("NLTK's sample of the Penn Treebank is not here; run `python -m nltk.downloader treebank`")
    return [(name, reader.raw(name)) for name in sorted(reader.fileids())]


def written(path: Path, texts: Sequence[tuple[str, str]]) -> Path:
    """One treebank file of all texts."""
    path.write_text("\n".join(text for _, text in texts) + "\n", encoding="utf-8")
    print(f"{path.name}: {texts[0][0]} to {texts[-1][0]}")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rerank", action="store_true", help="train a re-ranker for preset (5), too; takes minutes")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many processes work")
    parser.add_argument("--model", metavar="FILE", help="keep the model in this file")
    chosen = parser.parse_args(arguments)
    texts = texts_of_sample()
    tested = max(len(texts) // TESTED_SHARE, 1)
    if len(texts) <= tested:
        sys.exit("NLTK's sample has fewer than two files; run `python -m nltk.downloader treebank` anew")
    with tempfile.TemporaryDirectory() as folder:
        training = written(Path(folder) / "wsj-train.mrg", texts[:-tested])
        test = written(Path(folder) / "wsj-test.mrg", texts[-tested:])
        model = Path(chosen.model or Path(folder) / "wsj.model")
        trained = engine.train([training], rerank=chosen.rerank, jobs=chosen.jobs)
        trained.save(model)
        print(f"trained on {trained.metadata['sentences']:,} sentences")
        for tags in ([], ["--tags", "gold"]):
            print(flush=True)
            line = ["--model", str(model), "--test", str(test), "--jobs", str(chosen.jobs), *tags]
            if status := parse_engine(["experiment", "models", *line]):
                return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
