"""What the engine makes of sentences: every export format, and parses and ledgers of real treebanks."""

from __future__ import annotations

from functools import partial

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.export import FORMATS
from engine.structure.tagged_sentence import TaggedSentence
from tests.golden.folders import Case, Files
from tests.golden.material import FIFTEEN, ODD, SEVEN, THIRTY, model, trees

PRESETS = (1, 2, 3, 4, 5)
BANKS = {"gum-dev": 25, "craft-dev": 70}
"""Real treebanks, and of how many sentences one is parsed where it must be quick."""


def _exports() -> Files:
    """Sentences of every kind in every format, the best parse and several."""
    for name, presets in (("classroom", (1, 5)), ("english", (3, 4, 5))):
        for preset in presets:
            parser = Parser.preset(model(name), preset)
            sentences = [model(name).read_tagged(text) for text in (SEVEN, FIFTEEN, THIRTY, *ODD)]
            for n_best in (1, 3):
                made = [parser.parse(sentence, n_best=n_best) for sentence in sentences]
                for title, form in FORMATS.items():
                    pieces = [f"=== {number}\n{form.write(parse)}" for number, parse in enumerate(made)]
                    yield f"{name}-{preset}-{n_best}/{title}.txt", "\n".join(pieces)


def described(parse: Parse, with_ledger: bool, with_json: bool) -> str:
    """A parse in a few lines, each number to the last digit; if wanted, every factor of its score, and its JSON."""
    parts = [
        parse.tree.brackets(),
        f"log P {parse.log_probability!r}   score {parse.score!r}   passes {parse.passes}   beam {parse.beam!r}   "
        f"fallback {parse.fallback}   {parse.further_backoff.name}   {parse.note}",
        f"gaps {''.join(parse.gap_tags)}   tags {' '.join(parse.sentence.proper_tags)}",
        "   ".join(f"{modifier}→{head} {relation}" for modifier, head, relation in parse.arrows),
    ]
    if with_ledger:
        ledger = parse.ledger()
        parts += [f"{factor.subject} {factor.probability!r} {factor.log!r} {factor.used}" for factor in ledger]
        parts.append(f"ledger {ledger.total!r}")
    if with_json:
        parts.append(FORMATS["json"].write(parse))
    return "\n".join(parts)


def _treebank(
    bank: str, step: int, presets: tuple[int, ...], beams: tuple[float, ...], details: tuple[int, int]
) -> Files:
    """Parses of every so-many-th sentence; of some the ledger, of fewer the JSON."""
    ledgers, objects = details
    for preset in presets:
        for beam in beams:
            parser = Parser.preset(model("english"), preset, beam=beam)
            parts = []
            for number, tree in enumerate(trees(bank, step)):
                try:
                    parse = parser.parse(TaggedSentence.from_tree(tree))
                except EngineError as error:
                    said = f"refused: {error}"
                else:
                    said = described(parse, number % ledgers == 0, number % objects == 0)
                parts.append(f"=== {number * step}\n{said}\n")
            if parts:
                yield f"preset-{preset}-beam-{beam:g}.txt.gz", "".join(parts)


CASES = (
    Case("exports", _exports),
    *(Case(bank, partial(_treebank, bank, step, PRESETS, (1000.0, 20.0), (4, 16))) for bank, step in BANKS.items()),
    *(Case(f"{bank}-all", partial(_treebank, bank, 1, PRESETS, (1000.0, 20.0), (5, 25)), fast=False) for bank in BANKS),
)
