"""The first sentence on a new machine does not wait for the compiler, and what is compiled is taken up at once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

from engine.chart.parser import Parser
from engine.common.files import locked
from engine.compiled import cache
from engine.compiled import cache as background
from engine.compiled.cache import KERNEL_SUFFIX, MOST_COMPILERS, Availability, KernelDamaged
from engine.gate import private_files
from engine.model.model import Model
from engine.warm_up import compile_now
from tests.waiting import wait_until

SENTENCE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
SCRIPT = f"""
import sys, time
start = time.perf_counter()
import engine
from engine.compiled import kernel
from engine.compiled.cache import AVAILABILITY
model = engine.load(sys.argv[1])
parse = engine.Parser.preset(model, 3).parse("{SENTENCE}")
print(time.perf_counter() - start)
print("numba" in sys.modules, bool(kernel.compiled_kernels()), AVAILABILITY.compiling())
print(repr(parse.log_probability), parse.tree)
for compiler in AVAILABILITY.compilers:
    compiler.kill()
    compiler.wait()
"""


def environment(cache_folder: Path, **changes: str) -> dict[str, str]:
    """The environment of a process with a cache of its own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return plain | {"PARSE_ENGINE_CACHE": str(cache_folder)} | changes


def run(script: str, model: Path, cache_folder: Path | None = None, **changes: str) -> list[str]:
    command = [sys.executable, "-c", script, str(model)]
    variables = dict(os.environ) if cache_folder is None else environment(cache_folder, **changes)
    return subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout.splitlines()


def answer(model: Model, preset: int = 3) -> str:
    best = Parser.preset(model, preset).parse(SENTENCE)
    return f"{best.log_probability!r} {best.tree}"


def test_the_first_sentence_comes_back_before_anything_is_compiled(
    classroom_model: Path, classroom: Model, tmp_path: Path
) -> None:
    seconds, state, found = run(SCRIPT, classroom_model, tmp_path / "empty")
    assert float(seconds) < 5
    assert state == "False False True"
    assert found == answer(classroom)


def test_a_cache_that_cannot_be_written_is_no_obstacle(classroom_model: Path, classroom: Model, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    _, state, found = run(SCRIPT, classroom_model, blocked / "cache")
    # Nobody starts a compiler whose work could not be kept.
    assert state == "False False False"
    assert found == answer(classroom)


def test_with_the_compiler_disabled_nothing_is_compiled_and_no_kernel_is_kept(
    classroom_model: Path, classroom: Model, tmp_path: Path
) -> None:
    script = f"import engine.warm_up; engine.warm_up.compile_now()\n{SCRIPT}"
    _, state, found = run(script, classroom_model, tmp_path / "cache", NUMBA_DISABLE_JIT="1")
    assert state == "False False False"
    assert found == answer(classroom)
    assert not list((tmp_path / "cache").glob("kernels-*"))


@contextlib.contextmanager
def held_elsewhere(lock: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds a lock until it is killed."""
    holder = "import sys; from pathlib import Path; from engine.common.files import locked\n"
    holder += "with locked(Path(sys.argv[1]), False) as held: print(held, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", holder, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        yield other
        other.kill()


def test_one_process_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with held_elsewhere(lock), locked(lock, wait=False) as held:
        assert not held
    # However it ends, the lock is free again.
    with locked(lock, wait=True) as held:
        assert held


# Filling the cache


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for this process, in a folder that is there."""
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path))
    cache.kernel_folder().mkdir()
    return cache.kernel_folder()


def test_a_part_is_left_to_whom_compiles_it_until_that_one_dies(own_cache: Path) -> None:
    """Five commands in a row on a new machine must not compile five times over."""
    assert cache.free_parts() == list(cache.PARTS)
    done: list[str] = []
    with held_elsewhere(own_cache / "search.lock"):
        assert cache.free_parts() == list(cache.PARTS[1:])
        cache.compile_part("search", lambda: done, wait=False)
        assert not cache.is_compiled(["search"])
    cache.compile_part("search", lambda: ["kernel"], wait=False)
    assert cache.listed_kernels("search") == frozenset({"kernel"}) and cache.free_parts() == list(cache.PARTS[1:])
    # Done is done.
    cache.compile_part("search", lambda: pytest.fail("compiled again"))


def test_a_part_that_failed_is_not_listed(own_cache: Path) -> None:
    def fail() -> list[str]:
        raise RuntimeError("no compiler")

    with pytest.raises(RuntimeError):
        cache.compile_part("tagger", fail)
    assert not cache.is_compiled(["tagger"]) and "tagger" in cache.free_parts()


@pytest.mark.parametrize("content", ["", "[", "3", '["kernel"]', '{"kernels": [1], "files": []}', '{"kernels": []}'])
def test_a_list_that_cannot_be_read_is_none(own_cache: Path, content: str) -> None:
    (own_cache / "ranking.json").write_text(content)
    assert cache.listed_kernels("ranking") is None and "ranking" in cache.free_parts()
    cache.compile_part("ranking", lambda: ["kernel"])
    assert cache.listed_kernels("ranking") == frozenset({"kernel"})


def test_caches_of_other_sources_are_removed_when_nobody_uses_them(own_cache: Path) -> None:
    old, used = own_cache.parent / "kernels-old", own_cache.parent / "kernels-used"
    for folder in (old, used):
        (folder / "inside").mkdir(parents=True)
    os.utime(old, (0, 0))
    cache.compile_part("search", lambda: [])
    assert not old.exists() and used.exists()


def test_children_that_die_are_replaced_but_not_for_ever(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "WARM_UP", "keyword")  # a module that does nothing
    monkeypatch.setattr(background, "LOOK_SECONDS", 0.0)
    availability = Availability()
    for _ in range(10):
        assert not availability.is_ready("kernel")
        for child in availability.compilers:
            child.wait()
    assert len(availability.compilers) == MOST_COMPILERS and not availability.compiling()


def test_nobody_starts_a_compiler_for_what_others_compile(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "WARM_UP", "keyword")
    with contextlib.ExitStack() as held:
        for part in cache.PARTS:
            held.enter_context(locked(own_cache / f"{part}.lock", wait=False))
        availability = Availability()
        assert not availability.is_ready("kernel") and not availability.compilers


def test_a_list_that_appears_is_seen(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "WARM_UP", "keyword")
    monkeypatch.setattr(background, "LOOK_SECONDS", 0.0)
    availability = Availability()
    assert not availability.is_ready("kernel")
    (own_cache / "search.json").write_text(json.dumps({"kernels": ["kernel"], "files": []}))
    assert availability.is_ready("kernel") and not availability.is_ready("other")
    for compiler in availability.compilers:
        compiler.kill()
        compiler.wait()


# Taking up what is there

SWITCH = f"""
import sys
import engine
from engine.compiled import kernel
parser = engine.Parser.preset(engine.load(sys.argv[1]), 3)
for line in sys.stdin:
    parse = parser.parse("{SENTENCE}")
    searches = "engine.chart.chart_kernel.search" in kernel.compiled_kernels()
    print(searches, repr(parse.log_probability), parse.tree, flush=True)
"""


def test_a_running_program_takes_up_what_another_one_compiles(
    classroom_model: Path, classroom: Model, tmp_path: Path
) -> None:
    """A long command on a new machine is slow for as long as compiling takes, and no longer."""
    complete = cache.kernel_folder()
    growing = tmp_path / complete.name
    growing.mkdir()
    with contextlib.ExitStack() as held:
        # Somebody else is at work on all parts.
        for part in cache.PARTS:
            held.enter_context(locked(growing / f"{part}.lock", wait=False))
        command = [sys.executable, "-c", SWITCH, str(classroom_model)]
        program = subprocess.Popen(
            command, env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert program.stdin is not None and program.stdout is not None
        with program:
            for _ in range(3):
                program.stdin.write("parse\n")
                assert program.stdout.readline() == f"False {answer(classroom)}\n"
            shutil.copytree(complete, growing, ignore=shutil.ignore_patterns("*.lock"), dirs_exist_ok=True)
            # It looks now and then: at the latest when so many sentences took longer than that.
            found = ""
            for _ in range(1000):
                program.stdin.write("parse\n")
                found = program.stdout.readline()
                if found.startswith("True"):
                    break
            assert found == f"True {answer(classroom)}\n"
            program.stdin.close()


EVERYTHING = """
import contextlib
import sys
import engine
from engine.compiled import cache, kernel
from engine.compiled.cache import AVAILABILITY
from engine.structure.constraints import Attachment, Bracket
import numpy as np
from engine.rerank.reranker import RERANKER_FORMAT, Reranker
from numba.core import event

class Compilations(event.Listener):
    def on_start(self, event): print("compiled", event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event): pass

event.register("numba:compile", Compilations())
cache.PARTS = cache.PARSING_PARTS  # what else is there does not count
missing = set()
is_ready = AVAILABILITY.is_ready
def noted(name):
    if not is_ready(name):
        missing.add(name)
    return is_ready(name)
AVAILABILITY.is_ready = noted
model = engine.load(sys.argv[1])
text = "Mary saw the man , who had about two dogs , with the telescope ."
for reranks in (False, True):
    if reranks and model.reranker is None:
        about = {"format": RERANKER_FORMAT, "scale": 1.0}
        model = model.with_reranker(Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), about))
    tagged = model.tag(text.split())
    for sentence in (tagged, tagged.sentence):
        for preset in (1, 2, 3, 4, 5):
            for changes in ({}, {"rerank": 0}, {"beam": 20}, {"literal_beam": True}):
                parser = engine.Parser.preset(model, preset, **changes)
                parser.parse(sentence)
                parser.parse(sentence, n_best=3, trace=True)
                for constraints in ([Attachment(2, 1, forbid=True)], [Attachment(2, 1), Bracket(1, 9)]):
                    with contextlib.suppress(engine.ConstraintError):
                        parser.parse(sentence, constraints=constraints, n_best=2)
    engine.Parser.preset(model, 3, distance="order", lexical=False).parse(tagged)
    engine.Parser.preset(model, 5).parse("dog/NN dog/VBD man/DT man/DT")
print("not there", sorted(missing))
print("misses", kernel.cache_misses())
"""


@pytest.mark.parametrize("bundled", ["classroom", pytest.param("english", marks=pytest.mark.robust)])
def test_the_parsing_parts_hold_all_that_parsing_needs(bundled: str, copied_cache: Path) -> None:
    folder = copied_cache / cache.kernel_folder().name
    listed = {name for part in cache.PARSING_PARTS for name in lists(folder)[part]["files"]}
    for path in folder.glob(f"*{KERNEL_SUFFIX}"):
        if path.name not in listed:
            path.unlink()
    model = Path(cache.__file__).parents[2] / "resources" / "models" / f"{bundled}.model"
    assert run(EVERYTHING, model, copied_cache) == ["not there []", "misses {}"]


QUICK = f"""
import sys
import numpy as np
import engine
from engine.compiled import kernel
model = engine.load(sys.argv[1])
parse = engine.Parser.preset(model, 3).parse("{SENTENCE}")
print(repr(parse.log_probability), parse.tree)
print("engine.chart.chart_kernel.search" in kernel.compiled_kernels())
print("numba.np.random.generator_methods" in sys.modules)
from engine.rerank.vote_kernel import shared
print(shared(np.array([1, 2, 3, 5], np.int64), np.array([1, 3, 4, 5], np.int64)))
# Into what no cache holds, what was read from it is compiled all the same.
import numba
twice = numba.njit(lambda keys: 2 * shared(keys, keys))
print(twice(np.array([1, 2, 5], np.int64)))
print("numba.np.random.generator_methods" in sys.modules)
"""


def test_compiled_kernels_are_read_without_the_compiler_which_is_there_when_it_is_needed(
    classroom_model: Path, classroom: Model
) -> None:
    assert run(QUICK, classroom_model) == [answer(classroom), "True", "False", "3", "6", "True"]


def test_a_numba_that_is_not_known_reads_its_cache_in_its_own_way(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba
    from numba.core.caching import FunctionCache

    from engine.compiled.compiler import is_known, keep_compiled

    asked = []

    class Other(FunctionCache):
        def load_overload(self, sig: object, target_context: object, *, lazily: bool = False) -> object:
            asked.append(sig)
            return None

        def save_overload(self, sig: object, data: object) -> None:
            pass

    assert is_known(FunctionCache) and not is_known(Other) and not is_known(int)
    monkeypatch.setattr("numba.core.dispatcher.FunctionCache", Other)
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    other = numba.njit(lambda number: number + 2)
    keep_compiled(other, own_cache, is_entry=True)
    assert other(1) == 3 and len(asked) == 1


# Compiled kernels are read only if they are whole and this user's own; what is not is compiled anew.


VARIANTS = 60
SEARCH = "engine.chart.chart_kernel.search."


def twice(number: int) -> int:
    """What is compiled here."""
    return 2 * number


TWICE = f"{twice.__module__}.{twice.__qualname__}"


@pytest.fixture
def kept_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for this process that holds one kernel, which a part lists."""
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(private_files, "_problem", "")
    assert cache.is_usable()
    assert compiled(is_entry=True)(3) == 6
    cache.compile_part("search", lambda: [TWICE])
    return cache.kernel_folder()


def compiled(is_entry: bool) -> Any:
    """The kernel, which this process knows nothing of yet."""
    import numba

    from engine.compiled.compiler import keep_compiled

    fresh = FunctionType(twice.__code__, twice.__globals__, twice.__name__)
    made = numba.njit(fresh)
    keep_compiled(made, cache.kernel_folder(), is_entry)
    return made


def read(is_entry: bool = True) -> bool:
    """Whether the kernel was read from the cache."""
    made = compiled(is_entry)
    assert made(4) == 8
    return not sum(made.stats.cache_misses.values())


def kernel_file(folder: Path) -> Path:
    """The only one."""
    [path] = folder.glob(f"*{KERNEL_SUFFIX}")
    return path


class Planted:
    """What runs a command when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        """Run it."""
        return os.mkdir, (str(self.marker),)


def damaged(whole: bytes) -> Iterator[bytes]:
    """Files as crashes, disks and editors leave them."""
    chance = random.Random(7)
    for length in (0, 1, 8, 39, 40, 41, len(whole) // 2, len(whole) - 1):
        yield whole[:length]
    yield whole + b"\0"
    yield bytes(len(whole))
    for _ in range(VARIANTS):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        yield bytes(changed)


def test_a_damaged_kernel_is_never_run_and_its_part_is_compiled_anew(kept_cache: Path) -> None:
    path = kernel_file(kept_cache)
    whole = path.read_bytes()
    assert read()
    count = 0
    for content in damaged(whole):
        path.write_bytes(content)
        cache.compile_part("search", lambda: [TWICE])
        assert cache.is_compiled(["search"])
        # What Python calls runs interpreted meanwhile; what kernels call is compiled with them.
        with pytest.raises(KernelDamaged):
            read()
        assert not path.exists() and not cache.is_compiled(["search"]) and "search" in cache.free_parts()
        count += 1
    assert count == VARIANTS + 10
    assert not read() and path.read_bytes()[:8] == whole[:8] and read()
    path.write_bytes(whole[:-1])
    assert not read(is_entry=False) and read()


def test_a_kernel_that_is_listed_and_gone_is_compiled_anew(kept_cache: Path) -> None:
    kernel_file(kept_cache).unlink()
    with pytest.raises(KernelDamaged):
        read()
    assert not cache.is_compiled(["search"]) and not read() and read()


def test_a_kernel_in_the_place_of_another_is_not_run(kept_cache: Path) -> None:
    path = kernel_file(kept_cache)
    made = compiled(is_entry=True)
    assert made(1.5) == 3.0
    [other] = set(kept_cache.glob(f"*{KERNEL_SUFFIX}")) - {path}
    shutil.copy(other, path)
    with pytest.raises(KernelDamaged):
        read()


def test_folders_and_files_are_closed_to_others(kept_cache: Path) -> None:
    old = os.umask(0)
    try:
        kernel_file(kept_cache).unlink()
        assert not read(is_entry=False)
    finally:
        os.umask(old)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (kept_cache, kept_cache.parent, *kept_cache.iterdir())}
    assert len(modes) >= 4
    assert {mode for name, mode in modes.items() if "." in name} == {0o600}
    assert kept_cache.stat().st_mode & 0o777 == kept_cache.parent.stat().st_mode & 0o777 == 0o700


def planted_content(marker: Path) -> bytes:
    """A file of a kernel with a right digest, which runs a command when it is read."""
    content = pickle.dumps(Planted(marker))
    return b"PARSEKR\n" + hashlib.sha256(content).digest() + content


@pytest.mark.parametrize("how", ["writable by others", "another user's", "a link", "a pipe"])
def test_what_another_user_could_have_written_is_not_unpickled(kept_cache: Path, tmp_path: Path, how: str) -> None:
    path, marker = kernel_file(kept_cache), tmp_path / "ran"
    path.unlink()
    if how == "a link":
        (tmp_path / "elsewhere").write_bytes(planted_content(marker))
        path.symlink_to(tmp_path / "elsewhere")
    elif how == "a pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(planted_content(marker))
        path.chmod(0o622 if how == "writable by others" else 0o600)
        if how == "another user's":
            if os.geteuid():
                pytest.skip("only root can give a file to another user")
            os.chown(path, 12345, 12345)
    with pytest.raises(KernelDamaged):
        read()
    assert not marker.exists() and not read() and read()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_not_used(kept_cache: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    path = kernel_file(kept_cache)
    path.write_bytes(planted_content(marker))
    for one in (kept_cache, *kept_cache.iterdir()):
        os.chown(one, 12345, 12345)
    assert not cache.is_usable() and not read() and not marker.exists()
    assert cache.free_parts() == [] and not cache.is_compiled()
    assert private_files.take_cache_problem().count("belongs to another user") == 1
    compile_now()


def test_numbas_own_folder_is_not_used(classroom_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    run(SCRIPT, classroom_model, private_files.cache_folder(), NUMBA_CACHE_DIR=str(folder))
    assert not list(folder.iterdir())


# The whole program


def lists(folder: Path) -> dict[str, dict[str, list[str]]]:
    """What the lists of a cache say, by the name of the part."""
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}


@pytest.fixture
def copied_cache(tmp_path: Path) -> Path:
    """A copy of this machine's cache, which holds everything."""
    compile_now()
    copied = tmp_path / "copied"
    shutil.copytree(cache.kernel_folder(), copied / cache.kernel_folder().name)
    return copied


def test_a_part_lists_its_own_kernels_alone_whoever_compiled_others_before(copied_cache: Path) -> None:
    """Or else one damaged file has parts compiled again that do not need it."""
    folder = copied_cache / cache.kernel_folder().name
    found = []
    for parts in (["tagger", "search"], ["search", "tagger"]):
        for path in folder.glob("*.json"):
            path.unlink()
        command = [sys.executable, "-m", "engine.warm_up", *parts]
        subprocess.run(command, env=environment(copied_cache), check=True)
        found.append(lists(folder))
    assert found[0] == found[1] and set(found[0]) == {"search", "tagger"}
    for part, room in {"search": "engine.chart.chart_kernel.", "tagger": "engine.tagger."}.items():
        kernels, files = found[0][part]["kernels"], found[0][part]["files"]
        assert kernels and all(name.startswith(room) for name in kernels)
        assert len(files) >= len(kernels) and all(name.startswith(room) for name in files)


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "gone"])
def test_a_program_with_a_damaged_cache_works_and_mends_it(
    classroom_model: Path, classroom: Model, copied_cache: Path, damage: str
) -> None:
    folder = copied_cache / cache.kernel_folder().name
    for path in folder.glob(f"{SEARCH}*"):
        whole = path.read_bytes()
        if damage == "gone":
            path.unlink()
        else:
            middle = len(whole) // 2
            changed = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
            path.write_bytes({"empty": b"", "cut": whole[:-100], "changed": changed}[damage])
    _, state, found = run(SCRIPT, classroom_model, copied_cache)
    # Some kernels ran compiled, and a child compiles what was damaged.
    assert state.split()[0] == "True" and state.split()[2] == "True"
    assert found == answer(classroom)
    assert not (folder / "search.json").exists() and (folder / "tagger.json").exists()


def test_what_was_damaged_is_compiled_anew_in_the_background(copied_cache: Path) -> None:
    folder = copied_cache / cache.kernel_folder().name
    files = json.loads((folder / "tagger.json").read_text())["files"]
    damaged_file = min((folder / name for name in files), key=lambda path: path.stat().st_size)
    damaged_file.write_bytes(b"")
    (folder / "tagger.json").unlink()
    (folder / ".tagger.json.1-1.part").write_bytes(b"half")
    command = [sys.executable, "-m", "engine.warm_up", "tagger"]
    with subprocess.Popen(command, env=environment(copied_cache)) as child:
        wait_until(lambda: (folder / "tagger.json").exists() or child.poll() is not None, 120)
        assert child.wait(60) == 0
    listed = cast("dict[str, list[str]]", json.loads((folder / "tagger.json").read_text()))
    assert damaged_file.name in listed["files"] and all(
        (folder / name).stat().st_size > 100 for name in listed["files"]
    )
    assert not list(folder.glob(".*"))
