"""Sections 2 to 2.3: the tagged sentence, baseNPs, the reduced sentence, AF, Δ; trees to (B, D, U) and back."""
