"""The treebank of ``resources/treebank``: what must not occur in it, what its plan still wants, and how diverse it is.

``python -m tests.treebank check`` looks at the trees that are there, or at batches that are named; ``plan`` and
``words`` tell what is wanted and not there yet, ``figures`` how the sentences differ, and ``file`` moves a batch to the
files of its genres.  The notation of a batch is in ``resources/treebank/guidelines.md``.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError, TreeError
from engine.patterns.forest import Forest
from engine.patterns.pattern import Pattern
from engine.text.tokeniser import tokenise
from engine.trees.reading import read_tree
from engine.trees.tree import Tree

TREEBANK = Path(__file__).parents[1] / "resources" / "treebank"
PARTS = ("train", "dev", "test")
LABELS = frozenset(
    ("ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NP", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP")
).union(("S", "SBAR", "SBARQ", "SINV", "SQ"), ("WHADJP", "WHADVP", "WHNP", "WHPP"))
"""The labels of the guidelines: those of Bies et al. (1995) without NAC, NX and X."""
TAGS = frozenset(
    ("CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS")
).union(
    ("PRP", "PRP$", "RB", "RBR", "RBS", "RP", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP"),
    ("WP$", "WRB", "HYPH", "$", "-LRB-", "-RRB-", ",", ":", ".", "``", "''"),
)
CLOSED = {
    "CC": "and but or nor yet so plus & both either neither",
    "DT": "the a an this that these those some any no every each all both another either neither half",
    "EX": "there",
    "IN": "of in on at by for with from to into onto about over under after before during without within between among "
    "through across along around behind beside besides below above near inside outside beyond against toward towards "
    "until till since as than like unlike per via off out up down past despite except upon throughout opposite "
    "amid amongst underneath beneath minus plus "
    "that if because whether while although though unless once so lest whereas unless in because notwithstanding",
    "MD": "can ca could will wo would shall sha should may might must ought need dare 'll 'd had better",
    "PDT": "all both half such quite rather nary",
    "POS": "'s '",
    "PRP": "i you he she it we they me him her us them mine yours his hers ours theirs myself yourself himself herself "
    "itself ourselves yourselves themselves 's one",
    "PRP$": "my your his her its our their one's",
    "RP": "up down in out on off over around round through along by about across",
    "TO": "to na ta",
    "WDT": "which that what whichever whatever",
    "WP": "who whom what whoever whomever whatever",
    "WP$": "whose",
    "WRB": "when where why how whenever wherever however",
}
"""Tags whose words can be listed, with these."""
MARKS = frozenset((",", ":", ".", "``", "''", "-LRB-", "-RRB-", "HYPH"))
"""Tags of what is no word where words are counted."""
FEWEST_WORDS, MOST_WORDS = 4, 30
FEWEST_IN_FRAGMENTS = 2
CLAUSES = frozenset(("S", "SQ", "SBARQ", "SINV"))
WITHOUT_STOP = frozenset(("messages",))
"""Genres whose sentences may end without a mark."""
NEAREST = 0.5
"""Share of word pairs in common from which two sentences are too much alike."""
_PAIR, _SECOND, _NOTE, _HEADING = "&", "~", "?", "#"
_TREE = "("


class Row(NamedTuple):
    """A tree of the treebank or of a batch, and what is known of it.

    Attributes
    ----------
    place
        File and line.
    pair
        What differs between this sentence and the next of a minimal pair; empty for others.
    second
        The tree of the other reading, and `note` what makes the difference and why this one is gold.
    """

    tree: Tree
    place: str
    genre: str
    part: str
    pair: str = ""
    second: Tree | None = None
    note: str = ""

    @property
    def sentence(self) -> str:
        """The words, as the files of pairs and second readings name the sentence."""
        return " ".join(self.tree.words())


class Problem(NamedTuple):
    """Something that must not be, at a place."""

    place: str
    what: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}: {self.sentence}"


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the treebank."""
    with (TREEBANK / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def alternatives(text: str) -> list[Pattern]:
    """Return the patterns of a table's cell: several are parted by two bars."""
    return [Pattern(part) for part in text.split(" || ")]


@cache
def never() -> tuple[tuple[Pattern, str], ...]:
    """Return the patterns that must not match, with what is wrong where they do."""
    return tuple(
        (pattern, row["what is wrong"]) for row in table("never.tsv") for pattern in alternatives(row["pattern"])
    )


def genres() -> list[str]:
    """Return the genres of the plan."""
    return [row["name"] for row in table("plan.tsv") if row["kind"] == "genre"]


# Reading.


def filed_rows() -> Iterator[Row]:
    """Yield the trees of the genre files, in the order of parts and names."""
    for part in PARTS:
        for file in sorted((TREEBANK / part).glob("*.ptb")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                yield Row(read_tree(line), f"{part}/{file.name}:{number}", file.stem, part)


def batch_rows(file: Path, problems: list[Problem]) -> Iterator[Row]:
    """Yield the trees of a batch; what cannot be read becomes a problem."""
    genre, part, pair, waiting = "", "train", "", 0
    held: Row | None = None
    note = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{file.name}:{number}"
        text = line.strip()
        mark, rest = text[:1], text[1:].strip()
        if mark == _HEADING:
            kind, _, value = rest.partition(" ")
            if kind == "genre" and value in genres():
                genre = value
            elif kind == "part" and value in PARTS:
                part = value
            elif kind in ("genre", "part"):
                problems.append(Problem(place, f"there is no {kind} of this name", rest))
        elif mark == _PAIR:
            pair, waiting = rest, 2
        elif mark == _NOTE:
            note = rest
        elif mark in (_TREE, _SECOND):
            try:
                tree = read_tree(text if mark == _TREE else rest)
            except TreeError as error:
                problems.append(Problem(place, error.problem, text[:60]))
                continue
            if mark == _SECOND:
                if held is None or not note:
                    problems.append(Problem(place, "a second reading follows its tree and a note", text[:60]))
                else:
                    held = held._replace(second=tree, note=note)
                note = ""
                continue
            if held is not None:
                yield held
            held = Row(tree, place, genre, part, pair if waiting else "")
            waiting = max(waiting - 1, 0)
            if not genre:
                problems.append(Problem(place, "no genre stands above", held.sentence))
        elif text:
            problems.append(Problem(place, "neither a tree nor one of the marks # & ? ~", text[:60]))
    if held is not None:
        yield held


def guideline_rows() -> Iterator[Row]:
    """Yield the whole trees that stand in the guidelines, on lines of their own."""
    lines = (TREEBANK / "guidelines.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("    ") and line.strip().startswith("(S"):
            yield Row(read_tree(line.strip()), f"guidelines.md:{number}", "home", "train")


# What must not occur.


def tree_problems(rows: Sequence[Row]) -> Iterator[Problem]:
    """Yield what is wrong with each tree by itself, second readings included."""
    checked = [(row, row.tree) for row in rows] + [(row, row.second) for row in rows if row.second is not None]
    for row, tree in checked:
        for what in _own_problems(tree, row):
            yield Problem(row.place, what, row.sentence)
    forest = Forest.of([tree for _, tree in checked])
    for pattern, what in never():
        for match in pattern.search(forest):
            row = checked[match.tree_number][0]
            yield Problem(row.place, f"{what} ({match.label} {' '.join(match.words)})", row.sentence)


def _own_problems(tree: Tree, row: Row) -> Iterator[str]:
    leaves = tree.leaves()
    strange = {leaf.label for leaf in leaves} - TAGS
    if strange:
        yield f"no tag of the guidelines: {' '.join(sorted(strange))}"
    for leaf in leaves:
        if leaf.label in CLOSED and (leaf.word or "").lower() not in CLOSED[leaf.label].split():
            yield f"no word is tagged like this: {leaf.label} {leaf.word}"
    labels = {node.label for node in constituents(tree)} - LABELS
    if labels:
        yield f"no label of the guidelines: {' '.join(sorted(labels))}"
    said = [leaf for leaf in leaves if leaf.label not in ("``", "''", "-LRB-", "LS")]
    if not (said[0].word or "")[0].isupper() and not (said[0].word or "")[0].isdigit():
        yield "the first word has no capital"
    if said[-1].label not in (".", ":") and row.genre not in WITHOUT_STOP:
        yield "the final mark is missing"
    words = [leaf for leaf in leaves if leaf.label not in MARKS]
    fewest = FEWEST_WORDS if tree.label in CLAUSES else FEWEST_IN_FRAGMENTS
    if not fewest <= len(words) <= MOST_WORDS:
        yield f"{len(words)} words; {fewest} to {MOST_WORDS} are wanted"
    for leaf in words:
        forms = [token.text for token in tokenise(leaf.word or "")]
        if forms != [leaf.word] and leaf.label not in ("POS", "NNP", "CD", "NN", "JJ") and "'" not in (leaf.word or ""):
            yield f"the tokeniser writes {' '.join(forms)} for {leaf.word}"
    for first, second in pairwise(words):
        if (first.word or "").lower() in ("a", "an") and first.label == "DT":
            vowel = (second.word or "")[0].lower() in "aeiou"
            if vowel != ((first.word or "").lower() == "an") and not _SOUNDS.match(second.word or ""):
                yield f"{first.word} {second.word}"
    if row.second is tree and (tree.words() != row.tree.words() or tree.brackets() == row.tree.brackets()):
        yield "the second reading has other words, or the same tree"


_SOUNDS = re.compile(
    r"(?i)^(hour|honest|honou?r|heir|uni|use|usu|uk|eu|one|once|ew|[AEFHILMNORSX]{2}|u-|8|11|18|[aefhilmnorsx]-)"
)


def constituents(tree: Tree) -> Iterator[Tree]:
    """Yield every node but tagged words."""
    if not tree.is_word:
        yield tree
        for child in tree.children:
            yield from constituents(child)


def word_pairs(tree: Tree) -> frozenset[tuple[str, str]]:
    """Return the pairs of words that stand side by side, with both ends of the sentence."""
    words = ["", *(leaf.word.lower() for leaf in tree.leaves() if leaf.word and leaf.label not in MARKS), ""]
    return frozenset(pairwise(words))


class Neighbour(NamedTuple):
    """The sentence with which one shares most of its word pairs."""

    number: int
    share: float


def nearest(trees: Sequence[Tree]) -> list[Neighbour]:
    """Return of every tree its nearest neighbour before or after it: the share of word pairs of both that both have."""
    pairs = [word_pairs(tree) for tree in trees]
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, own in enumerate(pairs):
        for pair in own:
            places[pair].append(number)
    # A pair that hundreds of sentences have makes none of them alike.
    rare = {pair: found for pair, found in places.items() if 1 < len(found) <= 200}
    answers = []
    for number, own in enumerate(pairs):
        shared = Counter(other for pair in own if pair in rare for other in rare[pair] if other != number)
        best = Neighbour(-1, 0.0)
        for other, _ in shared.most_common(20):
            share = len(own & pairs[other]) / len(own | pairs[other])
            if share > best.share:
                best = Neighbour(other, share)
        answers.append(best)
    return answers


def likeness_problems(rows: Sequence[Row], partners: frozenset[frozenset[str]]) -> Iterator[Problem]:
    """Yield sentences that come twice, and those too near another that is not their partner in a minimal pair."""
    first: dict[str, Row] = {}
    for row in rows:
        key = row.sentence.lower()
        if key in first:
            yield Problem(row.place, f"the same as {first[key].place}", row.sentence)
        first.setdefault(key, row)
    for row, neighbour in zip(rows, nearest([row.tree for row in rows]), strict=True):
        if neighbour.share < NEAREST:
            continue
        other = rows[neighbour.number]
        if frozenset((row.sentence, other.sentence)) not in partners and row.sentence.lower() != other.sentence.lower():
            yield Problem(row.place, f"{neighbour.share:.2f} like {other.place} ({other.sentence})", row.sentence)


def pairs_of(rows: Iterable[Row]) -> list[tuple[Row, Row]]:
    """Return the minimal pairs of a batch: two trees in a row under one mark."""
    marked = [row for row in rows if row.pair]
    return list(zip(marked[::2], marked[1::2], strict=False))


def filed_partners() -> frozenset[frozenset[str]]:
    """Return the minimal pairs that are filed, as sentences."""
    return frozenset(frozenset((row["one"], row["other"])) for row in table("pairs.tsv"))


def pair_problems(pairs: Iterable[tuple[Row, Row]]) -> Iterator[Problem]:
    """Yield pairs that are no minimal pairs: several words differ, or the brackets are the same."""
    for one, other in pairs:
        left, right = one.tree.words(), other.tree.words()
        common = sum((Counter(left) & Counter(right)).values())
        if max(len(left), len(right)) - common > 3:
            yield Problem(one.place, f"more than three words differ from {other.place}", one.sentence)
        if len(left) == len(right) and shape(one.tree) == shape(other.tree):
            yield Problem(one.place, f"the brackets are those of {other.place}", one.sentence)


def shape(tree: Tree) -> str:
    """Return the brackets without tags and words."""
    return "x" if tree.is_word else "(" + tree.label + "".join(shape(child) for child in tree.children) + ")"


# What the plan wants, and how diverse the sentences are.


def plan_table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the rows of the plan: what is wanted, what is there, in how many genres."""
    forest = Forest.of([row.tree for row in rows])
    for row in table("plan.tsv"):
        if row["kind"] == "genre":
            found = [other for other in rows if other.genre == row["name"]]
        else:
            numbers = {
                match.tree_number for pattern in alternatives(row["pattern"]) for match in pattern.search(forest)
            }
            found = [rows[number] for number in numbers]
        spread = len({other.genre for other in found})
        short = "" if len(found) >= int(row["wanted"]) else f"  {int(row['wanted']) - len(found)} to go"
        yield f"{row['kind']:13}{row['name']:46}{len(found):6}{int(row['wanted']):6}{spread:4}{short}"


IRREGULAR_PLURALS = {
    "child": "children", "man": "men", "woman": "women", "person": "people", "foot": "feet", "tooth": "teeth",
    "mouse": "mice", "goose": "geese", "wife": "wives", "life": "lives", "knife": "knives", "leaf": "leaves",
    "half": "halves", "shelf": "shelves", "wolf": "wolves", "thief": "thieves", "loaf": "loaves", "calf": "calves",
    "scarf": "scarves", "sheep": "sheep", "fish": "fish", "deer": "deer", "potato": "potatoes", "tomato": "tomatoes",
    "hero": "heroes", "echo": "echoes",
}  # fmt: skip


def inflected(word: str, ending: str) -> str:
    """Return a regular form: the ending s, ed or ing with its spelling."""
    if ending == "s":
        if re.search(r"(s|x|z|ch|sh)$", word):
            return word + "es"
        return re.sub(r"([^aeiou])y$", r"\1ie", word) + "s"
    if word.endswith("e") and not word.endswith(("ee", "ye", "oe")):
        return (word[:-2] + "y" if word.endswith("ie") and ending == "ing" else word[:-1]) + ending
    if ending == "ed" and re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ied"
    return word + ending


def verb_forms() -> dict[str, frozenset[str]]:
    """Return the forms of every verb of the list."""
    answer = {}
    for row in table("verbs.tsv"):
        verb = row["verb"]
        forms = {verb, *(inflected(verb, ending) for ending in ("s", "ed", "ing")), *row["irregular"].split()}
        if re.search(r"[^aeiou][aeiou][^aeiouwxy]$", verb):
            forms |= {verb + verb[-1] + "ed", verb + verb[-1] + "ing"}
        answer[verb] = frozenset(forms)
    return answer


def noun_forms() -> dict[str, frozenset[str]]:
    """Return singular and plural of every noun of the list."""
    nouns = (TREEBANK / "nouns.txt").read_text(encoding="utf-8").split()
    return {noun: frozenset((noun, IRREGULAR_PLURALS.get(noun, inflected(noun, "s")))) for noun in nouns}


FRAMES: dict[str, str] = {
    "i": "VP !< NP|PP|S|SBAR|ADJP|VP|PRT",
    "t": "VP < NP",
    "d": "VP < (NP $+ NP)",
    "pp": "VP < PP",
    "npp": "VP < (NP $++ PP)",
    "prt": "VP < PRT",
    "adj": "VP < ADJP",
    "n": "VP < NP",
    "to": "VP < (S <, (VP < TO)) !< NP",
    "ing": "VP < (S <, (VP < VBG))",
    "that": "VP < (SBAR [< (IN < that) | <: S]) !< NP",
    "nthat": "VP < (NP $++ (SBAR [< (IN < that) | <: S]))",
    "wh": "VP < (SBAR [<, /^WH/ | < (IN < /^(if|whether)$/)])",
    "nto": "VP < (NP $++ (S <, (VP < TO)))",
    "sto": "VP < (S < (NP $+ (VP < TO)))",
    "sbare": "VP < (S < (NP $+ (VP <, VB)))",
    "sing": "VP < (S < (NP $+ (VP <, VBG)))",
    "sen": "VP < (S < (NP $+ (VP <, VBN)))",
    "sadj": "VP < (S < (NP $+ ADJP|PP|ADVP))",
    "sn": "VP < (S < (NP $+ NP))",
    "q": 'VP|S|SINV < "``"',
}
"""The frames of ``verbs.tsv`` as patterns of the VP, or clause, that the verb heads."""


def word_table(rows: Sequence[Row], most: int) -> Iterator[str]:
    """Yield which verbs, frames and nouns of the lists do not occur yet."""
    verbs, nouns = verb_forms(), noun_forms()
    said: dict[str, set[str]] = {"V": set(), "N": set()}
    for row in rows:
        for leaf in row.tree.leaves():
            if leaf.label[:1] in said and leaf.word:
                said[leaf.label[0]].add(leaf.word.lower())
    for what, forms, kind in (("verbs", verbs, "V"), ("nouns", nouns, "N")):
        lacking = [word for word, own in forms.items() if not own & said[kind]]
        yield f"{what}: {len(forms) - len(lacking)} of {len(forms)}; not yet: {' '.join(lacking[:most])}"
    base = {form: verb for verb, own in verbs.items() for form in own}
    forest = Forest.of([row.tree for row in rows])
    found: set[tuple[str, str]] = set()
    for frame, pattern in FRAMES.items():
        for match in Pattern(pattern).search(forest):
            heads = [child.word or "" for child in match.node.children if child.label.startswith("VB")]
            heads += [
                kid.word or "" for child in match.node.children if child.label == "VP" for kid in child.children[:1]
            ]
            found.update((base[head.lower()], frame) for head in heads if head.lower() in base)
    wanted = [(row["verb"], frame) for row in table("verbs.tsv") for frame in row["frames"].split()]
    lacking = [f"{verb}:{frame}" for verb, frame in wanted if (verb, frame) not in found]
    yield f"frames: {len(wanted) - len(lacking)} of {len(wanted)}; not yet: {' '.join(lacking[:most])}"


def figures(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the figures of length and diversity."""
    trees = [row.tree for row in rows]
    lengths = [sum(leaf.label not in MARKS for leaf in tree.leaves()) for tree in trees]
    words = [leaf.word.lower() for tree in trees for leaf in tree.leaves() if leaf.word and leaf.label not in MARKS]
    tags = Counter(" ".join(tree.tags()) for tree in trees)
    shapes = Counter(shape(tree) for tree in trees)
    near = [neighbour.share for neighbour in nearest(trees)]
    once = sum(count == 1 for count in Counter(words).values())
    yield f"trees                        {len(trees)}"
    yield f"words                        {len(words)}, {sum(lengths) / len(lengths):.1f} a sentence"
    share = len(set(words)) / len(words)
    yield f"different words              {len(set(words))}, {once} of them once; {share:.3f} of all"
    yield f"different tag sequences      {len(tags)} ({len(tags) / len(trees):.1%})"
    yield f"different bracket shapes     {len(shapes)} ({len(shapes) / len(trees):.1%})"
    alike = sum(share >= NEAREST for share in near)
    yield f"nearest neighbour, mean      {sum(near) / len(near):.3f}; {alike} at {NEAREST} or more"
    leaves = [leaf for tree in trees for leaf in tree.leaves() if leaf.label[:2] in ("NN", "VB", "JJ")]
    content = Counter((leaf.word or "").lower() for leaf in leaves).most_common(25)
    yield f"commonest content words      {', '.join(f'{word} {count}' for word, count in content)}"


# Filing.


def file_batch(rows: Sequence[Row]) -> None:
    """Append the trees of a batch to the files of their genres, its pairs and second readings to their tables."""
    for row in rows:
        file = TREEBANK / row.part / f"{row.genre}.ptb"
        file.parent.mkdir(exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(row.tree.brackets() + "\n")
    with (TREEBANK / "pairs.tsv").open("a", encoding="utf-8") as out:
        out.writelines(f"{one.pair}\t{one.sentence}\t{other.sentence}\n" for one, other in pairs_of(rows))
    with (TREEBANK / "ambiguous.tsv").open("a", encoding="utf-8") as out:
        out.writelines(
            f"{row.sentence}\t{row.second.brackets()}\t{row.note}\n" for row in rows if row.second is not None
        )


def table_problems(rows: Sequence[Row]) -> Iterator[Problem]:
    """Yield rows of the tables of pairs and second readings that name no sentence of the treebank."""
    trees = {row.sentence: row.tree for row in rows}
    for number, pair in enumerate(table("pairs.tsv"), 2):
        for sentence in (pair["one"], pair["other"]):
            if sentence not in trees:
                yield Problem(f"pairs.tsv:{number}", "no sentence of the treebank", sentence)
    for number, other in enumerate(table("ambiguous.tsv"), 2):
        tree = read_tree(other["other tree"])
        if other["sentence"] not in trees or tree.words() != trees[other["sentence"]].words():
            yield Problem(f"ambiguous.tsv:{number}", "no sentence of the treebank", other["sentence"])


def problems_of(rows: Sequence[Row], others: Sequence[Row] = ()) -> list[Problem]:
    """Return all that is wrong with some trees, held against others that are filed already."""
    pairs = pairs_of(rows)
    partners = filed_partners() | {frozenset((one.sentence, other.sentence)) for one, other in pairs}
    found = [*tree_problems(rows), *pair_problems(pairs)]
    places = {row.place for row in rows}
    found += [problem for problem in likeness_problems([*others, *rows], partners) if problem.place in places]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.treebank", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("check", "plan", "words", "figures", "file"))
    parser.add_argument("batches", nargs="*", type=Path, help="batches; without any, the treebank that is filed")
    parser.add_argument("--most", type=int, default=200, help="how many words to list")
    options = parser.parse_intermixed_args(arguments)
    problems: list[Problem] = []
    filed = list(filed_rows())
    rows = [row for file in options.batches for row in batch_rows(file, problems)]
    everything = [*filed, *rows]
    try:
        if options.what in ("check", "file"):
            problems += problems_of(rows, filed) if options.batches else problems_of(filed)
            problems += [] if options.batches else table_problems(filed)
            for problem in problems:
                print(problem)
            print(f"{len(rows or filed)} trees, {len(problems)} problems")
            if options.what == "file" and not problems:
                file_batch(rows)
                for file in options.batches:
                    file.unlink()
        else:
            made: dict[str, Callable[[Sequence[Row]], Iterator[str]]] = {
                "plan": plan_table,
                "figures": figures,
                "words": partial(word_table, most=options.most),
            }
            print("\n".join(made[options.what](everything)))
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
