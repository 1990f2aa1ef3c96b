"""What to use where no option says it: the environment, then `hermes.toml` in the working folder."""

from __future__ import annotations

import os
import tomllib
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hermes.errors import HermesError, did_you_mean

NAME: Final = "hermes.toml"

_KEYS: Final = ("kg", "graph", "allow_service", "cache", "language", "timeout", "ontology", "shapes")
_LISTS: Final = frozenset(["kg", "allow_service", "ontology", "shapes"])


def configured(key: str, read: Callable[[str], Any] = str) -> Any:
    """Return what is configured for an option: a value, a list where it may be repeated, or None.

    `HERMES_KG`, `HERMES_GRAPH` and so on come before the file; an empty one does not count.

    Args:
        key: the name of the option, such as `timeout`.
        read: reads the text of a value, as for the option.

    Raises:
        HermesError: the file is not TOML, has a key that is no option, or a value that the option refuses.
    """
    variable = f"HERMES_{key.upper()}"
    if named := os.environ.get(variable):
        return _read([named] if key in _LISTS else named, key, read, variable)
    found = _file().get(key)
    return None if found is None else _read(found, key, read, f"{NAME}: {key}")


def _read(found: Any, key: str, read: Callable[[str], Any], where: str) -> Any:
    if key in _LISTS:
        values = [found] if isinstance(found, str) else found
        if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
            raise _wrong(f"{where} is a text, or a list of texts")
        return [read(value) for value in values]
    number = isinstance(found, int | float) and not isinstance(found, bool)
    if not number and not (isinstance(found, str) and found):
        raise _wrong(f"{where} is a text or a number")
    try:
        return read(str(found))
    except (ValueError, ArgumentTypeError) as error:
        raise _wrong(f"{where}: {error}") from None


def _file() -> Mapping[str, Any]:
    try:
        found = tomllib.loads(Path(NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _wrong(f"cannot read {NAME}: {error}") from None
    for key, value in found.items():
        if key not in _KEYS and not isinstance(value, dict):  # tables are for other programs
            raise _wrong(
                f'{NAME}: there is no option "{key}"{did_you_mean(key, _KEYS)}; options: {", ".join(_KEYS)}'
            )
    return found


def _wrong(message: str) -> HermesError:
    return HermesError(message, code="unreadable")
