"""SPARQL 1.1 as values: terms, paths, expressions and patterns, one grammar, and their text."""
