"""Standard streams that are closed or full: one sentence, and never a file that takes a stream's place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SENTENCE = "John/NNP saw/VBD a/DT dog/NN ./."
TREE = "(S (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")


@pytest.mark.parametrize(
    ("redirection", "status", "out", "err"),
    [
        ("2>&-", 0, TREE, ""),
        ("<&-", 2, "", "parse-engine: error: standard input: cannot be read (Bad file descriptor)\n"),
        (">&-", 2, "", "parse-engine: error: standard output: Bad file descriptor\n"),
        (">/dev/full", 2, "", "parse-engine: error: standard output: No space left on device\n"),
        ("<&- >&- 2>&-", 2, "", ""),
        (">/dev/full 2>&-", 2, "", ""),
        ("2>/dev/full", 0, TREE, ""),
    ],
)
def test_streams_that_are_closed(classroom_model: Path, redirection: str, status: int, out: str, err: str) -> None:
    command = f'"$0" -m engine parse - --model "$1" {redirection}'
    ran = subprocess.run(
        ["sh", "-c", command, sys.executable, str(classroom_model)], input=SENTENCE, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, out, err)


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
@pytest.mark.parametrize("arguments", ["--help", "--version", "convert --help"])
def test_help_for_nobody(redirection: str, arguments: str) -> None:
    command = f'"$0" -m engine {arguments} {redirection}'
    ran = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stderr == ""


ESCAPES = "(S (NP (NN a\x1b]0;title\x07b)) (VP (VBD \x9b31mred)))\n"
"""Words that change the title of a terminal, and its colour."""


def test_words_do_not_steer_a_terminal_and_go_to_a_file_as_they_are(tmp_path: Path) -> None:
    trees = tmp_path / "trees.ptb"
    trees.write_text(ESCAPES, encoding="utf-8")
    command = [sys.executable, "-m", "engine", "convert", str(trees), "--to", "brackets"]
    assert subprocess.run(command, capture_output=True, check=True).stdout.decode() == ESCAPES
    ours, theirs = os.openpty()
    subprocess.run(command, stdout=theirs, stdin=subprocess.DEVNULL, check=True)
    os.close(theirs)
    with open(ours, "rb", buffering=0) as terminal:
        shown = terminal.read(4096).decode()
    assert shown.replace("\r\n", "\n") == "(S (NP (NN a\ufffd]0;title\ufffdb)) (VP (VBD \ufffd31mred)))\n"
