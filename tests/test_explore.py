"""`hermes explore` without a terminal: pipes, files, completion, and endpoints that fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import parse_action
from hermes.cli import main
from hermes.cli.explore.completion import Completion
from hermes.cli.explore.guide import greeting
from hermes.cli.explore.occurring import Occurrences
from hermes.cli.explore.session import Session
from hermes.terms import IRI, Variable
from processes import process
from servers import Oxigraph, find_oxigraph

EX = "http://example.org/olympics/"
HOSTED = "?city ex:hosted ?g"
SLOW = "?a ?b ?c . ?d ?e ?f . ?h ?i ?j . ?k ?l ?m ."


@pytest.fixture(scope="module")
def kg() -> Iterator[KG]:
    """Return the shipped graph."""
    found = KG.load("olympics")
    yield found
    found.close()


@pytest.fixture
def session(kg: KG) -> Session:
    """Return a new session."""
    return Session(kg)


def say(session: Session, *lines: str) -> list[str]:
    """Return what a session says to lines."""
    return [answer for line in lines for answer in session.answer(line)]


def suggested(session: Session, before: str) -> list[str]:
    """Return the suggested texts."""
    return [each.text for each in Completion(session).suggest(before)]


# --- the program ------------------------------------------------------------------------------------


def test_lines_from_a_pipe() -> None:
    """Each line is shown with its answer, nothing is written to stderr, and the end is a success."""
    code, out, err = process(
        "explore", "--kg", "olympics", stdin=f"{HOSTED}\nLake Placid\ndistinct\n".encode()
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("olympics: 478 triples, 10 classes, 23 predicates")
    assert f"hermes> {HOSTED}" in lines
    assert "-> 19 solutions" in lines
    assert 'there is no command "Lake"; to find something by its name: lookup Lake Placid' in lines
    assert "-> 19 -> 13 solutions" in lines
    assert "\x1b" not in out


def test_several_lines_of_one_query_from_a_pipe() -> None:
    """They belong together until the braces close, or the input ends."""
    _, out, _ = process("explore", stdin=b"SELECT ?c {\n ?c a ex:City\n}\nclasses\n")
    assert "-> 13 solutions" in out
    assert "city (ex:City)" in out
    _, out, _ = process("explore", stdin=b"SELECT ?c {\n ?c a ex:City\n")
    assert (
        '-> rejected: line 2, column 14: expected "." between two triple patterns' in out or "rejected" in out
    )


def test_a_graph_that_is_not_there_is_a_failure() -> None:
    """The session does not begin."""
    code, out, err = process("explore", "--kg", "nowhere.ttl", stdin=b"")
    assert (code, out) == (1, "")
    assert err.startswith("hermes: no file nowhere.ttl")


# --- files ------------------------------------------------------------------------------------------


def test_saved_steps_run(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without those that were undone or refused; `hermes run` and `load` take them."""
    file = tmp_path / "steps.jsonl"
    say(session, HOSTED, "?city ex:country ex:USA", "undo", "filter ?nothing > 1", "distinct")
    assert say(session, f"save {file}") == [f"2 steps in {file}"]
    assert main(["run", str(file)]) == 0
    assert "-> 19 -> 13 solutions" in capsys.readouterr().out
    other = Session(session.kg)
    assert "distinct  -> 19 -> 13 solutions" in say(other, "?x a ex:City", f"load {file}")
    assert other.explorer.plan == session.explorer.plan


def test_a_saved_session_can_be_replayed(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole session, what was undone too."""
    file = tmp_path / "session.trace"
    say(session, HOSTED, "distinct", "undo", f"save {file}")
    assert main(["replay", str(file), "--kg", "olympics"]) == 0
    assert "same: 3 steps" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        ("rq", "PREFIX ex: <http://example.org/olympics/>\nSELECT ?city\n"),
        ("csv", "city\n"),
        ("tsv", "?city\n"),
        ("json", '{\n  "head"'),
        ("md", "| city |\n"),
        ("txt", "city\n---"),
    ],
)
def test_the_ending_says_what_is_saved(session: Session, tmp_path: Path, ending: str, begins: str) -> None:
    """The query, or the answer in its format."""
    file = tmp_path / f"kept.{ending}"
    say(session, HOSTED, f"save {file}")
    assert file.read_text(encoding="utf-8").replace("\r\n", "\n").startswith(begins)


def test_a_query_that_was_saved_is_loaded(session: Session, tmp_path: Path) -> None:
    """Its steps are taken from the beginning."""
    file = tmp_path / "query.rq"
    say(session, HOSTED, "?city ex:country ex:USA", f"save {file}", "new", "?x a ex:City")
    assert "triple ?city ex:country ex:USA  -> 19 -> 8 solutions" in say(session, f"load {file}")


def test_a_file_is_kept_unless_told_otherwise(session: Session, tmp_path: Path) -> None:
    """Saving over it is refused with the way out, and so is an unknown ending."""
    file = tmp_path / "query.rq"
    file.write_text("mine")
    say(session, HOSTED)
    (refused,) = say(session, f"save {file}")
    assert refused.startswith(f"-> rejected: there is a file {file}, which is kept")
    assert file.read_text() == "mine"
    assert say(session, f"save --replace {file}") == [f"the query in {file}"]
    assert say(session, "save kept.xyz")[0].startswith('-> rejected: the ending of "kept.xyz"')
    assert say(session, f"save {tmp_path}/no/folder.rq")[0].startswith("-> rejected: cannot write")
    assert say(session, "load nothing.rq")[0].startswith("-> rejected: cannot read nothing.rq")


# --- completion -------------------------------------------------------------------------------------


def test_words_at_the_beginning(session: Session) -> None:
    """Operators and commands; after `help` too."""
    assert suggested(session, "opt") == ["optional"]
    assert suggested(session, "help opt") == ["optional"]
    assert {"triple", "classes", "undo", "save"} <= set(suggested(session, ""))


def test_predicates_of_the_binding_at_this_point(session: Session) -> None:
    """Those of games after games, the most frequent first; `a` among them; by label too."""
    say(session, HOSTED)
    games = suggested(session, "?g ")
    assert {"ex:season", "ex:year", "a", "rdfs:label"} <= set(games)
    assert not {"ex:hosted", "ex:country"} & set(games)
    assert "ex:country" in suggested(session, "?city ")
    assert suggested(session, "triple ?g ex:s") == ["ex:season"]
    assert suggested(session, "?g number") == ["ex:events"]
    assert suggested(session, "preview optional { ?g ex:se") == ["ex:season"]


def test_predicates_of_a_new_subject_are_those_of_the_graph(session: Session) -> None:
    """Nothing is known of it yet."""
    assert suggested(session, "?new ex:ho") == ["ex:hosted"]
    assert "ex:hosted" in suggested(session, "ex:Athens ")
    assert "ex:season" not in suggested(session, "ex:Athens ")


def test_objects_that_occur(session: Session) -> None:
    """Values of the predicate at this point, classes after `a`, and a name for a new variable."""
    say(session, HOSTED)
    assert suggested(session, "?g ex:season ")[:3] == ["?season", '"Summer"', '"Winter"']
    assert suggested(session, '?g ex:season "W') == ['"Winter"']
    assert suggested(session, "?g ex:season W") == ['"Winter"']
    assert suggested(session, "?g ex:season inte") == ['"Winter"']
    assert suggested(session, "?g a ex:W") == ["ex:WinterGames"]
    assert "ex:USA" in suggested(session, "?city ex:country unit")
    assert suggested(session, "?x a ex:Ci") == ["ex:City"]
    assert suggested(session, "?x ex:twin placi") == ["ex:LakePlacid"]
    assert suggested(session, "inspect placi") == ["ex:LakePlacid"]


def test_a_blank_node_is_not_suggested(session: Session) -> None:
    """A pattern cannot name it: it would be a variable."""
    assert say(session, "?g ex:medals ?m")[0] == "-> 3 solutions"
    assert suggested(session, "?g ex:medals ") == ["?medals", "?g", "?m"]


def test_variables_in_scope(session: Session) -> None:
    """In filters, groups and columns; aliases too."""
    say(session, HOSTED, "group ?city", "aggregate COUNT(?g) AS ?n")
    assert suggested(session, "having ?") == ["?city", "?g", "?n"]
    assert suggested(session, "project ?city ?n") == []
    assert "STRLEN(" in suggested(session, "filter STRL")
    assert "COUNT(" in suggested(session, "aggregate cou")
    assert {"DESC(", "?n"} <= set(suggested(session, "order "))
    assert suggested(session, "order DESC(?n") == []


def test_what_can_be_removed(session: Session) -> None:
    """As `remove` takes it."""
    say(session, HOSTED, "limit 3")
    assert suggested(session, "remove ") == ["?city ex:hosted ?g", "LIMIT 3"]
    assert suggested(session, "remove ?city ex:ho") == ["?city ex:hosted ?g"]


@settings(max_examples=200)
@given(st.text(st.sampled_from(' ?"<>{}().;:aexhosted\\\n|/^é') | st.characters(), max_size=30))
def test_completion_never_fails(kg: KG, before: str) -> None:
    """Whatever stands before the cursor; and what is suggested is one printable line."""
    session = Session(kg)
    for found in Completion(session).suggest(before):
        assert found.text.isprintable()
        assert found.says.isprintable()
        assert found.replaces <= len(before)


def test_a_point_that_takes_long_falls_back_to_the_vocabulary(kg: KG) -> None:
    """The store has been stopped by then; what is known of the whole graph must do."""
    session = Session(kg)
    plan = session.explorer.plan
    for text in SLOW.split(" . "):
        plan = parse_action({"op": "triple", "pattern": text}).apply(plan)
    plan = parse_action({"op": "filter", "expr": "?c + ?f + ?j + ?m = 123456789"}).apply(plan)
    occurrences = Occurrences(kg, patience=0.05)
    assert occurrences.predicates(plan, Variable("a")) is None
    assert occurrences.predicates(plan, Variable("new")) or occurrences.vocabulary("predicates")


def test_what_occurs_is_asked_once(kg: KG) -> None:
    """Two that ask the same at the same time share the answer."""
    occurrences = Occurrences(kg, patience=10)
    plan = Session(kg).explorer.plan
    found: list[object] = []

    def ask() -> None:
        found.append(occurrences.predicates(plan, IRI(EX + "Athens")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(each) for each in found}) == 1
    assert found[0]


# --- endpoints --------------------------------------------------------------------------------------


@pytest.mark.skipif(find_oxigraph() is None, reason="the oxigraph server is not installed (extra dev)")
def test_a_session_with_a_server_that_goes_away() -> None:
    """What fails is said in a line, the plan stays, and the session goes on when the server is back."""
    with Oxigraph("olympics") as server:
        kg = KG.load(server.url, prefixes={"ex": EX}, timeout=5)
        session = Session(kg)
        assert next(iter(greeting(session))).endswith("478 triples, 10 classes, 23 predicates")
        assert say(session, HOSTED)[0] == "-> 19 solutions"
        assert "ex:season" in suggested(session, "?g ")
        server.stop()
        (refused,) = say(session, "?city ex:country ex:USA")
        assert refused.startswith("-> rejected: ")
        assert say(session, "answer tsv")[0].startswith("-> rejected: ")
        assert suggested(session, "?city ex:tw") == ["ex:twin"]
        assert say(session, "history") == ["    1  triple ?city ex:hosted ?g  -> 19 solutions"]
        server.start()
        assert say(session, "?city ex:country ex:USA")[0] == "-> 19 -> 8 solutions"
        kg.close()


# --- whatever is typed --------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *(
            "?city",
            "?g",
            "ex:hosted",
            "ex:USA",
            "a",
            "{",
            "}",
            "(",
            ")",
            '"',
            "'",
            "<",
            ">",
            ";",
            ".",
            ",",
            "*",
        ),
        *("triple", "filter", "optional", "union", "minus", "bind", "values", "group", "aggregate", "having"),
        *("order", "limit", "project", "distinct", "ask", "construct", "remove", "lookup", "inspect", "undo"),
        *("COUNT(?g)", "AS", "?n", "3", "-1", "by", "preview", "help", "table", "answer", "classes", "words"),
        *(
            "SELECT",
            "PREFIX",
            "x:",
            "WHERE",
            "FILTER",
            "=",
            "kind=class",
            "named",
            "\\",
            "\n",
            "#",
            "\t",
            "\x1b",
        ),
    ]
)


@settings(max_examples=300)
@given(st.lists(_PIECES | st.text(max_size=4), max_size=10).map(" ".join))
def test_a_session_answers_whatever_is_typed(kg: KG, text: str) -> None:
    """In printable lines, without an exception."""
    session = Session(kg)
    list(session.answer("?city ex:country ex:USA"))
    for line in session.answer(text):
        assert "\n" not in line
