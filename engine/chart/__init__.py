"""The parser (sections 3 and 4.1): grammar, chart items, joins, beam, k-best, constraints, trace."""
