"""What occurs at this point of a plan: predicates, classes and values, each with how often.

Each question is one bounded query that a store gets half a second for. Nobody waits longer: an answer that
comes later is there the next time, and one that does not come is not asked for again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final
from typing import Literal as OneOf

from hermes.algebra import Plan, render
from hermes.algebra.render import sub_query_text
from hermes.errors import StoreError
from hermes.results import Table
from hermes.sparql.iris import is_absolute
from hermes.store import is_endpoint, promptly
from hermes.suggest import suggest
from hermes.terms import IRI, RDF_TYPE, Literal, Term, Variable, full_iri

if TYPE_CHECKING:
    from hermes.kg import KG

PATIENCE: Final = 0.5
"""Seconds that completion waits, and that a store gets for one question."""

_BINDINGS: Final = 1000
"""So many bindings of a variable are looked at, or triples of a predicate."""
_LISTED: Final = 200
"""So many bindings are looked at on an endpoint, which is sent their names."""
_MOST: Final = 200
_REMEMBERED: Final = 200
_RESERVED: Final = ("_hermes_s", "_hermes_t", "_hermes_n")


@dataclass(frozen=True, slots=True)
class Occurring:
    """A term that occurs at a point, its label where the graph states one, and with how many subjects."""

    term: Term
    label: str
    count: int


Found = tuple[Occurring, ...]


class Occurrences:
    """Looks at what occurs, and remembers it. May be used from one thread at a time.

    Args:
        kg: the graph.
        patience: seconds to wait for an answer (default 0.5).
    """

    def __init__(self, kg: KG, patience: float = PATIENCE) -> None:
        self._kg = kg
        self._patience = patience
        self._select = promptly(kg.store, patience)
        self._known: OrderedDict[Hashable, Found | None] = OrderedDict()
        self._running: dict[Hashable, Event] = {}
        self._lock = Lock()

    def predicates(self, plan: Plan, subject: Variable | IRI) -> Found | None:
        """Return the predicates of what a subject is in the plan; None where that is not known."""
        if plan.dataset:
            return None
        if not _bound(plan, subject):
            return self.vocabulary("predicates")
        if isinstance(subject, Variable) and not is_endpoint(self._kg.store):
            return self._ask((plan, subject), lambda: self._next(plan, subject))
        return self._counted((plan, subject), "?_hermes_s ?_hermes_t ?_hermes_o", plan, subject)

    def objects(self, plan: Plan, subject: Variable | IRI, predicate: IRI) -> Found | None:
        """Return the values that a predicate has there, most frequent first; None where not known."""
        if plan.dataset:
            return None
        iri = full_iri(predicate.value)
        if _bound(plan, subject):
            key = (plan, subject, predicate)
            return self._counted(key, f"?_hermes_s {iri} ?_hermes_t", plan, subject)
        if predicate.value == RDF_TYPE:
            return self.vocabulary("classes")
        where = f"{{ SELECT ?_hermes_s ?_hermes_t {{ ?_hermes_s {iri} ?_hermes_t }} LIMIT {_BINDINGS} }}"
        return self._ask(predicate, lambda: self._counts(where))

    def vocabulary(self, name: OneOf["classes", "predicates"]) -> Found | None:
        """Return the classes or predicates of the whole graph; None where they are not known."""
        if not self._kg.vocabulary_known:  # on an endpoint, asking takes longer than anybody types
            return None
        counts = getattr(self._kg.vocabulary, name)
        terms = [(IRI(iri), count) for iri, count in islice(counts.items(), _MOST)]
        bare = tuple(Occurring(term, "", count) for term, count in terms)
        return self._ask(name, lambda: self._labelled(terms)) or bare

    def named(self, text: str) -> Found | None:
        """Return the entities whose label contains a text; None where that is not known soon enough.

        Endpoints are not asked: they would look through all labels for each letter that is typed.
        """
        if is_endpoint(self._kg.store):
            return None
        return self._ask(("named", text.casefold()), lambda: self._look_up(text))

    def _look_up(self, text: str) -> Found:
        return tuple(
            Occurring(entry.term, entry.label, 0) for entry in self._kg.lookup(text, "entity").entries
        )

    def _next(self, plan: Plan, subject: Variable) -> Found:
        """Return the predicates of a variable with the number of its values that have them."""
        steps = suggest(
            self._kg, plan.variant(limit=None, offset=0), subject, limit=None, seconds=self._patience
        )
        found = {
            item.term: item.values for item in steps.items if item.step == "out" and item.term is not None
        }
        return self._labelled(sorted(found.items(), key=lambda each: -each[1])[:_MOST])

    def _counted(self, key: Hashable, pattern: str, plan: Plan, subject: Variable | IRI) -> Found | None:
        return self._ask(key, lambda: self._counts(f"{self._start(plan, subject)} {pattern}"))

    def _counts(self, where: str) -> Found:
        query = (
            f"SELECT ?_hermes_t (COUNT(DISTINCT ?_hermes_s) AS ?_hermes_n) {{ {where} }} "
            f"GROUP BY ?_hermes_t ORDER BY DESC(?_hermes_n) LIMIT {_MOST}"
        )
        return self._labelled(_terms(self._select(query)))

    def _start(self, plan: Plan, subject: Variable | IRI) -> str:
        """Return a pattern that binds ?_hermes_s to what the subject is in the plan.

        An endpoint is first asked for some of it, which are then listed: Virtuoso refuses a join with a
        sub-query whose LIMIT it does not see.
        """
        if isinstance(subject, IRI):
            return _listed([subject])
        endpoint = is_endpoint(self._kg.store)
        inner = Plan(
            where=plan.where,
            projection=(subject,),
            projected=True,
            distinct=True,
            limit=_LISTED if endpoint else _BINDINGS,
        )
        if not endpoint:
            return f"{{ SELECT ({subject} AS ?_hermes_s) {{ {sub_query_text(inner, full_iri)} }} }}"
        rows = self._select(render(inner)).rows
        return _listed([term for row in rows if isinstance(term := row.get(subject.name), IRI)])

    def _labelled(self, terms: Sequence[tuple[Term, int]]) -> Found:
        labels = self._kg.stated_labels([term for term, _ in terms])
        return tuple(
            Occurring(term, labels.get(term, "") if isinstance(term, IRI) else "", count)
            for term, count in terms
        )

    def _ask(self, key: Hashable, look: Callable[[], Found]) -> Found | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            done = self._running.get(key)
            if done is None:
                done = self._running[key] = Event()
                Thread(target=self._look, args=(key, look, done), daemon=True).start()
        done.wait(self._patience)
        with self._lock:
            return self._known.get(key)

    def _look(self, key: Hashable, look: Callable[[], Found], done: Event) -> None:
        found: Found | None = None
        try:
            found = look()
        except StoreError:  # too slow, or gone: the names of the vocabulary must do
            pass
        finally:
            with self._lock:
                self._known[key] = found
                if len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
                del self._running[key]
            done.set()


def _bound(plan: Plan, subject: Variable | IRI) -> bool:
    return isinstance(subject, IRI) or subject in plan.where.scope()


def _listed(found: Sequence[IRI]) -> str:
    terms = [iri for iri in found if is_absolute(iri.value)]  # an endpoint may name anything
    return f"VALUES ?_hermes_s {{ {' '.join(map(str, terms))} }}"


def _terms(table: Table) -> list[tuple[Term, int]]:
    """Return terms with their counts; a blank node is left out, for a pattern cannot name it."""
    _, name, number = _RESERVED
    return [
        (term, int(count.lexical))
        for row in table.rows
        if isinstance(term := row.get(name), IRI | Literal)
        and isinstance(count := row.get(number), Literal)
        and count.lexical.isdigit()
    ]
