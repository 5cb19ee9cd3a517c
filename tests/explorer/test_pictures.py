"""The pictures say what the engine said, and nothing in them collides."""

from __future__ import annotations

import itertools
import math

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.numbers import (
    log_text,
    probability_text,
    short_probability_text,
    signed,
    significant,
    table_probability,
)
from engine.explain.subjects import (
    ArrowId,
    ChartCellId,
    GapId,
    GapTagId,
    MatrixCellId,
    NodeId,
    RootId,
    TagId,
    WordId,
)
from engine.structure.dependencies import GAP_LETTERS
from engine.tagger.tagger import TagDistribution
from explorer.kit.fonts import QtMetrics
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Box, Drawing, Rect, Text
from explorer.pictures.facts import facts_of
from explorer.pictures.layout import GRID, Room
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.options import (
    ArrowsOptions,
    GapsOptions,
    MatrixOptions,
    ParseOptions,
    TreeOptions,
    TriangleOptions,
)
from explorer.pictures.ruler import columns_of
from explorer.pictures.sentence import gaps_picture, sentence_picture
from explorer.pictures.sheet import text_rect
from explorer.pictures.tree import tree_picture
from explorer.pictures.triangle import triangle_picture
from tests.explorer.picture_functions import PICTURES
from tests.explorer.table_metrics import TableMetrics

VARIANTS: list[tuple[str, object]] = [
    ("tree", TreeOptions(compact=True)),
    ("tree", TreeOptions(tags=False)),
    ("arrows", ArrowsOptions(estimate="colour", tags=False)),
    ("arrows", ArrowsOptions(labels=False, estimate="plain")),
    ("parse", ParseOptions(arrangement="beside")),
    ("parse", ParseOptions(tree=TreeOptions(compact=True))),
    ("triangle", TriangleOptions(density="brief")),
    ("triangle", TriangleOptions(density="colour")),
    ("matrix", MatrixOptions(numbers=False)),
    ("gaps", GapsOptions(until=3, forced=frozenset({1}))),
]
SENTENCES = (
    "Go/VB",
    "Dogs/NNS sleep/VBP ./.",
    "``/`` The/DT old/JJ dog/NN ,/, which/WDT saw/VBD the/DT man/NN with/IN the/DT telescope/NN in/IN the/DT park/NN "
    ",/, slept/VBD ,/, ''/'' said/VBD Mary/NNP ./.",
    "naïve/JJ 50%/CD -LRB-/-LRB- foo_bar/NN -RRB-/-RRB- <b>&amp;/SYM costs/VBZ his/PRP$ 1/2/CD ;/: ok/UH",
)


@pytest.fixture(scope="module", params=range(len(SENTENCES)))
def some(request: pytest.FixtureRequest, classroom: engine.Model) -> Parse:
    return Parser.preset(classroom, 3).parse(SENTENCES[request.param], trace=True)


def texts(drawing: Drawing) -> list[Text]:
    return [shape for shape in drawing.shapes if isinstance(shape, Text)]


def collisions(drawing: Drawing, metrics: QtMetrics | TableMetrics) -> list[tuple[str, str]]:
    """Pairs of texts whose letters touch: rectangles from base line to the height of capitals."""
    rects = []
    for text in texts(drawing):
        whole = text_rect(text, metrics)
        height = 0.72 * metrics.ascent(text.style)
        rects.append((Rect(whole.x, text.y - height, whole.width, height), text))
    rects.sort(key=lambda pair: pair[0].x)
    found = []
    for place, (rect, text) in enumerate(rects):
        for other, against in itertools.islice(rects, place + 1, None):
            if other.x >= rect.right:
                break
            if rect.overlaps(other):
                found.append((text.text, against.text))
    return found


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_collides_or_is_cut_off(name: str, some: Parse, metrics: QtMetrics) -> None:
    drawing = PICTURES[name](some, metrics)
    assert len(texts(drawing)) >= len(some.sentence.positions)
    assert collisions(drawing, metrics) == []
    for text in texts(drawing):
        rect = text_rect(text, metrics)
        assert drawing.bounds.x <= rect.x and rect.right <= drawing.bounds.right, text
        assert drawing.bounds.y <= rect.y and rect.bottom <= drawing.bounds.bottom, text


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_variants_collide_no_more(name: str, options: object, telescope: Parse, metrics: QtMetrics) -> None:
    drawing = PICTURES[name](telescope, metrics, options)
    assert collisions(drawing, metrics) == []
    assert drawing.text_twin and drawing.regions


def test_words_keep_their_place_from_stage_to_stage(some: Parse, metrics: QtMetrics) -> None:
    columns = columns_of(some, metrics)
    for name, picture in PICTURES.items():
        drawing = picture(some, metrics, columns=columns)
        assert drawing.frame == columns.frame
        rows = [text for text in texts(drawing) if text.style.startswith("word")]
        words = [(text.id, text) for text in rows if isinstance(text.id, WordId)]
        assert {id for id, _ in words} == {WordId(place) for place in range(len(some.sentence.positions))}, name
        for id, text in words:
            assert math.isclose(text.x, columns.x(id.position)), (name, text)
        # Columns are on the grid of 4 px.
        assert all(math.isclose(edge % GRID, 0, abs_tol=1e-6) for edge in columns.edges)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8, 14, 15, 27, 40, 60])
def test_the_ruler_knows_the_height_of_the_tallest_picture(
    length: int, classroom: engine.Model, metrics: QtMetrics
) -> None:
    phrase = "The/DT old/JJ dog/NN saw/VBD the/DT man/NN in/IN the/DT park/NN with/IN the/DT telescope/NN ,/, and/CC"
    words = phrase.split()
    text = " ".join(words[place % len(words)] for place in range(length + length // len(words)))
    parse = Parser.preset(classroom, 3).parse(text, trace=True)
    columns = columns_of(parse, metrics)
    heights = {name: picture(parse, metrics, columns=columns).view_bounds.height for name, picture in PICTURES.items()}
    tallest = max(heights.values())
    assert all(picture(parse, metrics, columns=columns).tallest == columns.tallest for picture in PICTURES.values())
    assert tallest <= columns.tallest + 24, heights
    assert columns.tallest <= 1.1 * tallest + 24, heights


def test_other_measures_give_another_ruler_and_the_same_content(telescope: Parse, metrics: QtMetrics) -> None:
    for picture in PICTURES.values():
        one, other = picture(telescope, metrics), picture(telescope, TableMetrics())
        assert one.text_twin == other.text_twin
        assert one.regions and list(one.regions) == list(other.regions)


def test_numbers_have_three_significant_digits_and_a_true_minus() -> None:
    assert [probability_text(value) for value in (1, 0.9996, 0.98234, 0.0123456, 0.00104, 4.2149e-5, 0)] == [
        "1.00", "1.00", "0.982", "0.0123", "0.00104", "4.21×10⁻⁵", "0",
    ]  # fmt: skip
    assert [probability_text(value) for value in (0.09996, 0.009996, 0.0009999, 0.00099)] == [
        "0.100", "0.0100", "0.00100", "9.90×10⁻⁴",
    ]  # fmt: skip
    assert log_text(-3.418) == "−3.42" and log_text(-math.inf) == "−∞"
    # What rounds to zero is told from zero.
    assert [log_text(value) for value in (-0.001, 0.0)] == ["≈ 0", "0"]
    assert [signed(value) for value in (-0.001, 0.0, 1e-12, 0.31)] == ["≈ 0", "0", "0", "+0.31"]
    assert [table_probability(value) for value in (0.0, 4e-5, 0.0123)] == ["0", "≈ 0", "0.0123"]
    written = [significant(value) for value in (0.99996, 0.09996, 99.96, -3.418, 9.996e-6, 0.000287, 12345678.0)]
    assert written == ["1.00", "0.100", "100", "−3.42", "1.00 × 10⁻⁵", "0.000287", "1.23 × 10⁷"]
    assert [short_probability_text(value) for value in (1, 0.98, 0.0123, 0.0042, 4e-5)] == [
        "1",
        ".98",
        ".01",
        ".004",
        "10⁻⁵",
    ]


def test_gaps_show_the_engines_letters_and_probabilities(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = gaps_picture(telescope, metrics)
    assert len(telescope.gap_tags) == 6
    for position, letter in enumerate(telescope.gap_tags, 1):
        shown = [shape.text for shape in drawing.of([GapId(position)]) if isinstance(shape, Text)]
        chance = telescope.explainer().gap_distribution(position)[letter]
        assert shown == [letter, probability_text(chance)]
        heights = {
            shape.id.letter: shape.height  # type: ignore[union-attr]
            for shape in drawing.of([GapTagId(position, one) for one in GAP_LETTERS])
        }
        distribution = telescope.explainer().gap_distribution(position)
        total = sum(heights.values())
        assert letter in heights
        for one, height in heights.items():
            assert height / total == pytest.approx(distribution[one], abs=0.02)


def test_hidden_gaps_do_not_give_themselves_away(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = gaps_picture(telescope, metrics, GapsOptions(until=2))
    assert [shape.text for shape in drawing.of([GapId(3)]) if isinstance(shape, Text)] == ["?"]
    assert telescope.gap_tags[2] not in drawing.regions[GapId(3)].label
    assert not any(shape.text in "[]" for shape in texts(drawing))


def test_the_matrix_outlines_the_heads_of_the_parse(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = matrix_picture(telescope, metrics)
    heads = telescope.heads()
    outlined = {shape.id for shape in drawing.shapes if shape.role == "accent" and shape.id is not None}
    assert outlined == {
        MatrixCellId(modifier, head) if head >= 0 else ArrowId(modifier) for modifier, head in heads.items()
    }
    size = len(telescope.reduced)
    assert len([one for one in drawing.regions if isinstance(one, MatrixCellId)]) == size * (size - 1)
    explainer = telescope.explainer()
    found = {modifier: explainer.candidates(modifier, telescope.basenps) for modifier in telescope.reduced}
    compared = [(modifier, candidates[0]) for modifier, candidates in found.items() if candidates]
    assert len(compared) >= size - 1
    for modifier, best in compared:
        label = drawing.regions[MatrixCellId(modifier, best.head)].label
        assert (
            probability_text(best.estimate) in label
            and probability_text(best.probability) in label
            and str(best.relation) in label
        )


def test_arrows_are_those_of_the_parse(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = arrows_picture(telescope, metrics)
    arrows = facts_of(telescope).arrows
    assert {arrow.modifier: arrow.head for arrow in arrows} == telescope.heads()
    total = math.fsum(factor.log for factor in telescope.ledger().by_modifier().values())
    assert math.fsum(arrow.log for arrow in arrows) == pytest.approx(total)
    for arrow in arrows:
        pills = [shape.text for shape in drawing.of([ArrowId(arrow.modifier)]) if isinstance(shape, Text)]
        assert pills == [",".join(label for label in arrow.relation if label)]
        assert ArrowId(arrow.modifier) in drawing.grips


def test_an_arc_is_hit_within_six_pixels(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = arrows_picture(telescope, metrics)
    region = drawing.regions[ArrowId(0)]
    (x1, y1), (_, y2) = region.line[:2]
    middle = (y1 + y2) / 2
    assert drawing.at(x1 - 5, middle) == ArrowId(0)
    assert drawing.at(x1 - 9, middle) != ArrowId(0)


def test_the_tree_has_every_constituent_and_its_heads(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = tree_picture(telescope, metrics)
    nodes = [one for one in drawing.regions if isinstance(one, NodeId)]
    words = len(telescope.sentence.positions)
    proper = [(label, start, min(end, words)) for label, start, end in telescope.tree.constituents()]
    assert [(one.label, one.start, one.end) for one in nodes] == proper
    root = facts_of(telescope).tree_nodes()
    assert root.children[root.head_child].label == "VP"


def test_a_folded_constituent_keeps_its_words(telescope: Parse, metrics: QtMetrics) -> None:
    whole = tree_picture(telescope, metrics)
    [phrase] = [one for one in whole.regions if isinstance(one, NodeId) and one.label == "PP"]
    folded = tree_picture(telescope, metrics, TreeOptions(collapsed=frozenset({phrase})))
    assert phrase in folded.regions and len(folded.regions) < len(whole.regions)
    assert {text.text for text in texts(folded)} >= set(telescope.sentence.words)
    assert collisions(folded, metrics) == []


def test_the_triangle_counts_items_and_pruned_edges(telescope: Parse, metrics: QtMetrics) -> None:
    assert telescope.chart is not None
    drawing = triangle_picture(telescope, metrics)
    size = telescope.chart.size
    filled, pruned = 0, 0
    for start in range(size):
        for end in range(start + 1, size + 1):
            cell = telescope.chart.cell(start, end)
            label = drawing.regions[ChartCellId(start, end)].label
            if cell.items:
                assert f"{len(cell.items)} item" in label and f", best {cell.items[0].label}" in label
                filled += 1
            for reason, count in cell.reason_counts.items():
                if count and reason != "kept":
                    assert f"{count} pruned: " in label
                    pruned += 1
    assert filled > size and pruned > size


def test_a_replay_ends_with_the_whole_chart_and_changes_one_cell_at_a_time(
    telescope: Parse, metrics: QtMetrics
) -> None:
    assert telescope.chart is not None
    columns = columns_of(telescope, metrics)

    def at(step: int | None) -> Drawing:
        return triangle_picture(telescope, metrics, TriangleOptions(until=step), columns)

    assert at(len(telescope.chart)) is at(None)
    before = at(0)
    for step in range(1, len(telescope.chart)):
        after = at(step)
        changed = sum(one is not other for one, other in zip(before.groups, after.groups, strict=True))
        assert changed <= 2, step
        before = after
    # Backwards it is the same.
    middle = len(telescope.chart) // 2
    assert [g.shapes for g in at(middle).groups] == [g.shapes for g in at(middle).groups]


def test_a_dense_triangle_has_a_lens(telescope: Parse, metrics: QtMetrics) -> None:
    drawing = triangle_picture(telescope, metrics, TriangleOptions(density="colour"))
    assert drawing.lens is not None
    lens = drawing.lens(ChartCellId(0, 1))
    assert lens is not None and "Mary" in " ".join(text.text for text in texts(lens))
    assert drawing.lens(WordId(0)) is None


def test_without_a_chart_a_word_or_two(classroom: engine.Model, metrics: QtMetrics) -> None:
    parse = Parser.preset(classroom, 3).parse("Dogs/NNS sleep/VBP")
    drawing = triangle_picture(parse, metrics)
    assert "No chart" in drawing.text_twin


def test_only_punctuation_and_fragments_are_drawn_too(classroom: engine.Model, metrics: QtMetrics) -> None:
    nothing = Parser.preset(classroom, 3).parse("./. ,/,", trace=True)
    pieces = Parser.preset(classroom, 3).parse("of/IN of/IN of/IN the/DT the/DT", trace=True)
    assert pieces.fallback
    for parse in (nothing, pieces):
        for name, picture in PICTURES.items():
            assert picture(parse, metrics).width > 0, name


def test_the_taggers_alternatives_have_bars(classroom: engine.Model, metrics: QtMetrics) -> None:
    sentence = engine.TaggedSentence.parse("The/DT dog/NN slept/VBD ./.")
    choices = ((("DT", 1.0),), (("NN", 0.75), ("VB", 0.25)), (("VBD", 0.9), ("VBN", 0.1)), ((".", 1.0),))
    settings = Parser.preset(classroom, 4)
    parse = settings.parse(TagDistribution(sentence, choices), trace=True)
    assert parse.distribution is not None
    drawing = sentence_picture(parse, metrics)
    bars = {shape.id: shape.width for shape in drawing.shapes if isinstance(shape.id, TagId) and isinstance(shape, Box)}
    assert bars[TagId(1, "VB")] / bars[TagId(1, "NN")] == pytest.approx(1 / 3, rel=0.01)
    assert TagId(0, "DT") not in bars
    assert "0.250" in drawing.regions[TagId(1, "VB")].label


def test_the_taggers_alternatives_are_shown_where_the_parse_took_its_best_tags(
    classroom: engine.Model, metrics: QtMetrics
) -> None:
    sentence = engine.TaggedSentence.parse("The/DT dog/NN slept/VBD ./.")
    choices = ((("DT", 1.0),), (("NN", 0.75), ("VB", 0.25)), (("VBD", 0.9), ("VBN", 0.1)), ((".", 1.0),))
    given = Parser.preset(classroom, 3).parse(sentence)
    assert given.tagging is None and TagId(1, "VB") not in sentence_picture(given, metrics).regions
    parse = Parser.preset(classroom, 3).parse(TagDistribution(sentence, choices))
    assert parse.distribution is None
    drawing = sentence_picture(parse, metrics)
    assert "0.250" in drawing.regions[TagId(1, "VB")].label and "VBN 0.100" in drawing.text_twin
    assert collisions(drawing, metrics) == []


def test_long_names_of_rows_are_cut_and_the_root_stands_on_the_diagonal(
    classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = Parser.preset(classroom, 3).parse("Incomprehensibilities/NNS sleep/VBP ./.")
    columns = columns_of(parse, metrics)
    drawing = matrix_picture(parse, metrics, columns=columns)
    [name] = [text for text in texts(drawing) if text.id == WordId(0) and text.anchor == "end"]
    assert name.text.endswith("…") and "Incomprehensibilities".startswith(name.text[:-1])
    assert text_rect(name, metrics).x >= columns.frame[0] + 24
    [root] = [text for text in texts(drawing) if text.id == RootId()]
    assert root.x == columns.x(1) and drawing.regions[ArrowId(1)].bounds.contains(root.x, root.y)


def test_every_picture_has_a_title_a_twin_and_labels(telescope: Parse, metrics: QtMetrics) -> None:
    for picture in PICTURES.values():
        drawing = picture(telescope, metrics)
        assert drawing.title and drawing.text_twin and drawing.regions
        assert all(region.label for region in drawing.regions.values())
        assert "telescope" in drawing.text_twin


def test_numbers_of_a_column_of_the_matrix_are_written_alike(classroom: engine.Model, metrics: QtMetrics) -> None:
    words = "The/DT man/NN saw/VBD the/DT dog/NN with/IN the/DT telescope/NN in/IN the/DT park/NN on/IN Monday/NNP"
    parse = Parser.preset(classroom, 3).parse(words)
    mixed = 0
    for width in range(400, 1000, 40):
        drawing = matrix_picture(parse, metrics, room=Room(width, math.inf))
        columns: dict[float, set[bool]] = {}
        for text in texts(drawing):
            if text.style == "number" and text.text[0] in ".0123456789" and text.text not in ("0", "1"):
                columns.setdefault(round(text.x), set()).add(text.text.startswith("."))
        assert all(len(one) == 1 for one in columns.values()), (width, columns)
        mixed += len({frozenset(one) for one in columns.values()})
    assert mixed
