"""The three streams of the process: UTF-8, one step a line, and quiet when nobody reads."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from hermes.algebra import Observation
from hermes.errors import HermesError
from hermes.printable import printable


def prepare() -> None:
    """Make the output UTF-8 in every locale; what UTF-8 cannot say (a lone surrogate) is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def silence(*streams: TextIO) -> None:
    """Send what is still buffered for streams nowhere, so that the end of the process does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        with suppress(OSError, ValueError):  # not a stream of the system
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def shown(text: str) -> str:
    """Return `text` safe for one line of a terminal."""
    return printable(text.replace("\t", " "))


def say(out: TextIO, lines: Iterable[str]) -> None:
    """Write lines at once, not when a buffer is full."""
    out.write("".join(f"{shown(line)}\n" for line in lines))
    out.flush()


def complain(message: str) -> None:
    """Write the one line that says why the work was not done."""
    say(sys.stderr, [f"hermes: {message}"])


def step_lines(action: str, seen: Observation) -> Sequence[str]:
    """Return a step for a reader: the action, an arrow and the summary; then the hints."""
    return [*f"{action}  -> {seen.summary()}".split("\n"), *(f"    {hint}" for hint in seen.hints)]


def title(name: str) -> str:
    """Return what a message calls the file of this name."""
    return "stdin" if name == "-" else name


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """Open a file for reading; `-` is stdin, which stays open.

    Raises:
        HermesError: with code `unreadable`.
    """
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise HermesError(f"cannot read {title(name)}: {_reason(error)}", code="unreadable") from error


def created(name: str) -> TextIO:
    """Open a file for writing, what it held is gone.

    Raises:
        HermesError: with code `unwritable`.
    """
    with _writing(name):
        return _emptied(Path(name))


@contextmanager
def created_whole(name: str) -> Iterator[TextIO]:
    """Give a file for writing that takes its name when all has been written; until then nothing changes.

    Raises:
        HermesError: with code `unwritable`.
    """
    target = Path(name).resolve()
    if target.exists() and not target.is_file():  # a device or a pipe keeps its place
        with created(name) as out:
            yield out
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _writing(name):
            out = _emptied(partial)
        with out:
            yield out
        with _writing(name):
            partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _emptied(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")


@contextmanager
def _writing(name: str) -> Iterator[None]:
    """Say of what goes wrong inside that the file cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise HermesError(f"cannot write {name}: {_reason(error)}", code="unwritable") from error


def read_all(name: str) -> str:
    """Return the whole text of a file; `-` is stdin.

    Raises:
        HermesError: with code `unreadable`, where it cannot be read or is not UTF-8.
    """
    with opened(name) as stream:
        try:
            return stream.read().decode("utf-8-sig")
        except (OSError, ValueError) as error:
            raise HermesError(f"cannot read {title(name)}: {_reason(error)}", code="unreadable") from error


def _reason(error: OSError | ValueError) -> str:
    """Return why it was refused, without the number of the error."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


@contextmanager
def logged(*, queries: bool) -> Iterator[None]:
    """Show on stderr what the logger `hermes` is told, while the context lasts.

    Always warnings and the progress of what takes long; with `queries` the queries and more.
    """
    logger, handler = logging.getLogger("hermes"), _Handler()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if queries else logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)


class _Handler(logging.Handler):
    """Writes to stderr; what is no query in the words of the program."""

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno > logging.DEBUG:
            complain(message)
        else:
            sys.stderr.write(f"{message}\n")
