"""The lines of earlier sessions, in a file of the state directory (XDG Base Directory Specification)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_MOST: Final = 1000


class LineHistory:
    """Remembers the lines of a person. That the file cannot be read or written is no failure.

    Args:
        path: the file, one line each (default: see `history_path`).
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or history_path()

    def lines(self) -> Sequence[str]:
        """Return the last 1,000 lines, the oldest first."""
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1][-_MOST:]
        except OSError:
            return []

    def append(self, text: str) -> None:
        """Remember a text as one line."""
        line = " ".join(text.split("\n")).strip()
        if not line:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)  # what people look for is their own affair
            with self._path.open("a", encoding="utf-8", errors="backslashreplace") as out:
                out.write(line + "\n")


def history_path() -> Path:
    """Return the file: `hermes/history` in `$XDG_STATE_HOME`, or in `~/.local/state`."""
    state = os.environ.get("XDG_STATE_HOME") or ""
    folder = Path(state) if Path(state).is_absolute() else Path("~/.local/state").expanduser()
    return folder / "hermes" / "history"
