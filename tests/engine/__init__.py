"""Tests of the engine; modules that are no tests hold what several of them share."""
