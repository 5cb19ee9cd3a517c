"""What the inspector says: its numbers, as they are shown, give the number that they are said to give."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QTextDocument
from PySide6.QtWidgets import QApplication

import engine
from engine.chart.search import Control
from engine.common.numbers import ABOUT_ZERO
from engine.common.resources import resources_folder
from engine.estimates.ledger import RERANKERS_KINDS, FactorKind
from engine.explain.explanation import Explanation, Formula, TableBlock
from engine.explain.registry import explain
from engine.explain.subjects import ArrowId, GapTagId, MatrixCellId, NodeId, WordId
from engine.export.latex import needs_unicode_engine
from engine.settings import PRESETS, Settings
from explorer.kit.appearance import BASE_POINTS
from explorer.kit.fonts import FALLBACK, register_fonts
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window

SENTENCES = (
    "Mary saw the man with the telescope.",
    "John Smith, the president of IBM, announced his resignation yesterday.",
    "The blick that she said would fall has fallen, and nobody knows why.",
)
SUBTOTAL = "subtotal: log P"
EXPONENT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
LEAST_UNITS = 3e-3
"""Four digits are shown, and up to a dozen of them multiply."""


INSPECTOR = 374
"""Width of the text in the inspector's dock, when the window is opened for the first time."""

Asked = Callable[[int, int], ParseResult]


@pytest.fixture(scope="module")
def asked(reranked_path: Path) -> Asked:
    """The full result about a sentence under a preset."""
    model = engine.load(reranked_path)

    @cache
    def ask(number: int, preset: int) -> ParseResult:
        request = ParseRequest(model, Settings.preset(preset), TextLine(SENTENCES[number]))
        return parse_for_window(request, ParserPool(), Control(), lambda quick: None)

    return ask


def test_a_pair_that_a_basenp_has_swallowed_is_explained(asked: Asked) -> None:
    # A cell of the matrix stays selected when another of the n best takes one of its words into a baseNP.
    result = asked(0, 3)
    parse = result.parse
    inside = next(base.start for base in parse.basenps if base.start != base.head)
    head = parse.reduced[0]
    for pair in ((inside, head), (head, inside)):
        explanation = explain(result.context(parse), MatrixCellId(*pair))
        assert f"`{parse.sentence.proper_words[inside]}` lies inside a baseNP" in explanation.text()


def value(shown: str) -> float:
    """What an expression of numbers as the window writes them comes to."""
    if shown == ABOUT_ZERO:
        return 0.0
    plain = re.sub(r"([\d.]+) × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda match: f"{match[1]}e{match[2].translate(EXPONENT)}", shown)
    plain = plain.replace("×", "*").replace("−", "-").replace("√", "math.sqrt").replace(",", "")
    assert re.fullmatch(r"(?:math\.sqrt|[-+*/(). \de])+", plain), shown
    return float(eval(plain, {"math": math}))


def formulas(explanation: Explanation) -> Iterator[list[str]]:
    """The lines of every formula, as the window shows them."""
    for block in explanation.blocks:
        if isinstance(block, Formula):
            yield [text for text, _ in block.lines]


def everything(made: ParseResult) -> Iterator[Explanation]:
    """The explanation of every gap, gap tag, arrow, pair and constituent of the best parse."""
    parse = made.parse
    words = len(parse.sentence.positions)
    for position in range(1, words):
        for letter in "SCEBN":
            yield explain(made.context(parse), GapTagId(position, letter))
    for modifier, head in parse.heads().items():
        yield explain(made.context(parse), ArrowId(modifier))
        for other in parse.reduced:
            if other not in (modifier, head):
                yield explain(made.context(parse), MatrixCellId(modifier, other))
    for root in parse.roots:
        for node in root.walk():
            yield explain(made.context(parse), NodeId(node.start, node.end, node.label, 0))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_the_numbers_shown_give_the_number_shown(asked: Asked, number: int, preset: int) -> None:
    checked = products = 0
    for explanation in everything(asked(number, preset)):
        for lines in formulas(explanation):
            for before, line in itertools.pairwise(lines):
                # A line of numbers, then what they come to.
                if before.startswith("= ") and line.startswith("= "):
                    result = value(line[2:].split(",  log")[0])
                    assert value(before[2:]) == pytest.approx(result, rel=LEAST_UNITS, abs=1e-12), explanation.text()
                    checked += 1
            ratio = re.match(r"r\([^)]*\) = .* = (.*) = (.*)", lines[0])
            if ratio:
                assert value(ratio[1]) == pytest.approx(value(ratio[2]), rel=LEAST_UNITS), lines
                # A context that was never counted has no say: r = P / P.
                estimate = re.findall(r"[\d.]+(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?", ratio[1])[0]
                if len(lines) > 2:
                    assert value(lines[2][2:]) == pytest.approx(value(estimate), rel=LEAST_UNITS), lines
                products += 1
        assert explanation.latex().count("&=") >= sum(map(len, formulas(explanation)))
        assert not needs_unicode_engine(explanation.latex())
    assert checked > 20
    assert (products > 20) == (preset == 5)


@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_the_recursion_is_shown_level_by_level(asked: Asked, number: int) -> None:
    seen = 0
    for explanation in everything(asked(number, 5)):
        for block in explanation.blocks:
            if isinstance(block, TableBlock) and block.header == ("level", "λ", "E", "m"):
                below = value(block.rows[-1][3])
                for _, weight, estimate, mixed in reversed(block.rows[:-1]):
                    expected = value(weight) * value(estimate) + (1 - value(weight)) * below
                    below = value(mixed)
                    assert below == pytest.approx(expected, rel=LEAST_UNITS, abs=1e-4)
                    seen += 1
    assert seen > 50


def test_the_factors_shown_of_a_parse_sum_to_its_score(asked: Asked) -> None:
    summed = 0
    for number in range(len(SENTENCES)):
        made = asked(number, 5)
        for parse in made.parse.alternatives:
            explanation = explain(made.context(parse), None)
            tables = [block for block in explanation.blocks if isinstance(block, TableBlock)]
            sums = next(block for block in tables if block.header[0] == "factors")
            rows = {row[0]: value(row[2].lstrip("+")) for row in sums.rows}
            paid = math.fsum(shown for kind, shown in rows.items() if kind not in (SUBTOTAL, *RERANKERS_KINDS, "score"))
            assert paid == pytest.approx(rows[SUBTOTAL], abs=0.005)
            assert rows[SUBTOTAL] == pytest.approx(parse.log_probability, abs=0.001)
            added = math.fsum(rows[kind] for kind in RERANKERS_KINDS)
            assert rows[SUBTOTAL] + added == pytest.approx(rows["score"], abs=0.002)
            assert rows["score"] == pytest.approx(parse.score, abs=0.001)
            features = next(block for block in tables if block.header[0] == "feature")
            weights = [value(row[1].lstrip("+")) for row in features.rows]
            assert math.fsum(weights[:-1]) == pytest.approx(weights[-1], abs=0.01)
            assert weights[-1] == pytest.approx(rows[FactorKind.FEATURE], abs=0.001)
            assert r"\text{score}" in explanation.latex()
            summed += 1
    assert summed > len(SENTENCES)


def test_the_paper_s_presets_show_no_features(asked: Asked) -> None:
    made = asked(0, 3)
    text = explain(made.context(), None).text()
    assert "score" not in text and "RE-RANKER" not in text


def test_only_the_words_of_a_constituent_pay_for_their_tags(asked: Asked) -> None:
    made = asked(0, 5)
    text = explain(made.context(), NodeId(1, 7, "VP", 0)).text()
    assert "saw/VBD" in text and "Mary/NNP" not in text


def test_latex_misreads_nothing_that_a_table_holds() -> None:
    cells = ("[q]", "a_b & 50 %", "⊢ NN ⊣", "P(tᵢ|S)", 'say "x"', "10⁻³", "<NP,S,VP>")
    text = Explanation("t", "", (TableBlock(("[h]",), tuple((cell,) for cell in cells)),)).latex()
    # After the end of a row a square bracket would open an option.
    assert not re.search(r"\\\\\s*\[", text) and not needs_unicode_engine(text)
    for piece in (r"a\_b \& 50 \%", r"$\vdash$ NN $\dashv$", r"t$_i$", r"\textquotedbl{}", "10$^{-3}$", r"$\langle$NP"):
        assert piece in text


@pytest.mark.parametrize("preset", (3, 5))
def test_in_the_width_of_the_dock_no_word_is_broken(asked: Asked, preset: int, qapp: QApplication) -> None:
    register_fonts()
    # The widest of the usual typefaces, and the inspector as wide as it is at first.
    font = QFont(FALLBACK)
    font.setPointSizeF(BASE_POINTS)
    document = QTextDocument()
    document.setDefaultFont(font)
    document.setDocumentMargin(12)
    lines = 0
    for explanation in everything(asked(1, preset)):
        document.setHtml(explanation.html("#000000", "#000000", "#000000", "#000000"))
        document.setTextWidth(INSPECTOR)
        assert document.size().width() <= INSPECTOR, explanation.text()
        block = document.begin()
        while block.isValid():
            text, layout = block.text(), block.layout()
            for number in range(1, layout.lineCount()):
                at = layout.lineAt(number).textStart()
                assert not (text[at - 1].isalpha() and text[at].isalpha()), (text[:at], text[at:])
                assert not (text[at - 1].isdigit() and text[at].isdigit()), (text[:at], text[at:])
                lines += 1
            block = block.next()
    assert lines > 20


@pytest.mark.parametrize("preset", (3, 5))
def test_an_arrow_is_held_against_the_best_parse_with_another_head(asked: Asked, preset: int) -> None:
    seen = 0
    for number in range(len(SENTENCES)):
        made = asked(number, preset)
        parse, others = made.parse, made.parse.alternatives
        for modifier, head in parse.heads().items():
            if head < 0:
                continue
            blocks = explain(made.context(parse), ArrowId(modifier)).blocks
            first = next((one for one in others if one.heads().get(modifier, head) != head), None)
            tables = [
                block for block in blocks if isinstance(block, TableBlock) and block.header[:2] == ("head", "rank")
            ]
            assert bool(tables) == (first is not None)
            if first is None:
                continue
            row = tables[0].rows[0]
            assert int(row[1]) == others.index(first) + 1
            numbers = [float(cell.replace("−", "-")) for cell in row[2:]]
            assert numbers[0] == pytest.approx(first.log_probability - parse.log_probability, abs=0.006)
            if len(numbers) > 1:
                assert sum(numbers[:2]) == pytest.approx(numbers[2], abs=0.011)
                # Where the expected F1 decides, another parse may have the higher score.
                if parse.expected_f1 is None or first.expected_f1 is None:
                    assert numbers[2] <= 0
                else:
                    assert first.expected_f1 <= parse.expected_f1
            seen += 1
    assert seen


def test_what_a_count_is_based_on_stands_under_it_and_beside_it_in_text(asked: Asked) -> None:
    made = asked(0, 3)
    explanation = explain(made.context(), ArrowId(4))
    counts = next(block for block in explanation.blocks if isinstance(block, TableBlock) and block.aside >= 0)
    assert counts.header[counts.aside] == "based on"
    html = explanation.html("#000000", "#123456", "#000000", "#000000")
    based_on = counts.rows[0][counts.aside]
    assert re.search(rf"<tr><td colspan='4' style='color:#123456[^>]*>{re.escape(based_on)}</td></tr>", html)
    row = next(line for line in explanation.text().splitlines() if based_on in line)
    assert row.split()[0] == counts.rows[0][0] and row.split()[-1] == counts.rows[0][-1]


def test_counts_that_are_not_the_papers_are_said_to_be_so() -> None:
    compact = engine.train([resources_folder() / "examples" / "classroom.ptb"], compact=True)
    for preset, expected in ((1, True), (3, True), (5, False)):
        request = ParseRequest(compact, Settings.preset(preset), TextLine(SENTENCES[0]))
        result = parse_for_window(request, ParserPool(), Control(), lambda quick: None)
        for id in (None, ArrowId(0), GapTagId(1, "S"), MatrixCellId(0, 1)):
            text = explain(result.context(), id).text()
            assert ("These are not the paper's numbers: the model is compact" in text) is expected
        assert "paper's numbers" not in explain(result.context(), WordId(0)).text()
