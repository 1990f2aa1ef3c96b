"""The command line: `hermes run`, `hermes replay`. One file for each command."""

from hermes.cli.program import main

__all__ = ["main"]
