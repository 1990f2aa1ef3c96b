"""What looks at a query before it runs: the kernel, and what others do, each behind one function."""

from __future__ import annotations

import logging
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import inf
from types import ModuleType
from typing import Any, Final

from hermes import KG
from hermes.algebra import Plan, render
from hermes.sparql.expressions import Expression, Membership, Operation
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, XSD, Term, Variable
from hermes.terms import Literal as LiteralTerm
from hermes.verifier import Kernel
from hermes.verifier.literals import NUMERIC, family

Check = Callable[[Plan], frozenset[str]]
"""Returns `REFUSED`, or the warnings on a plan."""

REFUSED: Final = frozenset({"refused"})
NOTHING: Final[frozenset[str]] = frozenset()

_TRIPLES: Final = """\
SELECT DISTINCT ?c ?p ?d {
  ?s a ?c ; ?p ?o . OPTIONAL { ?o a ?k } BIND(COALESCE(?k, DATATYPE(?o)) AS ?d)
}"""
_SPANS: Final = """\
SELECT ?p (MIN(?o) AS ?low) (MAX(?o) AS ?high) { ?s ?p ?o FILTER(ISNUMERIC(?o)) } GROUP BY ?p"""
_ENDPOINT: Final = "http://localhost/sparql"


@dataclass(frozen=True, slots=True)
class Checker:
    """One way to look at queries; `make` reads a graph once and returns what then looks at plans."""

    name: str
    make: Callable[[KG, Kernel], Check]
    needs: str = ""

    @property
    def missing(self) -> bool:
        """Whether what it needs is not installed."""
        return bool(self.needs) and find_spec(self.needs) is None


Known = dict[str, dict[str, set[str]]]
"""By class of the subject and predicate: the classes or datatypes of objects."""

_KNOWN: dict[str, Known] = {}


def known(kg: KG) -> Known:
    """Return which predicates the instances of a class have, with what; read once a graph."""
    if kg.fingerprint not in _KNOWN:
        _KNOWN.clear()
        found: Known = defaultdict(lambda: defaultdict(set))
        for row in kg.select(_TRIPLES).rows:
            kind, predicate, other = row["c"], row["p"], row.get("d")
            if isinstance(kind, IRI) and isinstance(predicate, IRI):
                values = found[kind.value][predicate.value]
                if isinstance(other, IRI):
                    values.add(other.value)
        _KNOWN[kg.fingerprint] = found
    return _KNOWN[kg.fingerprint]


def kernel_check(_: KG, kernel: Kernel) -> Check:
    """Return the kernel."""

    def check(plan: Plan) -> frozenset[str]:
        verdict = kernel.check(plan)
        if not verdict.accepted:
            return REFUSED
        return frozenset(f"{each.code} {each.at}" for each in verdict.warnings)

    return check


def parser_check(_: KG, __: Kernel) -> Check:
    """Return rdflib's parser and translation to algebra."""
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    prepare = import_module("rdflib.plugins.sparql").prepareQuery

    def check(plan: Plan) -> frozenset[str]:
        try:
            prepare(render(plan))
        except Exception:  # noqa: BLE001 - it has exceptions of many kinds
            return REFUSED
        return NOTHING

    return check


def sparql_llm_check(kg: KG, _: Kernel) -> Check:
    """Return the validator of sparql-llm, with the description of the graph that it would read from VoID.

    The validator runs unchanged; see `_validator` for what it imports and does not use.
    """
    validate = _validator()
    described = {
        kind: {predicate: sorted(values) for predicate, values in by.items()}
        for kind, by in known(kg).items()
    }
    logging.getLogger("sparql_llm").setLevel(logging.CRITICAL)

    def check(plan: Plan) -> frozenset[str]:
        result = validate(render(plan), _ENDPOINT, {"xsd": XSD}, {_ENDPOINT: described})
        return REFUSED if result["errors"] else NOTHING

    return check


def _validator() -> Callable[..., dict[str, Any]]:
    """Return the validator.

    Its package imports an embedding model and reads the prefixes of known endpoints from the network, for
    other parts of it: an empty module stands in for the first, and no endpoint is named for the second.
    """
    stand_in: Any = ModuleType("fastembed")
    stand_in.TextEmbedding = lambda *_, **__: None
    sys.modules.setdefault("fastembed", stand_in)
    os.environ.setdefault("ENDPOINTS", "[]")
    found: Callable[..., dict[str, Any]] = import_module("sparql_llm.validate_sparql").validate_sparql
    return found


def lookup_check(kg: KG, _: Kernel) -> Check:
    """Return a look-up of (class, predicate, class): the names that occur, and together."""
    table = known(kg)

    def check(plan: Plan) -> frozenset[str]:
        return NOTHING if all(_fits(kg, table, *each) for each in _edges(plan)) else REFUSED

    return check


def constants_check(kg: KG, kernel: Kernel) -> Check:
    """Return the same, and each constant is looked up with its predicate."""
    plain = lookup_check(kg, kernel)

    def check(plan: Plan) -> frozenset[str]:
        if plain(plan) or not all(map(kg.ask, _questions(plan))):
            return REFUSED
        return NOTHING

    return check


def range_check(kg: KG, kernel: Kernel) -> Check:
    """Return the same, and numbers are compared with the least and the greatest one of a predicate."""
    plain = constants_check(kg, kernel)
    spans: dict[str, tuple[float, float]] = {}
    for row in kg.select(_SPANS).rows:
        predicate, low, high = row["p"], row.get("low"), row.get("high")
        if isinstance(predicate, IRI) and isinstance(low, LiteralTerm) and isinstance(high, LiteralTerm):
            spans[predicate.value] = float(low.lexical), float(high.lexical)

    def check(plan: Plan) -> frozenset[str]:
        return plain(plan) or (NOTHING if all(_in_reach(plan, spans)) else REFUSED)

    return check


def _in_reach(plan: Plan, spans: Mapping[str, tuple[float, float]]) -> Iterator[bool]:
    """Yield for each number that a value is compared with whether some value of the predicate may be so."""
    predicates = {
        part.object: part.predicate.value
        for part in walk(plan.where)
        if isinstance(part, TriplePattern) and isinstance(part.predicate, IRI)
    }
    for part in walk(plan.where):
        match part:
            case Operation((operator,), (Variable() as value, LiteralTerm() as number)):
                low, high = spans.get(predicates.get(value, ""), (-inf, inf))
                if family(number.datatype) in NUMERIC and operator in ("<", "<=", ">", ">="):
                    limit = float(number.lexical)
                    yield low <= limit if operator in ("<", "<=") else high >= limit


def _types(plan: Plan) -> dict[object, set[str]]:
    found: dict[object, set[str]] = defaultdict(set)
    for part in walk(plan.where):
        if isinstance(part, TriplePattern) and part.predicate == IRI(RDF_TYPE):
            found[part.subject].add(part.object.value if isinstance(part.object, IRI) else "")
    return found


def _edges(plan: Plan) -> Iterator[tuple[set[str], str, set[str]]]:
    """Yield for each triple pattern the classes of its subject, its predicate, and what its object is."""
    types = _types(plan)
    for part in walk(plan.where):
        if isinstance(part, TriplePattern) and isinstance(part.predicate, IRI):
            if part.predicate.value == RDF_TYPE:
                yield types[part.subject] - {""}, RDF_TYPE, set()
            elif isinstance(part.subject, LiteralTerm):
                yield {"a literal"}, part.predicate.value, set()
            else:
                last = part.object
                kinds = {last.datatype} if isinstance(last, LiteralTerm) else types.get(last, set()) - {""}
                yield types.get(part.subject, set()) - {""}, part.predicate.value, kinds


def _fits(kg: KG, table: Known, classes: set[str], predicate: str, others: set[str]) -> bool:
    if predicate not in kg.vocabulary.predicates or not classes <= set(table):
        return False
    if others and not classes:
        return any(others & values.get(predicate, set()) for values in table.values())
    return all(
        predicate in table[each] and (not others or bool(others & table[each][predicate])) for each in classes
    )


def _questions(plan: Plan) -> Iterator[str]:
    """Yield an ASK for each constant with its predicate, as an object or in a comparison for equality."""
    objects: dict[Expression, TriplePattern] = {}
    for part in walk(plan.where):
        if isinstance(part, TriplePattern):
            if isinstance(part.object, Variable):
                objects[part.object] = part
            if not all(isinstance(end, Variable) for end in (part.subject, part.object)):
                yield _ask(Group((part,)))
    for part in walk(plan.where):
        if isinstance(part, Operation) and part.operators == ("=",):
            left, right = part.operands
            if left in objects and isinstance(right, Term):
                yield _ask(Group((objects[left],), (part,)))
        elif (
            isinstance(part, Membership)
            and not part.negated
            and part.operand in objects
            and all(isinstance(choice, Term) for choice in part.choices)
        ):
            yield _ask(Group((objects[part.operand],), (part,)))


def _ask(group: Group) -> str:
    return render(Plan(where=group, form="ask"))


CHECKERS: Final = (
    Checker("hermes kernel", kernel_check),
    Checker("look-up", lookup_check),
    Checker("with constants", constants_check),
    Checker("and MIN, MAX", range_check),
    Checker("rdflib's parser", parser_check, "rdflib"),
    Checker("sparql-llm's validator", sparql_llm_check, "sparql_llm"),
)
