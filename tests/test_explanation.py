"""Explanations: their counts are those of the plan, part by part, and nothing is asked that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given

from hermes import KG
from hermes.algebra import Plan, observe, parse_query, render
from hermes.algebra.observation import Asked, Built, Rejected, Solutions
from hermes.algebra.operators import Graph
from hermes.errors import PlanError, StoreError
from hermes.explanation import Explanation, Part, Step, explain
from hermes.results import Table
from hermes.sparql.tree import walk
from oracle.engines import oxigraph_fault
from oracle.sizes import affordable
from strategies import olympics, plans
from test_laws_key import determined


def explained(query: str, kg: KG | None = None) -> Explanation:
    """Explain a query over the names of the shipped graph."""
    return explain(kg or olympics(), parse_query(query, prefixes=olympics().prefixes))


def all_parts(parts: tuple[Part | Step, ...]) -> Iterator[Part | Step]:
    """Yield steps and parts, outer ones first."""
    for part in parts:
        yield part
        yield from all_parts(part.parts)


def counts(found: Explanation) -> list[tuple[str, str]]:
    """Return the text of each step and part with what it says."""
    return [
        (part.text, part.seen.summary() if isinstance(part, Step) else str(part.tally))
        for part in all_parts(found.steps)
    ]


class Recorder:
    """The shipped graph's store, which remembers the queries that reach it."""

    def __init__(self) -> None:
        self.inner = olympics().store
        self.engine, self.source, self.fingerprint = "oxigraph", "olympics", "test"
        self.queries: list[str] = []
        self.refused: tuple[str, str] | None = None
        """A piece of a query that is refused, and the category of the error."""

    def select(self, query: str) -> Table:
        """Execute a SELECT query, unless it is one that is refused."""
        self.queries.append(query)
        if self.refused is not None and self.refused[0] in query and "LIMIT 10000" not in query:
            raise StoreError("the query ran longer than 1 s", category=self.refused[1])
        return self.inner.select(query)

    def ask(self, query: str) -> bool:
        """Execute an ASK query."""
        self.queries.append(query)
        return self.inner.ask(query)

    def construct(self, query: str) -> object:
        """Execute a CONSTRUCT or DESCRIBE query."""
        self.queries.append(query)
        return self.inner.construct(query)

    def close(self) -> None:
        """Leave the shipped graph open."""


@pytest.fixture
def recorder() -> Recorder:
    """Return a store that remembers its queries."""
    return Recorder()


def kg_of(recorder: Recorder) -> KG:
    """Return the shipped graph over a recording store."""
    known = olympics()
    return KG(recorder, known.prefixes, vocabulary=known.vocabulary)  # type: ignore[arg-type]


# --- laws ---------------------------------------------------------------------------------------------


@given(plans())
def test_the_last_step_is_the_query(plan: Plan) -> None:
    """What is seen last is what is seen of the plan itself; no step fails that the engine reads."""
    assume(affordable(plan))
    found = explain(olympics(), plan)
    for step in found.steps:
        assert not isinstance(step.seen, Rejected) or oxigraph_fault(render(step.plan)), step
    if not found.steps or not determined(plan) or isinstance(found.seen, Rejected):
        return
    whole = observe(olympics(), plan)
    match found.seen:
        case Solutions(count=count):
            assert isinstance(whole, Solutions)
            assert count == whole.count
        case Asked(value=value):
            assert whole == Asked(value=value)
        case Built(count=count):
            assert isinstance(whole, Built)
            assert count == whole.count


@given(plans())
def test_parts_stay_within_their_step(plan: Plan) -> None:
    """What matches or is removed is a part of what was there; the branches of a union add up to its count."""
    assume(affordable(plan))
    found = explain(olympics(), plan)
    for part in all_parts(found.steps):
        if isinstance(part, Part) and part.tally is not None and part.tally.of is not None:
            assert 0 <= part.tally.count <= part.tally.of, counts(found)
    for step in found.steps:
        if step.text == "UNION" and isinstance(step.seen, Solutions):
            given_by = [_branch_count(part) for part in step.parts]
            if None not in given_by:
                assert sum(filter(None, given_by)) == step.seen.count, counts(found)


def _branch_count(part: Part | Step) -> int | None:
    while isinstance(part, Part) and part.tally is None and part.parts:
        part = part.parts[-1]
    return part.tally.count if isinstance(part, Part) and part.tally else None


@given(plans())
def test_each_step_says_what_its_plan_has(plan: Plan) -> None:
    """A count that was derived is what the store would have said."""
    assume(affordable(plan) and determined(plan))
    in_graph = any(isinstance(part, Graph) for part in walk(plan))  # there sub-queries are counted otherwise
    found = explain(olympics(), plan).steps
    for step in found if in_graph else all_parts(found):
        if not isinstance(step, Step) or not isinstance(step.seen, Solutions):
            continue
        if not step.plan.empty and determined(step.plan) and not oxigraph_fault(render(step.plan)):
            whole = observe(olympics(), step.plan)
            assert isinstance(whole, Solutions)
            assert step.seen.count == whole.count


# --- what stands inside ---------------------------------------------------------------------------------


def test_optional() -> None:
    """How many solutions have a match so far: counted here by other queries."""
    found = explained("SELECT * { ?city a ex:City OPTIONAL { ?city ex:twin ?t . ?t ex:country ex:USA } }")
    twins = _number("SELECT (COUNT(DISTINCT ?city) AS ?n) { ?city a ex:City ; ex:twin ?t }")
    american = _number(
        "SELECT (COUNT(DISTINCT ?city) AS ?n) { ?city a ex:City ; ex:twin ?t . ?t ex:country ex:USA }"
    )
    assert counts(found)[2:4] == [
        ("?city ex:twin ?t", f"{twins} of 13 matched"),
        ("?t ex:country ex:USA", f"{american} of 13 matched"),
    ]


def _number(query: str) -> str:
    rows = olympics().select(f"{olympics().header}{query}").rows
    return str(rows[0]["n"]).split('"')[0]


def test_minus_inside_optional() -> None:
    """A part inside a part is counted over what the outer group has so far."""
    found = explained(
        "SELECT * { ?city ex:hosted ?g OPTIONAL { ?city ex:twin ?t MINUS { ?t ex:country ex:USA } } }"
    )
    twins = _number("SELECT (COUNT(*) AS ?n) { ?city ex:hosted ?g FILTER EXISTS { ?city ex:twin ?t } }")
    left = _number(
        "SELECT (COUNT(*) AS ?n) { ?city ex:hosted ?g FILTER EXISTS { ?city ex:twin ?t MINUS "
        "{ ?t ex:country ex:USA } } }"
    )
    assert counts(found)[2:5] == [
        ("?city ex:twin ?t", f"{twins} of 19 matched"),
        ("MINUS", f"{left} of 19 matched"),
        ("?t ex:country ex:USA", f"{int(twins) - int(left)} of {twins} removed"),
    ]


def test_sub_query_in_a_branch() -> None:
    """Its last count is its own, and that of the branch is what it gives where it is joined."""
    found = explained(
        "SELECT * { ?city ex:country ex:USA "
        "{ { SELECT ?city { ?city ex:hosted ?g } } } UNION { ?city ex:nickname ?n } }"
    )
    assert ("branch 1: { SELECT ?city ... }", "8 solutions") in counts(found)
    assert ("SELECT ?city", "19 -> 19 solutions") in counts(found)


def test_sub_query_in_a_named_graph(tmp_path: Path) -> None:
    """Its steps are taken inside the graph, where its patterns match."""
    file = tmp_path / "graphs.trig"
    file.write_text("@prefix : <urn:x:> . :a :p :b . :g { :a :q 1, 2 . :c :q 3 } :h { :d :q 4 }")
    kg = KG.load(file)
    inner = "{ SELECT ?a (COUNT(?n) AS ?k) { ?a :q ?n } GROUP BY ?a }"
    query = f"PREFIX : <urn:x:> SELECT * {{ GRAPH ?where {{ {inner} FILTER(?k > 1) }} }}"
    found = explain(kg, parse_query(query))
    kg.close()
    assert counts(found) == [
        ("GRAPH ?where", "1 solution"),
        ("{ SELECT ?a (COUNT(?n) AS ?k) ... }", "3 solutions"),
        ("?a :q ?n", "4 solutions"),
        ("GROUP BY ?a", "4 -> 3 solutions"),
        ("COUNT(?n) AS ?k", "3 -> 3 solutions"),
        ("SELECT ?a ?k", "3 -> 3 solutions"),
        ("FILTER(?k > 1)", "1 solution"),
        ("SELECT ?where ?a ?k", "1 -> 1 solution"),
    ]


# --- slips, marks, cost ---------------------------------------------------------------------------------


def test_a_query_keeps_its_slips() -> None:
    """What the explorer would refuse is shown, with a warning."""
    found = explained("SELECT ?city { ?city ex:hosted ?g FILTER(?year > 1900) }")
    assert [slip.code for slip in found.warnings] == ["unbound-variable"]
    assert counts(found)[1] == ("FILTER(?year > 1900)", "19 -> 0 solutions")


def test_marks() -> None:
    """The first step that leaves nothing is marked, and what multiplies; later ones are not."""
    broken = explained("SELECT * { ?city ex:hosted ?g . ?city ex:hostd ?h . ?g ex:year ?y }")
    assert [step.mark for step in broken.steps] == [None, None, "empty", None]
    assert [hint.code for hint in broken.steps[2].seen.hints] == ["unknown-predicate"]
    product = explained("SELECT * { ?city ex:hosted ?g . ?other ex:hosted ?h }")
    assert [step.mark for step in product.steps] == [None, "product", None]
    assert product.steps[1].times == 19
    more = explained("SELECT * { ?a ex:hosted ?g . ?g ?p ?o . ?b ?p ?x } LIMIT 1")
    assert "explodes" in [step.mark for step in more.steps]


def test_documented_query_costs_a_query_for_each_count(recorder: Recorder) -> None:
    """Three patterns and DISTINCT are counted; project costs nothing; the rows are asked for once."""
    found = explained(
        'SELECT DISTINCT ?city { ?city ex:hosted ?g . ?city ex:country ex:USA . ?g ex:season "Winter" }',
        kg_of(recorder),
    )
    assert found.seen == Solutions(
        count=3, before=4, variables=("city",), sample=getattr(found.seen, "sample", ())
    )
    assert len(recorder.queries) == 4
    assert sum("COUNT" in query for query in recorder.queries) == 3


@pytest.mark.parametrize(
    ("query", "queries"),
    [
        ("ASK { ?city ex:hosted ?g }", 1),  # a count says whether there is one
        ("SELECT ?city { ?city ex:hosted ?g } ORDER BY ?city LIMIT 2", 2),
        ("SELECT ?city { ?city ex:hosted ?g MINUS { ?city ex:twin ?t } }", 3),  # the rest are removed
        ("SELECT ?city { ?city ex:hosted ?g FILTER NOT EXISTS { ?city ex:twin ?t } }", 3),
        # rows are looked at before a filter, whose hints read them
        ("SELECT ?city { ?city ex:hosted ?g . ?g ex:year ?y FILTER(?y > 1900) }", 5),
        # after nothing, nothing is asked; the one more is for the hint on values that there are
        ('SELECT ?city { ?city ex:country "x" . ?city ex:hosted ?g OPTIONAL { ?g ex:year ?y } } LIMIT 3', 2),
    ],
)
def test_cost(query: str, queries: int, recorder: Recorder) -> None:
    """What follows from other counts is not asked."""
    explained(query, kg_of(recorder))
    assert len(recorder.queries) == queries, "\n".join(recorder.queries)


# --- what goes wrong ------------------------------------------------------------------------------------


def test_a_step_that_takes_too_long_is_counted_up_to_a_cap(recorder: Recorder) -> None:
    """The step says at least so many, and the later ones are taken."""
    recorder.refused = ("Athens", "timeout")
    found = explained(
        "SELECT ?city { ?city ex:hosted ?g OPTIONAL { ?city ex:twin ex:Athens } } ORDER BY ?g",
        kg_of(recorder),
    )
    assert [step.seen.summary() for step in found.steps] == [
        "19 solutions",
        "19 -> 19 solutions",
        "19 -> 19 solutions",
        "rejected: the query ran longer than 1 s",
    ]


def test_a_step_that_cannot_be_counted(recorder: Recorder) -> None:
    """It says why, and so does a part; the explanation goes on."""
    recorder.refused = ("ex:nickname", "too_large")
    found = explained(
        "SELECT ?city { ?city ex:hosted ?g OPTIONAL { ?city ex:nickname ?n } }", kg_of(recorder)
    )
    assert [part.failure for part in all_parts(found.steps) if isinstance(part, Part)] == [
        "the query ran longer than 1 s"
    ]


@pytest.mark.parametrize("category", ["unreachable", "forbidden", "rate_limited"])
def test_a_store_that_does_not_answer_ends_the_explanation(category: str, recorder: Recorder) -> None:
    """The next query would meet the same."""
    recorder.refused = ("SELECT", category)
    with pytest.raises(StoreError):
        explained("SELECT ?city { ?city ex:hosted ?g }", kg_of(recorder))


def test_a_host_that_is_not_allowed() -> None:
    """A SERVICE is refused before anything is asked."""
    with pytest.raises(PlanError) as caught:
        explained("SELECT * { ?a ex:hosted ?g SERVICE <http://service.invalid/> { ?a ?b ?c } }")
    assert caught.value.code == "service-refused"
