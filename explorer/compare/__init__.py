"""Two parses of a sentence held against each other: pictures, ledger, verdict, errors, prices; and whole treebanks."""
