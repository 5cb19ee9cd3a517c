"""What every part of the window is made with: tasks, tables, docks, controls, type, the look of widgets."""
