"""Systems: how they are found, commands as they really run, and the lower bound."""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes import KG
from hermes.errors import HermesError
from hermes.results import Table, Truth
from hermes.systems import Answer, Oracle, load_system, system_names

CITIES = "PREFIX ex: <http://example.org/olympics/> SELECT ?c { ?c a ex:City }"
KNOWN = KG.load("olympics")
SINGLE = load_system("single-triple")


def _command(program: str, timeout: float = 30.0) -> Answer:
    """Return what a program in Python answers."""
    system = load_system("command", argv=(sys.executable, "-c", program), timeout=timeout)
    return system.answer("Which cities?", KNOWN)


def _fault(program: str, timeout: float = 30.0) -> HermesError:
    with pytest.raises(HermesError) as raised:
        _command(program, timeout)
    assert len(str(raised.value).splitlines()) == 1
    return raised.value


# --- by name ----------------------------------------------------------------------------------------


def _install(folder: Path, registered: dict[str, str]) -> None:
    """Make a package as an installer leaves it: a module and a folder of metadata."""
    (folder / "fake_system.py").write_text(
        "from hermes.systems import Answer\n"
        "class Fake:\n"
        "    def __init__(self, said='nothing'):\n"
        "        self.said = said\n"
        "    def answer(self, question, kg):\n"
        "        return Answer(sparql=self.said)\n"
    )
    (folder / "broken_system.py").write_text("raise RuntimeError('no\\nmodel')\n")
    metadata = folder / "fake_system-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-system\nVersion: 1.0\n")
    lines = [f"{name} = {target}\n" for name, target in registered.items()]
    (metadata / "entry_points.txt").write_text("".join(["[hermes.systems]\n", *lines]))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a system that works, two that are broken, and one with a name of hermes."""
    targets = {
        "fake": "fake_system:Fake",
        "broken": "broken_system:System",
        "absent": "fake_system:Absent",
        "gold": "fake_system:Fake",
    }
    _install(tmp_path, targets)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_own_systems_are_there() -> None:
    """They need no metadata."""
    assert {"command", "gold", "single-triple"} <= set(system_names())


@pytest.mark.usefixtures("installed")
def test_a_package_registers_a_system() -> None:
    """It is made with the settings, and what it does not take is said."""
    assert load_system("fake", said="x").answer("", KNOWN).sparql == "x"
    with pytest.raises(HermesError, match="it takes: said") as raised:
        load_system("fake", model="y")
    assert raised.value.code == "system-settings"


@pytest.mark.usefixtures("installed")
def test_a_broken_system_is_named_and_skipped(caplog: pytest.LogCaptureFixture) -> None:
    """The others can be used, and choosing it says what is broken on one line."""
    with caplog.at_level(logging.WARNING, "hermes"):
        names = system_names()
    assert "fake" in names
    assert not {"broken", "absent"} & set(names)
    assert '"broken" (broken_system:System) is broken: RuntimeError: no model' in caplog.text
    for name in ("broken", "absent"):
        with pytest.raises(HermesError, match=f'the system "{name}"') as raised:
            load_system(name)
        assert raised.value.code == "broken-system"


@pytest.mark.usefixtures("installed")
def test_hermes_names_cannot_be_taken() -> None:
    """`gold` stays the one that is told the answer."""
    assert isinstance(load_system("gold"), Oracle)


def test_an_unknown_system_names_the_nearest_and_all() -> None:
    """A slip of the pen is mended by reading the message."""
    with pytest.raises(HermesError, match=r'did you mean "single-triple".*command, gold') as raised:
        load_system("single-tripple")
    assert raised.value.code == "unknown-system"


def test_gold_answers_as_it_is_told() -> None:
    """With a plan where hermes reads the query; not at all where it is told nothing."""
    gold = load_system("gold")
    assert isinstance(gold, Oracle)
    told = gold.answer_as(CITIES, KNOWN)
    assert told.sparql == CITIES
    assert told.plan is not None
    assert gold.answer_as("no query", KNOWN) == Answer(sparql="no query")
    assert gold.answer("Which cities?", KNOWN) == Answer()


# --- commands ---------------------------------------------------------------------------------------


def test_a_command_gets_the_question_and_the_graph() -> None:
    """What it prints is the query."""
    answer = _command(
        "import os, sys; q = sys.stdin.read().strip(); "
        "print('ASK { BIND(\"%s %s %s\" AS ?x) }' % (q, os.environ['HERMES_KG'], os.environ['HERMES_GRAPH']))"
    )
    assert "Which cities? olympics default" in answer.sparql
    assert answer.plan is not None
    assert answer.rows is None


def test_prefixes_of_the_graph_need_not_be_declared() -> None:
    """The query is then written with them, so that it runs as it is."""
    answer = _command("print('SELECT ?c { ?c a ex:City }')")
    assert len(KNOWN.select(answer.sparql).rows) == 13


def test_arguments_are_not_read_by_a_shell() -> None:
    """They arrive as they are."""
    argv = (sys.executable, "-c", "import sys; print('#', sys.argv[1]); print('ASK {}')", "$(id) ; `id` *")
    assert load_system("command", argv=argv).answer("", KNOWN).sparql.startswith("# $(id) ; `id` *\n")


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        (
            "import sys; sys.exit('first\\nno \\x1b[31mmodel')",
            "command-failed",
            'status 1: "no \\u001B[31mmodel"',
        ),
        ("import os; os.kill(os.getpid(), 9)", "command-failed", "signal 9"),
        ("pass", "command-output", "printed nothing"),
        ("print('I do not know.')", "command-output", 'no SPARQL query: "I do not know."'),
        ("print('x' * 3_000_000)", "command-output", "more than 1 MiB"),
        ("import os; os.write(1, b'\\xff')", "command-output", "no UTF-8"),
        ("print('DELETE WHERE { ?s ?p ?o }')", "update", "only reads"),
        ("print('SELECT * { SERVICE <http://e.org/> { ?s ?p ?o } }')", "service-refused", "e.org"),
        ("print('SELECT * { SERVICE <http://e.org/> { ?s ?p ?o } } EXTRA')", "service-refused", "e.org"),
    ],
)
def test_what_a_command_does_wrong_is_one_line(program: str, code: str, said: str) -> None:
    """Never an empty answer for a failure."""
    error = _fault(program)
    assert error.code == code
    assert said in str(error)


def test_a_command_that_cannot_be_started() -> None:
    """The reason is that of the system."""
    with pytest.raises(HermesError, match="cannot be started: No such file"):
        load_system("command", argv=("/no/such/program",)).answer("", KNOWN)


@pytest.mark.parametrize("wrong", [{"argv": "ls -l"}, {"argv": ()}, {"argv": ("ls",), "timeout": 0}, {}])
def test_wrong_settings_of_a_command(wrong: dict[str, object]) -> None:
    """They are refused before anything runs."""
    with pytest.raises(HermesError) as raised:
        load_system("command", **wrong)
    assert raised.value.code == "system-settings"


_LEAVES_A_CHILD = (
    "import subprocess, sys, time; "
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)']); "
    "open({path!r}, 'w').write(str(child.pid)); "
)


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
@pytest.mark.parametrize("hangs", [True, False])
def test_nothing_of_a_command_is_left_running(tmp_path: Path, *, hangs: bool) -> None:
    """Neither after its time nor after its answer: what it has started is ended too."""
    noted = tmp_path / "pid"
    program = _LEAVES_A_CHILD.format(path=str(noted))
    if hangs:
        assert _fault(program + "time.sleep(300)", timeout=3.0).code == "command-timeout"
    else:
        assert _command(program + "print('ASK {}')").sparql == "ASK {}\n"
    assert _ends(int(noted.read_text()))


def _ends(pid: int) -> bool:
    """Whether a process ends; one that is dead and not yet waited for has ended."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


# --- the lower bound --------------------------------------------------------------------------------

EXPECTED = [
    line.split(" | ")
    for line in (Path(__file__).parent / "golden" / "single_triple.txt").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("question", "query"), EXPECTED)
def test_single_triple_answers(question: str, query: str) -> None:
    """A line of golden/single_triple.txt is a question and the query without its prologue; `-` is none."""
    answer = SINGLE.answer(question, KNOWN)
    shown = " ".join(answer.sparql.split())
    assert (shown[max(shown.find("SELECT"), shown.find("ASK"), 0) :] or "-") == query
    if query != "-":
        assert isinstance(answer.rows, Table | Truth)
        assert answer.trace is not None


@settings(max_examples=40, deadline=None)
@given(
    st.one_of(
        st.text(),
        st.text(alphabet="ex:<>{}\"'?\\ \n.ab"),
        st.sampled_from(["🙂", "a" * 10_000, "is city " * 1_250]),
    )
)
def test_any_question_has_an_answer_of_one_pattern(question: str) -> None:
    """Nothing raises, the same question has the same answer, and there is one pattern at most."""
    answer = SINGLE.answer(question, KNOWN)
    assert SINGLE.answer(question, KNOWN).sparql == answer.sparql
    assert answer.plan is None or len(answer.plan.where.elements) == 1
