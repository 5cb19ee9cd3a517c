"""``parse-engine survey``: a look at treebanks before training on them."""

from __future__ import annotations

import argparse
import json

from engine.cli.options import BAD_INPUT, SUCCESS, Commands, add_jobs, add_treebanks, command
from engine.common.tables import csv_text, text_table
from engine.common.terminal import Console
from engine.training.survey import (
    NOT_PENN,
    SURVEY_STAGE,
    Ranked,
    TreebankSurvey,
    is_known_label,
    is_known_tag,
    rule_text,
    share_text,
    survey,
)

_MOST_BROKEN = 20
_CSV_HEADER = ("kind", "name", "count", "remark")


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(
        commands,
        "survey",
        run,
        "Look at treebanks before training on them",
        "Counts trees, words, labels and tags, lists broken trees with their places, and says which head rules decide.",
    )
    add_treebanks(parser, may_skip=False)
    parser.add_argument(
        "--head-rules", metavar="FILE", help="a table of head rules to use in place of the built-in one"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print all of it as JSON")
    shown.add_argument("--csv", action="store_true", help="print all of it as rows of kind, name, count and remark")
    add_jobs(parser, "read the treebanks", on_cluster=False)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Look, and print what was found."""
    with console.bar(SURVEY_STAGE) as bar:
        found = survey(arguments.treebanks, head_rules=arguments.head_rules, jobs=arguments.jobs, progress=bar.stage)
    if arguments.json:
        print(json.dumps(found.as_dict(), ensure_ascii=False, indent=2))
    elif arguments.csv:
        print(csv_text(_CSV_HEADER, found.rows()), end="")
    else:
        print("\n\n".join(_report(found)))
    return BAD_INPUT if found.broken_count else SUCCESS


def _report(found: TreebankSurvey) -> list[str]:
    """Return the parts of the report."""
    parts = []
    if len(found.sources) > 1:
        sources = [(one.name, f"{one.trees:,}", f"{one.broken:,}", f"{one.words:,}") for one in found.sources]
        parts.append(text_table(("treebank", "trees", "broken", "words"), sources, right=(1, 2, 3)))
    width = max(len(name) for name, _ in found.overview())
    parts.append("\n".join(f"{name:{width}}  {text}" for name, text in found.overview()))
    labels = [_counted(name, count, is_known_label(name)) for name, count in found.labels]
    tags = [_counted(name, count, is_known_tag(name)) for name, count in found.tags]
    for title, rows in (("label", labels), ("tag", tags)):
        parts.append(text_table((title, "count", ""), rows, right=(1,)))
    for title, counts in (("function tag", found.function_tags), ("trace", found.traces)):
        if counts:
            parts.append(_table(title, counts))
    groups = [
        (f"{first}–{last}", f"{count:,}", share_text(count, found.sentences))
        for first, last, count in found.lengths.groups()
    ]
    parts.append(text_table(("tokens", "sentences", "share"), groups, right=(1, 2)))
    parts.append(_rules(found))
    if found.broken:
        parts.append(_broken(found))
    return parts


def _counted(name: str, count: int, known: bool) -> tuple[str, str, str]:
    return name, f"{count:,}", "" if known else NOT_PENN


def _table(title: str, counts: Ranked) -> str:
    return text_table((title, "count"), [(name, f"{count:,}") for name, count in counts], right=(1,))


def _rules(found: TreebankSurvey) -> str:
    """Return the lines of the head rules that chose a head."""
    rows = [
        (str(use.line), rule_text(use), f"{use.heads:,}", share_text(use.heads, found.heads), f"{use.moved:,}")
        for use in found.head_rules
        if use.heads
    ]
    unused = sum(not use.heads for use in found.head_rules)
    lines = [
        text_table(("line", "head rule", "heads", "share", "moved for CC"), rows, right=(0, 2, 3, 4)),
        f"{unused:,} lines chose none; {found.only_children:,} constituents have one child, and need no rule",
    ]
    if found.labels_without_rules:
        names = ", ".join(f"{name} ({count:,})" for name, count in found.labels_without_rules)
        lines.append(f"labels without a line of their own: {names}")
    return "\n".join(lines)


def _broken(found: TreebankSurvey) -> str:
    lines = [f"{one.file}, line {one.line}, column {one.column}: {one.problem}" for one in found.broken[:_MOST_BROKEN]]
    more = found.broken_count - len(lines)
    if more:
        lines.append(f"and {more:,} more; --json lists the first ten thousand")
    return "\n".join(["broken trees", *lines])
