"""`hermes inspect`, and reads in `hermes run` and `hermes replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes.algebra.kind import field_rules
from hermes.algebra.reads import Inspect
from hermes.cli import main
from hermes.cli.inspect import LIMIT
from processes import HOSTED, process

COUNTRY = """\
ex:USA "United States": entity, 14 triples, of type ex:Country
    out  rdfs:label    3 triples  such as "États-Unis"@fr
    out  ex:continent  1 triple   such as ex:NorthAmerica
    out  rdf:type      1 triple   such as ex:Country
    in   ex:country    6 triples  such as ex:StLouis
    in   ex:team       3 triples  such as a blank node
"""


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_KG", raising=False)


@pytest.mark.parametrize(
    "term", ["ex:USA", "<http://example.org/olympics/USA>", "http://example.org/olympics/USA"]
)
def test_a_term_in_its_spellings(term: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The lines on stdout, nothing on stderr."""
    assert main(["inspect", term]) == 0
    assert capsys.readouterr() == (COUNTRY, "")


def test_as_a_process() -> None:
    """With a limit and a kind."""
    code, out, err = process("inspect", "ex:City", "--limit", "1", "--kind", "entity")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        'ex:City "city": entity, 26 triples, of type owl:Class, also a class',
        '    out  rdfs:label  3 triples  such as "ville"@fr',
        "    ... and 5 more",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, as a trace has it."""
    assert main(["inspect", "ex:hosted", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert (found["format"], found["graph"]["source"], found["hints"]) == (1, "olympics", [])
    assert (found["role"], found["count"], found["complete"]) == ("predicate", 19, True)
    assert [end["count"] for end in found["ends"]] == [19, 12, 7]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_term_that_does_not_occur(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It is a failure, with the nearest terms; JSON says the same."""
    assert main(["inspect", "ex:LakePlacd", *more]) == 1
    out, err = capsys.readouterr()
    assert err == "hermes: ex:LakePlacd does not occur; nearest: ex:LakePlacid (10 triples)\n"
    if more:
        assert (json.loads(out)["count"], json.loads(out)["hints"][0]["code"]) == (0, "unknown-term")
    else:
        assert out == ""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["no:x"], 1, 'the prefix "no:" of "no:x" is not declared; declared: rdf:,'),
        (["?city"], 1, "a variable stands for many terms"),
        (["Lake Placid"], 1, "by its label use lookup; nearest: ex:LakePlacid (10 triples)\n"),
        (["City"], 1, "use lookup; nearest: ex:City (13 instances), "),
        (["Nowhere at all"], 1, "use lookup\n"),
        (["ex:USA", "--kind", "klass"], 2, "invalid choice: 'klass'"),
        (["ex:USA", "--limit", "0"], 2, 'expected a whole number from 1 to 1000, not "0"'),
        (["ex:USA", "--limit", "1001"], 2, "expected a whole number from 1 to 1000"),
        ([], 2, "TERM"),
        (["ex:USA", "--kg", "no-such.ttl"], 1, "no-such.ttl"),
    ],
)
def test_one_clear_line(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was wrong, and what would be right."""
    assert main(["inspect", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hermes: ")
    assert message in err
    assert err.count("\n") == 1


def test_defaults_are_those_of_the_action() -> None:
    """The command and the action show as much."""
    assert field_rules(Inspect)["limit"][1] == LIMIT


def test_reads_in_a_run_and_its_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of their own under the step; the same in JSON, in the trace and when it is taken again."""
    file, trace = tmp_path / "actions.jsonl", tmp_path / "trace.jsonl"
    inspect, lookup = '{"op": "inspect", "term": "ex:USA"}', '{"op": "lookup", "text": "Placid"}'
    usa = '{"op": "triple", "pattern": "?city ex:country ex:USA"}'
    file.write_text(f"{HOSTED}\n{inspect}\n{lookup}\n{usa}\n")
    first, *others = COUNTRY.splitlines()
    steps = [
        f"{HOSTED}  -> 19 solutions",
        *(f"{inspect}  -> {first}", *others),
        f'{lookup}  -> 1 entity for "Placid"',
        '    ex:LakePlacid  "Lake Placid"  ex:City  10 triples',
        f"{usa}  -> 19 -> 8 solutions",
    ]
    assert main(["run", str(file), "--trace", str(trace)]) == 0
    assert capsys.readouterr().out.splitlines()[: len(steps)] == steps
    assert main(["run", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[: len(steps)] == steps
    found = json.loads(out)["steps"]
    assert [step["observation"]["is"] for step in found] == [
        "solutions",
        "inspected",
        "looked_up",
        "solutions",
    ]
    traced = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()[1:]]
    assert [step["observation"]["is"] for step in traced] == [step["observation"]["is"] for step in found]
    assert main(["replay", str(trace)]) == 0
    assert capsys.readouterr().out.splitlines() == [*steps, "same: 4 steps"]
    changed = trace.read_text(encoding="utf-8").replace('"count": 6', '"count": 5')
    trace.write_text(changed, encoding="utf-8")
    assert main(["replay", str(trace)]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == (
        f"different: step 2, {inspect}: was 'in ex:country 5 triples', is now 'in ex:country 6 triples'"
    )
