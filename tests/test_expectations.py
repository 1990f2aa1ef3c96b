"""What is expected of a graph only ever warns: of a sample, an ontology and shapes."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings

from hermes import KG
from hermes.algebra import parse_query, render
from hermes.cli import main
from hermes.errors import StoreError
from hermes.results import Table
from hermes.store import Store
from hermes.terms import IRI, RDF_TYPE
from hermes.verifier import Certificate, Kernel, Schema, recheck, sampling
from hermes.verifier.expectations import NOTHING_EXPECTED, Expectations
from hermes.verifier.extrapolation import schema_of
from hermes.verifier.sources import expected_beside, expected_by
from shared import data_folder
from strategies import Json, olympics, plans_on_the_way, sequences

EX = "http://example.org/olympics/"
SHAPES = """\
@prefix ex: <http://example.org/olympics/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:S a sh:NodeShape ; sh:targetClass ex:City ; sh:closed true ;
    sh:property [ sh:path ex:nickname ; sh:languageIn ( "en" ) ], [ sh:path ex:country ; sh:in ( ex:USA ) ] .
"""


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph, which has an ontology."""
    return KG.load("olympics")


@pytest.fixture
def shape_file(tmp_path: Path) -> Path:
    """Some shapes in a file."""
    path = tmp_path / "shapes.ttl"
    path.write_text(SHAPES, encoding="utf-8")
    return path


def _codes(schema: Schema, kg: KG, where: str) -> list[str]:
    verdict = Kernel(schema).check(parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes))
    assert verdict.accepted or schema.complete
    return [warned.code for warned in verdict.warnings]


# --- ontologies and shapes ------------------------------------------------------------------------


def test_files_are_read_beside_the_graph(kg: KG, shape_file: Path) -> None:
    """The ontology in the graph and the shapes in a file are joined."""
    schema = Schema.mine(kg, shapes=[shape_file])
    assert schema.complete
    assert schema.expected.closed == {EX + "City": frozenset({EX + "nickname", EX + "country", RDF_TYPE})}
    sources = {each.source for expectations in schema.expected.of.values() for each in expectations}
    assert sources == {"ontology", "shapes"}


def test_a_file_that_expects_nothing_is_an_error(kg: KG, shape_file: Path) -> None:
    """A file of another kind is a slip, and said to be one."""
    with pytest.raises(StoreError, match="no ontology in it") as caught:
        Schema.mine(kg, ontology=[shape_file])
    assert caught.value.code == "nothing-expected"


def test_what_the_graph_shows_is_not_warned_of(kg: KG, shape_file: Path) -> None:
    """A shape that the graph breaks says nothing where the graph was read."""
    shaped = Schema.mine(kg, shapes=[shape_file])
    where = "?c a ex:City ; ex:hosted ?g ; ex:country ex:Greece"
    assert _codes(shaped, kg, where) == []
    sampled = replace(Schema.sample(kg), expected=shaped.expected)
    assert "not-by-shape" not in _codes(sampled, kg, where)
    unseen = Schema("", "default", complete=False, expected=shaped.expected)
    assert _codes(unseen, kg, where) == ["not-by-shape", "unexpected-object"]


def test_nothing_is_said_twice(kg: KG) -> None:
    """Where the sample doubts a pattern, the ontology is silent about it."""
    schema = replace(Schema.sample(kg), expected=expected_by(kg))
    assert _codes(schema, kg, "?c a ex:City ; ex:season ?s") == ["no-common-terms"]


@cache
def _schemas() -> tuple[Schema, ...]:
    """A mined and a sampled schema that expect nothing."""
    return replace(Schema.mine(olympics()), expected=NOTHING_EXPECTED), Schema.sample(olympics())


@cache
def _expected() -> Expectations:
    """What the ontology says, and shapes that the graph breaks."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shapes.ttl"
        path.write_text(SHAPES, encoding="utf-8")
        return expected_by(olympics()) | expected_beside((), [path])


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
def test_expectations_change_no_verdict(steps: list[Json]) -> None:
    """With or without them a plan is accepted or refused, and its judgements are the same."""
    for schema in _schemas():
        bare, expecting = Kernel(schema), Kernel(replace(schema, expected=_expected()))
        for plan in plans_on_the_way(steps):
            one, other = bare.check(plan), expecting.check(plan)
            assert (one.accepted, one.code) == (other.accepted, other.code)
            assert set(one.warnings) <= set(other.warnings)
            if isinstance(one, Certificate) and isinstance(other, Certificate):
                assert dict(one.judgements) == dict(other.judgements)


# --- samples --------------------------------------------------------------------------------------


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
def test_a_sample_never_refuses_and_doubts_only_what_is_empty(steps: list[Json]) -> None:
    """Of a small graph all is seen: what is doubted would be refused, and nothing is refused."""
    mined, sampled = _schemas()
    for plan in plans_on_the_way(steps):
        verdict, proof = Kernel(sampled).check(plan), Kernel(mined).check(plan)
        assert verdict.accepted
        assert recheck(verdict, plan, sampled) == "confirmed"
        doubted = {each.code for each in verdict.warnings if each.message.endswith(BY_SAMPLE)}
        proved = {each.code for each in proof.warnings}
        if isinstance(proof, Certificate) and "empty-where" not in proved:
            assert doubted <= proved, render(plan)


BY_SAMPLE: Final = "(by a sample of the graph)"
WHERE: Final = [
    ("?c a ex:City ; ex:season ?s", "no-common-terms"),
    ("?g ex:hosted ?c . ?c a ex:City", "no-common-terms"),
    ("?c ex:country ex:Grece", "unknown-term"),
    ('?g ex:season "winter"', "unknown-term"),
    ('?g ex:year "1984"', "unknown-term"),
    ("?g ex:year ?y FILTER(?y > 2050)", "never-true"),
    ("?c ex:host ?g", "unknown-predicate"),
    ("?c ex:hosted/ex:country ?k", "no-such-path"),
]


@pytest.mark.parametrize(("where", "code"), WHERE)
def test_a_sample_warns(kg: KG, where: str, code: str) -> None:
    """What a mined schema refuses, a sample warns of, and says that it is by a sample."""
    schema = Schema.sample(kg)
    assert not schema.complete
    plan = parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes)
    first = Kernel(schema).check(plan).warnings[0]
    assert first.code == code
    assert first.message.endswith(BY_SAMPLE)
    assert Kernel(Schema.mine(kg)).check(plan).code == code


@pytest.mark.parametrize("whole", [0, 3, 10, 30])
def test_a_cut_sample_does_not_doubt_what_it_has_not_seen(
    kg: KG, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    """Of what was cut, terms that were not seen are like those that were."""
    monkeypatch.setattr(sampling, "WHOLE", whole)
    monkeypatch.setattr(sampling, "CUT", 12)
    schema = Schema.sample(kg)
    for where in (
        "?c ex:hosted ?g . ?g ex:season ?s ; ex:year 2022",
        "?c a ex:City ; ex:country ?k . ?k ex:continent ?n",
        "?c a ex:City ; ex:hosted ex:Winter2022",
        '?c rdfs:label "Athens"@en',
        "?g ex:year ?y FILTER(?y > 2000)",
        "?c ex:hosted/ex:year ?y",
        "?m ex:team ?k ; ex:gold ?n . ?g ex:medals ?m",
        "?c a ex:City MINUS { ?c ex:nickname ?n }",
    ):
        assert _codes(schema, kg, where) == [], where
    assert "no-common-terms" in _codes(schema, kg, "?c a ex:City ; ex:season ?s")


def test_without_time_nothing_is_said(kg: KG) -> None:
    """What could not be had is left unknown; the vocabulary still warns."""
    schema = schema_of(kg, sampling.sample(kg, patience=0))
    assert {EX + "hosted", EX + "City"} <= schema.unseen
    assert _codes(schema, kg, "?c a ex:City ; ex:season ?s") == []
    assert _codes(schema, kg, "?c ex:host ?g") == ["unknown-predicate"]


def test_a_plan_with_a_name_that_was_not_seen_is_not_judged(kg: KG) -> None:
    """A part of the sample may be missing: what needs it is unknown, and the rest is judged."""
    schema = replace(Schema.sample(kg), unseen=frozenset({EX + "twin"}))
    assert _codes(schema, kg, "?c a ex:Country ; ex:season ?s ; ex:twin ?t") == []
    assert _codes(schema, kg, "?c a ex:Country ; ex:season ?s") == ["no-common-terms"]
    assert _codes(schema, kg, 'ex:USA ?p ?o . ?o ex:season "Spring"') == []


class Fussy:
    """A store that cannot answer what names one predicate."""

    def __init__(self, inner: Store, name: str) -> None:
        self._inner = inner
        self._name = name
        self.engine, self.source, self.fingerprint = inner.engine, inner.source, inner.fingerprint
        self.ask, self.construct, self.close = inner.ask, inner.construct, inner.close

    def select(self, query: str) -> Table:
        """Answer what does not name it."""
        if self._name in query:
            raise StoreError("the query took too long", category="timeout")
        return self._inner.select(query)


def test_what_fails_does_not_take_others_with_it() -> None:
    """A predicate that cannot be read is left out; those that were asked for beside it are not."""
    with closing(KG.load("olympics")) as kg:
        assert kg.vocabulary.predicates
        kg.store = Fussy(kg.store, EX + "twin")
        found = sampling.sample(kg)
    assert found.left == {("predicate", EX + "twin")}
    assert found.parts["predicate", EX + "hosted"].whole


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "most"), [("", 0), ("mondial-europe", 2), ("ck25", 3)])
def test_what_a_graph_has_is_not_warned_of(folder: str, most: int) -> None:
    """Each class with each predicate that its instances have: a sample warns of none, an ontology of few."""
    sources: list[Path | str] = [*data_folder(folder).glob("*.ttl.gz")] if folder else ["olympics"]
    with closing(KG.load(*sources)) as kg:
        beside = expected_by(kg)
        by_sample = Kernel(replace(Schema.sample(kg), expected=beside))
        by_ontology = Kernel(Schema("", "default", complete=False, expected=beside))
        rows = kg.select(
            "SELECT DISTINCT ?c ?p ?d { ?s a ?c ; ?p ?o . OPTIONAL { ?o a ?d } FILTER(ISIRI(?c)) }"
        ).rows
        surprises = 0
        for row in rows:
            also = f"?o a {row['d']}" if isinstance(row.get("d"), IRI) else ""
            plan = parse_query(f"SELECT * {{ ?s a {row['c']} ; {row['p']} ?o . {also} }}")
            assert by_sample.check(plan).warnings == (), render(plan)
            surprises += bool(by_ontology.check(plan).warnings)
        assert len(rows) > 40
        assert surprises <= most


# --- the command line -----------------------------------------------------------------------------


def test_check_with_shapes(
    shape_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Shapes are named on the command line, or in hermes.toml; an absent file is an error."""
    query = tmp_path / "query.rq"
    query.write_text("SELECT ?c { ?c a ex:City }", encoding="utf-8")
    assert main(["check", str(query), "--shapes", str(shape_file)]) == 0
    assert main(["check", str(query), "--shapes", "absent.ttl"]) == 1
    assert "no file absent.ttl" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hermes.toml").write_text('ontology = ["shapes.ttl"]', encoding="utf-8")
    assert main(["check", str(query)]) == 1
    assert "shapes.ttl: no ontology in it" in capsys.readouterr().err
