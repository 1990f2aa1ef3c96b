"""`--verify`: what is done with the kernel's verdicts on the steps of a session."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hermes.algebra import Observation, Plan
from hermes.algebra.observation import Hint, Rejected, Solutions
from hermes.cli.action_file import Entry
from hermes.cli.diagnosing import repair_text
from hermes.errors import StoreError
from hermes.repair import repairs
from hermes.store import embedded, is_endpoint
from hermes.verifier import Kernel, Refusal, Schema

if TYPE_CHECKING:
    from hermes.kg import KG

OFF: Final = "off"
WARN: Final = "warn"
REFUSE: Final = "refuse"

_REPAIRS: Final = 3
_LIKELY: Final = 0.6
"""A repair that is less likely than this, beside the first, is not named."""
_MOST_TRIPLES: Final = 300_000
"""A larger graph is not read for a hint: that would take longer than a step may."""


def add_verify_option(parser: argparse.ArgumentParser) -> None:
    """Add `--verify off|warn|refuse`."""
    parser.add_argument(
        "--verify",
        choices=(OFF, WARN, REFUSE),
        default=WARN,
        help="what is done where the graph proves that a step leaves no solution: nothing, a hint that says "
        "why (graphs of up to 300,000 triples), or the step is rejected before it runs (default: warn)",
    )


class Verifying:
    """The kernel of a session, made when it is first needed.

    Args:
        kg: the graph.
        mode: `off`, `warn` or `refuse`.
    """

    def __init__(self, kg: KG, mode: str) -> None:
        self._kg = kg
        self._mode = mode

    @property
    def kernel(self) -> Kernel | None:
        """What an explorer refuses by: None unless steps are to be refused, and some can be."""
        return self._made if self._mode == REFUSE and not is_endpoint(self._kg.store) else None

    @cached_property
    def _made(self) -> Kernel:
        return Kernel(Schema.mine(self._kg))

    def hinted(self, plan: Plan, seen: Observation) -> Observation:
        """Return what is seen of a step, with the reason why nothing is left, and what mends it.

        The repair is given at the step that leaves nothing, not at those after it.
        """
        if self._mode != WARN or not isinstance(seen, Solutions) or seen.count or not self._small:
            return seen
        verdict = self._made.check(plan)
        if not isinstance(verdict, Refusal):
            return seen
        named = any(hint.code.startswith("unknown-") for hint in seen.hints)
        why = () if named else (Hint("no-solution", verdict.reason),)
        again = seen.before == 0
        mended = () if again else _repair_hints(self._kg, plan, verdict.at, self._made)
        return replace(seen, hints=(*seen.hints, *why, *mended))

    def mended(self, plan: Plan, entry: Entry, seen: Observation) -> Observation:
        """Return a refusal of a step with what could be said instead; `plan` is the one before the step."""
        if self._mode != REFUSE or not isinstance(seen, Rejected) or seen.stage != "verify":
            return seen
        refused = entry.action().apply(plan)
        verdict = self._made.check(refused)
        if not isinstance(verdict, Refusal):
            return seen
        return replace(seen, hints=(*seen.hints, *_repair_hints(self._kg, refused, verdict.at, self._made)))

    @property
    def _small(self) -> bool:
        store = embedded(self._kg.store)
        return store is not None and store.size <= _MOST_TRIPLES


def _repair_hints(kg: KG, plan: Plan, at: str, kernel: Kernel) -> tuple[Hint, ...]:
    """Return a hint for each repair; none where the store has no time for them."""
    try:
        found = repairs(kg, plan, at, kernel, _REPAIRS)
    except StoreError:  # the step has been observed; that its repair cannot be had is no reason to fail
        return ()
    likely = [repair for repair in found if repair.score >= _LIKELY * found[0].score]
    return tuple(Hint("repair", repair_text(plan, repair)) for repair in likely)
