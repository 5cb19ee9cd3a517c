"""One parser asked from several threads, and parsers, parses and models sent to other processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.compiled.kernel import use_compiled
from engine.model.model import Model
from tests.trained import reranked_file

SENTENCES = (
    "Mr./NNP Smith/NNP saw/VBD the/DT man/NN with/IN a/DT dog/NN ./.",
    "The/DT cat/NN sat/VBD ./.",
    "John/NNP ,/, who/WP saw/VBD Mary/NNP and/CC the/DT men/NNS in/IN the/DT park/NN ,/, left/VBD ./.",
    "dog/NN dog/VBD man/DT man/DT",
)
ASK = """
import sys, threading
from engine.chart.parser import Parser
from engine.model.model import Model
from engine.compiled.kernel import use_compiled

use_compiled()
model = Model.load(sys.argv[1])
sentences = sys.argv[2:]
parser = Parser.preset(model, 5)
expected = {text: str(Parser.preset(model, 5).parse(text, n_best=5).tree) for text in sentences}
wrong = []

def ask(first):
    for turn in range(60):
        text = sentences[(first + turn) % len(sentences)]
        kind = turn % 4
        if kind == 0:
            parser.trace_last() if turn else None
        elif kind == 1:
            list(parser.derivations(model.read_tagged(text), 20))
        elif kind == 2:
            parser.forest(model.read_tagged(text), -60.0, beam=50.0)
        found = str(parser.parse(text, n_best=5).tree)
        if found != expected[text]:
            wrong.append(found)

threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(wrong))
"""
TREES = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog))))) (. .))",
    "(S (NP (NNP Mary)) (VP (VBD left)) (. .))",
)


@pytest.fixture(scope="module")
def model() -> Model:
    """A model of a file, with all that a model can have."""
    return Model.load(reranked_file(5))


def test_threads_that_ask_one_parser_have_the_answers_of_their_own(model: Model) -> None:
    use_compiled()
    ran = subprocess.run(
        [sys.executable, "-c", ASK, str(reranked_file(5)), *SENTENCES], capture_output=True, text=True, timeout=300
    )
    assert (ran.returncode, ran.stdout) == (0, "0\n"), ran.stderr[-2000:]
