"""Summary of a model: corpora and credits, sentences, tags, triples, table sizes, options of training."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFrame, QTextBrowser

from engine.counts.counting import table_sizes
from engine.model.model import RUN_RECORD, Model
from engine.training.training_summary import reasons, run_lines
from explorer.document.document import Document
from explorer.document.document_editor import DocumentEditor
from explorer.document.input_reading import has_tagger
from explorer.document.parse_service import ParseService
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    TableBlock,
)
from explorer.graphics.theme import LIGHT, Theme

_KNOWN = ("corpora", "credits", "trees", "skipped", "sentences", "words", "left_out", RUN_RECORD)


def summarise(model: Model, document: Document) -> Explanation:
    """The summary of the document's model."""
    about, vocabulary = model.metadata, model.vocabulary
    blocks: list[ExplanationBlock] = []
    for title in ("corpora", "credits"):
        for text in about.get(title, ()):
            blocks.append(Paragraph(str(text), quiet=title == "credits"))
    rows: list[tuple[str, str]] = [
        (name, f"{about[name]:,}") for name in ("trees", "skipped", "sentences") if name in about
    ]
    rows += [
        ("words", f"{about.get('words', 0):,}"),
        ("different words", f"{len(vocabulary.words):,}"),
        ("tags", f"{len(vocabulary.tags):,}"),
        ("labels", f"{len(vocabulary.labels) - 1:,}"),
        ("triples R", f"{len(vocabulary.triples):,}"),
        ("unary chains", f"{len(vocabulary.chains):,}"),
        ("tagger", "yes" if has_tagger(model) else "none: sentences must be tagged"),
    ]
    blocks.append(TableBlock(("", ""), tuple(rows), (1,)))
    left_out = reasons(model)
    if left_out:
        blocks += [Heading("Left out"), *(Paragraph(reason) for reason in left_out)]
    run = run_lines(model)
    if run:
        blocks += [Heading("Training"), TableBlock(("", ""), tuple(run))]
    sizes = [(name, f"{contexts:,}", f"{counted:,}") for name, contexts, counted in table_sizes(model.counts)]
    blocks += [Heading("Count tables"), TableBlock(("table", "contexts", "with an outcome"), tuple(sizes), (1, 2))]
    options = [(name.replace("_", " "), str(value)) for name, value in about.items() if name not in _KNOWN]
    if options:
        blocks += [Heading("Options"), TableBlock(("", ""), tuple(options))]
    file = Path(document.model)
    weight = f",  {file.stat().st_size / 1e6:,.1f} MB" if file.exists() else ""
    where = "in memory alone: it has no file yet" if document.live else f"{file.name}{weight}"
    return Explanation(document.model_name or "Model", where, tuple(blocks))


class ModelSummary(QTextBrowser):
    """Shows the summary of the model in use."""

    def __init__(self, editor: DocumentEditor, parses: ParseService) -> None:
        super().__init__()
        self._editor = editor
        self._parses = parses
        self._theme = LIGHT
        self._seen = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(12)
        self.setAccessibleName("Model")
        self._parses.model_changed.connect(self.refresh)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = theme
        self.refresh()

    def set_seen(self, seen: bool) -> None:
        """Make the summary when the panel comes into sight: counting the tables takes a while."""
        self._seen = seen
        self.refresh()

    def refresh(self) -> None:
        """Show the model that is loaded."""
        if not self._seen:
            return
        model, colour = self._parses.model, self._theme.colour
        if model is None:
            shown = Explanation("No model", "", (Paragraph("Open one with Ctrl+M, or drop its file on the window."),))
        else:
            shown = summarise(model, self._editor.document)
        self.setHtml(shown.html(colour("ink"), colour("muted"), colour("hairline"), colour("accent")))
