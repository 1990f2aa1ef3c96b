"""Labels: what gives names, the preferred language, names in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.errors import StoreError
from hermes.labels import WELL_KNOWN_NAMES, Labels, words
from hermes.results import Table
from hermes.terms import IRI, RDFS, WELL_KNOWN, BlankNode, Literal, Term
from shared import SHARED, data_folder

EX = "http://example.org/"
GOLDEN = Path(__file__).with_name("golden") / "words.txt"


def loaded(folder: Path, turtle: str, language: str = "en") -> KG:
    """Return a graph of some Turtle; the prefix `ex` is declared."""
    path = folder / "graph.ttl"
    prologue = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in WELL_KNOWN.items())
    path.write_text(f"@prefix ex: <{EX}> .\n{prologue}{turtle}", encoding="utf-8")
    return KG.load(path, language=language)


def iri(name: str) -> IRI:
    """Return a term of the namespace `ex`."""
    return IRI(EX + name)


# --- names in words -------------------------------------------------------------------------------


def _words() -> list[tuple[str, str]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    return [(left, right) for left, _, right in (line.partition("  ->  ") for line in lines if line)]


@pytest.mark.parametrize(("term", "expected"), _words())
def test_words(term: str, expected: str) -> None:
    """The name of an IRI in words; a dash where it says nothing."""
    assert (words(term) or "-") == expected


@given(st.text())
def test_words_of_anything(text: str) -> None:
    """Whatever follows the namespace, the words are one line without spaces at the ends, or None."""
    found = words(EX + text)
    assert found is None or (found == " ".join(found.split()) and found)


# --- the label of a term --------------------------------------------------------------------------


def test_shared_case(tmp_path: Path) -> None:
    """Case PX9: the asked language by range, then any; no row without a label."""
    path = SHARED / "cases" / "cases.jsonl"
    if not path.exists():
        pytest.skip("the shared cases are absent")
    cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    case = next(case for case in cases if case["id"] == "PX9")
    (tmp_path / "case.ttl").write_text(case["turtle"], encoding="utf-8")
    kg = KG.load(tmp_path / "case.ttl", prefixes=case["prefixes"])
    wanted = {IRI(name[1:-1]): label for name, label in case["expected"]["labels_for_en"].items()}
    assert kg.labels(wanted) == wanted


LANGUAGES = """
ex:a rdfs:label "house"@en, "Haus"@de, "casa"@es, "none" .
ex:b rdfs:label "colour"@en-GB, "color"@en-US, "Farbe"@de .
ex:c rdfs:label "maison"@fr, "plain" .
ex:d rdfs:label "zwei"@de, "deux"@fr, "dos"@es .
ex:e rdfs:label "b"@de, "a"@de .
"""


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["house", "colour", "plain", "zwei", "a"]),
        ("EN", ["house", "colour", "plain", "zwei", "a"]),
        ("en-US", ["none", "color", "plain", "zwei", "a"]),
        ("de", ["Haus", "Farbe", "plain", "zwei", "a"]),
        ("fr", ["none", "Farbe", "maison", "deux", "a"]),
        ("pt-BR", ["none", "Farbe", "plain", "zwei", "a"]),
    ],
)
def test_language(tmp_path: Path, language: str, expected: list[str]) -> None:
    """The asked language, exactly or by range; then no language; then any, by its tag and the text."""
    kg = loaded(tmp_path, LANGUAGES, language=language)
    assert kg.language == language
    assert list(kg.labels(map(iri, "abcde")).values()) == expected
    other = loaded(tmp_path, LANGUAGES)
    assert list(other.labels(map(iri, "abcde"), language).values()) == expected


@pytest.mark.parametrize("tag", ["", "e n", "en_US", "*", 'en" }', "abcdefghi"])
def test_no_language(tag: str) -> None:
    """What is no language tag is refused, with what would be one."""
    with pytest.raises(ValueError, match="expected a language tag such as en or pt-BR"):
        KG.load("olympics", language=tag)
    with pytest.raises(ValueError, match="expected a language tag"):
        KG.load("olympics").labels([], tag)


def test_what_gives_names(tmp_path: Path) -> None:
    """Well-known predicates in their order; other names only where there is no first one."""
    kg = loaded(
        tmp_path,
        """
        ex:a skos:prefLabel "preferred" ; rdfs:label "label" ; schema:name "name" .
        ex:b skos:altLabel "other" ; dcterms:title "title" .
        ex:c skos:altLabel "only" .
        ex:d foaf:name "" , "  " .
        ex:e foaf:name "  two\\n lines " .
        ex:f rdfs:label 42, true, ex:a .
        ex:hasCategory ex:p ex:q7 .
        """,
    )
    assert [kg.label(iri(name)) for name in "abcdef"] == ["label", "title", "only", "d", "two lines", "f"]
    assert kg.label(iri("hasCategory")) == "has category"
    assert kg.label(iri("q7")) == "ex:q7"
    assert set(kg.stated_labels(map(iri, "abcdef"))) == {iri(name) for name in "abce"}


def test_names_of_its_own(tmp_path: Path) -> None:
    """Predicates whose local name says so, if their values are short texts; pairs of names are joined."""
    kg = loaded(
        tmp_path,
        """
        ex:a ex:name "its name" ; ex:title "Dr" .
        ex:b ex:first_name "Ada" ; ex:last_name "Lovelace" .
        ex:c ex:first_name "Ada" .
        ex:d ex:fileName ex:file ; ex:userName "d1" .
        <http://db/airports/1> <http://db/airports#airportname> "Oslo" .
        """
        + "".join(f'ex:n{n} ex:label {n} ; ex:stateName "Texas" .\n' for n in range(9)),
    )
    assert [kg.label(iri(name)) for name in "abcd"] == ["its name", "Ada Lovelace", "c", "d1"]
    assert kg.label(IRI("http://db/airports/1")) == "Oslo"
    assert kg.label(iri("n1")) == "ex:n1"  # numbers are no names, and one state is not that of nine things
    used = {predicate for name in kg.label_names for predicate in name.predicates}
    assert not used & {EX + "label", EX + "stateName", EX + "fileName"}


def test_no_names(tmp_path: Path) -> None:
    """A graph without any label has names in words, without a query for labels."""
    kg = loaded(tmp_path, "ex:LakePlacid ex:hosted ex:winter_1932 .")
    assert kg.label_names == ()
    terms: list[Term] = [
        iri("LakePlacid"),
        iri("winter_1932"),
        BlankNode("b"),
        Literal("l"),
        iri("LakePlacid"),
    ]
    assert kg.labels(terms) == {iri("LakePlacid"): "Lake Placid", iri("winter_1932"): "winter 1932"}
    assert kg.stated_labels(terms) == {}


def test_mondial_has_names_of_its_own() -> None:
    """MONDIAL says `:name`, which no vocabulary in wide use does."""
    folder = data_folder("mondial-europe")
    kg = KG.load(*sorted(folder.glob("*.ttl.gz")))
    base = "http://www.semwebtech.org/mondial/10/"
    names = ["countries/AL/", "meta#hasCity", "politicalbodies/Ottoman+Empire/"]
    found = kg.labels(IRI(base + name) for name in names)
    assert list(found.values()) == ["Albania", "has city", "Ottoman Empire"]


def test_drivers_of_formula_1() -> None:
    """A table with given and family names gives whole names."""
    path = data_folder("spider4sparql-large") / "kg" / "formula_1.nt.gz"
    kg = KG.load(path)
    assert kg.label(IRI("http://valuenet/ontop/drivers/driverid=1")) == "Lewis Hamilton"
    assert kg.label(IRI("http://valuenet/ontop/results/resultid=1")) == "results 1"


@given(st.lists(st.text().map(lambda text: IRI(EX + text)) | st.text().map(Literal), max_size=8))
def test_every_iri_has_a_label(terms: list[Term]) -> None:
    """Whatever the terms, each IRI has a label that is not empty, in order, and no other term has one."""
    found = OLYMPICS.labels(terms)
    assert list(found) == list(dict.fromkeys(term for term in terms if isinstance(term, IRI)))
    assert all(found.values())


OLYMPICS = KG.load("olympics")


# --- queries --------------------------------------------------------------------------------------


class Recorded:
    """A store that says what it was asked, and can fail or cut."""

    def __init__(self, answer: Callable[[str], Table]) -> None:
        self.answer = answer
        self.queries: list[str] = []

    def __call__(self, query: str) -> Table:
        """Answer a query."""
        self.queries.append(query)
        return self.answer(query)


def rows(*names: str) -> Table:
    """Return a table of labels."""
    label = IRI(RDFS + "label")
    return Table(
        ("s", "p", "o"), [{"s": iri(name), "p": label, "o": Literal(name.upper())} for name in names]
    )


def test_one_query_and_remembered() -> None:
    """A table of terms is one query; what is known, also that there is no label, is not asked again."""
    select = Recorded(lambda _: rows("a", "b"))
    labels = Labels(select, lambda: WELL_KNOWN_NAMES)
    assert labels.stated(map(iri, "abc")) == {iri("a"): "A", iri("b"): "B"}
    assert len(select.queries) == 1
    assert labels.stated(map(iri, "cba")) == {iri("b"): "B", iri("a"): "A"}
    assert len(select.queries) == 1
    labels.stated(map(iri, "abcd"))
    assert len(select.queries) == 2
    assert "<http://example.org/a>" not in select.queries[1]


def test_many_terms_are_asked_in_slices() -> None:
    """A query names 500 terms at most."""
    select = Recorded(lambda _: rows())
    Labels(select, lambda: WELL_KNOWN_NAMES).stated(iri(f"x{n}") for n in range(1200))
    assert [query.count("<http://example.org/x") for query in select.queries] == [500, 500, 200]


def test_cut_answers_are_asked_in_halves() -> None:
    """Where the store cuts, smaller questions get all labels."""

    def answer(query: str) -> Table:
        names = [name for name in "abcdefgh" if f"<{EX}{name}>" in query]
        found = rows(*names[:2])
        return Table(found.variables, found.rows, complete=len(names) <= 2)

    labels = Labels(Recorded(answer), lambda: WELL_KNOWN_NAMES)
    assert list(labels.stated(map(iri, "abcdefgh")).values()) == list("ABCDEFGH")


def test_a_failure_is_not_remembered(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an answer there are no stated labels, a warning says why; later they are asked for again."""
    broken = True

    def answer(_: str) -> Table:
        if broken:
            raise StoreError("no answer", category="timeout")
        return rows("a")

    now = 0.0
    monkeypatch.setattr("hermes.labels.labels.monotonic", lambda: now)
    select = Recorded(answer)
    labels = Labels(select, lambda: WELL_KNOWN_NAMES)
    assert labels.stated([iri("a")]) == {}
    assert "no answer" in caplog.text
    assert labels.stated([iri("a")]) == {}
    assert len(select.queries) == 1  # a store that failed is let alone for a while
    broken, now = False, 60.0
    assert labels.stated([iri("a")]) == {iri("a"): "A"}


def test_iris_that_no_query_can_hold() -> None:
    """A store may have IRIs that are none; they are not asked for."""
    select = Recorded(lambda _: rows())
    labels = Labels(select, lambda: WELL_KNOWN_NAMES)
    assert labels.stated([IRI("http://e/ a> } DROP"), IRI("http://e/a\n")]) == {}
    assert select.queries == []


# --- the vocabulary ----------------------------------------------------------------------------


def test_vocabulary_labels_and_examples() -> None:
    """The vocabulary has labels and an example for each of its terms."""
    kg = KG.load("olympics")
    ex = "http://example.org/olympics/"
    assert kg.vocabulary.labels[ex + "events"] == "number of events"
    assert isinstance(kg.vocabulary.examples[ex + "year"], Literal)
    city = kg.vocabulary.examples[ex + "City"]
    assert kg.ask(f"ASK {{ {city} a <{ex}City> }}")
    assert set(kg.vocabulary.labels) == {*kg.vocabulary.predicates, *kg.vocabulary.classes}


def test_labels_of_the_vocabulary_after_a_declaration(tmp_path: Path) -> None:
    """What has no label and says nothing is written with the prefixes that there are now."""
    path = tmp_path / "opaque.nt"
    path.write_text("<http://e/x/q3> <http://e/x/p7> <http://e/x/q9> .", encoding="utf-8")
    kg = KG.load(path)
    kg.declare({"z": "http://e/x/"})
    assert kg.vocabulary.labels["http://e/x/p7"] == "z:p7"
    assert kg.label(IRI("http://e/x/q3")) == "z:q3"
    vocabulary = kg.vocabulary
    del kg
    assert vocabulary.labels["http://e/x/p7"] == "z:p7"
