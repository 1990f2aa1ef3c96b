"""The small graphs that ship with hermes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SHIPPED: Final = ("olympics",)
"""The names of the shipped graphs."""


def shipped(name: str) -> Path | None:
    """Return the file of the shipped graph called `name`, or None if there is no such graph."""
    return Path(__file__).with_name(f"{name}.ttl") if name in SHIPPED else None
