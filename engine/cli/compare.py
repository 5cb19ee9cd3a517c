"""``parse-engine compare``: why the parses of a treebank's sentences are wrong."""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.cli.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_model,
    add_settings,
    add_tags,
    add_treebanks,
    command,
    compile_first,
    model_path,
    need_tagger,
    note_counts,
    open_model,
    provenance_of,
    settings_of,
    tags_of,
    whole,
    workers_of,
)
from engine.common.errors import EngineError
from engine.common.files import check_outputs, replaced
from engine.common.numbers import number, size
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.common.tables import text_table
from engine.common.terminal import Console
from engine.model.model import WorkerFactory
from engine.study.evaluation import trees_found
from engine.study.provenance import GOLD
from engine.trees.tree import Tree, clean
from engine.trees.treebank import BadTrees, read_treebank

# What compares is imported when it is asked for: the other commands start without it.
if TYPE_CHECKING:
    from engine.study.treebank_report import Judgement, Report
    from engine.study.verdicts import VerdictKind

DEFAULT_LENGTH = 100
DEFAULT_PICTURES = 60

_DETAILS = """\
Every sentence is parsed, and each parse that is not the gold tree gets a verdict: model error (the model prefers the
parse; by how many nats, and by which factor first), search error (the model prefers the gold tree, but the beam lost
it; which constituent, where, and the smallest beam that keeps it), outside the model (what makes the gold tree
impossible), tag error (right from the gold tags), re-ranking error, list too short, voted down (a higher score than the
parse, but a smaller expected F1).  What it got wrong is listed by kind, after Kummerfeld et al. (2012), with what each
kind costs: the points of F1 that repairing it would bring.  A parse is right if it has the gold tree's baseNPs,
constituents and heads; brackets inside baseNPs are outside the score."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "compare", run, "Tell why the parses of a treebank's sentences are wrong", _DETAILS)
    add_treebanks(parser)
    add_model(parser)
    add_tags(parser, GOLD)
    parser.add_argument(
        "--max-length",
        type=whole(1),
        default=DEFAULT_LENGTH,
        metavar="N",
        help=f"leave out sentences of more than N tokens (default {DEFAULT_LENGTH})",
    )
    parser.add_argument("--each", action="store_true", help="print the verdict on every sentence before the tables")
    parser.add_argument(
        "--verdict",
        metavar="VERDICT",
        help="like --each, but only the sentences with this verdict, for instance `search error`; its first "
        "letters are enough",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything to this file as JSON, - for standard output")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page with pictures of the trees, which needs no other file"
    )
    parser.add_argument(
        "--pictures",
        type=whole(0),
        default=DEFAULT_PICTURES,
        metavar="N",
        help=f"how many wrong sentences the page draws, the worst first (default {DEFAULT_PICTURES})",
    )
    parser.add_argument(
        "--no-repair", action="store_true", help="do not look for the smallest beam that repairs a search error"
    )
    add_jobs(parser, "parse")
    add_settings(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Judge everything and tell."""
    from engine.explain.verdicts import told_verdict
    from engine.export.report_page import page
    from engine.study.treebank_report import Report, tree_judge

    path = model_path(arguments)
    wanted = _verdict_called(arguments.verdict) if arguments.verdict is not None else None
    tags, settings = tags_of(arguments, settings_of(arguments), gold=True)
    check_outputs([arguments.json if arguments.json != "-" else None, arguments.html], arguments.treebanks, [str(path)])
    model = open_model(path)
    note_counts(console, model, settings)
    if tags != GOLD:
        need_tagger(model, f"--tags {tags}")
    provenance = provenance_of(arguments, model, settings, tags)
    digest = model.digest
    del model
    bad = BadTrees()
    trees = list(enumerate(read_treebank(arguments.treebanks, bad if arguments.skip_bad else None), 1))
    short = [(number, tree.brackets()) for number, tree in trees if _length(tree) <= arguments.max_length]
    if not short:
        raise EngineError("there are no trees to compare with; name a treebank that has some")
    if not arguments.cluster:
        compile_first(console)
    make = partial(
        tree_judge, settings=settings, gold_tags=tags == GOLD, repair=not arguments.no_repair, tell=told_verdict
    )
    report = Report()
    not_judged = 0
    with workers_of(arguments, console) as workers, console.bar("judging") as bar:
        factory = WorkerFactory(path.resolve(), make, digest)
        for done, judged in enumerate(ordered(factory, short, workers, SENTENCES_AT_ONCE), 1):
            if judged is None:
                not_judged += 1
            else:
                report.add(judged)
            bar.update(done / len(short), f"{done:,} of {len(short):,} sentences")
    report.finish()
    title = f"{', '.join(Path(name).name for name in arguments.treebanks)}: {provenance}"
    left_out = len(trees) - len(short) + not_judged
    # What a person reads comes first: should a file not be written for want of room, it is not lost.
    if arguments.json != "-":
        if arguments.each or wanted is not None:
            print("\n".join(_each(report, wanted)) + "\n")
        print("\n".join(_told(report, title)))
        if left_out:
            print(f"\n{size(left_out, 'tree')} left out: too long, or without a word")
        if bad:
            print(f"{size(len(bad), 'broken tree')} skipped, first: {bad.first}")
        sys.stdout.flush()
    if arguments.json is not None:
        about = {
            **provenance.as_dict(),
            "left_out": left_out,
            "skipped_trees": len(bad),
        }
        text = json.dumps({**about, **described(report)}, ensure_ascii=False, allow_nan=False)
        if arguments.json == "-":
            print(text)
        else:
            with replaced(arguments.json) as beside:
                beside.write_text(text + "\n", encoding="utf-8")
    if arguments.html is not None:
        with replaced(arguments.html) as beside:
            beside.write_text(page(report, title, arguments.pictures), encoding="utf-8")
    return BAD_INPUT if bad else SUCCESS


def _length(tree: Tree) -> int:
    cleaned = clean(tree)
    return len(cleaned.leaves()) if cleaned is not None else 0


def _verdict_called(name: str) -> VerdictKind:
    """Find the verdict of a name, or of its first letters.

    Raises
    ------
    EngineError
        If there is none, or more than one.
    """
    from engine.study.verdicts import VerdictKind

    found = [kind for kind in VerdictKind if name and kind.value.startswith(name.lower())]
    if len(found) != 1:
        kinds = ", ".join(kind.value for kind in VerdictKind)
        raise EngineError(f"--verdict: `{name}` begins no verdict, or more than one; choose from {kinds}")
    return found[0]


def _each(report: Report, wanted: VerdictKind | None = None) -> list[str]:
    """Return the verdict on every sentence, or on those with one verdict."""
    from engine.explain.verdicts import error_description

    lines = []
    judgements = [judged for judged in report.judgements if wanted is None or judged.kind is wanted]
    if wanted is not None:
        lines.append(f"{wanted.value}: {len(judgements):,} of {len(report.judgements):,} sentences")
    for judged in judgements:
        lines.append(f"{judged.number}. {judged.text}")
        lines.append(f"    {judged.told[0]}")
        lines += [
            f"    - {error.kind}: {error_description(error)} (costs {number(error.f1, 1)} F1)"
            for error in judged.errors
        ]
    return lines


def _told(report: Report, title: str) -> list[str]:
    from engine.study.verdicts import VerdictKind

    count = len(report.judgements)
    lines = [title, f"{count:,} sentences, F1 {number(report.f1, 2)}", ""]
    shares = [
        (kind.value, f"{given:,}", f"{number(100 * given / count, 1)} %", number(report.column(kind).f1, 2))
        for kind in VerdictKind
        if (given := report.verdicts[kind])
    ]
    lines += [text_table(("verdict", "sentences", "share", "F1 lost"), shares, right=(1, 2, 3)), ""]
    fragments = sum(judged.fallback for judged in report.judgements)
    further = sum(bool(judged.further_backoff) for judged in report.judgements)
    if further or fragments:
        lines += [trees_found(count, further, fragments), ""]
    if report.causes:
        causes = [(cause.value, f"{trees:,}") for cause, trees in report.causes.most_common()]
        lines += [text_table(("why gold is outside the model: first reason", "trees"), causes, right=(1,)), ""]
    beams = sorted(judged.beam for judged in report.judgements if judged.beam is not None)
    if beams:
        middle = beams[len(beams) // 2]
        lines += [
            f"smallest β that repairs a search error: {beams[0]:,.10g} to {beams[-1]:,.10g}, median {middle:,.10g}",
            "",
        ]
    lines += [_matrix(report), ""]
    for heading, by in (("finest level of back-off", "level"), ("what", "name")):
        worst = report.worst(lambda loss, by=by: getattr(loss, by))  # type: ignore[misc]
        if worst:
            rows = [(one.kind, one.name, number(one.nats, 1), f"{one.count:,}") for one in worst]
            lines += [text_table(("factor", heading, "nats lost", "times"), rows, right=(2, 3)), ""]
    return lines[:-1]


def _matrix(report: Report) -> str:
    """Errors by class and verdict: their number, and F1 of all."""
    from engine.study.errors import ErrorClass
    from engine.study.verdicts import VerdictKind

    verdicts = [kind for kind in VerdictKind if report.column(kind).count]
    rows = []
    for kind in sorted(ErrorClass, key=lambda kind: -report.row(kind).f1):
        whole_row = report.row(kind)
        if whole_row.count:
            cells = [f"{cell.count:,}" if (cell := report.cells.get((kind, one))) else "" for one in verdicts]
            rows.append((kind.value, *cells, f"{whole_row.count:,}", number(whole_row.f1, 2)))
    header = ("error", *(kind.value for kind in verdicts), "all", "F1 lost")
    return text_table(header, rows, right=tuple(range(1, len(header))))


def described(report: Report) -> dict[str, Any]:
    """Return a report as JSON-able values."""
    from engine.study.verdicts import VerdictKind

    return {
        "sentences": len(report.judgements),
        "f1": report.f1,
        "verdicts": {kind.value: report.verdicts[kind] for kind in VerdictKind},
        "outside": {cause.value: number for cause, number in report.causes.most_common()},
        "mistakes": [
            {"mistake": kind.value, "verdict": given.value, **asdict(cell)}
            for (kind, given), cell in sorted(report.cells.items())
        ],
        "worst_levels": [asdict(one) for one in report.worst(lambda loss: loss.level)],
        "worst_factors": [asdict(one) for one in report.worst(lambda loss: loss.name)],
        "judgements": [_judgement(judged) for judged in report.judgements],
    }


def _judgement(judged: Judgement) -> dict[str, Any]:
    from engine.explain.verdicts import error_as_dict
    from engine.explain.wording import Headline

    return {
        "headline": Headline(judged.told[0], judged.told[1:]).as_dict(),
        "number": judged.number,
        "text": judged.text,
        "verdict": judged.kind.value,
        "sentence": judged.told[0],
        "nats": judged.nats if math.isfinite(judged.nats) else None,
        "causes": [cause.value for cause in judged.causes],
        "beam": judged.beam,
        "list_length": judged.list_length,
        "threshold": judged.threshold,
        "by_score": judged.by_score,
        "further_backoff": judged.further_backoff.json_name,
        "fallback": judged.fallback,
        "f1": judged.f1,
        "mistakes": [error_as_dict(error) for error in judged.errors],
        "parse": judged.parse_tree,
        "gold": judged.gold_tree,
    }
