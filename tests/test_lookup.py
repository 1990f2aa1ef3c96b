"""Look-up of terms by their names: what matches, in which order, what is said of it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.cli import main
from hermes.finding_text import lookup_lines
from hermes.findings import Entry, Role
from hermes.labels import fold
from hermes.labels.hits import Asked, Named
from hermes.labels.spelling import Spelling
from hermes.labels.words import split_words
from hermes.terms import IRI, RDFS
from shared import SHARED, data_folder

EX = "http://example.org/"
GAMES = EX + "olympics/"


@pytest.fixture(scope="module")
def olympics() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def loaded(folder: Path, turtle: str) -> KG:
    """Return a graph of some Turtle."""
    path = folder / "graph.ttl"
    path.write_text(f"@prefix ex: <{EX}> .\n@prefix rdfs: <{RDFS}> .\n{turtle}", encoding="utf-8")
    return KG.load(path)


def names(kg: KG, text: str, role: Role | None = None, limit: int = 10) -> list[str]:
    """Return the local names of what is found."""
    return [entry.term.value.rpartition("/")[2] for entry in kg.lookup(text, role, limit).entries]


# --- folding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Zürich", "zurich"),
        ("ŁÓDŹ", "lodz"),
        ("Straße", "strasse"),
        ("Æro", "aero"),
        ("Rock 'n' Roll", "rock n roll"),
        ("St.Moritz", "st moritz"),
        ("ΑΘΗΝΑ", "αθηνα"),
        ("Αθήνας", "αθηνασ"),
        ("I\u0307stanbul", "istanbul"),
        ("東京都", "東京都"),
        ("ﬁnal", "final"),
        ("  a\tb\n", "a b"),
        ("!?", "!?"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    """Case, accents and punctuation are gone."""
    assert fold(text) == folded


@given(st.text())
def test_fold_of_anything(text: str) -> None:
    """Folding a folded text changes nothing, and gives something that can be kept and sent."""
    folded = fold(text)
    assert fold(folded) == folded
    folded.encode()
    assert "\0" not in folded or folded == "".join(text.split())


# --- how a name matches ---------------------------------------------------------------------------


def test_ways_to_match_are_ranked() -> None:
    """The phrase is better than its words; whole words are better than their beginnings."""
    labels = [
        "Lake Placid",
        "Lake Placid Village",
        "Lake Placidia",
        "the lake placid",
        "the lake placids",
        "placid, the lake",
        "placids and lakes",
        "mylake placid",
        "unplacid mylake",
    ]
    asked = Asked.of("lake placid")
    hits = [asked.hit(Named(EX, "entity", label, fold(label))) for label in labels]
    matches = [hit.match if hit else None for hit in hits]
    assert matches == ["exact", "prefix", "prefix", "word", "word", "word", "word", "inside", "inside"]
    orders = [hit.order for hit in hits if hit]
    assert orders == sorted(orders)
    assert asked.hit(Named(EX, "entity", "Lake", "lake")) is None
    twice = Asked.of("new new")
    assert twice.hit(Named(EX, "entity", "New York", "new york")) is None
    assert twice.hit(Named(EX, "entity", "New Old New", "new old new")) is not None


def test_order(tmp_path: Path) -> None:
    """A first label before another one, a short before a long one, many triples before few, then the IRI."""
    kg = loaded(
        tmp_path,
        """
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        ex:b rdfs:label "Mercury" . ex:a rdfs:label "Mercury" .
        ex:much rdfs:label "mercury" ; ex:p 1, 2, 3 .
        ex:z rdfs:label "Hermes" ; skos:altLabel "Mercury" .
        ex:long rdfs:label "Mercury Records Ltd" . ex:short rdfs:label "Mercury Rev" .
        ex:quick rdfs:label "Quick Mercury" . ex:un rdfs:label "Unmercurys" .
        """,
    )
    assert names(kg, "mercury") == ["much", "a", "b", "z", "short", "long", "quick", "un"]
    assert names(kg, "mercury", limit=2) == ["much", "a"]
    assert not kg.lookup("mercury", limit=2).complete
    assert kg.lookup("mercury").complete


def test_ties_are_decided_by_their_counts(tmp_path: Path) -> None:
    """Of more equal labels than are shown, those of the most triples are."""
    triples = "".join(
        f'ex:r{n} rdfs:label "Race" ; ex:p {", ".join(map(str, range(n)))} .' for n in range(1, 20)
    )
    assert names(loaded(tmp_path, triples), "race", limit=3) == ["r19", "r18", "r17"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lake Placid", "LakePlacid"),
        ("LAKE PLACID", "LakePlacid"),
        ("placid", "LakePlacid"),
        ("placid lake", "LakePlacid"),
        ("lacid", "LakePlacid"),
        ("ake Pla", "LakePlacid"),
        ("Lake Plasid", "LakePlacid"),
        ("Lkae Placid", "LakePlacid"),
        ("lakeplacid", "LakePlacid"),
        ("lakexplacid", "LakePlacid"),
        ("Los Angelos", "LosAngeles"),
        ("Athen", "Athens"),
        ("Athenes", "Athens"),
        ("Saint Moritz", "StMoritz"),
        ("winter 1932", "Winter1932"),
        ("Winter1932", "Winter1932"),
        ("USA", "USA"),
        ("number of events", "events"),
        ("Tokyo", "Tokyo"),
        ("ex:LakePlacid", "LakePlacid"),
        ("<http://example.org/olympics/hosted>", "hosted"),
        ("http://example.org/olympics/City", "City"),
        ("LakePlacid", "LakePlacid"),
    ],
)
def test_found_first(olympics: KG, text: str, found: str) -> None:
    """What a person types is found first: part of a label, another language, a typo, the local name."""
    assert names(olympics, text)[:1] == [found]


def test_no_typo_beside_what_was_typed(olympics: KG) -> None:
    """Names that only resemble the text are no answer where others contain it, nor to short words."""
    assert {entry.match for entry in olympics.lookup("place").entries} == {"exact"}
    assert names(olympics, "xyz") == []
    assert names(olympics, "year 1999") == []


def test_entries(olympics: KG) -> None:
    """An entry says the label in the preferred language, the one that matched, types and counts."""
    assert olympics.lookup("usa").entries == (
        Entry(
            term=IRI(GAMES + "USA"),
            role="entity",
            label="United States",
            matched="USA",
            match="exact",
            types=(IRI(GAMES + "Country"),),
            count=14,
        ),
    )
    city, *_ = olympics.lookup("CITY", "class").entries
    assert (city.role, city.label, city.matched, city.count) == ("class", "city", "city", 13)
    hosted, *_ = olympics.lookup("host").entries
    assert (hosted.role, hosted.types, hosted.count) == ("predicate", (), 19)


@pytest.mark.parametrize("role", ["entity", "class", "predicate"])
def test_roles(olympics: KG, role: Role) -> None:
    """Only terms of the role that is asked for; all of them together are what is found without."""
    found = olympics.lookup("e", role, 1000)
    assert {entry.role for entry in found.entries} == {role}
    everything = {entry.term for entry in olympics.lookup("e", None, 1000).entries}
    assert {entry.term for entry in found.entries} <= everything


def test_names_without_labels(tmp_path: Path) -> None:
    """Terms without labels are found by their local names; also those that are only objects, or declared."""
    kg = loaded(
        tmp_path,
        """
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        ex:LakePlacid a ex:SkiResort ; ex:hasNeighbour ex:SaranacLake, ex:q7 .
        ex:IceRink a owl:Class . ex:openedIn a owl:DatatypeProperty .
        """,
    )
    found = {text: kg.lookup(text).entries[0] for text in ("lake placid", "ski", "neighbour", "saranac")}
    assert [entry.role for entry in found.values()] == ["entity", "class", "predicate", "entity"]
    assert found["saranac"].count == 1
    assert kg.lookup("ice rink").entries[0].role == "class"
    assert kg.lookup("opened").entries[0].role == "predicate"
    assert names(kg, "q7") == []


def test_threads(olympics: KG) -> None:
    """A graph is shared between threads, and so is its index."""
    texts = ["placid", "lake", "city", "lkae", "usa"] * 8
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(KG_OF_ALL.lookup, texts))
    assert found == [olympics.lookup(text) for text in texts]


def test_limit(olympics: KG) -> None:
    """There is no look-up of nothing."""
    with pytest.raises(ValueError, match="at least 1, not 0"):
        olympics.lookup("a", limit=0)


# --- any text -------------------------------------------------------------------------------------

PIECES = [*"\"'\\\n*^(){}:-+%#\0\ud800", "NEAR", " AND ", " OR ", " NOT ", "lake", "placid", "e", "folded:"]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=20).map("".join)


@given(HOSTILE)
def test_any_text(text: str) -> None:
    """Whatever is typed is a text: it is looked for, and what is found contains it but for typos."""
    asked = [Asked.of(text), Asked.of(split_words(text))]
    for entry in KG_OF_ALL.lookup(text).entries:
        name = Named(entry.term.value, entry.role, entry.matched, fold(entry.matched))
        hits = [hit.match for each in asked if (hit := each.hit(name)) is not None]
        assert entry.match in hits or entry.match == "typo" or text.strip("<>") == entry.term.value


KG_OF_ALL = KG.load("olympics")


@given(st.lists(st.sampled_from(sorted("abcdé")), min_size=1, max_size=8).map("".join), st.data())
def test_spelling(word: str, data: st.DataObject) -> None:
    """A word with one typo is near, whatever the typo is."""
    spelling = Spelling([word, "entirely", "different"])
    at = data.draw(st.integers(0, len(word) - 1))
    typed = data.draw(
        st.sampled_from(
            [word[:at] + word[at + 1 :], word[:at] + "x" + word[at:], word[:at] + "x" + word[at + 1 :]]
        )
    )
    if typed:
        assert (word, int(typed != word)) in spelling.near(typed, 1, 10)


def test_pieces() -> None:
    """Words that contain a piece, that begin and that end with it."""
    spelling = Spelling(["lake", "lakes", "flake", "placid"])
    assert spelling.containing("lake", 9) == ["lake", "flake", "lakes"]
    assert spelling.containing("lake", 9, begins=True) == ["lake", "lakes"]
    assert spelling.containing("lake", 9, ends=True) == ["lake", "flake"]
    assert spelling.containing("lake", 1) == ["lake"]
    assert spelling.parts("lakeplacid") == [("lake", "placid")]
    assert spelling.near("zzzzz", 2, 9) == []


# --- real graphs and the shared cases -----------------------------------------------------------


def _cases() -> list[Any]:
    path = SHARED / "cases" / "cases.jsonl"
    if not path.exists():
        return [pytest.param({}, id="absent", marks=pytest.mark.skip(reason="the shared cases are absent"))]
    cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [pytest.param(case, id=case["id"]) for case in cases if "lookup_contains" in case["expected"]]


@pytest.mark.parametrize("case", _cases())
def test_shared_case(case: dict[str, Any], tmp_path: Path) -> None:
    """The shared cases of look-up: what is found, what comes first, and that its types are shown."""
    (tmp_path / "case.ttl").write_text(case["turtle"], encoding="utf-8")
    kg = KG.load(tmp_path / "case.ttl", prefixes=case["prefixes"])
    actions = case.get("actions") or [json.loads(reply) for reply in case["raw_replies"]]
    found = kg.lookup(actions[-1]["text"])
    expected = case["expected"]
    terms = [str(entry.term) for entry in found.entries]
    assert set(expected["lookup_contains"]) <= set(terms)
    assert terms[: len(expected.get("first", []))] == expected.get("first", [])
    if expected.get("shows_types"):
        assert all(entry.types for entry in found.entries)
        assert "ex:Planet" in "\n".join(lookup_lines(found, kg.prefixes))


def test_mondial() -> None:
    """MONDIAL is found by its own names, by local ones, and by codes in IRIs."""
    kg = KG.load(*sorted(data_folder("mondial-europe").glob("*.ttl.gz")))
    for text in ("Albania", "shqiperi", "AL", "Albanai"):
        first = kg.lookup(text).entries[0]
        assert first.term.value.endswith("/countries/AL/"), text
        assert first.label == "Albania"
    assert kg.lookup("has population", "predicate").entries[0].match == "typo"
    assert kg.lookup("had population").entries[0].role == "predicate"


def test_ck25() -> None:
    """Products are found by words of their names, in any order, and by their numbers."""
    kg = KG.load(data_folder("ck25") / "ck25.ttl.gz")
    for text in ("gauge coil transformer", "H197-3970480", "h197 3970480"):
        assert "hw-H197-3970480" in names(kg, text), text
    assert names(kg, "has category", "predicate") == ["hasCategory"]


# --- the command ----------------------------------------------------------------------------------


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A line says what was found, then there is a line each; that nothing was found is an answer."""
    assert main(["lookup", "PLACID"]) == 0
    assert capsys.readouterr().out == (
        '1 entity for "PLACID"\n    ex:LakePlacid  "Lake Placid"  ex:City  10 triples\n'
    )
    assert main(["lookup", "moritz", "--kind", "class"]) == 0
    assert capsys.readouterr() == ('nothing for "moritz"\n', "")


def test_command_json(capsys: pytest.CaptureFixture[str], olympics: KG) -> None:
    """One object for programs."""
    assert main(["lookup", "lake", "--json", "--limit", "1"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["format"] == 1
    assert found["graph"] == {"source": "olympics", "fingerprint": olympics.fingerprint}
    assert [entry["term"] for entry in found["entries"]] == [GAMES + "LakePlacid"]
    assert found["complete"] is False
    assert err == ""


@pytest.mark.parametrize("limit", ["0", "1001", "-1", "many", "1.5"])
def test_command_limit(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no number of terms is a wrong command line."""
    assert main(["lookup", "a", "--limit", limit]) == 2
    assert "expected a whole number from 1 to 1000" in capsys.readouterr().err


def test_command_without_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Every name contains an empty text: that is a wrong command line."""
    assert main(["lookup", " "]) == 2
    assert "expected a text" in capsys.readouterr().err


def test_command_language(capsys: pytest.CaptureFixture[str]) -> None:
    """--language chooses the labels that are shown."""
    assert main(["lookup", "Athens", "--language", "de"]) == 0
    assert '"Athen" (matched "Athens")' in capsys.readouterr().out
    assert main(["lookup", "Athens", "--language", "e n"]) == 2
    assert "expected a language tag" in capsys.readouterr().err
