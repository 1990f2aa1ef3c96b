"""Who hermes is at an endpoint: from the environment or a file, never from the command line or a URL."""

from __future__ import annotations

import os
import tomllib
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hermes.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

USER: Final = "HERMES_USER"
PASSWORD: Final = "HERMES_PASSWORD"
TOKEN: Final = "HERMES_TOKEN"
FILE: Final = "HERMES_CREDENTIALS"
WAYS: Final = f"set {USER} and {PASSWORD}, or {TOKEN}, or name a file in {FILE}"

_HIDDEN: Final = "***"
_LEAST: Final = 4
_FIELDS: Final = ({"token"}, {"user", "password"})


@dataclass(frozen=True, slots=True)
class Credentials:
    """The value of the header `Authorization`, and what must not be shown to anyone."""

    header: str = field(default="", repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def basic(cls, user: str, password: str) -> Credentials:
        """Return the credentials of a user with a password (RFC 7617)."""
        coded = b64encode(f"{user}:{password}".encode()).decode()
        return cls(f"Basic {coded}", (coded, password))

    @classmethod
    def bearer(cls, token: str) -> Credentials:
        """Return the credentials of a token (RFC 6750).

        Raises:
            StoreError: the token cannot be sent in a header.
        """
        if not (token.isascii() and token.isprintable()):
            raise StoreError("the token for the endpoint is not one line of ASCII", code="credentials")
        return cls(f"Bearer {token}", (token,))

    def hide(self, text: str) -> str:
        """Return `text` without the secrets: a server may send back what it was sent."""
        for secret in self.secrets:
            if len(secret) >= _LEAST:
                text = text.replace(secret, _HIDDEN)
        return text


NOBODY: Final = Credentials()


def find_credentials(host: str, environment: Mapping[str, str] | None = None) -> Credentials:
    """Return the credentials for a host: those of the file, else those of the environment.

    `HERMES_CREDENTIALS` names a TOML file with a table for each host, which may name its port:

        ["query.example.org"]
        user = "ada"
        password = "..."

        ["127.0.0.1:3030"]
        token = "..."

    Hosts that the file does not name get `HERMES_TOKEN`, or `HERMES_USER` with `HERMES_PASSWORD`.

    Args:
        host: the name of the host, with its port where the URL has one.
        environment: by default that of the process.

    Raises:
        StoreError: the file cannot be read, or says something else.
    """
    known = os.environ if environment is None else environment
    if known.get(FILE):
        tables = _read(Path(known[FILE]))
        for name in (host, host.rpartition(":")[0]):
            if name in tables:
                return _of(tables[name], f"{known[FILE]}, {name}")
    if known.get(TOKEN):
        return Credentials.bearer(known[TOKEN])
    if known.get(USER):
        return Credentials.basic(known[USER], known.get(PASSWORD, ""))
    return NOBODY


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _wrong(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError:  # its message may quote a line of the file
        raise _wrong(f"{path} is not TOML") from None


def _of(table: object, where: str) -> Credentials:
    if isinstance(table, dict) and set(table) in _FIELDS and all(isinstance(v, str) for v in table.values()):
        if "token" in table:
            return Credentials.bearer(table["token"])
        return Credentials.basic(table["user"], table["password"])
    raise _wrong(f"{where}: expected token, or user and password, each a text")


def _wrong(reason: str) -> StoreError:
    return StoreError(f"credentials ({FILE}): {reason}", category="unreadable", code="credentials")
