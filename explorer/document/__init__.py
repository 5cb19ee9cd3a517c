"""What a person has made and what follows from it: document, undo commands, view state, parses."""
