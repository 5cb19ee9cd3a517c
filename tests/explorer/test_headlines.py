"""Headlines of everything that can be selected: whole English sentences, whatever the numbers are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import get_args

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.estimates.ledger import FeatureSubject, Level, UnarySubject
from engine.explain.attachments import arrow_headline
from engine.explain.constituents import constituent_headline
from engine.explain.context import ParseContext, closeness
from engine.explain.explanation import Explanation
from engine.explain.registry import explain, headline_of
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    ErrorCellId,
    ErrorId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
)
from engine.explain.verdicts import (
    comparison_headline,
    error_headline,
    explain_bracket,
    explain_error,
    explain_error_cell,
    explain_verdict,
    told_verdict,
    verdict_headline,
)
from engine.explain.wording import Closeness, DecidedBy, Headline, how_often
from engine.settings import PRESETS, Settings
from engine.structure.constraints import Attachment, Bracket, Constraint, FixedTag, GapTag
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.errors import ParseError, classify_errors
from engine.study.provenance import Provenance
from engine.study.treebank_report import Report, judge, tabulate
from engine.study.verdicts import Verdict, VerdictKind, verdict
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank
from explorer.kit.messages import as_sentence
from explorer.pictures.facts import facts_of
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.tiers import every
from tests.trained import CLASSROOM, trained

SENTENCES = (
    "Mary saw the man with the telescope.",
    "John Smith, the president of IBM, announced his resignation yesterday.",
    "The blick that she said would fall has fallen, and nobody knows why.",
    "They plan to visit the old house in the park; perhaps.",
    "Run!",
    "John/NNP saw/VBD Mary/NNP",
    "of of the the and",
)
WHAT_IFS: tuple[tuple[Constraint, ...], ...] = (
    (Attachment(4, 1),),
    (Attachment(4, 3),),
    (GapTag(4, "E"),),
    (FixedTag(1, "VBD"), Bracket(1, 7, "VP")),
    (Attachment(4, 1, forbid=True), GapTag(2, "S"), Bracket(4, 7, "PP")),
)
MOST_EDGES = 150
"""Edges of a chart that are looked at, spread over all of it."""
FAULTS = {
    "an empty slot": r"\(\)|``|“”|: \.|, \.|\bNone\b|\{\}|<>",
    "a number that is zero by rounding": r"(?<![\d.])0\.0+(?!\d)",
    "no number": r"\bnan\b|\binf\b|∞",
    "a doubled space": r"  ",
    "a space before a stop": r" [.,;:](?![\w`/])",
    "two stops": r"\.\.|;\.|,\.",
    "a wrong plural": r"(?<![\d.,])1 (times|words|edges|constituents|decisions|features|parses|fragments|brackets)\b",
    "a wrong article": r"\b(a|an) (an?|the)\b|\ban PP\b|\ba NP\b",
    "all of one": r"\b(all|All) [012] ",
}


def result_of(model: engine.Model, preset: int, text: str, what_ifs: tuple[Constraint, ...] = ()) -> ParseResult:
    """What the window makes of a sentence."""
    request = ParseRequest(model, Settings.preset(preset), TextLine(text, what_ifs))
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


def everything(made: ParseResult, parse: Parse) -> Iterator[Subject | None]:
    """Every thing of a parse that can be selected."""
    words, facts = len(parse.sentence.positions), facts_of(parse)
    whole: tuple[Subject | None, ...] = (None, RootId(), SecondModelId(), FeaturesId())
    yield from whole
    for token, word in enumerate(parse.sentence.words):
        if token not in parse.sentence.positions:
            assert word
            yield PunctuationId(token)
    for position in range(words):
        yield WordId(position)
        yield ArrowId(position)
        for tag, _ in made.choices(parse.sentence.positions[position])[:4]:
            yield TagId(position, tag)
        if position:
            yield GapId(position)
            yield from (GapTagId(position, letter) for letter in "SCEBN")
    for modifier, candidates in facts.candidates.items():
        yield from (MatrixCellId(modifier, head) for head in parse.reduced if head != modifier)
        yield from (CandidateId(modifier, one.head, one.relation) for one in candidates[:5])
    for node in facts.tree_nodes().walk():
        yield node.id
    yield from (NodeId(node.start, node.end, node.label, 0) for root in parse.roots for node in root.walk())
    for number, factor in enumerate(made.ledger(parse)):
        if isinstance(factor.subject, UnarySubject | FeatureSubject):
            yield FactorId(number)
    for number, _ in enumerate(made.ledger(parse).second_model):
        yield from (DecisionId(number), DecisionsId(number))
    yield from (WhatIfId(number) for number, _ in enumerate(made.request.line.what_ifs))
    if made.parse.chart is not None and parse is made.parse:
        trace = made.parse.chart
        yield from (ChartCellId(start, end) for start in range(words) for end in range(start + 1, words + 1))
        yield from map(EdgeId, range(0, len(trace), max(1, len(trace) // MOST_EDGES)))
        kept = {trace.edge(number).item for number in range(len(trace))}
        yield from map(ItemId, sorted(kept - {-1})[:MOST_EDGES])


def check(headline: Headline, of: object) -> None:
    """Fail if a headline is no whole English."""
    assert headline.sentence and len(headline.reasons) <= 3, of
    assert len(set(headline.reasons)) == len(headline.reasons), (of, headline.text)
    for text in (headline.sentence, *headline.reasons):
        assert text[-1] in ".!" and not text[0].isspace(), (of, text)
        # Words of the sentence are what they are.
        plain = re.sub(r"`[^`]+`|“[^“”]+”", "`w`", text)
        plain = re.sub(r"in this context \(.+?\) it", "in this context it", plain)
        assert plain[0] == "`" or plain[0].isupper() or not plain[0].isalpha(), (of, text)
        for fault, pattern in FAULTS.items():
            assert not re.search(pattern, plain), (fault, of, text)


@pytest.mark.parametrize("preset", PRESETS)
def test_everything_that_can_be_selected_has_a_headline(reranked_path: Path, preset: int) -> None:
    model = engine.load(reranked_path)
    checked: Counter[type] = Counter()
    closeness: set[Closeness | None] = set()
    for text in SENTENCES:
        made = result_of(model, preset, text)
        for parse in made.parse.alternatives[:3]:
            explained = made.context(parse)
            for id in everything(made, parse):
                headline = headline_of(explained, id)
                check(headline, (text, preset, id))
                closeness.add(headline.closeness)
                checked[type(id)] += 1
    assert sum(checked.values()) > 2000
    # What-ifs, and what is compared with a gold tree, have tests of their own; points of a plot are sentences.
    sorts = set(get_args(Subject)) - {WhatIfId, VerdictId, ErrorId, ErrorCellId, PointId}
    if preset != 5:
        sorts -= {DecisionId, DecisionsId}
    assert sorts <= set(checked)
    assert {Closeness.ONLY, Closeness.CLEAR, Closeness.LIKELIER, Closeness.TIE} <= closeness


@pytest.mark.parametrize("preset", (3, 5))
@pytest.mark.parametrize("what_ifs", WHAT_IFS)
def test_what_is_forced_says_so(reranked_path: Path, preset: int, what_ifs: tuple[Constraint, ...]) -> None:
    made = result_of(engine.load(reranked_path), preset, SENTENCES[0], what_ifs)
    explained = made.context(made.parse)
    for id in everything(made, made.parse):
        check(headline_of(explained, id), (what_ifs, id))
    whole = headline_of(made.context(), None)
    assert whole.decided_by is DecidedBy.WHAT_IF and whole.sentence.startswith("What if: ")
    assert ("costs" in whole.sentence) or ("gains" in whole.sentence)
    first = what_ifs[0]
    if isinstance(first, Attachment) and not first.forbid:
        arrow = headline_of(made.context(), ArrowId(first.modifier))
        assert arrow.decided_by is DecidedBy.WHAT_IF and "a what-if forces it" in arrow.sentence.lower()


def test_the_explanation_begins_with_the_headline(reranked_path: Path) -> None:
    made = result_of(engine.load(reranked_path), 5, SENTENCES[0])
    for id in (None, ArrowId(4), GapId(3), NodeId(4, 7, "PP", 0)):
        explanation = explain(made.context(), id)
        assert explanation.headline == headline_of(made.context(), id)
        text = explanation.text().split("\n\n")
        assert text[1] == explanation.headline.text
        assert explanation.headline.sentence.replace("`", "") in re.sub("[‘’]", "", explanation.spoken)


def test_a_list_from_a_wider_chart_is_no_beam_that_found_nothing(reranked_path: Path) -> None:
    model = engine.load(reranked_path)
    parser = Parser(model, replace(Settings.preset(5), beam=20.0))
    parse = parser.parse(parser.prepare(SENTENCES[0]), n_best=3)
    assert parse.beam > parse.settings.beam and not parse.widened
    told = explain(ParseContext(parse), None)
    assert told.headline is not None and "Nothing was found" not in told.headline.text
    assert "the chart was filled with β = 500" in told.text()


@pytest.mark.parametrize(
    ("own", "other", "close"),
    [
        (0.1, 0.0, Closeness.ONLY),
        (0.5, 0.1, Closeness.CLEAR),
        (0.49, 0.1, Closeness.LIKELIER),
        (0.126, 0.1, Closeness.LIKELIER),
        (0.124, 0.1, Closeness.TIE),
        (0.1, 0.124, Closeness.TIE),
        (0.1, 0.126, Closeness.UNLIKELIER),
    ],
)
def test_how_close_two_estimates_are(own: float, other: float, close: Closeness) -> None:
    assert closeness(own, other) is close


@pytest.mark.parametrize(
    ("eta", "delta", "told"),
    [
        (0, 1, "Here it never happened that it was so (met once)."),
        (1, 1, "Here, it was so the one time this was met."),
        (2, 2, "Here, it was so both times."),
        (1000, 1000, "Here, it was so all 1,000 times."),
        (1, 10, "Here, it was so once out of 10 times."),
        (6, 10, "Here, it was so 6 times out of 10."),
    ],
)
def test_how_often_something_was_so(eta: int, delta: int, told: str) -> None:
    assert how_often("Here", "it was so", Level("E1", eta, delta)) == told


def test_tie_clear_and_who_decides_are_told_apart(reranked_path: Path) -> None:
    model = engine.load(reranked_path)
    seen: Counter[str] = Counter()
    trees = [tree for tree in read_treebank([CLASSROOM]) if isinstance(tree, Tree)]
    parser = Parser.preset(model, 5)
    for tree in trees[:60]:
        words = " ".join(tree.words())
        parse = parser.parse(parser.prepare(words), n_best=10)
        made = ParseResult(ParseRequest(model, parser.settings, TextLine(words)), None, parse, parse)  # type: ignore[arg-type]
        for modifier in parse.heads():
            headline = arrow_headline(made.context(parse), modifier)
            check(headline, (words, modifier))
            if headline.closeness is None or "heads the sentence" in headline.sentence:
                continue
            seen[headline.closeness] += 1
            assert (headline.closeness is Closeness.TIE) == ("Nearly a tie" in headline.sentence)
            assert (headline.closeness is Closeness.CLEAR) == ("Clear:" in headline.sentence)
            assert (headline.closeness is Closeness.UNLIKELIER) == ("By itself" in headline.sentence)
            if headline.decided_by is DecidedBy.RERANKER and headline.closeness is not Closeness.ONLY:
                assert "the re-ranker decides (" in headline.sentence
                seen["re-ranker"] += 1
    assert min(seen[one] for one in (Closeness.TIE, Closeness.CLEAR, Closeness.LIKELIER)) > 0
    assert seen["re-ranker"] > 0


def test_a_phrase_that_all_have_is_not_called_sure_where_its_attachment_is_open() -> None:
    model, seen = trained([CLASSROOM]), Counter[bool]()
    for tree in list(read_treebank([CLASSROOM]))[:60]:
        assert isinstance(tree, Tree)
        parse = Parser.preset(model, 3).parse(TaggedSentence.from_tree(tree), n_best=5)
        context = ParseContext(parse)
        for node in (node for root in parse.roots for node in root.walk() if node.label == "PP" and node.children):
            told = constituent_headline(context, node)
            heads = {one.heads().get(node.head) for one in parse.alternatives}
            everywhere = all(
                any(
                    (it.label, it.start, it.end) == ("PP", node.start, node.end)
                    for root in one.roots
                    for it in root.walk()
                )
                for one in parse.alternatives
            )
            if everywhere and len(parse.alternatives) > 1:
                assert (told.closeness is Closeness.CLEAR) == (len(heads) == 1), told.sentence
                assert ("elsewhere" in told.sentence) == (len(heads) > 1)
                seen[len(heads) > 1] += 1
    assert min(seen[True], seen[False]) > 0


ODD_LABELS = ("ADJP", "SINV", "PP", "NP")
"""What constituents of gold trees are relabelled as, to make them wrong or impossible."""


def gold_trees() -> Iterator[Tree]:
    """The classroom's trees, and trees that are somehow odd: relabelled, or flat."""
    for number, tree in enumerate(tree for tree in read_treebank([CLASSROOM]) if isinstance(tree, Tree)):
        yield tree
        text = tree.brackets()
        odd = ODD_LABELS[number % len(ODD_LABELS)]
        for label in ("VP", "PP", "NP"):
            if f"({label} " in text and label != odd:
                yield read_tree(text.replace(f"({label} ", f"({odd} ", 1))
        if number % 5 == 0:
            leaves = " ".join(f"({leaf.label} {leaf.word})" for leaf in tree.leaves())
            yield read_tree(f"(S {leaves})")


def pages_of(judged: Verdict, errors: list[ParseError], report: Report) -> Iterator[Explanation]:
    """Every page about a verdict: of itself, of its errors, of their brackets, of the cell that they are counted in."""
    yield explain_verdict(judged, errors)
    words = judged.comparison.second.words
    for number, error in enumerate(errors, 1):
        place = (number, len(errors))
        yield explain_error(error, place, words)
        for bracket in (*error.missing, *error.extra):
            yield explain_bracket(error, bracket, place, words)
        table = tabulate(report, len(report.judgements), Provenance("a model", Settings(), "gold"))
        for kind, under in ((error.kind, judged.kind), (error.kind, ""), ("", judged.kind), ("", "")):
            page = explain_error_cell(table, ErrorCellId(kind, under))
            assert page is not None
            yield page
        assert explain_error_cell(table, ErrorCellId("no such class", "")) is None


@every(4)
@pytest.mark.parametrize(("preset", "beam"), ((1, 3.0), (3, 1000.0), (5, 1000.0)))
def test_every_page_about_a_verdict_or_an_error_has_a_whole_headline(
    reranked_path: Path, preset: int, beam: float, every: int
) -> None:
    model = engine.load(reranked_path)
    parser = Parser(model, replace(Settings.preset(preset), beam=beam, literal_beam=beam == 3.0))
    checked: Counter[str] = Counter()
    report = Report()
    for number, tree in enumerate(islice(gold_trees(), 0, None, every), 1):
        judgement = judge(parser, tree, number, repair=False, tell=told_verdict)
        if judgement is None:
            continue
        report.add(judgement)
        report.finish()
        judged = verdict(parser, tree, repair=False)
        assert verdict_headline(judged) == Headline(judgement.told[0], judgement.told[1:])
        for page in pages_of(judged, list(judgement.errors), report):
            assert page.headline is not None and page.title
            check(page.headline, (tree.brackets(), page.title))
            assert page.text().split("\n\n")[1] == page.headline.text
            assert not re.search(r"\bnan\b|\bNone\b", page.text()), page.text()
            checked["pages"] += 1
        checked[judged.kind] += 1
        checked["reasons"] += len(judgement.told) - 1
    assert checked["pages"] > 1000 / every and checked["reasons"] > 50 / every
    kinds = {VerdictKind.RIGHT, VerdictKind.OUTSIDE, VerdictKind.SEARCH if beam == 3.0 else VerdictKind.MODEL}
    assert kinds <= {kind for kind in VerdictKind if checked[kind]}, checked


@pytest.mark.parametrize("preset", (3, 5))
def test_verdicts_errors_and_comparisons_have_headlines(reranked_path: Path, preset: int) -> None:
    model = engine.load(reranked_path)
    parser = Parser.preset(model, preset)
    errors = verdicts = 0
    for tree in [tree for tree in read_treebank([CLASSROOM]) if isinstance(tree, Tree)][::3]:
        parse = parser.parse(" ".join(tree.words()), n_best=3)
        if parse.tree.words() != tree.words():
            continue
        judged = verdict(parser, tree, parse, repair=False)
        check(verdict_headline(judged), tree.brackets())
        verdicts += 1
        for error in classify_errors(parse.tree, tree):
            check(error_headline(error), tree.brackets())
            errors += 1
        for other in parse.alternatives[1:]:
            check(comparison_headline(parse, other, ("Model’s best", "Second best")), tree.brackets())
    assert verdicts > 20 and errors > 2


def test_a_message_begins_with_a_capital_letter_but_a_files_name_stays() -> None:
    assert as_sentence("the beam is empty") == "The beam is empty."
    assert as_sentence("with.md, line 3: no such word") == "with.md, line 3: no such word."
    assert as_sentence("answers/with: cannot be written") == "answers/with: cannot be written."
    assert as_sentence("done.") == "Done." and as_sentence("") == ""
