"""KG: sources, prefixes, vocabulary, nearest terms."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hermes
from hermes import KG
from hermes.errors import StoreError
from hermes.namespaces import combine, derive, split
from hermes.store import CachedStore
from hermes.terms import FALSE, IRI, RDF, RDFS, WELL_KNOWN, XSD, Literal, Prefixes

if TYPE_CHECKING:
    from hermes.results import Table, Triples

EX = "http://example.org/olympics/"
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def olympics() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file of triples."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# --- the package ----------------------------------------------------------------------------------


def test_import_is_light() -> None:
    """Importing hermes loads no engine until KG is asked for."""
    code = "import hermes, sys; e = 'pyoxigraph'; a = e in sys.modules; hermes.KG; print(a, e in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_package_face() -> None:
    """The project file takes the version from the package; another name is an AttributeError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    source = (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    assert f'"{hermes.__version__}"' in source
    with pytest.raises(AttributeError, match="no attribute 'KGraph'"):
        getattr(hermes, "KGraph")  # noqa: B009


# --- sources --------------------------------------------------------------------------------------


def test_shipped(olympics: KG) -> None:
    """The documented session gives 19, 8, 4 and 3."""
    where = ""
    for clause, count in (
        ("?city ex:hosted ?g", 19),
        ("?city ex:country ex:USA", 8),
        ('?g ex:season "Winter"', 4),
    ):
        where += clause + " . "
        table = olympics.select(f"{olympics.header}SELECT (COUNT(*) AS ?n) {{ {where} }}")
        assert table.rows == ({"n": Literal(str(count), XSD + "integer")},)
    assert len(olympics.select(f"{olympics.header}SELECT DISTINCT ?city {{ {where} }}").rows) == 3
    assert olympics.ask(f"{olympics.header}ASK {{ {where} }}")
    assert olympics.construct(f"{olympics.header}CONSTRUCT WHERE {{ ?c ex:country ex:China }}").triples
    assert (olympics.source, olympics.dataset) == ("olympics", "default")
    assert olympics.fingerprint == olympics.store.fingerprint


def test_several_sources(tmp_path: Path) -> None:
    """Files given as text or as paths, and shipped names, are one graph."""
    more = write(tmp_path, "more.nt", f"<{EX}Oslo> <{EX}hosted> <{EX}Winter1952> .")
    kg = KG.load("olympics", str(more), more)
    assert len(kg.select(f"{kg.header}SELECT * {{ ?c ex:hosted ?g }}").rows) == 20
    assert kg.source == f"olympics, {more}, {more}"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "olympic",
            "unknown source olympic; expected one of the shipped names (olympics), a directory that hermes",
        ),
        ("none.nt.gz", "no file none.nt.gz; expected one of the shipped names"),
        (Path("olympics"), "unknown source olympics; expected"),
        ("", "unknown source "),
        ("ftp://example.org/sparql", "unknown source ftp://example.org/sparql;"),
    ],
)
def test_unknown_source(source: str | Path, message: str) -> None:
    """An unknown source is one error that names what there is."""
    with pytest.raises(StoreError) as caught:
        KG.load("olympics", source)
    assert str(caught.value).startswith(message)
    assert ".jsonld (each also .gz)" in str(caught.value)
    assert caught.value.code == "unknown-source"


def test_no_source() -> None:
    """A KG has a source."""
    with pytest.raises(StoreError, match="no source; name a file or one of: olympics"):
        KG.load()


def test_graph(tmp_path: Path) -> None:
    """The choice of dataset holds for the queries and for the vocabulary."""
    path = write(tmp_path, "a.nq", f'<{EX}a> <{EX}p> "1" <{EX}G> .\n<{EX}a> <{EX}q> "1" <{EX}H> .\n')
    assert KG.load(path).dataset == "union"
    assert set(KG.load(path).vocabulary.predicates) == {EX + "p", EX + "q"}
    assert set(KG.load(path, graph=EX + "G").vocabulary.predicates) == {EX + "p"}
    assert not KG.load(path, graph="default").vocabulary.predicates


def test_allow_services() -> None:
    """No host may be called unless it is named; names of hosts know no case."""
    assert KG.load("olympics").allow_services == frozenset()
    assert KG.load("olympics", allow_services=["Query.Example.ORG"]).allow_services == {"query.example.org"}


# --- prefixes -------------------------------------------------------------------------------------


def test_prefixes_of_files(tmp_path: Path) -> None:
    """A file's prefix wins over a well-known one of its name, and writes where both name one namespace."""
    path = write(
        tmp_path,
        "a.ttl",
        "@prefix foaf: <http://mine/> . @prefix s: <http://schema.org/> . foaf:a s:b 1 .",
    )
    kg = KG.load(path)
    assert kg.prefixes["foaf"] == "http://mine/"
    assert kg.prefixes["schema"] == kg.prefixes["s"] == "http://schema.org/"
    assert kg.prefixes.names()("http://schema.org/b") == "s:b"
    assert set(WELL_KNOWN) < set(kg.prefixes)
    assert kg.header == str(kg.prefixes)
    assert kg.ask(kg.header + "ASK { foaf:a schema:b 1 }")


def test_chosen_prefixes(tmp_path: Path) -> None:
    """A person's prefixes win over those of the file."""
    path = write(tmp_path, "a.ttl", "@prefix e: <http://e/> . @prefix f: <http://f/> . e:a f:b 1 .")
    kg = KG.load(path, prefixes={"e": "http://other/", "mine": "http://f/", "r": RDFS})
    assert kg.prefixes["e"] == "http://other/"
    names = kg.prefixes.names()
    assert [names(iri) for iri in ("http://f/b", RDFS + "label", RDF + "type")] == [
        "mine:b",
        "r:label",
        "rdf:type",
    ]


def test_same_declaration_keeps_the_order() -> None:
    """Files that repeat well-known prefixes leave those in front."""
    assert list(combine({}, {"ex": EX, "rdfs": RDFS}))[:2] == ["rdf", "rdfs"]
    assert list(combine({}, {"ex": EX}))[-1] == "ex"


def test_derived_prefixes(tmp_path: Path) -> None:
    """A graph that declares none gets short names for its namespaces, the most frequent first."""
    lines = [
        *[
            f'<http://data.example.org/resource/r{i}> <http://onto.test/films#title> "t{i}" .'
            for i in range(9)
        ],
        *[
            f"<http://data.example.org/resource/r{i}> <{RDF}type> <http://dbpedia.org/ontology/Film> ."
            for i in range(3)
        ],
        f'<http://data.example.org/resource/r1> <http://other.test/films/year> "2000"^^<{XSD}gYear> .',
        "<http://data.example.org/resource/r1> <http://numbers.test/ids/p> <http://numbers.test/ids/12> .",
    ]
    path = tmp_path / "a.nt.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    kg = KG.load(path)
    assert kg.prefixes == dict(WELL_KNOWN) | {
        "films": "http://onto.test/films#",
        "resource": "http://data.example.org/resource/",
        "dbo": "http://dbpedia.org/ontology/",
        "ids": "http://numbers.test/ids/",
        "films2": "http://other.test/films/",
    }
    assert kg.vocabulary_known
    assert kg.ask(kg.header + "ASK { resource:r1 a dbo:Film ; films2:year ?y ; ids:p ids:12 }")


@pytest.mark.parametrize(
    ("namespace", "prefix"),
    [
        ("http://example.org/", "ex"),
        ("http://example.com/2000/01/ns#", "ex"),
        ("https://www.museum.co/", "museum"),
        ("http://a.test/has_pet#", "has_pet"),
        ("http://a.test/Pizza.owl#", "pizza"),
        ("http://localhost:8080/", "localhost"),
        ("urn:isbn:", "isbn"),
        ("http://127.0.0.1/", "ns"),
        ("http://a.test/" + "long" * 20 + "/", "long" * 6),
    ],
)
def test_derived_names(namespace: str, prefix: str) -> None:
    """A derived name is the last word of the namespace that says something."""
    assert dict(derive({namespace + "x": 1}, Prefixes())) == {prefix: namespace}


def test_split() -> None:
    """An IRI is cut after its last separator."""
    assert split("http://e/a#b") == ("http://e/a#", "b")
    assert split("urn:x:y") == ("urn:x:", "y")
    assert split("http://e/") == ("http://e/", "")
    assert split("word") == ("", "word")


# --- vocabulary -----------------------------------------------------------------------------------


class AskedStore:
    """A store that counts the queries of the store it wraps."""

    def __init__(self, inner: CachedStore) -> None:
        self.inner = inner
        self.engine, self.source, self.fingerprint = inner.engine, inner.source, inner.fingerprint
        self.asked = 0
        self.closed = False

    def select(self, query: str) -> Table:
        """Count and pass on."""
        self.asked += 1
        return self.inner.select(query)

    def ask(self, query: str) -> bool:
        """Pass on."""
        return self.inner.ask(query)

    def construct(self, query: str) -> Triples:
        """Pass on."""
        return self.inner.construct(query)

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


def test_vocabulary_is_mined_once(olympics: KG) -> None:
    """One query, when it is first asked for; the most frequent first."""
    store = AskedStore(CachedStore(olympics.store))
    kg = KG(store, olympics.prefixes)
    assert not kg.vocabulary_known
    assert kg.vocabulary is kg.vocabulary
    assert kg.vocabulary_known
    assert store.asked == 1
    assert kg.vocabulary.predicates[EX + "hosted"] == 19
    assert kg.vocabulary.classes[EX + "WinterGames"] == 7
    assert kg.vocabulary.classes[EX + "City"] == 13
    assert EX + "Games" not in kg.vocabulary.classes
    counts = list(kg.vocabulary.predicates.values())
    assert counts == sorted(counts, reverse=True)
    kg.close()
    assert store.closed


def test_vocabulary_of_an_empty_graph(tmp_path: Path) -> None:
    """An empty graph uses nothing, and blank nodes are not classes."""
    assert KG.load(write(tmp_path, "a.nt", "")).vocabulary.predicates == {}
    kg = KG.load(write(tmp_path, "b.ttl", "<http://e/a> a [] ; a <http://e/C> ."))
    assert dict(kg.vocabulary.classes) == {"http://e/C": 1}


def test_nearest(olympics: KG) -> None:
    """The nearest local name comes first, whatever its namespace and case; the term itself is left out."""
    assert olympics.nearest(EX + "hosts", "predicate") == [(EX + "hosted", 19)]
    assert olympics.nearest("http://other/HOSTED", "predicate", n=1) == [(EX + "hosted", 19)]
    assert [term for term, _ in olympics.nearest(EX + "Games", "class")] == [
        EX + "SummerGames",
        EX + "WinterGames",
    ]
    assert olympics.nearest(EX + "City", "class", n=1) != [(EX + "City", 13)]
    assert olympics.nearest(EX + "xyz", "predicate") == []


def test_equally_near_terms_are_ordered_by_count(tmp_path: Path) -> None:
    """Of two names that are equally near the more frequent comes first."""
    text = "@prefix e: <http://e/> . e:a e:likea 1 . e:a e:likeb 1, 2 . e:a e:likec 1, 2, 3 ."
    kg = KG.load(write(tmp_path, "a.ttl", text))
    assert kg.nearest("http://e/like", "predicate", n=2) == [("http://e/likec", 3), ("http://e/likeb", 2)]


def test_terms_are_those_of_hermes(olympics: KG) -> None:
    """What comes back are terms of hermes, equal by value."""
    (row,) = olympics.select(
        f"{olympics.header}SELECT ?c (1 > 2 AS ?no) {{ ?c ex:hosted ex:Winter1932 }}"
    ).rows
    assert row == {"c": IRI(EX + "LakePlacid"), "no": FALSE}
