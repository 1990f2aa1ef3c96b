"""`--verify`: what is done with the kernel's verdicts on the steps of a session."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final, NamedTuple

from hermes.algebra.ports import Adviser
from hermes.repair import GraphAdviser
from hermes.store import is_endpoint
from hermes.verifier import Kernel, Schema

if TYPE_CHECKING:
    from hermes.kg import KG

OFF: Final = "off"
WARN: Final = "warn"
REFUSE: Final = "refuse"


class Verification(NamedTuple):
    """What refuses steps, and what advises; an explorer takes both."""

    kernel: Kernel | None = None
    adviser: Adviser | None = None


NOT_VERIFIED: Final = Verification()


def add_verify_option(
    parser: argparse.ArgumentParser, rejected: str = "or the step is rejected before it runs"
) -> None:
    """Add `--verify off|warn|refuse`; `rejected` says what the last one does."""
    parser.add_argument(
        "--verify",
        choices=(OFF, WARN, REFUSE),
        default=WARN,
        help="what is done where the graph proves that a step leaves no solution: nothing, a hint that says "
        f"why (graphs of up to 300,000 triples), {rejected} (default: warn)",
    )


def verification(kg: KG, mode: str) -> Verification:
    """Return what verifies a session: `off`, `warn` or `refuse`.

    Raises:
        StoreError: steps are to be refused, and the graph could not be read.
    """
    if mode == OFF:
        return NOT_VERIFIED
    if mode == WARN or is_endpoint(kg.store):  # of an endpoint nothing is proved, so nothing can be refused
        return Verification(adviser=GraphAdviser(kg))
    kernel = Kernel(Schema.mine(kg))
    return Verification(kernel, GraphAdviser(kg, kernel))
