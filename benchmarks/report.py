"""Aligned tables, each under the conditions in which it was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Literal

import hermes
from benchmarks.timing import Spread

Row = Sequence[str]

_CPU: Final = Path("/proc/cpuinfo")
_SMALL: Final = 10
_TINY: Final = 1


def installed(distribution: str) -> str:
    """Return the version of a distribution, or an empty text."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def conditions(*libraries: str) -> list[str]:
    """Return the lines that say where and when: date, Python, processor, versions."""
    found = [f"hermes-kg {hermes.__version__}"]
    found += [f"{name} {installed(name) or 'not installed'}" for name in libraries]
    return [
        (
            f"{datetime.now(UTC):%Y-%m-%d}, {platform.python_implementation()} {platform.python_version()}, "
            f"{platform.system()}, {os.cpu_count()} x {_cpu()}{_load()}"
        ),
        ", ".join(found),
    ]


def _cpu() -> str:
    if _CPU.is_file():
        for line in _CPU.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _load() -> str:
    """Return how busy the machine is; where more runs than there are processors, times are too long."""
    return f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""


def number(value: float) -> str:
    """Return a number with about three digits that count."""
    if float(value).is_integer() or value >= _SMALL:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= _TINY else f"{value:.3f}"


def table(header: Row, rows: Iterable[Row]) -> str:
    """Return rows as text: the first column on the left, the others on the right."""
    lines = [header, *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


class Report:
    """Collects the lines of one table and the targets that are missed."""

    def __init__(self, title: str, unit: str) -> None:
        self.title = title
        self.unit = unit
        self.rows: list[Row] = []
        self.missed: list[str] = []

    def add(
        self,
        what: str,
        values: Sequence[float],
        target: float | None = None,
        *,
        by: Literal["median", "largest"] = "median",
    ) -> None:
        """Add a line: the median of `values`, their 95th percentile and the largest.

        `target` is the most that the figure named by `by` may be.
        """
        if not values:
            self.rows.append((what, "0", "-", "-", "-", "", "nothing to measure"))
            return
        spread = Spread.of(values)
        figures = (str(spread.n), number(spread.median), number(spread.high), number(spread.largest))
        self.rows.append((what, *figures, *self.judge(what, getattr(spread, by), target, by)))

    def judge(self, what: str, value: float, target: float | None, by: str) -> tuple[str, str]:
        """Return the target and whether `value` meets it, as cells."""
        if target is None:
            return "", ""
        if value > target:
            self.missed.append(what)
        return f"{by} <= {number(target)}", "met" if value <= target else "MISSED"

    def print(self) -> None:
        """Print the table."""
        header = (self.title, "n", f"median {self.unit}", "95 %", "largest", "target", "")
        print(table(header, self.rows) + "\n")


def print_all(reports: Iterable[Report]) -> int:
    """Print the tables as they come; return 1 if a target was missed, else 0."""
    missed = False
    for report in reports:
        report.print()
        missed = missed or bool(report.missed)
    return int(missed)
