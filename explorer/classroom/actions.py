"""The actions of the classroom: lessons, presenter, questions, live training, handouts."""

from __future__ import annotations

from explorer.kit.actions import CLASSROOM, LESSON, REPLAY, TREEBANK, Action

# The actions about lessons.

LESSON_ACTIONS: tuple[Action, ...] = (
    Action(
        "lesson-choose",
        "Choose a lesson …",
        LESSON,
        "Alt+Shift+L",
        "Choose one of the lessons that come with the program, or one that was opened before",
    ),
    Action("lesson-new", "New lesson", LESSON, "Alt+Shift+N", "Begin an empty lesson; undo brings the other back"),
    Action("lesson-open", "Open lesson …", LESSON, "Alt+Shift+O", "Open a lesson; dropping its file does the same"),
    Action("lesson-save", "Save lesson", LESSON, "Alt+Shift+S", "Write the lesson to its file, as Markdown"),
    Action("lesson-save-as", "Save lesson as …", LESSON, "Alt+Shift+W", "Write the lesson to another file"),
    Action(
        "lesson-add",
        "Add this view to the lesson",
        LESSON,
        "Alt+Shift+A",
        "A new step that shows this sentence, stage, selection and these what-ifs and settings again",
        separated=True,
    ),
    Action(
        "lesson-update",
        "Update the step from this view",
        LESSON,
        "Alt+Shift+U",
        "The chosen step shows what the window shows now; its texts and its question stay",
    ),
    Action("lesson-duplicate", "Duplicate step", LESSON, "Alt+Shift+D", "A copy of the chosen step behind it"),
    Action("lesson-delete", "Delete step", LESSON, "Alt+Shift+Del", "Take the chosen step out of the lesson"),
    Action("lesson-up", "Move step up", LESSON, "Alt+Shift+Up", "Put the chosen step before the one above it"),
    Action("lesson-down", "Move step down", LESSON, "Alt+Shift+Down", "Put the chosen step behind the one below it"),
    Action(
        "lesson-next",
        "Next step of the lesson",
        LESSON,
        "Alt+Shift+PgDown",
        "Show the next step in this window",
        separated=True,
    ),
    Action(
        "lesson-previous",
        "Previous step of the lesson",
        LESSON,
        "Alt+Shift+PgUp",
        "Show the step before in this window",
    ),
    Action(
        "lesson-undo",
        "Undo in the lesson",
        LESSON,
        "Alt+Shift+Z",
        "Take the last change of the lesson back; Ctrl+Z does the same while the panel has the focus",
        separated=True,
    ),
    Action("lesson-redo", "Redo in the lesson", LESSON, "Alt+Shift+Y", "Make the change again that was taken back"),
)  # fmt: skip


# The actions of the presenter, and of the replay of the chart.

PRESENTER_ACTIONS: tuple[Action, ...] = (
    Action(
        "present",
        "Present",
        CLASSROOM,
        "F11",
        "The lesson, or what is on the screen, on the whole screen in type for the last row; ? shows its keys",
    ),
    Action(
        "present-window",
        "Present in a window",
        CLASSROOM,
        "Shift+F11",
        "The same in a window, where there is one screen only or it is shared in a call",
    ),
    Action(
        "replay-all",
        "Replay all edges of the chart",
        REPLAY,
        "Alt+7",
        "Steps in the chart go through every edge that the parser built, kept or pruned",
        separated=True,
    ),
    Action(
        "replay-survivors",
        "Replay surviving edges",
        REPLAY,
        "Alt+8",
        "Steps in the chart go through what was kept",
    ),
    Action(
        "replay-parse",
        "Replay the edges of this parse",
        REPLAY,
        "Alt+9",
        "Steps in the chart build the tree that is shown, and nothing else",
    ),
    Action(
        "replay-cells",
        "Replay cell by cell, or edge by edge",
        REPLAY,
        "Alt+0",
        "Steps in the chart stop where a cell is complete, or at every edge",
    ),
    Action("replay-first", "First edge of the chart", REPLAY, "Alt+Home", "Go to the first edge of the replay"),
    Action("replay-last", "Last edge of the chart", REPLAY, "Alt+End", "Go to the last edge of the replay"),
    Action("replay-slower", "Replay slower", REPLAY, "Alt+-", "Play the chart slower"),
    Action("replay-faster", "Replay faster", REPLAY, "Alt++", "Play the chart faster", other_shortcut="Alt+="),
)


# The actions about the class's answers and exercises, for the one list of all actions.

QUESTION_ACTIONS = (
    Action(
        "exercise",
        "Exercise from this lesson …",
        CLASSROOM,
        "Ctrl+Alt+Q",
        "The questions of the lesson that is open, or of a file, for one student: two tries, hints, points, a result",
        separated=True,
    ),
    Action(
        "collect-results",
        "Collect results …",
        CLASSROOM,
        "Ctrl+Alt+J",
        "Read the results of many students and show them as one table, which can be exported as CSV",
    ),
    Action(
        "class-answers",
        "The class's answers",
        CLASSROOM,
        "Ctrl+Alt+H",
        "What the class answered in this lesson: hands, the model's answer, gold",
    ),
    Action(
        "export-class-answers",
        "Export the class's answers …",
        CLASSROOM,
        "Ctrl+Alt+Shift+H",
        "Write what the class answered to a CSV file, which any spreadsheet opens",
    ),
)


# The actions of live training, for :mod:`explorer.classroom.actions`.

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


# The action that makes a handout.

HANDOUT_ACTIONS: tuple[Action, ...] = (
    Action(
        "handout",
        "Handout …",
        CLASSROOM,
        "Ctrl+Alt+U",
        "Pages to hand out, from a lesson or from sentences, with questions and a key: print them, or save them as PDF",
        separated=True,
    ),
)


# The actions of the classroom; each part lists its own.

CLASSROOM_ACTIONS: tuple[Action, ...] = (
    *LESSON_ACTIONS,
    *PRESENTER_ACTIONS,
    *QUESTION_ACTIONS,
    *LIVE_TRAINING_ACTIONS,
    *HANDOUT_ACTIONS,
)
