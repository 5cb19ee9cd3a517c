"""``parse-explorer --diagnose``: what a report of a fault needs, wherever and however broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def diagnose(home: Path, *options: str, **variables: str) -> str:
    """What the command prints."""
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")},
        "PYTHONPATH": str(ROOT),
        "PARSE_EXPLORER_HOME": str(home),
        **variables,
    }
    command = [sys.executable, "-m", "explorer", "--diagnose", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a screen")
def test_everything_is_told_without_a_screen(tmp_path: Path) -> None:
    told = json.loads(diagnose(tmp_path, "--json"))
    for name in (
        "Parse Explorer",
        "Python",
        "System",
        "PySide6-Essentials",
        "numpy",
        "numba",
        "llvmlite",
        "matplotlib",
    ):
        assert told[name] and "PROBLEM" not in told[name], name
    assert told["Screen"].startswith("none") and told["Platform plugin"] == "offscreen"
    assert "families" in told["Fonts"] and "compiled" in told["Compiled kernels"] and "700" in told["Cache"]
    assert "opens" in told["Model classroom"] and "fingerprint" in told["Model english"]
    assert "crash reports" in told["Preferences"] and str(Path.home()) + "/" not in json.dumps(told)


def test_a_broken_installation_tells_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('no such library')")
    told = diagnose(tmp_path, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert "numpy: PROBLEM: ImportError: no such library" in told
    assert "Python: 3." in told and "Cache: " in told and told.count("PROBLEM") >= 3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a screen")
def test_a_display_that_is_not_there_is_told(tmp_path: Path) -> None:
    told = diagnose(tmp_path, DISPLAY=":987")
    assert "Qt: PROBLEM: it ends with SIGABRT" in told or "Screen: none" in told
    assert "Model classroom: opens" in told
