"""Words that ask for an operation: a count, a superlative, a comparison, a negation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from hermes.linking.mentions import Asks, Cue, Span

_LISTED: Final[Mapping[Asks, str]] = {
    "count": (
        "how many, number of, numbers of, count, count of, how often, how many times, total number of, "
        "amount of"
    ),
    "most": (
        "most, most number of, largest number of, highest number of, greatest number of, maximum number "
        "of, largest, biggest, highest, greatest, longest, tallest, oldest, latest, newest, youngest, "
        "heaviest, best, top, most recent, most popular, most common, most frequent, most expensive, "
        "fastest, richest, deepest, widest, farthest, furthest, maximal, last"
    ),
    "least": (
        "least, fewest, smallest number of, lowest number of, minimum number of, smallest, lowest, "
        "shortest, earliest, lightest, worst, cheapest, least expensive, least common, least popular, "
        "slowest, poorest, minimal, first"
    ),
    "at-least": "at least, no less than, no fewer than, not less than, minimum of, or more, or above",
    "at-most": "at most, no more than, not more than, up to, maximum of, or less, or fewer, or below",
    "greater": (
        "more than, greater than, larger than, higher than, bigger than, longer than, older than, heavier "
        "than, over, above, after, later than, exceeding, exceeds, exceed, since, better than, taller "
        "than, faster than, beyond, more expensive than"
    ),
    "less": (
        "less than, fewer than, smaller than, lower than, shorter than, younger than, lighter than, "
        "under, below, before, earlier than, prior to, worse than, cheaper than, slower than"
    ),
    "between": "between, in the range of, ranging from",
    "equal": "equal to, equals, exactly, same as, the same",
    "average": "average, mean, on average, averages",
    "sum": "total, sum, sum of, combined, in total, altogether, overall",
    "maximum": "maximum, max, maximum of",
    "minimum": "minimum, min, minimum of",
    "negation": (
        "not, no, never, without, nor, neither, none, except, excluding, other than, did not, does not, "
        "do not, have no, has no, are not, is not, don't, doesn't, didn't, isn't, aren't, haven't, "
        "hasn't, cannot, lack, lacks, lacking, besides, apart from"
    ),
    "distinct": "different, distinct, unique, various",
    "each": "each, every, per, for each, for every, respective, respectively, by each",
    "ascending": (
        "ascending, alphabetical, alphabetically, in alphabetical order, lexicographical, lexicographically, "
        "lexicographic order, alphabetic, increasing, sorted by, ordered by, sorted from, ordered from, "
        "in order of, sort by, order by, from oldest, from lowest, from lowest to highest, "
        "lowest to highest, smallest to largest, from youngest to oldest, youngest to oldest, oldest first"
    ),
    "descending": (
        "descending, decreasing, from highest to lowest, highest to lowest, largest to smallest, "
        "oldest to youngest, from oldest to youngest, from highest, from youngest, reverse order, "
        "from largest"
    ),
    "or": "or, either",
    "both": "both, as well as, and also, in common, shared by",
}
_VERBS: Final = "is are was were does do did has have had can could will would should"
_YES_OR_NO: Final = re.compile(rf"\s*(?:{'|'.join(_VERBS.split())})\b", re.IGNORECASE)
_BY_TEXT: Final[Mapping[str, Asks]] = {
    text: asks for asks, texts in _LISTED.items() for text in texts.split(", ")
}
_ANY: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(_BY_TEXT, key=len, reverse=True)))})(?![\w-])",
    re.IGNORECASE,
)
_SIGNS: Final[Mapping[str, Asks]] = {">=": "at-least", "<=": "at-most", ">": "greater", "<": "less"}
_LESS: Final = frozenset(["less", "fewer", "smaller", "lower", "shorter", "younger", "lighter"])
_APART: Final = re.compile(
    r"(?<![\w-])(?P<more>greater|higher|more|larger|bigger|longer|heavier|older|less|fewer|smaller|lower|shorter"
    r"|younger|lighter)(?:\s+[\w']+){1,2}\s+(?P<than>than)(?![\w-])",
    re.IGNORECASE,
)
"""A comparison around what is compared: "a greater weight than"."""
_NAME: Final = re.compile(r"\s+(?:and\s+last\s+)?names?\b", re.IGNORECASE)
"""What makes a "first" or a "last" no superlative."""
_SIGN: Final = re.compile(r">=|<=|>|<")


def cues(question: str) -> Iterator[Cue]:
    """Yield what the words of a question ask for, in order; of two phrases at one place the longer counts."""
    if (found := _YES_OR_NO.match(question)) is not None:
        yield Cue(_span(question, found), "yes-no")
    for found in _ANY.finditer(question.replace("\u2019", "'")):
        text = found[0].lower()
        if text not in ("first", "last") or not _NAME.match(question, found.end()):
            yield Cue(_span(question, found), _BY_TEXT[text])
    for found in _APART.finditer(question):
        than = Span(found.start("than"), found.end(), question[found.start("than") : found.end()])
        yield Cue(than, "less" if found["more"].lower() in _LESS else "greater")
    for found in _SIGN.finditer(question):
        yield Cue(_span(question, found), _SIGNS[found[0]])


def _span(question: str, found: re.Match[str]) -> Span:
    text = question[found.start() : found.end()]
    return Span(found.end() - len(text.lstrip()), found.end(), text.strip())
