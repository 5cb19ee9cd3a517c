"""Install wheel and source archive without a network: ``python tests/distribution/check_installation.py``.

Both are built, and put into one folder with all that they need, which takes a network or a local index.  From that
folder alone the wheel is installed with pip, the archive with pip, and the wheel with pipx; then both commands are
tried with an empty home folder, and the data are counted.  All of that runs in a network namespace without interfaces,
where the system has such (``unshare``).  It needs ``pip install '.[bundle]' pipx``, and takes some minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = "parse-explorer"
SENTENCE = "Mary saw the man with the telescope."
COUNT_DATA = (
    "from engine.common.resources import resources_folder as folder\n"
    "print(sum(path.is_file() for path in folder().rglob('*')), folder())"
)


def without_network() -> list[str]:
    """What a command is started by so that it has no network; nothing where the system cannot do so."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    print("no network namespace can be made here; pip is told to use no index, and that is all", file=sys.stderr)
    return []


def run(command: Sequence[str | Path], home: Path, **variables: str) -> str:
    """Run a command with an empty home and without the settings of whoever runs this; what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "XDG_"))}
    # Uncompiled: else children would go on compiling in a folder that is about to be removed.
    fixed = {"HOME": str(home), "PIP_CONFIG_FILE": os.devnull, "NUMBA_DISABLE_JIT": "1"}
    environment = kept | fixed | variables
    done = subprocess.run(list(map(str, command)), env=environment, cwd=home, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fill(folder: Path) -> tuple[Path, Path]:
    """Build wheel and archive into a folder, and put beside them all that they need to be installed."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, PROJECT], check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    (archive,) = folder.glob("*.tar.gz")
    # setuptools builds a wheel of the archive, and pipx wants a new pip of its own.
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)]
    subprocess.run([*command, str(wheel), "setuptools>=77", "pip"], check=True)
    return wheel, archive


def check(commands: Path, python: Path, home: Path, alone: list[str]) -> None:
    """See that both commands work, and that models, manual, lessons, icons and fonts are found."""
    version = run([*alone, commands / PACKAGE, "--version"], home).strip()
    sentences = home / "sentences.txt"
    sentences.write_text(SENTENCE + "\n", "utf-8")
    started = time.monotonic()
    tree = run([*alone, commands / "parse-engine", "parse", "--model", "classroom", sentences], home).strip()
    seconds = time.monotonic() - started
    run([*alone, commands / PACKAGE, "--model", "classroom", "--export", home / "parse.svg", SENTENCE], home)
    count, _, folder = run([*alone, python, "-c", COUNT_DATA], home).strip().partition(" ")
    lesson = next(Path(folder).glob("lessons/*.md"))
    run([*alone, commands / PACKAGE, "--handout", home / "handout.pdf", lesson], home)
    wanted = sum(path.is_file() for path in (PROJECT / "resources").rglob("*"))
    if int(count) != wanted or not tree.startswith("(S "):
        raise SystemExit(f"{count} of {wanted} files of data are installed, and the parse is {tree!r}")
    print(f"  {version}; {count} files of data; a first parse in {seconds:.1f} s; a picture, a handout", flush=True)


def main() -> int:
    """Install in three ways, and try each."""
    argparse.ArgumentParser(description="Install wheel and source archive without a network.").parse_args()
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        folder = place / "folder"
        folder.mkdir()
        wheel, archive = fill(folder)
        print(
            f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {archive.name}: {archive.stat().st_size / 1e6:.1f} MB"
        )
        alone = without_network()
        offline = ["--no-index", "--find-links", str(folder)]
        for way, what in (("wheel", PACKAGE), ("source archive", str(archive))):
            print(f"pip, {way}", flush=True)
            home, environment = place / f"home of {way}", place / f"environment of {way}"
            home.mkdir()
            run([sys.executable, "-m", "venv", environment], home)
            run([*alone, environment / "bin" / "python", "-m", "pip", "install", *offline, what], home)
            check(environment / "bin", environment / "bin" / "python", home, alone)
        print("pipx, wheel", flush=True)
        home, pipx = place / "home of pipx", place / "pipx"
        home.mkdir()
        variables = {"PIPX_HOME": str(pipx), "PIPX_BIN_DIR": str(pipx / "bin"), "PIPX_MAN_DIR": str(pipx / "man")}
        pip_arguments = f"--pip-args=--no-index --find-links '{folder}'"
        run([*alone, sys.executable, "-m", "pipx", "install", pip_arguments, PACKAGE], home, **variables)
        check(pipx / "bin", pipx / "venvs" / PACKAGE / "bin" / "python", home, alone)
    return 0


if __name__ == "__main__":
    sys.exit(main())
