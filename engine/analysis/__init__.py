"""Why a parse is as it is: comparison with other trees, evidence in the training treebank, a browser of counts."""
