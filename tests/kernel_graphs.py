"""Small graphs and datasets with every sort of term, and queries on them, from dice.

They are what a kernel may not get wrong.
"""

from __future__ import annotations

import io
from random import Random
from typing import Final

import pyoxigraph as ox

from hermes.errors import StoreError
from hermes.kg import KG
from hermes.results import Table, Triples
from hermes.store.answer_text import read_table
from hermes.store.engine import TRUE, About, Engine, Form
from hermes.terms import WELL_KNOWN, BlankNode, Term

EX: Final = "http://example.org/"

_LITERALS: Final = (
    *('"a"', '"A"', '"b"', '"1"', '""', '"a"@en', '"a"@EN-us', '"b"@de', '"a b"', '"Stra\u00dfe"', '"AB"@en'),
    *('"\u212aelvin"', '"\u0130stanbul"', '"\ufb03x"', '"mi\u017ft"', '"abcabc"', '"true"', '"2020-01-01"'),
    *("1", "2", "-1", "0", '"01"^^xsd:integer', '"1"^^xsd:int', '"+2"^^xsd:long', '"300"^^xsd:byte'),
    *("1.0", "1.5", "-0.5", '"1.50"^^xsd:decimal', '"2"^^xsd:decimal', "1e0", "1.5e0", "1e300", "-0e0"),
    *('"NaN"^^xsd:double', '"INF"^^xsd:double', '"-INF"^^xsd:float', '"1.5"^^xsd:float', '"0.1"^^xsd:float'),
    *("9007199254740993", "9007199254740992", "16777217", '"99999999999999999999"^^xsd:integer'),
    *('"abc"^^xsd:integer', "true", "false", '"1"^^xsd:boolean', '"x"^^ex:type', '"1"^^ex:type'),
    *('"2020-01-01"^^xsd:date', '"2020-01-02Z"^^xsd:date', '"2020-01-01+14:00"^^xsd:date'),
    *('"2020-01-01T00:00:00"^^xsd:dateTime', '"2020-01-01T24:00:00"^^xsd:dateTime'),
    *('"2020-01-01T00:00:00.0Z"^^xsd:dateTime', '"2020-02-31"^^xsd:date', '"2020"^^xsd:gYear'),
    *('"2020-01"^^xsd:gYearMonth', '"12:00:00"^^xsd:time', '"24:00:00"^^xsd:time', '"--01"^^xsd:gMonth'),
    *('"P1Y"^^xsd:duration', '"P12M"^^xsd:duration', '"PT24H"^^xsd:dayTimeDuration'),
    *('"P1D"^^xsd:dayTimeDuration', '"a"^^xsd:normalizedString', '"-0044-03-15"^^xsd:date'),
)
_NODES: Final = ("ex:a", "ex:b", "ex:c", "ex:d", "ex:p")
_CLASSES: Final = ("ex:C", "ex:D")
_PREDICATES: Final = ("ex:p", "ex:q", "ex:r")
_VARIABLES: Final = ("?x", "?y", "?z")
_HEADER: Final = f"PREFIX ex: <{EX}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "


_NAMES: Final = ("ex:a", "ex:g", "ex:h", "_:m")
"""Names of graphs: one that triples speak of too, and a blank node."""
_ASKED: Final = ("ex:g", "ex:g", "ex:h", "ex:h", "ex:a", "ex:none")


class GraphDice(Random):
    """Dice for datasets: their queries go to named graphs too."""


class LocalStore:
    """The engine of the embedded store in this process."""

    engine = "oxigraph"
    source = "dice"
    fingerprint = "dice"

    def __init__(self, store: ox.Store, dataset: str = "default") -> None:
        self._engine = Engine(store, About((), {}, len(store), dataset))

    def _bytes(self, query: str, form: Form) -> bytes:
        out = io.BytesIO()
        error = self._engine.write(query, form, out)
        if error is not None:
            raise error
        return out.getvalue()

    def select(self, query: str) -> Table:
        """Return the solutions of a SELECT query."""
        return read_table(self._bytes(query, "SELECT"), complete=True)

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query."""
        return self._bytes(query, "ASK") == TRUE

    def construct(self, query: str) -> Triples:
        """Return nothing: no test asks for it."""
        raise StoreError(f"not for triples: {query}")

    def close(self) -> None:
        """Do nothing."""


def graph(dice: Random) -> KG:
    """Return a graph of some triples."""
    return _kg(_triples(dice, 1, 16), "default")


def dataset(dice: Random) -> KG:
    """Return a dataset of a default graph and some named ones, asked with any choice of default graph."""
    names = dice.sample(_NAMES, dice.choice((0, 1, 3, 3, 3, 4, 4, 4)))
    parts = [_triples(dice, 6, 18) if dice.random() < 0.8 else ""]
    parts += [f"{name} {{ {_triples(dice, 6, 18)} }}" for name in names]
    iris = [name.replace("ex:", EX) for name in names if name.startswith("ex:")]
    return _kg("\n".join(parts), dice.choice(("default", "default", "union", *iris)))


def _kg(trig: str, chosen: str) -> KG:
    header = f"@prefix ex: <{EX}> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    store = ox.Store()
    store.load((header + trig).encode(), ox.RdfFormat.TRIG)
    return KG(LocalStore(store, chosen), WELL_KNOWN | {"ex": EX}, dataset=chosen)


def _triples(dice: Random, least: int, most: int) -> str:
    lines = []
    for _ in range(dice.randint(least, most)):
        subject = dice.choice((*_NODES, "_:n", "_:m"))
        if dice.random() < 0.25:
            lines.append(f"{subject} a {dice.choice(_CLASSES)} .")
            continue
        object_ = dice.choice(_LITERALS) if dice.random() < 0.6 else dice.choice((*_NODES, "_:n"))
        lines.append(f"{subject} {dice.choice(_PREDICATES)} {object_} .")
    return "\n".join(lines)


def query(dice: Random) -> str:
    """Return a query: some patterns, with what may stand around and beside them."""
    chosen = ""
    if isinstance(dice, GraphDice) and dice.random() < 0.2:
        clauses = (
            f"FROM {dice.choice(('', 'NAMED '))}{dice.choice(_ASKED)}" for _ in range(dice.randint(1, 3))
        )
        chosen = " ".join(dict.fromkeys(clauses))
    patterns = dice.randint(0, 2) if isinstance(dice, GraphDice) else dice.randint(1, 3)
    return f"{_HEADER}SELECT * {chosen} {{ {_group(dice, patterns, 2)} }}"


def planted(dice: Random, kg: KG) -> str:
    """Return a query that has solutions, unless what is beside its patterns takes them away."""
    rows = kg.select("SELECT ?g ?s ?p ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }").rows
    names: dict[Term, str] = {}
    graphs: dict[Term | None, list[str]] = {}
    for row in dice.choices(rows, k=dice.randint(1, 4)) if rows else ():
        texts = [_planted_term(dice, row[place], names) for place in "spo"]
        graphs.setdefault(row.get("g"), []).append(" ".join(texts) + " .")
    parts = []
    for graph, patterns in graphs.items():
        text = " ".join(patterns)
        if dice.random() < 0.4:
            text = _beside(dice, text)
        if graph is not None:
            text = f"GRAPH {_planted_term(dice, graph, names)} {{ {text} }}"
        parts.append(_beside(dice, text) if dice.random() < 0.3 else text)
    return f"{_HEADER}SELECT * {{ {' '.join(parts)} }}"


def _planted_term(dice: Random, term: Term, names: dict[Term, str]) -> str:
    """Return a term, or a variable that is always the same for it."""
    if term not in names:
        free = isinstance(term, BlankNode) or dice.random() < 0.6
        names[term] = f"?v{len(names)}" if free else str(term)
    return names[term]


def _beside(dice: Random, text: str) -> str:
    """Return a group with something that may leave its solutions alone."""
    other = _group(dice, 1, 1)
    return dice.choice(
        (
            *(f"{text} OPTIONAL {{ {other} }}", f"{{ {text} }} UNION {{ {other} }}", f"{{ {text} }}"),
            *(f"{{ SELECT * {{ {text} }} }}", f"OPTIONAL {{ {text} }}", f"{text} MINUS {{ {other} }}"),
            *(f"{text} FILTER NOT EXISTS {{ {other} }}", f"FILTER EXISTS {{ {text} }}", f"{text} {other}"),
            *(f"{text} BIND({_expression(dice)} AS ?b)", f"{text} FILTER({_condition(dice, 1)})"),
        )
    )


def _group(dice: Random, patterns: int, depth: int) -> str:
    parts = [_pattern(dice) + " ." for _ in range(patterns)]
    if isinstance(dice, GraphDice) and dice.random() < (0.7 if depth else 0.2):
        if dice.random() < 0.4:
            parts = parts[1:]
        parts.insert(dice.randint(0, len(parts)), _in_graph(dice, depth))
    if depth and dice.random() < 0.5:
        parts.insert(dice.randint(0, len(parts)), _clause(dice, depth - 1))
    often = 0.5 if isinstance(dice, GraphDice) else 1.0
    if dice.random() < (0.7 if depth else 0.3) * often:
        parts.append(f"FILTER({_condition(dice, depth)})")
    return " ".join(parts)


def _in_graph(dice: Random, depth: int) -> str:
    """Return a GRAPH clause, with or without anything that is looked up in the graph."""
    name = dice.choice((*_ASKED, "?x", *("?g",) * 6, "?z"))
    inner = _group(dice, dice.choice((1, 1, 1, 2, 0)), max(0, depth - 1))
    bare = (
        *("", "VALUES ?x { 1 ex:a }", "BIND(1 AS ?k)", "BIND(ex:a AS ?g)", f"{inner} BIND(1 AS ?g)"),
        *(f"OPTIONAL {{ {inner} }}", f"{{ {inner} }}", f"{{ SELECT ?x {{ {inner} }} }}"),
    )
    return f"GRAPH {name} {{ {inner if dice.random() < 0.8 else dice.choice(bare)} }}"


def _pattern(dice: Random) -> str:
    subject = dice.choice((*_VARIABLES, *_VARIABLES, "ex:a", "ex:b"))
    if dice.random() < 0.2:
        return f"{subject} a {dice.choice((*_CLASSES, '?z'))}"
    free = 0.9 if isinstance(dice, GraphDice) else 0.65
    object_ = dice.choice(_VARIABLES) if dice.random() < free else dice.choice((*_LITERALS, *_NODES))
    return f"{subject} {_path(dice)} {object_}"


def _path(dice: Random) -> str:
    name, other = dice.choice(_PREDICATES), dice.choice((*_PREDICATES, "a"))
    shapes = (name, name, name, name, "?y", f"^{name}", f"{name}/{other}", f"{name}|{other}", f"{name}*")
    longer = (f"{name}/{other}*", f"{name}?/{other}", f"a/{other}*", f"{name}/({other}/{name})*")
    return dice.choice(
        (*shapes, *longer, f"({name}|{other})+", f"{name}?", f"!{name}", f"!(^{name}|{other})")
    )


def _clause(dice: Random, depth: int) -> str:
    inner = _group(dice, dice.randint(1, 2), depth)
    value, other = dice.choice((*_LITERALS, *_NODES)), dice.choice((*_LITERALS, *_NODES))
    return dice.choice(
        (
            f"OPTIONAL {{ {inner} }}",
            f"MINUS {{ {inner} }}",
            f"MINUS {{ ?x {dice.choice(_PREDICATES)} ?y }}",
            f"{{ {inner} }}",
            f"{{ {inner} }} UNION {{ {_group(dice, 1, depth)} }}",
            f"VALUES {dice.choice(_VARIABLES)} {{ {value} {other} }}",
            f"VALUES (?x ?y) {{ ({value} UNDEF) (UNDEF {other}) }}",
            f"{{ SELECT {dice.choice(_VARIABLES)} {{ {inner} }} }}",
            f"{{ SELECT ?x (COUNT(*) AS ?n) {{ {inner} }} GROUP BY ?x }}",
            f"{{ SELECT (MAX(?x) AS ?m) {{ {inner} }} }} FILTER(?y {dice.choice(('=', '<', '>='))} ?m)",
            f"{{ SELECT ?x (MIN(?y) AS ?m) (SAMPLE(?z) AS ?k) {{ {inner} }} GROUP BY ?x }}",
            f"{{ SELECT (SAMPLE(?y) AS ?z) (SUM(?x) AS ?s) {{ {inner} }} }}",
            f"{{ SELECT ?x ({_expression(dice)} AS ?e) {{ {inner} }} }}",
            f"BIND({_expression(dice)} AS ?b{dice.randint(1, 99)})",
        )
    )


def _expression(dice: Random) -> str:
    term = dice.choice((*_VARIABLES, *_VARIABLES, dice.choice(_LITERALS), dice.choice(_NODES)))
    return dice.choice(
        (
            *(term, term, f"STR({term})", f"LANG({term})", f"DATATYPE({term})", f"UCASE({term})"),
            *(f"{term} + 1", f"-({term})", f"YEAR({term})", f"ABS({term})", f"IF(BOUND({term}), 1, {term})"),
            *(f"COALESCE({term}, 1)", f"xsd:integer({term})", f"STRLEN({term})", f"IRI({term})"),
            *(f"{term} * {term}", f"SUBSTR({term}, 1)", f"CONCAT({term}, 'a')"),
        )
    )


def _condition(dice: Random, depth: int) -> str:
    if depth and dice.random() < 0.4:
        shapes = ("({0}) || ({1})", "({0}) && ({1})", "!({0})")
        return dice.choice(shapes).format(_condition(dice, depth - 1), _condition(dice, depth - 1))
    left, right = dice.choice((*_VARIABLES, _expression(dice))), _expression(dice)
    constant = dice.choice(_LITERALS)
    inner = _group(dice, dice.randint(1, 2), depth - 1) if depth else _pattern(dice)
    choices = ", ".join(dice.choices((*_LITERALS, *_NODES), k=2))
    return dice.choice(
        (
            *(f"{left} {operator} {constant}" for operator in ("=", "!=", "<", ">", "<=", ">=")),
            *(f"{left} {operator} {right}" for operator in ("=", "!=", "<", ">=")),
            *(f"{left} IN ({choices})", f"{left} NOT IN ({choices})", f"BOUND({dice.choice(_VARIABLES)})"),
            *(f"isIRI({left})", f"isBlank({left})", f"isLiteral({left})", f"isNumeric({left})", left),
            *(f"SAMETERM({left}, {right})", f"CONTAINS({left}, 'a')", f"REGEX({left}, 'a')"),
            *(_about_text(dice, left), _about_text(dice, left), _about_text(dice, left), _range(dice, left)),
            *(_range(dice, left), _range(dice, left), f"{left} + 1 {dice.choice('<>=')} {right} * 2"),
            *(f"LANG({left}) = 'en'", f"LANG({left}) = ''", f"LANGMATCHES(LANG({left}), 'EN')"),
            f"DATATYPE({left}) = {dice.choice(('xsd:integer', 'xsd:string', 'xsd:date', 'ex:type'))}",
            f"EXISTS {{ {inner} }}",
            f"NOT EXISTS {{ {inner} }}",
            f"NOT EXISTS {{ ?x {dice.choice(_PREDICATES)} ?free }}",
            f"NOT EXISTS {{ ?y {dice.choice(_PREDICATES)} ?z }}",
            f"NOT EXISTS {{ ?x a {dice.choice(_CLASSES)} }}",
        )
    )


def _about_text(dice: Random, value: str) -> str:
    """Return a condition on what a text contains."""
    text = dice.choice(
        ("a", "A", "ab", "abc", "kel", "istan", "ffix", "SSE", "sse", "st", "http", "ex", "1", "2020", "")
    )
    shown = dice.choice(
        (value, f"STR({value})", f"LCASE({value})", f"UCASE(STR({value}))", f"LCASE(UCASE({value}))")
    )
    flags = dice.choice(("", ", 'i'", ", ''"))
    pattern = dice.choice((text, f"^{text}", f"{text}$", f".*{text}.*"))
    return dice.choice(
        (
            *(f"CONTAINS({shown}, '{text}')", f"STRSTARTS({shown}, '{text}')", f"STRENDS({shown}, '{text}')"),
            *(f"REGEX({shown}, '{pattern}'{flags})", f"{shown} = '{text}'", f"'{text}' = {shown}"),
            *(f"!({shown} != '{text}')", f"!CONTAINS({shown}, '{text}')"),
        )
    )


def _range(dice: Random, value: str) -> str:
    """Return comparisons of one value with two constants, or of a number made of it."""
    one, other = dice.choice(_LITERALS), dice.choice((*_LITERALS, *_NODES))
    signs = ("<", ">", "<=", ">=", "=")
    number = dice.choice(
        (f"STRLEN({value})", f"YEAR({value})", f"MONTH({value})", f"-({value})", f"{value} - 3")
    )
    return dice.choice(
        (
            f"{value} {dice.choice(signs)} {one} && {value} {dice.choice(signs)} {other}",
            f"{other} {dice.choice(signs)} {value} && {value} {dice.choice(signs)} {one}",
            f"{number} {dice.choice(signs)} {dice.choice(('0', '-5', '2019', '2020', '2021', '1e3'))}",
            f"!({number} {dice.choice(signs)} {one})",
        )
    )
