"""The steps that a plan can take next, none of which leads nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hermes.algebra.action import Action
from hermes.algebra.kind import refuse_after_slice
from hermes.algebra.plan import Plan
from hermes.findings import Suggestion, Suggestions
from hermes.labels import label_of
from hermes.linking import Candidate, link
from hermes.suggest.beginnings import beginnings
from hermes.suggest.look import Look
from hermes.suggest.next_step import NextStep
from hermes.suggest.ranking import Edge, ranked
from hermes.suggest.site import Site
from hermes.terms import IRI, Literal, Term, Variable

if TYPE_CHECKING:
    from hermes.kg import KG
    from hermes.verifier import Schema

SECONDS: Final = 0.8
"""How long the store may take for all queries of a focus."""
_NAMED: Final = 8
"""So many entities, and so many texts, that a question names are looked for around a focus."""
_LABELLED: Final = 100
"""So many suggestions have the labels of entities looked up."""
_LIKELY: Final = 0.4
"""The least score of a term whose name is said in part."""


def suggest(  # noqa: PLR0913 - all but the first two are settings
    kg: KG,
    plan: Plan,
    focus: Variable | None = None,
    text: str = "",
    limit: int | None = 20,
    *,
    schema: Schema | None = None,
    seconds: float = SECONDS,
) -> Suggestions:
    """Return the next steps at a variable of a plan, with what each leaves.

    A step that is not marked as estimated has exactly the solutions that it says, and at least one. At most
    three queries are sent; where they take too long, steps are estimated by the schema.

    Args:
        kg: the graph.
        plan: what was said so far.
        focus: a variable in scope; by default the one that answers.
        text: what is looked for, in words; steps that say it come first.
        limit: at most so many (default 20); None is all.
        schema: what is known of the graph; with it fewer queries are needed (default: nothing).
        seconds: how long the store may take, for all queries together (default 0.8).

    Raises:
        PlanError: nothing binds the focus, or the plan has a limit or an offset.
        StoreError: the store failed, for another reason than time.
    """
    if plan.empty:
        refuse_after_slice(plan)
        found = beginnings(kg, plan, schema, seconds)
        steps, name, complete = [*found.steps], "", found.complete
        said: frozenset[Edge] = frozenset()
        terms: Mapping[Term, Candidate] = {}
    else:
        site = Site.of(plan, focus)
        terms = _terms(kg, text)
        look = Look(kg, site, schema, seconds, tuple(terms))
        steps, name = [*look.steps()], site.focus.name
        complete, said = look.complete, site.said
    items = ranked([_suggestion(kg, plan, each, terms) for each in steps], text, said)
    shown = items if limit is None else items[:limit]
    if not text:
        shown = _with_labels(kg, shown[:_LABELLED]) + shown[_LABELLED:]
    return Suggestions(name, tuple(shown), len(items) - len(shown), complete, text)


class GraphSuggester:
    """Finds the next steps of plans over one graph (the port `hermes.algebra.ports.Suggester`).

    Args:
        kg: the graph.
        schema: what is known of it (default: nothing).
        seconds: how long the store may take for one focus (default 0.8).
    """

    def __init__(self, kg: KG, schema: Schema | None = None, seconds: float = SECONDS) -> None:
        self._kg = kg
        self._schema = schema
        self._seconds = seconds

    def suggest(self, plan: Plan, focus: Variable | None, text: str, limit: int | None) -> Suggestions:
        """Return the next steps at a variable (see `suggest`)."""
        return suggest(self._kg, plan, focus, text, limit, schema=self._schema, seconds=self._seconds)


def _suggestion(kg: KG, plan: Plan, step: NextStep, named: Mapping[Term, Candidate]) -> Suggestion:
    """Return a step with its label; no query is sent for one."""
    label = " ".join(_label(kg, term, named) for term in (step.term, step.other) if term is not None)
    action = str(Action.of(step.operator, plan.prefixes))
    score = named[step.other].score if step.other is not None and step.other in named else 0.0
    return Suggestion(action, step.step, step.term, label, step.solutions, step.values, step.estimated, score)


def _label(kg: KG, term: Term, named: Mapping[Term, Candidate]) -> str:
    if term in named:
        return named[term].name
    if isinstance(term, IRI):
        known = kg.vocabulary.labels.get(term.value) if kg.vocabulary_known else None
        return known or label_of(term, kg.prefixes)
    return term.lexical if isinstance(term, Literal) else str(term)


def _with_labels(kg: KG, items: Sequence[Suggestion]) -> list[Suggestion]:
    """Return suggestions with the labels that the graph states of entities; one query."""
    labels = kg.stated_labels([each.term for each in items if each.step == "value" and each.term is not None])
    return [
        replace(each, label=labels[each.term])
        if isinstance(each.term, IRI) and each.step == "value" and each.term in labels
        else each
        for each in items
    ]


def _terms(kg: KG, text: str) -> Mapping[Term, Candidate]:
    """Return the entities and texts that words name, as they may be meant; only where there is an index."""
    if not text.strip() or kg.indexes is None:
        return {}
    found = link(text, kg)
    named = (*found.ranked("entity", _NAMED), *found.ranked("value", _NAMED))
    return {each.term: each for each in named if each.evidence != "part" or each.score >= _LIKELY}
