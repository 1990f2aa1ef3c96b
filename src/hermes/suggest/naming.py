"""The names of new variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from hermes.labels.words import local_name, split_words
from hermes.terms import IRI, Variable

_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 24


def named_after(
    iri: IRI, taken: Collection[Variable], otherwise: str = "value", ending: str = ""
) -> Variable:
    """Return a variable that says what a predicate leads to, or what a class has: `?home_port`.

    Args:
        iri: the predicate or the class.
        taken: the variables whose names cannot be used; then it has a number.
        otherwise: the name where the local name has no letter to begin with.
        ending: what stands behind the name.
    """
    # The column of a table is named after both (https://www.w3.org/TR/rdb-direct-mapping/): singer#name.
    words = split_words(local_name(iri.value).rpartition("#")[2]).lower()
    name = _NO_NAME.sub("_", words.removeprefix("ref-")).strip("_")[:_LONGEST].rstrip("_")
    name = (name if name[:1].isalpha() else otherwise) + ending
    names = {variable.name for variable in taken}
    number, numbered = 1, name
    while numbered in names:
        number += 1
        numbered = f"{name}{number}"
    return Variable(numbered)
