"""SPARQL over HTTP: who asks, how often, what came back, and what an endpoint supports."""
