"""Everything that the terminal says: a table of command lines, each of which becomes a file."""

from __future__ import annotations

import contextlib
import hashlib
import io
import shlex
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from unittest import mock

from engine.cli.command_line import main
from explorer.window.command import main as explorer_main
from tests.golden.folders import EXAMPLES, TREEBANKS, Case, Files
from tests.golden.material import GOLD, HIGH, LOW, SEVEN, THIRTY, sample, words

PRESETS = (1, 2, 3, 4, 5)
HELP = (
    "",
    *("train", "survey", "parse", "tag", "evaluate", "compare", "systems", "explain", "lookup", "search", "convert"),
    *("info", "experiment", "cluster-cost", "experiment distances", "experiment models", "experiment ablation"),
    *("experiment beam", "experiment learning-curve", "experiment grid"),
)
COMMANDS: Mapping[str, str] = {
    **{f"help {name}".strip(): f"{name} --help" for name in HELP},
    "version": "--version",
    # One sentence.
    **{f"explain {preset}": f"explain --preset {preset} '{SEVEN}'" for preset in PRESETS},
    **{f"explain {preset} gold": f"explain --preset {preset} --gold '{LOW}' '{SEVEN}'" for preset in PRESETS},
    **{f"explain gold {at}": f"explain --preset 3 --gold '{tree}' '{words(tree)}'" for at, tree in enumerate(GOLD)},
    "explain 5 all": f"explain --preset 5 --all '{SEVEN}'",
    "explain 5 thirty": f"explain '{THIRTY}'",
    "explain classroom": f"explain --model classroom --preset 3 --all '{SEVEN}'",
    "explain tree": f"explain --tree '{HIGH}' --gold '{LOW}'",
    "explain tree of a sentence": f"explain --preset 3 --tree '{HIGH}' '{SEVEN}'",
    "explain narrow": f"explain --preset 4 --beam 3 '{THIRTY}'",
    "explain switches": f"explain --preset 5 --no-recursion --no-contexts --rerank 0 '{SEVEN}'",
    "explain fragments": "explain --preset 3 --no-further-backoff 'of of the the and'",
    **{
        f"parse {preset} {form}": f"parse --preset {preset} --n-best 3 --format {form} --input text {{text}}"
        for preset, form in ((1, "ptb"), (2, "conllu"), (3, "json"), (4, "json"), (5, "json"), (5, "dot-tree"))
    },
    "parse trees": "parse --preset 3 --input trees --tags distribution {few}",
    "parse bad lines": "parse --model classroom --preset 3 {bad}",
    "tag": "tag {text}",
    "tag probabilities": "tag --probabilities --all {text}",
    "tag json": "tag --json {text}",
    # Treebanks.
    **{f"compare {preset}": f"compare --preset {preset} --each {{few}}" for preset in PRESETS},
    "compare json": "compare --preset 5 --json - --html {out}/page.html {few}",
    "compare model errors": "compare --preset 3 --verdict model {few}",
    "compare open tags": "compare --preset 4 --tags distribution --each --max-length 12 {few}",
    "compare classroom": "compare --model classroom --preset 3 --beam 20 --each {few}",
    **{f"evaluate {preset}": f"evaluate --preset {preset} {{few}}" for preset in (1, 3, 5)},
    "evaluate files": "evaluate --json --output {out}/parses.txt --evalb {out}/evalb --preset 3 {few}",
    "evaluate best tags": "evaluate --tags best --preset 4 --max-length 10 all -- {few}",
    "systems": "systems --presets 1 3 5 --system narrow=preset:3,beam:3,tags:best --resamples 500 {few}",
    "systems trees": "systems --presets 3 --trees {other} --resamples 500 --by system pair error sentence -- {few}",
    "systems json": "systems --presets 3 5 --resamples 200 --json {few}",
    "systems latex": "systems --presets 3 5 --resamples 200 --latex {few}",
    "systems csv": "systems --presets 3 5 --resamples 200 --csv --by sentence -- {few}",
    **{
        f"search {at}": f"search '{pattern}' {{everyday}}"
        for at, pattern in enumerate(
            (
                "VP < PP",
                "NP << /^tele/",
                "PP > (VP < /^VB/=verb)",
                "S < (NP=subject $+ VP)",
                "NP !< DT",
                "VP <# VBD",
                "NP <",
            )
        )
    },
    "search by": "search --by verb --words 'PP > (VP < /^VB/=verb)' {everyday}",
    "search json": "search --json --trees --max 5 'VP < PP' {everyday}",
    "search csv": "search --csv --count 'VP < PP' {everyday} {few}",
    "search parses": "search --in parses --preset 3 'NP < PP' {few}",
    "search missing": "search --in missing --preset 3 'NP=whole < (PP < IN=word)' {few}",
    "search extra": "search --in extra --preset 5 --json 'VP < PP' {few}",
    # Models.
    **{
        f"lookup {asked}": f"lookup --model {model} '{asked}'"
        for model, asked in (
            ("english", "saw"),
            ("english", "saw/VBD"),
            ("english", "VBD"),
            ("english", "with saw"),
            ("english", "IN VBD"),
            ("english", "<PP,VP,VBD>"),
            ("english", "<PP,*,*>"),
            ("classroom", "telescope"),
            ("classroom", "nothingness"),
        )
    },
    "lookup evidence": "lookup --model classroom --evidence --most 5 'with saw'",
    "lookup json": "lookup --json --most 20 with",
    "lookup csv": "lookup --model classroom --csv with",
    "lookup tsv": "lookup --model classroom --tsv '<PP,NP,NP>'",
    **{
        f"info {model}{option}": f"info {model} {option}"
        for model in ("english", "classroom")
        for option in ("", "--json")
    },
    "survey": "survey {classroom} {everyday}",
    "survey json": "survey --json {few}",
    "survey csv": "survey --csv {classroom}",
    "train": "train --no-record --json -o {out}/trained.model {classroom}",
    "train compact": "train --no-record --compact --weights 2 1 -o {out}/compact.model {classroom} {everyday}",
    "train without tagger": "train --no-record --packed --no-tagger -o {out}/packed.model {classroom}",
    "info trained": "info {out}/trained.model",
    "explain trained": f"explain --model {{out}}/trained.model --all '{SEVEN}'",
    **{
        f"convert {to}": f"convert --to {to} {{few}}"
        for to in ("brackets", "pretty", "conllu", "evalb", "json", "nltk", "tagged")
    },
    "convert from conllu": "convert --to brackets {out}/trees.conllu",
    "convert functions": "convert --keep-functions --keep-traces --to brackets {traces}",
    "distances": "experiment distances {everyday}",
    "distances json": "experiment distances --json {classroom}",
    "distances latex": "experiment distances --latex {everyday}",
    "cluster-cost": "cluster-cost --words 1e8",
    # What is refused.
    "no command": "",
    "no preset": "explain --preset 7 'a b'",
    "no model": "explain --model {out}/nowhere.model 'a b'",
    "no file": "survey {out}/nowhere.ptb",
    "no tree": "explain --gold '(S (NP' 'Mary slept .'",
    "no pattern": "search 'NP <<<< [' {classroom}",
    "other words": f"explain --gold '{HIGH}' 'Mary slept .'",
}
MORE: Mapping[str, str] = {
    **{
        f"compare {bank} {preset}": f"compare --preset {preset} --each {{{bank}}}"
        for bank in ("gum", "craft")
        for preset in (1, 3, 5)
    },
    "compare gum json": "compare --preset 5 --json - {gum}",
    "compare gum page": "compare --preset 4 --tags distribution --html {out}/gum.html {gum}",
    **{f"evaluate {bank}": f"evaluate --preset 3 --tags best {{{bank}}}" for bank in ("gum", "craft")},
    "systems gum": "systems --presets 1 2 3 4 5 {gum}",
    "survey gum": "survey {gum} {craft}",
    "search gum": "search --in missing --preset 3 --by label 'VP < PP=label' {gum}",
    "distances gum": "experiment distances {gum} {craft}",
    "train reranked": "train --no-record --rerank --json -o {out}/reranked.model {everyday}",
    "explain reranked": f"explain --model {{out}}/reranked.model --preset 5 --all '{SEVEN}'",
}
"""What takes minutes, or needs real treebanks."""


def _inputs(folder: Path) -> dict[str, str]:
    """What stands for the names in braces."""
    few = (EXAMPLES / "everyday-test.ptb").read_text(encoding="utf-8").split("\n")[:25]
    files = {
        "few": "\n".join(few) + "\n",
        # A parser that flattens the last tree, and has none of the first sentence.
        "other": "\n".join(["(())", *few[1:-2], few[-3].replace("(PP", "(NP")]) + "\n",
        "text": f"{SEVEN}  He didn't say “why”.\n\n{THIRTY}\n",
        "bad": "Mary/NNP saw/VBD John/NNP ./.\n\nMary/ saw\na/DT b/XX c/NN\n",
        "traces": "(S (NP-SBJ-1 (NNP Mary)) (VP (VBD seemed) (S (NP (-NONE- *-1)) (VP (TO to) (VP (VB go))))) (. .))\n",
    }
    found = {"out": str(folder)}
    for name, text in files.items():
        path = folder / f"{name}.{'txt' if name in ('text', 'bad') else 'ptb'}"
        path.write_text(text, encoding="utf-8")
        found[name] = str(path)
    run("convert --to conllu {few} -o {out}/trees.conllu", found)
    for name in ("classroom", "everyday"):
        found[name] = str(EXAMPLES / f"{name}.ptb")
    for bank in ("gum", "craft"):
        found[bank] = " ".join(map(str, sample(folder, f"{bank}-dev", 12, 130)))
    return found


def run(line: str, inputs: Mapping[str, str]) -> str:
    """Run a command line in this process: its exit status, and what it says."""
    arguments = shlex.split(line.format(**{name: shlex.quote(text) for name, text in inputs.items()}))
    return _said(partial(main, arguments))


def _said(command: partial[int]) -> str:
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    no_input = io.TextIOWrapper(io.BytesIO())
    with (
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
        mock.patch.object(sys, "stdin", no_input),
    ):
        try:
            status: object = command()
        except SystemExit as left:
            status = left.code
    texts = []
    for stream in streams:
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return f"exit status {status}\n=== output\n{texts[0]}=== errors\n{texts[1]}"


def _terminal(commands: Mapping[str, str]) -> Files:
    """What each of the commands says, and the files that they write."""
    with tempfile.TemporaryDirectory(prefix="golden-") as place:
        folder = Path(place)
        inputs = _inputs(folder)
        given = set(folder.iterdir())
        for name, line in commands.items():
            if not TREEBANKS.is_dir() and ("{gum}" in line or "{craft}" in line):
                continue
            yield f"{name.replace('/', '_').replace('*', '_')}.txt", f"$ parse-engine {line}\n{run(line, inputs)}"
        yield "explorer help.txt", _said(partial(explorer_main, ["--help"]))
        for path in sorted(set(folder.iterdir()) - given):
            data = path.read_bytes()
            binary = path.suffix == ".model"
            yield f"written/{path.name}.txt", hashlib.sha256(data).hexdigest() if binary else data.decode()


CASES = (Case("terminal", partial(_terminal, COMMANDS)), Case("terminal-all", partial(_terminal, MORE), fast=False))
