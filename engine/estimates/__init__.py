"""The estimates of sections 2.4 to 2.6: dependencies, gap tags, unaries, root; how each is computed and explained."""
