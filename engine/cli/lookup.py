"""``parse-engine lookup``: what a model knows of a word, a tag, a pair or a relation, and from which sentences."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.cli.options import SUCCESS, Commands, add_model, command, compile_first, load_model, whole
from engine.common.errors import EngineError
from engine.common.tables import CSV_DELIMITER, TSV_DELIMITER
from engine.common.terminal import Console
from engine.model.model import Model
from engine.study.browser import Findings, Query, found_table, read_query
from engine.study.counted import EvidenceSentence, own_treebanks

if TYPE_CHECKING:
    from engine.study.browser import Browser
    from engine.study.evidence import Evidence

_DETAILS = """\
What may be asked for:

  saw  saw/VBD  VBD         a word, a word with its tag, a tag
  "with saw"  "IN VBD"      two of these: who modifies whom, and the gap between them
  "<PP,VP,VBD>"  "<PP,*,*>" a relation, * for any label

Shows its most frequent heads and modifiers with their relations, its counts by the six answers of Δ (section 2.3), the
gap tags before and after it (2.5), the unaries over it and the sentences that it heads.  With --evidence also the
training sentences in which it is a modifier ‹so› or a head «so»: name the treebanks that the model was trained on, or
none for a model whose trees come with the program (classroom)."""
_FEW, _MOST = 10, 2000


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(
        commands, "lookup", run, "Show what a model knows of a word, a tag, a pair or a relation", _DETAILS
    )
    parser.add_argument(
        "asked", metavar="WORD|TAG|PAIR|RELATION", help="what to look up; quote two words and relations"
    )
    add_model(parser)
    parser.add_argument(
        "--evidence",
        nargs="*",
        metavar="TREEBANK",
        help="show the training sentences; name the treebanks that the model was trained on",
    )
    parser.add_argument(
        "--most",
        type=whole(1, _MOST),
        metavar="N",
        help=f"at most N rows of every table, and N sentences (default {_FEW}; with --json, --csv or --tsv {_MOST:,})",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--csv", action="store_true", help="print comma-separated tables, each after its name")
    form.add_argument("--tsv", action="store_true", help="print tab-separated tables, each after its name")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Look it up."""
    from engine.study.browser import Browser

    model = load_model(arguments)
    browser = Browser(model)
    query = read_query(arguments.asked, model)
    findings = browser.find(query)
    separator = CSV_DELIMITER if arguments.csv else TSV_DELIMITER if arguments.tsv else None
    most = arguments.most or (_MOST if arguments.json or separator else _FEW)
    findings = findings.first(most)
    shown: Shown | None = None
    if arguments.evidence is not None:
        shown = _sentences(browser, query, _evidence(model, arguments.evidence, console), most)
    if arguments.json:
        print(_json(findings, shown))
    elif separator:
        print(findings.csv(separator))
        if shown is not None:
            print("\n" + _separated(shown, separator))
    else:
        print(findings.text())
        if shown is not None:
            print("\n" + _text(shown))
    return SUCCESS


class Shown(NamedTuple):
    """Training sentences, how many there are in all, and a remark on them."""

    sentences: list[EvidenceSentence]
    total: int
    remarks: tuple[str, ...]


def _evidence(model: Model, treebanks: list[str], console: Console) -> Evidence:
    """Return the training trees, named or the model's own."""
    from engine.study.evidence import Evidence, kept_trees

    sources: list[str | Path] = list(treebanks) or list(own_treebanks(model))
    if not sources:
        names = " ".join(model.metadata.get("corpora", []))
        raise EngineError(f"name the treebanks that the model was trained on ({names}) after --evidence")
    compile_first(console)
    with console.bar("reading the training trees") as bar:
        return Evidence(model, kept_trees(sources, model.rules, bar.update))


def _sentences(browser: Browser, query: Query, evidence: Evidence, most: int) -> Shown:
    """Return the sentences in which what was asked for is a part of an arrow."""
    counted, relations, times = browser.arrows_of(query)
    instances = evidence.instances(counted)
    if relations is not None:
        instances = instances.chosen(np.flatnonzero(np.isin(instances.outcomes, relations)))
    sentences = [evidence.sentence(counted.table, instances, index) for index in range(min(len(instances), most))]
    remarks = filter(None, (evidence.match.sentence, evidence.remark(times, instances)))
    return Shown(sentences, len(instances), tuple(dict.fromkeys(remarks)))


def _text(shown: Shown) -> str:
    """Return the sentences as text, each under the relation that was counted in it."""
    title = "Training sentences"
    lines = [title, "-" * len(title), *shown.remarks]
    for sentence in shown.sentences:
        lines += [f"{sentence.outcome:16} {sentence.place}", f"  {sentence.text()}"]
    if shown.total > len(shown.sentences):
        lines.append(f"… and {shown.total - len(shown.sentences):,} more")
    return "\n".join(lines)


def _json(findings: Findings, shown: Shown | None) -> str:
    found = findings.as_object()
    if shown is not None:
        found["evidence"] = {
            "remarks": shown.remarks,
            "of": shown.total,
            "sentences": [
                {
                    "treebank": sentence.source,
                    "sentence": sentence.number,
                    "words": sentence.words,
                    "tags": sentence.tags,
                    **{role: token for token, role in sentence.marks.items()},
                    "relation": sentence.outcome,
                    "weight": sentence.weight,
                }
                for sentence in shown.sentences
            ],
        }
    return json.dumps(found, ensure_ascii=False, indent=1)


def _separated(shown: Shown, delimiter: str) -> str:
    rows = [
        (sentence.source, sentence.number, sentence.outcome, sentence.weight, sentence.text())
        for sentence in shown.sentences
    ]
    header = ("treebank", "sentence", "relation", "weight", "words")
    table = found_table("Training sentences", header, rows, shown.total)
    return f"{table.title}\n{table.csv(delimiter)}"
