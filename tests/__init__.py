"""Tests of both packages, benchmarks, and the scripts that make the manual's pictures and reference."""
