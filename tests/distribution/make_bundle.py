"""Make the bundle for people without Python: ``python tests/distribution/make_bundle.py [FOLDER]``.

One folder with both commands, Python, Qt, models, lessons and manual, and the compiled kernels; and the same packed.
It needs ``pip install '.[bundle]'``, a few minutes, and no network.  It runs on systems of the kind that it is made
on, and on Linux with a C library that is at least as new.

It stands with the tests because, like them, it is for those who change the program: nothing of it is installed.
"""

from __future__ import annotations

import argparse
import compileall
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from py_compile import PycInvalidationMode

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.common.resources import program_version
from engine.common.this_program import RUN_MODULE
from engine.compiled.cache import PARTS, WARM_UP
from engine.gate.array_file import is_packed, read_arrays, write_arrays
from engine.model.counts_file import unpacked

PROJECT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NAME = "parse-explorer"
INNER = "_internal"
"""PyInstaller's name for the folder of everything that is not a program."""
PACKAGES = ("engine", "explorer")
COMPILERS = 2
PROGRAM_SUFFIX = ".exe" if sys.platform == "win32" else ""


def freeze(folder: Path) -> Path:
    """Have PyInstaller collect programs, libraries and data; the folder of the bundle."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--workpath", work]
        subprocess.run([*command, "--distpath", str(folder), str(HERE / "bundle.spec")], cwd=PROJECT, check=True)
    return folder / NAME


def compile_modules(bundle: Path) -> None:
    """Compile the program's own modules to bytecode, which nobody will be asked to look at again."""
    inner = bundle / INNER
    for package in PACKAGES:
        done = compileall.compile_dir(
            inner / package, stripdir=str(inner), quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
        )
        if not done:
            raise SystemExit(f"{package}: not every module can be compiled")


def compile_kernels(bundle: Path) -> None:
    """Have the bundle's own program compile all kernels, and put them where it will look for them."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PARSE_ENGINE_CACHE": cache}
        for name in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"):
            environment.pop(name, None)
        command = [str(bundle / f"parse-engine{PROGRAM_SUFFIX}"), RUN_MODULE, WARM_UP]
        # The second takes the parts that the first is not at work on.
        compilers = [subprocess.Popen(command, env=environment) for _ in range(COMPILERS)]
        if any([compiler.wait() for compiler in compilers]):
            raise SystemExit("the bundle's program failed to compile its kernels")
        (made,) = Path(cache).glob("kernels-*")
        missing = [part for part in PARTS if not (made / f"{part}.json").is_file()]
        if missing:
            raise SystemExit(f"these parts of the kernels were not compiled: {', '.join(missing)}")
        target = bundle / INNER / "kernels" / made.name
        shutil.copytree(made, target, ignore=shutil.ignore_patterns("*.lock"))
    for path in target.rglob("*"):
        # Whoever unpacks the bundle for others wants them to be able to read it, and nobody to write it.
        path.chmod(0o755 if path.is_dir() else 0o644)


def unpack_models(bundle: Path) -> None:
    """Put models there as they are used, so that nobody waits until one is unpacked; the bundle itself is packed."""
    for model in (bundle / INNER / "resources" / "models").glob("*.model"):
        if is_packed(model):
            write_arrays(model, *unpacked(*read_arrays(model)))


def add_texts(bundle: Path) -> None:
    """Put the licence and what to read first where somebody who opens the folder sees them."""
    shutil.copy(PROJECT / "LICENSE", bundle / "LICENSE")
    text = (HERE / "bundle-readme.txt").read_text("utf-8")
    (bundle / "README.txt").write_text(text.replace("VERSION", program_version()), "utf-8")


def pack(bundle: Path) -> Path:
    """The bundle in one file."""
    packed = bundle.parent / f"{NAME}-{program_version()}-{sys.platform}-{platform.machine()}.tar.xz"

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        return entry

    with tarfile.open(packed, "w:xz", preset=6) as archive:
        archive.add(bundle, bundle.name, filter=plain)
    return packed


def unpacked_size(bundle: Path) -> int:
    """The bytes of all files of a folder."""
    return sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file() and not path.is_symlink())


def main() -> int:
    """Make the bundle, step by step."""
    parser = argparse.ArgumentParser(description="Make the bundle for people without Python.")
    parser.add_argument("folder", nargs="?", default=str(PROJECT / "dist"), help="where to put it (dist)")
    folder = Path(parser.parse_args().folder).resolve()
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {text}", flush=True)

    say("collecting programs, libraries and data")
    bundle = freeze(folder)
    compile_modules(bundle)
    unpack_models(bundle)
    say("compiling kernels")
    compile_kernels(bundle)
    add_texts(bundle)
    say(f"{bundle}: {unpacked_size(bundle) / 1e6:.0f} MB; packing")
    packed = pack(bundle)
    say(f"{packed}: {packed.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
