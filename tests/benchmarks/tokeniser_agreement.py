"""How often the tokeniser cuts text as a treebank does.

Usage: ``python tests/benchmarks/tokeniser_agreement.py TREEBANK [--keep-hyphens] [--list N]``

The trees' tokens are put together to plain text by simple rules (no space before a comma, brackets and
contractions undone), that text is tokenised, and the character spans of both are compared.  Where the
rules guess a space wrongly the disagreement is theirs, so the figures are a little too low.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.text.tokeniser import Token, split_sentences, tokenise
from engine.trees.reading import read_brackets
from engine.trees.tree import Tree

Span = tuple[int, int]

BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LCB-": "{",
    "-RCB-": "}",
    "-LSB-": "[",
    "-RSB-": "]",
    "``": '"',
    "''": '"',
}
JOINED_WORDS = {"gon na", "got ta", "wan na", "can not", "lem me", "gim me", "y' all", "c'm on"}
CONTRACTED = re.compile(r"(?i)n't|'(?:s|m|re|ve|ll|d)|'")
CLOSING = re.compile(r"[,;:.?!)\]}%°]|\.\.+|…")
UNSPACED_TAGS = {"HYPH", "SYM"}
UNSPACED_SYMBOLS = {"-", "–", "--", "−", "/", ":", "@", "|", "—"}


def raw_form(word: str) -> str:
    """A treebank's word as it stood in the text."""
    if word in BRACKETS:
        return BRACKETS[word]
    for mark in ("-LRB-", "-RRB-"):
        word = word.replace(mark, BRACKETS[mark])
    return word.replace("\\/", "/").replace("\\*", "*")


def space_between(left: Tree, right: Tree) -> bool:
    """Whether the text had a space between two neighbouring leaves, as far as can be guessed."""
    before, after = raw_form(left.word or ""), raw_form(right.word or "")
    plain = after.replace("’", "'")
    if f"{before} {after}".lower().replace("’", "'") in JOINED_WORDS:
        return False
    if CONTRACTED.fullmatch(plain) and right.label != "``":
        return False
    if before in "([{$£€#“‘¿¡" or left.label == "``" or left.label == "$":
        return False
    if (CLOSING.fullmatch(after) and right.label != "HYPH") or after in "”’" or right.label == "''":
        return False
    if any(leaf.label in UNSPACED_TAGS and leaf.word in UNSPACED_SYMBOLS for leaf in (left, right)):
        return False
    if after == "[" and before != ",":
        return False  # in these texts nearly always a citation
    return "—" not in (before, after)


def compose(leaves: list[Tree]) -> tuple[str, list[Span]]:
    """The text of a sentence, and the span of each leaf in it."""
    text = ""
    spans: list[Span] = []
    for index, leaf in enumerate(leaves):
        form = raw_form(leaf.word or "")
        if index and form == "." and text.endswith(".") and len(leaves[index - 1].word or "") > 1:
            # Penn writes the period of a final abbreviation twice, the text had it once.
            spans[-1] = (spans[-1][0], len(text) - 1)
            spans.append((len(text) - 1, len(text)))
            continue
        if index and space_between(leaves[index - 1], leaf):
            text += " "
        spans.append((len(text), len(text) + len(form)))
        text += form
    return text, spans


def read_sentences(path: Path) -> list[list[Tree]]:
    """The leaves of every tree in a file, without traces."""
    trees = read_brackets(path.read_text(encoding="utf-8"), path.name)
    kept = ([leaf for leaf in tree.leaves() if leaf.label != "-NONE-"] for tree in trees if isinstance(tree, Tree))
    return [leaves for leaves in kept if leaves]


def disagreements(text: str, gold: list[Span], found: list[Span]) -> list[str]:
    """The smallest stretches both sides cover but cut differently, as ``treebank's cut => ours``."""
    listed: list[str] = []
    shared_starts = {start for start, _ in gold} & {start for start, _ in found}
    bounds = sorted(shared_starts | {len(text)})
    for start, end in pairwise(bounds):
        theirs = [text[a:b] for a, b in gold if start <= a < end]
        ours = [text[a:b] for a, b in found if start <= a < end]
        if theirs != ours:
            listed.append(f"{' '.join(theirs)}  =>  {' '.join(ours)}")
    return listed


def measure_boundaries(texts: list[str], split_hyphens: bool) -> tuple[int, int, int]:
    """Sentence boundaries right, found and in the treebank, over the sentences set as running text.

    A sentence without a final mark (a heading, a turn cut short) is given a paragraph of its own,
    as it would have in print.
    """
    running = ""
    gold: set[int] = set()
    for text in texts:
        running += text
        gold.add(len(running))
        running += " " if text.rstrip("\"”’')]")[-1:] in (".", "?", "!") else "\n\n"
    found = {sentence[-1].end for sentence in split_sentences(running, split_hyphens)}
    return len(gold & found), len(found), len(gold)


def percentage(part: int, whole: int) -> float:
    """`part` of `whole` in per cent, 0 of nothing."""
    return 100 * part / whole if whole else 0.0


def main(arguments: list[str] | None = None) -> int:
    """Measure one treebank and print the table."""
    parser = argparse.ArgumentParser(description="Agreement of the tokeniser with a treebank")
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--keep-hyphens", action="store_true", help="measure with hyphenated words kept whole")
    parser.add_argument("--list", type=int, default=10, metavar="N", help="how many disagreements to print")
    options = parser.parse_args(arguments)
    split = not options.keep_hyphens

    right = found_total = gold_total = whole = 0
    wrong: Counter[str] = Counter()
    texts: list[str] = []
    sentences = read_sentences(options.treebank)
    for leaves in sentences:
        text, gold = compose(leaves)
        tokens: list[Token] = tokenise(text, split)
        found = [(token.start, token.end) for token in tokens]
        right += len(set(gold) & set(found))
        gold_total += len(gold)
        found_total += len(found)
        whole += gold == found
        wrong.update(disagreements(text, gold, found))
        texts.append(text)

    bounds_right, bounds_found, bounds_gold = measure_boundaries(texts, split)
    print(f"{options.treebank.name}, hyphens {'split' if split else 'kept'}")
    print(f"  sentences                 {len(sentences):8,}")
    print(f"  tokens in the treebank    {gold_total:8,}")
    print(f"  tokens found              {found_total:8,}")
    print(f"  token precision           {percentage(right, found_total):8.2f} %")
    print(f"  token recall              {percentage(right, gold_total):8.2f} %")
    print(f"  token F1                  {percentage(2 * right, found_total + gold_total):8.2f} %")
    print(f"  sentences fully right     {percentage(whole, len(sentences)):8.2f} %")
    print(f"  boundary precision        {percentage(bounds_right, bounds_found):8.2f} %")
    print(f"  boundary recall           {percentage(bounds_right, bounds_gold):8.2f} %")
    print(f"\n  {options.list} most frequent disagreements (treebank => tokeniser)")
    for pair, count in wrong.most_common(options.list):
        print(f"  {count:6}  {pair}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
