"""What a person takes along: pictures and text from the export dialog, and what is copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage

from explorer.output.export import ExportDialog
from explorer.stages.stages import pictures
from tests.explorer.window_driver import Driver


def export_dialog(driver: Driver) -> ExportDialog:
    session = driver.session
    return ExportDialog(session.parses, session.view, driver.preferences, session.messages, driver.window)


def test_the_dialog_exports_every_picture(driver: Driver, tmp_path: Path) -> None:
    for what, form, start in [
        ("parse", 0, b"<"),
        ("tree", 1, b"%PDF"),
        ("arrows", 2, b"\x89PNG"),
        ("gaps", 0, b"<"),
        ("matrix", 0, b"<"),
        ("chart", 3, b""),
    ]:
        dialog = export_dialog(driver)
        dialog.fields["what"].setCurrentIndex(list(pictures()).index(what))
        dialog.fields["form"].setCurrentIndex(form)
        dialog.fields["theme"].setCurrentIndex(2)
        dialog.fields["scale"].setValue(2.0)
        path = tmp_path / f"{what}{dialog.kind.new_suffix}"
        dialog.write(path)
        assert path.read_bytes().startswith(start) and path.stat().st_size > 500
        dialog.deleteLater()


def test_the_dialog_comes_back_as_it_was_left(driver: Driver, tmp_path: Path) -> None:
    first = export_dialog(driver)
    assert (first.fields["form"].currentData(), first.fields["theme"].currentData(), first.fields["scale"].value()) == (
        ".svg",
        "light",
        1.0,
    )
    # An image has more pixels than the picture on the screen, unless one says otherwise.
    first.fields["form"].setCurrentIndex(first.fields["form"].findData(".png"))
    assert first.fields["scale"].value() == 2.0 and first.size_note.text().endswith("pixels")
    first.fields["theme"].setCurrentIndex(first.fields["theme"].findData("dark"))
    first.fields["scale"].setValue(3.0)
    width, height = (int(one.replace(",", "")) for one in first.size_note.text().removesuffix(" pixels").split(" × "))
    first.write(tmp_path / "tree.png")
    image = QImage(str(tmp_path / "tree.png"))
    assert (image.width(), image.height()) == pytest.approx((width, height), abs=1)
    driver.go("gaps")
    driver.settle()
    second = export_dialog(driver)
    assert (
        second.fields["form"].currentData(),
        second.fields["theme"].currentData(),
        second.fields["scale"].value(),
    ) == (".png", "dark", 3.0)
    # What is exported is the picture that one looks at.
    assert second.fields["what"].currentData() == ("picture", "gaps")
    for dialog in (first, second):
        dialog.deleteLater()


def test_what_was_exported_last_comes_back_unless_it_was_the_picture_of_the_stage(
    driver: Driver, tmp_path: Path
) -> None:
    asked = (("text", "conllu"), ("picture", "arrows"))
    for what in asked:
        dialog = export_dialog(driver)
        dialog.fields["what"].setCurrentIndex(
            next(at for at in range(dialog.fields["what"].count()) if dialog.fields["what"].itemData(at) == what)
        )
        dialog.write(tmp_path / f"out{dialog.kind.new_suffix}")
        driver.go("gaps")
        driver.settle()
        again = export_dialog(driver)
        assert again.fields["what"].currentData() == what
        again.fields["what"].setCurrentIndex(again.fields["what"].findText(pictures()["gaps"].title))
        again.write(tmp_path / f"out{again.kind.new_suffix}")
        driver.go("parse")
        driver.settle()
        last = export_dialog(driver)
        assert last.fields["what"].currentData() == ("picture", "parse")
        for one in (dialog, again, last):
            one.deleteLater()


def test_the_dialog_writes_text_and_says_what_fails(driver: Driver, tmp_path: Path) -> None:
    dialog = export_dialog(driver)
    place = next(
        at for at in range(dialog.fields["what"].count()) if dialog.fields["what"].itemData(at) == ("text", "json")
    )
    dialog.fields["what"].setCurrentIndex(place)
    assert not dialog.fields["form"].isEnabled() and dialog.kind.new_suffix == ".json"
    dialog.write(tmp_path / "out.json")
    assert "telescope" in (tmp_path / "out.json").read_text(encoding="utf-8")
    dialog.write(tmp_path / "out.json" / "nowhere.json")
    assert driver.window.stages.banner.isVisible() and "nowhere.json" in driver.window.stages.banner.text.text()
    dialog.deleteLater()


def test_pictures_and_trees_on_the_clipboard(driver: Driver) -> None:
    driver.do("copy-picture")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage() and data.hasFormat("image/svg+xml")
    driver.do("copy-tree")
    assert QGuiApplication.clipboard().text().startswith("(S")
    driver.do("copy-twin")
    assert QGuiApplication.clipboard().text() == driver.canvas.text_twin
