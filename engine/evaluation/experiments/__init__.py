"""The paper's experiments on any treebank, and two more: how accuracy grows with training, and grids.

=============== ==================================================================================
distances       Tables 1 and 2: how far dependencies reach; the share of commas that obey (section 2.7)
models          Table 3: every preset
ablation        Table 4: distance measure × lexical information
beam            Table 5: β against speed and accuracy
learning curve  accuracy, size and time against the number of training trees
grid            every combination of models, presets, β, sources of tags and lengths
=============== ==================================================================================

A plan (:mod:`.trials`) is a list of trials, each with its settings and the source of its tags: automatic ones, as in
the paper, unless gold ones are asked for.  The bench (:mod:`.trial_bench`) measures them one by one and writes each
into the journal (:mod:`.journal`), so that work that was interrupted goes on where it stopped; :mod:`.paper_tables`
sets the results beside the paper's, as tables (:mod:`.result_table`) or pictures (:mod:`.plots`).
"""
