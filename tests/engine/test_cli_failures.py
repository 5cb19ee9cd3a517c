"""What ``parse-engine`` says and returns when something is wrong: command lines, models, signals, pipes."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, NoReturn

import pytest

from engine.common.terminal import Console, clock
from engine.gate.array_file import MAGIC, MODEL_FORMAT
from tests.engine.command_runner import Cli

JOHN = "John/NNP saw/VBD a/DT dog/NN ./."
COMMAND = [sys.executable, "-m", "engine"]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["train"],
        ["train", "x"],
        ["parse", "--preset", "0"],
        ["parse", "--jobs", "0"],
        ["parse", "--jobs", "many"],
        ["parse", "--n-best", "101"],
        ["parse", "--beam", "wide"],
        ["evaluate", "x", "--max-length", "0"],
        ["experiment", "unheard-of"],
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(cli: Cli, arguments: list[str]) -> None:
    ran = cli(*arguments)
    assert ran.status == 2 and ran.out == ""
    assert ran.err.count("\n") == 1 and "--help" in ran.err


@pytest.mark.parametrize(
    "arguments", [["--help"], ["parse", "--help"], ["experiment", "distances", "-h"], ["--version"]]
)
def test_help_is_no_error(cli: Cli, arguments: list[str]) -> None:
    ran = cli(*arguments)
    assert ran.status == 0 and "parse-engine" in ran.out and ran.err == ""


@pytest.mark.parametrize("arguments", [["parse"], ["evaluate", "x"], ["explain", JOHN]])
def test_without_a_model_there_is_one_clear_sentence(
    cli: Cli, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.common.resources.bundled_models", dict)
    ran = cli(*arguments)
    assert ran.status == 2 and "--model" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("options", [["--beam", "1"], ["--beam", "nan"], ["--threshold", "5"]])
def test_settings_out_of_range_are_refused(cli: Cli, classroom_model: Path, options: list[str]) -> None:
    ran = cli("parse", "--model", classroom_model, *options, stdin=JOHN)
    assert ran.status == 2 and ran.out == "" and ran.err.count("\n") == 1


def refused(cli: Cli, path: Path, message: str = "") -> None:
    for arguments in (["info", path], ["parse", "--model", path]):
        ran = cli(*arguments, stdin=JOHN)
        assert ran.status == 2 and ran.out == ""
        assert ran.err.count("\n") == 1 and str(path) in ran.err and message in ran.err


def test_what_is_no_model_is_refused(cli: Cli, tmp_path: Path) -> None:
    refused(cli, tmp_path / "missing", "no such model file")
    refused(cli, tmp_path)
    (tmp_path / "text").write_text("This is not a model. " * 50)
    refused(cli, tmp_path / "text", "not a model file")
    (tmp_path / "empty").write_bytes(b"")
    refused(cli, tmp_path / "empty")


def test_a_truncated_model_is_refused_wherever_it_ends(cli: Cli, tmp_path: Path, classroom_model: Path) -> None:
    data = classroom_model.read_bytes()
    path = tmp_path / "cut.model"
    for part in range(20):
        path.write_bytes(data[: len(data) * part // 20])
        refused(cli, path)
    path.write_bytes(data[:-1])
    refused(cli, path, "cut short")
    path.write_bytes(data + b"\0")
    refused(cli, path)


def test_a_model_with_one_byte_altered_is_refused(cli: Cli, tmp_path: Path, classroom_model: Path) -> None:
    data = classroom_model.read_bytes()
    path = tmp_path / "altered.model"
    header = struct.unpack("<I", data[len(MAGIC) : len(MAGIC) + 4])[0]
    places = [0, 5, len(MAGIC), len(MAGIC) + 5, 100, header // 2, *range(header + 100, len(data), len(data) // 10)]
    described = json.loads(data[len(MAGIC) + 8 : len(MAGIC) + 8 + header])["arrays"]
    start = -(-(len(MAGIC) + 8 + header) // 64) * 64
    ends = [start + item["offset"] for item in described.values()]
    for place in [*places, *ends]:
        if place >= len(data) or _is_padding(place, start, described):
            continue
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :])
        refused(cli, path)


def _is_padding(place: int, start: int, described: dict[str, Any]) -> bool:
    if place < start:
        return False
    for item in described.values():
        size = int(item["type"][-1])
        for count in item["shape"]:
            size *= count
        if item["offset"] <= place - start < item["offset"] + size:
            return False
    return True


def test_a_model_of_a_newer_format_is_refused(cli: Cli, tmp_path: Path, classroom_model: Path) -> None:
    data = classroom_model.read_bytes()
    length = struct.unpack("<I", data[len(MAGIC) : len(MAGIC) + 4])[0]
    header = json.loads(data[len(MAGIC) + 8 : len(MAGIC) + 8 + length])
    header["format"] += 1
    text = json.dumps(header).encode()
    path = tmp_path / "newer.model"
    path.write_bytes(MAGIC + struct.pack("<II", len(text), zlib.crc32(text)) + text + data[length:])
    refused(cli, path, f"has format {MODEL_FORMAT + 1}")


def test_an_error_of_our_own_is_one_sentence_unless_debugging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.cli import command_line as module
    from engine.cli import info as info_command

    def fail(arguments: object, console: object) -> NoReturn:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(info_command, "run", fail)
    assert module.main(["info", "x"]) == 2
    shown = capsys.readouterr().err
    assert "ZeroDivisionError: oops" in shown and shown.count("\n") == 1
    monkeypatch.setenv(module.DEBUG_VARIABLE, "1")
    with pytest.raises(ZeroDivisionError):
        module.main(["info", "x"])


def test_a_closed_pipe_is_not_an_error(classroom_model: Path, tmp_path: Path) -> None:
    source = tmp_path / "many.txt"
    source.write_text((JOHN + "\n") * 5000)
    command = [*COMMAND, "parse", str(source), "--model", str(classroom_model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"(S ")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_one_sentence(classroom_model: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [*COMMAND, "info", str(classroom_model)]
        process = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=60)
    assert process.returncode == 2
    assert process.stderr.count(b"\n") == 1 and b"No space left" in process.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("jobs", "sent", "status"), [(1, "SIGINT", 130), (2, "SIGINT", 130), (2, "SIGTERM", 143)])
def test_sentences_stream_and_stopping_is_quiet(classroom_model: Path, jobs: int, sent: str, status: int) -> None:
    command = [*COMMAND, "parse", "--model", str(classroom_model), "--jobs", str(jobs)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, start_new_session=True) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        # One job answers a line before the next is there; two wait for as many as keep them busy.
        process.stdin.write(f"{JOHN}\n".encode() * (1 if jobs == 1 else 600))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"(S ")
        # To the whole group, as a terminal does.
        os.killpg(process.pid, getattr(signal, sent))
        process.stdin.close()
        process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(30) == status


def test_the_engine_needs_neither_qt_nor_matplotlib() -> None:
    code = (
        "import pkgutil, sys, importlib, engine\n"
        "for module in pkgutil.walk_packages(engine.__path__, 'engine.'): importlib.import_module(module.name)\n"
        "print(*sorted(name.split('.')[0] for name in sys.modules))\n"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    names = set(loaded.stdout.split())
    assert "engine" in names
    assert not names & {"PySide6", "shiboken6", "matplotlib", "explorer"}


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self, live: bool = True) -> None:
        self.text = ""
        self.live = live

    def isatty(self) -> bool:
        return self.live

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for live in (True, False):
        stream = Terminal(live)
        monkeypatch.setattr(sys, "stderr", stream)
        console = Console()
        with console.bar("parsing") as bar:
            bar.update(0.5, "7 sentences")
            console.warning("careful")
            bar.update(None, "8 sentences")
            bar.stage("writing", 0.25)
        if live:
            assert "parsing  [===============...............]  50%  7 sentences" in stream.text
            assert "8 sentences" in stream.text
            # The line is wiped before a message and at the end.
            assert stream.text.endswith("\r") and " \rparse-engine: warning: careful\n" in stream.text
        else:
            assert stream.text == "parse-engine: warning: careful\n"


def test_the_time_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    now = [0.0]
    monkeypatch.setattr("engine.common.terminal.time.monotonic", lambda: now[0])
    console = Console()
    with console.bar("reading") as bar:
        now[0] = 30.0
        bar.update(0.25)
    assert "1:30 left" in stream.text
    with console.bar("training") as bar:
        now[0] = 100.0
        bar.stage("models", 0.0)
        now[0] = 110.0
        # Another part of the same work, which goes on where the first stopped.
        bar.stage("lists", 0.2)
        assert "0:40 left" in stream.text
        now[0] = 120.0
        bar.stage("writing", 0.0)
        now[0] = 121.0
        bar.stage("writing", 0.1)
        assert "0:09 left" in stream.text
    assert [clock(7.2), clock(750), clock(3723)] == ["0:07", "12:30", "1:02:03"]


def test_no_message_steers_a_terminal(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[31m\n.txt"
    file.write_text("a/ \n\x1b]0;title\x07a/QQ\x1b[2Jsaw/QQ\n", encoding="utf-8")
    ran = cli("parse", file, "--model", classroom_model, "--tags", "gold")
    assert ran.status == 1 and ran.err.count("\n") == 2
    assert "[31m" in ran.err and "QQ" in ran.err and not {"\x1b", "\x07"} & set(ran.err)
