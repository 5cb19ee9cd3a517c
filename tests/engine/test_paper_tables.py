"""The paper's Tables 1 and 2 and the comma rule, counted by hand on small trees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.study.paper_tables import PAPER_COMMAS, PAPER_DISTANCES, PAPER_VERBS, Distances, distances
from engine.trees.head_rules import load_head_rules
from engine.trees.reading import read_tree
from tests.engine.command_runner import Cli


def counted(*trees: str) -> Distances:
    return distances([read_tree(tree) for tree in trees], load_head_rules())


def test_distances_and_verbs_of_a_sentence_counted_by_hand() -> None:
    # Reduced sentence: 1 John  2 saw  3 dog  4 that  5 barked  6 yesterday; baseNPs count as one word.
    found = counted(
        "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN dog)) (SBAR (WHNP (WDT that)) (S (VP (VBD barked)))))"
        " (NP (NN yesterday))) (. .))"
    )
    # John→saw 1, dog→saw 1, barked→dog or that→dog, that/barked 1, yesterday→saw 4 with one verb between.
    assert found.dependencies == 5
    assert found.distances[4] == 1 and found.verbs[1] == 1
    assert found.verbs[0] == 4
    assert found.distance_shares() == (80.0, 80.0, 100.0, 100.0)
    assert found.verb_shares() == (80.0, 100.0, 100.0)


@pytest.mark.parametrize(
    ("tree", "commas", "obeying"),
    [
        # An apposition closed by a comma.
        ("(S (NP (NP (NNP Mary)) (, ,) (NP (DT the) (NN head)) (, ,)) (VP (VBD left)) (. .))", 2, 2),
        # The same not closed: the right side ends before a word, not a comma.
        ("(S (NP (NP (NNP Mary)) (, ,) (NP (DT the) (NN head))) (VP (VBD left)) (. .))", 1, 0),
        # A left modifier: what it joins ends where the sentence does.
        ("(S (PP (IN In) (NP (NNP May))) (, ,) (NP (PRP it)) (VP (VBD rained)) (. .))", 1, 1),
        # The last word of the sentence needs no comma after it.
        ("(S (NP (PRP It)) (VP (VBD rained) (, ,) (ADVP (RB too))) (. .))", 1, 1),
        ("(S (NP (PRP It)) (VP (VBD rained)) (. .))", 0, 0),
    ],
)
def test_commas_are_counted_at_every_join(tree: str, commas: int, obeying: int) -> None:
    found = counted(tree)
    assert (found.commas, found.obeying) == (commas, obeying)


def test_trees_without_words_count_nothing() -> None:
    found = counted("(S (-NONE- *))", "(X (. .))")
    assert (found.sentences, found.dependencies, found.comma_share) == (0, 0, 0.0)
    assert found.distance_shares() == (0.0,) * 4


def test_the_command_prints_our_rows_beside_the_papers(cli: Cli, classroom_treebank: Path) -> None:
    ran = cli("experiment", "distances", classroom_treebank)
    assert ran.status == 0 and ran.err == ""
    for value in (*PAPER_DISTANCES, *PAPER_VERBS, PAPER_COMMAS):
        assert f"{value:.1f}" in ran.out
    assert ran.out.count("this treebank") == ran.out.count("the paper") == 3


def test_the_command_prints_json(cli: Cli, classroom_treebank: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN x) y)\n")
    ran = cli("experiment", "distances", classroom_treebank, broken, "--json", "--skip-bad")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert found["sentences"] == 130 and found["skipped_trees"] == 1
    assert found["distance"]["10"]["treebank"] >= found["distance"]["1"]["treebank"] > 50
    assert found["punctuation_rule"]["paper"] == 96.0
    assert cli("experiment", "distances", broken).status == 2
    assert cli("experiment").status == 2
