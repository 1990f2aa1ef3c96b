"""A sentence of a plan is true: it is the plan's own, on one line, and a plan that differs has another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import Plan, catalogue, parse_action, parse_query, render
from hermes.algebra.kind import Operator
from hermes.errors import HermesError
from hermes.printable import printable
from hermes.sparql.tree import rewrite, walk
from hermes.terms import IRI, RDF_TYPE, Literal, Prefixes, Term, Variable, quote
from hermes.verbalize import verbalize
from hermes.verbalize.lexicon import noun_of
from hermes.verbalize.predicates import noun_in, shape_of
from hermes.verbalize.preparation import prepared
from oracle.equivalence import prologue_of
from oracle.real_queries import RealQuery, collections, queries
from plan_edits import edits
from shared import DATA, needs_data
from strategies import EX, olympics, plans, start

GOLDEN = Path(__file__).parent / "golden" / "words"
_SAMPLE = 40


class Labels:
    """Labels from a table, the local name for the rest; counts how often it is asked."""

    def __init__(self, labels: dict[str, str]) -> None:
        self.prefixes = Prefixes({"ex": EX})
        self.asked = 0
        self._labels = labels

    def labels(self, terms: Iterable[Term]) -> dict[IRI, str]:
        """Return a label for each IRI."""
        self.asked += 1
        found = (term for term in terms if isinstance(term, IRI))
        return {iri: self._labels.get(iri.value, re.split(r"[/#:]", iri.value)[-1]) for iri in found}


def _said(*patterns: str, labels: dict[str, str] | None = None) -> str:
    plan = Plan(prefixes=Prefixes({"ex": EX}))
    for pattern in patterns:
        plan = parse_action({"op": "triple", "pattern": pattern}).apply(plan)
    return verbalize(plan, Labels({EX + name: label for name, label in (labels or {}).items()}))


# --- laws --------------------------------------------------------------------------------------


@given(plans())
def test_a_sentence_is_one_printable_line_and_always_the_same(plan: Plan) -> None:
    """Neither the plan's texts nor its way through SPARQL change that."""
    words = verbalize(plan, olympics())
    assert words
    assert printable(words) == words
    assert verbalize(parse_query(render(plan)), olympics()) == words


@given(plans())
def test_every_constant_is_said(plan: Plan) -> None:
    """The label or the short name of each IRI, and each literal, stand in the sentence."""
    words = verbalize(plan, olympics())
    names = olympics().prefixes.names()
    for part in walk(plan):
        if isinstance(part, IRI) and part.value != RDF_TYPE:
            label = olympics().label(part)
            assert noun_in(label) in words or printable(names(part.value)) in words, (part, words)
        elif isinstance(part, Literal):
            assert part.lexical in words or printable(quote(part.lexical)) in words, (part, words)


@given(plans(), st.randoms(use_true_random=False))
def test_an_edited_plan_has_another_sentence(plan: Plan, random: Random) -> None:
    """A changed constant, direction, operator, negation, clause or modifier is heard."""
    words, key = verbalize(plan, olympics()), plan.key
    for name, edited in edits(plan, random):
        if edited.key != key:
            assert verbalize(edited, olympics()) != words, (
                f"{name}: {words}\n{render(plan)}\n{render(edited)}"
            )


# --- real queries ------------------------------------------------------------------------------


@cache
def _real(name: str) -> list[RealQuery]:
    return list(queries(DATA / "queries", name))


def _check_real(chosen: Iterable[RealQuery]) -> None:
    names, random = Labels({}), Random(1)  # noqa: S311 - for choices that repeat
    for query in chosen:
        try:
            plan = parse_query(prologue_of(query.prefixes) + query.text)
        except HermesError:
            continue
        words = verbalize(plan, names)
        assert printable(words) == words
        assert "`" not in words, query.id
        for name, edited in edits(plan, random):
            same = edited.key == plan.key
            assert same or verbalize(edited, names) != words, f"{query.id} {name}: {words}"


@needs_data
@pytest.mark.parametrize("name", collections(DATA / "queries"))
def test_real_queries(name: str) -> None:
    """An even sample of each collection needs no SPARQL text, and every edit is heard."""
    step = max(1, len(_real(name)) // _SAMPLE)
    _check_real(_real(name)[::step])


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", collections(DATA / "queries"))
def test_all_real_queries(name: str) -> None:
    """All of them."""
    _check_real(_real(name))


class _Iris(Labels):
    """Each IRI is its own label, so that no two terms share one."""

    def labels(self, terms: Iterable[Term]) -> dict[IRI, str]:
        """Return the IRIs."""
        return {term: str(term) for term in terms if isinstance(term, IRI)}


def _meaning(plan: Plan) -> str:
    """Return the canonical form of a plan, but for the names of its columns."""
    numbers = {name: Variable(f"column{number}") for number, name in enumerate(plan.columns)}
    spelled = rewrite(prepared(plan), lambda part: numbers.get(part) if isinstance(part, Variable) else None)
    return spelled.key


@needs_data
@pytest.mark.slow
def test_one_sentence_is_one_query() -> None:
    """Of all real queries, those that share a sentence ask the same."""
    names = _Iris({})
    meanings: dict[str, tuple[str, str]] = {}
    for query in (query for name in collections(DATA / "queries") for query in _real(name)):
        try:
            plan = parse_query(prologue_of(query.prefixes) + query.text)
        except HermesError:
            continue
        words, own = verbalize(plan, names), _meaning(plan)
        first, meaning = meanings.setdefault(words, (query.id, own))
        assert meaning == own, f"{first} and {query.id}: {words}"
    assert len(meanings) > 10_000


# --- labels ------------------------------------------------------------------------------------


def test_labels_are_asked_once() -> None:
    """One batch, however many terms a plan has."""
    names = Labels({})
    verbalize(parse_query(f"SELECT ?x {{ ?x a <{EX}A> ; <{EX}b>/<{EX}c> <{EX}d> }}"), names)
    assert names.asked == 1


@pytest.mark.parametrize(
    "label",
    [
        "Athens; each once",
        "Athens and whose country is Greece",
        "the city",
        "Trinidad and Tobago",
        "Athens (which nothing binds here)",
        "3",
        "true",
        '"Athens"',
        "?x",
        "Athens” and “Rome",
        "`SELECT`",
        "Athens\n; sorted by the name",
        "\x1b[31mAthens",
    ],
)
def test_a_label_cannot_pass_for_a_part_of_the_sentence(label: str) -> None:
    """It stands between quotation marks that it cannot close, and moves no cursor."""
    words = _said("?x ex:country ex:A", labels={"A": label})
    assert re.fullmatch("everything whose country is “[^“”`\n\x1b]*”", words), words
    assert _said("?x ex:p ex:B", labels={"p": label}) != _said("?x ex:p ex:B", labels={"p": "country"})


@pytest.mark.parametrize(
    "label", ["St. Louis", "Côte d'Ivoire", "2012 Summer Olympics", "Salt Lake City", "ex:q3", "東京"]
)
def test_a_plain_label_stands_as_it_is(label: str) -> None:
    """Words, marks inside words, and short names need no quotation marks."""
    assert _said("?x ex:country ex:A", labels={"A": label}) == f"everything whose country is {label}"


def test_a_long_label_is_clipped() -> None:
    """A label may be a whole text."""
    assert len(_said("?x ex:country ex:A", labels={"A": "a" * 5000})) < 150


def test_two_terms_with_one_label_are_told_apart() -> None:
    """Each gets the end of its IRI."""
    words = _said(
        "?x ex:p ex:A", "?x ex:q ex:B", labels={"p": "name", "q": "name", "A": "Paris", "B": "Paris"}
    )
    assert words == "everything whose name [p] is Paris [A] and whose name [q] is Paris [B]"


def test_a_text_is_not_a_thing() -> None:
    """The string in quotes, the thing by its label."""
    assert _said('?x ex:season "Winter"') != _said("?x ex:season ex:Winter")


# --- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "shape"),
    [
        ("hosted", "verb"),
        ("borders", "noun"),
        ("shares border with", "verb"),
        ("belongs to", "verb"),
        ("is part of", "verb"),
        ("member of", "state"),
        ("located in", "state"),
        ("born in", "state"),
        ("located on island", "state"),
        ("in organization", "state"),
        ("opened", "noun"),
        ("responsible for", "state"),
        ("has manager", "has"),
        ("season", "noun"),
        ("speed", "noun"),
        ("date of birth", "noun"),
        ("related person", "noun"),
        ("Jahreszeit", "noun"),
        ("", "noun"),
    ],
)
def test_the_shape_of_a_predicate(label: str, shape: str) -> None:
    """Few closed rules; what they do not know is a noun."""
    assert shape_of(label) == shape


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("city", "city"),
        ("hostCity", "host city"),
        ("team_name", "team name"),
        ("x", None),
        ("t1", None),
        ("result", None),
    ],
)
def test_the_noun_in_a_name(name: str, noun: str | None) -> None:
    """A name that says nothing gives no noun."""
    assert noun_of(name) == noun


def test_nothing_yet() -> None:
    """The empty plan has words too."""
    assert verbalize(start(), olympics()) == "nothing yet"


def test_golden_files_cover_every_operator() -> None:
    """A new operator needs a case in tests/golden/words/."""
    seen = "".join(path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.txt"))
    operators = {kind.op for kind in catalogue() if issubclass(kind, Operator)}
    assert operators == {op for op in operators if f'"op": "{op}"' in seen}


def test_the_examples_of_the_document() -> None:
    """Each query of docs/words.md has the sentence that stands below it."""
    text = (Path(__file__).parent.parent / "docs" / "words.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```sparql\n(.*?)^```\n> (.*?)$", text, re.MULTILINE | re.DOTALL)
    assert examples
    for query, words in examples:
        assert verbalize(parse_query(olympics().header + query), olympics()) == words


def test_the_shipped_graph_satisfies_the_protocol() -> None:
    """A KG is all that is needed."""
    kg = KG.load("olympics", language="de")
    plan = parse_action({"op": "triple", "pattern": '?x ex:season "Winter"'}).apply(
        Plan(prefixes=kg.prefixes)
    )
    assert verbalize(plan, kg) == 'everything whose Jahreszeit is "Winter"'
