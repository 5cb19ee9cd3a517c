"""Long sentences: wrapped into lines or folded so that they fit, open around what is looked at."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.registry import words_of
from engine.explain.subjects import ArrowId, ChartCellId, NodeId, WordId
from engine.trees.reading import read_tree
from explorer.canvas.painting import qt_rect
from explorer.canvas.zoom import LegendStrip
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing, Text
from explorer.pictures.facts import facts_of
from explorer.pictures.folding import choose_folded, fold_tree, folded_words, hides
from explorer.pictures.layout import PlacedNode, Room, break_lines, lay_close_columns
from explorer.pictures.options import ParseOptions, TreeOptions, TriangleOptions
from explorer.pictures.sentence import gaps_picture
from explorer.pictures.sheet import text_rect
from explorer.pictures.theme import STYLES
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.pictures.triangle import triangle_picture
from tests.explorer.picture_functions import PICTURES
from tests.explorer.table_metrics import TableMetrics
from tests.explorer.window_driver import Driver
from tests.stage_names import CHART, GAPS, NAMES, PARSE, SENTENCE

METRICS = TableMetrics()
LONG = (
    "The/DT old/JJ teacher/NN who/WP lived/VBD near/IN the/DT river/NN told/VBD the/DT students/NNS that/IN "
    "he/PRP had/VBD seen/VBN a/DT small/JJ boat/NN with/IN a/DT red/JJ sail/NN on/IN the/DT lake/NN behind/IN "
    "the/DT house/NN ,/, and/CC they/PRP asked/VBD him/PRP whether/IN the/DT man/NN in/IN it/PRP had/VBD "
    "waved/VBN at/IN him/PRP ./."
)
EVERYDAY = (
    "The/DT company/NN announced/VBD that/IN it/PRP would/MD close/VB two/CD of/IN its/PRP$ factories/NNS ./.",
    "The/DT children/NNS played/VBD in/IN the/DT garden/NN after/IN they/PRP had/VBD finished/VBN lunch/NN ./.",
    "He/PRP told/VBD me/PRP that/IN the/DT train/NN was/VBD late/JJ because/IN of/IN the/DT snow/NN ./.",
    "John/NNP believes/VBZ that/IN Mary/NNP bought/VBD the/DT house/NN near/IN the/DT river/NN last/JJ year/NN ./.",
)
"""Eleven and twelve words."""


@pytest.fixture(scope="module")
def long_parse(classroom: engine.Model) -> Parse:
    return Parser.preset(classroom, 3).parse(LONG, trace=True)


# Lines


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=40),
    st.integers(20, 200),
    st.data(),
)
def test_lines_hold_every_column_and_none_is_too_wide(widths: list[int], limit: int, data: st.DataObject) -> None:
    edges = [0.0, *itertools.accumulate(map(float, widths))]
    costs = data.draw(st.lists(st.floats(0, 5), min_size=len(widths), max_size=len(widths)))
    lines = break_lines(edges, limit, costs)
    assert [token for start, end in lines for token in range(start, end)] == list(range(len(widths)))
    assert all(edges[end] - edges[start] <= limit or end == start + 1 for start, end in lines)


def test_a_line_breaks_where_it_costs_least() -> None:
    edges = [10.0 * number for number in range(11)]
    assert break_lines(edges, 60, [0.0] * 10) == [(0, 6), (6, 10)]
    dear = [9.0] * 10
    dear[4] = 0.0
    assert break_lines(edges, 60, dear) == [(0, 4), (4, 10)]


# Folding


def binary(start: int, end: int, depth: int = 0) -> PlacedNode:
    """A balanced tree over tokens."""
    node = PlacedNode("X", start, end, NodeId(start, end, "X", depth))
    if end - start > 1:
        middle = (start + end) // 2
        node.children = [binary(start, middle, depth + 1), binary(middle, end, depth + 1)]
    return node


@given(st.integers(2, 80), st.integers(60, 600), st.data())
def test_folded_trees_fit_and_what_is_looked_at_is_open(size: int, limit: int, data: st.DataObject) -> None:
    def width(node: PlacedNode) -> float:
        return 20.0 * min(node.end - node.start, 3)

    root = binary(0, size)
    folded = choose_folded(root, limit, width)

    def leaves(node: PlacedNode) -> list[PlacedNode]:
        if node.id in folded or not node.children:
            return [node]
        return [leaf for child in node.children for leaf in leaves(child)]

    shown = leaves(root)
    assert [token for leaf in shown for token in range(leaf.start, leaf.end)] == list(range(size))
    assert sum(map(width, shown)) <= limit
    start = data.draw(st.integers(0, size - 1))
    span = (start, data.draw(st.integers(start + 1, size)))
    folded = choose_folded(root, limit, width, [span])
    assert not any(hides((leaf.start, leaf.end), [span]) and leaf.children for leaf in leaves(root))


def test_words_of_a_folded_constituent_are_cut_to_the_room() -> None:
    words = ["the", "old", "man", "of", "the", "sea"]
    assert folded_words(words, METRICS, 1000) == "the old man of the sea"
    assert folded_words(words, METRICS, 90) == "the … sea"
    assert METRICS.width(folded_words(words, METRICS, 30), "word") <= 30


def test_a_tree_of_many_clauses_is_not_one_triangle(classroom: engine.Model) -> None:
    clause = (
        "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))))"
    )
    tree = read_tree(f"(S {' (CC and) '.join([clause] * 7)} (. .))")
    parse = gold_parse(Parser.preset(classroom, 3), tree)
    for width in (900, 1000, 1100, 1200):
        folded = fold_tree(parse, METRICS, width)
        assert folded.columns.width <= width and len(folded.units()) >= 13, width


@pytest.mark.parametrize("width", [420, 640, 900])
def test_a_word_that_is_looked_at_is_not_folded(width: int, long_parse: Parse) -> None:
    for position in range(0, len(long_parse.sentence.positions), 5):
        folded = fold_tree(long_parse, METRICS, width, [(position, position + 1)])
        assert (position, position + 1) in folded.units()


# Pictures


def words_of_arrow(driver: Driver, id: ArrowId) -> tuple[tuple[int, int], ...]:
    parse = driver.session.parses.shown
    assert parse is not None
    return words_of(parse, id)


def overlaps(drawing: Drawing) -> list[tuple[str, str]]:
    """Texts of a picture that touch each other."""
    found = [shape for group in drawing.view_groups for shape in group.shapes if isinstance(shape, Text)]
    rects = []
    for text in found:
        rect = text_rect(text, METRICS)
        inset = 0.25 * METRICS.ascent(text.style)
        rects.append((rect if text.turned else rect._replace(y=rect.y + inset, height=rect.height - 2 * inset), text))
    return [
        (one.text, other.text)
        for (first, one), (second, other) in itertools.combinations(rects, 2)
        if first.overlaps(second, -0.5)
    ]


@pytest.mark.parametrize("width", [700, 848, 1490])
@pytest.mark.parametrize("name", PICTURES)
def test_a_long_sentence_fits_into_the_width_and_nothing_collides(name: str, width: int, long_parse: Parse) -> None:
    drawing = PICTURES[name](long_parse, METRICS, room=Room(width, 400))
    assert drawing.view_bounds.width <= width
    assert overlaps(drawing) == []
    if name not in ("matrix", "tree", "triangle"):
        ids = {shape.id for shape in drawing.shapes if isinstance(shape, Text)}
        assert {WordId(position) for position in range(len(long_parse.sentence.positions))} <= ids
    assert drawing.text_twin == PICTURES[name](long_parse, METRICS).text_twin


def test_a_sentence_that_fits_is_drawn_as_ever(telescope: Parse) -> None:
    for picture in PICTURES.values():
        usual, fitting = picture(telescope, METRICS), picture(telescope, METRICS, room=Room(2000, 900))
        assert usual.shapes == fitting.shapes and not fitting.folded and fitting.overview is None


def test_no_basenp_is_torn_and_no_line_begins_with_a_mark(long_parse: Parse) -> None:
    drawing = gaps_picture(long_parse, METRICS, room=Room(600, 400))
    places = {shape.id: shape for shape in drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word")}
    for base in long_parse.basenps:
        assert len({places[WordId(position)].y for position in range(base.start, base.end)}) == 1
    rows: dict[float, list[Text]] = {}
    for text in places.values():
        if text.id is not None:
            rows.setdefault(text.y, []).append(text)
    assert len(rows) > 2
    assert all(min(row, key=lambda text: text.x).text not in ",." for row in rows.values())


def test_an_arrow_that_goes_on_names_the_word_at_its_other_end(long_parse: Parse) -> None:
    drawing = arrows_picture(long_parse, METRICS, room=Room(700, 400))
    words = long_parse.sentence.proper_words
    rows = {
        shape.id.position: shape.y
        for shape in drawing.shapes
        if isinstance(shape, Text) and isinstance(shape.id, WordId) and shape.style.startswith("word")
    }
    cut = 0
    for modifier, head in long_parse.heads().items():
        names = {shape.text for shape in drawing.of([ArrowId(modifier)]) if isinstance(shape, Text)}
        if head >= 0 and rows[modifier] != rows[head]:
            cut += 1
            named = {name.strip("→← …") for name in names if "→" in name or "←" in name}
            # Where there is little room for it, a name is cut off.
            assert any(name and words[head].startswith(name) for name in named), words[modifier]
            assert any(name and words[modifier].startswith(name) for name in named), words[modifier]
        else:
            assert not any("→" in name or "←" in name for name in names)
    assert cut > 1


def test_the_chart_keeps_the_cells_over_whole_columns(long_parse: Parse) -> None:
    drawing = triangle_picture(long_parse, METRICS, room=Room(848, 400))
    cells = [id for id in drawing.regions if isinstance(id, ChartCellId)]
    inside = [span for span in drawing.folded if span[1] - span[0] > 1]
    assert inside and ChartCellId(0, len(long_parse.sentence.positions)) in cells
    for start, end in inside:
        assert ChartCellId(start, end) in cells
        assert not any(start < cell.start < end or start < cell.end < end for cell in cells)
    # Around a cell that is looked at, the chart is open.
    wanted = inside[-1]
    looked = TriangleOptions(focus=((wanted[0] + 1, wanted[1]),))
    opened = triangle_picture(long_parse, METRICS, looked, room=Room(848, 400))
    assert ChartCellId(wanted[0] + 1, wanted[1]) in opened.regions


def test_what_a_person_folds_stays_folded(long_parse: Parse) -> None:
    nodes = [node for node in facts_of(long_parse).tree_nodes().walk() if node.children]
    small = next(node for node in nodes if node.end - node.start == 2)
    drawing = tree_picture(
        long_parse, METRICS, TreeOptions(collapsed=frozenset({small.id}), focus=((0, 1),)), room=Room(848, 400)
    )
    assert small.id not in drawing.regions or WordId(facts_of(long_parse).words_in(small.start, small.end)[0]) not in {
        shape.id for shape in drawing.shapes if isinstance(shape, Text)
    }


# One line


@given(st.lists(st.tuples(st.floats(0, 60), st.floats(0, 60)), min_size=1, max_size=30), st.data())
def test_close_columns_keep_all_distances_and_are_as_narrow_as_can_be(
    sides: list[tuple[float, float]], data: st.DataObject
) -> None:
    size = len(sides)
    pairs = st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=6)
    spans = [(min(pair), max(pair) + 1, data.draw(st.floats(0, 400))) for pair in data.draw(pairs)]
    links = [(*pair, data.draw(st.floats(0, 400))) for pair in data.draw(pairs) if pair[0] != pair[1]]
    columns = lay_close_columns(sides, range(size), spans, links)
    tight: dict[int, set[int]] = {}

    def holds(first: int, second: int, wanted: float) -> None:
        places = [*itertools.chain(*zip(columns.edges, columns.middles, strict=False)), columns.edges[-1]]
        found = places[second] - places[first]
        assert found >= wanted - 1e-6
        if found < wanted + 2:
            tight.setdefault(first, set()).add(second)

    for token, (left, right) in enumerate(sides):
        holds(2 * token, 2 * token + 1, left)
        holds(2 * token + 1, 2 * token + 2, right)
    for start, end, width in spans:
        holds(2 * start, 2 * end, width)
    for one, other, distance in links:
        holds(2 * min(one, other) + 1, 2 * max(one, other) + 1, distance)
    # From the first edge to the last there is a way that nothing could make shorter.
    reached, waiting = {0}, [0]
    while waiting:
        for place in tight.get(waiting.pop(), set()) - reached:
            reached.add(place)
            waiting.append(place)
    assert 2 * size in reached


@pytest.mark.parametrize("name", ["tree", "arrows", "parse"])
def test_what_just_fits_stands_in_one_line_and_nothing_collides(name: str, classroom: engine.Model) -> None:
    compared = 0
    for text in EVERYDAY:
        parse = Parser.preset(classroom, 3).parse(text)
        usual = PICTURES[name](parse, METRICS)
        narrowest = 0.8 * usual.view_bounds.width
        for width in (narrowest, 0.86 * usual.view_bounds.width, 0.95 * usual.view_bounds.width):
            drawing = PICTURES[name](parse, METRICS, room=Room(width, 400))
            rows = {
                shape.y
                for shape in drawing.shapes
                if isinstance(shape, Text) and isinstance(shape.id, WordId) and shape.style.startswith("word")
            }
            if len(rows) == 1 and not drawing.folded:
                compared += 1
                assert drawing.view_bounds.width <= width
                assert overlaps(drawing) == []
    assert compared >= 6


# The window


def test_everyday_sentences_have_tree_and_arrows_over_one_row_of_words(driver: Driver) -> None:
    smallest = min(style.size for style in STYLES.values())
    for text in EVERYDAY:
        driver.session.editor.edit_text(text)
        driver.session.view.set_stage(PARSE)
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None and not drawing.folded, text
        rows = {
            shape.y
            for shape in drawing.shapes
            if isinstance(shape, Text) and isinstance(shape.id, WordId) and shape.style.startswith("word")
        }
        assert len(rows) == 1, text
        assert driver.canvas.transform().m11() * smallest * 72 / 96 >= 9
        assert driver.canvas.horizontalScrollBar().maximum() == driver.canvas.horizontalScrollBar().minimum()


def test_a_tree_that_is_a_little_too_high_is_made_lower(driver: Driver) -> None:
    driver.session.editor.edit_text(EVERYDAY[0])
    driver.session.view.set_stage(PARSE)
    driver.settle()
    whole = driver.canvas.drawing
    assert whole is not None
    # The tables are made higher, and leave a little less height than the picture has.
    stages = driver.window.stages
    height = whole.view_bounds.height + 56 - 20
    stages.splitter.setSizes([round(height), round(sum(stages.splitter.sizes()) - height)])
    driver.settle()
    lower = driver.canvas.drawing
    assert lower is not None and lower.view_bounds.height < whole.view_bounds.height
    bar = driver.canvas.verticalScrollBar()
    assert bar.maximum() == bar.minimum()


def test_selecting_what_is_in_sight_scrolls_nothing(driver: Driver) -> None:
    driver.session.editor.edit_text(LONG)
    driver.session.view.set_stage(PARSE)
    driver.settle()
    bar = driver.canvas.verticalScrollBar()
    assert bar.maximum() > bar.minimum()
    drawing = driver.canvas.drawing
    assert drawing is not None
    # Reading begins at the top of the tree: its words can be seen from there.
    assert bar.value() == bar.minimum()
    seen = driver.canvas.mapToScene(driver.canvas.viewport().rect()).boundingRect()
    inside = [
        region.id
        for region in drawing.regions.values()
        if isinstance(region.id, NodeId)
        and seen.contains(qt_rect(region.bounds))
        and not any(hides(span, [(region.id.start, region.id.end)]) for span in drawing.folded)
    ]
    below = [
        region.id
        for region in drawing.regions.values()
        if isinstance(region.id, ArrowId)
        and region.bounds.y > seen.bottom()
        and not any(hides(span, words_of_arrow(driver, region.id)) for span in drawing.folded)
    ]
    assert inside and below
    for id in (inside[0], inside[-1], inside[len(inside) // 2]):
        driver.session.view.select(id)
        driver.settle()
        assert bar.value() == bar.minimum(), id
    # What is not in sight is brought there, and no further than that takes.
    driver.session.view.select(below[0])
    driver.settle()
    region = drawing.regions[below[0]]
    seen = driver.canvas.mapToScene(driver.canvas.viewport().rect()).boundingRect()
    assert seen.contains(qt_rect(region.bounds)) and seen.bottom() - region.bounds.bottom <= 26


def test_selecting_what_is_near_the_edge_of_the_view_scrolls_nothing(driver: Driver) -> None:
    driver.session.editor.edit_text(LONG)
    driver.session.view.set_stage(PARSE)
    driver.settle()
    drawing, bar = driver.canvas.drawing, driver.canvas.verticalScrollBar()
    assert drawing is not None
    seen = driver.canvas.mapToScene(driver.canvas.viewport().rect()).boundingRect()
    below = next(
        region
        for region in drawing.regions.values()
        if isinstance(region.id, ArrowId)
        and region.bounds.y > seen.bottom()
        and not any(hides(span, words_of_arrow(driver, region.id)) for span in drawing.folded)
    )
    bar.setValue(bar.value() + round((below.bounds.bottom + 8 - seen.bottom()) * driver.canvas.transform().m11()))
    before = bar.value()
    driver.session.view.select(below.id)
    driver.settle()
    assert bar.value() == before


def test_a_fit_made_in_the_chart_clips_nothing_of_the_parse(driver: Driver) -> None:
    for text in (EVERYDAY[0], LONG):
        driver.session.editor.edit_text(text)
        driver.session.view.set_stage(CHART)
        driver.settle()
        driver.canvas.zoom(2.0)
        driver.do("fit")
        driver.settle()
        for stage in (PARSE, CHART, GAPS, PARSE):
            driver.session.view.set_stage(stage)
            driver.settle()
            drawing = driver.canvas.drawing
            assert drawing is not None
            seen = driver.canvas.mapToScene(driver.canvas.viewport().rect()).boundingRect()
            bounds = drawing.view_bounds
            assert seen.left() <= bounds.x and bounds.right <= seen.right(), (text, stage)


def test_a_replay_opens_what_is_folded_around_its_step(driver: Driver) -> None:
    driver.session.editor.edit_text(LONG)
    driver.session.view.set_stage(CHART)
    driver.settle()
    drawing, parse = driver.canvas.drawing, driver.session.parses.shown
    assert drawing is not None and drawing.folded and parse is not None and parse.chart is not None
    trace = parse.chart
    hidden = [
        number
        for number, edge in enumerate(map(trace.edge, range(len(trace))))
        if any(hides(span, [(edge.start, edge.end)]) for span in drawing.folded)
    ]
    assert len(hidden) > 2
    for number in (hidden[0], hidden[len(hidden) // 2], hidden[-1]):
        driver.session.view.set_chart_step(number + 1)
        driver.settle()
        edge = trace.edge(number)
        drawing = driver.canvas.drawing
        assert drawing is not None and ChartCellId(edge.start, edge.end) in drawing.regions
        assert not any(hides(span, [(edge.start, edge.end)]) for span in drawing.folded)


def test_selecting_and_clicking_open_what_is_folded(driver: Driver) -> None:
    driver.session.editor.edit_text(LONG)
    for stage in (PARSE, CHART):
        driver.session.view.select(None)
        driver.session.view.set_stage(stage)
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None and drawing.folded and drawing.overview is not None
        assert driver.canvas.horizontalScrollBar().maximum() == driver.canvas.horizontalScrollBar().minimum()
        # A word that is folded is selected, in a table or anywhere.
        first = drawing.folded[-1]
        driver.session.view.select(WordId(first[0] + 1))
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None and not any(hides(span, [(first[0] + 1, first[0] + 2)]) for span in drawing.folded)
        # A triangle is clicked.
        span = drawing.folded[0]
        node = next(
            id
            for id in drawing.regions
            if isinstance(id, NodeId if stage == PARSE else ChartCellId) and (id.start, id.end) == span
        )
        place = driver.place(node)
        QTest.mouseClick(driver.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
        if stage == PARSE:
            # The second click of a double click does not fold it again.
            QTest.mouseDClick(driver.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None and span not in drawing.folded
        # A tick of the map is clicked.
        hidden = drawing.folded[0][0] + 1
        driver.canvas.overview_clicked.emit(WordId(hidden))
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None and not any(hides(span, [(hidden, hidden + 1)]) for span in drawing.folded)
        assert driver.session.view.selection == WordId(hidden)


def test_all_stages_can_be_read_in_a_small_window(driver: Driver) -> None:
    driver.session.editor.edit_text(LONG)
    smallest = min(style.size for style in STYLES.values())
    for stage in NAMES:
        driver.session.view.set_stage(stage)
        driver.settle()
        assert driver.canvas.transform().m11() * smallest * 72 / 96 >= 9
        assert driver.canvas.horizontalScrollBar().maximum() == driver.canvas.horizontalScrollBar().minimum()


def test_larger_text_enlarges_the_picture_and_not_the_window(driver: Driver) -> None:
    before = driver.window.size()
    driver.session.view.set_stage(PARSE)
    driver.settle()
    for scale in (1.5, 2.5):
        driver.window.appearance.scale_text(scale)
        driver.settle()
        assert driver.canvas.transform().m11() >= scale
        assert driver.window.size() == before
        strip = driver.canvas.findChild(LegendStrip)
        assert strip is not None and strip.height() > 20 * scale
    driver.window.appearance.scale_text(1.0)
    driver.settle()


def test_the_layout_can_be_reset(driver: Driver) -> None:
    window = driver.window
    driver.process_events()
    sizes, width = window.stages.splitter.sizes(), window.docks.inspector.width()
    window.docks.inspector.hide()
    window.features.knowledge.evidence_dock.show()
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.docks.model)
    driver.do("word-tags")
    driver.do("compare")
    window.stages.tabs.set_folded(True)
    driver.process_events()
    assert window.sentence_bar.row.isVisible()
    driver.do("reset-layout")
    driver.process_events()
    assert window.stages.isVisible() and not window.stages.tabs.folded and not window.sentence_bar.row.isVisible()
    assert window.docks.inspector.isVisible() and not window.features.knowledge.evidence_dock.isVisible()
    assert window.dockWidgetArea(window.docks.model) == Qt.DockWidgetArea.RightDockWidgetArea
    assert abs(window.docks.inspector.width() - width) <= 8
    assert abs(window.stages.splitter.sizes()[1] - sizes[1]) <= 8


def test_the_sentence_is_on_the_screen_at_most_twice(driver: Driver) -> None:
    assert not driver.window.sentence_bar.row.isVisible()
    # Its tags are chosen from the picture.
    driver.session.view.set_stage(SENTENCE)
    driver.settle()
    QTest.mouseDClick(driver.canvas.viewport(), Qt.MouseButton.LeftButton, pos=driver.place(WordId(1)))
    menus = [one for one in driver.window.sentence_bar.children() if one.inherits("QMenu")]
    assert len(menus) == 1
    menus[0].close()  # type: ignore[attr-defined]
    titles = [action.text() for action in driver.window.stages.menu_of(WordId(1)).actions()]
    assert "Another tag …" in titles


def test_tree_and_arrows_of_a_long_sentence_stand_beside_each_other_where_there_is_room(
    classroom: engine.Model,
) -> None:
    words = LONG.removesuffix(" ./.") + " ,/, and/CC " + LONG[0].lower() + LONG[1:]
    parse, beside = Parser.preset(classroom, 3).parse(words), ParseOptions(arrangement="beside")

    def tops(room: Room) -> tuple[float, float, Drawing]:
        drawing = parse_picture(parse, METRICS, beside, room=room)
        heights: dict[bool, float] = {False: math.inf, True: math.inf}
        for area in drawing.areas:
            if isinstance(area.id, NodeId | ArrowId):
                is_arrow = isinstance(area.id, ArrowId)
                heights[is_arrow] = min(heights[is_arrow], area.bounds.y)
        return heights[False], heights[True], drawing

    tree, arrows, _ = tops(Room(1600, 700))
    assert abs(tree - arrows) < 60
    tree, arrows, narrow = tops(Room(572, 400))
    stacked = parse_picture(parse, METRICS, ParseOptions(), room=Room(572, 400))
    assert arrows > tree and narrow.bounds == stacked.bounds
