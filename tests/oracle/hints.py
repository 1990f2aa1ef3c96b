"""Which values a query's expressions ask of its variables: constants, numbers near them, dates, texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from math import isfinite
from typing import Final

from pyoxigraph import Literal, NamedNode

from oracle.constants import XSD, constant, string_value
from oracle.sketch import Sketch, Term
from oracle.tokens import Token

NUMERIC: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", "int", "long"))
_DATES: Final = frozenset(XSD + name for name in ("date", "dateTime", "gYear"))
_DATE_PARTS: Final = ("YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS")
_ARITHMETIC: Final = frozenset(
    {"SUM", "AVG", "ABS", "CEIL", "FLOOR", "ROUND", "*", "/", "<", ">", "<=", ">="}
)
_PATTERN: Final = re.compile(r"\[([^\]])[^\]]*\]|\\d|\\[wW]|\\s|\\(.)|\.[*+?]?|[\^$*+?()]|\{\d[\d,]*\}|\|.*")


@dataclass(slots=True)
class Wish:
    """What one variable should be to satisfy the expressions around it."""

    terms: list[Term] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    datatypes: list[str] = field(default_factory=list)
    parts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    words: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Wishes:
    """The wishes of all variables, and the pairs of variables that an expression sets equal."""

    of: dict[str, Wish] = field(default_factory=lambda: defaultdict(Wish))
    equal: list[tuple[str, str]] = field(default_factory=list)


def wishes(sketch: Sketch) -> Wishes:
    """Collect what the expressions of `sketch` ask."""
    found = Wishes()
    for tokens in (*sketch.expressions, *sketch.bound.values()):
        for segment in _segments(tokens):
            _note(segment, sketch, found)
    for name, tokens in sketch.bound.items():
        alone = constant([*tokens, Token("end", "")], 0, sketch.names) if tokens else None
        if alone and alone[1] >= len(tokens):
            found.of[name].terms.append(alone[0])
        elif len(tokens) == 1 and tokens[0].kind == "var":
            found.equal.append((name, tokens[0].text[1:]))
    return found


def _segments(tokens: Sequence[Token]) -> Iterable[list[Token]]:
    """Split at `&&` and `||`, at any depth: each piece is about few variables."""
    piece: list[Token] = []
    for token in tokens:
        if token.says("&&", "||"):
            yield piece
            piece = []
        else:
            piece.append(token)
    yield piece


def _expanded(tokens: Sequence[Token], sketch: Sketch, depth: int = 3) -> list[Token]:
    """Add to an expression those of the variables in it that BIND or AS made."""
    flat = list(tokens)
    for token in tokens:
        if depth and token.kind == "var" and token.text[1:] in sketch.bound:
            flat += _expanded(sketch.bound[token.text[1:]], sketch, depth - 1)
    return flat


def _note(segment: Sequence[Token], sketch: Sketch, found: Wishes) -> None:
    """Add the wishes of one piece of an expression to each variable in it."""
    tokens = [*_expanded(segment, sketch), Token("end", "")]
    variables = {token.text[1:] for token in tokens if token.kind == "var"}
    words = {token.text.upper() for token in tokens if token.kind in {"word", "op"}}
    terms: list[Term] = []
    index = 0
    while index < len(tokens) - 1:
        # A cast is a constant only for its name: what it says is the kind of its argument.
        cast = tokens[index].kind in {"name", "iri"} and tokens[index + 1].says("(")
        item = None if tokens[index].kind == "end" else constant(tokens, index, sketch.names)
        if item is None:
            index += 1
            continue
        index = item[1]
        if cast and isinstance(item[0], NamedNode):
            words.add(item[0].value)
            if item[0].value in _DATES and tokens[index + 1].kind == "string":
                terms.append(Literal(string_value(tokens[index + 1].text), datatype=item[0]))
        else:
            terms.append(item[0])
    if "=" in words and len(variables) == 2 and not terms:
        first, second = sorted(variables)
        found.equal.append((first, second))
    for variable in sorted(variables):
        _wish(found.of[variable], words, terms)


def _wish(wish: Wish, words: set[str], terms: Sequence[Term]) -> None:
    """Sort the constants of one piece into what they ask of a variable."""
    wish.words |= words
    for term in terms:
        if isinstance(term, NamedNode):
            if "DATATYPE" in words:
                wish.datatypes.append(term.value)
            else:
                wish.terms.append(term)
        elif term.datatype.value in NUMERIC:
            _number(wish, words, term)
        elif "LANG" in words or "LANGMATCHES" in words:
            _language(wish, words, term)
        else:
            wish.terms.append(term)
            wish.texts += [text for text in (term.value, _plain(term.value)) if text not in wish.texts]


def _number(wish: Wish, words: set[str], term: Literal) -> None:
    part = next((word for word in _DATE_PARTS if word in words), None)
    try:
        number = float(term.value)
    except ValueError:
        return
    if not isfinite(number):
        return
    if part is None:
        wish.numbers.append(number)
    else:
        wish.parts[part].append(int(number))


def _language(wish: Wish, words: set[str], term: Literal) -> None:
    if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]+)*", term.value):
        wish.languages.append(term.value)
    elif term.value == "*":
        wish.languages.append("en")
    elif term.value == "":
        wish.languages.append("")
    elif words & {"=", "CONTAINS", "REGEX", "STRSTARTS"}:
        wish.texts.append(term.value)


def _plain(pattern: str) -> str:
    """Return a text that a simple regular expression may match."""
    samples = {"\\d": "1", "\\w": "a", "\\W": "-", "\\s": " "}

    def one(match: re.Match[str]) -> str:
        return samples.get(match[0]) or match[1] or match[2] or ("x" if match[0] in {".", ".+"} else "")

    return _PATTERN.sub(one, pattern)


def candidates(wish: Wish, *, node: bool) -> list[Term]:
    """Return terms that may satisfy `wish`; only IRIs for a `node` (a subject, a predicate, a graph)."""
    terms = list(wish.terms)
    if node:
        iris = [term for term in terms if isinstance(term, NamedNode)]
        texts = [*wish.texts, *(iri.value + text for iri in iris for text in wish.texts)]
        return [*iris, *(made for text in texts[:30] if (made := _iri(text)) is not None)]
    terms += _strings(wish) + _dates(wish) + _numbers(wish)
    for kind in wish.datatypes:
        terms += [Literal(_sample(kind, number), datatype=NamedNode(kind)) for number in (1, 2)]
    return list(dict.fromkeys(terms))[:60]


def _iri(text: str) -> NamedNode | None:
    """Return an IRI with `text` in it, where that can be one."""
    kept = re.sub(r"[^\w:/#.?&=+@~-]", "", text)
    try:
        return NamedNode(kept if re.match(r"[a-z]+:/?/?\w", kept) else f"http://example.org/{kept}")
    except ValueError:
        return None


def _strings(wish: Wish) -> list[Term]:
    texts = list(dict.fromkeys(text for text in wish.texts if text is not None))[:8]
    if "STRLEN" in wish.words:
        texts += ["x" * max(0, int(number) + shift) for number in wish.numbers for shift in (0, 1, -1)]
    whole = "".join(texts)
    if len(texts) > 1:
        texts += [" ".join(texts), whole, " ".join(reversed(texts))]
    texts += [f"{text} tail" for text in texts[:2]]
    if wish.words & {"LCASE", "UCASE", "REGEX"}:
        texts += [made for text in texts[:3] for made in (text.title(), text.upper(), text.lower())]
    if not texts and wish.languages:
        texts = ["alpha", "beta"]
    plain: list[Term] = [] if wish.languages and "" not in wish.languages else [Literal(t) for t in texts]
    tagged = [Literal(text, language=tag) for tag in wish.languages if tag for text in texts]
    extra = [] if wish.languages else [Literal(text, language="en") for text in texts[:2]]
    return [*tagged, *plain, *extra]


def _numbers(wish: Wish) -> list[Term]:
    made: list[Term] = []
    combined = list(wish.numbers)
    if wish.words & {"*", "+", "/", "-"}:
        combined += [x * y for x, y in combinations(wish.numbers[:4], 2)]
        combined += [x + y for x, y in combinations(wish.numbers[:4], 2)]
    for number in combined[:10]:
        whole = round(number)
        made += [Literal(whole + shift) for shift in (0, 1, -1)]
        if number != whole:
            made.append(Literal(str(number), datatype=NamedNode(XSD + "decimal")))
        made.append(Literal(number + 0.5))
        made.append(Literal(whole * 10 + 7))
        if "STR" in wish.words or any(word.startswith(XSD) for word in wish.words):
            made.append(Literal(str(whole)))
    if not made and wish.words & _ARITHMETIC:
        made = [Literal(number) for number in (1, 2, 3, 5)]
    return made


def _dates(wish: Wish) -> list[Term]:
    made: list[Term] = []
    for term in wish.terms:
        kind = term.datatype.value if isinstance(term, Literal) else ""
        match = re.match(r"(\d{4})(?:-(\d\d)-(\d\d))?", term.value) if kind in _DATES else None
        if match is not None:
            day = _date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
            for shift in (0, 1, -1, 370, -370):
                made += _moment(day + timedelta(days=shift), kind)
    if wish.parts or wish.words & set(_DATE_PARTS):
        years = wish.parts.get("YEAR") or [2000]
        for shift in (0, 1, -1):
            for year in years[:4]:
                for month in wish.parts.get("MONTH", [1])[:3]:
                    moment = _date(year + shift, month, wish.parts.get("DAY", [1])[0])
                    made += _moment(moment, XSD + "dateTime")
    if not made and "NOW" in wish.words:
        made = [*_moment(date(2000, 1, 1), XSD + "dateTime"), *_moment(date(2030, 1, 1), XSD + "dateTime")]
    return made


def _date(year: int, month: int, day: int) -> date:
    """Return a date that exists and has neighbours, near the one asked for."""
    return date(min(max(year, 2), 9997), min(max(month, 1), 12), min(max(day, 1), 28))


def _moment(day: date, kind: str) -> list[Term]:
    text = day.isoformat()
    if kind.endswith("dateTime"):
        text += "T00:00:00Z"
    return [Literal(text[:4] if kind.endswith("gYear") else text, datatype=NamedNode(kind))]


def _sample(kind: str, number: int) -> str:
    """Return a text of the datatype `kind`."""
    if kind.endswith("dateTime"):
        return f"200{number}-01-01T00:00:00Z"
    if kind.endswith("date"):
        return f"200{number}-01-01"
    return "true" if kind.endswith("boolean") else str(number)
