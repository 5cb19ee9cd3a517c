"""Make the manual's page of glosses from their table: ``python tests/documentation/glosses_page.py [--check]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.explain import glosses as table
from engine.settings import SETTING_NAMES

PAGE = Path(__file__).parents[2] / "resources" / "manual" / "glosses.md"
INTRODUCTION = """# Glosses: what the signs mean

Tags, labels, symbols, settings and column heads are explained where they stand: point at one and wait a moment. The
text of a picture ends with the same explanations, for screen readers and for copying. **Shift+F1** and a click open the
manual at the page about the thing that is clicked. This page has all of them.
"""
SECTIONS = (
    ("Tags", table.TAGS, "Parts of speech, as in the Penn Treebank and the treebanks that followed it."),
    ("Labels", table.LABELS, "Labels of constituents, as in the Penn Treebank and the treebanks that followed it."),
    ("Marks", table.MARKS, "What the model adds to a label. *X* in the text stands for the label."),
    ("Gap tags", table.GAPS, "What happens between two words (section 2.5 of the paper)."),
    (
        "Relations",
        table.RELATIONS,
        "Some triples of modifier, parent and head-child have a name in grammar. `*` stands for any label.",
    ),
    ("Symbols", table.SYMBOLS, "Symbols and words of the paper."),
    ("Presets and settings", table.SETTINGS, "Every setting by the name that it has in the window and in `--help`."),
    ("Verdicts", table.VERDICTS, "Who is to blame for a parse that differs from the gold tree."),
    ("Classes of errors", table.ERRORS, "After Kummerfeld et al. (2012)."),
    ("Columns", table.COLUMNS, "Heads of columns in tables and explanations."),
)


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for title, sort, text in SECTIONS:
        parts.append(f"## {title}\n\n{text}\n\n| sign | meaning |\n|---|---|\n" + "".join(_rows(sort)))
    return "\n".join(parts)


def _rows(sort: str) -> Iterable[str]:
    if sort == table.SETTINGS:
        yield from (_row(f"({name})", one.text) for name, one in table.glosses()[table.PRESETS].items())
    for name, gloss in table.glosses()[sort].items():
        shown = name
        if sort == table.MARKS:
            shown = f"X{name}" if name != "X" else "NPX"
        elif sort == table.RELATIONS:
            shown = f"<{name.replace(' ', ',')}>"
        elif sort == table.SETTINGS:
            shown = SETTING_NAMES[name]
        yield _row(shown, gloss.text.replace("%s", "NP" if name == "X" else "X"))


def _row(sign: str, text: str) -> str:
    bar = str.maketrans({"|": r"\|"})
    code = sign if "`" not in sign else f"{sign} "
    fence = "``" if "`" in sign and "``" not in sign else "```" if "``" in sign else "`"
    blank = " " if "`" in sign else ""
    return f"| {fence}{blank}{code.translate(bar).strip()}{blank}{fence} | {text.translate(bar)} |\n"


def main() -> int:
    """Write the page, or say that it is out of date."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="write nothing; fail if the page is not up to date")
    if arguments.parse_args().check:
        if PAGE.read_text(encoding="utf-8") != page():
            print(f"{PAGE.name} is not up to date", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
