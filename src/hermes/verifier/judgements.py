"""Judgements of a certificate, made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hermes.terms import Variable
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.space import ALL_FRESH, UNBOUND, Space
from hermes.verifier.verdict import Judgement


class Judgements(Mapping[Variable, Judgement]):
    """What the variables of a plan can be, without those that stand for blank nodes."""

    __slots__ = ("_space", "_values")

    def __init__(self, space: Space, values: Mapping[Variable, Values]) -> None:
        self._space = space
        self._values = values

    def __getitem__(self, variable: Variable) -> Judgement:
        return judgement(self._space, self._values[variable])

    def __iter__(self) -> Iterator[Variable]:
        return (variable for variable in self._values if not variable.reserved)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


def judgement(space: Space, values: Values) -> Judgement:
    """Return what values say for a reader."""
    kinds: set[str] = set()
    classes: set[str] = set()
    datatypes: set[str] = set()
    languages: set[str] = set()
    for signature in space.signatures(values & ~(ALL_FRESH | UNBOUND)):
        kinds.add(signature.kind)
        classes.update(signature.classes_anywhere)
        if signature.tag.startswith("@"):
            languages.add(signature.tag[1:])
        elif signature.kind == "literal":
            datatypes.add(signature.tag)
    return Judgement(
        tuple(sorted(kinds)),
        tuple(sorted(classes)),
        tuple(sorted(datatypes)),
        tuple(sorted(languages)),
        may_be_unbound=bool(values & UNBOUND),
        computed=bool(values & ALL_FRESH),
    )
