"""Writes the manual's API reference from the docstrings of the engine's public names.

``python tests/documentation/api_reference.py`` writes ``resources/manual/api.md``; with ``--check`` it only tells
whether that page is up to date.  What is public is what ``engine.__all__`` lists.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "resources" / "manual" / "api.md"
WIDTH = 100
"""Signatures longer than this have a line for every parameter."""
INTRODUCTION = """\
# API reference

The public names of the package `engine`, as its docstrings describe them. [The engine in Python](python.md) shows
how they are used together.

This page is generated: `python tests/documentation/api_reference.py` writes it anew, and a test fails where it is out
of date.
"""

_SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
_UNDERLINE = re.compile(r"-{3,}")
_ROLE = re.compile(r":(?:class|meth|func|mod|data|attr|exc):`~?([^`]+)`")
_LITERAL = re.compile(r"``(.+?)``", re.DOTALL)
_CODE = re.compile(r"(`[^`]*`)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Member(NamedTuple):
    """A public method or property of a class."""

    name: str
    value: Any


class Section(NamedTuple):
    """A part of a docstring: its heading, empty for what stands before the first one, and its lines."""

    heading: str
    lines: list[str]


def kind_of(value: object) -> str:
    """Whether a public name is a function, a class or an error."""
    if not inspect.isclass(value):
        return "Functions"
    return "Errors" if issubclass(value, BaseException) else "Classes"


def members_of(cls: type) -> Iterator[Member]:
    """The public methods and properties that a class has of its own, in the order of its source."""
    for name, value in vars(cls).items():
        is_member = isinstance(value, (property, cached_property, classmethod, staticmethod)) or inspect.isfunction(
            value
        )
        if is_member and not name.startswith("_"):
            yield Member(name, value)


def signature_of(name: str, function: Callable[..., Any], bound: bool) -> str:
    """A function's signature as it would stand in source; the first parameter of a method is left out."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return ""
    parameters = [*signature.parameters.values()][1 if bound else 0 :]
    shown: list[str] = []
    starred = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            starred = True
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        shown.append(_parameter(parameter))
    result = (
        "" if signature.return_annotation in (inspect.Signature.empty, None, "None") else signature.return_annotation
    )
    arrow = f" -> {_annotation(result)}" if result else ""
    line = f"{name}({', '.join(shown)}){arrow}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in shown) + f"){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars: dict[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    text = stars.get(parameter.kind, "") + parameter.name
    if parameter.annotation is not inspect.Parameter.empty:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not inspect.Parameter.empty:
        default = "..." if callable(parameter.default) else _ADDRESS.sub("", repr(parameter.default))
        text += f" = {default}" if ":" in text else f"={default}"
    return text


def _annotation(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else str(inspect.formatannotation(annotation))


def sections_of(docstring: str) -> list[Section]:
    """The parts of a docstring in numpy's style."""
    lines = docstring.splitlines()
    found = [Section("", [])]
    index = 0
    while index < len(lines):
        follows = lines[index + 1] if index + 1 < len(lines) else ""
        if lines[index] in _SECTIONS and _UNDERLINE.fullmatch(follows):
            found.append(Section(lines[index], []))
            index += 2
        else:
            found[-1].lines.append(lines[index])
            index += 1
    return found


def markdown_of(docstring: str, public: frozenset[str]) -> str:
    """A docstring as Markdown; names that have an entry of their own are links."""
    parts = []
    for section in sections_of(docstring):
        text = inline("\n".join(section.lines).strip(), public)
        if not section.heading:
            parts.append(text)
        elif section.heading in ("Returns", "Yields"):
            parts.append(f"**{section.heading}** {_returned(section.lines, public)}")
        else:
            parts.append(f"**{section.heading}**\n\n{_items(section.lines, public)}")
    return "\n\n".join(part for part in parts if part)


def _items(lines: list[str], public: frozenset[str]) -> str:
    """The entries of a section as a list."""
    items: list[str] = []
    for name, text in _entries(lines):
        names = ", ".join(_code(one.strip(), public) for one in name.split(","))
        items.append(f"- {names}" + (f": {inline(text, public)}" if text else ""))
    return "\n".join(items)


def _returned(lines: list[str], public: frozenset[str]) -> str:
    """What comes back, on one line."""
    return "; ".join(
        _code(name, public) + (f": {inline(text, public)}" if text else "") for name, text in _entries(lines)
    )


def _entries(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Every entry of a section: what it names, and what is said of it on one line."""
    name, said = "", [""]
    for line in lines:
        if line and not line.startswith(" "):
            if name:
                yield name, " ".join(" ".join(said).split())
            name, said = line.strip(), []
        else:
            said.append(line.strip())
    if name:
        yield name, " ".join(" ".join(said).split())


def _code(name: str, public: frozenset[str]) -> str:
    return f"[`{name}`](#{name.lower()})" if name in public else f"`{name}`"


def inline(text: str, public: frozenset[str]) -> str:
    """Text of a docstring with its literals and references as Markdown, and nothing else taken for markup."""
    # A literal's line break is a blank in Markdown; nothing within it is a reference.
    literals: list[str] = []

    def kept(literal: str) -> str:
        literals.append(literal)
        return f"\0{len(literals) - 1}\0"

    def literal(match: re.Match[str]) -> str:
        content = " ".join(match[1].split())
        # What itself holds a backtick stands between two of them.
        return kept(f"`` {content} ``" if "`" in content else f"`{content}`")

    text = _LITERAL.sub(literal, text)
    text = _ROLE.sub(lambda match: kept(_code(match[1], public)), text)
    pieces = _CODE.split(text)
    escaped = [piece if piece.startswith("`") else re.sub(r"([<*\\])", r"\\\1", piece) for piece in pieces]
    return re.sub("\0(\\d+)\0", lambda match: literals[int(match[1])], "".join(escaped))


def entry(name: str, value: object, public: frozenset[str]) -> str:
    """Everything about one public name."""
    parts = [f"## {name}"]
    # An error that is made like any other has nothing of its own to tell.
    made = callable(value) and (kind_of(value) != "Errors" or "__init__" in vars(value))
    # Nobody calls an enumeration: it has members.
    made = made and not (inspect.isclass(value) and issubclass(value, Enum))
    signature = signature_of(f"engine.{name}", value, bound=False) if made and callable(value) else ""
    if signature:
        parts.append(_source(signature))
    parts.append(markdown_of(inspect.getdoc(value) or "", public))
    if inspect.isclass(value):
        members = list(members_of(value))
        properties = [member for member in members if isinstance(member.value, (property, cached_property))]
        if properties:
            parts.append("**Properties**\n\n" + "\n".join(_property_item(member, public) for member in properties))
        parts.extend(_method(name, member, public) for member in members if member not in properties)
    return "\n\n".join(parts)


def _source(text: str) -> str:
    return f"```python\n{text}\n```"


def _property_item(member: Member, public: frozenset[str]) -> str:
    """A property as an item of a list: its name, its type and what it is."""
    getter: Any = member.value.fget if isinstance(member.value, property) else member.value.func
    result = inspect.signature(getter).return_annotation
    of_type = f" (`{_annotation(result)}`)" if result is not inspect.Signature.empty else ""
    said = " ".join(inline(inspect.getdoc(getter) or "", public).split())
    return f"- `{member.name}`{of_type}: {said}"


def _method(owner: str, member: Member, public: frozenset[str]) -> str:
    """A method with a heading of its own."""
    value = member.value
    function: Any = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    signature = signature_of(f"{owner}.{member.name}", function, not isinstance(value, staticmethod))
    parts = (f"### {owner}.{member.name}", _source(signature), markdown_of(inspect.getdoc(function) or "", public))
    return "\n\n".join(part for part in parts if part)


def page() -> str:
    """The whole page."""
    sys.path.insert(0, str(ROOT))
    engine: Any = import_module("engine")
    public = frozenset(engine.__all__)
    values = {name: getattr(engine, name) for name in engine.__all__}
    tables: list[str] = []
    entries: list[str] = []
    for kind in ("Functions", "Classes", "Errors"):
        names = [name for name, value in values.items() if kind_of(value) == kind]
        rows = [f"| [`{name}`](#{name.lower()}) | {_summary(values[name], public)} |" for name in names]
        tables.append(f"| {kind} | |\n|---|---|\n" + "\n".join(rows))
        entries.extend(entry(name, values[name], public) for name in names)
    return "\n\n".join([INTRODUCTION.rstrip(), *tables, *entries]) + "\n"


def _summary(value: object, public: frozenset[str]) -> str:
    """The first sentence of a docstring, fit for a table."""
    paragraph = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return inline(paragraph, public).replace("|", "\\|")


def main() -> int:
    """Write the page, or check it; the result is the exit status."""
    parser = argparse.ArgumentParser(description="Write the manual's API reference from the engine's docstrings.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    options = parser.parse_args()
    made = page()
    if options.check:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
