"""Commands for files: keep the query, the steps or the answer; take the steps of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hermes.algebra import Action, parse_query, render
from hermes.algebra.trace import Step
from hermes.cli.action_file import entries
from hermes.cli.explore.queries import query_actions
from hermes.cli.explore.steps import standing
from hermes.cli.streams import created, opened, read_all
from hermes.errors import HermesError
from hermes.formats import write
from hermes.results import Truth

if TYPE_CHECKING:
    from hermes.cli.explore.session import Session

Written = tuple[str, str]
"""The text of a file, and what it is."""

_QUERIES: Final = (".rq", ".sparql")
_ACTIONS: Final = (".jsonl",)
_FORMATS: Final = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".md": "markdown", ".txt": "table"}
_FORMATS_OF_TRIPLES: Final = {".ttl": "turtle", ".nt": "ntriples"}


def save(session: Session, name: str) -> Iterator[str]:
    """Write the query, the steps or the answer to a file; its ending says what.

    .rq the query; .jsonl the steps, for hermes run; .trace the whole session, for hermes replay;
    .csv .tsv .json .md .txt the answer (.ttl .nt where it is triples). A file that is there is kept:
    save --replace FILE overwrites it.
    """
    overwrite, name = _replacing(name)
    path = _path(name, "save")
    if session.explorer.plan.empty:
        raise HermesError("there is nothing to save yet: the plan is empty", code="empty-plan")
    make = _WRITERS.get(path.suffix.lower())
    if make is None:
        raise HermesError(
            f'the ending of "{name}" does not say what to save; endings: {" ".join(_WRITERS)}', code="format"
        )
    if path.exists() and not overwrite:
        raise HermesError(
            f"there is a file {name}, which is kept; to overwrite it: save --replace {name}",
            code="unwritable",
        )
    text, what = make(session, path)
    with created(str(path)) as out:
        out.write(text)
    yield f"{what} in {name}"


def load(session: Session, name: str) -> Iterator[str]:
    """Begin anew with the steps of a file: a query (.rq), or actions (.jsonl)."""
    path = _path(name, "load")
    if path.suffix.lower() in _QUERIES:
        actions = query_actions(read_all(str(path)), session.kg)
    elif path.suffix.lower() in _ACTIONS:
        with opened(str(path)) as stream:
            actions = [entry.action() for entry in entries(stream, name)]
    else:
        wanted = " ".join((*_QUERIES, *_ACTIONS))
        raise HermesError(f'"{name}" is neither a query nor actions; endings: {wanted}', code="format")
    session.begin_anew()
    yield from session.take_all(actions)


def _replacing(name: str) -> tuple[bool, str]:
    word, _, rest = name.partition(" ")
    return (True, rest.strip()) if word == "--replace" else (False, name)


def _path(name: str, command: str) -> Path:
    if not name:
        raise HermesError(f"{command} needs the name of a file, such as session.jsonl", code="missing-field")
    return Path(name.strip("\"'")).expanduser()


# --- what is written ----------------------------------------------------------------------------------


def _query(session: Session, _: Path) -> Written:
    return session.explorer.sparql + "\n", "the query"


def _actions(session: Session, _: Path) -> Written:
    done = [_shared(session, step) for step in standing(session.explorer.trace)[0]]
    lines = "".join(f"{step.action}\n" for step in done)
    return f"# on {session.kg.source}\n{lines}", f"{len(done)} step{'' if len(done) == 1 else 's'}"


def _trace(session: Session, _: Path) -> Written:
    trace = session.explorer.trace
    steps = tuple(_shared(session, step) for step in trace.steps)
    return replace(trace, steps=steps).to_jsonl(), "the session"


def _shared(session: Session, step: Step) -> Step:
    """Return a step without the prefixes that only this session has; as it was given where it uses none."""
    if session.kg.prefixes == session.shared_prefixes:
        return step
    try:
        meant = step.action.read(session.explorer.plan)
    except HermesError:  # it was refused for what it is
        return step
    shared = session.shared_prefixes
    query = render(parse_query(step.query), str(shared)) if step.query else ""
    return replace(step, action=Action.of(meant, shared), query=query)


def _answer(session: Session, path: Path) -> Written:
    result = session.explorer.answer()
    fmt = (_FORMATS | _FORMATS_OF_TRIPLES)[path.suffix.lower()]
    cut = not (isinstance(result, Truth) or result.complete)
    return write(result, fmt, session.kg.prefixes), "the answer, which was cut," if cut else "the answer"


_WRITERS: Final[dict[str, Callable[[Session, Path], Written]]] = {
    **dict.fromkeys(_QUERIES, _query),
    **dict.fromkeys(_ACTIONS, _actions),
    ".trace": _trace,
    **dict.fromkeys((*_FORMATS, *_FORMATS_OF_TRIPLES), _answer),
}
