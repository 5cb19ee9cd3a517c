"""Forms: fields for the options of a dataclass, declared as a table; what is shown and what is read go both ways.

A form is declared by the names of the options::

    FIELDS = (
        Number("jobs", "&Processes", "How many processes work at once", 1, 64),
        Switch("tagger", "Tagger", "The model can then read plain text"),
    )
    form = Form(FIELDS, store, window)
    form.show(jobs=2, tagger=True)
    TrainingOptions(treebanks, output, **form.values())

What a field is at first `show` says: a dataclass has its defaults, and no table of fields repeats them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import no_markup
from explorer.kit.controls import (
    NONE,
    ChoiceBox,
    Field,
    filled,
    holder,
    in_column,
    in_row,
    padded,
    push_button,
    text_button,
)
from explorer.kit.file_dialogs import ask_open, ask_save, ask_several
from explorer.kit.file_kinds import FileKind
from explorer.kit.store import Store

_INDENT = 24
SEPARATOR = "; "
"""Between the names of several files, and several lines, in one field."""


class Bound(NamedTuple):
    """A field that is there: what stands in the form, what the keys go to, and how its value is read and shown."""

    widget: QWidget
    control: QWidget
    read: Callable[[], Any]
    show: Callable[[Any], None]


# Kinds of fields.


@dataclass(frozen=True, slots=True)
class FormField:
    """A field for an option.

    Attributes
    ----------
    name
        The option's name; what is read is given back under it.
    title
        What stands beside it, perhaps with `&` before the letter of its key; nothing where it says so itself.
    tip
        What it means.
    spoken
        What a screen reader calls it, where the title alone does not say enough.
    """

    name: str
    title: str
    tip: str = ""
    spoken: str = field(default="", kw_only=True)

    @property
    def called(self) -> str:
        """What a screen reader calls it."""
        return self.spoken or self.title.replace("&", "")

    def bind(self, form: Form) -> Bound:
        """Make the field, which tells the form when its value changes; the form gives it name and tip."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Switch(FormField):
    """Something that is on or off; in rows it may stand beside a word that says what it is about."""

    about: str = field(default="", kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make a box to tick, with its title on it."""
        box = QCheckBox(self.title)
        box.toggled.connect(lambda _: form.changed.emit())
        return Bound(box, box, box.isChecked, lambda on: box.setChecked(bool(on)))


@dataclass(frozen=True, slots=True)
class Number(FormField):
    """A whole number; the least may stand for none at all, and is called by a word then."""

    least: int = 0
    most: int = 1
    step: int = field(default=1, kw_only=True)
    none: str = field(default="", kw_only=True)
    grouped: bool = field(default=False, kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make a box for a number."""
        box = padded(QSpinBox(minimum=self.least, maximum=self.most, singleStep=self.step))
        box.setSpecialValueText(self.none)
        box.setGroupSeparatorShown(self.grouped)
        box.valueChanged.connect(lambda _: form.changed.emit())

        def read() -> int | None:
            return None if self.none and box.value() == self.least else box.value()

        return Bound(box, box, read, lambda value: box.setValue(self.least if value is None else value))


@dataclass(frozen=True, slots=True)
class Decimal(FormField):
    """A number with so many places after the point, and perhaps a unit."""

    least: float = 0.0
    most: float = 1.0
    places: int = field(default=1, kw_only=True)
    step: float = field(default=1.0, kw_only=True)
    unit: str = field(default="", kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make a box for a number."""
        box = padded(QDoubleSpinBox(decimals=self.places, singleStep=self.step, suffix=self.unit))
        box.setRange(self.least, self.most)
        box.valueChanged.connect(lambda _: form.changed.emit())
        return Bound(box, box, box.value, box.setValue)


@dataclass(frozen=True, slots=True)
class Choice(FormField):
    """One of several values, each with a title; one that is not among them shows the first.

    :func:`filled` offers others later.
    """

    choices: Mapping[Any, str] = field(default_factory=dict)

    def bind(self, form: Form) -> Bound:
        """Make a box to choose from."""
        box = filled(ChoiceBox(), self.choices)
        box.currentIndexChanged.connect(lambda _: form.changed.emit())

        def show(value: Any) -> None:
            offered = [box.itemData(at) for at in range(box.count())]
            box.setCurrentIndex(offered.index(value) if value in offered else 0)

        return Bound(box, box, box.currentData, show)


@dataclass(frozen=True, slots=True)
class Several(FormField):
    """Values of which one or several may be chosen (:class:`Choices`), each with a title and a tip."""

    choices: Mapping[Any, tuple[str, str]] = field(default_factory=dict)
    columns: int = field(default=5, kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make boxes to tick."""
        values = list(self.choices)
        boxes = Choices(self.choices.values(), self.called, self.columns)
        boxes.changed.connect(form.changed)

        def show(chosen: Iterable[Any]) -> None:
            boxes.choose(map(values.index, chosen))

        return Bound(boxes, boxes, lambda: tuple(values[number] for number in boxes.chosen), show)


@dataclass(frozen=True, slots=True)
class Line(FormField):
    """A line of text; `parse` and `write` turn it into a value and back."""

    placeholder: str = field(default="", kw_only=True)
    parse: Callable[[str], Any] = field(default=str.strip, kw_only=True)
    write: Callable[[Any], str] = field(default=str, kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make a line to type in."""
        line = _line(form, self.placeholder)
        return Bound(line, line, lambda: self.parse(line.text()), lambda value: line.setText(self.write(value)))


@dataclass(frozen=True, slots=True)
class File(FormField):
    """The name of a file, with a button that asks for one.

    Attributes
    ----------
    kinds
        What is looked for.
    button, button_tip
        What stands on the button, a small one with an ellipsis if nothing is said, and what it does.
    placeholder
        What stands in the line while it is empty.
    offered
        Of a file that is to be written: the name that is offered.
    several
        Whether there may be several; then the value is a tuple of names.
    """

    kinds: tuple[FileKind, ...] = field(default=(), kw_only=True)
    button: str = field(default="", kw_only=True)
    button_tip: str = field(default="", kw_only=True)
    placeholder: str = field(default="", kw_only=True)
    offered: str = field(default="", kw_only=True)
    several: bool = field(default=False, kw_only=True)

    def bind(self, form: Form) -> Bound:
        """Make a line to type in, and the button."""
        line = _line(form, self.placeholder)
        # A path is often longer than the line.
        line.textChanged.connect(lambda text: line.setToolTip(no_markup(text) if text else self.tip))

        def read() -> str | tuple[str, ...]:
            names = tuple(name for part in line.text().split(SEPARATOR.strip()) if (name := part.strip()))
            return names if self.several else line.text().strip()

        def show(value: str | Sequence[str]) -> None:
            line.setText(value if isinstance(value, str) else SEPARATOR.join(value))

        def ask() -> None:
            if found := self._ask(line, form.store):
                show([str(path) for path in found])
                line.editingFinished.emit()

        tip = self.button_tip or self.tip
        button = push_button(self.button, tip, ask) if self.button else text_button("…", tip, ask)
        return Bound(
            holder(in_row((line, 1), button, margins=NONE, spacing=-1 if self.button else 2)), line, read, show
        )

    def _ask(self, line: Field, store: Store) -> list[Path]:
        title = self.called
        if self.several:
            return ask_several(line, store, title, *self.kinds)
        if self.offered:
            path = ask_save(line, store, title, line.text().strip() or self.offered, *self.kinds)
        else:
            path = ask_open(line, store, title, *self.kinds)
        return [path] if path else []


def _line(form: Form, placeholder: str) -> Field:
    line = Field(placeholderText=placeholder)
    line.textChanged.connect(lambda _: form.changed.emit())
    return line


class Choices(QWidget):
    """Boxes to tick, of which one or several may be chosen.

    Signals
    -------
    changed
        Others are chosen.
    """

    changed = Signal()

    def __init__(self, titles: Iterable[tuple[str, str]], name: str, columns: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.boxes: list[QCheckBox] = []
        for title, tip in titles:
            box = QCheckBox(title)
            box.setToolTip(tip)
            box.setAccessibleName(f"{name}: {title}")
            box.toggled.connect(lambda _: self.changed.emit())
            self._group.addButton(box)
            self.boxes.append(box)
        starts = range(0, len(self.boxes), columns)
        rows = [in_row(*self.boxes[start : start + columns], None, spacing=10) for start in starts]
        self.setLayout(in_column(*rows, margins=NONE, spacing=2))

    @property
    def chosen(self) -> list[int]:
        """The numbers of those that are chosen."""
        return [number for number, box in enumerate(self.boxes) if box.isChecked()]

    def choose(self, numbers: Iterable[int]) -> None:
        """Choose these; where only one may be chosen, the last of them."""
        wanted, exclusive = set(numbers), self._group.exclusive()
        self._group.setExclusive(False)
        for number, box in enumerate(self.boxes):
            box.setChecked(number in wanted)
        self._group.setExclusive(exclusive)

    def allow_several(self, several: bool) -> None:
        """Let several be chosen, or one."""
        self._group.setExclusive(not several)


# Forms.


class Form(QObject):
    """The fields of a table, with their values; where they stand is said by layouts that are made of them.

    Parameters
    ----------
    fields
        The table.
    store
        Where the folder of files is remembered.
    parent
        Its owner.

    Signals
    -------
    changed
        There is another value in a field.
    """

    changed = Signal()

    def __init__(self, fields: Iterable[FormField], store: Store, parent: QObject) -> None:
        super().__init__(parent)
        self.store = store
        self._fields = {one.name: one for one in fields}
        self._bound = {name: one.bind(self) for name, one in self._fields.items()}
        self._rows: QFormLayout | None = None
        for name, one in self._fields.items():
            control = self._bound[name].control
            control.setToolTip(one.tip)
            if not isinstance(one, Switch):
                control.setAccessibleName(one.called)

    # Values

    def __getitem__(self, name: str) -> Any:
        """The widget that a person types into or clicks, of the kind that its field makes."""
        return self._bound[name].control

    def value(self, name: str) -> Any:
        """What is in a field; raise :class:`EngineError` where that is no value of it."""
        return self._bound[name].read()

    def values(self) -> dict[str, Any]:
        """What is in all fields, by the names of the options; raise :class:`EngineError` where one is wrong."""
        return {name: bound.read() for name, bound in self._bound.items()}

    def show(self, **values: Any) -> None:
        """Show values in the fields of these names; options that have no field are left alone."""
        for name, value in values.items():
            if name in self._bound:
                self._bound[name].show(value)

    # Places

    def widgets(self) -> list[QWidget]:
        """What stands in a layout for each field."""
        return [bound.widget for bound in self._bound.values()]

    def put_beside(self, name: str, button: QWidget) -> None:
        """Put one more button beside the field of a file."""
        row = self._bound[name].widget.layout()
        assert row is not None
        row.addWidget(button)

    def rows(self, *names: str, spacing: tuple[int, int] = (-1, -1)) -> QFormLayout:
        """Fields below each other, each beside its title; all of them unless some are named.

        The `spacing` is that beside titles, and that between rows.
        """
        layout = self._rows = QFormLayout()
        layout.setContentsMargins(*NONE)
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        layout.setHorizontalSpacing(spacing[0])
        layout.setVerticalSpacing(spacing[1])
        for name in names or self._fields:
            one, widget = self._fields[name], self._bound[name].widget
            if not isinstance(one, Switch):
                layout.addRow(self._label(name), widget)
            elif one.about:
                layout.addRow(one.about, widget)
            else:
                layout.addRow(widget)
        return layout

    def set_shown(self, name: str, shown: bool) -> None:
        """Show a row, or hide it."""
        assert self._rows is not None
        self._rows.setRowVisible(self._bound[name].widget, shown)

    def in_row(self, *names: str) -> QHBoxLayout:
        """Fields beside each other, each after its title in a quiet colour; all of them unless some are named."""
        row = QHBoxLayout()
        for name in names or self._fields:
            label = self._label(name)
            label.setObjectName("quiet")
            row.addWidget(label)
            row.addWidget(self._bound[name].widget)
            row.addSpacing(10)
        row.addStretch(1)
        return row

    def explained(self, *names: str) -> QVBoxLayout:
        """Switches below each other, with what each means under it."""
        column = QVBoxLayout()
        for name in names:
            box, meaning = self._bound[name].control, self._fields[name].tip
            box.setToolTip("")
            box.setAccessibleDescription(meaning)
            note = QLabel(meaning, wordWrap=True)
            note.setObjectName("quiet")
            note.setIndent(_INDENT)
            column.addWidget(box)
            column.addWidget(note)
        return column

    def _label(self, name: str) -> QLabel:
        label = QLabel(self._fields[name].title)
        label.setBuddy(self._bound[name].control)
        return label
