"""What a session is told about its steps: by a kernel that is made when it is worth it, and by repairs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from hermes.algebra.action import Action
from hermes.algebra.hints.change import Change
from hermes.algebra.kind import Operator
from hermes.algebra.observation import Hint
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.replace import Replace
from hermes.algebra.operators.triple import Triple
from hermes.algebra.ports import Kernel, Verdict
from hermes.errors import HermesError, StoreError
from hermes.repair.repairs import MOST, Repair, as_group, clause_text, repairs
from hermes.repair.wording import repair_text
from hermes.sparql.patterns import TriplePattern
from hermes.store import embedded
from hermes.verifier import Kernel as SchemaKernel
from hermes.verifier import Schema

if TYPE_CHECKING:
    from hermes.kg import KG

_LIKELY: Final = 0.6
"""A repair that is less likely than this, beside the first, is not named."""
_AT_ONCE: Final = 5_000
"""A graph of so many triples is read when a session begins: that takes some hundredths of a second."""
_MOST_TRIPLES: Final = 300_000
"""A larger graph is not read for a hint: that would take longer than a step may."""


class GraphAdviser:
    """Says why a step leaves nothing and what mends it, and what is hardly meant; `Explorer` takes one.

    A graph of up to 5,000 triples is read whole at the first step; one of up to 300,000 when a step leaves
    nothing or a goal is declared. Of others, and until then, the kernel knows what needs no schema.

    Args:
        kg: the graph.
        kernel: what is known of it, where that is there already.
    """

    def __init__(self, kg: KG, kernel: Kernel | None = None) -> None:
        self._kg = kg
        self._whole = kernel
        self._blank = SchemaKernel(Schema(kg.fingerprint, kg.dataset, complete=False))

    def kernel(self, *, needed: bool) -> Kernel:
        """Return the kernel; see above. Where the graph cannot be read it is one that needs no schema."""
        if self._whole is None and self._triples <= (_MOST_TRIPLES if needed else _AT_ONCE):
            try:
                self._whole = SchemaKernel(Schema.mine(self._kg))
            except StoreError:  # a step has been observed; that no more is known of it is no reason to fail
                return self._blank
        return self._whole or self._blank

    @property
    def _triples(self) -> float:
        store = embedded(self._kg.store)
        return float("inf") if store is None else store.size

    def repairs(self, change: Change, verdict: Verdict, kernel: Kernel, *, taken: bool) -> tuple[Hint, ...]:
        """Return a hint for each likely repair with the step that makes it; three queries at most.

        That step changes the plan after the step where it was taken, else the plan before it.
        """
        try:
            found = repairs(self._kg, change.plan, verdict.at, kernel, MOST)
        except StoreError:  # the step has been observed; that its repair cannot be had is no reason to fail
            return ()
        likely = [repair for repair in found if repair.score >= _LIKELY * found[0].score]
        return tuple(_hint(change, repair, taken=taken) for repair in likely)


def _hint(change: Change, repair: Repair, *, taken: bool) -> Hint:
    action = repair.action if taken else _instead(change, repair)
    step = "" if action is None else json.dumps(action.to_json(), ensure_ascii=False)
    return Hint("repair", repair_text(change.plan, repair), step)


def _instead(change: Change, repair: Repair) -> Action | None:
    """Return the step to take instead of one that was refused, or before it; None where there is none."""
    before, after = change.before, repair.plan
    old = before.where
    added = (after.where.elements[len(old.elements) :], after.where.filters[len(old.filters) :])
    match added:
        case ((TriplePattern() as pattern,), ()):
            operator: Operator = Triple(pattern)
        case ((Operator() as clause,), ()):
            operator = clause
        case ((), (condition,)):
            operator = Filter(condition)
        case _:
            return None
    own = Action.of(operator, before.prefixes)
    other = Action.of(Replace(clause_text(repair.old, before), as_group(repair.new)), before.prefixes)
    try:
        if own.apply(before) == after:
            return own
        return other if change.meant_on(other.apply(before)) == after else None
    except HermesError:
        return None
