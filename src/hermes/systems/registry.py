"""The systems by name: those of hermes, and those that other packages register.

A package registers one as an entry point of the group `hermes.systems`: a callable that takes the settings
and returns a `System`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from hermes.errors import HermesError, did_you_mean
from hermes.systems.system import System

GROUP: Final = "hermes.systems"

_OWN: Final[Mapping[str, str]] = {
    "single-triple": "hermes.systems.single_triple:SingleTriple",
    "gold": "hermes.systems.gold:Gold",
    "command": "hermes.systems.command:Command",
}

_log: Final = logging.getLogger("hermes")


def load_system(name: str, **settings: Any) -> System:
    """Return a system, made with its settings; only its own module is imported.

    Raises:
        HermesError: there is none of this name (code `unknown-system`), it cannot be loaded, or it does not
            take these settings (code `broken-system`).
    """
    known = _known()
    if name not in known:
        near = did_you_mean(name, known)
        raise HermesError(
            f'there is no system "{name}"{near}; systems: {", ".join(known)}', code="unknown-system"
        )
    made = _made(name, known[name], settings)
    if not callable(getattr(made, "answer", None)):
        raise HermesError(f"the system {name} has no method answer(question, kg)", code="broken-system")
    return made


def _made(name: str, point: EntryPoint, settings: Mapping[str, Any]) -> System:
    try:
        make: Callable[..., System] = point.load()
        return make(**settings)
    except HermesError:
        raise
    except Exception as error:
        raise HermesError(
            f"the system {name} ({point.value}) cannot be used: {type(error).__name__}: {error}",
            code="broken-system",
        ) from error


def system_names() -> tuple[str, ...]:
    """Return the names of the systems that can be loaded; of others the logger `hermes` is warned."""
    return tuple(name for name, point in _known().items() if name in _OWN or _loads(name, point))


def _loads(name: str, point: EntryPoint) -> bool:
    try:
        point.load()
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the package of somebody else
        _log.warning("the system %s (%s) cannot be loaded: %s", name, point.value, error)
        return False
    return True


def _known() -> dict[str, EntryPoint]:
    own = {name: EntryPoint(name, value, GROUP) for name, value in _OWN.items()}
    others = {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda each: each.name)}
    return {**others, **own}
