"""Sentence boundaries, and the words that own the period after them.

A blank line always ends a sentence.  A single newline counts as a space unless its line
looks finished, that is, ends in a final ``.``, ``?``, ``!`` or ellipsis (closing quotes and brackets
may follow), or unless a bullet opens the next line.  Elsewhere a sentence ends

- after a period that is no part of an abbreviation, when a space follows;
- after ``?``, ``!`` or an ellipsis, when a space and no small letter, dash or comma follow;
- after a final period, ``?`` or ``!`` and closing quotes or brackets, when no small letter follows;
- after an abbreviation that can close one (``Inc.``, not ``Mr.`` or ``e.g.``), when a capitalised function
  word follows that opens sentences and no names (``in the U.S. The``, but ``the U.S. Senate``);
- after ``。``, ``！`` and ``？`` even with no space.

The number before an item of a list (``1.``) begins its sentence and is none by itself, and a
citation set close to the period (``so.[12]``) belongs to the sentence before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from engine.text.tokens import Token

_BREAKS = r"\n\r\x0b\x1c-\x1e\x85\u2028"
_LINE_BREAK = re.compile(rf"[{_BREAKS}]")
# Possessive and atomic parts: "\r\n" must not be read as two breaks, nor a long run of blanks twice.
BLANK_LINE = re.compile(rf"(?>\r\n|[{_BREAKS}])(?:(?![{_BREAKS}])\s)*+[{_BREAKS}]|[\f\u2029]")

_TIGHT, _SPACE, _NEWLINE, _BLANK = range(4)

_CLOSERS = frozenset({"''", "'", '"', "-RRB-", "-RCB-", "]", "」", "』", "）", "】"})
_OPENERS = frozenset({"``", "`", "-LRB-", "-LCB-", "[", "¿", "¡", "「", "『", "（", "【"})
_ENDERS = frozenset({".", "?", "!", "...", "。", "！", "？", "｡", "؟", "۔", "।", "॥", "‽"})
_SPACELESS_ENDERS = frozenset("。！？｡")
_BULLETS = frozenset({"-", "*", "•", "◦", "▪", "‣", "●", "·"})


def word_set(words: str) -> frozenset[str]:
    """The words of a list that is written with spaces, for easier reading."""
    return frozenset(words.split())


_STARTERS = word_set(
    """The A An This That These Those It He She We They You I In On At But And However For If When While As
    After Before Its His Her Their Our My Your There Here What Why How Who Where Which Not So Then Thus
    Although Though Because Since During With Without Both Many Most Some Such One Two Other Others Another
    Each Every Under Until Also Still Yet Now Today Yesterday Meanwhile Moreover Nevertheless Instead Perhaps
    Once Even Only Just According Despite Among By From To Of Or Nor All Any No Yes"""
)
"""Capitalised words that open a sentence far more often than they continue a name."""

_CITATION_TOKENS = 12
"""How far to look for the bracket that closes a citation such as ``[3, 4-7]``."""

_ACRONYM = re.compile(r"(?:(?:[^\W\d_]|Ph|Ed|Th|Sc|Lt)\.)+(?:[^\W\d_]|Phil|Sc|Ed|Eng|Th|Ph)")
_NUMBER_OR_LETTER_FOLLOWS = re.compile(r"\s?(?:[\d§#]|[B-HJ-Z](?!\w))")
_CITED = re.compile(r"[\d,;–-]+|--")


def _read_abbreviations() -> dict[str, str]:
    kinds: dict[str, str] = {}
    kind = "plain"
    for line in files("engine.text").joinpath("abbreviations.txt").read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            for word in line.split():
                kinds.setdefault(word, kind)
    for word, kind in list(kinds.items()):
        if len(word) > 2:  # "AL." and "Al." are more often a name than "et al."
            kinds.setdefault(word.capitalize(), kind)
            kinds.setdefault(word.upper(), kind)
    return kinds


_KINDS = _read_abbreviations()


def abbreviation_kind(word: str, source: str, end: int) -> str:
    """What the period after `word` makes of it.

    Parameters
    ----------
    word
        A word without its period, apostrophes already straight.
    source
        The whole text.
    end
        Where the period ends in `source`.

    Returns
    -------
    str
        ``"leading"``, ``"number"``, ``"plain"``, ``"initial"``, or ``""`` if the period is not its own.
    """
    if len(word) == 1 and word.isupper():
        return "initial"
    kind = _KINDS.get(word, "")
    if kind == "number" and not _NUMBER_OR_LETTER_FOLLOWS.match(source, end):
        return ""
    if not kind and "." in word and _ACRONYM.fullmatch(word):
        return "plain"
    return kind


def _gap_kind(source: str, start: int, end: int) -> int:
    if start == end:
        return _TIGHT
    if end - start == 1 and source[start] == " ":
        return _SPACE
    if BLANK_LINE.search(source, start, end):
        return _BLANK
    return _NEWLINE if _LINE_BREAK.search(source, start, end) else _SPACE


def _first_of(tokens: Sequence[Token], index: int) -> str:
    """The text of the token at `index`, or of the first behind any opening quotes and brackets."""
    limit = min(index + 4, len(tokens))
    while index < limit - 1 and tokens[index].text in _OPENERS:
        index += 1
    return tokens[index].text


def _citation_end(tokens: Sequence[Token], index: int) -> int:
    """The index behind a citation ``[12]`` that opens at `index`, or `index` if there is none."""
    for reach in range(index + 1, min(index + _CITATION_TOKENS, len(tokens))):
        text = tokens[reach].text
        if text == "]" and reach > index + 1:
            return reach + 1
        if not _CITED.fullmatch(text):
            break
    return index


def sentence_ends(tokens: Sequence[Token], source: str) -> list[int]:
    """The index behind the last token of every sentence, in order; the last is ``len(tokens)``.

    Parameters
    ----------
    tokens
        All tokens of `source`, abbreviations with their period.
    source
        The text they were cut from.
    """
    ends: list[int] = []
    first = 0  # of the sentence that is being read
    final = ""  # the token that may have ended it, if nothing but closing marks came since
    quoted = False  # whether closing marks came since
    passed = 0  # tokens before this index were passed over as part of a citation
    previous_end = 0
    for index, token in enumerate(tokens):
        text = token.text
        gap = _gap_kind(source, previous_end, token.start)
        previous_end = token.end
        if index > first and (gap == _BLANK or (gap == _NEWLINE and text in _BULLETS)):
            ends.append(index)
            first, final, passed = index, "", 0
        if index < passed:
            continue
        if final and text in _CLOSERS:
            quoted = True
            continue
        if final and text == "[" and gap == _TIGHT:
            passed = _citation_end(tokens, index)
            if passed > index:
                continue
        if final and _ends_here(tokens, source, first, index, final, quoted, gap):
            ends.append(index)
            first, final = index, ""
        if text in _ENDERS or text[-1] == ".":
            final, quoted = text, False
        else:
            final = ""
    if tokens:
        ends.append(len(tokens))
    return ends


def _ends_here(
    tokens: Sequence[Token], source: str, first: int, index: int, final: str, quoted: bool, gap: int
) -> bool:
    """Whether the sentence begun at `first` ends before the token at `index`, given its `final` mark."""
    text = tokens[index].text
    if text in _ENDERS:
        return False
    if gap == _TIGHT:
        # A period with a word close behind is a token of its own only where the space was left out.
        return final in _SPACELESS_ENDERS or (final == "." and not quoted and text[0].isupper() and len(text) > 1)
    begins = _first_of(tokens, index)
    if final not in _ENDERS:
        kind = abbreviation_kind(final[:-1], source, tokens[index - 1].end)
        return kind not in ("leading", "number") and begins in _STARTERS
    if index == first + 2 and final == "." and _is_item_label(tokens[first].text):
        return False
    if gap == _NEWLINE:
        return True
    if begins[0].islower() and (quoted or final != "."):
        return False
    return begins[0] not in ",;:-%)/"


def _is_item_label(text: str) -> bool:
    return len(text) <= 3 and (text.isdecimal() or len(text) == 1)


def period_owner(sentence: Sequence[Token]) -> int:
    """The index of the abbreviation whose period also ends the sentence, or -1 if there is none.

    One that is the whole sentence keeps its period: it is a label or a heading, not a clause.
    """
    index = len(sentence) - 1
    while index > 0 and sentence[index].text in _CLOSERS:
        index -= 1
    text = sentence[index].text
    if index > 0 and len(text) > 1 and text[-1] == "." and text[0].isalnum():
        return index
    return -1
