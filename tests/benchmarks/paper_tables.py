"""The paper's Tables 3 to 5 on a treebank, as they stand in the manual's page of measurements.

    python tests/benchmarks/paper_tables.py --train gum-train.ptb --test gum-dev.ptb

Trains one model (or takes ``--model``) and runs ``parse-engine experiment models``, ``ablation`` and ``beam`` from
automatic tags, and the first from gold tags too; a learning curve with ``--curve``.  Speeds are those of one process:
leave the machine alone meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engine
from engine.cli.command_line import main as parse_engine
from engine.study.paper_tables import PAPER_ABLATION, PAPER_BEAM_FIGURES, PAPER_MODELS, PAPER_SPATTER

LENGTHS = ("40", "100")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    models = parser.add_mutually_exclusive_group(required=True)
    models.add_argument("--train", metavar="TREEBANK", help="train on this")
    models.add_argument("--model", metavar="M", help="a model in place of training one")
    parser.add_argument("--test", metavar="TREEBANK", required=True, help="measure on this")
    parser.add_argument("--curve", action="store_true", help="a learning curve as well; needs --train")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = chosen.model
        if chosen.train:
            model = str(Path(folder) / "trained.model")
            engine.train([chosen.train]).save(model)
        line = ["--model", model, "--test", chosen.test]
        for tags in ([], ["--tags", "gold"]):
            print(f"\nTable 3 {' '.join(tags)}\n")
            print_models(measured("models", *line, *tags), papers=not tags)
        print("\nTable 4\n")
        print_ablation(measured("ablation", *line))
        print("\nTable 5\n")
        print_beams(measured("beam", *line, "--literal-beam"))
    if chosen.curve:
        for tags in ([], ["--tags", "gold"]):
            curve = ["--train", chosen.train, "--test", chosen.test, "--max-length", "40", *tags]
            print(f"\nLearning curve {' '.join(tags)}\n")
            for trial in measured("learning-curve", *curve):
                print(f"{trial['training']['sentences']:,}: {trial['measures']['40']['f1']:.1f}")


def measured(*arguments: str) -> list[dict[str, Any]]:
    """The trials of an experiment."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = parse_engine(["experiment", *arguments, "--json"])
    if status:
        raise SystemExit(status)
    trials: list[dict[str, Any]] = json.loads(printed.getvalue())["trials"]
    return trials


def row(*cells: str) -> None:
    """Print one row of a Markdown table."""
    print(f"| {' | '.join(cells)} |")


def header(*cells: str) -> None:
    """Print the head of a Markdown table."""
    row(*cells)
    print("|" + "---|" * len(cells))


def accuracy(recall: float, precision: float, crossing: float, *shares: float) -> list[str]:
    """LR / LP, CBs, and shares of sentences."""
    return [f"{recall:.1f} / {precision:.1f}", f"{crossing:.2f}", *(f"{share:.1f}" for share in shares)]


def print_models(trials: Sequence[dict[str, Any]], papers: bool) -> None:
    """Table 3."""
    header("", "tags", *(text for length in LENGTHS for text in (f"≤ {length} LR / LP", "CBs", "0 CBs", "≤ 2 CBs")))
    keys = ("labeled_recall", "labeled_precision", "crossing", "no_crossing", "two_or_less_crossing")
    for trial in trials:
        cells = [accuracy(*(trial["measures"][length][key] for key in keys)) for length in LENGTHS]
        row(trial["name"][0], trial["tags"], *cells[0], *cells[1])
    if papers:
        for name, figures in (*PAPER_MODELS.items(), ("SPATTER", PAPER_SPATTER)):
            what = name if isinstance(name, str) else f"the paper's ({name})"
            row(what, "", *accuracy(*figures[40]), *accuracy(*figures[100]))


def print_ablation(trials: Sequence[dict[str, Any]]) -> None:
    """Table 4."""
    header("distance", "words", "LR / LP", "CBs", "the paper LR / LP", "CBs")
    for trial in trials:
        distance, words = trial["name"]
        figures = trial["measures"]["100"]
        ours = accuracy(figures["labeled_recall"], figures["labeled_precision"], figures["crossing"])
        paper = PAPER_ABLATION.get((distance == "yes", words == "yes"))
        row(distance, words, *ours, *(accuracy(*paper) if paper else ["", ""]))


def print_beams(trials: Sequence[dict[str, Any]]) -> None:
    """Table 5."""
    columns = ("sent./min", "LR / LP", "CBs")
    header("β", *(f"{kind}: {columns[0]}" if at == 0 else columns[at] for kind in KINDS for at in range(3)))
    by_beam: dict[float, list[str]] = {}
    for trial in trials:
        figures = trial["measures"]["100"]
        cells = by_beam.setdefault(trial["settings"]["beam"], [])
        cells.append(f"{60 * figures['sentences_per_second']:,.0f}")
        cells += accuracy(figures["labeled_recall"], figures["labeled_precision"], figures["crossing"])
    for beta, cells in by_beam.items():
        minute, *paper = PAPER_BEAM_FIGURES[beta]
        row(f"{beta:g}", *cells, str(minute), *accuracy(*paper))


KINDS = ("in use", "as printed", "the paper")


if __name__ == "__main__":
    main()
