"""The first sentence on a new machine does not wait for the compiler, and a read-only installation works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from engine.chart.parser import Parser
from engine.common.files import locked
from engine.model.model import Model

SCRIPT = """
import sys, time
start = time.perf_counter()
import engine
from engine.compiled import cache, kernel
model = engine.load(sys.argv[1])
parse = engine.Parser.preset(model, 3).parse("Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.")
print(time.perf_counter() - start)
print("numba" in sys.modules, bool(kernel.compiled_kernels()), cache.compiling())
print(repr(parse.log_probability), parse.tree)
[compiler.kill() for compiler in cache._compilers]
"""


def run(model: Path, cache: Path) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment["PARSE_ENGINE_CACHE"] = str(cache)
    command = [sys.executable, "-c", SCRIPT, str(model)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()


def test_the_first_sentence_comes_back_before_anything_is_compiled(
    classroom_model: Path, classroom: Model, tmp_path: Path
) -> None:
    seconds, state, answer = run(classroom_model, tmp_path / "empty")
    assert float(seconds) < 5
    assert state == "False False True"
    best = Parser.preset(classroom, 3).parse("Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.")
    assert answer == f"{best.log_probability!r} {best.tree}"


def test_a_cache_that_cannot_be_written_is_no_obstacle(classroom_model: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    _, state, answer = run(classroom_model, blocked / "cache")
    assert state.startswith("False False")
    assert "(S " in answer


def test_one_process_at_a_time_compiles(tmp_path: Path) -> None:
    """Five commands in a row on a new machine must not compile five times over."""
    lock = tmp_path / "lock"
    holder = "import sys; from pathlib import Path; from engine.common.files import locked\n"
    holder += "with locked(Path(sys.argv[1]), False) as held: print(held, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", holder, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        with locked(lock, wait=False) as held:
            assert not held
        # However it ends, the lock is free again.
        other.kill()
    with locked(lock, wait=True) as held:
        assert held


QUICK = """
import sys
import numpy as np
import engine
model = engine.load(sys.argv[1])
parse = engine.Parser.preset(model, 3).parse("Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.")
print(repr(parse.log_probability), parse.tree)
print("numba.np.random.generator_methods" in sys.modules)
from engine.counts.counting_kernel import different
print(different(np.array([1, 1, 2, 5], np.int64)))
# Into what no cache holds, what was read from it is compiled all the same.
import numba
twice = numba.njit(lambda keys: 2 * different(keys))
print(twice(np.array([1, 1, 2, 5], np.int64)))
print("numba.np.random.generator_methods" in sys.modules)
"""


def test_compiled_kernels_are_read_without_the_compiler_which_is_there_when_it_is_needed(
    classroom_model: Path, classroom: Model
) -> None:
    command = [sys.executable, "-c", QUICK, str(classroom_model)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    best = Parser.preset(classroom, 3).parse("Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.")
    assert lines == [f"{best.log_probability!r} {best.tree}", "False", "3", "6", "True"]


def test_a_numba_that_is_not_known_reads_its_cache_in_its_own_way() -> None:
    import numba
    from numba.core.caching import FunctionCache

    from engine.compiled.cache_reading import is_known, read_quickly

    class Other(FunctionCache):
        def load_overload(self, sig: object, target_context: object, *, lazily: bool = False) -> object:
            return None

    assert is_known(FunctionCache) and not is_known(Other) and not is_known(int)
    plain = numba.njit(lambda number: number + 1)
    assert not read_quickly(plain) and plain(1) == 2
    plain._cache = Other.__new__(Other)
    assert not read_quickly(plain) and type(plain._cache) is Other
