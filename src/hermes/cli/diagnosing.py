"""A diagnosis for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hermes.algebra import Plan
from hermes.printable import printable
from hermes.repair import Diagnosis, Repair, diagnose
from hermes.repair.growth import COUNTED
from hermes.repair.repairs import clause_text
from hermes.repair.trial import MOST
from hermes.repair.wording import counted, shown
from hermes.store import embedded
from hermes.verifier import Kernel, Schema

if TYPE_CHECKING:
    from hermes.kg import KG


def diagnosed(kg: KG, plan: Plan) -> Diagnosis:
    """Return the diagnosis of a plan; an embedded graph is read for what it proves, an endpoint is not.

    Raises:
        StoreError: the store could not answer.
    """
    kernel = Kernel(Schema.mine(kg)) if embedded(kg.store) else None
    return diagnose(kg, plan, kernel)


def diagnosis_lines(found: Diagnosis) -> Iterator[str]:
    """Yield why there are no solutions, or where they multiply, and what mends it."""
    plan = found.plan
    if found.count == 0:
        yield "why there are no solutions:"
        for conflict in found.conflicts:
            says = "these have none together" if len(conflict) > 1 else "this has none alone"
            yield f"    {says}: " + "  |  ".join(shown(clause_text(each, plan)) for each in conflict)
        for number, each in enumerate(found.guilty):
            word = "else" if number else "most likely wrong"
            without = f"  (without it {counted(each.without, MOST)})" if _is_one_of_several(plan) else ""
            yield f"    {word}: {shown(each.text)}{without}"
        yield from _repair_lines(found)
    else:
        yield "where solutions multiply:"
        most = found.multiplies
        if most is None:
            yield "    nowhere: no clause adds to what is there before it"
        else:
            text = shown(clause_text(most.clause, plan))
            yield (
                f"    {text}: {most.before:,} -> {counted(most.after, COUNTED)}, "
                f"{most.factor:.3g} for each one before"
            )
        for join in found.joins:
            text = shown(join.pattern.text(plan.prefixes.names()))
            yield f"    parts share no variable; they are joined by {text}: {counted(join.count, MOST)}"
    if not found.complete:
        yield "    (time was out before everything was looked at)"


def _is_one_of_several(plan: Plan) -> bool:
    return len(plan.where.elements) + len(plan.where.filters) > 1 or bool(plan.having)


def _repair_lines(found: Diagnosis) -> Iterator[str]:
    if found.partial:
        yield "there are several faults; each of these changes mends one:"
    elif found.repairs:
        yield "single changes that bring solutions back:"
    elif found.conflicts:
        yield "no change of one clause was found that brings solutions back"
    for repair in (*found.repairs, *found.partial):
        yield f"    {printable(str(repair.action))}  -> {counted(repair.count, MOST)}"


def diagnosis_to_json(found: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as JSON; docs/repair.md says what each field means."""
    plan = found.plan
    most = found.multiplies
    return {
        "count": found.count,
        "conflicts": [[clause_text(each, plan) for each in conflict] for conflict in found.conflicts],
        "guilty": [{"text": each.text, "without": each.without} for each in found.guilty],
        "repairs": [repair_to_json(each) for each in found.repairs],
        "partial": [repair_to_json(each) for each in found.partial],
        "growth": [
            {"text": clause_text(each.clause, plan), "before": each.before, "after": each.after}
            for each in found.growth
        ],
        "multiplies": None if most is None else clause_text(most.clause, plan),
        "joins": [
            {"pattern": each.pattern.text(plan.prefixes.names()), "count": each.count} for each in found.joins
        ],
        "complete": found.complete,
    }


def repair_to_json(repair: Repair) -> dict[str, Any]:
    """Return a repair as JSON."""
    return {
        "action": repair.action.to_json(),
        "change": repair.change,
        "count": repair.count,
        "score": round(repair.score, 3),
    }
