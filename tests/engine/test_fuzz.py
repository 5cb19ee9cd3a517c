"""Fuzzing of the engine's readers, with a budget; ``python -m tests.fuzz`` is the long run."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.fuzz.campaign import Campaign, input_of
from tests.fuzz.children import judged
from tests.fuzz.judging import check_new_inputs, check_offender, new_inputs_parameters, offender_parameters
from tests.fuzz.offenders import CORPUS, Offender, offenders, open_offenders
from tests.fuzz.readers import BY_THEMSELVES, READERS, corpus_folders, opening_modules, reading_modules
from tests.fuzz.strategies import hostile_bytes
from tests.fuzz.target import Target, outcome
from tests.fuzz.targets import ENGINE_TARGETS, TARGETS

IN_PROCESS = ("trees", "plain", "recognition", "conllu", "pattern", "evalb-parameters", "evalb-table", "head-rules")
"""Without kernels, so that nothing worse than an error can come of an input."""


@pytest.mark.parametrize("offender", offender_parameters(ENGINE_TARGETS))
@pytest.mark.robust
def test_past_offenders_are_read_or_refused(offender: Offender) -> None:
    check_offender(offender, ENGINE_TARGETS)


@pytest.mark.parametrize("target", new_inputs_parameters(ENGINE_TARGETS))
@pytest.mark.robust
def test_new_inputs_are_read_or_refused(target: Target) -> None:
    check_new_inputs(target)


@pytest.mark.parametrize("name", IN_PROCESS)
@pytest.mark.property
def test_what_hypothesis_makes_is_read_or_refused(name: str) -> None:
    target = TARGETS[name]
    target.prepare()

    @given(hostile_bytes)
    def check(data: bytes) -> None:
        outcome(target, data)

    check()


def test_only_the_gate_opens_what_anybody_may_have_written() -> None:
    found = set(opening_modules())
    assert found - set(BY_THEMSELVES) == set(), (
        "read it through engine.gate, or say in tests/fuzz/readers.py who wrote it"
    )
    assert set(BY_THEMSELVES) - found == set(), "opens nothing any more"


def test_every_module_that_reads_something_has_a_target_or_a_reason() -> None:
    found = set(reading_modules())
    assert found - set(READERS) == set(), "name the targets that fuzz it in tests/fuzz/readers.py"
    assert set(READERS) - found == set(), "reads nothing any more"
    named = {name for names in READERS.values() if isinstance(names, tuple) for name in names}
    assert named <= set(TARGETS)


def test_the_corpus_belongs_to_targets() -> None:
    assert corpus_folders(CORPUS) <= set(TARGETS)
    known = {(one.target, one.name) for one in offenders(TARGETS)} | {(name, "new inputs") for name in TARGETS}
    assert set(open_offenders()) <= known


def test_examples_are_read() -> None:
    read = 0
    for target in TARGETS.values():
        for example in target.examples:
            target.prepare()
            assert outcome(target, example) == "read", target.name
            read += 1
    assert read > 5


def _killed(data: bytes) -> None:
    import os
    import signal

    if data[0] % 8 == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    if data[0] % 8 == 4:
        raise KeyError("lost")
    if data[0] % 8 == 5:
        raise ValueError("a clear sentence")
    if data[0] % 8 == 6:
        bytearray(1 << 31)


@pytest.mark.robust
def test_signals_errors_and_memory_are_seen() -> None:
    target = Target("some", lambda random: random.randbytes(1), _killed, (ValueError,), batch=100)
    campaign = Campaign([target], 5, inputs=300, jobs=2)
    campaign.run()
    kinds = {failure.kind.split()[0] for failure in campaign.failures}
    assert kinds == {"SIGSEGV", "KeyError", "MemoryError"}
    tally = campaign.progress[0].tally
    first = [input_of(target, 5, index)[0] % 8 for index in range(300)]
    assert tally.failed == sum(kind in (3, 4, 6) for kind in first) and tally.refused == first.count(5)
    assert tally.inputs == 300 and "300" in campaign.table()
    failure = judged(target, b"\x03")
    assert failure is not None and failure.kind == "SIGSEGV"
    assert judged(target, b"\x05") is None and judged(target, b"\x00") is None
