"""The counts C(...) of section 2.2: what is counted, in which tables, and how a count is looked up."""
