"""Two parses side by side: what matches, what is missing and what is extra can be told with and without colours."""

from __future__ import annotations

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import ArrowId, NodeId, Subject, WordId
from engine.structure.constraints import Attachment
from explorer.kit.fonts import QtMetrics
from explorer.pictures.arrows import arrows_picture, comparison_picture
from explorer.pictures.drawing import Box, Curve, Drawing, Stroke, Text
from explorer.pictures.marks import EXTRA, MATCH, MISSING, arrow_marks, marked, tree_marks
from explorer.pictures.options import ArrowsOptions, ParseOptions, TreeOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.theme import THEMES, contrast
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.pictures.vector import svg_text

DASHES = {MATCH: "solid", MISSING: "dash", EXTRA: "dot"}
WITH, MAN, SAW = 4, 3, 1


@pytest.fixture(scope="module")
def pair(classroom: engine.Model) -> tuple[Parse, Parse]:
    """One sentence, its PP attached to the verb and to the noun."""
    text = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
    parser = Parser.preset(classroom, 3)
    verb = parser.parse(text, constraints=[Attachment(WITH, SAW)])
    noun = parser.parse(text, constraints=[Attachment(WITH, MAN)])
    return verb, noun


def lines_of(drawing: Drawing, identity: Subject) -> list[Curve | Stroke]:
    """The lines that stand for something, without filled arrow heads."""
    return [
        shape
        for shape in drawing.of([identity])
        if isinstance(shape, Stroke) or (isinstance(shape, Curve) and not shape.fill)
    ]


def test_marks_are_what_a_comparison_by_hand_finds(pair: tuple[Parse, Parse]) -> None:
    verb, noun = pair
    assert dict(arrow_marks(noun, verb)) == {0: MATCH, SAW: MATCH, MAN: MATCH, WITH: EXTRA, 6: MATCH}
    assert dict(arrow_marks(verb, noun, MISSING))[WITH] == MISSING
    differing = [identity for identity, mark in tree_marks(noun, verb) if mark == EXTRA]
    # NP → NP PP is one constituent more: the man with the telescope.
    assert [(one.start, one.end, one.label) for one in differing if isinstance(one, NodeId)] == [(2, 7, "NP")]
    assert set(dict(tree_marks(verb, noun, MISSING)).values()) == {MATCH}


def test_a_parse_matches_itself(paper: Parse) -> None:
    assert {mark for _, mark in arrow_marks(paper, paper)} == {MATCH}
    assert {mark for _, mark in tree_marks(paper, paper)} == {MATCH}
    assert len(tree_marks(paper, paper)) == sum(1 for _ in paper.tree.constituents())


def test_of_equal_constituents_as_many_match_as_there_are(classroom: engine.Model) -> None:
    def scored(text: str) -> Parse:
        result = Parser.preset(classroom, 3).score(engine.read_tree(text))
        return Parse(classroom, Parser.preset(classroom, 3).settings, result.sentence, (result.root,), 0.0, 1, 1000.0)

    once = scored("(S (NP (NNS Dogs)) (VP (VBP sleep)))")
    twice = scored("(S (NP (NNS Dogs)) (VP (VBP sleep)) (. .))")
    # A full stop more changes nothing: punctuation is not compared.
    assert {mark for _, mark in tree_marks(twice, once)} == {MATCH}
    stacked = scored("(S (NP (NP (NNS Dogs)) (SBAR (S (VP (VBP sleep))))) (VP (VBP bark)))")
    other = scored("(S (NP (NNS Dogs)) (VP (VBP sleep) (S (VP (VBP bark)))))")
    labels = [(one.label, mark) for one, mark in tree_marks(stacked, other) if isinstance(one, NodeId)]
    assert labels.count(("NP", MATCH)) == 1 and labels.count(("NP", EXTRA)) == 1


def test_a_different_triple_is_a_difference_only_if_labels_count(pair: tuple[Parse, Parse]) -> None:
    verb, noun = pair
    assert dict(arrow_marks(noun, verb, labelled=False))[MAN] == MATCH
    assert dict(arrow_marks(noun, verb, labelled=False))[WITH] == EXTRA


@pytest.mark.parametrize("mark", DASHES)
def test_arrows_are_solid_dashed_and_dotted(mark: str, telescope: Parse, metrics: QtMetrics) -> None:
    [top] = [modifier for modifier, head in telescope.heads().items() if head < 0]
    for modifier in (0, top):
        drawing = arrows_picture(telescope, metrics, ArrowsOptions(marks=((modifier, mark),)))
        lines = lines_of(drawing, ArrowId(modifier))
        assert lines and {(line.role, line.dash) for line in lines} == {(mark, DASHES[mark])}
        [pill] = [shape for shape in drawing.of([ArrowId(modifier)]) if isinstance(shape, Box)]
        assert (pill.role, pill.dash) == (mark, DASHES[mark])
        assert all(line.weight >= 1.5 for line in lines)
        assert drawing.regions[ArrowId(modifier)].label.endswith(f"({mark})")
        assert [line.endswith(mark) for line in drawing.text_twin.splitlines()].count(True) == 1
        [other] = [one for one in telescope.heads() if one not in (0, top)][:1]
        assert {line.role for line in lines_of(drawing, ArrowId(other))} == {"line"}


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("mark", DASHES)
def test_constituents_are_solid_dashed_and_dotted(
    mark: str, compact: bool, telescope: Parse, metrics: QtMetrics
) -> None:
    plain = tree_picture(telescope, metrics, TreeOptions(compact=compact))
    nodes = [one for one in plain.regions if isinstance(one, NodeId)]
    assert len(nodes) == sum(1 for _ in telescope.tree.constituents()) > 4
    for node in nodes:
        drawing = tree_picture(telescope, metrics, TreeOptions(compact=compact, marks=((node, mark),)))
        [label] = [shape for shape in drawing.of([node]) if isinstance(shape, Text)]
        assert label.role == mark
        edges = [shape for shape in drawing.of([node]) if isinstance(shape, Box)]
        assert [(edge.role, edge.dash) for edge in edges] == ([] if mark == MATCH else [(mark, DASHES[mark])])
        own = [line for line in lines_of(drawing, node) if line.role == mark]
        # The root hangs on nothing; every other constituent has one line, from the shared bar down.
        assert len(own) == (0 if node.depth == 0 else 1)
        assert all(line.dash == DASHES[mark] for line in own)
        assert drawing.regions[node].label.endswith(f"({mark})")
        assert (f"{mark}: {node.label} over" in drawing.text_twin) == (mark != MATCH)
        # Marks change no place.
        assert list(drawing.regions) == list(plain.regions)
        assert drawing.regions[node].bounds == plain.regions[node].bounds


def test_one_legend_explains_the_marks_that_occur(pair: tuple[Parse, Parse], metrics: QtMetrics) -> None:
    verb, noun = pair

    def legend(drawing: Drawing) -> list[str]:
        assert drawing.legend is not None
        found = [shape.text for shape in drawing.legend.shapes if isinstance(shape, Text)]
        return [text for text in found if text in DASHES]

    both = marked(ParseOptions(), noun, verb)
    assert legend(parse_picture(noun, metrics, both)) == [MATCH, EXTRA]
    only_tree = ParseOptions(tree=both.tree)
    assert legend(parse_picture(noun, metrics, only_tree)) == [MATCH, EXTRA]
    assert legend(tree_picture(noun, metrics, both.tree)) == [MATCH, EXTRA]
    assert legend(comparison_picture(verb, noun, metrics)) == [MATCH, MISSING, EXTRA]
    assert legend(parse_picture(noun, metrics)) == []


def test_two_parses_around_one_row_of_words(pair: tuple[Parse, Parse], metrics: QtMetrics) -> None:
    verb, noun = pair
    drawing = comparison_picture(verb, noun, metrics)
    [extra] = lines_of(drawing, ArrowId(WITH))
    assert isinstance(extra, Curve) and extra.dash == "dot" and extra.start[1] < 0
    missing = [shape for shape in drawing.groups[0].shapes if isinstance(shape, Curve) and shape.role == MISSING]
    assert all(shape.start[1] > 0 and shape.id is None for shape in missing) and missing
    assert "This parse" in drawing.text_twin and "The other parse" in drawing.text_twin
    columns = columns_of(verb, metrics, noun)
    words = [shape for shape in drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word")]
    at = {shape.id: shape.x for shape in words if shape.id is not None}
    assert all(at[WordId(position)] == columns.x(position) for position in range(len(verb.sentence.positions)))
    assert 'stroke-dasharray="' in svg_text(drawing, THEMES["colourless"])


@pytest.mark.parametrize("mark", DASHES)
@pytest.mark.parametrize("name", THEMES)
def test_marks_can_be_read_on_every_ground(name: str, mark: str) -> None:
    theme = THEMES[name]
    assert contrast(theme.colour(mark), theme.colour("background")) >= 4.5
