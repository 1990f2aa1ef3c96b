"""Answers are compared as sets of rows, by value; a second implementation computes the same scores."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.evaluation import Scores, compare
from hermes.results import Result, Table, Triples, Truth
from hermes.terms import IRI, RDF_LANG_STRING, XSD, BlankNode, Literal, Row, Term, TripleTerm
from oracle import scores as oracle
from shared import data_folder

A, B, C = (IRI(f"http://example.org/{name}") for name in "abc")


def table(*rows: str | tuple[Term | str | None, ...]) -> Table:
    """Return a table of rows of terms; a string is a plain literal."""
    cells = [(row,) if isinstance(row, str) else row for row in rows]
    width = max(map(len, cells), default=1)
    return Table(
        tuple(f"c{at}" for at in range(width)),
        [
            {f"c{at}": Literal(c) if isinstance(c, str) else c for at, c in enumerate(row) if c is not None}
            for row in cells
        ],
    )


def one(lexical: str, datatype: str) -> Table:
    """Return a table of one literal."""
    return table((Literal(lexical, XSD + datatype),))


# --- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        (one("1", "integer"), one("1.0", "decimal")),
        (one("1", "integer"), one("01", "int")),
        (one("1", "integer"), one("1.0E0", "double")),
        (one("0.1", "decimal"), one("0.1", "double")),
        (one("0.3333333333333333", "double"), one("0.333333333333333333", "decimal")),
        (one("0.333333333333333333", "decimal"), one("0.33333333333333333333333", "decimal")),
        (one("100", "double"), one("100.00000001", "double")),
        (one("-0.0", "double"), one("0", "integer")),
        (one("INF", "double"), one("INF", "float")),
        (one("1", "boolean"), one("true", "boolean")),
        (one("2020-01-01T12:00:00Z", "dateTime"), one("2020-01-01T14:00:00.0+02:00", "dateTime")),
        (one("2020-01-01Z", "date"), one("2020-01-01+00:00", "date")),
        (table("a"), table((Literal("a", XSD + "string"),))),
        (
            table((Literal("a", RDF_LANG_STRING, "en-GB"),)),
            table((Literal("a", RDF_LANG_STRING, "en-gb"),)),
        ),
        (Truth(value=True), one("true", "boolean")),
        (Table(("x",), []), Table(("y", "z"), [])),
    ],
)
def test_spellings_of_one_value_are_equal(gold: Result, other: Result) -> None:
    """Numbers are compared as numbers, moments as moments."""
    assert compare(gold, other).exact
    assert compare(other, gold).exact


@pytest.mark.parametrize(
    ("gold", "other", "lenient"),
    [
        (one("1", "integer"), table("1"), 1.0),
        (one("1.0000000001", "decimal"), one("1", "integer"), 0.0),
        (one("1.000001", "double"), one("1", "integer"), 0.0),
        (one("9007199254740993", "integer"), one("9007199254740992", "integer"), 0.0),
        (one("NaN", "double"), one("0", "integer"), 0.0),
        (one("2020-01-01T12:00:00", "dateTime"), one("2020-01-01T12:00:00Z", "dateTime"), 0.0),
        (one("2020-01-01", "date"), one("2020-01-01T00:00:00", "dateTime"), 0.0),
        (table((Literal("a", RDF_LANG_STRING, "en"),)), table("a"), 1.0),
        (table((Literal("a", RDF_LANG_STRING, "en"),)), table((Literal("a", RDF_LANG_STRING, "de"),)), 1.0),
        (table((A,)), table(A.value), 0.0),
        (table("a"), table("A"), 0.0),
        (Truth(value=True), Truth(value=False), 0.0),
        (Truth(value=False), Table(("x",), []), 0.0),
        (Table(("x",), [{}]), Table(("x",), []), 0.0),
    ],
)
def test_other_values_are_not(gold: Result, other: Result, lenient: float) -> None:
    """The lenient score does without types and tags, and with nothing else."""
    assert compare(gold, other).f1 == compare(other, gold).f1 == 0.0
    assert compare(gold, other).lenient == lenient


def test_nan_is_one_value() -> None:
    """Two answers that are not a number are the same answer."""
    assert compare(one("NaN", "double"), one("NaN", "float")).exact


# --- rows and columns ------------------------------------------------------------------------------


def test_names_order_and_repetition_do_not_count() -> None:
    """Only the set of rows does, with the columns in any order."""
    gold = table((A, "x"), (B, "y"), (B, "y"))
    given_ = Table(("q", "p"), [{"q": Literal("y"), "p": B}, {"q": Literal("x"), "p": A}])
    assert compare(gold, given_).exact
    assert compare(gold, given_, ordered=True).in_order is False
    assert compare(gold, gold, ordered=True).in_order is True
    assert compare(gold, gold).in_order is None


def test_columns_are_assigned_once_for_all_rows() -> None:
    """A row that fits only the other way round is wrong."""
    scores = compare(table((A, B), (A, C)), table((A, B), (C, A)))
    assert (scores.precision, scores.recall) == (0.5, 0.5)


def test_an_unbound_cell_is_a_value_of_its_own() -> None:
    """It is not the empty text."""
    assert compare(table((A, None), (B, "x")), table((A, None), (B, "x"))).exact
    assert compare(table((A, None)), table((A, ""))).f1 == 0.0


@pytest.mark.parametrize("width", [7, 12])
def test_wide_answers_are_matched(width: int) -> None:
    """Also where not all orders of the columns can be tried."""
    gold = Table(
        tuple(f"g{at}" for at in range(width)),
        [{f"g{at}": Literal(f"{at}-{row}") for at in range(width)} for row in range(20)],
    )
    turned = Table(
        tuple(f"t{at}" for at in range(width)),
        [{f"t{at}": Literal(f"{width - 1 - at}-{row}") for at in range(width)} for row in range(20)],
    )
    assert compare(gold, turned).exact


def test_an_extra_column_is_wrong_and_leniently_right() -> None:
    """Either answer may have one more; two are too many."""
    narrow, wide = table((A,), (B,)), table((A, "x"), (B, "y"))
    for gold, other in ((narrow, wide), (wide, narrow)):
        assert (compare(gold, other).f1, compare(gold, other).lenient) == (0.0, 1.0)
    assert compare(narrow, table((A, "x", "u"), (B, "y", "v"))).lenient == 0.0


def test_a_label_stands_for_its_iri() -> None:
    """In either answer, and only in the lenient score."""
    labels = {A: {"Ada", "Ada@de"}, B: {"Bob"}}
    iris, names = table((A,), (B,)), table("Ada", "Bob")
    for gold, other in ((iris, names), (names, iris)):
        scores = compare(gold, other, labels=labels)
        assert (scores.f1, scores.lenient) == (0.0, 1.0)
    both = table((A, "Ada"), (B, "Bob"))
    assert compare(iris, both, labels=labels).lenient == 1.0


def test_blank_nodes_are_compared_by_what_stands_beside_them() -> None:
    """Labels do not count; which rows share a node does."""
    p, q, r, s = map(BlankNode, "pqrs")
    assert compare(table((p, "x"), (p, "y")), table((r, "y"), (r, "x"))).exact
    assert not compare(table((p, "x"), (p, "y")), table((r, "x"), (s, "y"))).exact
    assert compare(table((p, q), (q, p)), table((r, s), (s, r))).exact
    assert compare(table((p,), (q,)), table((r,), (s,))).exact
    assert compare(table((p,), (q,)), table((r,))).recall == 0.5
    partly = compare(table((p, "x"), (p, "y"), (p, "z")), table((r, "x"), (r, "y"), (r, "w")))
    assert partly.precision == partly.recall == 2 / 3


def test_rings_of_blank_nodes_are_told_apart() -> None:
    """Every node of a ring looks like every other one."""

    def ring(prefix: str, *sizes: int) -> Table:
        pairs = [(f"{n}-{at}", f"{n}-{(at + 1) % n}") for n in sizes for at in range(n)]
        return table(*((BlankNode(prefix + a), BlankNode(prefix + b)) for a, b in pairs))

    assert compare(ring("p", 4), ring("q", 4)).exact
    assert not compare(ring("p", 3, 5), ring("q", 8)).exact


def test_triples_are_rows() -> None:
    """A CONSTRUCT is compared like a table of three columns."""
    made = Triples([TripleTerm(A, B, Literal("1", XSD + "integer"))])
    assert compare(made, table((A, B, Literal("1.0", XSD + "decimal")))).exact


def test_no_answer_is_not_an_empty_answer() -> None:
    """A failure scores 0 in every measure."""
    assert compare(table("a"), None) == Scores()
    assert compare(Table(("x",), []), None) == Scores()
    assert compare(None, table("a")) == Scores()
    assert compare(table("a"), Table(("x",), [])).precision_qald == 1.0


# --- the second implementation ---------------------------------------------------------------------

_SPELLED = {
    "integer": ("1", "01", "2", "-1"),
    "decimal": ("1.0", "1.50", "0.3333333333333333333"),
    "double": ("1e0", "1.5", "1.5000000000001", "0.3333333333333333", "INF"),
    "boolean": ("true", "1", "false"),
    "dateTime": ("2020-01-01T12:00:00Z", "2020-01-01T13:00:00+01:00"),
    "date": ("2020-01-01",),
    "string": ("a", "b", "1"),
}
_TERMS: st.SearchStrategy[Term] = st.sampled_from(
    [
        *(A, B, C),
        *(Literal(text, XSD + datatype) for datatype, texts in _SPELLED.items() for text in texts),
        *(Literal("a", RDF_LANG_STRING, tag) for tag in ("en", "EN")),
    ]
)
_NODES: st.SearchStrategy[Term] = st.sampled_from([A, *map(BlankNode, "pq")])


def _tables(cells: st.SearchStrategy[Term], widest: int, longest: int) -> st.SearchStrategy[Table]:
    def of(width: int) -> st.SearchStrategy[Table]:
        names = tuple(f"c{at}" for at in range(width))
        row: st.SearchStrategy[Row] = st.fixed_dictionaries({}, optional=dict.fromkeys(names, cells))
        return st.lists(row, max_size=longest).map(lambda rows: Table(names, rows))

    return st.integers(0, widest).flatmap(of)


def _scores(found: Scores) -> dict[str, float]:
    names = ("precision", "recall", "f1", "precision_qald", "recall_qald", "exact")
    return {name: float(asdict(found)[name]) for name in names}


@settings(max_examples=300, deadline=None)
@given(_tables(_TERMS, 3, 5), _tables(_TERMS, 3, 5))
def test_a_second_implementation_agrees(one_: Table, other: Table) -> None:
    """On random tables, and on a table with rows that were moved, lost and added."""
    labels = {A: {"a", "1"}, B: {"b"}}
    mixed = Table(one_.variables[::-1], [*one_.rows[1:], *one_.rows[2:3]])
    for gold, answer in ((one_, other), (one_, mixed), (mixed, one_), (one_, one_)):
        found = compare(gold, answer, labels=labels)
        assert _scores(found) == pytest.approx(oracle.score(gold, answer))
        assert found.lenient == pytest.approx(oracle.lenient(gold, answer, labels))


@settings(max_examples=200, deadline=None)
@given(_tables(_NODES, 2, 4), _tables(_NODES, 2, 4))
def test_blank_nodes_agree_with_all_renamings(gold: Table, answer: Table) -> None:
    """Equality is found exactly; a partial overlap is never overstated."""
    found, best = compare(gold, answer), oracle.score(gold, answer)
    assert found.exact == bool(best["exact"])
    assert found.f1 <= best["f1"] + 1e-12
    names = {BlankNode("p"): BlankNode("z"), BlankNode("q"): BlankNode("y")}
    renamed = [
        {k: names.get(v, v) if isinstance(v, BlankNode) else v for k, v in row.items()} for row in gold.rows
    ]
    assert compare(gold, Table(gold.variables, renamed)).exact


@settings(max_examples=200, deadline=None)
@given(_tables(_TERMS, 3, 5), _tables(_TERMS, 3, 5))
def test_laws(gold: Table, answer: Table) -> None:
    """Turned round, precision is recall; the lenient score is never less; an answer equals itself."""
    there, back = compare(gold, answer), compare(answer, gold)
    assert (there.precision, there.recall, there.f1, there.exact) == (
        back.recall, back.precision, back.f1, back.exact,
    )  # fmt: skip
    assert there.lenient >= there.f1
    assert compare(gold, gold, ordered=True).in_order


@pytest.mark.parametrize("name", ["ck25", "geoquery", "spider4sparql"])
def test_recorded_answers_get_the_same_scores_twice(name: str) -> None:
    """The answer of each question, given to the next ones."""
    from hermes.evaluation.sets.gold_answers import stated_answers  # noqa: PLC0415 - what is tested elsewhere

    content = json.loads((data_folder(name) / "questions.dev.json").read_text(encoding="utf-8"))
    read = [stated_answers(each["answers"]) for each in content["questions"]]
    answers = [each for each in read if each is not None and len(oracle.rows(each)) <= 25]
    for at, gold in enumerate(answers[:120]):
        for answer in answers[at : at + 4]:
            assert _scores(compare(gold, answer)) == pytest.approx(oracle.score(gold, answer))
            assert compare(gold, answer).lenient == pytest.approx(oracle.lenient(gold, answer, {}))
