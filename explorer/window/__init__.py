"""The program: start, main window, actions, files, preferences, help."""
