"""The re-ranker and the second model: features of whole trees, their weights, and a generative model of whole trees."""
