"""From lines of input to lines of output: what ``parse-engine parse`` does with one sentence.

All of it happens in whichever process parses the sentence, so that the output cannot depend on the
number of processes.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from engine.errors import EngineError, SentenceError, TreeError
from engine.jit import use_compiled
from engine.model import Model
from engine.parse import Parse
from engine.parser import Parser
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.treebank import STANDARD_INPUT, read_text, treebank_files
from engine.trees import clean, read_brackets

PTB, JSON = "ptb", "json"


class Item(NamedTuple):
    """One sentence of input.

    Attributes
    ----------
    place
        Where it stands: file and line.
    content
        The line as it was read, or words and tags; ``None`` if it could not be read.
    problem
        Why it could not be read.
    """

    place: str
    content: str | TaggedSentence | None
    problem: str = ""


class Answer(NamedTuple):
    """One line of output.

    Attributes
    ----------
    place
        Where the sentence stands.
    line
        What to print.
    problem
        Why there is no parse; empty if all is well.
    unknown
        Words whose tags the model does not know, with these tags.
    """

    place: str
    line: str
    problem: str = ""
    unknown: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswererMaker:
    """Everything a process needs to answer sentences: where the model is, and how to parse and print."""

    model: Path
    settings: Settings
    n_best: int = 1
    form: str = PTB

    def __call__(self) -> Callable[[Sequence[Item]], list[Answer]]:
        """Load the model; called once in every worker, after the kernels were compiled."""
        use_compiled()
        return Answerer(Parser(Model.load(self.model), self.settings), self.n_best, self.form).answer_all


class Answerer:
    """Answers sentences with one parser."""

    def __init__(self, parser: Parser, n_best: int = 1, form: str = PTB) -> None:
        self.parser = parser
        self.n_best = n_best
        self.form = form

    def answer_all(self, items: Sequence[Item]) -> list[Answer]:
        """Answer a batch of sentences."""
        return [self.answer(item) for item in items]

    def answer(self, item: Item) -> Answer:
        """Parse one sentence; whatever is wrong with it, the answer is one line."""
        if item.content is None:
            return self._failed(item, item.problem)
        if isinstance(item.content, str):
            try:
                sentence = TaggedSentence.parse(item.content)
            except SentenceError as error:
                return self._failed(item, f"{error}{_hint(item.content)}")
        else:
            sentence = item.content
        if not len(sentence):
            return Answer(item.place, self._shown({"tree": None, "words": [], "tags": []}))
        known = self.parser.model.tag_numbers
        words, tags = sentence.proper_words, sentence.proper_tags
        unknown = tuple((word, tag) for word, tag in zip(words, tags, strict=True) if tag not in known)
        try:
            parse = self.parser.parse(sentence, n_best=self.n_best)
        except MemoryError:
            return self._failed(item, f"a sentence of {len(sentence)} words is too long for this machine's memory")
        if self.form == PTB:
            return Answer(item.place, "\t".join(one.tree.brackets() for one in parse.alternatives), "", unknown)
        return Answer(item.place, self._shown(self._described(parse, unknown)), "", unknown)

    def _described(self, parse: Parse, unknown: Sequence[tuple[str, str]]) -> dict[str, Any]:
        described = parse.as_dict()
        if unknown:
            described["unknown_tags"] = sorted({tag for _, tag in unknown})
        if self.n_best > 1:
            described["alternatives"] = [
                {"tree": one.tree.brackets(), "log_probability": one.log_probability} for one in parse.alternatives
            ]
        return described

    def _failed(self, item: Item, problem: str) -> Answer:
        return Answer(item.place, self._shown({"error": f"{item.place}: {problem}"}), problem)

    def _shown(self, described: dict[str, Any]) -> str:
        """A JSON object; in brackets, what has no tree is an empty line."""
        return json.dumps(_finite(described), ensure_ascii=False, allow_nan=False) if self.form == JSON else ""


def _hint(line: str) -> str:
    return " (for bracketed trees say --input trees)" if line.lstrip().startswith("(") else ""


def _finite(value: Any) -> Any:
    """JSON has no infinity: ``null`` stands for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return value


class TaggedLines:
    """The lines of a file of tagged sentences, or of standard input, read as they come.

    Attributes
    ----------
    name
        What to call the file.
    size
        Its size in bytes, 0 if that cannot be told.
    """

    def __init__(self, source: str) -> None:
        self.name = "standard input" if source == STANDARD_INPUT else source
        self.size = 0
        try:
            if source == STANDARD_INPUT:
                if sys.stdin is None:
                    raise EngineError("standard input is closed; name a file to read")
                opened: Any = sys.stdin.buffer
            else:
                path = Path(source)
                if path.is_dir():
                    raise EngineError(f"{source}: this is a folder; name a file of tagged sentences")
                opened = path.open("rb")
                self.size = path.stat().st_size if path.is_file() else 0
            buffered = opened if hasattr(opened, "peek") else io.BufferedReader(opened)
            start = buffered.peek(2)[:2]
        except FileNotFoundError:
            raise EngineError(f"{source}: there is no such file") from None
        except OSError as error:
            raise EngineError(f"{source}: cannot be read ({error.strerror or error})") from error
        self._file = cast(BinaryIO, buffered)
        unpacked: Any = buffered
        if start == b"\x1f\x8b":
            unpacked = gzip.GzipFile(fileobj=self._file)
            try:
                start = unpacked.peek(2)[:2]
            except (OSError, EOFError, zlib.error) as error:
                raise self._unreadable(error) from error
        encoding = "utf-16" if start in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        # A byte that is no text becomes a lone surrogate, to be told from good lines one by one.
        errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
        self._lines = io.TextIOWrapper(unpacked, encoding, errors)

    def _unreadable(self, error: Exception) -> EngineError:
        return EngineError(f"{self.name}: cannot be read ({error})")

    @property
    def share(self) -> float | None:
        """Share of the file that was read; ``None`` if its size is not known."""
        try:
            return self._file.tell() / self.size if self.size else None
        except (OSError, ValueError):
            return None

    def __iter__(self) -> Iterator[Item]:
        number = 0
        try:
            for line in self._lines:
                number += 1
                place = f"{self.name}, line {number}"
                if line.isascii() or _is_text(line):
                    yield Item(place, line)
                else:
                    yield Item(place, None, "the line is not UTF-8 text")
        except (OSError, EOFError, zlib.error) as error:
            raise self._unreadable(error) from error
        finally:
            if self._file is not getattr(sys.stdin, "buffer", None):
                self._lines.close()
            else:
                self._lines.detach()


def _is_text(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def tree_items(source: str) -> Iterator[Item]:
    """The sentences of gold trees in a file, a folder or standard input: their words and tags."""
    for file in treebank_files([source]):
        name = "standard input" if file == STANDARD_INPUT else str(file)
        for number, item in enumerate(read_brackets(read_text(file), name), 1):
            if isinstance(item, TreeError):
                yield Item(f"{name}, line {item.line}, column {item.column}", None, item.problem)
                continue
            tree = clean(item)
            sentence = TaggedSentence.from_tree(tree) if tree is not None else TaggedSentence((), ())
            yield Item(f"{name}, tree {number}", sentence)
