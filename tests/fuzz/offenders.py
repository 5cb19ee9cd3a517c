"""Past offenders: inputs on which some reader once failed, as files of the corpus and, where they are large, as code.

A file of the corpus is ``corpus/TARGET/NAME``; its name says what it was.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.grammar import json_bytes
from tests.fuzz.model_offenders import MODEL_OFFENDERS
from tests.fuzz.target import Target

CORPUS = Path(__file__).parent / "corpus"


class Offender(NamedTuple):
    """One past offender."""

    target: str
    name: str
    read: Callable[[], bytes]


def _deep_session() -> bytes:
    return b'{"format": "parse-explorer session", "lines": ' + b"[" * 100_000


LARGE: Mapping[tuple[str, str], Callable[[], bytes]] = {
    ("trees", "five-thousand-brackets-deep"): lambda: b"(S " * 5000 + b"(NN a)" + b")" * 5000,
    ("trees", "two-hundred-thousand-open"): lambda: b"(S " * 200_000,
    ("trees", "a-very-wide-tree"): lambda: b"(S " + b"(NN a) " * 30_000 + b")",
    ("trees", "every-second-tree-is-never-closed"): lambda: b"(S (NN a)\n(S (NN a))\n" * 2000,
    ("treebank", "a-gzip-of-zeros"): lambda: gzip.compress(bytes(5_000_000), 9, mtime=0),
    ("sentence-file", "a-gzip-of-zeros"): lambda: gzip.compress(bytes(5_000_000), 9, mtime=0),
    ("sentence-file", "one-line-of-a-million"): lambda: b"x" * 1_000_000,
    ("tagged", "twenty-thousand-tagged-words"): lambda: b"the/DT dog/NN " * 10_000,
    ("tagged", "nothing-but-slashes"): lambda: b"/" * 20_000,
    ("plain", "one-word-of-a-million"): lambda: b"x" * 1_000_000,
    ("plain", "sixty-kilobytes-of-hyphens-and-apostrophes"): lambda: b"a-'b'-" * 10_000,
    ("plain", "periods-without-end"): lambda: b"a." * 100_000,
    ("plain", "white-space-without-end"): lambda: b" \n\t" * 300_000,
    ("conllu", "a-row-of-three-hundred-thousand"): lambda: b"1\t" + b"w" * 300_000 + b"\t_" * 8 + b"\n",
    ("conllu", "ten-thousand-words-in-a-chain"): lambda: b"".join(
        b"%d\tw\t_\t_\t_\t_\t%d\t_\t_\t_\n" % (number, number - 1) for number in range(1, 10_001)
    ),
    ("pattern", "four-thousand-brackets"): lambda: b"(" * 4000,
    ("pattern", "eight-hundred-nested"): lambda: b"NP < (" * 800,
    ("pattern", "twenty-thousand-conditions"): lambda: b"NP" + b" < PP" * 20_000,
    ("pattern", "a-child-with-a-number-of-4500-digits"): lambda: b"NP <" + b"9" * 4500 + b" PP",
    ("pattern", "a-regex-of-nested-counts"): lambda: b"/(((a{99}){99}){99}){99}/",
    ("json", "five-thousand-objects-deep"): lambda: b"{" * 5000,
    ("json", "a-hundred-thousand-lists-deep"): lambda: b'{"tree": ' + b"[" * 100_000,
    ("evalb-parameters", "a-number-of-5000-digits"): lambda: b"CUTOFF_LEN " + b"9" * 5000,
    ("evalb-table", "a-number-of-5000-digits"): lambda: b"====\n" + b"9" * 5000 + b" 1 0 1 1 1 1 1 1 1 1 1",
    ("question", "a-question-of-ten-thousand-words"): lambda: b"with saw " * 10_000,
    ("session", "a-hundred-thousand-lists-deep"): _deep_session,
    ("exercise-result", "a-hundred-thousand-lists-deep"): lambda: b"[" * 100_000,
    ("exercise-result", "a-version-of-5000-digits"): lambda: b'{"version": ' + b"9" * 5000 + b"}",
    ("lesson", "a-heading-of-a-million"): lambda: b"# " + b"x" * 1_000_000,
    ("lesson", "four-megabytes"): lambda: b"# A\n" + b"text\n" * 800_001,
    ("lesson", "ten-thousand-open-braces"): lambda: b"# A\n\n## B\n\n- sentence: a/NN\n\n" + b"{" * 10_000,
    ("filter", "ten-thousand-terms"): lambda: b"tag:NN " * 10_000,
    ("list-file", "a-megabyte-of-open-brackets"): lambda: b"(S " * 300_000,
    ("start", "a-size-of-5000-digits"): lambda: b"9" * 5000 + b"x800",
    ("journal", "a-header-a-hundred-thousand-deep"): lambda: b"[" * 100_000 + b"\n",
    ("last-session", "a-number-of-5000-digits"): lambda: (
        json_bytes({"format": "x"})[:-1] + b', "stage": ' + b"9" * 5000 + b"}"
    ),
}
"""Those that are too large for files, made when they are needed."""


def open_offenders() -> dict[tuple[str, str], str]:
    """Those that still fail, and how; whoever mends one takes it out of ``corpus/open.json``."""
    stored = json.loads((CORPUS / "open.json").read_text(encoding="utf-8"))
    return {(target, name): why for target, names in stored.items() for name, why in names.items()}


def offenders(targets: Mapping[str, Target]) -> Iterator[Offender]:
    """All past offenders of some targets."""
    for (target, name), make in {**LARGE, **MODEL_OFFENDERS}.items():
        if target in targets:
            yield Offender(target, name, make)
    for path in sorted(CORPUS.glob("*/*")):
        if path.parent.name in targets:
            yield Offender(path.parent.name, path.name, path.read_bytes)
