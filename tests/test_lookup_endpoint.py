"""Labels and look-up on endpoints: real servers, hostile texts, what takes too long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import virtuoso
from conformance import over
from hermes import KG
from hermes.errors import StoreError
from hermes.findings import Role
from hermes.labels import Name, fold
from hermes.labels.label_queries import LabelQueries, accented, misspelt
from hermes.results import Table
from hermes.terms import IRI, RDFS, Literal, Row
from servers import CK25, OLYMPICS, Oxigraph, find_oxigraph, turtle
from shared import needs_data

GAMES = "http://example.org/olympics/"
NAMES = (Name((RDFS + "label",), "label"), Name((GAMES + "nickname",), "alternative"))

needs_oxigraph = pytest.mark.skipif(find_oxigraph() is None, reason="the server oxigraph is not installed")


@pytest.fixture(scope="module")
def olympics() -> Iterator[KG]:
    """The shipped graph behind an Oxigraph server."""
    with Oxigraph(OLYMPICS) as server:
        yield KG.load(server.url)


def names(kg: KG, text: str, role: Role | None = None) -> list[str]:
    """Return the local names of what is found."""
    return [re.split("[/#]", entry.term.value)[-1] for entry in kg.lookup(text, role).entries]


# --- a real server --------------------------------------------------------------------------------

FOUND = [
    ("Lake Placid", "LakePlacid"),
    ("LAKE PLACID", "LakePlacid"),
    ("placid", "LakePlacid"),
    ("placid lake", "LakePlacid"),
    ("lacid", "LakePlacid"),
    ("st moritz", "StMoritz"),
    ("Athen", "Athens"),
    ("usa", "USA"),
    ("number of events", "events"),
    ("hostde", "hosted"),
    ("city", "City"),
    ("amerique du nord", "NorthAmerica"),
    ("amerqiue du nrod", "NorthAmerica"),
    ("lake placd", "LakePlacid"),
    ("Athesn", "Athens"),
    ("squaw vallley", "SquawValley"),
    ("St Moriz", "StMoritz"),
    ("AMÉRIQUE", "NorthAmerica"),
    ("<http://example.org/olympics/LakePlacid>", "LakePlacid"),
]


@needs_oxigraph
@pytest.mark.parametrize(("text", "found"), FOUND)
def test_found_first(olympics: KG, text: str, found: str) -> None:
    """What the embedded store finds by its index an endpoint finds by SPARQL, with a typo in a word too."""
    assert names(olympics, text)[:1] == [found]


@given(st.text("abcdefghé0 ", min_size=1, max_size=12).map(fold).filter(bool), st.data())
def test_one_typo_is_matched(word: str, data: st.DataObject) -> None:
    """The expression of a word matches the word after any one change."""
    word = word.split(maxsplit=1)[0]
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcxyz"))
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    changed = {
        word,
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        swapped,
    }
    expression = re.compile(misspelt(word), re.IGNORECASE)
    if len(word) > 3 and not word.isdigit():
        assert all(map(expression.search, changed))
    else:
        assert misspelt(word) == accented(word)


def test_what_is_too_different_has_no_typo() -> None:
    """Two changes in one word are too many, and a short word has none."""
    assert not re.search(misspelt("placid"), "plcd")
    assert not re.search(misspelt("usa"), "uka")


@needs_oxigraph
def test_labels(olympics: KG) -> None:
    """Labels are the same as on the embedded store, before and after the vocabulary is known."""
    embedded = KG.load("olympics")
    terms = [*map(IRI, (*embedded.vocabulary.predicates, *embedded.vocabulary.classes)), IRI(GAMES + "USA")]
    for language in ("en", "de", "fr", "ja"):
        assert olympics.labels(terms, language) == embedded.labels(terms, language)
    assert olympics.vocabulary_known or olympics.vocabulary
    assert olympics.labels(terms) == embedded.labels(terms)


@needs_oxigraph
def test_only_a_role(olympics: KG) -> None:
    """Classes and predicates come from the vocabulary, entities from their labels."""
    assert names(olympics, "olympics", "class") == ["SummerGames", "WinterGames"]
    assert names(olympics, "season", "predicate") == ["season"]
    assert "City" not in names(olympics, "city", "entity")


@needs_oxigraph
def test_without_a_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the vocabulary takes too long, what is declared as a class is one; the result is not complete."""
    monkeypatch.setattr("hermes.kg.mine", lambda _: None)
    with Oxigraph(OLYMPICS) as server:
        kg = KG.load(server.url)
        found = kg.lookup("city")
        roles = {entry.term.value.removeprefix(GAMES): entry.role for entry in found.entries}
        assert roles["City"] == "class"
        assert roles["SaltLakeCity"] == "entity"
        assert not found.complete
        assert names(kg, "city", "class") == ["City"]
        assert names(kg, "hosted", "predicate") == ["hosted"]


@needs_oxigraph
@needs_data
def test_ck25() -> None:
    """Products are found by the words of their labels."""
    assert turtle(CK25)
    with Oxigraph(CK25) as server:
        kg = over(server.url, CK25)
        assert "hw-H197-3970480" in names(kg, "gauge coil transformer")
        assert names(kg, "has category", "predicate") == ["hasCategory"]


PIECES = [
    *"\"'\\\n\r\t*^(){}<>:-+%#@?$\0\ud800",
    "} UNION {",
    "'''",
    '"""',
    "\\u0022",
    "bif:contains",
    "AND",
    "e",
]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=12).map("".join)


@needs_oxigraph
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=HOSTILE)
def test_any_text(olympics: KG, text: str) -> None:
    """Whatever is typed is looked for, and the server has nothing to complain of."""
    found = olympics.lookup(text)
    assert found.text == text
    assert found.complete or len(found.entries) == 10


# --- the queries ----------------------------------------------------------------------------------


class Recorded:
    """Answers queries, and keeps them."""

    def __init__(self, answer: Callable[[str], Table] = lambda _: Table((), ())) -> None:
        self.answer = answer
        self.queries: list[str] = []

    def __call__(self, query: str) -> Table:
        """Answer a query."""
        self.queries.append(query)
        return self.answer(query)


@given(HOSTILE)
def test_a_text_stays_in_its_strings(text: str) -> None:
    """Whatever the text, the queries are legal, and nothing of it stands outside of their strings."""
    select = Recorded()
    LabelQueries(select, NAMES, "en").search(f"{text} qzx", 10)
    assert select.queries
    for query in select.queries:
        EMBEDDED.select(query)
        outside = re.sub(r'"(?:[^"\\\n\r]|\\.)*"', "", query)
        assert not re.search(r"[\"\\\0]|qzx|UNION \{ UNION", outside)


EMBEDDED = KG.load("olympics")


def test_accents() -> None:
    """A folded word is found with any accents on its letters."""
    for word in ("Zürich", "Île", "Łódź", "Ångström"):
        assert re.fullmatch(accented(fold(word)), word, re.IGNORECASE)
    assert not re.fullmatch(accented("zurich"), "zarich", re.IGNORECASE)


def test_what_takes_too_long_is_said() -> None:
    """A query that takes too long makes the result incomplete; what others find is kept."""

    def answer(query: str) -> Table:
        if "CONTAINS" in query or "REGEX" in query:
            raise StoreError("too long", category="timeout")
        if "VALUES ?o" in query:
            label = IRI(RDFS + "label")
            return Table(("s", "p", "o"), ({"s": IRI(GAMES), "p": label, "o": Literal("Placid")},))
        return Table((), ())

    hits = LabelQueries(Recorded(answer), NAMES, "en").search("placid", 10)
    assert [hit.name.iri for hit in hits] == [GAMES]
    assert not hits.complete


def test_other_failures_are_passed_on() -> None:
    """An endpoint that is not there has not found nothing."""

    def answer(_: str) -> Table:
        raise StoreError("nobody there", category="unreachable")

    with pytest.raises(StoreError, match="nobody there"):
        LabelQueries(Recorded(answer), NAMES, "en").search("placid", 10)


def test_cut_rows_are_said() -> None:
    """As many rows as were asked for may be a part."""
    label = IRI(RDFS + "label")
    rows: list[Row] = [{"s": IRI(f"{GAMES}{n}"), "p": label, "o": Literal(f"a {n}")} for n in range(300)]
    hits = LabelQueries(Recorded(lambda _: Table(("s", "p", "o"), rows)), NAMES, "en").search("a", 1000)
    assert len(hits) == 300
    assert not hits.complete


def test_the_text_index_is_asked_once_where_it_does_not_work() -> None:
    """Without a full-text index Virtuoso complains; the search goes on without it."""

    def answer(query: str) -> Table:
        if "bif:contains" in query:
            raise StoreError("FT370: Wildcard word needs at least 4 leading characters", category="internal")
        return Table((), ())

    select = Recorded(answer)
    search = LabelQueries(select, NAMES, "en")
    search.search("placid", 10)
    search.search("lake", 10)
    assert sum("bif:contains" in query for query in select.queries) == 1


# --- Virtuoso ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KG]:
    """The shipped graph as a named graph of a Virtuoso server."""
    if not virtuoso.installed():
        pytest.skip(virtuoso.WHY_NOT)
    server = virtuoso.Virtuoso(tmp_path_factory.mktemp("virtuoso"), OLYMPICS)
    try:
        server.start()
        yield KG.load(server.url, graph=virtuoso.graph_name(OLYMPICS))
    finally:
        server.stop()


@pytest.mark.slow
@pytest.mark.parametrize(("text", "found"), FOUND)
def test_virtuoso(on_virtuoso: KG, text: str, found: str) -> None:
    """Virtuoso finds the same."""
    assert names(on_virtuoso, text)[:1] == [found]


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=HOSTILE)
def test_any_text_on_virtuoso(on_virtuoso: KG, text: str) -> None:
    """Whatever is typed is looked for."""
    assert on_virtuoso.lookup(text).text == text
