"""A file of questions that cannot be used, and where it is wrong."""

from __future__ import annotations

from hermes.errors import HermesError


class FileFault(ValueError):  # noqa: N818 - it becomes a HermesError that knows the file
    """What is wrong, and what would be right."""


def place(number: int, name: object = None) -> str:
    """Return where a question stands: its number from 1, and its id where it has one."""
    return f"question {number}" if name is None else f"question {number} (id {str(name)[:40]!r})"


def unreadable(file: object, fault: object) -> HermesError:
    """Return the error for a file that holds no questions that can be read."""
    return HermesError(f"{file}: {fault}", code="question-set")
