"""How long it takes to read a triple pattern, an expression, a query; and rdflib on the same queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks import peers
from benchmarks.report import Report, conditions
from benchmarks.samples import Query, data_line, real_queries, sample
from benchmarks.timing import RUNS, pairs, times
from hermes.algebra import Plan, parse_query
from hermes.algebra.operators.bind import Bind
from hermes.errors import HermesError
from hermes.sparql.expressions import expression_text
from hermes.sparql.parser import Context, Parser
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk

_SAMPLE: Final = 400
_PAIRED_RUNS: Final = 3
_TRIPLE_TARGET: Final = 100.0
_EXPRESSION_TARGET: Final = 150.0
_RATIO_TARGET: Final = 0.2

Text = tuple[str, Mapping[str, str]]


def fragments(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the kind (`triple` or `expression`) and the text of each fragment that an action would hold."""
    names = plan.prefixes.names()
    for part in walk(plan):
        match part:
            case TriplePattern():
                yield "triple", part.text(names)
            case Group():
                yield from (("expression", expression_text(each, names)) for each in part.filters)
            case Bind():
                yield "expression", expression_text(part.expr, names)


def collect(queries: Sequence[Query]) -> dict[str, list[Text]]:
    """Return the different fragments of the queries, each with the prefixes it is read with."""
    found: dict[str, dict[str, Mapping[str, str]]] = {"triple": {}, "expression": {}}
    for query in queries:
        try:
            plan = parse_query(query.text)
        except HermesError:
            continue
        for kind, text in fragments(plan):
            found[kind].setdefault(text, plan.prefixes)
    return {kind: list(texts.items()) for kind, texts in found.items()}


def reading(rule: Callable[[Parser], object]) -> Callable[[Text], None]:
    """Return a function that reads a whole text by one rule of the grammar."""

    def read(item: Text) -> None:
        text, prefixes = item
        parser = Parser(text, Context(prefixes))
        rule(parser)
        parser.expect_end("fragment")

    return read


def fragment_times(queries: Sequence[Query]) -> Report:
    """Measure the fragments of all queries."""
    report = Report(f"fragments of {len(queries):,} queries", "µs")
    texts = collect(queries)
    report.add("a triple pattern", times(reading(Parser.triple), texts["triple"]), _TRIPLE_TARGET)
    report.add("a FILTER or BIND", times(reading(Parser.expression), texts["expression"]), _EXPRESSION_TARGET)
    return report


def query_times(queries: Sequence[Query]) -> list[Report]:
    """Measure whole queries, and the same ones with the peers."""
    ours = peers.hermes()
    texts = [query.text for query in queries if peers.accepts(ours, query.text)]
    report = Report(f"a sample of {len(queries)} queries", "µs")
    report.add("parse_query, to a plan", times(ours, texts))
    theirs = peers.pyoxigraph()
    report.add("pyoxigraph (empty store, no tree)", times(theirs, _taken(theirs, texts)))
    return [report, *_against_rdflib(ours, texts)]


def _against_rdflib(ours: peers.Parse, texts: Sequence[str]) -> list[Report]:
    if not _rdflib_is_there():
        print("rdflib is not installed (pip install rdflib): no ratio")
        return []
    theirs = peers.rdflib()
    found = pairs(ours, theirs, _taken(theirs, texts), runs=_PAIRED_RUNS)
    report = Report("the same ones, run in turn", "µs")
    report.add("hermes: parse_query", [left for left, _ in found])
    report.add("rdflib: parseQuery, translateQuery", [right for _, right in found])
    ratios = Report("ratio of each pair", "")
    ratios.add("hermes / rdflib", [left / right for left, right in found], _RATIO_TARGET)
    return [report, ratios]


def _rdflib_is_there() -> bool:
    return any(peer.installed for peer in peers.PEERS if "rdflib" in peer.distributions)


def _taken(parse: Callable[[str], Any], texts: Sequence[str]) -> list[str]:
    return [text for text in texts if peers.accepts(parse, text)]


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join([*conditions("pyoxigraph", "rdflib"), data_line()]))
    print(
        f"each item: the median of {RUNS} runs ({_PAIRED_RUNS} in pairs), all in turn; then over the items\n"
    )
    queries = real_queries()
    reports = [fragment_times(queries), *query_times(sample(queries, _SAMPLE))]
    for report in reports:
        report.print()
    return int(any(report.missed for report in reports))


if __name__ == "__main__":
    raise SystemExit(main())
