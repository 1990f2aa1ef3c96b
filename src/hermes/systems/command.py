"""An external command as a system: the question on its standard input, a query on its standard output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from time import monotonic
from typing import IO, Final

from hermes.errors import HermesError
from hermes.kg import KG
from hermes.printable import clip
from hermes.systems.answer import Answer
from hermes.systems.given_query import given_query

TIME_LIMIT: Final = 60.0
"""Seconds that a command may take for a question."""

_MOST_BYTES: Final = 2**20
"""Bytes that a command may print: no query is longer."""
_LOOK: Final = 0.05
"""Seconds between two looks at how much has been printed."""
_TAIL: Final = 4096
_SHOWN: Final = 200


class Command:
    """Asks a program for the query. It is started anew for each question, without a shell.

    In its environment `HERMES_KG` is the source of the graph, several with commas between them, and
    `HERMES_GRAPH` the choice of its default graph. It is over when the program itself ends: what it leaves
    running is killed.

    Args:
        argv: the program and its arguments.
        timeout: seconds for a question (default 60), after which the program and all that it has started in
            its process group are killed.

    Raises:
        HermesError: `argv` is empty or one text, or `timeout` is not more than 0 (code `system-settings`).
    """

    def __init__(self, argv: Sequence[str], timeout: float = TIME_LIMIT) -> None:
        if isinstance(argv, str) or not argv or not all(isinstance(word, str) for word in argv):
            raise HermesError(
                "a command is a list of texts, a program and its arguments, as no shell reads it",
                code="system-settings",
            )
        if not timeout > 0:
            raise HermesError(
                f"the time limit of a command is more than 0 s, not {timeout}", code="system-settings"
            )
        self.argv = tuple(argv)
        self.timeout = timeout

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the query that the program prints; it is not run.

        Raises:
            HermesError: the program cannot be started or fails (code `command-failed`), takes too long
                (`command-timeout`), or prints no query (`command-output`, `update`, `service-refused`).
        """
        with (
            tempfile.TemporaryFile() as asked,
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as complaint,
        ):
            asked.write(question.encode("utf-8", "replace") + b"\n")
            asked.seek(0)
            self._run(_environment(kg), asked, printed, complaint)
            printed.seek(0)
            return given_query(self._text(printed.read(_MOST_BYTES + 1)), self._name, kg)

    @property
    def _name(self) -> str:
        return f"the command {clip(self.argv[0], _SHOWN)}"

    def _run(
        self, environment: dict[str, str], asked: IO[bytes], printed: IO[bytes], complaint: IO[bytes]
    ) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own program, without a shell
                self.argv,
                stdin=asked,
                stdout=printed,
                stderr=complaint,
                env=environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise HermesError(f"{self._name} cannot be started: {reason}", code="command-failed") from error
        try:
            status = self._wait(process, (printed, complaint))
        finally:
            _kill(process)
        if status != 0:
            how = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
            raise HermesError(f"{self._name} {how}{_last_line(complaint)}", code="command-failed")

    def _wait(self, process: subprocess.Popen[bytes], outputs: tuple[IO[bytes], ...]) -> int:
        end = monotonic() + self.timeout
        while True:
            left = end - monotonic()
            try:
                return process.wait(max(0.0, min(_LOOK, left)))
            except subprocess.TimeoutExpired:
                if any(os.fstat(each.fileno()).st_size > _MOST_BYTES for each in outputs):
                    raise self._too_long() from None
                if left <= 0:
                    raise HermesError(
                        f"{self._name} did not answer in {self.timeout:g} s and was ended",
                        code="command-timeout",
                    ) from None

    def _text(self, body: bytes) -> str:
        if len(body) > _MOST_BYTES:
            raise self._too_long()
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise HermesError(
                f"{self._name} printed what is no UTF-8, at byte {error.start}", code="command-output"
            ) from None

    def _too_long(self) -> HermesError:
        return HermesError(
            f"{self._name} printed more than {_MOST_BYTES >> 20} MiB, which is no query",
            code="command-output",
        )


def _environment(kg: KG) -> dict[str, str]:
    return os.environ | {"HERMES_KG": kg.source, "HERMES_GRAPH": kg.dataset}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and its process group, of which something may be left when it has ended itself."""
    if sys.platform == "win32":
        process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # all have ended; macOS says so by the second
            process.kill()
    process.wait()


def _last_line(complaint: IO[bytes]) -> str:
    size = complaint.seek(0, os.SEEK_END)
    complaint.seek(max(0, size - _TAIL))
    lines = complaint.read(_TAIL).decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return f': "{clip(said[-1], _SHOWN)}"' if said else ""
