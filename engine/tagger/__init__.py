"""The maximum-entropy part-of-speech tagger after Ratnaparkhi (1996)."""
