"""The actions about gold trees and comparing, for the one list of all actions."""

from __future__ import annotations

from explorer.kit.actions import COMPARE, FILE, SETTINGS, Action

GOLD_ACTIONS = (
    Action(
        "open-folder",
        "Open treebank folder …",
        FILE,
        "Ctrl+Shift+O",
        "Open all trees of a folder (*.mrg *.ptb *.psd *.tree *.parse, gzipped too) into the list",
    ),
)
COMPARE_ACTIONS = (
    Action(
        "gold-tags",
        "Gold tags",
        SETTINGS,
        "Ctrl+Alt+T",
        "Parse gold trees with their own tags; without, from their words alone, so that tag errors show",
        checkable=True,
    ),
    Action(
        "compare",
        "Compare",
        COMPARE,
        "F9",
        "Compare this parse with its gold tree or with another parse; F9 again brings the picture back",
        checkable=True,
    ),
    Action(
        "next-difference", "Next difference", COMPARE, "F8", "Show the next sentence that differs from its gold tree"
    ),
    Action(
        "previous-difference",
        "Previous difference",
        COMPARE,
        "Shift+F8",
        "Show the sentence before that differs from its gold tree",
    ),
    Action(
        "explain-verdict",
        "Explain the verdict",
        COMPARE,
        "Ctrl+Alt+S",
        "Show in the inspector why the parse is not the gold tree: reasons, price, what was lost, the errors",
        separated=True,
    ),
    Action(
        "force-gold",
        "Force the gold attachment",
        COMPARE,
        "Ctrl+G",
        "Parse again with the gold tree's head for the selected word, or for the word that matters most",
    ),
    Action(
        "keep-gold",
        "Use the smallest β that keeps the gold tree",
        COMPARE,
        "Ctrl+Shift+G",
        "After a search error: the smallest beam under which the gold tree is found; if it was voted down: the choice "
        "by score",
    ),
    Action(
        "take-gold",
        "Take this parse for gold",
        COMPARE,
        "Ctrl+Alt+Y",
        "The parse that is shown becomes the sentence's gold tree, to be changed by hand",
        separated=True,
    ),
    Action(
        "relabel-gold",
        "Relabel in the gold tree …",
        COMPARE,
        "Ctrl+R",
        "Another label of the constituent, or another tag of the word, that is selected in the gold tree",
    ),
    Action(
        "attach-gold",
        "Attach in the gold tree …",
        COMPARE,
        "Ctrl+Alt+A",
        "Attach the constituent that is selected in the gold tree to another one",
    ),
    Action(
        "bracket-gold",
        "Add a bracket to the gold tree …",
        COMPARE,
        "Ctrl+Alt+B",
        "Put a new bracket around what is selected in the gold tree",
    ),
    Action(
        "remove-gold",
        "Remove a bracket of the gold tree",
        COMPARE,
        "Ctrl+Alt+X",
        "What the bracket that is selected in the gold tree holds takes its place",
    ),
    Action(
        "error-table",
        "Error table …",
        COMPARE,
        "Ctrl+Shift+R",
        "Judge every sentence with a gold tree: classes of errors against verdicts, and what each costs",
        separated=True,
    ),
    Action(
        "judge-again",
        "Judge again what is out of date",
        COMPARE,
        "Ctrl+Shift+J",
        "Find marks, error table and comparison anew that were found under another model, other settings or other tags",
    ),
    Action(
        "export-comparison",
        "Export comparison …",
        COMPARE,
        "Ctrl+Alt+E",
        "Write both parses, the verdict, the ledger and the errors as PDF, SVG, PNG, HTML, text or LaTeX",
        separated=True,
    ),
    Action(
        "copy-comparison",
        "Copy comparison as text",
        COMPARE,
        "Ctrl+Alt+C",
        "Put the comparison on the clipboard as text",
    ),
    Action(
        "copy-comparison-latex",
        "Copy comparison as LaTeX",
        COMPARE,
        "Ctrl+Alt+L",
        "Put the comparison on the clipboard as LaTeX with forest trees and booktabs tables",
    ),
)
