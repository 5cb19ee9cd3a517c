"""A cache that cannot be used: the window says so once, and goes on without it."""

from __future__ import annotations

from pathlib import Path

from engine.gate.private_files import take_cache_problem, usable_folder
from tests.explorer.window_driver import SAW, Driver


def test_a_cache_that_cannot_be_made_is_said_once(driver: Driver, tmp_path: Path) -> None:
    take_cache_problem()
    banner = driver.window.stages.banner
    assert not banner.isVisible()
    # A file in the folder's place cannot be written into, not even by an administrator.
    (tmp_path / "file").write_text("")
    assert usable_folder(tmp_path / "file" / "cache") is None
    driver.session.editor.set_settings(beam=77.0)
    driver.settle()
    driver.until(banner.isVisible)
    said = banner.text.text()
    assert str(tmp_path / "file" / "cache") in said and "works without its cache" in said
    assert driver.session.parses.shown is not None and driver.session.editor.line.text == SAW
    banner.hide()
    driver.session.editor.set_settings(beam=78.0)
    driver.settle()
    assert not banner.isVisible()
