"""Files of actions: one JSON object a line, or one JSON array of objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from hermes.algebra import Action, parse_action
from hermes.errors import ActionError, HermesError


@dataclass(frozen=True, slots=True)
class Entry:
    """What should be an action: where it stands in the file, and its text there."""

    place: str
    text: str
    utf8: bool = True

    def action(self) -> Action:
        """Return the action.

        Raises:
            ActionError: it is none.
        """
        if not self.utf8:
            raise ActionError("this is not UTF-8 text", code="not-json")
        return parse_action(self.text)

    def given(self) -> Any:
        """Return the JSON value, or the text where it is no JSON."""
        try:
            return json.loads(self.text) if self.utf8 else self.text
        except (ValueError, RecursionError):
            return self.text


def entries(stream: BinaryIO, name: str) -> Iterator[Entry]:
    """Yield the actions of a file as its lines arrive; empty lines and lines that begin with # are skipped.

    Raises:
        HermesError: a file that begins with `[` is not a JSON array.
    """
    first = True
    for number, line in enumerate(stream, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").strip()
        if not text or text.startswith(b"#"):
            continue
        if first and text.startswith(b"["):
            yield from _array(line.lstrip(b"\xef\xbb\xbf") + stream.read(), name)
            return
        first = False
        try:
            yield Entry(f"line {number}", text.decode())
        except UnicodeDecodeError:
            yield Entry(f"line {number}", text.decode(errors="backslashreplace"), utf8=False)


def _array(text: bytes, name: str) -> Iterator[Entry]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HermesError(
            f"{name} begins with [ but is not a JSON array of actions: {error}", code="not-json"
        ) from error
    for number, item in enumerate(found, start=1):
        yield Entry(f"action {number}", json.dumps(item, ensure_ascii=False))
