"""`python -m benchmarks [NAME ...]` runs all or the named benchmarks; `--list` names them.

The exit code is 1 when one of them missed a target or found a fault.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

NAMES: Final = (
    "grammar",
    "algebra",
    "parsers",
    "coverage",
    "stores",
    "cache",
    "endpoint",
    "inspect",
    "words",
    "lookup",
    "explain",
    "schema",
    "kernel",
    "endpoint_kernel",
    "diagnose",
    "linking",
    "suggest",
    "scores",
    "evaluation",
)


def find(name: str) -> ModuleType | str:
    """Return the module of a benchmark, or a line that says what it needs."""
    try:
        return import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as missing:
        return f"cannot run: {missing.name} is not installed"


def summary(name: str) -> str:
    """Return the first line that a benchmark says of itself, or what it needs."""
    found = find(name)
    return found if isinstance(found, str) else (found.__doc__ or "").strip().split("\n")[0]


def run(name: str) -> int:
    """Run one benchmark and return its exit code; 2 when it needs what is not installed."""
    print(f"== {name}: {summary(name)}\n", flush=True)
    found = find(name)
    if isinstance(found, str):
        return 2
    code: int = found.main([])
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; default: all")
    parser.add_argument("--list", action="store_true", help="name the benchmarks")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; known: {', '.join(NAMES)}")
    if options.list:
        for name in NAMES:
            print(f"{name:10} {summary(name)}")
        return 0
    return max([run(name) for name in options.names or NAMES], default=0)


if __name__ == "__main__":
    raise SystemExit(main())
