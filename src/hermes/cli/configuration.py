"""`hermes.toml` in the working folder: what to use where neither an option nor the environment says it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hermes.errors import HermesError

NAME: Final = "hermes.toml"


def configured_sources() -> Sequence[str]:
    """Return `kg` of the file, a text or a list of texts; nothing where there is no file or no such key.

    Raises:
        HermesError: the file is not TOML, or `kg` is something else.
    """
    try:
        found = tomllib.loads(Path(NAME).read_text(encoding="utf-8")).get("kg", [])
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise HermesError(f"cannot read {NAME}: {error}", code="unreadable") from None
    sources = [found] if isinstance(found, str) else found
    if not isinstance(sources, list) or not all(isinstance(source, str) and source for source in sources):
        raise HermesError(
            f"{NAME}: kg is a file, a shipped name or an address, or a list of files", code="unreadable"
        )
    return sources
