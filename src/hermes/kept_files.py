"""Files that can be made anew: where they are kept, how they are written, and which are removed."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

_PARTIAL: Final = ".partial"
_ABANDONED: Final = 86_400.0
"""Seconds after which a file that is not complete is nobody's any more."""
_HEX: Final = 32


def cache_folder() -> Path:
    """Return the directory for what can be made anew: `$XDG_CACHE_HOME/hermes`, else `~/.cache/hermes`."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # A relative path there is to be ignored (XDG Base Directory Specification).
    return (Path(named) if os.path.isabs(named) else Path.home() / ".cache") / "hermes"  # noqa: PTH117


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """A sort of files, each known by a key.

    Args:
        prefix: how their names begin.
        suffix: how they end.
    """

    prefix: str
    suffix: str

    def name(self, key: str) -> str:
        """Return the name of the file that is known by a key."""
        return f"{self.prefix}{sha256(key.encode()).hexdigest()[:_HEX]}{self.suffix}"

    def write(self, path: Path, fill: Callable[[Path], object]) -> None:
        """Let a file be filled under another name, and put it under its own when it is complete.

        Raises:
            OSError: it cannot be written.
        """
        partial: Path | None = None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(_PARTIAL, self.prefix, path.parent)
            os.close(handle)
            partial = Path(name)
            fill(partial)
            partial.replace(path)
        finally:
            if partial is not None:
                with suppress(OSError):
                    partial.unlink(missing_ok=True)

    def prune(self, kept: Path, most: int) -> None:
        """Remove what a killed program left, and of more than `most` bytes the files not used for longest.

        Only in the folder of `kept`, which stays.
        """
        found = []
        for path in kept.parent.glob(f"{self.prefix}*"):
            with suppress(OSError):
                status = path.stat()
                if path.suffix == self.suffix:
                    found.append((status.st_mtime, status.st_size, path))
                elif path.suffix == _PARTIAL and time.time() - status.st_mtime > _ABANDONED:
                    path.unlink()
        room = most
        for _, size, path in sorted(found, reverse=True):
            room -= size
            if room < 0 and path != kept:
                with suppress(OSError):
                    path.unlink()
