"""The actions about what the model knows and from where, for the one list of all actions."""

from __future__ import annotations

from explorer.kit.actions import FILE, GO, Action

EVIDENCE_ACTIONS = (
    Action(
        "link-treebank",
        "Link training treebank …",
        FILE,
        "Ctrl+T",
        "Name the files that the model was trained on, so that every count opens the sentences which it counted",
    ),
)
BROWSER_ACTIONS = (
    Action(
        "model-browser",
        "Model browser",
        GO,
        "Ctrl+B",
        "Ask the model what it knows of a word, a tag, a pair of them, or a relation",
        separated=True,
    ),
    Action(
        "look-up",
        "Look up what is selected",
        GO,
        "Ctrl+U",
        "What does the model know of the word, or of the two words, that is selected?",
    ),
)
