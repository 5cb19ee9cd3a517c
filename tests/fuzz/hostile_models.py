"""Hostile model files by the thousand: each is refused in one sentence or harmless, whatever is done with it.

    python -m tests.fuzz.hostile_models [--variants N] [--first SEED] [--seconds S]

Every variant (:mod:`tests.fuzz.model_variants`) is opened in a forked child process.  If it opens, the child
parses, tags, explains, browses and saves with it.  A signal, an exception that is not one of the program's own, an
error of several lines, or more than two seconds of processor time is a failure; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO

from engine.chart.parser import Parser
from engine.common.errors import EngineError, ModelError
from engine.compiled.kernel import use_compiled
from engine.model import file_cache as unpacking
from engine.model.model import Model
from engine.settings import Settings
from engine.study.browser import Browser
from engine.study.counted import bundled_treebanks
from engine.training.reranker import train_reranker
from engine.training.summary import run_lines, summary_dict
from engine.training.train import train
from engine.trees.treebank import read_treebank
from tests.fuzz.model_variants import Variants
from tests.trained import CLASSROOM, QUICK, classroom_file, model_file

MOST_SECONDS = 2.0
"""Of processor time, opening and everything that is done with the model together."""
MOST_MEMORY = 2 << 30
"""Of address space, beside what the process had before."""
TAGGED = "the/DT man/NN saw/VBD a/DT dog/NN with/IN the/DT telescope/NN ,/, and/CC Mary/NNP ran/VBD ./."
PLAIN = ("Mary", "saw", "the", "old", "man", "with", "a", "blick", ".")
TITLES = ("plain", "complete", "packed")
BATCH = 25
"""So many variants are tried in one child process, if none of them ends it."""


class Outcome(NamedTuple):
    """What became of one variant: how it ended, what was done to the file, and of a failure more."""

    ending: str
    seed: int
    title: str
    done: str
    detail: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether it ended as no file should end."""
        return self.ending not in ("refused", "harmless")


def make_models() -> dict[str, Path]:
    """The files that are varied: a small model, one with weights, tagger, re-ranker and second model, and it packed."""

    def complete() -> Model:
        model = train([CLASSROOM, CLASSROOM], weights=[1, 3])
        return train_reranker(model, list(read_treebank([CLASSROOM])), Settings.preset(5), options=QUICK)

    whole = model_file("complete", complete)
    packed = model_file("complete-packed", lambda: Model.load(whole), packed=True)
    return dict(zip(TITLES, (classroom_file(), whole, packed), strict=True))


def _parse(model: Model) -> None:
    for preset in (1, 2, 3, 4, 5):
        parser = Parser.preset(model, preset)
        parse = parser.parse(TAGGED, n_best=1 if preset in (1, 4) else 5)
        str(parse.tree)
        parse.ledger()
        if model.tagger is not None:
            str(parser.parse(model.tag(PLAIN)).tree)
    Parser.preset(model, 3, distance="order").parse(TAGGED)
    Parser.preset(model, 2, lexical=False).parse("dog/NN the/DT of/IN saw/VBD xx/XX ran/VBD")


def _explain(model: Model) -> None:
    parse = Parser.preset(model, 5).parse(TAGGED, trace=True)
    explainer = parse.explainer()
    explainer.gap_distribution(1)
    explainer.candidates(parse.reduced[0], parse.basenps)
    repr(parse)


def _tag(model: Model) -> None:
    model.tag(PLAIN)


def _browse(model: Model) -> None:
    browser = Browser(model)
    for asked in ("man", "NN", "saw/VBD dog/NN", "<NP,S,VP>"):
        browser.find(asked)


def _summarise(model: Model) -> None:
    summary_dict(model)
    run_lines(model)
    bundled_treebanks(model)


def _save(model: Model) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "again.model")
        model.save(Path(folder) / "packed.model", packed=True)


USES: tuple[Callable[[Model], None], ...] = (_parse, _tag, _explain, _browse, _summarise, _save)


def use(path: Path, is_sound: bool = False) -> str:
    """Open a file and do everything with it; with one that is not sound, errors of the program's own may come of it."""
    try:
        model = Model.load(path)
    except ModelError as error:
        text = str(error)
        if "\n" in text or path.name not in text:
            raise AssertionError(f"not one sentence: {text}") from error
        return "refused"
    for do in USES:
        try:
            do(model)
        except EngineError as error:
            if is_sound or "\n" in str(error):
                raise AssertionError(f"not one sentence: {error}") from error
    return "harmless"


def _limit_memory() -> None:
    """Bound the memory of this process, and leave no file behind if it ends by a signal."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MEMORY, used + MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _try_file(path: Path, seconds: float) -> tuple[str, str]:
    """How the use of a file ends in this process, and more about a failure."""
    begin = time.process_time()
    try:
        ending = use(path)
    except BaseException:
        return "traceback", traceback.format_exc()[-3000:]
    spent = time.process_time() - begin
    return (ending, "") if spent <= seconds else ("too slow", f"{spent:.1f} s")


def _try_batch(
    variants: dict[str, Variants], seeds: Sequence[int], folder: Path, seconds: float, report: TextIO
) -> None:
    """Try variants one after the other, and say of each when it begins and how it ends."""
    _limit_memory()
    # Copies of hostile models would take the place of others in the cache.
    unpacking.LEAST_BYTES = sys.maxsize
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    titles = list(variants)
    path = folder / "hostile.model"
    for seed in seeds:
        title = titles[seed % len(titles)]
        done, content = variants[title].variant(seed)
        print(json.dumps(["", seed, title, done, ""]), file=report, flush=True)
        with suppress(FileNotFoundError):
            path.unlink()
        path.write_bytes(content)
        # So long that a variant that is only slow is told from one that has no end.
        signal.alarm(int(30 * seconds))
        ending, detail = _try_file(path, seconds)
        print(json.dumps([ending, seed, title, done, detail]), file=report, flush=True)


def _outcomes(variants: dict[str, Variants], seeds: Sequence[int], folder: Path, seconds: float) -> Iterator[Outcome]:
    """What became of some variants, tried in a child process; if one ends it, of no more than up to that one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        ended = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as report:
                _try_batch(variants, seeds, folder, seconds, report)
            ended = 0
        finally:
            os._exit(ended)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        reports = [Outcome(*json.loads(line)) for line in pipe]
    _, status = os.waitpid(child, 0)
    yield from (report for report in reports if report.ending)
    if os.WIFSIGNALED(status):
        yield reports[-1]._replace(ending=f"signal {signal.Signals(os.WTERMSIG(status)).name}")
    elif status:
        raise RuntimeError(f"a variant after {reports[-1:]} of {seeds} could not be made")


def try_variants(
    models: dict[str, Path], seeds: Iterable[int], folder: Path, seconds: float = MOST_SECONDS
) -> Iterator[Outcome]:
    """Try variants of the models by turns; seed n changes model n modulo their number."""
    use_compiled()
    for path in models.values():
        # Whatever is loaded for the first use is loaded once, here.
        assert use(path, is_sound=True) == "harmless", path
    variants = {title: Variants(path) for title, path in models.items()}
    left = list(seeds)
    while left:
        for outcome in _outcomes(variants, left[:BATCH], folder, seconds):
            left.remove(outcome.seed)
            yield outcome


def main(arguments: list[str]) -> int:
    """Run a campaign and print what became of the variants."""
    parser = argparse.ArgumentParser(description="Try hostile variants of model files")
    parser.add_argument("--variants", type=int, default=1000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS, metavar="S")
    asked = parser.parse_args(arguments)
    endings: Counter[tuple[str, str]] = Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seeds = range(asked.first, asked.first + asked.variants)
        for outcome in try_variants(make_models(), seeds, folder, asked.seconds):
            endings[outcome.title, outcome.ending] += 1
            if endings.total() % 500 == 0:
                print(f"{endings.total():,} variants, {failures} failures", file=sys.stderr, flush=True)
            if outcome.is_failure:
                failures += 1
                print(f"seed {outcome.seed} ({outcome.title}; {outcome.done}): {outcome.ending}")
                print(outcome.detail, flush=True)
    for (title, ending), number in sorted(endings.items()):
        print(f"{title:10} {ending:16} {number:7,}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
