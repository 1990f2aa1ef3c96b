"""The short form of actions: it says what the JSON says, for each operator there is."""

from __future__ import annotations

import pytest
from hypothesis import given

from hermes.algebra import Action, Plan, catalogue, parse_action
from hermes.algebra.kind import Kind
from hermes.algebra.short import example, parse_short, short, usage
from hermes.errors import HermesError
from strategies import Json, start, steps


@pytest.mark.parametrize("kind", list(catalogue()), ids=lambda kind: kind.op)
def test_the_example_of_each_kind_has_a_short_form(kind: type[Kind]) -> None:
    """It is no JSON, it begins with the operator, and it is read as the same action."""
    action = parse_action(kind.example)
    text = example(kind, start())
    assert text.split()[0] == kind.op == usage(kind).split()[0]
    assert parse_short(text, start()).read(start()) == action.read(start())


@given(steps())
def test_what_is_written_short_is_read_as_the_same(step: Json) -> None:
    """Any action that can be read comes back with the same meaning."""
    action = parse_action(step)
    try:
        meant = action.read(start())
    except HermesError:
        return
    assert parse_short(short(action, start()), start()).read(start()) == meant


def _short(line: str) -> Action:
    return parse_short(line, start())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("?c ex:hosted ?g", '{"op": "triple", "pattern": "?c ex:hosted ?g"}'),
        ("<urn:x:y> a ?c .", '{"op": "triple", "pattern": "<urn:x:y> a ?c ."}'),
        ('{"op": "limit", "n": 3}', '{"op": "limit", "n": 3}'),
        ("FILTER ?y > 1900", '{"op": "filter", "expr": "?y > 1900"}'),
        ("filter EXISTS { ?c a ex:City }", '{"op": "filter", "expr": "EXISTS { ?c a ex:City }"}'),
        ("optional ?c ex:country ?k", '{"op": "optional", "patterns": ["?c ex:country ?k"]}'),
        ("union {?c a ex:A} {?c a ex:B}", '{"op": "union", "branches": [["?c a ex:A"], ["?c a ex:B"]]}'),
        ("{?c a ex:A} UNION {?c a ex:B}", '{"op": "union", "branches": [["?c a ex:A"], ["?c a ex:B"]]}'),
        ("BIND(YEAR(?d) AS ?y)", '{"op": "bind", "expr": "YEAR(?d)", "var": "?y"}'),
        ("bind YEAR(?d) as ?y", '{"op": "bind", "expr": "YEAR(?d)", "var": "?y"}'),
        ("VALUES ?c { ex:A ex:B }", '{"op": "values", "vars": ["?c"], "rows": [["ex:A"], ["ex:B"]]}'),
        (
            "values at=end (?c ?n) (ex:A 1) (ex:B UNDEF)",
            '{"op": "values", "vars": ["?c", "?n"], "rows": [["ex:A", "1"], ["ex:B", null]], "at": "end"}',
        ),
        ("graph ?g ?s ?p ?o", '{"op": "graph", "name": "?g", "patterns": ["?s ?p ?o"]}'),
        ("from named <urn:g>", '{"op": "from", "graph": "<urn:g>", "named": true}'),
        ("group by ?c (YEAR(?d) AS ?y)", '{"op": "group", "vars": ["?c", "(YEAR(?d) AS ?y)"]}'),
        (
            'replace "?c ex:hosted ?g" { ?g ex:host ?c }',
            '{"op": "replace", "text": "?c ex:hosted ?g", "patterns": ["?g ex:host ?c"]}',
        ),
        ("project ?c, ?n", '{"op": "project", "vars": ["?c", "?n"]}'),
        ("project *", '{"op": "project", "vars": ["*"]}'),
        ("order by DESC(?n)", '{"op": "order", "expr": "DESC(?n)"}'),
        ("lookup 1896", '{"op": "lookup", "text": "1896"}'),
        ('lookup kind=class "city"', '{"op": "lookup", "text": "city", "kind": "class"}'),
        (
            "goal mentions=ex:USA,ex:Japan min=1",
            '{"op": "goal", "mentions": ["ex:USA", "ex:Japan"], "min": 1}',
        ),
    ],
)
def test_spellings(line: str, meant: str) -> None:
    """People write with or without capitals, braces and commas, as in SPARQL or without."""
    assert _short(line).read(start()) == parse_action(meant).read(start())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fliter ?x > 1", 'there is no operator "fliter" (did you mean "filter"?)'),
        ("filter", "filter needs EXPR, the text of one expression; example: filter ?year > 1950"),
        ("limit three", '"n" of "limit" must be a whole number >= 0, not "three"'),
        ("distinct ?c", 'distinct takes no more than this: distinct; "?c" follows it'),
        (
            "aggregate COUNT(?g)",
            "aggregate needs ALIAS, the text of one variable; example: aggregate COUNT(?games) AS ?times",
        ),
        ("project ?c (COUNT(?x) IS ?n)", 'line 1, column 15: expected AS after ")", found "IS"'),
        ("bind no:f(?d) AS ?x", 'the prefix "no:" of "no:f" is not declared'),
    ],
)
def test_what_is_wrong_is_said(line: str, message: str) -> None:
    """In one line, with the nearest or an example."""
    with pytest.raises(HermesError) as error:
        _short(line)
    assert str(error.value).startswith(message)


def test_a_text_is_kept_as_it_was_given() -> None:
    """An action shows what was typed, not what is made of it."""
    assert str(parse_short("filter ?y>1900", Plan())) == '{"op": "filter", "expr": "?y>1900"}'
