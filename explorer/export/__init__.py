"""Pictures and parses to files and to the clipboard."""
