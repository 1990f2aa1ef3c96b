"""The processes of the embedded store: limits, interruption, death, and that none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Final, cast

import pyoxigraph as ox
import pytest

from hermes import KG
from hermes.algebra import Explorer, parse_action, parse_query
from hermes.algebra.observation import Rejected
from hermes.algebra.observation_json import observation_from_json, observation_to_json
from hermes.algebra.observe import observe
from hermes.errors import StoreError
from hermes.results import Table, Triples
from hermes.store import EmbeddedStore, Limits
from hermes.store.answer_text import read_table
from hermes.store.convert import from_ox, triple_from_ox
from hermes.store.engine import Engine, load_files
from hermes.store.scan import has_from, refuse_service
from hermes.terms import BlankNode
from processes import ROOT, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at processes and signals of POSIX")

RUNAWAY: Final = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }"
GREEDY: Final = "SELECT DISTINCT ?a ?c ?d ?f ?g ?i { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
LONG: Final = 60.0
"""Seconds after which a test has hung."""
TRIPLES: Final = "".join(f'<http://e/{i}> <http://e/p> "{i}" .\n' for i in range(300))
TERMS: Final = r"""
@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:a e:p "x", "x"@en, "x"@ar--rtl, 1, 01, "+1"^^xsd:integer, "1."^^xsd:decimal, 1e0,
  "INF"^^xsd:double, "NaN"^^xsd:double, "<x>",
  true, "TRUE"^^xsd:boolean, "abc"^^xsd:integer, " 1"^^xsd:integer, "\n\"\t\r\\", "", "'",
  "a\u0085b\u2028c\u000B", "é😀"^^e:dt,
  _:b, e:i, <http://e/é>, <<( e:a e:p 1 )>>, <<( _:b e:p "x\ny"@en )>>, <<( e:a e:p <<( e:a e:p _:b )>> )>> .
_:b e:q _:b, _:c .
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of 300 triples."""
    found = tmp_path / "a.nt"
    found.write_text(TRIPLES, encoding="utf-8")
    return found


@pytest.fixture
def store(path: Path) -> Iterator[EmbeddedStore]:
    """A store of 300 triples with a time limit of one second."""
    found = EmbeddedStore([path], limits=Limits(time=1))
    yield found
    found.close()


def parent_of(pid: int) -> int | None:
    """The parent of a process, a zombie too, or None where the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return None
    parent = text.rpartition(")")[2].split()[1]
    return int(parent)


def descendants(root: int) -> list[int]:
    """The processes below one, nearest first."""
    family = {int(found.name): parent_of(int(found.name)) for found in Path("/proc").glob("[0-9]*")}
    found, todo = [], [root]
    while todo:
        here = todo.pop(0)
        children = [pid for pid, parent in family.items() if parent == here]
        found += children
        todo += children
    return found


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true before a test has hung."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def gone(pids: list[int]) -> bool:
    """Whether all of these processes end."""
    return eventually(lambda: all(parent_of(pid) is None for pid in pids))


def works(store: EmbeddedStore) -> bool:
    """Whether a store answers."""
    return len(store.select("SELECT * { ?s ?p ?o }").rows) == 300


def recovers(store: EmbeddedStore) -> bool:
    """Whether a store answers, the second time where the first query met a process that had just died."""
    try:
        return works(store)
    except StoreError as error:
        return error.retryable and works(store)


def failure(store: EmbeddedStore, query: str) -> StoreError:
    """The error of a query."""
    with pytest.raises(StoreError) as caught:
        store.select(query)
    return caught.value


# --- answers are what the engine gives --------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s ?o ?none { ?s ?p ?o }",
        "SELECT ?none { ?s ?p ?o }",
        "SELECT * {}",
        "SELECT ?x {}",
        "SELECT ?s ?o { ?s ?p ?o FILTER(false) }",
        "SELECT ?x ?y { ?x <http://e/q> ?y }",
        "SELECT (1/3 AS ?x) (1.5e0 * 2 AS ?y) (STRLANG('a', 'en-gb') AS ?z) {}",
    ],
)
def test_tables_are_those_of_the_engine(tmp_path: Path, query: str) -> None:
    """Through a worker comes, term for term and blank node for blank node, what Oxigraph finds."""
    file = tmp_path / "a.ttl"
    file.write_text(TERMS, encoding="utf-8")
    inside = ox.Store()
    about = load_files(inside, [file], None)
    plain = cast("ox.QuerySolutions", inside.query(query))
    names = [variable.value for variable in plain.variables]
    rows = [
        {n: from_ox(term) for n, term in zip(names, row, strict=True) if term is not None} for row in plain
    ]
    out = BytesIO()
    assert Engine(inside, about).write(query, "SELECT", out) is None
    assert read_table(out.getvalue(), complete=True) == Table(tuple(names), tuple(rows))
    with_worker = EmbeddedStore([file]).select(query)
    assert with_worker.variables == tuple(names)
    assert len(with_worker.rows) == len(rows)
    if "?p ?o" in query:
        assert with_worker.complete
        assert EmbeddedStore([file]).ask("ASK { ?s ?p ?o }")


def test_triples_are_those_of_the_engine(tmp_path: Path) -> None:
    """CONSTRUCT gives each triple once, triple terms and directions too."""
    file = tmp_path / "a.ttl"
    file.write_text(TERMS, encoding="utf-8")
    inside = ox.Store()
    load_files(inside, [file], None)
    plain = {triple_from_ox(t) for t in cast("ox.QueryTriples", inside.query("CONSTRUCT WHERE { ?s ?p ?o }"))}
    found = EmbeddedStore([file]).construct("CONSTRUCT WHERE { ?s ?p ?o }")
    assert len(found.triples) == len(set(found.triples)) == len(plain)
    named = {t for t in found.triples if "_:" not in str(t)}
    assert named == {t for t in plain if "_:" not in str(t)}


def test_blank_nodes_are_the_same_within_and_across_results(tmp_path: Path) -> None:
    """One node has one label: in one result, and in the next, whichever worker answers."""
    file = tmp_path / "a.ttl"
    file.write_text(TERMS, encoding="utf-8")
    store = EmbeddedStore([file])
    rows = store.select("SELECT ?x ?y { ?x <http://e/q> ?y }").rows
    assert {row["x"] for row in rows} < {row["y"] for row in rows}
    assert all(isinstance(row["y"], BlankNode) for row in rows)
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(store.select, ["SELECT ?x ?y { ?x <http://e/q> ?y }"] * 20))
    assert all(table.rows == rows for table in tables)


# --- limits ----------------------------------------------------------------------------------------


def test_time_limit(store: EmbeddedStore) -> None:
    """A query that runs too long is ended, and the next one works."""
    begin = time.monotonic()
    error = failure(store, RUNAWAY)
    assert time.monotonic() - begin < LONG
    assert (error.category, error.code) == ("timeout", "timeout")
    assert str(error).startswith("the query ran longer than 1 s, ")
    assert works(store)


def test_time_limit_in_a_session(path: Path) -> None:
    """A step that runs too long is rejected, the plan stays, and the next step is taken."""
    explorer = Explorer(KG.load(path, timeout=1))
    for name in "abcd":
        explorer.run(parse_action({"op": "triple", "pattern": f"?{name} ?p{name} ?o{name}"}))
    before = explorer.plan
    seen = explorer.run(parse_action({"op": "order", "expr": "?oa"}))  # all rows before the first one
    assert isinstance(seen, Rejected)
    assert seen.code == "timeout"
    assert seen.summary().startswith("rejected: the query ran longer than 1 s")
    assert explorer.plan == before
    assert not isinstance(explorer.undo(), Rejected)


def test_memory_limit(path: Path) -> None:
    """A query that takes too much memory is ended, and the next one works."""
    store = EmbeddedStore([path], limits=Limits(memory=200 * 2**20))
    error = failure(store, GREEDY)
    assert error.category == "memory"
    assert "more than 200 MiB beside the graph" in str(error)
    assert works(store)


STARVED: Final = """
import sys
from pathlib import Path
from hermes.errors import StoreError
from hermes.store import EmbeddedStore, Limits
for memory in range(3_300_000, 3_700_000, 2_000):
    store = EmbeddedStore([Path(sys.argv[1])], limits=Limits(memory=memory, time=20))
    try:
        store.select(sys.argv[2])
    except StoreError as error:
        assert error.category == "memory", f"{memory}: {error}"
    else:
        raise AssertionError(f"{memory}: enough")
    store.close()
"""


TALKER: Final = """
import os, signal, socket, time
from hermes.store.processes.channel import Channel, message
from hermes.store.processes.launch import Child, Nursery
from hermes.store.processes.nest import DIED, Death, Nest, become

def talk_and_crash(channel, _settings, _lifeline):
    channel.end.settimeout(0.0)
    try:
        while True:
            channel.end.send(message(b"D"))
    except BlockingIOError:
        os.write(2, b"enough")
        os._exit(3)

program, control = socket.socketpair()
pid = os.fork()
if pid == 0:
    program.close()
    become(Nest(control, {"talker": talk_and_crash}).serve)
control.close()
nursery = Nursery(Child(Channel(program), lambda: os.kill(pid, signal.SIGKILL)))
child = nursery.fork("talker", {})
time.sleep(0.5)  # by now it has filled the socket and died
while (said := child.channel.receive(time.monotonic() + 60))[0] != DIED:
    pass
assert Death.from_bytes(said[1]) == Death(3, "enough"), said
"""


def test_why_a_worker_died_is_said_after_a_large_answer() -> None:
    """Also where the socket was full of the answer when it died."""
    done = subprocess.run([sys.executable, "-c", TALKER], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_whatever_lacks_memory_does_not_hang(path: Path) -> None:
    """Also where what finds none is the message about it, and the user asked for backtraces."""
    environment = {**os.environ, "RUST_BACKTRACE": "1"}
    command = [sys.executable, "-c", STARVED, str(path), GREEDY]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("rows", "complete"), [(1, False), (299, False), (300, True), (301, True)])
def test_row_limit(path: Path, rows: int, complete: bool) -> None:  # noqa: FBT001 - a case of the table
    """What is beyond the limit is cut, between two rows, and said to be cut."""
    store = EmbeddedStore([path], limits=Limits(rows=rows))
    table = store.select("SELECT * { ?s ?p ?o }")
    assert (len(table.rows), table.complete) == (min(rows, 300), complete)
    triples = store.construct("CONSTRUCT WHERE { ?s ?p ?o }")
    assert isinstance(triples, Triples)
    assert (len(triples.triples), triples.complete) == (min(rows, 300), complete)
    assert store.ask("ASK { ?s ?p ?o }")


def test_a_construct_that_is_cut(path: Path) -> None:
    """A step says that there are more triples than were counted."""
    explorer = Explorer(KG(EmbeddedStore([path], limits=Limits(rows=10)), {}))
    explorer.run(parse_action({"op": "triple", "pattern": "?s <http://e/p> ?o"}))
    assert explorer.observation.summary() == "300 solutions"
    table = explorer.answer()
    assert isinstance(table, Table)
    assert (len(table.rows), table.complete) == (10, False)
    cut = observe(explorer.kg, parse_query("CONSTRUCT WHERE { ?s <http://e/p> ?o }"))
    assert cut.summary() == "10+ triples"
    assert observation_from_json(observation_to_json(cut)) == cut


def test_byte_limit(path: Path) -> None:
    """The text of an answer is bounded too."""
    whole = EmbeddedStore([path]).select("SELECT * { ?s ?p ?o }")
    table = EmbeddedStore([path], limits=Limits(bytes=1000)).select("SELECT * { ?s ?p ?o }")
    assert not table.complete
    assert 5 < len(table.rows) < 50
    assert tuple(table.rows) == tuple(whole.rows[: len(table.rows)])
    one = "SELECT (GROUP_CONCAT(?o) AS ?all) { ?s ?p ?o }"
    assert EmbeddedStore([path], limits=Limits(bytes=100)).select(one) == Table(("all",), (), complete=False)


@pytest.mark.parametrize("field", ["time", "rows", "bytes", "memory"])
def test_limits_are_positive(field: str) -> None:
    """No limit is 0, and none is nothing; infinite time is said."""
    wrong = {**asdict(Limits()), field: 0}
    with pytest.raises(ValueError, match=f"the limit of {field} must be more than 0"):
        Limits(**wrong)
    assert Limits.of_time(None).time == float("inf")
    with pytest.raises(ValueError, match="must be more than 0"):
        KG.load("olympics", timeout=0)


def test_no_time_limit(path: Path) -> None:
    """Without a limit a query that ends gives its answer."""
    assert works(EmbeddedStore([path], limits=Limits.of_time(None)))


# --- death -----------------------------------------------------------------------------------------


def test_a_query_that_crashes_the_engine(store: EmbeddedStore) -> None:
    """It is an error of that query."""
    error = failure(store, "SELECT * {" + "{" * 100_000 + "}" * 100_000 + "}")
    assert str(error).startswith("the engine crashed on this query")
    assert (error.category, error.retryable) == ("internal", False)
    assert works(store)


def _kill_new(before: set[int]) -> None:
    for pid in _new(before):
        os.kill(pid, signal.SIGKILL)


def _new(before: set[int]) -> list[int]:
    return [pid for pid in descendants(os.getpid()) if pid not in before]


def test_a_worker_that_is_killed(path: Path) -> None:
    """In a query it is an error that may be retried; an idle one is replaced."""
    store = EmbeddedStore([path])
    before = set(descendants(os.getpid()))
    assert works(store)
    (worker,) = _new(before)
    for _ in range(3):
        timer = threading.Timer(0.2, os.kill, (worker, signal.SIGKILL))
        timer.start()
        error = failure(store, RUNAWAY)
        assert (error.category, error.retryable) == ("internal", True)
        assert gone([worker])
        assert recovers(store)
        (worker,) = _new(before)
    os.kill(worker, signal.SIGKILL)
    assert gone([worker])
    assert recovers(store)


def test_a_keeper_that_is_killed(path: Path) -> None:
    """Its workers end with it, and the files are loaded again, if they are still the same."""
    before = set(descendants(os.getpid()))
    with_nest = len(list(Path("/proc/self/task").iterdir())) > 1
    if with_nest:
        EmbeddedStore([path]).close()
        assert eventually(lambda: len(_new(before)) <= 1)
        before = set(descendants(os.getpid()))
    store = EmbeddedStore([path])
    assert works(store)
    keeper, worker = _new(before)
    os.kill(keeper, signal.SIGKILL)
    assert gone([worker])
    assert recovers(store)
    assert gone([keeper])
    keeper, worker = _new(before)
    path.write_text(TRIPLES + TRIPLES.replace("/p>", "/q>"), encoding="utf-8")
    os.kill(keeper, signal.SIGKILL)
    assert gone([worker])
    assert "the files have changed" in str(failure(store, "SELECT * {}"))
    assert "the files have changed" in str(failure(store, "SELECT * {}"))


def test_every_kth_call_is_killed(path: Path) -> None:
    """Whichever call of a session loses its worker: one rejected step, the plan as it was, and it goes on."""
    actions: list[dict[str, object]] = [
        {"op": "triple", "pattern": "?a <http://e/p> ?x"},
        {"op": "triple", "pattern": "?b <http://e/p> ?x"},
        {"op": "filter", "expr": '?x > "2"'},
        {"op": "project", "vars": ["?a"]},
        {"op": "distinct"},
    ]
    k, rejected = 0, 1
    while rejected:
        k += 1
        rejected = _session(path, actions, k)
    assert k > 5


def _session(path: Path, actions: list[dict[str, object]], k: int) -> int:
    """Run a session whose k-th query loses its worker; return how many steps were rejected."""
    store = EmbeddedStore([path])
    calls = 0

    def select(query: str) -> Table:
        nonlocal calls
        calls += 1
        if calls != k:
            return EmbeddedStore.select(store, query)
        before = set(descendants(os.getpid()))
        store._pool._end(store._pool._take())  # noqa: SLF001 - the next worker is a new one
        threading.Timer(0.1, _kill_new, (before,)).start()
        return EmbeddedStore.select(store, RUNAWAY)

    kg = KG(store, {})
    kg.select = select  # type: ignore[method-assign]
    explorer = Explorer(kg)
    rejected = 0
    for action in actions:
        before = explorer.plan
        seen = explorer.run(parse_action(action))
        if isinstance(seen, Rejected):
            rejected += 1
            assert explorer.plan == before
            seen = explorer.run(parse_action(action))
        assert not isinstance(seen, Rejected), seen.summary()
    assert rejected <= 1
    assert explorer.observation.summary().endswith("solutions")
    store.close()
    return rejected


# --- threads ---------------------------------------------------------------------------------------


def test_threads_share_a_graph(path: Path) -> None:
    """Answers do not get mixed up, and a query that times out disturbs no other."""
    store = EmbeddedStore([path], limits=Limits(time=2))
    queries = [f'SELECT ?s {{ ?s ?p "{i % 300}" }}' for i in range(400)]
    queries[100] = queries[200] = RUNAWAY
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(store.select, query) for query in queries]
    for number, future in enumerate(found):
        if queries[number] == RUNAWAY:
            assert isinstance(future.exception(), StoreError)
        else:
            (row,) = future.result().rows
            assert str(row["s"]) == f"<http://e/{number % 300}>"


def test_closing_ends_a_running_query(path: Path) -> None:
    """Another thread that waits for an answer is told."""
    store = EmbeddedStore([path])
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(store.select, RUNAWAY)
        time.sleep(0.3)
        store.close()
        assert "the store is closed" in str(running.exception(LONG))


# --- programs --------------------------------------------------------------------------------------

SETUP: Final = """
import os, signal, sys, threading, time
from hermes import KG
from hermes.errors import StoreError
RUNAWAY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }"
def say(*words): print(*words, flush=True)
"""


def program(text: str, path: Path) -> subprocess.Popen[str]:
    """Start a Python program that loads a graph; it ends by itself when it hangs."""
    code = f"{SETUP}\nthreading.main_thread\nsignal.alarm({LONG:.0f})\nPATH = {str(path)!r}\n{text}"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )


def output(text: str, path: Path) -> list[str]:
    """Run a program to its end; return the lines that it printed."""
    started = program(text, path)
    out, err = started.communicate(timeout=LONG)
    assert started.returncode == 0, err
    assert not err
    return out.split("\n")[:-1]


INTERRUPTED: Final = """
kg = KG.load(PATH)
for _ in range(3):
    try:
        say("begin")
        kg.select(RUNAWAY)
    except KeyboardInterrupt:
        say("cancelled", kg.ask("ASK { ?s ?p ?o }"))
say("done")
"""


def test_interrupt_cancels_the_query_and_not_the_program(path: Path) -> None:
    """Ctrl-C raises KeyboardInterrupt in the caller; workers end, the graph stays usable."""
    with program(INTERRUPTED, path) as started:
        assert started.stdout is not None
        for _ in range(3):
            assert started.stdout.readline() == "begin\n"
            time.sleep(0.3)
            family = descendants(started.pid)
            assert len(family) == 2
            for pid in (*family, started.pid):  # as a terminal does
                os.kill(pid, signal.SIGINT)
            assert started.stdout.readline() == "cancelled True\n"
        assert started.stdout.readline() == "done\n"
        assert started.wait(LONG) == 0
    assert gone(family)


def test_interrupt_of_hermes_run(path: Path, tmp_path: Path) -> None:
    """The program ends at once, the trace is written, and no process is left."""
    actions, trace = tmp_path / "a.jsonl", tmp_path / "t.jsonl"
    lines = [f'{{"op": "triple", "pattern": "?{n} ?p{n} ?o{n}"}}\n' for n in "abcde"]
    actions.write_text("".join(lines) + '{"op": "order", "expr": "?oa"}\n', encoding="utf-8")
    with start("run", str(actions), "--kg", str(path), "--trace", str(trace)) as started:
        assert started.stdout is not None
        started.stdout.readline()
        started.stdout.readline()
        time.sleep(0.5)
        family = descendants(started.pid)
        started.send_signal(signal.SIGINT)
        assert started.wait(LONG) == 130
        assert b"Traceback" not in started.communicate()[1]
    assert family
    assert gone(family)
    assert len(trace.read_text(encoding="utf-8").splitlines()) >= 3


def test_timeout_of_hermes_run(path: Path, tmp_path: Path) -> None:
    """`--timeout` is the limit, and the rejection says so."""
    actions = tmp_path / "a.jsonl"
    lines = [f'{{"op": "triple", "pattern": "?{n} ?p{n} ?o{n}"}}\n' for n in "abcde"]
    actions.write_text("".join(lines) + '{"op": "order", "expr": "?oa"}\n', encoding="utf-8")
    with start("run", str(actions), "--kg", str(path), "--timeout", "0.5") as started:
        out, err = started.communicate(timeout=LONG)
    assert started.returncode == 1
    assert b"rejected: the query ran longer than 0.5 s" in out
    assert b"rejected: the query ran longer than 0.5 s" in err
    with start("run", str(actions), "--timeout", "-1") as started:
        assert b'expected a number of seconds > 0, or inf, not "-1"' in started.communicate(timeout=LONG)[1]
    assert started.returncode == 2


@pytest.mark.parametrize(
    "ending", ["pass", "sys.exit(3)", "os._exit(0)", "os.kill(os.getpid(), 9)", "kg.close()"]
)
def test_no_process_is_left(path: Path, ending: str) -> None:
    """Whichever way a program ends, and a query may be running then, its processes end too."""
    text = f"""
kg = KG.load(PATH)
kg.ask("ASK {{}}")
threading.Thread(target=lambda: kg.select(RUNAWAY), daemon=True).start()
time.sleep(0.3)
say("begin")
sys.stdin.readline()
{ending}
"""
    with program(text, path) as started:
        assert started.stdout is not None
        assert started.stdin is not None
        assert started.stdout.readline() == "begin\n"
        family = descendants(started.pid)
        assert len(family) == 2  # a keeper, a worker
        started.stdin.write("\n")
        started.stdin.flush()
        started.wait(LONG)
    assert gone(family)


def test_a_graph_that_is_forgotten_is_closed(path: Path) -> None:
    """Without `close`, the processes of a graph end with the last reference to it."""
    text = """
kg = KG.load(PATH)
kg.ask("ASK {}")
kg.lookup("a")
kg.vocabulary.labels
say("begin")
sys.stdin.readline()
del kg
say("deleted")
sys.stdin.readline()
"""
    with program(text, path) as started:
        assert started.stdout is not None
        assert started.stdin is not None
        assert started.stdout.readline() == "begin\n"
        family = descendants(started.pid)
        assert len(family) == 2
        started.stdin.write("\n")
        started.stdin.flush()
        assert started.stdout.readline() == "deleted\n"
        assert gone(family)
        assert started.poll() is None
        started.stdin.close()


def test_a_threaded_program(path: Path) -> None:
    """A process with threads is not forked: its nest is another interpreter."""
    text = """
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
kg = KG.load(PATH)
say(len(kg.select("SELECT * { ?s ?p ?o }").rows))
say(open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read().split()[0])
say(kg.fingerprint == KG.load(PATH).fingerprint)
nest = int(open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read())
say("-I" in open(f"/proc/{nest}/cmdline").read().split("\\0"))
"""
    lines = output(text, path)
    assert (lines[0], *lines[2:]) == ("300", "True", "True")


def test_a_forked_program(path: Path) -> None:
    """A child that the program forks has processes of its own, and leaves those of its parent alone."""
    text = """
kg = KG.load(PATH)
kg.ask("ASK {}")
pid = os.fork()
if pid == 0:
    say("child", len(kg.select("SELECT * { ?s ?p ?o }").rows))
    kg.close()
    os._exit(0)
os.waitpid(pid, 0)
say("parent", len(kg.select("SELECT ?s { ?s ?p ?o }").rows))
"""
    assert output(text, path) == ["child 300", "parent 300"]


def test_standard_streams_and_signals_are_the_programs(path: Path) -> None:
    """What a program has not flushed is printed once, its handlers run once, its alarm still rings."""
    text = """
sys.stdout.write("once ")
signal.signal(signal.SIGTERM, lambda *_: say("handled"))
kg = KG.load(PATH)
say(kg.ask("ASK {}"))
os.kill(os.getpid(), signal.SIGTERM)
import atexit
atexit.register(say, "bye")
"""
    assert output(text, path) == ["once True", "handled", "bye"]


def test_an_interrupted_load(tmp_path: Path) -> None:
    """Ctrl-C while files are loaded ends the load, and another can begin."""
    big = tmp_path / "big.nt"
    big.write_text(
        "".join(f'<http://e/{i}> <http://e/p> "{i}" .\n' for i in range(1_000_000)), encoding="utf-8"
    )
    text = """
say("begin")
try:
    KG.load(PATH)
except KeyboardInterrupt:
    say("cancelled", len(KG.load("olympics").select("SELECT * { ?s ?p ?o }").rows) > 0)
"""
    with program(text, big) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "begin\n"
        time.sleep(0.5)
        family = descendants(started.pid)
        started.send_signal(signal.SIGINT)
        assert started.stdout.readline() == "cancelled True\n"
        assert started.wait(LONG) == 0
    assert gone(family)


# --- SERVICE ---------------------------------------------------------------------------------------

CALLS: Final = (
    "SELECT * { SERVICE <http://h/> { ?a ?b ?c } }",
    "SELECT * { SERVICE SILENT <http://h/> { ?a ?b ?c } }",
    "SELECT * { ?s ?p ?o FILTER EXISTS { service ?x { ?a ?b ?c } } }",
    "SELECT * { ?s ?p 1SERVICE <http://h/> { ?a ?b ?c } }",
    "SELECT * { ?s ?p trueSERVICE <http://h/> { ?a ?b ?c } }",
    "PREFIX ex: <http://h/> SELECT * { SERVICEex:a { ?a ?b ?c } }",
    "PREFIX : <http://h/> SELECT * { SERVICESILENT:a { ?a ?b ?c } }",
    "PREFIX ex: <http://e/> SELECT * { ?s ?p ex:a.b.SERVICE <http://h/> { ?a ?b ?c } }",
    "SELECT * { ?s ?p 1 #\rSERVICE <http://h/> { ?a ?b ?c }\n}",
    "SELECT * { BIND('a' AS ?a)SERVICE?x{ ?a ?b ?c } }",
    "SELECT * { ?s ?p 'a''b' . SERVICE <http://h/> { ?a ?b ?c } }",
)
CALLS_NOT: Final = (
    "SELECT * { ?service ?p ?o # SERVICE <http://h/> {}\n }",
    "PREFIX ex: <http://SERVICE/> SELECT * { ?s ex:service ex:customerService FILTER(?s != 'SERVICE <h>') }",
    'PREFIX service: <http://h/> SELECT * { ?s service:a """ "SERVICE" """, "x"@en-service }',
)


@pytest.mark.parametrize("query", CALLS)
def test_service_is_refused(query: str) -> None:
    """Every spelling that Oxigraph reads as a call of another host is refused."""
    with pytest.raises(StoreError, match="by SERVICE; hosts that this graph allows: other") as caught:
        refuse_service(query, {"other"})
    assert (caught.value.category, caught.value.code) == ("forbidden", "service-refused")


@pytest.mark.parametrize("query", CALLS_NOT)
def test_the_word_service(query: str) -> None:
    """In names, strings and comments it calls nobody."""
    refuse_service(query, ())


def test_service_that_is_allowed() -> None:
    """A host that the graph allows may be named by its IRI or by a declared prefix."""
    refuse_service("SELECT * { SERVICE <http://H:80/x> { ?a ?b ?c } }", {"h"})
    refuse_service("PREFIX e: <http://h/> SELECT * { SERVICE SILENT e:x { ?a ?b ?c } }", {"h"})
    refused = (
        "SELECT * { SERVICE ?x { } }",
        "SELECT * { SERVICE <http://h@i/> { } }",
        "SELECT * { 1SERVICE <http://h/> { } }",
    )
    for query in refused:
        with pytest.raises(StoreError):
            refuse_service(query, {"h"})


def test_a_worker_opens_no_connection(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a call overlooked, the process could not make it."""
    monkeypatch.setattr("hermes.store.engine.refuse_service", lambda *_: None)
    store = EmbeddedStore([path])
    text = """
import hermes.store.engine as engine
engine.refuse_service = lambda *_: None
kg = KG.load(PATH)
import socket
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(0.5)
port = server.getsockname()[1]
try:
    kg.select(f"SELECT * {{ SERVICE <http://127.0.0.1:{port}/> {{ ?a ?b ?c }} }}")
except StoreError as error:
    say(error.category)
try:
    server.accept()
except TimeoutError:
    say("nobody came")
"""
    assert output(text, path) == ["unreachable", "nobody came"]
    store.close()


def test_from_after_a_comment() -> None:
    """A comment ends at a carriage return too."""
    assert has_from("SELECT * #x\rFROM <http://g> { }")
    assert not has_from("SELECT * #x FROM <http://g>\n{ }")
