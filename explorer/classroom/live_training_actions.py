"""The actions of live training, for :mod:`explorer.classroom.classroom_actions`."""

from __future__ import annotations

from explorer.widgets.action import TREEBANK, Action

LIVE_TRAINING_ACTIONS = (
    Action(
        "live-classroom",
        "Train live on the classroom’s trees",
        TREEBANK,
        "Ctrl+Alt+Shift+C",
        "A model that follows every edit of the 130 trees that come with the program",
        separated=True,
    ),
    Action(
        "live-empty",
        "Train live from an empty treebank",
        TREEBANK,
        "Ctrl+Alt+Shift+N",
        "See what the parser can do after 1, 2, 5 trees",
    ),
    Action(
        "live-open",
        "Train live on a small treebank …",
        TREEBANK,
        "Ctrl+Alt+Shift+O",
        "A file of at most 2,000 trees in Penn brackets",
    ),
    Action(
        "live-again",
        "Train live on the trees of last time",
        TREEBANK,
        "Ctrl+Alt+Shift+L",
        "Go on with the live treebank as it was when live training last ended",
    ),
    Action(
        "live-add-parse",
        "Add this parse to the treebank",
        TREEBANK,
        "Ctrl+Alt+Shift+A",
        "The parse that is shown becomes a tree of the live treebank, and the model follows",
    ),
    Action(
        "live-add",
        "Add tree to the treebank …",
        TREEBANK,
        "Ctrl+Alt+Shift+T",
        "Type a tree or a sentence, correct it, and add it to the live treebank",
    ),
    Action(
        "live-edit",
        "Edit tree of the treebank …",
        TREEBANK,
        "Ctrl+Alt+Shift+E",
        "Change the selected tree of the live treebank: drag in its picture, or type its brackets",
    ),
    Action(
        "live-remove",
        "Remove tree from the treebank",
        TREEBANK,
        "Ctrl+Alt+Shift+R",
        "Take the selected trees out of the live treebank, and the model follows",
    ),
    Action(
        "live-pin",
        "Compare with this model from now on",
        TREEBANK,
        "Ctrl+Alt+Shift+P",
        "Tell changes against the live model as it is now; once more, against the one before the last edit again",
    ),
    Action(
        "live-save",
        "Save live treebank …",
        TREEBANK,
        "Ctrl+Alt+Shift+S",
        "Write the trees of the live treebank to a file",
    ),
    Action(
        "live-model",
        "Save live treebank as model …",
        TREEBANK,
        "Ctrl+Alt+Shift+M",
        "Write the live model to a file, and its trees beside it: what parse-engine train makes of them",
    ),
    Action(
        "live-stop",
        "Stop live training",
        TREEBANK,
        "Ctrl+Alt+Shift+Q",
        "Go back to the model that was used before; it can be undone",
    ),
)
