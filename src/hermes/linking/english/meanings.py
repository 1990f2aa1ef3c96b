"""Words of English that ask for a quality without naming it: "how old" asks for an age or a year of birth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from hermes.labels.stems import root, stem

_MEANINGS: Final = """
population inhabitants: people inhabitant citizen resident populous populated live lives living reside stay
area size surface population: large larger largest big bigger biggest small smaller smallest size extent
age birth born birthday year: old older oldest young younger youngest
height elevation altitude: tall taller tallest high higher highest low lower lowest
length duration distance time: long longer longest short shorter shortest
duration time minutes: last lasted lasting lasts
price cost amount fee charge: expensive cheap cheaper cheapest costly cost costs worth paid pay
weight mass: heavy heavier heaviest light lighter lightest weigh weighs weighing
speed time: fast faster fastest slow slower slowest quick quickest
date year time: when recent recently latest earliest newest early late founded established built opened
place location address city: where located location situated based
depth: deep deeper deepest
width: wide wider widest narrow
distance: far farther farthest further
income salary earnings wage: rich richest earn earns earning paid poor poorest
score rating rank points grade: best worst rated ranked better
phone telephone mobile: phone telephone call contact
email mail: email mail contact
forename firstname: first given
surname lastname: last family
name: called named who whom
gender sex: male female man woman men women
language: speak speaks spoken
country nation nationality: nation nations country countries citizenship
width height depth length: volume dimension dimensions
job profession occupation position title role: job profession occupation work
street address zip: address
make maker manufacturer brand: made produced manufactured brand
teacher instructor professor: teach teaches taught
price currency: dollar dollars euro euros
capacity seats size: capacity hold holds seats
picture photo image: picture photo image
company organization organisation: firm
death died: dead die died killed
child children: kid kids
movie film: movie movies film films
begin start: began begin starts started
end finish: ended ends finished
"""


def _read() -> Mapping[str, tuple[str, ...]]:
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in _MEANINGS.strip().split("\n"):
        names, _, words = line.partition(":")
        for word in words.split():
            found[word] |= dict.fromkeys(root(name) for name in names.split())
    return {word: tuple(roots) for word, roots in found.items()}


_BY_WORD: Final = _read()


def meant_by(word: str) -> tuple[str, ...]:
    """Return the roots of the names of what a word may ask for: "oldest" for an age, a birth, a year."""
    return _BY_WORD.get(word) or _BY_WORD.get(stem(word), ())
