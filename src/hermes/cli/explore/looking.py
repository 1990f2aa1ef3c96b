"""Commands that look: at the graph, at the plan, at what a step would give, at the answer."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hermes.algebra import parse_action, render
from hermes.algebra.observation import Rejected, Solutions
from hermes.algebra.observe import sample_plan, without_reserved
from hermes.algebra.short import parse_short, short
from hermes.cli.explore.steps import standing
from hermes.cli.tables import aligned, cell
from hermes.errors import HermesError
from hermes.formats import write
from hermes.printable import clip
from hermes.results import Table
from hermes.terms import IRI, Prefixes
from hermes.verbalize import verbalize

if TYPE_CHECKING:
    from hermes.cli.explore.session import Session

NOTHING_YET: Final = "the plan is empty: say a pattern first, such as"

_FOCUS: Final = re.compile(r"\?\w+\s*")
_ROWS: Final = 20
"""So many rows a table has where no number is said, and so many names a list of them."""
_MOST_SHOWN: Final = 1000
_STEP: Final = 70


def classes(session: Session, text: str) -> Iterator[str]:
    """List the classes with the most instances; with a text, those whose name or label contains it.

    After one of them, `?x a CLASS` finds its instances and `inspect CLASS` shows what they have.
    """
    return _names(session, "class", "instances", session.kg.vocabulary.classes, text)


def predicates(session: Session, text: str) -> Iterator[str]:
    """List the predicates of the most triples; with a text, those whose name or label contains it.

    After one of them, `?x PREDICATE ?y` finds its triples and `inspect PREDICATE` what it connects.
    """
    return _names(session, "predicate", "triples", session.kg.vocabulary.predicates, text)


def _names(session: Session, what: str, unit: str, known: Mapping[str, int], text: str) -> Iterator[str]:
    kg = session.kg
    if not kg.vocabulary_known:
        yield f"the endpoint did not say in time what it has; {_ways_in(what)}"
        return
    found = [IRI(iri) for iri in known]
    wanted = text.casefold()
    if wanted:
        labels = kg.stated_labels(found)
        found = [iri for iri in found if wanted in cell(iri, labels, kg.prefixes).casefold()]
    shown = found[:_ROWS]
    labels = kg.stated_labels(shown)
    if not shown:
        yield f'no {what} whose name or label contains "{clip(text, _STEP)}"' if text else f"no {what}"
        return
    rows = [[cell(iri, labels, kg.prefixes), f"{known[iri.value]:,}"] for iri in shown]
    yield from aligned([[what, unit], *rows], session.width())
    if more := len(found) - len(shown):
        yield f"    ... and {more:,} more; a text after the command narrows them"


def _ways_in(what: str) -> str:
    return "lookup TEXT finds names" if what == "predicate" else "?x a ?class shows some of the classes"


def prefixes(session: Session, _: str) -> Iterable[str]:
    """List the prefixes that names may be written with."""
    rows = [[f"{prefix}:", f"<{namespace}>"] for prefix, namespace in session.kg.prefixes.items()]
    return aligned(rows, session.width()) if rows else ["    no prefixes: names are written <in full>"]


def prefix(session: Session, text: str) -> Iterable[str]:
    """Declare a prefix for this session: prefix ex: <http://example.org/>."""
    found = Prefixes.parse(f"PREFIX {text}")
    session.declare(found)
    return [f"    {name}:  <{namespace}>" for name, namespace in found.items()]


def preview(session: Session, line: str) -> Iterator[str]:
    """Show what an action would give; nothing is committed."""
    if not line:
        raise HermesError("preview needs an action, such as: preview ?x a ?class", code="missing-field")
    seen = session.explorer.preview(parse_short(line, session.explorer.plan))
    summary, *more = seen.summary().split("\n")
    yield f"-> {summary}" if isinstance(seen, Rejected) else f"-> {summary} (a preview: nothing has changed)"
    yield from more
    yield from (f"    {hint}" for hint in seen.hints)
    yield from session.sample(seen)


def suggest(session: Session, text: str) -> Iterator[str]:
    """Show next steps that have solutions: suggest ?city which country.

    At the variable, or at the one that answers; steps that the text says come first. `pick N` takes one.
    """
    found = _FOCUS.match(text)
    focus = {"focus": found[0].strip()} if found else {}
    wanted = text[found.end() :].strip() if found else text
    options = {"op": "suggest", **focus, **({"text": wanted} if wanted else {})}
    return session.take(parse_action(options))


def pick(session: Session, text: str) -> Iterator[str]:
    """Take a step that was suggested last: the first one, or the N-th."""
    return session.take_all([parse_action(_numbered(text, session.suggested, "pick"))])


def repair(session: Session, text: str) -> Iterator[str]:
    """Take a repair that was offered beside the last step: the first one, or the N-th.

    Where the step was taken its clause is replaced; where it was rejected another one is taken in its place.
    """
    known = _numbered(text, session.repairs, "repair")
    return session.take_all([parse_action(known)])


def _numbered(text: str, known: Sequence[str], command: str) -> str:
    """Return the action with the number that was typed.

    Raises:
        HermesError: there is none, or no such number.
    """
    if not known and command == "repair":
        raise HermesError("no repair was offered beside the last step", code="nothing-to-repair")
    if not known:
        raise HermesError("no step was suggested: suggest shows some", code="nothing-to-pick")
    number = int(text or 1) if text.isascii() and (text or "1").isdigit() else 0
    if not 1 <= number <= len(known):
        raise HermesError(
            f'{command} takes a number from 1 to {len(known)}, not "{clip(text, _STEP)}"', code="wrong-type"
        )
    return known[number - 1]


def table(session: Session, text: str) -> Iterator[str]:
    """Show the first N rows of the plan with labels (20 where no number is given)."""
    if text and not (text.isascii() and text.isdigit() and int(text)):
        raise HermesError(f'table takes a number of rows, not "{clip(text, _STEP)}"', code="wrong-type")
    explorer = session.explorer
    if explorer.plan.empty:
        yield f"{NOTHING_YET} ?x a ?class"
        return
    seen = explorer.observation
    if not isinstance(seen, Solutions):
        yield from session.sample(seen) or [seen.summary()]
        return
    size = min(int(text or _ROWS), _MOST_SHOWN)
    shown = without_reserved(session.kg.select(render(sample_plan(explorer.plan, size), session.kg.header)))
    if not shown.rows:
        yield "    no row"
        return
    more = max(0, seen.count - len(shown.rows))
    yield from session.table(shown.rows, shown.variables, more, at_least=seen.capped)


def answer(session: Session, fmt: str) -> Iterator[str]:
    """Show the whole answer: as a table with labels, or as json, csv, tsv or markdown.

    Without a format at most 1,000 rows are shown; `save FILE` writes them all.
    """
    explorer = session.explorer
    if explorer.plan.empty:
        yield f"{NOTHING_YET} ?x a ?class"
        return
    result = explorer.answer()
    if fmt or not isinstance(result, Table):
        yield from write(result, fmt.lower() or "table", session.kg.prefixes).splitlines()
    elif not result.rows:
        yield "    no row"
    else:
        rows = result.rows[:_MOST_SHOWN]
        more = len(result.rows) - len(rows)
        yield from session.table(rows, result.variables, more, at_least=not result.complete)
    if isinstance(result, Table) and not result.complete:
        yield "    the answer was cut: this is not all of it"


def sparql(session: Session, _: str) -> Iterable[str]:
    """Show the query so far, to copy."""
    if session.explorer.plan.empty:
        return [f"{NOTHING_YET} ?x a ?class"]
    return session.explorer.sparql.split("\n")


def words(session: Session, _: str) -> Iterable[str]:
    """Say in a sentence what the query asks."""
    return textwrap.wrap(verbalize(session.explorer.plan, session.kg), session.width() - 1)


def history(session: Session, _: str) -> Iterator[str]:
    """List the steps that made the plan, with their counts."""
    done, undone = standing(session.explorer.trace)
    if not done:
        yield "    no step yet" if not undone else "    no step; redo takes the last undone one again"
        return
    plan = session.explorer.plan
    rows = [
        [str(number), clip(short(step.action, plan), _STEP), f"-> {step.observation.summary()}"]
        for number, step in enumerate(done, start=1)
    ]
    yield from aligned(rows, session.width())
    if undone:
        yield f"    {len(undone)} undone; redo takes the last of them again"


def new(session: Session, _: str) -> Iterator[str]:
    """Begin anew, by undoing every step; redo takes them again one by one."""
    count = session.begin_anew()
    yield f"-> empty plan, {count} step{'' if count == 1 else 's'} undone"
