"""What a person does to compare a parse with its gold tree, and trees to do it with."""

from __future__ import annotations

from pathlib import Path

from explorer.compare.sides import Comparison
from explorer.session.document import TextLine
from tests.explorer.window_driver import Driver

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
EVERYDAY = EXAMPLES / "everyday.ptb"
LOW = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
HIGH = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
LOST = (
    "(S (NP (PRP We)) (VP (VBD ate) (NP (NN dinner)) "
    "(SBAR (IN before) (S (NP (DT the) (NN movie)) (VP (VBD started))))) (. .))"
)
ODD = (
    "(S (NP (NNP [a_b]) (NN 50%)) (VP (VBD saw) (NP (NP (DT the) (NN $x^2$)) (PP (IN with) (NP (DT a) (NN #{~})))))"
    " (. .))"
)
IMPOSSIBLE = "(S (NP (NNP Mary)) (VP (VBD saw) (ADVP (DT the) (NN man))) (. .))"


def compared(driver: Driver) -> Comparison:
    """Wait for the comparison of what is in the document now."""
    tools = driver.window.features.comparison
    driver.settle()
    driver.until(
        lambda: tools.panel.settled and tools.comparisons.comparison is not None and tools.comparisons.comparison.full
    )
    driver.settle()
    driver.until(lambda: tools.panel.settled)
    assert tools.comparisons.comparison is not None
    return tools.comparisons.comparison


def show(driver: Driver, tree: str) -> Comparison:
    """Show a gold tree, and compare the parse with it."""
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(tree)))
    driver.window.features.comparison.show()
    return compared(driver)


def open_bank(driver: Driver, path: Path) -> None:
    before = len(driver.session.editor.document.lines)
    driver.window.files.open_path(path)
    driver.until(lambda: len(driver.session.editor.document.lines) > before and not driver.session.tasks.busy)
    driver.settle()
