"""The second model: head-driven and generative (after Collins, 1997, models 1 and 2)."""
