"""English beside the words that linking knows: what begins and ends the parts of a question."""

from __future__ import annotations

from typing import Final

from hermes.labels.stems import root


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


BREAKS: Final = _listed(
    "of for in with that which who whose where from by at on to have has having when whom than as under over "
    "through within near between among does do did whether"
)
"""Words that end the part of a question which says what is asked for."""
BE: Final = _listed("is are was were")
"""The same, where they do not say something themselves."""
TELLS: Final = _listed("give list show return also find tell please include provide name report display")
"""Words with which a later sentence asks for something."""
KINDS: Final = _listed("type types kind kinds sort sorts pair pairs list lists")
"""Words that say nothing before "of"."""
BEFORE_COUNT: Final = _listed("total average maximum minimum same and show list find give display")
"""Words after which "numbers of" asks for a count, and does not belong to a noun."""
COMMON: Final = _listed("common popular frequent frequently often")
"""Words that ask for how often something is there."""
FROM_LOW: Final = _listed("youngest newest latest")
"""Superlatives that have the smallest age."""
IDENTIFYING: Final = _listed("id ids identifier identifiers")
PARTS: Final = frozenset(map(root, _listed("substring contains includes including word letter starts")))
"""The roots of words that ask for a piece of a text."""
NAMING: Final = frozenset(map(root, _listed("name title label")))
YEARS: Final = frozenset(map(root, _listed("year date")))
AGE: Final = root("age")
BORN: Final = frozenset(map(root, _listed("birth birthday born year")))
PARTS_OF_NAMES: Final = {
    "first": frozenset(map(root, _listed("first forename given fname firstname"))),
    "last": frozenset(map(root, _listed("last surname family lname lastname"))),
}
"""The roots of what a first and a last name are called."""
ONE_WORD: Final = frozenset(map(root, _listed("forename fname firstname surname lname lastname")))
"""The roots of those of them that say so without "name"."""
