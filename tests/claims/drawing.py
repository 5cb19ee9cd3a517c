"""Sentences and things to explain, drawn at random; what is said of each, and the claims in it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.estimates.ledger import FeatureSubject, UnarySubject
from engine.explain.explanation import Explanation, Formula, Paragraph, TableBlock
from engine.explain.registry import explain
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
from engine.explain.verdicts import explain_error, explain_verdict
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constraints import Attachment, Bracket, Constraint, GapTag
from engine.study.errors import classify_errors
from engine.study.verdicts import verdict
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParserPool, parse_for_window
from tests.claims.asked import Asked, Claim, Pattern, claims_in
from tests.claims.case import Case, Facts
from tests.claims.tables import formula_claims, table_claims
from tests.claims.training import Training
from tests.engine.recount_trees import HeadTable


@dataclass(frozen=True)
class Told:
    """What was said of one thing, and the claims in it."""

    case: Case
    subject: str
    page: Explanation
    claims: tuple[Claim, ...]


class Drawing:
    """Draws sentences of gold trees and things in their parses.

    Parameters
    ----------
    model, training
        A model, and the trees that it was trained on.
    trees
        Gold trees, in brackets.
    presets
        The presets to draw from.
    seed
        Other numbers draw other things.
    longest
        The longest sentence, in words.
    """

    def __init__(
        self,
        model: Model,
        training: Training,
        trees: Sequence[str],
        presets: Sequence[int],
        seed: int,
        longest: int = 30,
    ) -> None:
        self.model = model
        self.training = training
        self.chance = random.Random(seed)
        self.trees = trees
        self.presets = presets
        self.longest = longest
        self.table = HeadTable(model.rules.text)
        self._pool = ParserPool()

    def cases(self) -> Iterator[Case]:
        """Yield sentences with their parses, for ever."""
        while True:
            text = self.chance.choice(self.trees)
            tree = clean(read_tree(text))
            if tree is None or not 2 <= len(list(tree.words())) <= self.longest:
                continue
            preset = self.chance.choice(self.presets)
            gold_tags = self.chance.random() < 0.5 or self.model.tagger is None
            # The vote is computed again from all parses of the list, of which a hundred can be listed.
            changes = {} if preset != 5 or gold_tags else {"rerank": 50}
            settings = Settings.preset(preset, **changes)
            case = self._case(text, preset, settings, gold_tags, ())
            if case is None:
                continue
            if self.chance.random() < 0.2:
                what_ifs = tuple(self.what_ifs(case))
                case = self._case(text, preset, settings, gold_tags, what_ifs) or case
            yield case

    def _case(
        self, text: str, preset: int, settings: Settings, gold_tags: bool, what_ifs: tuple[Constraint, ...]
    ) -> Case | None:
        request = ParseRequest(self.model, settings, TextLine(text, what_ifs), gold_tags=gold_tags)
        try:
            result = parse_for_window(request, self._pool, Control(), lambda quick: None)
        except EngineError:
            # A what-if that no parse obeys.
            return None
        if not result.parse.sentence.positions:
            return None
        case = Case(result, self.training, preset, self.table, text)
        return case if result.parse.fallback or all(case.facts(one).readable for one in case.listed) else None

    def what_ifs(self, case: Case) -> Iterator[Constraint]:
        """Yield one or two things to force."""
        parse, chance = case.result.parse, self.chance
        words = len(parse.sentence.positions)
        for _ in range(chance.choice((1, 1, 2))):
            match chance.randrange(3):
                case 0 if len(parse.reduced) > 1:
                    modifier, head = chance.sample(parse.reduced, 2)
                    yield Attachment(modifier, head, forbid=parse.heads().get(modifier) == head)
                case 1 if words > 1:
                    position = chance.randrange(1, words)
                    own = parse.gap_tags[position - 1]
                    yield GapTag(position, own, forbid=True)
                case _:
                    node = chance.choice([node for root in parse.roots for node in root.walk()])
                    yield Bracket(node.start, node.end, node.label, forbid=True)

    def subjects(self, case: Case, parse: Parse) -> list[list[Subject | None]]:
        """Everything of a parse that can be selected, by kind."""
        words, ledger = len(parse.sentence.positions), parse.ledger()
        gaps = range(1, words)
        reduced = parse.reduced
        tokens = [at for at in range(len(parse.sentence)) if at not in parse.sentence.positions]
        candidates: list[Subject | None] = []
        cells: list[Subject | None] = []
        if len(reduced) > 1:
            for modifier in self.chance.sample(reduced, min(3, len(reduced))):
                ranked = parse.explainer().candidates(modifier, parse.basenps)
                candidates += [CandidateId(modifier, one.head, one.relation) for one in ranked[:6]]
                cells += [MatrixCellId(modifier, head) for head in reduced if head != modifier]
        own = (UnarySubject, FeatureSubject)
        kinds: list[list[Subject | None]] = [
            [None],
            [RootId()],
            [WordId(position) for position in range(words)],
            [PunctuationId(at) for at in tokens],
            [TagId(at, tag) for at in range(words) for tag, _ in case.result.choices(parse.sentence.positions[at])[:4]],
            [GapId(position) for position in gaps],
            [GapTagId(position, letter) for position in gaps for letter in "SCEBN"],
            [ArrowId(position) for position in range(words)],
            [ArrowId(position) for position in reduced],
            cells,
            candidates,
            [NodeId(node.start, node.end, node.label, 0) for root in parse.roots for node in root.walk()],
            [NodeId(node.start, node.end, node.label, 0) for root in parse.roots for node in root.walk()],
            [FactorId(number) for number, factor in enumerate(ledger) if isinstance(factor.subject, own)],
            [SecondModelId(), FeaturesId()] if ledger.second_model else [],
            [DecisionId(number) for number in range(len(ledger.second_model))],
            [DecisionsId(number) for number in range(len(ledger.second_model))],
            [WhatIfId(number) for number in range(len(case.result.request.line.what_ifs))],
        ]
        if parse.chart is not None:
            kinds += [
                [ChartCellId(start, end) for start in range(words) for end in range(start + 1, words + 1)],
                [EdgeId(number) for number in range(len(parse.chart))],
                [ItemId(number) for number in range(parse.chart.item_count)],
            ]
        return [kind for kind in kinds if kind]

    def explanations(self, case: Case, number: int, patterns: Sequence[Pattern]) -> Iterator[Told]:
        """Draw so many things of a sentence, and the verdict on its parse; yield what is said of them."""
        best = case.result.parse
        for _ in range(number):
            parse = best
            if self.chance.random() < 0.2:
                readable = [one for one in case.listed if case.facts(one).readable]
                parse = self.chance.choice(readable or [best])
            if not case.facts(parse).readable:
                # Of fragments nothing is claimed but that they are.
                continue
            subject = self.chance.choice(self.chance.choice(self.subjects(case, parse)))
            page = explain(case.result.context(parse), subject)
            asked = Asked(case, parse, case.facts(parse), subject)
            name = id_text(subject) if subject is not None else "parse"
            yield Told(case, name, page, tuple(self.claims(page, patterns, asked)))
        if not case.result.request.line.what_ifs:
            yield from self.judged(case, patterns)

    def judged(self, case: Case, patterns: Sequence[Pattern]) -> Iterator[Told]:
        """Yield what is said of the verdict on a parse and of one of its errors."""
        parse = case.result.parse
        gold = read_tree(case.gold)
        parser = self._pool.parser(self.model, case.result.request.settings)
        try:
            case.errors = classify_errors(parse.tree, gold)
            case.verdict = verdict(parser, gold, parse, sentence=parser.prepare(case.result.reading.sentence))
        except EngineError:
            # Tokens of the gold tree that tagger and tree do not both hold for punctuation.
            return
        found = case.verdict
        if found.judged.sentence.positions != parse.sentence.positions:
            return
        views = Facts(found.judged, case, case.gold, int(found.gold.further_backoff)), case.facts(found.judged)
        if not all(one.readable for one in views):
            return
        asked = Asked(case, parse, case.facts(parse), None, views=views)
        page = explain_verdict(found, case.errors)
        yield Told(case, "verdict", page, tuple(self.claims(page, patterns, asked)))
        if case.errors:
            place = self.chance.randrange(len(case.errors))
            words = list(parse.sentence.words)
            page = explain_error(case.errors[place], (place + 1, len(case.errors)), words)
            asked = Asked(case, parse, case.facts(parse), None, Counter(error=place), views)
            yield Told(case, f"error {place}", page, tuple(self.claims(page, patterns, asked)))

    def claims(self, page: Explanation, patterns: Sequence[Pattern], asked: Asked) -> Iterator[Claim]:
        """Take all of a page apart."""
        if page.headline is not None:
            for text in (page.headline.sentence, *page.headline.reasons):
                yield from claims_in(text, patterns, asked)
        if page.subtitle.rstrip("…") not in " ".join(asked.words):
            yield from claims_in(page.subtitle, patterns, asked)
        for block in page.facts:
            match block:
                case Paragraph(text):
                    yield from claims_in(text, patterns, asked)
                case TableBlock():
                    yield from table_claims(block, asked)
                case Formula():
                    yield from formula_claims(block, asked)
