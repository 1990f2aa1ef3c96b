"""Judges that do not share code with hermes: expected results, generated graphs, equivalence."""
