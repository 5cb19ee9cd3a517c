"""How good the parser is (section 4): PARSEVAL, evaluation over a treebank, the paper's tables."""
