"""The value of an expression for given variables, as the engine computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pyoxigraph import Literal, NamedNode, QuerySolutions, Store

from oracle.constants import Names
from oracle.sketch import Term
from oracle.tokens import Token, join

_EMPTY: Final = Store()


def value_of(tokens: Sequence[Token], inputs: Mapping[str, Term], names: Names) -> Term | None:
    """Return the value of an expression, or None where it has none (an error, an aggregate)."""
    variables = " ".join(f"?{name}" for name in inputs)
    values = " ".join(str(term) for term in inputs.values())
    text = f"SELECT ({join(tokens)} AS ?_value) {{ VALUES ({variables}) {{ ({values}) }} }}"
    try:
        found = _EMPTY.query(text, base_iri=names.base, prefixes=names.prefixes)
    except (SyntaxError, ValueError, RuntimeError):
        return None
    assert isinstance(found, QuerySolutions)
    value = next((solution["_value"] for solution in found), None)
    return value if isinstance(value, NamedNode | Literal) else None
