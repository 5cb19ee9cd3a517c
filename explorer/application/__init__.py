"""The program: start, main window, actions, files, autosave, help."""
