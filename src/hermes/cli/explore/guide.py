"""What a newcomer reads: the greeting, the help, and goodbye."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hermes.algebra import Plan, catalogue
from hermes.algebra.fields import FLAG
from hermes.algebra.kind import Control, Kind, Operator, Read, field_rules, kind_of
from hermes.algebra.short import example, usage
from hermes.cli.tables import INDENT, cell
from hermes.datasets import SHIPPED
from hermes.errors import HermesError, StoreError, did_you_mean
from hermes.printable import clip_columns
from hermes.store import is_endpoint
from hermes.terms import IRI, OWL, RDF, RDFS

if TYPE_CHECKING:
    from hermes.cli.explore.session import Session

_LARGEST: Final = 3
_EXAMPLES: Final = "http://example.org/olympics/"
"""The namespace of the graph on which the examples work."""
_COLUMN: Final = 24
_WIDEST: Final = 100
_SCHEMA: Final = (RDF, RDFS, OWL)
"""What stands in these namespaces says how a graph is built, not what it is about."""
_FIRST_LINES: Final = (
    ("", "a pattern: subject, predicate, object; ?names are what you ask for"),
    ("?x ?property ?value", "another pattern: it joins with what is there"),
    ("filter ?value > 1900", "keep some solutions; see help filter"),
    ("lookup TEXT", "find what has a label with this text"),
    ("undo", "take the last step back"),
)


def greeting(session: Session) -> Iterator[str]:
    """Yield what the graph is, the largest things in it, and what to type first."""
    kg = session.kg
    endpoint = is_endpoint(kg.store)
    name = kg.source if endpoint else ", ".join(PurePath(part).name for part in kg.source.split(", "))
    known = kg.vocabulary
    made = _made_prefixes(session)
    if not kg.vocabulary_known:
        yield f"{name}: it did not say in time what it has"
    else:
        triples = sum(known.predicates.values())
        counts = (
            _counted(triples, "triple"),
            _counted(len(known.classes), "class", "classes"),
            _counted(len(known.predicates), "predicate"),
        )
        yield f"{name}: {', '.join(counts)}"
        yield from _largest(session, "classes", known.classes)
        yield from _largest(session, "predicates", known.predicates)
    if made:
        names = ", ".join(f"{prefix}:" for prefix in made)
        yield clip_columns(f"    prefixes made for this session: {names}", session.width())
    yield "classes, predicates, lookup TEXT show what there is; help explains; quit ends."
    yield f"A pattern is a step, ?names are what you ask for: {first_pattern(session)}"


def _made_prefixes(session: Session) -> Mapping[str, str]:
    """Declare prefixes on an endpoint, which says none of its own: so names can be typed."""
    if not is_endpoint(session.kg.store):
        return {}
    try:
        made = session.kg.derived_prefixes()
    except StoreError:  # names in full will do
        return {}
    session.declare(made)
    return made


def _largest(session: Session, title: str, counts: Mapping[str, int]) -> Iterator[str]:
    kg = session.kg
    telling = [IRI(iri) for iri in counts if not iri.startswith(_SCHEMA)]
    shown = telling[:_LARGEST]
    labels = kg.stated_labels(shown)
    if shown:
        names = ", ".join(f"{cell(iri, labels, kg.prefixes)} {counts[iri.value]:,}" for iri in shown)
        yield clip_columns(f"    largest {title}: {names}", session.width())


def first_pattern(session: Session) -> str:
    """Return a pattern that has solutions here: the instances of the largest class, or a predicate."""
    kg = session.kg
    if kg.vocabulary_known:
        for iri in kg.vocabulary.classes:
            if not iri.startswith(_SCHEMA):
                return f"?x a {cell(IRI(iri), {}, kg.prefixes)}"
        for iri in kg.vocabulary.predicates:
            if not iri.startswith(_SCHEMA):
                return f"?x {cell(IRI(iri), {}, kg.prefixes)} ?y"
    return "?x a ?class"


def _counted(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


# --- help -----------------------------------------------------------------------------------------


def help_with(session: Session, word: str) -> Iterator[str]:
    """Explain everything in short, or one command or operator: help filter."""
    from hermes.cli.explore.commands import COMMANDS  # noqa: PLC0415 - this is one of them

    name = word.lower()
    if not name:
        yield from _overview(session)
    elif name == "operators":
        yield from _operators(session)
    elif command := COMMANDS.get(name):
        yield command.usage
        yield from _paragraphs(session, command.doc)
    elif kind := kind_of(name):
        yield from _kind_lines(session, kind)
    else:
        known = [*COMMANDS, *(each.op for each in catalogue())]
        raise HermesError(f'no help for "{word}"{did_you_mean(name, known)}', code="unknown-operator")


def quit_session(session: Session, _: str) -> Iterable[str]:
    """End the session; so does Ctrl-D."""
    session.over = True
    return ()


def _overview(session: Session) -> Iterator[str]:
    from hermes.cli.explore.commands import COMMANDS  # noqa: PLC0415 - this is one of them

    yield "A line is a step. It is checked and run at once; one that fails changes nothing."
    for line, says in _FIRST_LINES:
        typed = line or first_pattern(session)
        yield from _wrapped(session, f"{INDENT}{typed:{_COLUMN}}  {says}", len(INDENT) + _COLUMN + 2)
    for title, base in (("Operators", Operator), ("Find", Read), ("Steer", Control)):
        names = ", ".join(each.op for each in catalogue() if issubclass(each, base))
        yield from _wrapped(session, f"{title}: {names}", len(INDENT))
    yield "Commands:"
    for name, command in COMMANDS.items():
        if command.usage.split()[0] == name:
            yield from _entry(session, command.usage, command.doc)
    yield "help WORD explains one of them, help operators all operators in a line each."


def _operators(session: Session) -> Iterator[str]:
    for each in catalogue():
        if issubclass(each, Operator):
            yield from _entry(session, usage(each), each.__doc__ or "")


def _entry(session: Session, left: str, doc: str) -> list[str]:
    """Return what to type, and what the first sentence says up to its first stop."""
    sentence = re.split(r"[;:.]|, such", inspect.cleandoc(doc).split("\n", maxsplit=1)[0])[0]
    return _wrapped(session, f"{INDENT}{left:{_COLUMN}}  {sentence}", len(INDENT) + _COLUMN + 2)


def _wrapped(session: Session, text: str, indent: int) -> list[str]:
    """Return a text in lines that fit into the terminal."""
    return textwrap.wrap(text, min(session.width(), _WIDEST), subsequent_indent=" " * indent)


def _kind_lines(session: Session, kind: type[Kind]) -> Iterator[str]:
    yield usage(kind)
    yield from _paragraphs(session, inspect.cleandoc(kind.__doc__ or ""))
    for name, (rule, _) in field_rules(kind).items():
        if rule is FLAG:
            yield f"    {name}: may be written or left out"
        else:
            yield f"    {name.upper()}: {rule.wants}"
    if not issubclass(kind, Control) or field_rules(kind):
        where = "" if session.kg.source in SHIPPED else " (on the graph that ships with hermes)"
        plan = Plan(prefixes=session.kg.prefixes | {"ex": _EXAMPLES})
        yield f"    example{where}: {example(kind, plan)}"
        yield f"    the same as JSON: {kind.example}"


def _paragraphs(session: Session, doc: str) -> Iterator[str]:
    for paragraph in doc.split("\n\n"):
        yield from _wrapped(session, INDENT + " ".join(paragraph.split()), len(INDENT))
