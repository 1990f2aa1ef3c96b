"""The records of a run in a file, so that a run that was interrupted goes on where it stopped.

JSON Lines: what the run is, then a record a line as they come. A line that was cut when the program was
killed is dropped, and its question asked again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hermes.errors import HermesError
from hermes.evaluation.record import Record
from hermes.version import __version__

FORMAT: Final = 1
RECORDS: Final = "records.jsonl"


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two runs the same.

    Args:
        questions: the name of the set.
        digest: the SHA-256 of its file, in hexadecimal.
        system: the name of the system.
        settings: those of the system and of the run, as texts.
        hermes: the version.
    """

    questions: str
    digest: str
    system: str
    settings: Mapping[str, str]
    hermes: str = __version__

    @classmethod
    def of(cls, name: str, file: Path, system: str, settings: Mapping[str, str]) -> Identity:
        """Return the identity of a run over the questions of a file."""
        return cls(name, sha256(file.read_bytes()).hexdigest(), system, dict(settings))


class RunFile:
    """The file of a run; records are added to it as they come.

    Args:
        folder: where it is; made where it is not there.
        identity: what the run is.

    Raises:
        HermesError: the folder holds another run (code `another-run`), or cannot be written (`unwritable`).
    """

    def __init__(self, folder: Path, identity: Identity) -> None:
        self.path = folder / RECORDS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.records = self._resumed(identity) if self.path.exists() else self._begun(identity)
            self._out = self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise HermesError(
                f"cannot write {self.path}: {error.strerror or error}", code="unwritable"
            ) from error

    def _begun(self, identity: Identity) -> dict[str, Record]:
        head = {"format": FORMAT, **asdict(identity)}
        self.path.write_text(json.dumps(head, ensure_ascii=False) + "\n", encoding="utf-8")
        return {}

    def _resumed(self, identity: Identity) -> dict[str, Record]:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:  # the program was killed before the first line was whole
            return self._begun(identity)
        head, records = _read(whole, self.path)
        wanted = {"format": FORMAT, **asdict(identity)}
        if head != wanted:
            other = next(name for name in {**wanted, **head} if head.get(name) != wanted.get(name))
            raise HermesError(
                f"{self.path} is of another run (its {other} differs): choose another --out, or remove it",
                code="another-run",
            )
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))
        return records

    def add(self, record: Record) -> None:
        """Write a record; it is in the file when this returns."""
        self._out.write(json.dumps(record.to_json(), ensure_ascii=False) + "\n")
        self._out.flush()
        self.records[record.id] = record

    def close(self) -> None:
        """Close the file."""
        self._out.close()


def read_run(folder: Path) -> list[Record]:
    """Return the records of a run that was written to a folder.

    Raises:
        HermesError: there is none (code `unreadable`).
    """
    path = folder / RECORDS
    try:
        data = path.read_bytes()
    except OSError as error:
        raise HermesError(f"cannot read {path}: {error.strerror or error}", code="unreadable") from error
    return list(_read(data[: data.rfind(b"\n") + 1], path)[1].values())


def _read(data: bytes, path: Path) -> tuple[dict[str, Any], dict[str, Record]]:
    try:
        head, *rest = [json.loads(line) for line in data.split(b"\n") if line]
        known = head["format"] == FORMAT
        records = [Record.from_json(line) for line in rest] if known else []
    except (ValueError, TypeError, KeyError) as error:
        raise HermesError(f"{path} is no run of hermes: {error!r:.120}", code="unreadable") from error
    if not known:
        raise HermesError(
            f"{path} has format {head['format']}; this version reads format {FORMAT}", code="unreadable"
        )
    return head, {record.id: record for record in records}
