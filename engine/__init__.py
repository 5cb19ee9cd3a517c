"""Collins (1996), *A New Statistical Parser Based on Bigram Lexical Dependencies*, as a package.

>>> import engine
>>> model = engine.train(["treebank.mrg"])          # doctest: +SKIP
>>> parser = engine.Parser.preset(model, 3, beam=1000)      # doctest: +SKIP
>>> print(parser.parse(model.read_tagged("John left/VBD.")).tree)   # doctest: +SKIP
(S (NP (NNP John)) (VP (VBD left)) (. .))

The public names are listed once, in ``engine/__init__.pyi``.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_MODULES: dict[str, str] = {
    alias.name: str(statement.module)
    for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(statement, ast.ImportFrom)
    for alias in statement.names
}

__all__ = sorted(_MODULES)


def __dir__() -> list[str]:
    """The public names among them, whether or not they were asked for before."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import what is asked for now: a command is ready for Ctrl-C before it, and no program needs all of it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value
