"""About: which version this is, under which licence, on whose work it stands, and what it runs on."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from engine.common.markup import markup
from engine.model.model import Model
from explorer.appearance.icons import icon
from explorer.help.manual import manual_folder

PROGRAM = "parse-explorer"
PARTS = (
    ("PySide6-Essentials", "Qt for Python", "LGPL 3.0"),
    ("numpy", "numpy", "BSD"),
    ("numba", "numba", "BSD"),
    ("networkx", "networkx", "BSD"),
    ("matplotlib", "matplotlib, with the DejaVu fonts", "its own, after PSF; Bitstream Vera"),
)
"""What the program stands on: the name of its distribution, what to call it, and its licence."""
_SIZE = (560, 560)


def version_of(distribution: str) -> str:
    """The version of something that is installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def versions() -> list[tuple[str, str]]:
    """Everything that matters for a report of a fault, and which version of it this is."""
    found = [("Parse Explorer", version_of(PROGRAM)), ("Python", platform.python_version()), ("Qt", qVersion())]
    found += [(title, version_of(name)) for name, title, _ in PARTS]
    return [*found, ("System", f"{platform.system()} {platform.release()}, {sys.platform} {platform.machine()}")]


def credits() -> list[str]:
    """The paragraphs of the manual's credits."""
    index = (manual_folder() / "index.md").read_text(encoding="utf-8")
    _, _, rest = index.partition("## Credits")
    paragraphs = [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", rest.split("\n## ")[0])]
    return [part for part in paragraphs if part]


def report(model: Model | None, path: str) -> str:
    """The versions, and the model that is open, as text to copy."""
    lines = [f"{name}: {version}" for name, version in versions()]
    if model is not None:
        lines.append(f"Model: {Path(path).name}")
    return "\n".join(lines) + "\n"


def about_html(model: Model | None, path: str) -> str:
    """What this is, and on what it stands."""
    parts = [
        "<p>Michael Collins, <i>A New Statistical Parser Based on Bigram Lexical Dependencies</i> (ACL 1996), in full, "
        "with all its working shown.</p>",
        "<h4>Versions</h4>",
        _table(versions()),
        "<h4>Licences</h4>",
        "<p>Parse Explorer is free software under the MIT licence.  It stands on:</p>",
        _table([(title, licence) for _, title, licence in PARTS]),
        "<h4>Credits</h4>",
        *(f"<p>{paragraph.replace('*', '')}</p>" for paragraph in credits()),
    ]
    if model is not None:
        # Both are whoever made the model's.
        parts.append(f"<h4>Model: {markup(Path(path).stem)}</h4>")
        given = [markup(str(text), quote=False) for text in model.metadata.get("credits", ())]
        parts += [f"<p>{text}</p>" for text in given] or ["<p>The model names no sources.</p>"]
    return "".join(parts)


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td>{name}</td><td style='padding-left:24px'>{value}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


class AboutDialog(QDialog):
    """Says what this is; a button copies the versions."""

    def __init__(self, model: Model | None, path: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Parse Explorer")
        self._report = report(model, path)
        picture = QLabel()
        picture.setPixmap(icon("app", "#b84a00", "#b84a00").pixmap(48, 48))
        title = QLabel(f"<b style='font-size:large'>Parse Explorer</b><br>version {version_of(PROGRAM)}")
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(picture)
        head.addWidget(title, 1)
        self.text = QTextBrowser()
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(12)
        self.text.setHtml(about_html(model, path))
        self.text.setAccessibleName("About Parse Explorer")
        self.copy = QPushButton("Copy versions")
        self.copy.setToolTip("Put the versions on the clipboard, for a report of a fault")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._report))
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.copy)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 16, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)
        self.resize(*_SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
