"""What all tests share: a process that hears Ctrl-C, compiled kernels, models trained once a run, two tiers."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from engine.warm_up import compile_now
from tests.trained import models_folder

# A shell has what it runs in the background ignore it, and children, to which the tests send it, inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long hypothesis looks for what breaks a property: the usual tests try the same few examples whenever they are
# run, the robust ones many that are new (--hypothesis-profile thorough).
_HARMLESS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
settings.register_profile(
    "usual", max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=_HARMLESS
)
settings.register_profile("thorough", max_examples=200, deadline=None, suppress_health_check=_HARMLESS)
settings.load_profile("usual")

DEFAULT_KILLS = 8
TESTS = Path(__file__).parent
WHOLE = {TESTS.parent, TESTS, TESTS / "engine", TESTS / "explorer"}
"""Who names these asks for the usual tests; who names a file, or another folder, for all that is in it."""
USUAL = "not slow"
"""What pyproject.toml leaves out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how much the tests of faults try."""
    parser.addoption(
        "--kills",
        type=int,
        default=int(os.environ.get("PARSE_FAULTS", DEFAULT_KILLS)),
        help="how many faults at random moments of each kind (default: a few; 200 for the whole campaign)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of this run's models before there are several processes, which inherit it."""
    models_folder()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before there are several processes that would wait for them."""
    compile_now()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the collector of garbage leave alone what is there to stay, which took it a tenth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests of faults and of properties, and leave the robust ones out unless somebody asks for them."""
    for item in items:
        if item.path.parent == TESTS / "faults":
            item.add_marker("robust")
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("property")
    if config.option.markexpr == USUAL:
        asked = {Path(argument.split("::")[0]).absolute() for argument in config.args} - WHOLE
        left_out = [
            item
            for item in items
            if item.get_closest_marker("robust") and not any(map(item.path.is_relative_to, asked))
        ]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
