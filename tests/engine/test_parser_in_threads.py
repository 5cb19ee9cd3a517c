"""One parser asked from several threads, and parsers, parses and models sent to other processes."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from multiprocessing import get_context
from pathlib import Path

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import ModelError
from engine.compiled.kernel import use_compiled
from engine.model.model import Model
from engine.training.train import train
from engine.trees.reading import read_tree
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


def _told(parse: Parse) -> list[object]:
    """All that is asked of a parse, and of the others of its list."""
    return [
        [str(one.tree), one.log_probability, one.score, one.arrows, one.gap_tags, one.ledger().total, one.expected_f1]
        for one in parse.alternatives
    ]


@pytest.mark.parametrize("preset", [1, 3, 5])
@pytest.mark.parametrize("text", SENTENCES)
def test_a_parse_is_sent_without_its_model(model: Model, preset: int, text: str) -> None:
    parse = Parser.preset(model, preset).parse(text, n_best=5, trace=True)
    sent = pickle.dumps(parse)
    sample = model.counts.contexts[:64].tobytes()
    assert sample not in sent and len(sent) < 400_000
    again = pickle.loads(sent)
    assert again.model is model
    assert _told(again) == _told(parse) and len(again.chart) == len(parse.chart or ())
    assert again.alternatives[0] is again
    assert _told(deepcopy(parse)) == _told(parse)


def test_a_parser_is_made_anew_where_it_is_sent(model: Model) -> None:
    parser = Parser.preset(model, 5)
    parser.parse(SENTENCES[0])
    sent = pickle.dumps(parser)
    assert len(sent) < 4000
    again = pickle.loads(sent)
    assert (again.model, again.settings) == (model, parser.settings)
    assert _told(again.parse(SENTENCES[1])) == _told(parser.parse(SENTENCES[1]))


def test_what_is_sent_needs_the_very_file(tmp_path: Path, model: Model) -> None:
    path = tmp_path / "x.model"
    model.save(path)
    sent = pickle.dumps(Model.load(path))
    assert pickle.loads(sent).file is not None
    model.with_reranker(None).save(path)
    assert pickle.loads(sent).reranker is not None, "it is still open here"
    # What came last stays open, so that parses need not open it one by one.
    assert pickle.loads(pickle.dumps(model)) is model
    gc.collect()
    with pytest.raises(ModelError, match="was changed while it was in use; begin again"):
        pickle.loads(sent)
    path.unlink()
    with pytest.raises(ModelError, match="there is no such model file"):
        pickle.loads(sent)


def test_a_model_without_a_file_is_sent_as_a_file_would_hold_it() -> None:
    made = train([read_tree(text) for text in TREES])
    assert made.file is None
    sent = pickle.dumps(Parser.preset(made, 3).parse(SENTENCES[0]))
    assert b"PARSEXP" in sent and b"numpy" not in sent.partition(b"PARSEXP")[0]
    again = pickle.loads(sent)
    assert again.model is not made and again.model.metadata == made.metadata
    assert _told(again) == _told(Parser.preset(made, 3).parse(SENTENCES[0]))
    with pytest.raises(ModelError, match="a model that another process sent: the model file was altered"):
        pickle.loads(sent.replace(b"Mary", b"Marx"))


def test_processes_of_the_standard_library_parse(model: Model) -> None:
    parser = Parser.preset(model, 3)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(parser.parse, SENTENCES * 3, timeout=120))
    assert [_told(parse) for parse in found] == [_told(parser.parse(text)) for text in SENTENCES * 3]
    assert {parse.model for parse in found} == {model}
