"""Everything of the engine that writes files, each as work that can be killed and what must hold afterwards."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any
from xml.etree import ElementTree

from engine.cli.command_line import main
from engine.compiled import cache
from engine.gate.private_files import CACHE_VARIABLE
from engine.model import file_cache as unpacking
from engine.model.file_cache import wait_for_copies
from engine.model.model import Model
from engine.study.evidence import kept_trees
from engine.study.journal import Journal
from engine.trees.head_rules import load_head_rules

CLASSROOM = Path(__file__).parents[2] / "resources" / "models" / "classroom.model"
OLD = b"what was there before"


@dataclass(frozen=True)
class Writer:
    """Something that writes.

    Attributes
    ----------
    name
        What the table calls it.
    prepare
        Puts what is there before into a folder.
    work
        Writes into the folder; the result is an exit status if it is a number.
    check
        Fails unless every file of the folder is the old or the new one; told whether the work was finished.
    names
        What is in the folder when the work was finished, whatever happened before.
    quick_steps
        How many uses of files it is killed at without the whole campaign: fewer where it takes long.
    """

    name: str
    prepare: Callable[[Path], object]
    work: Callable[[Path], object]
    check: Callable[[Path, bool], None]
    names: Callable[[Iterable[str]], bool]
    quick_steps: int = 40


def _old(*names: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        for name in names:
            (folder / name).write_bytes(OLD)

    return prepare


def _exactly(*names: str) -> Callable[[Iterable[str]], bool]:
    return lambda found: sorted(found) == sorted(names)


def _old_or_model(folder: Path, finished: bool) -> None:
    path = folder / "a.model"
    if finished or path.read_bytes() != OLD:
        Model.load(path)


def _old_or_lines(count: int, *names: str) -> Callable[[Path, bool], None]:
    def check(folder: Path, finished: bool) -> None:
        for name in names:
            content = (folder / name).read_bytes()
            assert (content == OLD and not finished) or content.count(b"\n") >= count, f"{name}: {content[-80:]!r}"
            assert content == OLD or content.endswith(b"\n")

    return check


def _old_or_whole(**readers: Callable[[str], object]) -> Callable[[Path, bool], None]:
    """Every file ``a.SUFFIX`` is the old one, or one that its reader takes."""

    def check(folder: Path, finished: bool) -> None:
        for suffix, read in readers.items():
            content = (folder / f"a.{suffix}").read_bytes()
            assert content != OLD or not finished, suffix
            if content != OLD:
                read(content.decode("utf-8"))

    return check


def _read_page(text: str) -> None:
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>"), text[-80:]


def _pages_and_pictures(small: Path) -> list[Writer]:
    """What the terminal writes that is no text of a line for each sentence."""
    compare = ["compare", str(small), "--model", str(CLASSROOM), "--no-repair"]
    return [
        Writer(
            "convert",
            _old("a.jsonl"),
            lambda folder: main(["convert", str(small), "--to", "json", "-o", str(folder / "a.jsonl")]),
            _old_or_lines(6, "a.jsonl"),
            _exactly("a.jsonl"),
        ),
        Writer(
            "compare",
            _old("a.json", "a.html"),
            lambda folder: main([*compare, f"--json={folder / 'a.json'}", f"--html={folder / 'a.html'}"]),
            _old_or_whole(json=json.loads, html=_read_page),
            _exactly("a.json", "a.html"),
        ),
        Writer(
            "plot (distances)",
            _old("a.svg"),
            lambda folder: main(["experiment", "distances", str(small), f"--plot={folder / 'a.svg'}"]),
            _old_or_whole(svg=ElementTree.fromstring),
            _exactly("a.svg"),
            quick_steps=5,
        ),
    ]


def _commands(small: Path) -> list[Writer]:
    """What the terminal writes."""
    evalb = ("b.gld", "b.tst", "b.evl")
    return [
        Writer(
            "train",
            _old("a.model"),
            lambda folder: main(["train", str(small), "-o", str(folder / "a.model"), "--no-record"]),
            _old_or_model,
            _exactly("a.model"),
        ),
        Writer(
            "export (evaluate)",
            _old("a.ptb", *evalb),
            lambda folder: main(
                ["evaluate", str(small), "--model", str(CLASSROOM)]
                + [f"--output={folder / 'a.ptb'}", f"--evalb={folder / 'b'}"]
            ),
            _old_or_lines(6, "a.ptb", *evalb),
            _exactly("a.ptb", *evalb),
        ),
        Writer(
            "experiment",
            lambda folder: Journal(folder / "r.jsonl").keep({"old": 1}, {"f1": 1.0}),
            lambda folder: main(
                ["experiment", "models", "--model", str(CLASSROOM), "--test", str(small)]
                + ["--presets", "1", "2", f"--resume={folder / 'r.jsonl'}"]
            ),
            _check_journal,
            _exactly("r.jsonl"),
        ),
    ]


def _check_journal(folder: Path, finished: bool) -> None:
    journal = Journal(folder / "r.jsonl")
    assert not journal.damage and journal.find({"old": 1}) == {"f1": 1.0}
    assert not finished or len(journal) == 3


def _save(folder: Path) -> None:
    _classroom().save(folder / "a.model")


def _classroom() -> Model:
    return Model.load(CLASSROOM)


def _unpack(folder: Path) -> None:
    os.environ[CACHE_VARIABLE] = str(folder)
    unpacking.LEAST_BYTES = 0
    Model.load(folder.parent / "packed.model")
    wait_for_copies()


def _prepare_packed(folder: Path) -> None:
    packed = folder.parent / "packed.model"
    if not packed.exists():
        _classroom().save(packed, packed=True)


def _check_copies(folder: Path, finished: bool) -> None:
    copies = list(folder.glob("unpacked-*.model"))
    assert len(copies) == 1 or (not finished and not copies)
    for copy in copies:
        Model.load(copy)


def twice(number: int) -> int:
    """A kernel."""
    return 2 * number


def squared(number: int) -> int:
    """Another."""
    return number * number


def summed(number: int) -> int:
    """A third, with a loop."""
    total = 0
    for step in range(number):
        total += step
    return total


KERNELS = (twice, squared, summed)
KERNEL_NAMES = frozenset(f"{kernel.__module__}.{kernel.__name__}" for kernel in KERNELS)


def compile_kernels(folder: Path) -> None:
    """Compile some kernels into a cache."""
    import numba

    from engine.compiled.compiler import keep_compiled

    os.environ[CACHE_VARIABLE] = str(folder)

    def exercise() -> list[str]:
        for kernel in KERNELS:
            made: Any = numba.njit(FunctionType(kernel.__code__, {"range": range, "__name__": __name__}))
            keep_compiled(made, cache.kernel_folder(), is_entry=True)
            try:
                assert made(3) == kernel(3)
            except cache.KernelDamaged:
                assert made(3) == kernel(3)
        return list(KERNEL_NAMES)

    cache.compile_part("search", exercise)


def _check_kernels(folder: Path, finished: bool) -> None:
    [kernels] = list(folder.glob("kernels-*")) or [folder / "none"]
    files = list(kernels.glob(f"*{cache.KERNEL_SUFFIX}"))
    listed = (kernels / "search.json").exists()
    assert listed or not finished
    # What the list names is there.
    assert len(files) == len(KERNELS) or not listed


def _index(folder: Path) -> None:
    kept_trees([folder.parent / "small.ptb"], load_head_rules(None), folder=folder)


def _check_index(folder: Path, finished: bool) -> None:
    assert len(list(folder.glob("*.trees"))) == 1 or not finished
    for path in folder.glob("*.trees"):
        inode = path.stat().st_ino
        _index(folder)
        # It was read, and not made anew.
        assert path.stat().st_ino == inode


def all_writers(small: Path) -> list[Writer]:
    """Every writer."""

    def nothing(folder: Path) -> None:
        pass

    def one_name(found: Iterable[str]) -> bool:
        return len(list(found)) == 1

    return [
        *_commands(small),
        *_pages_and_pictures(small),
        Writer("model save", _old("a.model"), _save, _old_or_model, _exactly("a.model")),
        Writer("unpack", _prepare_packed, _unpack, _check_copies, one_name),
        Writer("compile", nothing, compile_kernels, _check_kernels, one_name, quick_steps=20),
        Writer(
            "evidence index",
            lambda folder: (folder.parent / "small.ptb").write_bytes(small.read_bytes()),
            _index,
            _check_index,
            one_name,
        ),
    ]


NAMES = (
    "train",
    "export (evaluate)",
    "experiment",
    "convert",
    "compare",
    "plot (distances)",
    "model save",
    "unpack",
    "compile",
    "evidence index",
)
