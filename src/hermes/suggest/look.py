"""One look at a focus: the queries, and the steps that their answers allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from hermes.algebra.kind import Operator
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.triple import Triple
from hermes.errors import StoreError
from hermes.findings import Step
from hermes.results import Table
from hermes.sparql.patterns import TriplePattern
from hermes.store import deadline
from hermes.suggest.beginnings import TOO_SLOW
from hermes.suggest.counting import Counted, Counting, Spread
from hermes.suggest.naming import named_after
from hermes.suggest.next_step import NextStep
from hermes.suggest.schema_counts import by_vocabulary, estimated, of_class
from hermes.suggest.site import Site
from hermes.suggest.spread import choices
from hermes.terms import IRI, RDF_TYPE, Literal, Term, Variable

if TYPE_CHECKING:
    from hermes.kg import KG
    from hermes.verifier import Schema

_OTHERS: Final = 3
"""Of so many other variables of a plan it is asked how the focus is connected with them."""
_TYPE: Final = IRI(RDF_TYPE)


class Look:
    """Looks at one focus with at most three queries: its edges, its connections, its values.

    Args:
        kg: the graph.
        site: the focus.
        schema: what is known of the graph; None where nothing is.
        seconds: how long all queries together may take.
        terms: what a text names: how the focus is connected with them.

    Attributes:
        complete: False where a query had no time.
    """

    def __init__(
        self, kg: KG, site: Site, schema: Schema | None, seconds: float, terms: Sequence[Term]
    ) -> None:
        self._kg = kg
        self._site = site
        self._schema = schema
        self._until = monotonic() + seconds
        self._terms = [term for term in terms if isinstance(term, IRI | Literal)]
        self._counting = Counting(site)
        self.complete = True

    def steps(self) -> Iterator[NextStep]:
        """Yield the steps that are known, in no order; what leaves the plan as it is is none."""
        given = self._site.given
        for each in self._all():
            operator = each.operator
            said = isinstance(operator, Filter) and (
                # A filter sees what WHERE binds, and no table after the query.
                self._site.focus not in given.where.scope() or operator.expr in given.where.filters
            )
            if not said and operator.apply(given) != given:
                yield each

    def _all(self) -> Iterator[NextStep]:
        known = None if self._schema is None else of_class(self._site, self._schema)
        spread = self._spread() if known is None else None
        exact = self._edges() if known is None else known[0]
        likely = self._estimates() if exact is None else known[1] if known is not None else ()
        yield from self._counted(exact or ())
        yield from self._counted(likely, estimated=True)
        yield from self._counted(self._connections())
        if spread is not None:
            for each in choices(self._site, spread, self._kg.engine):
                yield NextStep(each.operator, each.step, each.term, None, each.solutions, each.values)

    # --- queries --------------------------------------------------------------------------------------

    def _select(self, query: str) -> Table | None:
        """Return the answer of a query; None where there is no time for it."""
        try:
            with deadline(self._until - monotonic()):
                table = self._kg.select(query)
        except StoreError as error:
            if error.category not in TOO_SLOW:
                raise
            self.complete = False
            return None
        self.complete = self.complete and table.complete
        return table

    def _spread(self) -> Spread | None:
        """Return the values of the focus; the next queries begin at these, where they are few."""
        table = self._select(self._counting.values())
        if table is None:
            return None
        found = self._counting.read_values(table)
        self._counting.use(found)
        return found

    def _edges(self) -> Iterable[Counted] | None:
        if self._site.way == "exists" and not self._site.plain:
            self.complete = False  # nothing is known of these
            return ()
        table = self._select(self._counting.edges())
        return None if table is None or not table.complete else self._counting.read(table)

    def _connections(self) -> Iterable[Counted]:
        site = self._site
        if not self._terms or (site.way == "exists" and not site.plain):
            return ()
        certain = site.certain & self._counting.near if site.way == "triple" else frozenset()
        others = [each for each in site.plan.scope if each in certain and each != site.focus][:_OTHERS]
        table = self._select(self._counting.connections(self._terms, others))
        return () if table is None else self._counting.read(table, others)

    def _estimates(self) -> Iterable[Counted]:
        if self._schema is not None:
            return estimated(self._site, self._schema)
        return by_vocabulary(self._kg.vocabulary.predicates) if self._kg.vocabulary_known else ()

    # --- steps ----------------------------------------------------------------------------------------

    def _counted(self, found: Iterable[Counted], *, estimated: bool = False) -> Iterator[NextStep]:
        for each in found:
            if each.what == "bound":
                made = self._bound_step()
            else:
                made = self._class_step(each) if each.what == "class" else self._edge_step(each)
            if made is not None:
                operator, step, term, other = made
                yield NextStep(operator, step, term, other, each.solutions, each.values, estimated=estimated)

    def _bound_step(self) -> tuple[Operator, Step, Term, Term | None] | None:
        needed = self._site.needed
        if needed is None or not isinstance(needed.predicate, IRI):
            return None
        outwards = needed.subject == self._site.focus
        return Triple(needed), "out" if outwards else "in", needed.predicate, None

    def _class_step(self, found: Counted) -> tuple[Operator, Step, Term, Term | None] | None:
        if not isinstance(found.other, IRI):
            return None
        pattern = TriplePattern(self._site.focus, _TYPE, found.other)
        return self._site.edge(pattern), "class", found.other, None

    def _edge_step(self, found: Counted) -> tuple[Operator, Step, Term, Term | None] | None:
        site, other = self._site, found.other
        if found.predicate is None:
            return None
        if other is None:
            ending = "" if found.what == "out" else "_of"
            other = named_after(found.predicate, site.taken, ending=ending)
        if not isinstance(other, IRI | Literal | Variable):
            return None
        outwards = found.what == "out"
        ends = (site.focus, other) if outwards else (other, site.focus)
        operator = site.edge(TriplePattern(ends[0], found.predicate, ends[1]))
        named = None if isinstance(other, Variable) else other
        return operator, "out" if outwards else "in", found.predicate, named
