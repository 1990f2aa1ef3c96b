"""A file of questions that cannot be used, and where it is wrong."""

from __future__ import annotations

from typing import Final

from hermes.errors import HermesError


class FileFault(ValueError):  # noqa: N818 - it becomes a HermesError that knows the file
    """What is wrong, and what would be right."""


_KINDS: Final = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


def kind_of(value: object) -> str:
    """Return what a JSON value is, in words."""
    return _KINDS.get(type(value), "a number")


def place(number: int, name: object = None) -> str:
    """Return where a question stands: its number from 1, and its id where it has one."""
    return f"question {number}" if name is None else f"question {number} (id {str(name)[:40]!r})"


def unreadable(file: object, fault: object) -> HermesError:
    """Return the error for a file that holds no questions that can be read."""
    return HermesError(f"{file}: {fault}", code="question-set")
