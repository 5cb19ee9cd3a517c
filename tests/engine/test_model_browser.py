"""The model browser: what it tells of words, tags, pairs and relations is what the training trees hold."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from engine.common.errors import EngineError
from engine.counts.contexts import QUESTIONS, distance_answers
from engine.model.model import Model
from engine.structure.constituents import CORE, Constituent, commas_before
from engine.structure.dependencies import GAP_LETTERS, BaseNP, Relation, gap_tags
from engine.structure.distance import Ruler
from engine.study.browser import Browser, Findings, FoundTable, completions, read_query
from engine.study.counted import count_in
from engine.study.evidence import Evidence, read_trees
from engine.trees.tree import PUNCTUATION_TAGS, clean
from engine.trees.treebank import read_treebank


@pytest.fixture(scope="module")
def browser(classroom: Model) -> Browser:
    return Browser(classroom)


Word = tuple[str, str]
"""A word with its tag."""


class Counted:
    """The classroom's trees counted by brute force, over constituents and not over columns."""

    def __init__(self, model: Model, treebank: Path) -> None:
        self.arrows: Counter[tuple[Word, Word, int, str]] = Counter()
        self.pairs: Counter[tuple[Word, Word, int]] = Counter()
        self.gaps: Counter[tuple[Word, Word, bool, str]] = Counter()
        self.unaries: Counter[tuple[Word, str, str]] = Counter()
        self.roots: Counter[tuple[Word, str]] = Counter()
        self.reduced: Counter[Word] = Counter()
        for raw in read_treebank([treebank]):
            tree = clean(raw)
            assert tree is not None
            leaves = tree.leaves()
            tags = [leaf.label for leaf in leaves]
            named = [(leaf.word or "", leaf.label) for leaf in leaves if leaf.label not in PUNCTUATION_TAGS]
            commas = commas_before(tags)
            root = model.lexicaliser.constituent(tree)
            assert root is not None
            nodes = list(root.walk())
            bases = [BaseNP(node.start, node.end, node.head) for node in nodes if node.is_base]
            ruler = Ruler([tag for _, tag in named], commas, bases)
            for letter, (left, right), comma in zip(
                gap_tags(len(named), bases), pairwise(named), commas[1:], strict=False
            ):
                self.gaps[left, right, comma > 0, letter] += 1
            for modifier in ruler.reduced:
                self.reduced[named[modifier]] += 1
                for head in ruler.reduced:
                    if head != modifier:
                        code = ruler.distance(modifier, head).code
                        self.pairs[named[modifier], named[head], code] += 1
            for node in nodes:
                for index, child in enumerate(node.children):
                    if len(node.children) > 1 and index != node.head_child:
                        relation = str(Relation(child.label, node.label, node.head_label))
                        code = ruler.distance(child.head, node.head).code
                        self.arrows[named[child.head], named[node.head], code, relation] += 1
            self.roots[named[root.head], f"<{root.label}>"] += 1
            self._count_unaries(root, named)

    def _count_unaries(self, root: Constituent, named: Sequence[Word]) -> None:
        stack = [(root, "none", True)]
        while stack:
            node, parent, pays = stack.pop()
            if pays:
                self.unaries[named[node.head], node.label, parent] += 1
            for index, child in enumerate(node.children):
                alone = len(node.children) == 1
                core = not alone and index == node.head_child and node.head_label == CORE
                stack.append((child, node.label if alone else "none", not core))


@pytest.fixture(scope="module")
def counted(classroom: Model, classroom_treebank: Path) -> Counted:
    return Counted(classroom, classroom_treebank)


def table(findings: Findings, name: str) -> FoundTable | None:
    return next((one for one in findings.tables if one.title == name), None)


def rows(findings: Findings, name: str) -> dict[tuple[object, ...], object]:
    """The rows of a table by all cells but its last count, or nothing if there is no such table."""
    found = table(findings, name)
    return {row[:-1]: row[-1] for row in found.rows} if found else {}


def fits(one: tuple[str, str], word: str | None, tag: str | None) -> bool:
    return word in (None, one[0]) and tag in (None, one[1])


def asked_terms(classroom: Model) -> list[tuple[str, str | None, str | None]]:
    words = ["saw", "with", "dog", "the", "and", "that", *classroom.vocabulary.words[::23]]
    return [
        *((word, word, None) for word in words),
        *((tag, None, tag) for tag in classroom.vocabulary.tags if tag not in classroom.word_numbers),
        ("saw/VBD", "saw", "VBD"),
        ("that/IN", "that", "IN"),
    ]


def test_terms_are_told_as_counted_by_hand(browser: Browser, counted: Counted, classroom: Model) -> None:
    for asked, word, tag in asked_terms(classroom):
        found = browser.find(asked)
        for own, other, title in ((0, 1, f"Heads of {asked}"), (1, 0, f"Modifiers of {asked}")):
            expected: Counter[tuple[str, str]] = Counter()
            by_tag: Counter[tuple[str, str]] = Counter()
            by_distance: Counter[int] = Counter()
            for (modifier, head, code, relation), times in counted.arrows.items():
                pair = (modifier, head)
                if fits(pair[own], word, tag):
                    expected["/".join(pair[other]), relation] += times
                    by_tag[pair[other][1], relation] += times
                    by_distance[code] += times
            assert rows(found, title) == expected
            assert rows(found, f"{title} by tag") == by_tag
            together: Counter[int] = Counter()
            for (modifier, head, code), times in counted.pairs.items():
                if fits((modifier, head)[own], word, tag):
                    together[code] += times
            role = "modifier" if own == 0 else "head"
            assert rows(found, f"{asked} as {role}, by Δ") == {
                (*distance_answers(code), by_distance[code]): delta for code, delta in together.items()
            }
        for side, title in ((1, f"Gap before {asked}"), (0, f"Gap after {asked}")):
            letters: dict[tuple[str, str], Counter[str]] = {}
            for (left, right, comma, letter), times in counted.gaps.items():
                if fits((left, right)[side], word, tag):
                    other_tag = (left, right)[1 - side][1]
                    key = (other_tag, "a comma" if comma else "no comma")
                    letters.setdefault(key, Counter())[letter] += times
            assert rows(found, title) == {
                (*key, *(row[letter] for letter in GAP_LETTERS)): row.total() for key, row in letters.items()
            }
        over: Counter[tuple[str, str]] = Counter()
        for (head, label, parent), times in counted.unaries.items():
            if fits(head, word, tag):
                over[label, parent] += times
        unaries = table(found, f"Unaries over what {asked} heads")
        assert {row[:2]: row[2] for row in unaries.rows} == over if unaries else not over
        roots: Counter[str] = Counter()
        for (head, label), times in counted.roots.items():
            if fits(head, word, tag):
                roots[label] += times
        shown = table(found, f"Sentences that {asked} heads")
        assert {row[0]: row[1] for row in shown.rows} == roots if shown else not roots


def test_pairs_are_told_as_counted_by_hand(browser: Browser, counted: Counted) -> None:
    pairs = (
        (("with", None), ("saw", None)),
        (("with", "IN"), ("saw", "VBD")),
        ((None, "IN"), (None, "VBD")),
        (("with", None), (None, "VBD")),
        ((None, "NN"), ("saw", None)),
        (("with", "IN"), (None, "NN")),
        (("dog", None), ("saw", "VBD")),
        ((None, "NN"), (None, "NN")),
    )
    for first, second in pairs:
        names = ["/".join(filter(None, term)) for term in (first, second)]
        found = browser.find(" ".join(names))
        for (modifier, head), (own, other) in (((first, second), names), ((second, first), names[::-1])):
            expected: dict[tuple[object, ...], tuple[int, int]] = {}
            together: Counter[int] = Counter()
            related: Counter[tuple[int, str]] = Counter()
            for (one, two, code), times in counted.pairs.items():
                if fits(one, *modifier) and fits(two, *head):
                    together[code] += times
            for (one, two, code, relation), times in counted.arrows.items():
                if fits(one, *modifier) and fits(two, *head):
                    related[code, relation] += times
            for (code, relation), times in related.items():
                expected[relation, *distance_answers(code)] = (times, together[code])
            for code, times in together.items():
                rest = times - sum(count for (other_code, _), count in related.items() if other_code == code)
                if rest:
                    expected["none", *distance_answers(code)] = (rest, times)
            shown = table(found, f"{own} → {other}, by Δ")
            assert {row[:-2]: row[-2:] for row in shown.rows} == expected if shown else not expected
            letters: dict[str, Counter[str]] = {}
            for (left, right, comma, letter), times in counted.gaps.items():
                if fits(left, *modifier) and fits(right, *head):
                    letters.setdefault("a comma" if comma else "no comma", Counter())[letter] += times
            assert rows(found, f"Gap between {own} and {other}") == {
                (comma, *(row[letter] for letter in GAP_LETTERS)): row.total() for comma, row in letters.items()
            }


def test_relations_are_told_as_counted_by_hand(browser: Browser, counted: Counted) -> None:
    for asked in ("<PP,VP,VBD>", "<NP,S,VP>", "<PP,*,*>", "< PP , VP , * >"):
        labels = [label.strip() for label in asked.strip("<>").split(",")]
        several = "*" in labels
        found = browser.find(asked)
        title = f"<{','.join(labels)}>"
        pairs: Counter[tuple[object, ...]] = Counter()
        distances: Counter[tuple[object, ...]] = Counter()
        for (modifier, head, code, relation), times in counted.arrows.items():
            if all(want in ("*", label) for want, label in zip(labels, relation[1:-1].split(","), strict=True)):
                own = (relation,) if several else ()
                pairs[*own, "/".join(modifier), "/".join(head)] += times
                distances[*own, *distance_answers(code)] += times
        assert pairs
        assert rows(found, f"Pairs of {title}") == pairs
        assert rows(found, f"Δ of {title}") == distances
        assert f"{pairs.total():,} times" in found.remarks[0]


def test_rows_stand_in_order_and_their_counts_can_be_shown(
    browser: Browser, classroom: Model, classroom_treebank: Path
) -> None:
    evidence = Evidence(classroom, read_trees([classroom_treebank], classroom.rules))
    shown = 0
    for asked in ("saw", "VBD", "with saw", "IN VBD", "<PP,*,*>"):
        for found in browser.find(asked).tables:
            column = found.header.index("η" if "η" in found.header else "δ" if "δ" in found.header else "reduced")
            counts = [row[column] for row in found.rows]
            assert counts == sorted(counts, reverse=True)
            for number, count in enumerate(counts):
                source = found.source(number)
                assert source is not None
                assert count_in(classroom.counts, source) == count == len(evidence.instances(source))
                shown += 1
    assert shown > 200


def test_findings_are_written_in_every_form(browser: Browser) -> None:
    found = browser.find("saw")
    for one in found.tables:
        lines = list(csv.reader(io.StringIO(one.csv()), strict=True))
        assert lines == [list(one.header), *([str(cell) for cell in row] for row in one.rows)]
        assert list(csv.reader(io.StringIO(one.csv("\t")), delimiter="\t")) == lines
    again = json.loads(json.dumps(found.as_object()))
    assert [one["table"] for one in again["tables"]] == [one.title for one in found.tables]
    assert again["tables"][1]["rows"][0] == dict(zip(found.tables[1].header, found.tables[1].rows[0], strict=True))
    text = found.first(2).text()
    assert "Heads of saw\n------------\nhead" in text and "more" in text
    assert found.csv().count("\n\n") == len(found.tables) - 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("telescpe", "no word ‘telescpe’ in the model; did you mean ‘telescope’ or ‘telescopes’?"),
        ("Telescope", "no word ‘Telescope’ in the model; did you mean ‘telescope’ or ‘telescopes’?"),
        ("qqqq", "no word ‘qqqq’ in the model; a word that it never saw is tagged by its spelling"),
        ("saw qqqq", "and attached by its tag alone, so ask for "),
        ("saw/VBX", "no tag ‘VBX’ in the model; did you mean"),
        ("", "ask for a word"),
        ("a b c", "‘a b c’: ask for one word or tag, or for two"),
        ("<PP,VP>", "a relation has three labels"),
        ("<PP,VP,VBX>", "no relation ‘<PP,VP,VBX>’ in the model; did you mean"),
        ("PP", "‘PP’ is a label; ask for its relations as <PP,*,*>"),
        (",", "‘,’ is punctuation"),
    ],
)
def test_what_the_model_does_not_know_is_told_with_what_it_does(browser: Browser, asked: str, said: str) -> None:
    with pytest.raises(EngineError) as caught:
        browser.find(asked)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_questions_are_read(classroom: Model) -> None:
    assert str(read_query("  with → saw/VBD ", classroom)) == "with saw/VBD"
    assert read_query("VBD", classroom).terms[0].tag == "VBD"
    assert read_query("⟨PP,VP,VBD⟩", classroom).relation == ("PP", "VP", "VBD")
    assert len(QUESTIONS) == len(distance_answers(0))


def test_questions_are_completed(classroom: Model) -> None:
    words = [word for word in classroom.vocabulary.words if word.startswith("te")]
    assert words and completions(classroom, "te") == words
    assert completions(classroom, "with te") == [f"with {word}" for word in words]
    assert completions(classroom, "saw/VB")[:2] == ["saw/VB", "saw/VBD"]
    assert completions(classroom, "VB")[:2] == ["VB", "VBD"]
    assert all(one.startswith("<PP,VP") for one in completions(classroom, "<PP,VP")) and completions(
        classroom, "<PP,VP"
    )
    assert completions(classroom, "") == [] == completions(classroom, "zzzz")
