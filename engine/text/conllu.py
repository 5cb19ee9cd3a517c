r"""Reading of CoNLL-U: sentences of ten columns with their comments, multiword tokens and empty nodes.

A row is a word (``3``), a multiword token (``3-4``, the spelling of several words together) or an empty node
(``3.1``, a word that nobody wrote).  Words are what is parsed and tagged; the other rows are kept, so that a file can
be written again as it was.

What stands in a word's columns is kept as it is.  :attr:`ConlluSentence.words` makes of it words that a tree can hold:
round brackets become ``-LRB-`` and ``-RRB-``, white space within a word a no-break space, and ``Form=`` in the last
column, where our own export keeps a word that FORM cannot hold, is read instead of FORM.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.common.characters import SEPARATORS, is_text
from engine.common.errors import EngineError, RowError
from engine.gate.text_stream import line_problem
from engine.structure.tagged_sentence import TaggedSentence, as_word, shortened
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
BLANK = "_"
MOST_ROW_CHARACTERS = 200_000
MOST_ROWS = 20_000
"""Characters of the longest row and rows of the longest sentence: beyond them a file is no CoNLL-U."""
_LOOKED_AT = 200
"""Lines from the beginning in which the first row is looked for."""
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")
_COMMENT = re.compile(r"#\s*([^=\s]+)\s*=\s*(.*)")
_LINE_END = re.compile(r"\r\n?|\n")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LONG = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
_NO_SPACE = str.maketrans(dict.fromkeys(SEPARATORS, "\u00a0"))


class ConlluRow(NamedTuple):
    """One row, its ten columns as they stand in the file."""

    id: str
    form: str
    lemma: str = BLANK
    upos: str = BLANK
    xpos: str = BLANK
    feats: str = BLANK
    head: str = BLANK
    deprel: str = BLANK
    deps: str = BLANK
    misc: str = BLANK

    @property
    def is_word(self) -> bool:
        """Whether this is a word: no multiword token, and no empty node."""
        return self.id.isdecimal()

    @property
    def misc_values(self) -> dict[str, str]:
        """What the last column says, by name; parts that are not ``name=value`` are left out."""
        parts = (part.partition("=") for part in self.misc.split("|"))
        return {name: value for name, equals, value in parts if equals}

    @property
    def word(self) -> str:
        """The word as a tree can hold it."""
        kept = self.misc_values.get("Form")
        form = self.form if kept is None else unescape_misc(kept)
        return as_word(form, escapes=False).translate(_NO_SPACE) or BLANK

    @property
    def tag(self) -> str | None:
        """The part-of-speech tag, of the column XPOS; ``None`` where it has none."""
        return None if self.xpos == BLANK else as_word(self.xpos, escapes=False).translate(_NO_SPACE)


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """One sentence.

    Attributes
    ----------
    rows
        All of them in their order: words, multiword tokens and empty nodes.
    comments
        The lines before them, with their ``#``.
    line
        Number of the sentence's first line in its file.
    """

    rows: tuple[ConlluRow, ...]
    comments: tuple[str, ...] = ()
    line: int = 1

    @property
    def word_rows(self) -> list[ConlluRow]:
        """The rows that are words."""
        return [row for row in self.rows if row.is_word]

    @property
    def words(self) -> tuple[str, ...]:
        """The words, as a tree can hold them."""
        return tuple(row.word for row in self.word_rows)

    @property
    def tags(self) -> tuple[str | None, ...]:
        """The XPOS of every word; ``None`` where a word has none."""
        return tuple(row.tag for row in self.word_rows)

    @property
    def heads(self) -> tuple[int | None, ...]:
        """The number of the head of every word, 0 for a root; ``None`` where a word has none."""
        return tuple(None if row.head == BLANK else int(row.head) for row in self.word_rows)

    @property
    def tagged(self) -> TaggedSentence | None:
        """Words and tags; ``None`` if a word has no tag."""
        tags = [tag for tag in self.tags if tag is not None]
        words = self.words
        return TaggedSentence(words, tags) if len(tags) == len(words) else None

    def comment(self, name: str) -> str | None:
        """Return the value of a comment ``# name = value``; ``None`` if there is none."""
        for line in self.comments:
            match = _COMMENT.fullmatch(line)
            if match and match[1] == name:
                return match[2].strip()
        return None

    @property
    def text(self) -> str:
        """The sentence as it was written: the comment ``text``, or made of the words and ``SpaceAfter=No``."""
        told = self.comment("text")
        return told if told is not None else self._spelt().strip()

    def _spelt(self) -> str:
        pieces: list[str] = []
        covered = 0
        for row in self.rows:
            match = _ID.fullmatch(row.id)
            assert match is not None
            number = int(match[1])
            if match[2] == "." or number <= covered:
                continue
            if match[2] == "-":
                covered = int(match[3])
            pieces.append(row.form + ("" if row.misc_values.get("SpaceAfter") == "No" else " "))
        return "".join(pieces)

    @property
    def tree(self) -> Tree | None:
        """The tree of the comment ``tree``, which our export writes; ``None`` if no such comment has these words."""
        brackets = self.comment("tree")
        if brackets is None:
            return None
        try:
            tree = read_tree(brackets)
        except EngineError:
            # A comment is no part of the format: whatever it says, the rows are good.
            return None
        cleaned = clean(tree)
        return tree if cleaned is not None and tuple(cleaned.words()) == self.words else None

    def notation(self) -> str:
        """Return the sentence as ``word/TAG …``; words without a tag stand for themselves."""
        tagged = TaggedSentence(self.words, [tag or "" for tag in self.tags])
        pieces = str(tagged).split(" ")
        return " ".join(piece if tag else piece[:-1] for piece, tag in zip(pieces, self.tags, strict=True))

    def written(self) -> str:
        """Return the sentence as CoNLL-U."""
        return "\n".join([*self.comments, *("\t".join(row) for row in self.rows)]) + "\n\n"


def unescape_misc(value: str) -> str:
    """Return the text that a value of the last column stands for; see :func:`engine.export.rows.escape_misc`."""
    return _ESCAPE.sub(lambda match: _LONG.get(match[1]) or _unicode(match[1]), value) if "\\" in value else value


def _unicode(escape: str) -> str:
    found = chr(int(escape[1:], 16)) if len(escape) == 5 else ""
    # Half a character is no text, and can be written nowhere: the escape stays what it looks like.
    return found if found and is_text(found) else "\\" + escape


def is_conllu(text: str) -> bool:
    """Return whether a text is CoNLL-U: its first line that is neither blank nor a comment has
    ten columns and an ID.
    """
    start = 0
    for _ in range(_LOOKED_AT):
        match = _LINE_END.search(text, start)
        line = text[start : match.start() if match else len(text)]
        if line.strip() and not line.startswith("#"):
            columns = line.split("\t")
            return len(columns) == len(COLUMNS) and bool(_ID.fullmatch(columns[0]))
        if match is None:
            return False
        start = match.end()
    return False


def conllu_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that is held whole; no other character than a line end ends one."""
    start = 0
    for match in _LINE_END.finditer(text):
        yield text[start : match.start()]
        start = match.end()
    if start < len(text):
        yield text[start:]


def read_conllu(lines: Iterable[str], name: str = "input") -> Iterator[ConlluSentence | RowError]:
    """Yield every sentence, and in place of a broken one the :class:`RowError` that says why.

    Parameters
    ----------
    lines
        The lines of a file as they come, with or without their ends; a line that is not UTF-8 holds lone surrogates.
    name
        What to call the file in an error.
    """
    held: list[tuple[int, str]] = []
    problem: RowError | None = None
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        if not line.strip():
            if problem is not None:
                yield problem
            elif held:
                yield from _sentences(held, name)
            held, problem = [], None
        elif problem is None:
            held.append((number, line))
            problem = _refused(held, name)
    if problem is not None:
        yield problem
    elif held:
        yield from _sentences(held, name)


def _refused(held: list[tuple[int, str]], name: str) -> RowError | None:
    """Return why the line read last cannot be a part of any sentence; none of it is kept then."""
    number, line = held[-1]
    if len(line) > MOST_ROW_CHARACTERS:
        return RowError(
            f"the row has more than {MOST_ROW_CHARACTERS:,} characters; is the file CoNLL-U?",
            name,
            number,
        )
    if len(held) > MOST_ROWS:
        problem = f"a sentence of more than {MOST_ROWS:,} rows; put an empty line between sentences"
        return RowError(problem, name, held[0][0])
    if wrong := line_problem(line):
        return RowError(wrong, name, number)
    return None


def _sentences(held: list[tuple[int, str]], name: str) -> Iterator[ConlluSentence | RowError]:
    """Yield the sentence of some lines; none if they are comments alone."""
    comments = tuple(line for _, line in held if line.startswith("#"))
    rows = [(number, line) for number, line in held if not line.startswith("#")]
    if not rows:
        return
    try:
        yield ConlluSentence(tuple(_checked(rows, name)), comments, held[0][0])
    except RowError as error:
        yield error


def _checked(lines: list[tuple[int, str]], name: str) -> list[ConlluRow]:
    """Return the rows of a sentence; raise :class:`RowError` at the first that is wrong."""
    rows: list[ConlluRow] = []
    places: list[int] = []
    words = covered = empties = 0
    for number, line in lines:
        columns = line.split("\t")
        if len(columns) != len(COLUMNS):
            raise RowError(
                f"a row of CoNLL-U has {len(COLUMNS)} columns with tabs between them, this one has {len(columns)}",
                name,
                number,
            )
        row = ConlluRow(*columns)
        match = _ID.fullmatch(row.id)
        if match is None:
            raise RowError(f"ID is `{shortened(row.id)}`; write a number, 3-4 or 3.1", name, number)
        first, last = int(match[1]), int(match[3] or 0)
        expected = words + 1
        if match[2] == "-":
            fits = first == expected and last >= first and first > covered
            covered = last
        elif match[2] == ".":
            fits = first == words and last == empties + 1
            empties = last
        else:
            fits = first == expected
            words, empties = first, 0
            places.append(number)
        if not fits:
            problem = f"ID is {row.id} where word {expected} should come; words are counted 1, 2, 3 …"
            raise RowError(problem, name, number)
        if not row.form:
            raise RowError("FORM is empty; write _ where there is no word", name, number)
        rows.append(row)
    if not words:
        raise RowError("the sentence has no word, only multiword tokens or empty nodes", name, lines[0][0])
    if covered > words:
        raise RowError(f"a multiword token ends at word {covered}, but there are {words} words", name, lines[-1][0])
    _check_heads([row for row in rows if row.is_word], places, name)
    return rows


def _check_heads(words: list[ConlluRow], places: list[int], name: str) -> None:
    """Raise :class:`RowError` at the first head that is not one of the words, or from which no way leads to a root."""
    heads: list[int] = []
    for row, place in zip(words, places, strict=True):
        if row.head != BLANK and not (row.head.isdecimal() and len(row.head) < 10 and int(row.head) <= len(words)):
            raise RowError(f"HEAD is `{shortened(row.head)}`; write a number from 0 to {len(words)}, or _", name, place)
        heads.append(0 if row.head == BLANK else int(row.head))
    leads_up = {0}
    for start in range(1, len(heads) + 1):
        way: list[int] = []
        at = start
        seen: set[int] = set()
        while at not in leads_up:
            if at in seen:
                raise RowError(
                    f"the heads form a cycle from word {at}: they never lead to a root", name, places[at - 1]
                )
            seen.add(at)
            way.append(at)
            at = heads[at - 1]
        leads_up.update(way)
