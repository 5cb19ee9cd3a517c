"""What must be the same on every machine for results to be those of one process: program, libraries, system."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from engine.evaluation.experiments.trial_bench import program_fingerprint

PROGRAM = "Parse Explorer"
_DIGITS = 8


@cache
def versions() -> dict[str, str]:
    """What this process runs, by name."""
    try:
        program = version("parse-explorer")
    except PackageNotFoundError:
        program = "not installed"
    return {
        PROGRAM: f"{program} (source {program_fingerprint()[:_DIGITS]})",
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "the system": f"{platform.system()} {platform.machine()}",
    }


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """What another process has that is not what we have, in words; nothing if all is the same."""
    return [
        f"{name} {theirs.get(name, 'missing')} instead of {wanted}"
        for name, wanted in ours.items()
        if theirs.get(name) != wanted
    ]


def misfit_sentence(worker: str, differing: list[str]) -> str:
    """Say who differs, and what to do."""
    return (
        f"worker {worker} has {', '.join(differing)}; its results might differ, so install there what is here, "
        "or start the worker from the same environment"
    )
