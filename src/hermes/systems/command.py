"""`command`: any program that reads a question and writes a query."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from hermes.errors import HermesError
from hermes.kg import KG
from hermes.printable import clip
from hermes.systems.answer import Answer
from hermes.systems.query_answer import query_answer

TIME_LIMIT: Final = 60.0
"""Seconds that the program has for a question."""

_LARGEST: Final = 2**20
"""Bytes of a query; what is longer is none."""
_SHOWN: Final = 200


class Command:
    """Asks a program: the question on its stdin, the query on its stdout, an exit code of 0.

    The program is started for each question, without a shell. In its environment, `HERMES_GRAPH` says where
    the graph came from. Its query is run by hermes, under the limits of the graph, and only where it reads.

    Args:
        argv: the program and its arguments.
        timeout: seconds for a question; then the program and all that it started are killed.

    Raises:
        ValueError: `argv` is empty.
    """

    def __init__(self, argv: Sequence[str], timeout: float = TIME_LIMIT) -> None:
        if not argv:
            raise ValueError("expected a program")
        self.argv = tuple(argv)
        self.timeout = timeout

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer that the program's query gives.

        Raises:
            HermesError: the program could not be started, failed, took too long or wrote nothing (code
                `command`); or its query could not be run.
        """
        sparql = self._query(question, kg)
        if not sparql.strip():
            raise self._fault("wrote no query")
        return query_answer(sparql, kg)

    def _query(self, question: str, kg: KG) -> str:
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that the user names, and no shell
                self.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "HERMES_GRAPH": kg.source},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise self._fault(f"cannot be started: {error}") from error
        try:
            out, err = process.communicate(question.encode("utf-8", "replace"), self.timeout)
        except subprocess.TimeoutExpired:
            raise self._fault(f"took longer than {self.timeout:g} s") from None
        finally:
            _end(process)
        if process.returncode:
            said = err.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise self._fault(
                f"ended with {process.returncode}" + (f": {clip(said, _SHOWN)}" if said else "")
            )
        if len(out) > _LARGEST:
            raise self._fault(f"wrote {len(out):,} bytes, which is no query")
        return out.decode("utf-8", "replace")

    def _fault(self, what: str) -> HermesError:
        return HermesError(f"{clip(self.argv[0], _SHOWN)} {what}", code="command")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a program, and of what it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.wait()
