"""Where things stand: trees, arcs, chart cells and the ruler of words, as plain numbers without Qt or engine."""
