"""How many of many cases a test goes through: few in the usual tests, in the robust ones all of them."""

from __future__ import annotations

import pytest


def every(number: int) -> pytest.MarkDecorator:
    """Give a test the argument `every`: in the usual tests it tries one case of so many, in the robust ones each."""
    return pytest.mark.parametrize("every", [number, pytest.param(1, marks=pytest.mark.robust)])
