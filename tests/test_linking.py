"""Linking: what the words of questions mean, on graphs with labels and without, here and on servers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import virtuoso
from hermes import KG
from hermes.cli import main
from hermes.linking import Mentions, link
from hermes.linking.english import cues, meant_by, numbers
from hermes.linking.mentions import Kind
from hermes.linking.tokens import quoted, words_of
from hermes.store import tallied
from hermes.terms import IRI, Literal
from shared import data_folder
from strategies import EX, olympics

TABLES: Final = """
@prefix : <http://db/> .
<http://db/singer/id=1> a :singer ; <http://db/singer#name> "Joe Sharp" ; <http://db/singer#age> 52 .
<http://db/singer/id=2> a :singer ; <http://db/singer#name> "Rose White" ; <http://db/singer#age> 41 .
<http://db/concert/id=7> a :concert ; <http://db/concert#concert_name> "Home Visits" ;
    <http://db/concert#ref-singer_id> <http://db/singer/id=1> ; <http://db/concert#yearheld> "2014" .
"""


def names(found: Mentions, kind: Kind, most: int = 3) -> list[str]:
    """Return the best terms of a kind: local names, or texts."""
    terms = [each.term for each in found.ranked(kind, most)]
    return [term.lexical if isinstance(term, Literal) else term.value.removeprefix(EX) for term in terms]


@pytest.fixture
def tables(tmp_path: Path) -> KG:
    """A graph made from tables, without labels."""
    path = tmp_path / "tables.ttl"
    path.write_text(TABLES)
    return KG.load(path)


# --- words that ask --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many dogs are there?", ["count"]),
        ("Which state has the most number of rivers?", ["most"]),
        ("songs longer than 3 minutes", ["greater"]),
        ("at least two and no more than five", ["at-least", "at-most"]),
        ("Is Tokyo in Japan?", ["yes-no"]),
        ("people who don\u2019t own a cat", ["negation"]),
        ("the average age and the total weight", ["average", "sum"]),
        ("names in alphabetical order", ["ascending"]),
        ("price >= 3", ["at-least"]),
        ("for each country, the cheapest one", ["each", "least"]),
        ("both French and English, or neither", ["both", "or", "negation"]),
        ("The Mostar of Lastovo", []),
    ],
)
def test_cues(question: str, expected: list[str]) -> None:
    """Phrases count as one, and parts of words do not."""
    assert [each.asks for each in cues(question)] == expected
    assert all(question[each.span.start : each.span.end] == each.span.text for each in cues(question))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("in 2014 or 1,200", ["year 2014", "number 1200"]),
        ("two thousand and five", ["number 2005"]),
        ("twenty-one of 3.5 million", ["number 21", "number 3500000"]),
        ("May 1st, 2014", ["date 2014-05-01"]),
        ("the 3rd of Feb 1999", ["date 1999-02-03"]),
        ("2010-01-02 and 12/31/2011", ["date 2010-01-02", "date 2011-12-31"]),
        ("-4.5 degrees", ["number -4.5"]),
        ("February 31, 2014x, K367, a4", ["number 31"]),
        ("none of it", []),
    ],
)
def test_numbers(question: str, expected: list[str]) -> None:
    """In digits and in words; what stands in a date is no number of its own."""
    assert [f"{each.kind} {each.value.lexical}" for each in numbers(question)] == expected


def test_words() -> None:
    """An owner's ending is no word, and words know where they stand."""
    question = "What's Ben Jones' (or Zoë's) \u201cBig Show\u201d?"
    found = words_of(question)
    assert [each.folded for each in found] == ["what", "ben", "jones", "or", "zoe", "big", "show"]
    assert all(question[each.span.start : each.span.end] == each.span.text for each in found)
    assert [each.text for each in quoted(question)] == ["Big Show"]
    assert "age" in meant_by("oldest")


# --- terms -----------------------------------------------------------------------------------------


def test_each_kind() -> None:
    """Classes by their plural, predicates by what they are called, entities by labels, texts as they are."""
    found = link("Which cities in the United States hosted Winter games?", olympics())
    assert names(found, "class")[0] == "City"
    assert names(found, "predicate")[0] == "hosted"
    assert names(found, "entity")[0] == "USA"
    assert "Winter" in names(found, "value")
    usa = found.ranked("entity", 1)[0]
    assert usa.types == (IRI(EX + "Country"),)
    winter = next(each for each in found.ranked("value") if each.name == "Winter")
    assert winter.predicates == (IRI(EX + "season"),)


@pytest.mark.parametrize(
    ("question", "kind", "expected", "evidence"),
    [
        ("their nicknames", "predicate", "nickname", "inflected"),
        ("which seazon", "predicate", "season", "typo"),
        ("the most populous place", "predicate", "population", "synonym"),
        ("in Lake Plasid", "entity", "LakePlacid", "typo"),
        ("near Placid", "entity", "LakePlacid", "part"),
        ("the Summer", "value", "Summer", "exact"),
        ("St. Moritz", "entity", "StMoritz", "exact"),
        ("in 1932", "value", "1932", "exact"),
    ],
)
def test_evidence(question: str, kind: Kind, expected: str, evidence: str) -> None:
    """How a span says a name is told."""
    best = link(question, olympics()).ranked(kind, 1)[0]
    assert (str(best.term), best.evidence) in (
        (f"<{EX}{expected}>", evidence),
        (f'"{expected}"', evidence),
        (f'"{expected}"^^<http://www.w3.org/2001/XMLSchema#gYear>', evidence),
        (expected, evidence),
        (f'"{expected}"^^<http://www.w3.org/2001/XMLSchema#integer>', evidence),
    )


def test_without_labels(tables: KG) -> None:
    """Local names are split, a column knows its table, and what comes with what was said is implied."""
    found = link("What is the age of Joe Sharp?", tables)
    assert names(found, "predicate")[0] == "http://db/singer#age"
    assert names(found, "value")[0] == "Joe Sharp"
    assert "http://db/singer#name" in names(found, "predicate")
    assert names(found, "class")[0] == "http://db/singer"
    connected = link("singers and their concerts in 2014", tables)
    assert "http://db/concert#ref-singer_id" in names(connected, "predicate", 5)
    assert names(connected, "value")[0] == "2014"
    tables.close()


@pytest.mark.parametrize("question", ["", "?!", "   ", "\u4e1c\u4eac", "x" * 5000, "a " * 3000, "\x00\ud800"])
def test_odd_questions(question: str) -> None:
    """Nothing is found, or something, but it is no failure."""
    found = link(question, olympics())
    assert len(found.question) <= 2000
    assert found.complete


@given(question=st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_question(question: str) -> None:
    """Spans are where they say, scores are from 0 to 1, and the same question gives the same."""
    kg = olympics()
    found = link(question, kg)
    assert found == link(question, kg)
    for mention in found.mentions:
        assert found.question[mention.span.start : mention.span.end] == mention.span.text
        assert all(0 < each.score <= 1 for each in mention.candidates)


def test_two_queries() -> None:
    """A question costs two queries once the indexes are there."""
    kg = KG.load("olympics")
    link("What is there?", kg)
    with tallied() as tally:
        link("Which cities in the United States hosted Winter games in 1932?", kg)
    assert tally.queries <= 2
    kg.close()


# --- the commands ----------------------------------------------------------------------------------


def test_hermes_link(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines for people, one object for programs, and an answer where nothing is found."""
    assert main(["link", "cities in Japan"]) == 0
    assert '"Japan"' in capsys.readouterr().out
    assert main(["link", "xyzzy"]) == 0
    assert capsys.readouterr().out == "no word of this names anything here\n"
    assert main(["link", "cities in Japan", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["format"] == 1
    assert written["mentions"][-1]["text"] == "Japan"
    assert main(["link", " "]) == 2


def test_hermes_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was indexed is said."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["index", "olympics"]) == 0
    assert "229 names and 204 texts indexed in" in capsys.readouterr().out
    assert main(["index", "nowhere"]) == 1


# --- servers ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_endpoint(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a few queries; once it was indexed, by none but for what is known of the terms."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    with virtuoso.served_olympics(tmp_path_factory.mktemp("virtuoso"), prefixes={"ex": EX}) as kg:
        question = "Which cities in the United States hosted Winter games?"
        asked = link(question, kg)
        assert names(asked, "class")[0] == "City"
        assert names(asked, "entity")[0] == "USA"
        assert "Winter" in names(asked, "value")
        assert kg.indexes is None
        made, texts = kg.make_indexes()
        assert made > 200
        assert texts > 150
        assert kg.indexes is not None
        link(question, kg)
        with tallied() as tally:
            found = link(question, kg)
        assert tally.queries <= 2
        assert names(found, "entity")[0] == "USA"
        assert "Winter" in names(found, "value")
        assert [str(each.term) for each in kg.lookup("lake plasid").entries] == [f"<{EX}LakePlacid>"]


@pytest.mark.slow
def test_what_gold_queries_name() -> None:
    """Most terms of the development questions of a set are among the first ten."""
    data_folder("geoquery")
    from benchmarks.gold_terms import gold_of  # noqa: PLC0415 - it reads the shared data

    kg = KG.load(data_folder("geoquery") / "kg" / "geo.nt.gz")
    there = found = 0
    for gold in gold_of("geoquery"):
        mentions = link(gold.question.text, kg)
        for kind, term in gold.terms:
            there += 1
            found += term in [each.term for each in mentions.ranked(kind)]
    assert found / there > 0.9
    kg.close()
