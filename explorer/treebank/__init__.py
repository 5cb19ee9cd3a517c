"""Gold trees: treebanks opened into the list, filtered, edited by hand."""
