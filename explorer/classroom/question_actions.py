"""The actions about the class's answers and exercises, for the one list of all actions."""

from __future__ import annotations

from explorer.widgets.action import CLASSROOM, Action

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
