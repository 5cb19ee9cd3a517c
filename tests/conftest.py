"""What all tests share: a process that hears Ctrl-C."""

from __future__ import annotations

import signal

# A shell has what it runs in the background ignore it, and children, to which the tests send it, inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
