"""What the laboratory's windows say and write, without a window: figures, left-out sentences, files."""

from __future__ import annotations

import csv
from pathlib import Path

from engine.common.tables import Block, Column, Table
from engine.study.systems import TreesSystem
from engine.study.systems_report import compare_systems, counts_line
from engine.trees.reading import read_tree
from explorer.kit.tables import table_text
from explorer.laboratory.experiments import forget_list, write_list
from explorer.session.document import TextLine

GOLD = ("(S (NP (NNP Mary)) (VP (VBD left)) (. .))", "(S (NP (NNP John)) (VP (VBD slept)) (. .))")


def test_a_sentence_that_two_systems_lack_is_left_out_once(tmp_path: Path) -> None:
    path = tmp_path / "theirs.txt"
    path.write_text(f"{GOLD[0]}\n{GOLD[1].replace('John', 'Johnny')}\n", encoding="utf-8")
    systems = [TreesSystem("one", path), TreesSystem("two", path)]
    report = compare_systems([read_tree(text) for text in GOLD], systems, skip_bad=True, resamples=100)
    assert len(report.problems) == 2
    assert "1 sentence left out" in counts_line(report, report.pairs[0])


def test_no_cell_of_a_written_table_is_a_formula(tmp_path: Path) -> None:
    columns = (Column("text", "text"), Column("difference", "difference"))
    table = Table(
        "A table",
        columns,
        (
            Block(
                "+us − them",
                (("=1+1", -0.25), ("-LRB- a", 2)),
            ),
        ),
    )
    (tmp_path / "table.csv").write_text(table_text(table, ".csv"))
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [["'+us − them", "'=1+1", "-0.25"], ["'+us − them", "'-LRB- a", "2"]]


def test_the_file_of_a_list_is_forgotten_and_no_other(tmp_path: Path) -> None:
    folder, own = tmp_path / "journals", tmp_path / "own.ptb"
    own.write_text(GOLD[0], encoding="utf-8")
    path = write_list([TextLine(text) for text in GOLD], folder)
    assert path.read_text(encoding="utf-8") == f"{GOLD[0]}\n{GOLD[1]}\n"
    for _ in range(2):
        # The second time there is nothing to remove.
        forget_list(str(path), folder)
        forget_list(str(own), folder)
    assert not path.parent.exists() and own.exists()
