"""The systems by name: those of hermes, and those that installed packages register.

A package registers a factory under the group of entry points `hermes.systems`; see docs/systems.md and
https://packaging.python.org/en/latest/specifications/entry-points/.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from hermes.errors import HermesError, did_you_mean
from hermes.printable import clip
from hermes.systems.system import System

_log: Final = logging.getLogger("hermes")

GROUP: Final = "hermes.systems"
"""The group of entry points."""

_OWN: Final = {
    name: EntryPoint(name, f"hermes.systems.{target}", GROUP)
    for name, target in {
        "command": "command:Command",
        "gold": "gold:Gold",
        "single-triple": "single_triple:SingleTriple",
        "uniqgen": "uniqgen:UniQGen",
    }.items()
}
"""The systems of hermes itself, which are there without being installed."""

_CLIPPED: Final = 200


def load_system(name: str, **settings: Any) -> System:
    """Return the system of a name. Only its own package is imported.

    Args:
        name: one of `system_names()`.
        settings: what its factory takes, such as `argv` for `command`.

    Raises:
        HermesError: there is no such system (code `unknown-system`; the nearest is named, and all), it cannot
            be imported or made (`broken-system`), or it does not take these settings (`system-settings`).
    """
    known = _registered()
    if name not in known:
        raise HermesError(
            f'there is no system "{clip(name, _CLIPPED)}"{did_you_mean(name, known)}; '
            f"there are: {', '.join(known)}",
            code="unknown-system",
        )
    factory = _factory(known[name])
    _check_settings(name, factory, settings)
    try:
        system = factory(**settings)
    except HermesError:
        raise
    except Exception as error:
        raise _broken(known[name], error) from error
    if not callable(getattr(system, "answer", None)):
        raise _broken(known[name], f"it makes a {type(system).__name__} without a method `answer`")
    return cast("System", system)


def system_names() -> tuple[str, ...]:
    """Return the names of all systems that can be loaded, in order.

    One that cannot be imported is left out, and the logger `hermes` is warned of it.
    """
    names = []
    for name, entry in _registered().items():
        try:
            _factory(entry)
        except HermesError as error:
            _log.warning("%s", error)
        else:
            names.append(name)
    return tuple(names)


def _registered() -> dict[str, EntryPoint]:
    """Return the entry points by name; hermes' own names cannot be taken, of two others the first counts."""
    found = dict(_OWN)
    for entry in entry_points(group=GROUP):
        known = found.setdefault(entry.name, entry)
        if known.value != entry.value:
            _log.warning(
                'two systems are called "%s": %s is used, %s is not', entry.name, known.value, entry.value
            )
    return dict(sorted(found.items()))


def _factory(entry: EntryPoint) -> Callable[..., object]:
    try:
        factory = entry.load()
    except (Exception, SystemExit) as error:
        raise _broken(entry, error) from error
    if not callable(factory):
        raise _broken(entry, "it is nothing that can be called to make a system")
    return cast("Callable[..., object]", factory)


def _check_settings(name: str, factory: Callable[..., object], settings: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):  # written in C: it says itself what it takes
        return
    try:
        signature.bind(**settings)
    except TypeError as error:
        takes = ", ".join(signature.parameters) or "none"
        raise HermesError(
            f'the system "{name}" does not take these settings: {error}; it takes: {takes}',
            code="system-settings",
        ) from error


def _broken(entry: EntryPoint, reason: BaseException | str) -> HermesError:
    said = reason if isinstance(reason, str) else f"{type(reason).__name__}: {reason}"
    return HermesError(
        f'the system "{entry.name}" ({entry.value}) is broken: {clip(said, _CLIPPED)}', code="broken-system"
    )
