"""Standard streams that whoever started the program has closed (``<&-``, ``>&-``, ``2>&-``).

Python then has ``None`` in their place, and the next file that is opened gets the stream's number: what another program
writes to its standard output would end in it.
"""

from __future__ import annotations

import os
import sys

_HOW = ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY))
"""A stream that is closed cannot be read or written, and must say so; of messages nobody wants to know."""


def fill_closed_streams() -> None:
    """Put something in the place of each closed stream: reading or writing fails with an error of the system's."""
    for number, name, flags in _HOW:
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flags)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115
