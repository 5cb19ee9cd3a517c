"""The model and its settings: a strip with each thing that the paper varies, and a summary of the model."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QSlider,
    QSpacerItem,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.numbers import beam_text
from engine.counts.counting import table_sizes
from engine.explain.explanation import Explanation, ExplanationBlock, Heading, Paragraph, TableBlock
from engine.explain.glosses import preset_gloss, setting_gloss, wrapped
from engine.model.model import RUN_RECORD, Model
from engine.settings import FULL_DISTANCE, PRESETS, SETTING_NAMES, Settings, preset_title
from engine.training.summary import reasons, run_lines
from explorer.kit.actions import NamedActions
from explorer.kit.appearance import appearance
from explorer.kit.controls import Field, action_button
from explorer.kit.messages import Messages
from explorer.panels.inspector import TextGlosses
from explorer.session.document import Document, has_tagger
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService

# The settings strip: model, preset, β, threshold, and each thing that the paper varies as a switch.

LEAST_BEAM, MOST_BEAM = 1.1, 1e6
STEPS = 400
"""Places of the slider from the least to the most β; one more is ∞."""
SWITCHES = {
    "punctuation-rule": "punctuation_rule",
    "ignore-tags": "ignore_tags",
    "tag-distribution": "tag_distribution",
    "full-distance": "distance",
    "lexical": "lexical",
    "further-backoff": "further_backoff",
    "expected-f1": "expected_f1",
}
"""The actions that switch a setting, and the field of the settings that each switches."""


def beam_at(place: int) -> float:
    """β at a place of the slider."""
    if place > STEPS:
        return math.inf
    low, high = math.log(LEAST_BEAM), math.log(MOST_BEAM)
    beam = math.exp(low + (high - low) * place / STEPS)
    return float(f"{beam:.3g}")


def place_of(beam: float) -> int:
    """Return the place of the slider nearest to β."""
    if math.isinf(beam):
        return STEPS + 1
    low, high = math.log(LEAST_BEAM), math.log(MOST_BEAM)
    return max(0, min(STEPS, round((math.log(beam) - low) / (high - low) * STEPS)))


def read_beam(text: str) -> float:
    """β as typed: a number, ``10^6``, ``∞`` or ``inf``; raise :class:`EngineError` in one sentence."""
    plain = text.strip().replace(",", "").replace(" ", "")
    if plain in ("∞", "inf", "none"):
        return math.inf
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    try:
        if plain.startswith("10") and len(plain) > 2 and plain[2] in "^⁰¹²³⁴⁵⁶⁷⁸⁹":
            beam = 10.0 ** int(plain[2:].lstrip("^").translate(digits))
        else:
            beam = float(plain)
        if not beam > 1 or math.isnan(beam):
            raise ValueError
    except (ValueError, OverflowError):
        raise EngineError(f"β is a number greater than 1, or ∞ for no beam, not `{text}`") from None
    return beam


def hairline(parent: QWidget) -> QFrame:
    """Return a thin upright line between two groups."""
    line = QFrame(parent)
    line.setFrameShape(QFrame.Shape.VLine)
    line.setObjectName("hairline")
    return line


def _label(text: str) -> QLabel:
    """Return a label that leaves room that is too much to the slider and to the end of the row."""
    label = QLabel(text)
    label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    return label


_BESIDE = 24
"""Pixels that two parts need beside each other, more than each by itself; a hairline that is hidden among them."""


class SettingsStrip(QWidget):
    """Shows the document's settings, and changes them."""

    def __init__(self, editor: DocumentEditor, messages: Messages, actions: NamedActions) -> None:
        super().__init__()
        self.setObjectName("settings-strip")
        self._editor = editor
        self._messages = messages
        # The switches stand beside all else, or under it where one row has no room for both.
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(8, 4, 4, 4)
        self._rows.setSpacing(2)
        layout, switches = QHBoxLayout(), QHBoxLayout()
        for part, stretch in ((layout, 8), (switches, 1)):
            part.setSpacing(2)
            self._rows.addLayout(part, stretch)
        self._parts = layout, switches
        self._end = QSpacerItem(0, 0)
        self.model = QToolButton()
        self.model.setObjectName("model-button")
        self.model.setText("No model")
        self.model.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.model.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.model.setToolTip("The model: open another one, or one of those used before")
        layout.addWidget(self.model)
        layout.addSpacing(1)
        layout.addWidget(hairline(self))
        layout.addSpacing(1)
        self.preset = QToolButton()
        self.preset.setObjectName("preset-button")
        self.preset.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.preset.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        # Five names side by side have no room; the numbers alone said nothing.
        menu = QMenu(self.preset)
        menu.setToolTipsVisible(True)
        menu.addActions([actions[f"preset-{number}"] for number in PRESETS])
        self.preset.setMenu(menu)
        layout.addWidget(self.preset)
        layout.addSpacing(1)
        layout.addWidget(hairline(self))
        layout.addSpacing(1)
        layout.addWidget(_label("β"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS + 1)
        self.slider.setPageStep(20)
        self.slider.setMinimumWidth(36)
        self.slider.setMaximumWidth(260)
        self.slider.setAccessibleName(SETTING_NAMES["beam"])
        tip = setting_gloss("beam").sentence
        self.slider.setToolTip(wrapped(tip))
        layout.addWidget(self.slider, 8)
        self.field = Field()
        self.field.setObjectName("beam-field")
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName(f"{SETTING_NAMES['beam']} as a number")
        self.field.setToolTip(wrapped(f"{tip}.  1.1 to 10⁶ by the slider, any number by typing, ∞ for no beam"))
        layout.addWidget(self.field)
        layout.addSpacing(2)
        layout.addWidget(_label(SETTING_NAMES["threshold"]))
        self.threshold = Field()
        self.threshold.setObjectName("threshold-field")
        self.threshold.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.threshold.setAccessibleName("Threshold start")
        self.threshold.setToolTip(
            wrapped(f"{setting_gloss('threshold').sentence}.  Empty: −60 beside a beam, −20 where it prunes alone")
        )
        layout.addWidget(self.threshold)
        layout.addSpacing(1)
        self._between = hairline(self)
        layout.addWidget(self._between)
        layout.addSpacing(1)
        layout.addItem(self._end)
        self.switches: dict[str, QToolButton] = {}
        for switch, field in SWITCHES.items():
            self.switches[switch] = action_button(actions[switch], SETTING_NAMES[field])
            switches.addWidget(self.switches[switch])
        switches.addStretch(1)
        self._fit()
        self.slider.valueChanged.connect(self._slid)
        self.field.editingFinished.connect(self._typed_beam)
        self.threshold.editingFinished.connect(self._typed_threshold)
        editor.settings_changed.connect(self.refresh)
        editor.change_refused.connect(self.refresh)
        self.refresh()

    def _fit(self) -> None:
        """Make fields as wide as their longest numbers."""
        metrics = self.fontMetrics()
        self.field.setFixedWidth(metrics.horizontalAdvance("100,000") + 14)
        self.threshold.setFixedWidth(metrics.horizontalAdvance("−600") + 14)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the fields to another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the wider of two rows."""
        margins = self._rows.contentsMargins()
        width = max(part.minimumSize().width() for part in self._parts) + margins.left() + margins.right()
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand in one row, or in two where one has no room for all."""
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """Look again for how many rows there is room when what is shown needs another."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return done

    def _arrange(self) -> None:
        needed = sum(part.minimumSize().width() for part in self._parts) + _BESIDE
        one = needed <= self.width()
        direction = QBoxLayout.Direction.LeftToRight if one else QBoxLayout.Direction.TopToBottom
        if direction != self._rows.direction():
            self._rows.setDirection(direction)
            self._between.setVisible(one)
            policy = QSizePolicy.Policy.Fixed if one else QSizePolicy.Policy.Expanding
            self._end.changeSize(0, 0, policy, QSizePolicy.Policy.Minimum)
            self._rows.invalidate()
            self.updateGeometry()

    def refresh(self) -> None:
        """Show the settings of the document."""
        settings: Settings = self._editor.settings
        preset = self._editor.document.preset
        self.preset.setText(f"{preset_title(preset)} ▾")
        self.preset.setAccessibleName(f"Preset {preset_title(preset)}")
        self.preset.setToolTip(wrapped(f"{preset_gloss(preset).sentence}.  Click to choose another preset"))
        with QSignalBlocker(self.slider):
            self.slider.setValue(place_of(settings.beam))
        if not self.field.hasFocus() or not self.field.isModified():
            self.field.setText(beam_text(settings.beam))
        start = "" if settings.threshold is None else f"{settings.threshold:g}".replace("-", "−")
        self.threshold.setText(start)
        self.threshold.setPlaceholderText(f"{settings.first_threshold:g}".replace("-", "−"))
        self.switches["further-backoff"].defaultAction().setEnabled(settings.allows_further_backoff)
        reranks = settings.rerank > 0
        self.switches["expected-f1"].defaultAction().setEnabled(reranks)
        # Hardly ever do both change anything; one of them has room.
        self.switches["expected-f1"].setVisible(reranks)
        self.switches["further-backoff"].setVisible(settings.allows_further_backoff or not reranks)

    def states(self) -> dict[str, bool]:
        """Return which of the switches are on."""
        settings = self._editor.settings
        return {
            "punctuation-rule": settings.punctuation_rule,
            "ignore-tags": settings.ignore_tags,
            "tag-distribution": settings.tag_distribution,
            "full-distance": settings.distance == FULL_DISTANCE,
            "lexical": settings.lexical,
            "further-backoff": settings.further_backoff,
            "expected-f1": settings.expected_f1,
        }

    def _slid(self, place: int) -> None:
        self._editor.set_settings(beam=beam_at(place))

    def _typed_beam(self) -> None:
        if not self.field.isModified():
            return
        self.field.setModified(False)
        try:
            self._editor.set_settings(beam=read_beam(self.field.text()))
        except EngineError as error:
            self._messages.show(str(error), True)
        self.field.setText(beam_text(self._editor.settings.beam))

    def _typed_threshold(self) -> None:
        if not self.threshold.isModified():
            return
        self.threshold.setModified(False)
        text = self.threshold.text().strip().replace("−", "-")
        try:
            self._editor.set_settings(threshold=float(text) if text else None)
        except ValueError:
            self._messages.show(f"the threshold is a log probability of at most 0, or empty, not `{text}`", True)
            self.refresh()


# Summary of a model: corpora and credits, sentences, tags, triples, table sizes, options of training.

_KNOWN = ("corpora", "credits", "trees", "skipped", "sentences", "words", "left_out", RUN_RECORD)


def summarise(model: Model, document: Document) -> Explanation:
    """Return the summary of the document's model."""
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
        self._seen = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(12)
        self.setAccessibleName("Model")
        TextGlosses(self)
        self._parses.model_changed.connect(self.refresh)
        appearance().theme_changed.connect(self.refresh)

    def set_seen(self, seen: bool) -> None:
        """Make the summary when the panel comes into sight: counting the tables takes a while."""
        self._seen = seen
        self.refresh()

    def refresh(self) -> None:
        """Show the model that is loaded."""
        if not self._seen:
            return
        model, colour = self._parses.model, appearance().theme.colour
        if model is None:
            shown = Explanation("No model", "", (Paragraph("Open one with Ctrl+M, or drop its file on the window."),))
        else:
            shown = summarise(model, self._editor.document)
        self.setHtml(shown.html(colour("ink"), colour("muted"), colour("hairline"), colour("accent")))
