"""`hermes explore`: a query built step by step at a prompt.

A `Session` takes lines and gives lines; two front ends connect it with a terminal.
"""

from hermes.cli.explore.command import COMMAND

__all__ = ["COMMAND"]
