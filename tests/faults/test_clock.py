"""The clock goes back, by an hour or by ten years, before or while files are written: nothing is lost, nothing waits.

The machine's own clock stays as it is.  That it went back since a file was written is that the file's time is still to
come; that it goes back meanwhile is that Python is told ever earlier times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cluster import worker as file_store
from engine.common.files import new_part
from engine.gate.private_files import CACHE_VARIABLE, cache_folder
from engine.model import file_cache as file_checks
from engine.model import file_cache as unpacking
from engine.model.file_cache import FileChecks
from engine.study.experiment_run import ExperimentRun, Supervision
from engine.study.experiments import ExperimentOptions
from explorer.session.document import Document, TextLine
from explorer.session.files import StoredSession, read_session
from explorer.session.preferences import Preferences
from tests.faults.dying_child import run_child
from tests.faults.writers import CLASSROOM, NAMES, Writer, all_writers
from tests.stage_names import GAPS

HOUR, TEN_YEARS = 3600.0, 10 * 365.25 * 24 * 3600.0
STEPS = pytest.mark.parametrize("seconds", [HOUR, TEN_YEARS], ids=["hour", "ten-years"])
LONGEST = 30.0
"""Seconds that nothing here takes unless it waits."""
SLOW = ("plot (distances)",)
CACHED = ("unpack", "compile", "evidence index")
"""Writers that have nothing to do when all is there."""


def set_back(folder: Path, seconds: float) -> None:
    """The clock goes back: what is in a folder will have been written so much later."""
    for path in [folder, *folder.rglob("*")]:
        later = path.lstat().st_mtime + seconds
        os.utime(path, (later, later))


def with_clock_going_back(work: Callable[[], object], seconds: float) -> Callable[[], object]:
    """The same work, for which it is earlier whenever it asks."""

    def run() -> object:
        seconds_now, nanoseconds_now, asked = time.time, time.time_ns, 0

        def gone() -> float:
            nonlocal asked
            asked += 1
            return seconds * asked

        time.time = lambda: seconds_now() - gone()
        time.time_ns = lambda: nanoseconds_now() - int(gone() * 1e9)
        return work()

    return run


@pytest.fixture
def writer(request: pytest.FixtureRequest, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """One of the writers, with an empty cache that its children may use."""
    monkeypatch.setattr(unpacking, "LEAST_BYTES", unpacking.LEAST_BYTES)
    monkeypatch.setenv(CACHE_VARIABLE, str(cache_folder()))
    return next(one for one in all_writers(small) if one.name == request.param)


@STEPS
@pytest.mark.parametrize("writer", [name for name in NAMES if name not in SLOW], indirect=True)
def test_what_was_written_is_found_and_replaced(
    writer: Writer, seconds: float, tmp_path: Path, tried: Callable[[str], None]
) -> None:
    folder, temporary = tmp_path / "folder", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    writer.prepare(folder)
    began = time.monotonic()
    assert run_child(with_clock_going_back(lambda: writer.work(folder), seconds), temporary) == 0
    writer.check(folder, True)
    for path in list(folder.iterdir()):
        # What a writer has left that was ended by force.
        part, file = new_part(path)
        file.close()
        assert part.exists()
    set_back(folder, seconds)
    kept = {path: path.stat().st_ino for path in folder.rglob("*") if path.is_file() and path.suffix != ".part"}
    assert run_child(lambda: writer.work(folder), temporary) == 0
    writer.check(folder, True)
    assert time.monotonic() - began < LONGEST
    if writer.name in CACHED:
        assert kept and all(path.stat().st_ino == number for path, number in kept.items())
    else:
        assert not list(folder.rglob(".*"))
    tried("clock goes back: " + writer.name)


@STEPS
def test_the_last_of_many_models_is_remembered_as_checked(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Callable[[str], None]
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    now = time.time_ns()
    path = tmp_path / "a.model"
    path.write_bytes(CLASSROOM.read_bytes())
    # The file was written before the clock went back.
    monkeypatch.setattr(time, "time_ns", lambda: now - int(seconds * 1e9))
    FileChecks(path).remember()
    assert FileChecks(path).are_remembered
    names = tmp_path / "cache" / "checked-models"
    for number in range(file_checks.KEPT_NAMES):
        (names / f"other-{number}").touch()
    set_back(names, seconds)
    other = tmp_path / "b.model"
    other.write_bytes(CLASSROOM.read_bytes())
    third = tmp_path / "c.model"
    third.write_bytes(CLASSROOM.read_bytes())
    for one in (other, third):
        FileChecks(one).remember()
    assert FileChecks(other).are_remembered and FileChecks(third).are_remembered
    assert len(list(names.iterdir())) == file_checks.KEPT_NAMES
    # One that was changed at this very moment may be changed again without showing it.
    monkeypatch.undo()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    third.write_bytes(CLASSROOM.read_bytes())
    os.utime(third, (now / 1e9 + seconds, now / 1e9 + seconds))
    FileChecks(third).remember()
    assert not FileChecks(third).are_remembered
    tried("clock goes back: checks of a model")


@STEPS
@pytest.mark.parametrize("direction", [1, -1], ids=["back", "right-again"])
def test_an_experiment_goes_on(
    seconds: float, direction: int, small: Path, tmp_path: Path, tried: Callable[[str], None]
) -> None:
    options = ExperimentOptions(experiment="models", models=(str(CLASSROOM),), test=(str(small),), presets=(1,))
    run = ExperimentRun.open(options)
    journal = run.journal(tmp_path)
    run.measure(journal, Supervision(lambda share, what: None))
    # Written when the clock was right, or when it was wrong.
    set_back(tmp_path, direction * seconds)
    assert run.known(run.journal(tmp_path)) == 1
    tried("clock goes back: experiment")


@STEPS
def test_what_a_cluster_was_sent_is_noted_as_used(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Callable[[str], None]
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    source = tmp_path / "source"
    source.write_bytes(b"content")
    file = file_store.work_file(source)
    file_store.receive(file, "sender", 0, b"content")
    place = file_store.place_in_store(file)
    set_back(place.parent, seconds + HOUR)
    assert file_store.find(file) == place
    assert abs(time.time() - place.stat().st_mtime) < HOUR
    tried("clock goes back: a cluster's files")


@STEPS
def test_no_sentence_of_a_window_is_lost(seconds: float, tmp_path: Path, tried: Callable[[str], None]) -> None:
    def session(text: str) -> StoredSession:
        return StoredSession(Document(lines=(TextLine(text),)), GAPS)

    def texts() -> set[str]:
        files = [*tmp_path.glob("recovery-*.json"), *tmp_path.glob("earlier/*.json"), tmp_path / "last-session.json"]
        return {line.text for file in files for line in read_session(file).document.lines}

    Preferences(tmp_path).save_last(session("the/DT last/JJ"))
    running = Preferences(tmp_path).recovery
    running.save(session("still/RB running/VBG"))
    wanted = {"the/DT last/JJ", "still/RB running/VBG"}
    for number in range(4):
        ended = Preferences(tmp_path).recovery
        ended.save(session(f"number/NN {number}/CD"))
        ended.clear(keep=True)
        wanted.add(f"number/NN {number}/CD")
        # Each is written when it is earlier than before.
        set_back(tmp_path, seconds)
    began = time.monotonic()
    for _ in range(2):
        started = Preferences(tmp_path)
        found = started.take_over(wanted=True)
        assert found.session is not None and not found.damaged and texts() == wanted
        started.recovery.save(found.session, started.recovery.taken_over)
        assert texts() == wanted
        set_back(tmp_path, seconds)
        # It is ended by force, too.
        started.recovery.clear(keep=True)
    closing = Preferences(tmp_path)
    closing.save_last(session("another/DT one/NN"))
    assert texts() == wanted | {"another/DT one/NN"} and running.path.exists()
    running.clear()
    assert time.monotonic() - began < LONGEST
    tried("clock goes back: sessions and recovery")
