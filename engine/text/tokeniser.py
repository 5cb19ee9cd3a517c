"""Plain text to Penn Treebank tokens and sentences, every token with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from engine.common.characters import spaced
from engine.common.resources import read_bundled
from engine.trees.tree import APOSTROPHES, DASHES, EN_DASHES, HYPHENS, penn_form

# Tokens and sentences of plain text, each with its place in the text.


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its Penn form and the place in the text it stands for.

    Parameters
    ----------
    text
        The form the parser reads; never empty, no whitespace or parenthesis in it.
    start, end
        Offsets of its first character and of the one behind its last.
    """

    text: str
    start: int
    end: int

    def original(self, source: str) -> str:
        """Return the characters of `source` this token stands for."""
        return source[self.start : self.end]


@dataclass(frozen=True, slots=True)
class TokenisedSentence:
    """The tokens of one sentence and the stretch of text from the first to the last."""

    tokens: tuple[Token, ...]
    start: int
    end: int


# Sentence boundaries, and the words that own the period after them.
#
# A blank line always ends a sentence.  A single newline counts as a space unless its line
# looks finished, that is, ends in a final ``.``, ``?``, ``!`` or ellipsis (closing quotes and brackets
# may follow), or unless a bullet opens the next line.  Elsewhere a sentence ends
#
# - after a period that does not belong to an abbreviation, when a space follows;
# - after ``?``, ``!`` or an ellipsis, when a space and no small letter, dash or comma follow;
# - after a final period, ``?`` or ``!`` and closing quotes or brackets, when no small letter follows;
# - after an abbreviation that can close one (``Inc.``, not ``Mr.`` or ``e.g.``), when a capitalised function
#   word follows that opens sentences and no names (``in the U.S. The``, but ``the U.S. Senate``);
# - after ``。``, ``！`` and ``？`` even with no space.
#
# The number before an item of a list (``1.``) begins its sentence and is not one by itself, and a
# citation set close to the period (``so.[12]``) belongs to the sentence before it.

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
    """Return the words of a list that is written with spaces, for easier reading."""
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
    for line in read_bundled(files("engine.text") / "abbreviations.txt").splitlines():
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
    """Return what the period after `word` makes of it.

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
    """Return the text of the token at `index`, or of the first behind any opening quotes and brackets."""
    limit = min(index + 4, len(tokens))
    while index < limit - 1 and tokens[index].text in _OPENERS:
        index += 1
    return tokens[index].text


def _citation_end(tokens: Sequence[Token], index: int) -> int:
    """Return the index behind a citation ``[12]`` that opens at `index`, or `index` if there is none."""
    for reach in range(index + 1, min(index + _CITATION_TOKENS, len(tokens))):
        text = tokens[reach].text
        if text == "]" and reach > index + 1:
            return reach + 1
        if not _CITED.fullmatch(text):
            break
    return index


def sentence_ends(tokens: Sequence[Token], source: str) -> list[int]:
    """Return the index behind the last token of every sentence, in order; the last is ``len(tokens)``.

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
    """Return whether the sentence begun at `first` ends before the token at `index`, given its `final` mark."""
    text = tokens[index].text
    if text in _ENDERS:
        return False
    if gap == _TIGHT:
        # A period with a word close behind is a separate token only where the space was left out.
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
    """Return the index of the abbreviation whose period also ends the sentence, or -1 if there is none.

    One that is the whole sentence keeps its period: it is a label or a heading, not a clause.
    """
    index = len(sentence) - 1
    while index > 0 and sentence[index].text in _CLOSERS:
        index -= 1
    text = sentence[index].text
    if index > 0 and len(text) > 1 and text[-1] == "." and text[0].isalnum():
        return index
    return -1


# Plain text to Penn Treebank tokens and sentences, every token with its place in the text.
#
# We write our own because the parser's explorer needs the exact offsets of every token, and nltk's
# ``TreebankWordTokenizer`` rewrites the text first and then searches for the tokens in it again (a search
# that has raised where quotes differ: nltk issues 2076, 2890), sacremoses gives no offsets and spaCy does not
# make Penn forms.  What is left to write is one regular expression and a list of abbreviations, smaller than
# any of these dependencies, and can be held to "never raises, linear time".
#
# Conventions
# -----------
# Contractions and possessives
#     ``do n't``, ``it 's``, ``dogs '``, ``gon na``, ``can not``; decades (``1980's``) stay whole.
# Quotes
#     Double ones become \`\` and ``''``, single ones \` and ``'``; a straight one opens or closes by its
#     neighbours, and where they do not tell, by turns within the paragraph.
# Brackets
#     ``-LRB- -RRB- -LCB- -RCB-``; square brackets stay ``[ ]``, as in GUM and CRAFT.  No form ever holds a
#     parenthesis, so every token can stand in a bracketed tree.
# Hyphens and slashes
#     Split by default (``state - of - the - art``, ``and / or``), as in GUM, CRAFT and the LDC's newer
#     treebanks; not after a prefix (``non-profit``, ``re-elected``), in telephone numbers and in fractions.
#     With ``split_hyphens=False`` they stay whole, as in the Wall Street Journal treebank.  A hyphen
#     after a broken-off word stays with it (``wh-``).
# Dashes
#     ``--``, em dash and spaced en dash are ``--``, an unspaced en dash (``8–10``) is ``-``, ellipses ``...``.
# Final periods
#     ``U.S.`` at the end of a sentence becomes the forms ``U.S.`` and ``.`` as in Penn, though the text has
#     one period: the first token covers ``U.S`` and the second the period, so that none is counted twice.
# Other
#     ``?`` and ``!`` stand alone, other repeated symbols together; a run of Chinese or Japanese characters
#     without punctuation is one token; an emoji with its modifiers is one token; invisible characters (soft
#     hyphens, direction marks) belong to the word they touch and are left out of its form; control characters and
#     spaces without width (U+200B, U+2060, U+FEFF) count as white space.

# What a word is made of is defined by what it is not made of: `\w` would leave out the combining
# marks of most of the world's scripts, and the re module cannot name their class.
_NOT_WORD = (
    r"\s\x00-\x1f!-/:-@\[-^`{-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u02bc\u037e\u0387\u055a-\u055f"
    r"\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2122\u2190-\u245f\u2500-\u2bff\u2e00-\u2e7f\u3001-\u3003\u3008-\u3020"
    r"\u3030\u303d\u30fb\ud800-\udfff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"\uffe0-\uffee\ufff9-\uffff\U0001f000-\U0001faff"
)
_W = f"[^{_NOT_WORD}]"
_A = f"[{APOSTROPHES}‘]"
_H = f"[{HYPHENS}]"

# A word with what may stand inside it: O'Neill, U.S, 3.5, 1,000, 4:30, 9/11, AT&T.
_ATOM = (
    rf"{_W}++(?:(?:{_A}|\.|(?<=\d),(?=\d{{3}}(?!\d))|(?<=\d):(?=[0-5]\d(?!\d))|(?<=\d)/(?=\d)"
    rf"|(?<=[A-Z])&(?=[A-Z])){_W}++)*+"
)
_URL_STOP = r"\s()<>\[\]{}\"“”‘’'.,;:!?…"
_URL_TAIL = rf"(?:[^{_URL_STOP}]++|[.,;:!?']++(?=[^{_URL_STOP}])|\([^\s()<>]*+\))++"
_SYMBOL_MODIFIERS = r"[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*+"
_EMOJI = rf"[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]{_SYMBOL_MODIFIERS}"

# Every quantifier that could give back what it took is possessive or bounded, so the time is linear.  White
# space is taken along, and may end the text, because searching on at every blank would double the time.
_TOKEN = rf"""\s*+(?:
    (?P<plain> {_W}++ (?=[\s;?!)]|,(?!\d)|\Z) )
  | (?P<literal>
        -[LR][RCS]B-
      | (?i:(?:https?|ftp)://|www\.|doi:|10\.\d{{4,9}}/) {_URL_TAIL}
      | [\w.+%-]{{1,64}}+ @ [\w-]{{1,63}}+ (?:\.[\w-]{{1,63}}+)++
      | (?: [A-Za-z0-9][A-Za-z0-9-]{{0,62}}+ \. ){{1,8}}
        (?:com|org|net|edu|gov|io|info|uk|de|eu) (?!\.?{_W}|-) (?: / (?:{_URL_TAIL})?+ )?+
      | (?<!\S) (?: [:;=]{_A}?[-^o]?[()DPp/|\]\[] | <3 ) (?=[\s.,!?]|\Z)
      | {_W}++ \( e?s \) (?!{_W})
      | (?<!{_W}) (?:US|AU|CA|HK|NZ|NT|[ACRSZM])\$
      | [A-Za-z]\+\+ (?!{_W})
      | (?<![^\s(\[]) w/o? (?!{_W})
      | (?<!{_W}) [#@] (?=[^\W\d]) {_W}++
      | °[CFK] (?!{_W})
      | {_A} (?i:s|m|d|re|ve|ll|em|cause|cuz|coz|till?|bout|round|n|nuff|neath|fore|\d\d(?:{_A}?s)?) (?!{_W})
        (?: (?<=[nN]) {_A} )?
    )
  | (?P<clipped> (?: [A-Za-z]++(?<=[a-z][a-z]in) | (?<!{_W})(?i:ol?|th|an|lil|mo|fo|y) ) {_A} (?!{_W}) )
  | (?P<word>
        (?: (?<![^\s(\[$£€]) [-+−]?\.? (?=\d) )?+ (?: {_A} (?=(?i:tis|twas)(?!{_W})) )?+
        {_ATOM} (?: \.?+ (?:{_H}|/) {_ATOM} )*+
        (?: {_H} (?!{_W}|{_H}) | \. (?!{_W}|\.) )?+
    )
  | (?P<quote> '' | `` | ["“”„‟«»＂〝〞] | {_A} | [`‚‛‹›] )
  | (?P<symbol>
        [()\[\]{{}}?!,;:。！？]
      | \.\.\.(?=\.(?!\.)) | \.++ | …++
      | --++ | [–—―‒⸺⸻]++
      | [\U0001f1e6-\U0001f1ff]{{2}}
      | {_EMOJI} (?: \u200d {_EMOJI} )*+
      | (\S) \7*+ {_SYMBOL_MODIFIERS}
    )
  | \Z )
    """


@cache
def _scanner() -> re.Pattern[str]:
    """Finds token after token; compiled when first needed, for that takes as long as parsing ten sentences."""
    return re.compile(_TOKEN, re.VERBOSE)


_MERGED = {
    form.replace("|", ""): form.index("|")
    for word in word_set("can|not gon|na got|ta wan|na lem|me gim|me y'|all c'm|on d'|ye more|'n 't|is 't|was")
    for form in (word, word.upper(), word.capitalize() if word[0] != "'" else "'T" + word[2:])
}  # words that Penn cuts in two, and where
_CONTRACTION = re.compile(rf"(?i)n{_A}t\Z|{_A}(?:s|m|d|re|ve|ll)\Z")
_DECADE = re.compile(r"'?\d*0's")
_MISSING_SPACE = re.compile(r"(?<=[a-z][a-z])\.(?=[A-Z][a-z])")
_JOINT = re.compile(rf"{_H}|(?<!\d)/|/(?!\d)")
_WHOLE_COMPOUND = re.compile(
    r"(?:1-)?(?:\d{3}-)?\d{3}-\d{4}|\+\d++(?:-\d++)+"  # telephone numbers
    r"|\d{5}-\d{4}|\d{4}-[01]\d-[0-3]\d"  # post codes, dates
    r"|(?i:u+[hn]+|n+u+h*n*|m+|h+m+|o+h|a+h|o)-(?i:h*u+n*h+|o+h|h+m+|m+|h+[aou]+|kay)"  # uh-huh, uh-oh
    r"|(?i:n/a|s/he|c/o|b/w)"
)
_PREFIXES = word_set(
    """anti ante arch auto bi co counter cross cyber de e ex extra hetero inter intra macro mega mid mini mis
    multi non over pan para peri post pre pro proto pseudo re semi socio sub super tri u ultra un vice"""
)
_SUFFIXES = word_set("esque ette fest fold gate itis less ness rama wise")
_LINKING_WORDS = word_set("a and for in of on or the to")
_SEGMENT = re.compile(rf"{_W}++")
_SUSPENDED = re.compile(r"\s++(?:and|or|to|nor)\b")
_SHORT = 40
_Piece = tuple[str, int, int]  # a form and its place in the word it is cut from
_OPENING_SPOTS = frozenset("([{<-–—/`‘“\"'")
_CLOSING_SPOTS = frozenset(".,;:!?)]}")


class _Scan:
    """One pass over a text: what has been found, and which quotes are open."""

    def __init__(self, source: str, split_hyphens: bool) -> None:
        self.source = source
        self.split_hyphens = split_hyphens
        self.tokens: list[Token] = []
        self.double_open = False
        self.single_open = False
        self.quotes_seen_to = 0

    def run(self) -> list[Token]:
        add, tokens = self.tokens.append, self.tokens
        for match in _scanner().finditer(self.source):
            kind = match.lastgroup
            if kind is None:
                break
            (start, end), original = match.span(kind), match[kind]
            if kind == "plain":
                if original in _MERGED:
                    self.compound(original, start, end)
                else:
                    add(Token(original if original.isascii() else penn_form(original), start, end))
            elif kind == "word":
                self.compound(original, start, end)
            elif original == "," or original == ".":
                add(Token(original, start, end))
            elif kind == "quote":
                add(Token(self.quote(original, start, end), start, end))
            elif kind == "clipped":
                self.clipped(original, start, end)
            elif original[0] in DASHES or original[:2] == "--":
                tight = tokens and tokens[-1].end == start and not self.source[end : end + 1].isspace()
                add(Token("-" if tight and original in EN_DASHES else "--", start, end))
            else:
                add(Token(penn_form(original), start, end))
        return tokens

    def forget_quotes(self, start: int) -> None:
        """Close what a paragraph before `start` left open."""
        if BLANK_LINE.search(self.source, self.quotes_seen_to, start):
            self.double_open = self.single_open = False
        self.quotes_seen_to = start

    def quote(self, original: str, start: int, end: int) -> str:
        """Return the form of a quote: the neighbours decide, or the turn if they do not."""
        self.forget_quotes(start)
        before = self.source[start - 1] if start else " "
        after = self.source[end] if end < len(self.source) else " "
        free_before = before.isspace()
        opens = (free_before or before in _OPENING_SPOTS) and not after.isspace()
        closes = not free_before and (after.isspace() or after in _CLOSING_SPOTS)
        if original in ('"', "＂"):
            opening = opens if opens != closes else not self.double_open
        elif original == "''":
            opening = opens and not closes
        elif original == "“":
            opening = not closes  # the closing quote of German
        elif original == "``" or penn_form(original) in ("``", "''"):
            opening = penn_form(original) == "``"
        else:
            opening = original in "`‘‹‚‛" or (original == "'" and opens and not closes)
            self.single_open = opening
            return "`" if opening else "'"
        self.double_open = opening
        return "``" if opening else "''"

    def clipped(self, original: str, start: int, end: int) -> None:
        """Add ``goin'`` whole, unless the apostrophe closes a quotation."""
        self.forget_quotes(start)
        if self.single_open and original[-3:-1].lower() == "in":
            self.single_open = False
            self.tokens += (Token(penn_form(original[:-1]), start, end - 1), Token("'", end - 1, end))
        else:
            self.tokens.append(Token(penn_form(original), start, end))

    def compound(self, original: str, start: int, end: int) -> None:
        """Add a word that may hold hyphens, slashes, apostrophes and periods, and end in one of them."""
        last = original[-1]
        broken_off = len(original) == 2 and original.islower()  # "t- to talk"
        suspended = last in HYPHENS and not broken_off and _SUSPENDED.match(self.source, end)
        tail = end - 1 if last == "." or (suspended and self.split_hyphens) else end
        cut = _cut_short if tail - start <= _SHORT else _cut_compound
        for form, left, right in cut(original[: tail - start], self.split_hyphens):
            self.tokens.append(Token(form, start + left, start + right))
        word = self.tokens[-1]
        if last == "." and abbreviation_kind(word.text, self.source, end):
            self.tokens[-1] = Token(word.text + ".", word.start, end)
        elif tail < end:
            self.tokens.append(Token(penn_form(last), tail, end))


def _cut_compound(word: str, split_hyphens: bool) -> list[_Piece]:
    """Cut a word at its hyphens and slashes (if `split_hyphens`), then the parts of it."""
    pieces: list[_Piece] = []
    first = segment = 0
    if split_hyphens and not (len(word) <= _SHORT and _WHOLE_COMPOUND.fullmatch(word)):
        for joint in _JOINT.finditer(word, 1):
            left, right = joint.span()
            if right == len(word):
                break  # the hyphen of a broken-off word
            if joint[0] == "/" or not _holds(word, segment, left):
                _cut_word(word, first, left, pieces)
                pieces.append((penn_form(joint[0]), left, right))
                first = right
            segment = right
    _cut_word(word, first, len(word), pieces)
    return pieces


# Short words come again and again, and long ones must not be kept.
_cut_short = lru_cache(maxsize=1 << 15)(_cut_compound)


def _cut_word(word: str, start: int, end: int, pieces: list[_Piece]) -> None:
    """Part a stretch of `word` without hyphens where a space is missing, and cut its contractions."""
    for missing in _MISSING_SPACE.finditer(word, start, end):
        at = missing.start()
        if abbreviation_kind(word[start:at], word, at + 1):
            _cut_contraction(word, start, at + 1, pieces)
        else:
            _cut_contraction(word, start, at, pieces)
            pieces.append((".", at, at + 1))
        start = at + 1
    _cut_contraction(word, start, end, pieces)


def _cut_contraction(word: str, start: int, end: int, pieces: list[_Piece]) -> None:
    """Cut contracted words and possessives: ``would 've``, ``gon na``, ``John 's``."""
    form = penn_form(word[start:end])
    cuts = [end]
    if len(form) == end - start and form in _MERGED:
        cuts.append(start + _MERGED[form])
    elif "'" in form and not _DECADE.fullmatch(form):
        suffix = _CONTRACTION.search(word, max(start + 1, end - 3), end)
        while suffix is not None:
            cuts.append(suffix.start())
            suffix = _CONTRACTION.search(word, max(start + 1, cuts[-1] - 3), cuts[-1])
    cuts.append(start)
    pieces += [(penn_form(word[left:right]), left, right) for left, right in pairwise(reversed(cuts))]


def _holds(word: str, segment: int, joint: int) -> bool:
    """Return whether the hyphen at `joint` belongs to a prefix (from `segment`) or a suffix and so stays."""
    following = _SEGMENT.match(word, joint + 1, joint + 8)
    right = following[0].lower() if following else ""
    if right in _SUFFIXES:
        return True
    left = word[segment:joint] if joint - segment <= 7 else ""
    return left.lower() in _PREFIXES and (left.islower() or left.istitle()) and right not in _LINKING_WORDS


def split_sentences(text: str, split_hyphens: bool = True) -> list[list[Token]]:
    """Cut `text` into sentences of tokens.

    Parameters
    ----------
    text
        Any string at all; nothing in it raises.
    split_hyphens
        Whether hyphens and slashes inside words become separate tokens.

    Returns
    -------
    list of list of Token
        No sentence is empty; all tokens in order cover every character once, but for whitespace and what counts as it.
    """
    text = spaced(text)
    tokens = _Scan(text, split_hyphens).run()
    sentences: list[list[Token]] = []
    first = 0
    for end in sentence_ends(tokens, text):
        sentence = tokens[first:end]
        at = period_owner(sentence)
        if at >= 0:
            owner = sentence[at]
            # "plan B." ends in a letter, "in the U.S." in an abbreviation to which the period belongs.
            form = owner.text[:-1] if len(owner.text) == 2 else owner.text
            cut = owner.end - 1
            sentence[at : at + 1] = (Token(form, owner.start, cut), Token(".", cut, owner.end))
        sentences.append(sentence)
        first = end
    return sentences


def find_sentences(text: str, split_hyphens: bool = True) -> list[TokenisedSentence]:
    """Split text as :func:`split_sentences` does, and give each sentence with its place in the text."""
    found = split_sentences(text, split_hyphens)
    return [TokenisedSentence(tuple(tokens), tokens[0].start, tokens[-1].end) for tokens in found]


def tokenise(text: str, split_hyphens: bool = True) -> list[Token]:
    """Return the tokens of all sentences of `text` in one list; see :func:`split_sentences`."""
    return [token for sentence in split_sentences(text, split_hyphens) for token in sentence]
