"""What an endpoint supports, found out with a few cheap queries, and what hermes does about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from hermes.errors import StoreError
from hermes.store.endpoint import EndpointStore
from hermes.store.http.probes import FORMATS, PROBES, Answered, Finding, Probe
from hermes.store.http.refusal import refused, unreadable
from hermes.store.http.reply import Reply
from hermes.store.http.software import software
from hermes.store.http.sparql_results import ASK_VARIABLE, NoResult, read_graph, read_result

MOST_REQUESTS: Final = 20
"""So many requests are sent at most, repeated ones not counted."""
PATIENCE: Final = 15.0
"""Seconds that one query may take."""

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found.

    Attributes:
        url: the endpoint, without its query part.
        dataset: `"default"` or the IRI of the default graph that was asked.
        engine: the name of the server's software, or `"unknown"`.
        requests: how many requests were sent.
        findings: one for each thing that was looked at.
    """

    url: str
    dataset: str
    engine: str
    requests: int
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the examination as a JSON object."""
        return {
            "format": FORMAT,
            "endpoint": self.url,
            "dataset": self.dataset,
            "engine": self.engine,
            "requests": self.requests,
            "findings": [
                {"feature": each.feature, "found": each.found, "hermes": each.hermes}
                for each in self.findings
            ],
        }


@dataclass(slots=True)
class _Notes:
    """What is seen of all replies on the way."""

    replies: list[Reply] = field(default_factory=list)
    slowest: float = 0.0
    timeouts: int = 0


def examine(store: EndpointStore) -> Examination:
    """Ask an endpoint what it supports, one small query after the other.

    Raises:
        StoreError: the endpoint does not answer the first query at all.
    """
    notes = _Notes()
    findings = [_formats(store, notes)]
    for probe in PROBES:
        answered = _ask(store, probe, notes)
        if answered.error is not None and answered.error.category == "rate_limited":
            findings.append(
                Finding("the rest", f"not asked ({answered.why})", "stops when it is asked to wait")
            )
            break
        findings.append(probe.judge(answered))
    findings += _seen(notes)
    return Examination(store.source, store.dataset, _engine(notes), store.exchange.requests, tuple(findings))


def _formats(store: EndpointStore, notes: _Notes) -> Finding:
    """Ask for each format; the first answer has to be one at all."""
    found = []
    for number, (name, probe) in enumerate(FORMATS.items()):
        answered = _ask(store, probe, notes)
        if number == 0 and answered.error is not None and answered.reply is None:
            raise answered.error
        if answered.reply is not None and answered.reply.media_type == probe.accept and answered.result:
            found.append(name)
    return Finding(
        "formats",
        ", ".join(found) or "none of those asked for",
        "reads JSON, XML and TSV, Turtle and N-Triples, whatever the endpoint prefers",
    )


def _ask(store: EndpointStore, probe: Probe, notes: _Notes) -> Answered:
    clock = store.exchange.clock
    start = clock.now()
    fields = [("query", probe.query), *(store.dataset_fields() if probe.in_dataset else [])]
    try:
        reply = store.exchange.ask(fields, probe.accept, min(PATIENCE, store.exchange.limits.time))
    except StoreError as error:
        notes.timeouts += error.category == "timeout"
        return Answered(None, None, error)
    notes.slowest = max(notes.slowest, clock.now() - start)
    notes.replies.append(reply)
    if not reply.ok:
        return Answered(reply, None, store.exchange.hidden(refused(reply)))
    try:
        rows = store.exchange.limits.rows
        result = read_graph(reply, rows) if probe.graph else read_result(reply, rows)
    except NoResult as wrong:
        reason = str(wrong)
    else:
        return Answered(reply, result, None)
    return Answered(reply, None, store.exchange.hidden(unreadable(reply, reason)))


def _engine(notes: _Notes) -> str:
    found = next(filter(None, map(software, _clues(notes))), None)
    return "unknown" if found is None else found.name


def _clues(notes: _Notes) -> Iterator[str]:
    """Yield what tells the engine, the best first."""
    for reply in notes.replies:
        yield reply.headers.get("server", "")
    for reply in notes.replies:
        if not reply.ok:
            yield reply.excerpt
    for reply in notes.replies:
        if reply.ok and ASK_VARIABLE.encode() in reply.body[:1000]:
            yield "virtuoso"


def _seen(notes: _Notes) -> Iterator[Finding]:
    """Yield what the replies showed besides their results."""
    caps = {
        reply.headers["x-sparql-maxrows"] for reply in notes.replies if "x-sparql-maxrows" in reply.headers
    }
    if caps:
        yield Finding(
            "row limit named",
            f"{', '.join(sorted(caps))} rows (X-SPARQL-MaxRows)",
            "marks a table of so many rows as incomplete",
        )
    stopped = sum(1 for reply in notes.replies if reply.partial or reply.says_timeout) + notes.timeouts
    yield Finding(
        "time",
        f"slowest query {notes.slowest:.2f} s" + (f"; {stopped} stopped before the end" if stopped else ""),
        "stops a query after --timeout seconds; what the endpoint stops is an error or marked as incomplete",
    )
