"""Numbers, years and dates, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from hermes.linking.mentions import Number, Span
from hermes.terms import XSD, Literal

_UNITS_LISTED: Final = """\
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_UNITS: Final = _UNITS_LISTED.split()
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES: Final[Mapping[str, int]] = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "k": 1000,
    "m": 10**6,
}
_WORDS: Final[Mapping[str, int]] = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
_MONTHS_LISTED: Final = """\
january february march april may june july august september october november december
"""
_MONTHS: Final = _MONTHS_LISTED.split()
_MONTH: Final = rf"(?P<month>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in _MONTHS)})\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>[12]\d{3})"
_DATES: Final = tuple(
    re.compile(rf"(?<![\w-]){form}(?![\w-])", re.IGNORECASE)
    for form in (
        r"(?P<year>[12]\d{3})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>[12]\d{3})",
    )
)
_DIGITS: Final = re.compile(
    r"(?<![\w.,])(?P<sign>-)?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?:\s*(?P<scale>{'|'.join(_SCALES)})\b)?(?:st|nd|rd|th|s)?(?![\w])",
    re.IGNORECASE,
)
_SPELLED: Final = re.compile(
    rf"\b(?:{'|'.join((*_WORDS, 'hundred', 'thousand', 'million'))})"
    rf"(?:[\s-]+(?:and\s+)?(?:{'|'.join((*_WORDS, 'hundred', 'thousand', 'million', 'billion'))}))*\b",
    re.IGNORECASE,
)
_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2199
_MONTHS_A_YEAR: Final = 12
_LONGEST_MONTH: Final = 31


def numbers(question: str) -> Iterator[Number]:
    """Yield the numbers, years and dates of a question in order; a number inside a date is none."""
    found = [*_dates(question)]
    for number in (*_in_digits(question), *_spelled(question)):
        span = number.span
        if not any(other.span.start < span.end and span.start < other.span.end for other in found):
            found.append(number)
    yield from sorted(found, key=lambda each: each.span)


def _dates(question: str) -> Iterator[Number]:
    taken: list[Span] = []
    for form in _DATES:
        for match in form.finditer(question):
            year, month, day = match["year"], _month(match["month"]), int(match["day"])
            span = Span(match.start(), match.end(), match[0])
            right = 1 <= month <= _MONTHS_A_YEAR and 1 <= day <= _LONGEST_MONTH
            if right and not any(each.start < span.end and span.start < each.end for each in taken):
                taken.append(span)
                yield Number(span, Literal(f"{year}-{month:02}-{day:02}", XSD + "date"), "date")


def _month(text: str) -> int:
    if text.isdigit():
        return int(text)
    return next(number for number, name in enumerate(_MONTHS, start=1) if name[:3] == text[:3].lower())


def _in_digits(question: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(question):
        text = match["number"].replace(",", "")
        plain = match["scale"] is None and match["sign"] is None and "," not in match["number"]
        span = Span(match.start(), match.end(), match[0])
        if plain and len(text) == len(str(_FIRST_YEAR)) and _FIRST_YEAR <= float(text) <= _LAST_YEAR:
            yield Number(span, Literal(text, XSD + "integer"), "year")
            continue
        value = float(text) * _SCALES.get((match["scale"] or "").lower(), 1)
        whole = (value == int(value) and "." not in text) or match["scale"] is not None
        written = f"{match['sign'] or ''}{int(value) if whole else text}"
        yield Number(span, Literal(written, XSD + ("integer" if whole else "decimal")), "number")


def _spelled(question: str) -> Iterator[Number]:
    for match in _SPELLED.finditer(question):
        total = current = 0
        for word in re.split(r"[\s-]+", match[0].lower()):
            if word in _WORDS:
                current += _WORDS[word]
            elif word in _SCALES:
                current = max(1, current) * _SCALES[word]
                if _SCALES[word] > _SCALES["hundred"]:
                    total, current = total + current, 0
        yield Number(
            Span(match.start(), match.end(), match[0]),
            Literal(str(total + current), XSD + "integer"),
            "number",
        )
