"""Text can be read in every theme, and fonts are there where none is installed."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from PySide6.QtGui import QFontDatabase, QPalette
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QDoubleSpinBox, QSpinBox

from engine.chart.trace import PRUNING_REASONS
from engine.structure.dependencies import GAP_LETTERS
from explorer.kit import fonts
from explorer.kit.appearance import palette, stylesheet, theme_named
from explorer.kit.controls import padded
from explorer.pictures.theme import LIGHT, OKABE_ITO, THEMES, Theme, contrast, luminance

TEXT_ROLES = ("ink", "muted", "faint", "accent", "match", "missing", "extra", "found")


@pytest.fixture(params=THEMES.values(), ids=list(THEMES))
def theme(request: pytest.FixtureRequest) -> Theme:
    found = request.param
    assert isinstance(found, Theme)
    return found


def test_themes_reasons_and_letters_are_those_that_the_tests_go_through() -> None:
    assert set(THEMES) == {"light", "dark", "contrast", "contrast-dark", "colourless"}
    assert len(PRUNING_REASONS) > 3 and GAP_LETTERS == "SCEBN"


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_text_stands_out_from_every_ground(theme: Theme) -> None:
    for ground in ("background", "surface"):
        for role in TEXT_ROLES:
            assert contrast(theme.colour(role), theme.colour(ground)) >= 4.5, (theme.name, role, ground)
    assert contrast(theme.colour("faint"), theme.colour("tint:accent")) >= 4.0
    assert contrast(theme.colour("ink"), theme.colour("tint:accent")) >= 4.5


def test_text_on_colours_stands_out(theme: Theme) -> None:
    grounds = [f"gap.{letter}" for letter in GAP_LETTERS]
    grounds += [f"heat:{step / 50}" for step in range(51)] + [f"count:{step / 50}" for step in range(51)]
    for ground in grounds:
        assert contrast(theme.colour(f"on:{ground}"), theme.colour(ground)) >= 4.5, (theme.name, ground)


def test_lines_can_be_seen(theme: Theme) -> None:
    assert contrast(theme.colour("line"), theme.colour("background")) >= 3


def test_probability_is_lightness(theme: Theme) -> None:
    lights = [luminance(theme.colour(f"heat:{step / 20}")) for step in range(21)]
    if theme.name == "colourless":
        lights.reverse()
    assert lights == sorted(lights) and lights[-1] - lights[0] > 0.5
    # What is impossible has no colour: it must not look like either end.
    background = theme.colour("background")
    assert all(contrast(theme.colour(f"heat:{level}"), background) > 1.15 for level in (0.0, 1.0))


def test_gap_tags_have_five_hues_of_okabe_and_ito_and_greys_without_colour() -> None:
    for name, theme in THEMES.items():
        found = [theme.colour(f"gap.{letter}") for letter in GAP_LETTERS]
        assert len(set(found)) == 5
        if name == "colourless":
            assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in found)
        else:
            assert set(found) <= set(OKABE_ITO.values())


def test_the_colourless_theme_has_no_colour() -> None:
    theme = THEMES["colourless"]
    roles = [*theme.colours, "heat:0.3", "count:0.7", "tint:accent", "on:gap.E"]
    assert all(len({theme.colour(role)[at : at + 2] for at in (1, 3, 5)}) == 1 for role in roles)


def test_every_pruning_reason_has_a_colour(theme: Theme) -> None:
    colours = [theme.colour(f"pruned.{reason}") for reason in PRUNING_REASONS[1:]]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    assert theme.colour("background") not in colours


def test_an_unknown_role_is_an_error() -> None:
    with pytest.raises(KeyError):
        LIGHT.colour("turquoise")
    with pytest.raises(KeyError):
        LIGHT.colour("shade:ink")


def test_widgets_get_the_same_colours(qapp: QApplication, theme: Theme) -> None:
    made = palette(theme)
    assert made.color(QPalette.ColorRole.Base).name() == theme.colour("background")
    text, ground = made.color(QPalette.ColorRole.HighlightedText), made.color(QPalette.ColorRole.Highlight)
    assert contrast(text.name(), ground.name()) >= 4.5


def test_system_is_light_or_dark(qapp: QApplication) -> None:
    assert theme_named("system").name in ("light", "dark")
    assert theme_named("contrast") is THEMES["contrast"]


def test_fonts_are_found_without_importing_matplotlib() -> None:
    code = (
        "import sys; from explorer.kit.fonts import font_files; files = font_files();"
        "print(len(files), 'matplotlib' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["4", "False"]


def test_without_any_font_of_the_system_dejavu_is_used(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFontDatabase, "families", lambda *arguments: [])
    fonts.register_fonts.cache_clear()
    assert fonts.register_fonts() == fonts.FALLBACK
    monkeypatch.undo()
    fonts.register_fonts.cache_clear()
    assert fonts.register_fonts() in QFontDatabase.families()


def test_measures_are_those_of_the_typeface(metrics: fonts.QtMetrics) -> None:
    from tests.explorer.table_metrics import TableMetrics

    table = TableMetrics()
    for style in ("word", "word-bold", "small"):
        for text in ("resignation", "NP,VP,VBD", "0.982"):
            # Qt draws letters together that go under one another (P,): the table does not.
            assert table.width(text, style) == pytest.approx(metrics.width(text, style), rel=0.08)


@pytest.mark.parametrize("kind", (QSpinBox, QDoubleSpinBox))
def test_the_number_of_a_spin_box_keeps_clear_of_its_frame(kind: type[QAbstractSpinBox]) -> None:
    box = padded(kind())
    box.setStyleSheet(stylesheet(LIGHT, 1.0))
    box.resize(120, 28)
    box.grab()  # which lays it out
    edit = box.lineEdit()
    edit.home(False)
    assert edit.mapTo(box, edit.cursorRect().center()).x() >= 6
