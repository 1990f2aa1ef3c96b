"""Hypothesis strategies over the shipped graph: terms, patterns, expressions, actions and plans.

A small pool of variables, and patterns that fit the graph, give many plans some solutions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import Action, Plan, catalogue, parse_action
from hermes.algebra.kind import Operator
from hermes.errors import HermesError

Json = dict[str, Any]
Item = str | Json
Texts = st.SearchStrategy[str]

EX: Final = "http://example.org/olympics/"
VARIABLES: Final = ("?city", "?games", "?country", "?year", "?x")
ENDPOINT: Final = "<http://service.invalid/>"

# Triple patterns that the graph answers, by the variables of the pool.
_FITTING: Final = (
    *("?city ex:hosted ?games", "?city a ex:City", "?city ex:country ?country", "?games ex:year ?year"),
    *("?games ex:season ?x", "?city rdfs:label ?x", "?country ex:continent ?x", "?city ex:twin ?x"),
    *("?city ex:country ex:USA", '?games ex:season "Winter"', "?city ex:altitude ?x", "?games ex:opened ?x"),
    *("?games ex:events ?x", "?games ex:medals ?x", "?country rdfs:label ?x", "?city ex:nickname ?x"),
    *("?city ex:hosted/ex:year ?year", "?country ^ex:country ?city", "?x ex:twin+ ?city"),
    *("?games a/rdfs:subClassOf* ex:Games", "?city ?x ?games", "?games ex:medals [ex:gold 6]"),
)
_NAMES: Final = (
    *("ex:Athens", "ex:LakePlacid", "ex:London", "ex:USA", "ex:Greece", "ex:Summer2012", "ex:Winter1932"),
    *("ex:City", "ex:Games", "ex:absent", f"<{EX}Tokyo>", f"<{EX}St.%20Moritz>", "<urn:x:y>", "ex:a\\,b"),
)
_PREDICATES: Final = (
    *("ex:hosted", "ex:country", "ex:year", "ex:season", "ex:twin", "rdfs:label", "a", "rdf:type"),
    *(f"<{EX}hosted>", "ex:continent", "ex:absent"),
)
_LITERALS: Final = (
    *("1", "1932", "2", "-1", "+7", "0", "1.5", "-.5", "1e3", "true", "FALSE", '"Winter"', "'Summer'"),
    *('"Lake Placid"@en', '"Athen"@de', '"1932-02-04"^^xsd:date', '"010"^^xsd:integer', '"a\\"b\\\\c"'),
    *('"""two\nlines"""', '"x"^^ex:type', f'"y"^^<{EX}type>', "'''it's'''", '"\\u00e9"', '""', '"} UNION {"'),
)


_LABELS: Final = (
    *("Lake Placid", "placid", "Sankt Moritz", "city", "country", "hosted", "Pariss", "jeux", "nothing such"),
    *('"', "\\", "} UNION {", "a\nb", "'''", "%", "?", "é", "\u202e", "\U0001f3c5"),
)


@cache
def olympics() -> KG:
    """Return the shipped graph."""
    return KG.load("olympics")


def start() -> Plan:
    """Return the empty plan that knows the prefixes of the graph."""
    return Plan(prefixes=olympics().prefixes)


# --- terms and patterns ------------------------------------------------------------------------


def _joined(*parts: Texts | str, gap: str = " ") -> Texts:
    made = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*made).map(gap.join)


variables: Final = st.sampled_from((*VARIABLES, *VARIABLES, "$city", "?n", "?été"))
iris: Final = st.sampled_from(_NAMES)
literals: Final = st.sampled_from(_LITERALS)
terms: Final = iris | literals
predicates: Final = st.sampled_from(_PREDICATES)
spaces: Final = st.sampled_from(("", " ", "\t", "\n  ", " # why\n"))


def _path_parts(inner: Texts) -> Texts:
    bracketed = inner.map(lambda text: f"({text})")
    return st.one_of(
        _joined(bracketed, bracketed, gap="/"),
        _joined(bracketed, bracketed, gap="|"),
        _joined(bracketed, st.sampled_from("*+?"), gap=""),
        _joined("^", bracketed, gap=""),
    )


_negated: Final = st.lists(
    _joined(st.sampled_from(("", "^")), predicates, gap=""), min_size=1, max_size=3
).map(lambda parts: f"!({'|'.join(parts)})")
paths: Final = st.recursive(predicates | _negated, _path_parts, max_leaves=3)
_ends: Final = st.one_of(variables, variables, terms, st.sampled_from(("_:a", "_:b", "[]")))
_any_triple: Final = _joined(_ends, st.one_of(predicates, variables, paths), _ends)
triples: Final = st.one_of(
    st.sampled_from(_FITTING),
    st.sampled_from(_FITTING),
    _joined(spaces, _any_triple, st.sampled_from(("", " .", " . # so")), gap=""),
).filter(lambda text: text.count("[ex:") == 0)
plain_triples: Final = _joined(_ends, predicates | variables, _ends)

# --- expressions -------------------------------------------------------------------------------

_CALLS: Final = (
    *("STR({0})", "LANG({0})", "isIRI({0})", "isURI({0})", "!({0})", "-({0})", "STRLEN(STR({0}))"),
    *("COALESCE({0}, {1})", "IF({0}, {1}, 2)", "CONCAT(STR({0}), STR({1}))", "({0})", "SAMETERM({0}, {1})"),
    *("CONTAINS(STR({0}), 'a')", 'REGEX(STR({0}), "^h.*a", "i")', "SUBSTR(STR({0}), 2)", "abs({0})"),
    *(
        "{0} IN ({1}, ex:USA)",
        "{0} NOT IN ()",
        "xsd:integer({0})",
        "YEAR({0})",
        "langMatches(LANG({0}), '*')",
    ),
    *("({0} = {1}) != true", "EXISTS {{ ?city ex:country {0} }}"),
)
_INFIX: Final = ("||", "&&", "=", "!=", "<", ">=", "+", "-", "*", "/")
_CONDITIONS: Final = (
    *("?year > 1950", "?year != 1932 && ?year < 2020", "BOUND(?x)", "?country IN (ex:USA, ex:Greece)"),
    *("isLiteral(?x)", "STRLEN(STR(?city)) > 3", "NOT EXISTS { ?city ex:nickname ?x }", "LANG(?x) = 'en'"),
    *("EXISTS { ?city ex:hosted ?games FILTER(?games != ex:Summer2012) }", "?city != ex:Paris"),
)


def _call(shape_and_parts: tuple[str, str, str]) -> str:
    shape, first, second = shape_and_parts
    first, second = ("ex:USA" if "EXISTS" in shape and "(" in part else part for part in (first, second))
    return shape.format(first, second)


def _larger(inner: Texts) -> Texts:
    return st.one_of(
        st.tuples(st.sampled_from(_CALLS), inner, inner).map(_call),
        _joined(
            inner.map(lambda text: f"({text})"), st.sampled_from(_INFIX), inner.map(lambda text: f"({text})")
        ),
        _joined(variables, st.sampled_from(_INFIX), literals),
    )


_any_expression: Final = st.recursive(st.one_of(variables, terms), _larger, max_leaves=4)
conditions: Final = st.one_of(st.sampled_from(_CONDITIONS), _any_expression)
expressions: Final = st.one_of(_any_expression, st.sampled_from(_CONDITIONS))
aggregates: Final = st.one_of(
    st.sampled_from(("COUNT(*)", "COUNT(DISTINCT *)", "COUNT(?games)", "MAX(?year)", "SAMPLE(?city)")),
    st.tuples(
        st.sampled_from(
            (
                *("COUNT({0})", "COUNT(DISTINCT {0})", "SUM({0})", "MIN({0})", "MAX({0})", "AVG({0})"),
                *("GROUP_CONCAT({0}; SEPARATOR=', ')", "GROUP_CONCAT(DISTINCT {0})", "COUNT({0}) + 1"),
                *("STR(MIN({0}))", "SUM({0}) / COUNT(*)", "IF(COUNT({0}) > 1, 'many', 'one')"),
            )
        ),
        st.one_of(variables, variables, _any_expression),
    ).map(lambda pair: pair[0].format(pair[1])),
)
names: Final = st.sampled_from(("?n", "?m", "?y", "?label", "?x", "?k"))
columns: Final = st.one_of(
    variables, names, _joined("(", st.one_of(expressions, aggregates), "AS", names, ")")
)

# --- groups ------------------------------------------------------------------------------------


def _wrapped(opening: str, inner: Texts, closing: str) -> Texts:
    return inner.map(lambda text: f"{opening}{text}{closing}")


def _element_texts(inner: Texts) -> Texts:
    braced = st.lists(inner, min_size=1, max_size=2).map(lambda parts: "{ " + " ".join(parts) + " }")
    return st.one_of(
        _joined(st.sampled_from(("OPTIONAL", "MINUS", "", "GRAPH ?x", "FILTER EXISTS")), braced),
        _joined(braced, "UNION", braced),
        _wrapped("{ SELECT DISTINCT ?city WHERE ", braced, " LIMIT 9 }"),
        _wrapped("{ SELECT ?city (COUNT(*) AS ?n) ", braced, " GROUP BY ?city HAVING (COUNT(*) > 0) }"),
    )


_leaf_items: Final = st.one_of(
    triples.map(lambda text: text if "#" in text else text.rstrip(" .")).filter(lambda text: "#" not in text),
    _wrapped("FILTER(", conditions, ")"),
    _joined("BIND(", expressions, "AS", names, ")"),
    _joined("VALUES ?city {", iris, "}"),
    _joined("VALUES (?city ?x) { (", iris, " UNDEF) }"),
)
_closed_leaves: Final = st.one_of(
    _wrapped("", _leaf_items.filter(lambda text: text.endswith((")", "}"))), ""),
    st.sampled_from(_FITTING).map(lambda text: text + " ."),
)
item_texts: Final = st.one_of(
    _leaf_items, _leaf_items, st.recursive(_closed_leaves, _element_texts, max_leaves=3)
)


def _fields(op: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({"op": st.just(op), **fields})


def _clauses(items: st.SearchStrategy[Item]) -> st.SearchStrategy[Json]:
    """Return actions that add to a group, over the items of their own groups."""
    patterns = st.lists(items, min_size=1, max_size=2)
    values = st.tuples(variables, st.lists(st.lists(terms | st.none(), min_size=1, max_size=1), max_size=3))
    return st.one_of(
        _fields("triple", pattern=triples),
        _fields("filter", expr=conditions),
        _fields("optional", patterns=patterns),
        _fields("minus", patterns=patterns),
        _fields("join", patterns=patterns),
        _fields("union", branches=st.lists(patterns, min_size=2, max_size=3)),
        _fields("bind", expr=expressions, var=names),
        values.map(lambda pair: {"op": "values", "vars": [pair[0]], "rows": pair[1]}),
        _fields("graph", name=st.one_of(variables, iris), patterns=patterns),
    )


_modifiers: Final = st.one_of(
    _fields("group", vars=st.lists(st.one_of(variables, variables, columns), min_size=1, max_size=2)),
    _fields("aggregate", expr=aggregates, alias=names),
    _fields(
        "having",
        expr=st.one_of(aggregates.map(lambda text: f"{text} > 1"), st.sampled_from(("?n > 1", "?m > 0"))),
    ),
    _fields(
        "order",
        expr=st.one_of(
            variables,
            names,
            _joined(
                st.sampled_from(("ASC(", "DESC(", "(")),
                st.one_of(expressions, aggregates, names),
                ")",
                gap="",
            ),
        ),
    ),
    _fields("project", vars=st.one_of(st.just(["*"]), st.lists(columns, min_size=1, max_size=3))),
    st.sampled_from(("distinct", "reduced", "ask", "nest")).map(lambda op: {"op": op}),
    _fields("limit", n=st.integers(0, 30)),
    _fields("offset", n=st.integers(0, 5)),
)


def _nested(items: st.SearchStrategy[Item]) -> st.SearchStrategy[Item]:
    clauses = _clauses(items)
    return st.one_of(
        clauses,
        _fields(
            "subquery", actions=st.lists(st.one_of(clauses, clauses, _modifiers), min_size=1, max_size=4)
        ),
    )


items: Final[st.SearchStrategy[Item]] = st.one_of(item_texts, st.recursive(item_texts, _nested, max_leaves=3))
groups: Final = st.lists(items, max_size=3)

# --- actions -----------------------------------------------------------------------------------


def examples() -> list[Json]:
    """Return the example of every operator in the catalogue; a new operator is tested through it."""
    found = [json.loads(each.example) for each in catalogue() if issubclass(each, Operator)]
    return [example for example in found if example["op"] != "service"]


_steps: Final[st.SearchStrategy[Any]] = st.one_of(
    _clauses(items),
    _clauses(items),
    _nested(items),
    _modifiers,
    _modifiers,
    st.deferred(lambda: st.sampled_from(examples())),
    _fields(
        "values",
        vars=st.sampled_from((["?city"], ["?city"], ["?other"])),
        rows=st.lists(st.tuples(iris).map(list), max_size=5),
        at=st.just("end"),
    ),
    _fields("from", graph=iris, named=st.booleans()),
    _fields("construct", template=st.lists(plain_triples, min_size=1, max_size=2)),
    _fields("describe", terms=st.lists(variables | iris, min_size=1, max_size=2)),
)
_services: Final = _fields(
    "service", endpoint=st.sampled_from((ENDPOINT, "?x")), patterns=groups, silent=st.booleans()
)
_roles: Final = st.sampled_from(("any", "any", "entity", "class", "predicate"))
_inspections: Final = _fields("inspect", term=iris | predicates, kind=_roles, limit=st.integers(1, 50))
_lookups: Final = _fields(
    "lookup",
    text=st.one_of(st.sampled_from(_LABELS), st.text(min_size=1, max_size=8)),
    kind=_roles,
    limit=st.integers(1, 20),
)
_first: Final = _fields("triple", pattern=st.sampled_from(_FITTING[:-1]))
_fitting: Final[st.SearchStrategy[Any]] = st.one_of(
    _first,
    _first,
    _fields("filter", expr=st.sampled_from(_CONDITIONS)),
    _fields("optional", patterns=st.lists(st.sampled_from(_FITTING), min_size=1, max_size=2)),
    _fields("bind", expr=st.sampled_from(_CONDITIONS), var=names),
    _modifiers,
    _modifiers,
    _modifiers,
)


# What the tests use are composites: a failure then shows their names, not all that they are made of.
@st.composite
def steps(draw: st.DrawFn) -> Json:
    """One action that calls nothing, as JSON."""
    step: Json = draw(_steps)
    return step


@st.composite
def fitting_triples(draw: st.DrawFn) -> Json:
    """One triple pattern that the graph answers, as a JSON action."""
    return draw(_first)


@st.composite
def fitting_steps(draw: st.DrawFn) -> Json:
    """One action that is likely to apply to a plan over the pool of variables, as JSON."""
    step: Json = draw(_fitting)
    return step


@st.composite
def reads(draw: st.DrawFn) -> Json:
    """One read of the graph, as JSON."""
    step: Json = draw(st.one_of(_inspections, _lookups))
    return step


@st.composite
def services(draw: st.DrawFn) -> Json:
    """One action that would call another host, as JSON."""
    return draw(_services)


@st.composite
def sequences(draw: st.DrawFn) -> list[Json]:
    """Actions in order: some patterns that the graph answers, then anything."""
    return [*draw(st.lists(_first, min_size=1, max_size=3)), *draw(st.lists(steps(), max_size=6))]


class Built(NamedTuple):
    """A plan and the actions that made it."""

    plan: Plan
    actions: tuple[Action, ...]


def build(steps_of: Sequence[Json], plan: Plan | None = None) -> Built:
    """Apply what can be applied, leaving out the actions that are refused."""
    plan = start() if plan is None else plan
    applied = []
    for step in steps_of:
        action = parse_action(step)
        try:
            plan = action.apply(plan)
        except HermesError:
            continue
        applied.append(action)
    return Built(plan, tuple(applied))


def plan_of(built: Built) -> Plan:
    """Return the plan alone."""
    return built.plan


def builds() -> st.SearchStrategy[Built]:
    """Plans with the actions that made them."""
    return sequences().map(build)


def plans() -> st.SearchStrategy[Plan]:
    """Plans over the shipped graph; a good share of them has solutions."""
    return builds().map(plan_of)


def plans_on_the_way(steps: list[Json]) -> list[Plan]:
    """Return the plans after each step that applies."""
    found, plan = [], start()
    for step in steps:
        try:
            plan = parse_action(step).apply(plan)
        except HermesError:
            continue
        found.append(plan)
    return found
