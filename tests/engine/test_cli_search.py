"""``parse-engine search``: matches, counts and differences at the terminal."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.engine.command_runner import Cli

TREES = """\
( (S (NP-SBJ (NNP John)) (VP (VBD ate) (NP (NN pizza)) (PP (IN with) (NP (NNS friends)))) (. .)))
( (S (NP-SBJ (NNP Mary)) (VP (VBD ate)
   (NP (NP (NN pizza)) (PP (IN with) (NP (NN cheese))))) (. .)))
( (S (NP-SBJ (NNP John)) (VP (VBD slept)) (. .)))
"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "trees.ptb"
    path.write_text(TREES, "utf-8")
    return path


def test_matches_are_printed_with_place_and_sentence(cli: Cli, treebank: Path) -> None:
    ran = cli("search", "PP > __=parent", treebank)
    assert ran.status == 0
    assert ran.lines == [
        f"{treebank}:1: John ate pizza [PP with friends] .  parent: VP ate pizza with friends",
        f"{treebank}:2: Mary ate pizza [PP with cheese] .  parent: NP pizza with cheese",
    ]
    assert "2 matches in 2 of 3 trees" in ran.err
    assert cli("search", "slept", treebank).lines == [f"{treebank}:4: John [slept] ."]
    assert cli("search", "SBAR", treebank).status == 0


def test_counts_are_by_label_or_by_words(cli: Cli, treebank: Path) -> None:
    assert cli("search", "NP", treebank, "--count").lines == ["5 matches in 2 of 3 trees"]
    assert cli("search", "NP", treebank, "--clean", "--count").lines == ["8 matches in 3 of 3 trees"]
    by = cli("search", "VP < /^VB/=verb ?< NP|PP=rest", treebank, "--by", "verb", "--by", "rest", "--csv", "--words")
    assert list(csv.reader(by.lines)) == [
        ["verb", "rest", "matches", "trees", "share"],
        ["ate", "pizza", "1", "1", "0.250000"],
        ["ate", "pizza with cheese", "1", "1", "0.250000"],
        ["ate", "with friends", "1", "1", "0.250000"],
        ["slept", "", "1", "1", "0.250000"],
    ]
    table = cli("search", "@NP=np > __=parent", treebank, "--by", "parent").lines
    assert table[0].split() == ["parent", "matches", "trees", "share"]
    assert table[1].split() == ["S", "3", "3", "37.5%"]


def test_json_and_csv_have_every_match(cli: Cli, treebank: Path) -> None:
    told = json.loads(cli("search", "PP < (IN < __=word)", treebank, "--json", "--trees").out)
    assert (told["matches"], told["trees_with_match"], told["trees"], told["in"]) == (2, 2, 3, "gold")
    assert told["found"][1]["node"] == {
        "label": "PP",
        "is_word": False,
        "path": [0, 1, 1, 1],
        "span": [3, 5],
        "words": ["with", "cheese"],
    }
    assert told["found"][1]["named"]["word"]["words"] == ["with"]
    assert told["found"][0]["tree"].startswith("( (S")
    rows = list(csv.DictReader(cli("search", "PP < IN=tag", treebank, "--csv", "--max", "1").lines))
    assert [(row["line"], row["label"], row["words"], row["tag words"]) for row in rows] == [
        ("1", "PP", "with friends", "with")
    ]


def test_csv_has_a_header_without_matches_and_broken_trees_are_told(cli: Cli, treebank: Path, tmp_path: Path) -> None:
    assert cli("search", "SINV=x", treebank, "--csv").out == "file,line,label,start,end,words,x label,x words\n"
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NP (NNP Mary)) (VP (VBD left)))\n(S (NP\n")
    ran = cli("search", "NP", broken, "--csv", "--skip-bad")
    assert ran.status == 1 and len(ran.lines) == 2
    assert "1 broken tree skipped, first: " in ran.err


@pytest.mark.usefixtures("pickled_workers")
def test_the_output_is_the_same_on_several_processes(cli: Cli, treebank: Path) -> None:
    once = cli("search", "NP=x << __=y", treebank)
    assert cli("search", "NP=x << __=y", treebank, "--jobs", "2") == once


def test_parses_are_searched_and_held_against_gold(cli: Cli, treebank: Path) -> None:
    model = ("--model", "classroom", "--preset", "3")
    parses = cli("search", "PP > __=parent", treebank, "--in", "parses", "--by", "parent", *model).lines
    gold = cli("search", "PP > __=parent", treebank, "--by", "parent").lines
    attached = {line.split()[0]: int(line.split()[1]) for line in parses[1:]}
    assert sum(attached.values()) == 2 and len(gold) == 3
    missing = cli("search", "PP > __=parent", treebank, "--in", "missing", *model, "--json")
    extra = cli("search", "PP > __=parent", treebank, "--in", "extra", *model, "--json")
    told, more = json.loads(missing.out), json.loads(extra.out)
    assert told["preset"] == 3
    # Where one PP is attached to the wrong parent, its right attachment is missing and another is extra.
    assert told["matches"] == more["matches"] == abs(attached.get("VP", 0) - 1)
    assert cli("search", "@NP <- NNP", treebank, "--in", "missing", *model, "--count").lines == [
        "0 matches in 0 of 3 trees"
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["NP <"], "column 4: after < a node is missing"),
        (["NP", "--by", "x"], "there is no x to count by"),
        (["NP=y", "--by", "x"], "the pattern names y"),
        (["NP", "--words"], "--words says by what to count"),
        (["NP", "--head-rules", "nowhere.txt"], "cannot read the head rules"),
    ],
)
def test_what_is_wrong_is_one_sentence(cli: Cli, treebank: Path, arguments: list[str], words: str) -> None:
    ran = cli("search", arguments[0], treebank, *arguments[1:])
    assert ran.status == 2 and ran.out == ""
    assert words in ran.err and ran.err.count("\n") == 1


def test_a_treebank_without_trees_is_an_error(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty.ptb"
    empty.touch()
    ran = cli("search", "NP", empty)
    assert ran.status == 2 and "there are no trees to search" in ran.err


def test_broken_trees_are_skipped_if_asked(cli: Cli, treebank: Path) -> None:
    treebank.write_text("(NP (NN x) oops)\n" + TREES, "utf-8")
    assert cli("search", "PP", treebank).status == 2
    ran = cli("search", "PP", treebank, "--skip-bad")
    assert ran.status == 1
    assert [line.split(": ")[0] for line in ran.lines] == [f"{treebank}:2", f"{treebank}:3"]
    assert "1 broken tree skipped" in ran.err
