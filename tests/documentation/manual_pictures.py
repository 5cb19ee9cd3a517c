"""Makes the pictures of the manual without a screen.

``python tests/documentation/manual_pictures.py`` writes them to their place, or into another folder if one is named.
Look at every picture before it is committed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.explain.subjects import ArrowId, ChartCellId, GapId, MatrixCellId, Subject, WordId

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.window.snapshots import Photographer

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))


PICTURES = ROOT / "resources" / "manual" / "pictures"
PAPER = "John Smith, the president of IBM, announced his resignation yesterday."
RIVER = "The man who lived in the house by the river told us that the boat had sunk before the war."
TELESCOPE = "Mary saw the man with the telescope."
GARDEN = (
    "(S (NP (PRP We)) (VP (VBD ate) (NP (NP (DT the) (NN cake)) (PP (IN from) (NP (DT the) (NN bakery)))) "
    "(PP (IN with) (NP (DT a) (NN fork))) (PP (IN in) (NP (DT the) (NN garden)))) (. .))"
)
"""A gold tree, written for this picture."""

WITH_SAW = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
"""The other reading of the sentence with the telescope: she has it."""
LESSON = """# Where does *with* go?

- format: 1
- model: classroom
- preset: 3

Who has the telescope: Mary, or the man?

## The parse

- sentence: Mary saw the man with the telescope.
- stage: parse
- select: arrow of with

The word *with* modifies **{head of with}**, with F̂ = {F̂ of with}.

## Your turn

- sentence: I ate the cake with a fork.
- stage: parse
- question: head of with
"""
"""A small lesson, written for the picture of a handout."""

BROKEN_TREES = """(S (NP (NNP Mary)) (VP (VBD saw) the (NN man)) (. .))
(S (NP (NNP John)) (VP (VBD left))) (. .))
"""
"""Trees that cannot be read, written for the picture of the training window."""

PRESET = 3
"""The paper's best model with plain tags: what is explained is the paper's own formula."""
SENTENCE, GAPS, REDUCED, ESTIMATES, CHART, PARSE = "sentence", "gaps", "reduced", "estimates", "chart", "parse"
"""The stages, by their names."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what is shown and selected in the window.

    Attributes
    ----------
    name
        Of the file, without its ending.
    sentence, stage
        What is parsed, and the name of the stage.
    selected
        The id of what is selected (:mod:`engine.explain.subjects`).
    size, theme
        Of the window.
    model
        Name of a bundled model.
    attached
        A what-if: the word and the head that it is made to have, both counted from 0 without punctuation.
    then
        What else is done in the window before the picture is taken; what it returns is taken instead of the window.
    """

    name: str
    sentence: str
    stage: str
    selected: Subject | None
    size: tuple[int, int] = (1280, 800)
    theme: str = "light"
    model: str = "english"
    attached: tuple[int, int] | None = None
    then: Callable[[Photographer], QWidget | None] | None = None


def _present(photographer: Photographer) -> QWidget:
    """Open the presenter in a window, and wait until it shows what the window shows."""
    presenter = photographer.window.features.classroom.presenter
    presenter.present_in_window()
    window = presenter.window
    assert window is not None
    window.resize(1280, 800)
    photographer.settle()
    photographer.wait(lambda: window.picture.settled)
    return window


def _compare(photographer: Photographer) -> None:
    """Open the panel that compares, and wait until all that it has to say is in it."""
    tools = photographer.window.features.comparison

    def judged() -> bool:
        comparison = tools.comparisons.comparison
        return tools.panel.settled and comparison is not None and comparison.full

    tools.show()
    photographer.wait(judged)


def _handout(photographer: Photographer) -> QWidget:
    """Open the dialog of handouts with a lesson, and wait for its pages."""
    import tempfile

    window = photographer.window
    window.named_actions["handout"].trigger()
    dialog = window.features.classroom.handouts.dialog
    assert dialog is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lesson.md"
        path.write_text(LESSON, encoding="utf-8")
        dialog.open_lesson(path)
        dialog.fields["key"].setCurrentIndex(1)
        photographer.wait(lambda: dialog.settled)
    # The pages are painted a moment after they are laid out.
    photographer.settle()
    return dialog


def _experiment(photographer: Photographer) -> QWidget:
    """Measure Table 5, with some of its β, on the everyday sentences, and wait for its table and plot."""
    photographer.window.named_actions["experiments"].trigger()
    window = photographer.window.features.laboratory.experiments.window
    assert window is not None
    window.resize(1280, 800)
    window.form.choose("beam")
    window.form.fields["models"].setText("classroom")
    window.form.fields["test"].setText(str(ROOT / "resources" / "examples" / "everyday.ptb"))
    window.form.fields["beams"].setText("1000 20 3")
    window.begin()
    photographer.wait(lambda: not window.runner.running and any(one.finished for one in window.kept))
    for one in window.kept:
        if one.options == window.runner.options:
            one.forget()
    # What else was begun on this machine is nothing for the picture.
    window.begun.hide()
    photographer.settle()
    photographer.wait(lambda: window.plot.settled)
    return window


def _open_first_count(photographer: Photographer) -> None:
    """Ask for the training sentences behind the first count that the inspector shows, and wait for them."""
    window = photographer.window
    photographer.settle()
    photographer.wait(lambda: bool(window.inspector.explanation.links))
    window.inspector.count_opened.emit(window.inspector.explanation.links[0])
    photographer.wait(lambda: window.features.knowledge.link.found is not None)


def _search(photographer: Photographer) -> None:
    """Search the classroom's trees for PPs under VPs, and go to the sixth match."""
    from engine.trees.treebank import read_treebank
    from explorer.session.document import TextLine

    window = photographer.window
    trees = read_treebank([ROOT / "resources" / "examples" / "classroom.ptb"])
    window.session.editor.add_lines([TextLine(tree.brackets()) for tree in trees])
    photographer.settle()
    window.named_actions["search-structure"].trigger()
    panel = window.features.laboratory.search.panel
    panel.look_for("PP > (VP < /^VB/=verb)")
    photographer.wait(lambda: not panel.busy)
    panel.go_to(5)
    photographer.settle()


def _train_live(photographer: Photographer) -> None:
    """Train on the classroom's trees and add three, and wait until it is known what they changed."""
    from explorer.classroom.live_training import classroom_treebank, read_one_tree

    window = photographer.window
    live = window.features.classroom.live_training
    live.start(classroom_treebank())
    photographer.wait(lambda: not live.busy)
    photographer.settle()
    live.training.add([read_one_tree(WITH_SAW)] * 3)
    photographer.wait(lambda: not live.busy and window.session.view.earlier is not None)
    photographer.wait(lambda: not live.busy)
    photographer.settle()


def _train(photographer: Photographer) -> QWidget:
    """Open the training window on a folder with two broken trees, and show where they are broken."""
    import tempfile

    from explorer.laboratory.survey import BROKEN

    training = photographer.window.features.laboratory.training
    training.show()
    window = training.window
    assert window is not None
    window.resize(1120, 720)
    with tempfile.TemporaryDirectory() as folder:
        trees = Path(folder) / "own-trees"
        trees.mkdir()
        whole = (ROOT / "resources" / "examples" / "classroom.ptb").read_text(encoding="utf-8")
        (trees / "part-1.mrg").write_text(f"{whole}{BROKEN_TREES}", encoding="utf-8")
        window.sources.add([trees])
        # Where somebody's trees would be, and not where they are for this picture.
        window.form.file.setText("/home/ann/treebanks/own-trees.model")
        photographer.wait(lambda: not window.busy)
        window.tabs.setCurrentIndex(BROKEN)
        window.tabs.broken.setCurrentIndex(window.tabs.broken.model().index(0, 0))
        photographer.wait(lambda: "▲" in window.tabs.place.toPlainText())
    photographer.settle()
    return window


def _systems(photographer: Photographer) -> QWidget:
    """Compare two presets over everyday sentences, and wait for the plot."""
    from explorer.laboratory.system_results import SCATTER

    window = photographer.window
    window.named_actions["systems"].trigger()
    systems = window.features.laboratory.systems.window
    systems.resize(1280, 800)
    systems.setup.fields["jobs"].setValue(1)
    systems.setup.set_treebank(ROOT / "resources" / "examples" / "everyday.ptb")
    systems.compare()
    photographer.wait(lambda: not systems.busy)
    systems.results.tabs.setCurrentIndex(SCATTER)
    photographer.settle()
    photographer.wait(lambda: systems.results.plot.settled)
    photographer.settle()
    return systems


SHOTS = (
    # Why does "resignation" modify "announced"?
    Shot("parse", PAPER, PARSE, ArrowId(8), (1440, 960)),
    Shot("sentence", PAPER, SENTENCE, WordId(6)),
    # The gap between "Smith" and "the": one baseNP ends and another begins, with a comma between them.
    Shot("gaps", PAPER, GAPS, GapId(2)),
    Shot("reduced", PAPER, REDUCED, WordId(3)),
    Shot("matrix", PAPER, ESTIMATES, MatrixCellId(4, 3), theme="dark"),
    # "that the boat had sunk before the war": one cell of the chart, with all that was proposed there.
    Shot("chart", RIVER, CHART, ChartCellId(12, 20), (1600, 880)),
    Shot("what-if", TELESCOPE, PARSE, ArrowId(4), attached=(4, 1)),
    # The trees that the classroom model was counted from come with the program.
    Shot("evidence", TELESCOPE, PARSE, ArrowId(4), (1280, 860), model="classroom", then=_open_first_count),
    # One eats with a fork; the model has another opinion.
    # The dialog alone, with the handout of a small lesson.
    Shot("handout", TELESCOPE, PARSE, None, model="classroom", then=_handout),
    Shot("presenter", TELESCOPE, PARSE, ArrowId(4), then=_present),
    Shot("compare", GARDEN, PARSE, None, (1500, 1000), then=_compare),
    Shot("training", TELESCOPE, PARSE, None, model="classroom", then=_train),
    # PPs that modify verbs, with the verbs named.
    Shot("search", TELESCOPE, PARSE, None, model="classroom", then=_search),
    # Three trees more in which "with" modifies "saw".
    Shot("experiments", TELESCOPE, PARSE, None, model="classroom", then=_experiment),
    Shot("live-training", TELESCOPE, PARSE, None, (1500, 1000), model="classroom", then=_train_live),
    # The window of systems compared, with two presets over the bundled everyday sentences.
    Shot("systems", TELESCOPE, PARSE, None, model="english", then=_systems),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures into a folder; the result is the exit status."""
    parser = argparse.ArgumentParser(description="Make the pictures of the manual.")
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES, help="where to write them")
    parser.add_argument("--model", metavar="FILE", help="the model to use for all, in place of the bundled ones")
    parser.add_argument(
        "--only", metavar="NAME", nargs="+", choices=[shot.name for shot in SHOTS], help="which to make"
    )
    options = parser.parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

    from PySide6.QtWidgets import QApplication

    from engine.common.resources import bundled_models
    from engine.structure.constraints import Attachment
    from engine.warm_up import compile_now
    from explorer.kit.fonts import register_fonts
    from explorer.session.document import Document, TextLine
    from explorer.window.snapshots import Photographer, quiet_platform

    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["manual-pictures"])
    assert application is not None
    register_fonts()
    # While the kernels are being compiled the window says so, and large charts are not kept.
    compile_now()
    options.folder.mkdir(parents=True, exist_ok=True)
    with quiet_platform():
        for shot in SHOTS:
            if options.only and shot.name not in options.only:
                continue
            model = Path(options.model) if options.model else bundled_models()[shot.model]
            what_ifs = (Attachment(*shot.attached),) if shot.attached else ()
            with Photographer(model, shot.size, shot.theme) as photographer:
                photographer.show(Document("", lines=(TextLine(shot.sentence, what_ifs),)).with_preset(PRESET))
                photographer.session.view.set_stage(shot.stage)
                photographer.settle()
                photographer.session.view.select(shot.selected)
                other = shot.then(photographer) if shot.then is not None else None
                photographer.save_window(options.folder / f"{shot.name}.png", other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
