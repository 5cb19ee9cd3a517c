"""What the inspector says of everything that can be selected, and the glosses of the signs there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

from engine.chart.parse import Parse
from engine.estimates.ledger import FeatureSubject, UnarySubject
from engine.explain.registry import explain, glosses_of
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    WhatIfId,
    WordId,
    id_text,
)
from engine.structure.constraints import Constraint
from explorer.pictures.facts import facts_of
from explorer.session.parsing import ParseResult
from tests.golden.folders import Case, Files
from tests.golden.material import FIFTEEN, GOLD, ODD, SEVEN, THIRTY, WHAT_IFS, result

PRESETS = (1, 2, 3, 4, 5)
MOST_IN_CHART = 120
"""Edges, and items, of a chart that are looked at, spread over all of it."""
EVERY_MARKED_UP = 7
"""Of so many pages one is also written as HTML and as LaTeX."""


def things(made: ParseResult, parse: Parse) -> Iterator[Subject | None]:
    """Everything of a parse that can be selected."""
    words, facts, ledger = len(parse.sentence.positions), facts_of(parse), made.ledger(parse)
    whole: tuple[Subject | None, ...] = (None, RootId(), SecondModelId(), FeaturesId())
    yield from whole
    yield from (PunctuationId(at) for at in range(len(parse.sentence)) if at not in parse.sentence.positions)
    for position in range(words):
        yield from (WordId(position), ArrowId(position))
        yield from (TagId(position, tag) for tag, _ in made.choices(parse.sentence.positions[position])[:4])
        if position:
            yield GapId(position)
            yield from (GapTagId(position, letter) for letter in "SCEBN")
    for modifier, candidates in facts.candidates.items():
        yield from (MatrixCellId(modifier, head) for head in parse.reduced if head != modifier)
        yield from (CandidateId(modifier, one.head, one.relation) for one in candidates[:5])
    yield from (node.id for node in facts.tree_nodes().walk())
    yield from (NodeId(node.start, node.end, node.label, 0) for root in parse.roots for node in root.walk())
    own = (UnarySubject, FeatureSubject)
    yield from (FactorId(number) for number, factor in enumerate(ledger) if isinstance(factor.subject, own))
    for number in range(len(ledger.second_model)):
        yield from (DecisionId(number), DecisionsId(number))
    yield from map(WhatIfId, range(len(made.request.line.what_ifs)))
    if parse.chart is not None:
        edges = range(0, len(parse.chart), max(1, len(parse.chart) // MOST_IN_CHART))
        kept = sorted({parse.chart.edge(number).item for number in range(len(parse.chart))} - {-1})
        yield from (ChartCellId(start, end) for start in range(words) for end in range(start + 1, words + 1))
        yield from map(EdgeId, edges)
        yield from map(ItemId, kept[:: max(1, len(kept) // MOST_IN_CHART)])


def name_of(id: Subject | None) -> str:
    """What records of a thing are called: ``arrow-3``."""
    return id_text(id) if id is not None else "nothing"


def pages(made: ParseResult, parse: Parse, step: int = 1) -> Files:
    """Every so-many-th page about a parse: a file for each sort of thing, and one with glosses, HTML and LaTeX."""
    texts: dict[str, list[str]] = defaultdict(list)
    for number, id in enumerate(dict.fromkeys(things(made, parse))):
        if number % step:
            continue
        page, name = explain(made.context(parse), id), name_of(id)
        texts[f"{id.name if id is not None else 'parse'}.txt"].append(f"=== {name}\n{page.text()}")
        texts["spoken.txt"].append(f"=== {name}\n{page.spoken}")
        links = [f"{name} {link}" for link in page.links]
        texts["links.txt"] += links
        if id is not None and (glosses := glosses_of(parse, id)):
            texts["glosses.txt"].append(f"=== {name}\n" + "\n".join(gloss.tip for gloss in glosses))
        if number % (step * EVERY_MARKED_UP) == 0:
            html = page.html("ink", "muted", "hairline", "accent").replace("><", ">\n<")
            texts["html.txt"].append(f"=== {name}\n{html}")
            texts["latex.txt"].append(f"=== {name}\n{page.latex()}")
    for file, parts in texts.items():
        yield file, "\n".join(parts) + "\n"


Asked = tuple[str, int, str, str, tuple[Constraint, ...], int]
"""Model, preset, name of the sentence, the sentence, what-ifs, and of how many pages one is written."""


def _inspect(asked: Iterable[Asked], ranks: int) -> Files:
    """The pages of sentences; those of the second and following of the n best a few each."""
    for model, preset, name, text, what_ifs, step in asked:
        made = result(model, preset, text, what_ifs)
        for rank, parse in enumerate(made.parse.alternatives[:ranks] or [made.parse]):
            for file, pages_text in pages(made, parse, step if rank == 0 else 11 * step):
                yield f"{model}-{preset}-{name}-{rank + 1}/{file}", pages_text


FAST: tuple[Asked, ...] = (
    *(("english", preset, "seven", SEVEN, (), 1 if preset in (3, 5) else 2) for preset in PRESETS),
    *(("classroom", preset, "seven", SEVEN, (), 2) for preset in PRESETS),
    *(("english", preset, "fifteen", FIFTEEN, (), 4) for preset in (3, 5)),
    ("english", 5, "thirty", THIRTY, (), 12),
    *(("english", 3, f"what-if-{at}", SEVEN, what_ifs, 3) for at, what_ifs in enumerate(WHAT_IFS)),
    *(("english", 4, f"gold-{at}", tree, (), 6) for at, tree in enumerate(GOLD)),
    *(("english", 5, f"odd-{at}", text, (), 2) for at, text in enumerate(ODD)),
)
ALL: tuple[Asked, ...] = (
    *(("english", preset, "seven", SEVEN, (), 1) for preset in PRESETS),
    *(("english", preset, "fifteen", FIFTEEN, (), 1) for preset in PRESETS),
    *(("english", preset, "thirty", THIRTY, (), 2) for preset in PRESETS),
    *(("classroom", preset, "fifteen", FIFTEEN, (), 1) for preset in (1, 2, 3, 4)),
    *(("english", preset, f"what-if-{at}", SEVEN, ifs, 1) for at, ifs in enumerate(WHAT_IFS) for preset in (1, 5)),
    *(("classroom", preset, f"odd-{at}", text, (), 1) for at, text in enumerate(ODD) for preset in PRESETS),
)
CASES = (Case("pages", partial(_inspect, FAST, 2)), Case("pages-all", partial(_inspect, ALL, 3), fast=False))
