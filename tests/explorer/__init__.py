"""Tests of the explorer; modules that are no tests hold what several of them share."""
