"""The file of the cache: what outlives the process, what is shared, and what cannot be used."""

from __future__ import annotations

import logging
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes import KG
from hermes.cli import main
from hermes.errors import StoreError
from hermes.results import Result, Table, Triples, Truth
from hermes.store import CachedStore
from hermes.store.cache_file import VERSION, CacheFile, Stored
from hermes.store.compact import from_compact, to_compact
from hermes.store.volatile import is_volatile
from hermes.terms import IRI, RDF, XSD, BlankNode, Literal, TripleTerm
from processes import DOCUMENTED, ROOT, process
from test_cache import CountingStore

TESTS = ROOT / "tests"


@pytest.fixture
def inner() -> CountingStore:
    """A store that counts what it is asked."""
    return CountingStore()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is to be."""
    return tmp_path / "cache.sqlite"


def again(inner: CountingStore, path: Path, **options: object) -> CachedStore:
    """What the next process would have: nothing in memory, the same file."""
    return CachedStore(inner, file=path, **options)  # type: ignore[arg-type]


# --- results as text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result",
    [
        Truth(value=True),
        Truth(value=False),
        Table((), ()),
        Table(("x", "y"), ({}, {"y": IRI("http://e/a")}, {"x": IRI("http://e/a"), "y": BlankNode("b")})),
        Table(
            ("x",),
            tuple(
                {"x": term}
                for term in (
                    Literal('"\n\u2028\0é'),
                    Literal("half \ud800"),
                    Literal("01", XSD + "integer"),
                    Literal("x", RDF + "langString", "en-GB"),
                    Literal("x", RDF + "dirLangString", "ar--rtl"),
                    TripleTerm(IRI("http://e/a"), IRI("http://e/b"), Literal("c")),
                )
            ),
        ),
        Triples((TripleTerm(BlankNode("b"), IRI("http://e/b"), BlankNode("b")),)),
        Triples(()),
    ],
)
def test_results_survive(result: Result) -> None:
    """A result comes back as it was, term by term."""
    assert from_compact(to_compact(result)) == result


@pytest.mark.parametrize(
    "text",
    ["", "1", "{}", '{"truth": 1}', '{"variables": ["x"], "rows": [[0]], "terms": []}', "[" * 9999, "\ud800"],
)
def test_what_is_no_result(text: str) -> None:
    """Anything else is a ValueError, which the cache takes for a miss."""
    with pytest.raises(ValueError, match=r"\S"):
        from_compact(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("query", "volatile"),
    [
        ("SELECT (RAND() AS ?x) {}", True),
        ("SELECT (now( ) AS ?x) {}", True),
        ("SELECT * { ?s ?p ?o FILTER(?o<NOW #\n()) }", True),
        ("SELECT (StrUUID() AS ?x) { BIND(UUID() AS ?y) }", True),
        ('SELECT (BNODE("a") AS ?x) {}', True),
        ("SELECT * { SERVICE <http://e/> { ?s ?p ?o } }", True),
        ("SELECT (\\u0052AND() AS ?x) {}", True),
        ('SELECT * { ?s ?p "a\\"" FILTER(RAND() > ?p) }', True),
        ("SELECT * { ?rand ?now $uuid }", False),
        ("PREFIX rand: <http://e/RAND()> SELECT * { ?s rand:now ex:RAND ; a ex:now }", False),
        (
            "SELECT * { ?s ?p 'RAND()', \"\"\"NOW() \" \"\"\", 'it\\'s UUID()', 'x'@now, _:bnode } # RAND()",
            False,
        ),
        ('SELECT * { ?s ?p "\\u0041 RAND()" }', False),
        ("SELECT * { ?s <http://e/service> ?brandnow }", False),
        ("SELECT (ROUND(?x) AS ?y) {}", False),
    ],
)
def test_volatile(query: str, *, volatile: bool) -> None:
    """Functions count, names do not."""
    assert is_volatile(query) == volatile


def test_volatile_queries_are_asked_again(inner: CountingStore, path: Path) -> None:
    """Neither memory nor the file keeps them."""
    cached = again(inner, path)
    for _ in range(2):
        cached.select("SELECT (RAND() AS ?x) {}")
    again(inner, path).select("SELECT (RAND() AS ?x) {}")
    assert len(inner.asked) == 3


# --- what outlives the process ----------------------------------------------------------------------


def test_file_outlives_the_process(inner: CountingStore, path: Path) -> None:
    """What one cache was told another knows, in each form; what it did is said."""
    first = again(inner, path)
    told = (first.select("s"), first.ask("a"), first.construct("c"))
    first.close()
    second = again(inner, path)
    assert (second.select("s"), second.ask("a"), second.construct("c")) == told
    assert inner.asked == ["s", "a", "c"]
    assert (second.hits, second.misses) == (3, 0)
    assert second.summary().startswith("3 hits, 0 misses, 0.0")
    assert second.summary().endswith(f" MB in {path}")
    assert path.stat().st_mode & 0o077 == 0


def test_what_a_result_depends_on(path: Path) -> None:
    """Another fingerprint, dataset, limit, engine or form is another result."""

    class Other(CountingStore):
        engine = "other"

    class Newer(CountingStore):
        fingerprint = "1"

    stores = [CountingStore(), CountingStore(), CountingStore(), Other(), Newer()]
    options = [{}, {"dataset": "union"}, {"limits": "rows=10"}, {}, {}]
    for inner, option in zip(stores, options, strict=True):
        again(inner, path, **option).select("s")
    assert [inner.asked for inner in stores] == [["s"]] * 5
    again(stores[0], path).construct("s")
    assert stores[0].asked == ["s", "s"]
    again(stores[1], path, dataset="union").select("s")
    assert stores[1].asked == ["s"]


def test_neither_errors_nor_what_was_cut(inner: CountingStore, path: Path) -> None:
    """What failed or was cut is not in the file."""
    for _ in range(2):
        with pytest.raises(StoreError):
            again(inner, path).select("fail")
        assert not again(inner, path).select("cut").complete
    assert inner.asked == ["fail", "cut", "fail", "cut"]


def test_time_to_live(inner: CountingStore, path: Path) -> None:
    """A result is used until it is too old, in memory and from the file; then it is replaced."""
    now = [1000.0]

    def cache() -> CachedStore:
        return CachedStore(inner, file=path, time_to_live=10, clock=lambda: now[0])

    long_lived = cache()
    long_lived.select("s")
    now[0] = 1009.9
    long_lived.select("s")
    cache().select("s")
    assert len(inner.asked) == 1
    now[0] = 1010.0
    long_lived.select("s")
    assert len(inner.asked) == 2
    now[0] = 1019.0
    cache().select("s")
    assert len(inner.asked) == 2
    now[0] = 900.0  # the clock was set back: how old the result is cannot be known
    cache().select("s")
    assert len(inner.asked) == 3


def test_time_to_live_counts_from_the_execution(inner: CountingStore, path: Path) -> None:
    """Reading a result from the file does not make it younger."""
    now = [0.0]
    CachedStore(inner, file=path, clock=lambda: now[0]).select("s")
    now[0] = 8.0
    cached = CachedStore(inner, file=path, time_to_live=10, clock=lambda: now[0])
    cached.select("s")
    now[0] = 12.0
    cached.select("s")
    assert len(inner.asked) == 2


def test_file_is_bounded(path: Path) -> None:
    """The least recently used values go first, and the file itself stays near the bound."""
    now = [0.0]
    file = CacheFile(path, 200_000, lambda: now[0])
    keys = [bytes([n]) * 32 for n in range(100)]
    for key in keys:
        now[0] += 1
        file.put(key, Stored(random.Random(key).randbytes(10_000), now[0]))  # noqa: S311 - filler
        file.touch(keys[0])
        assert (file.size() or 0) <= 200_000
    kept = [key for key in keys if file.get(key)]
    assert kept == [keys[0], *keys[-len(kept) + 1 :]]
    assert len(kept) > 12
    file.put(b"large" * 8, Stored(bytes(100_000), 0))
    assert file.get(b"large" * 8) is None
    file.close()
    assert path.stat().st_size <= 220_000


def test_many_small_values(path: Path) -> None:
    """The bound holds where many values share a page."""
    file = CacheFile(path, 100_000, time.time)
    for n in range(3000):
        file.put(n.to_bytes(32, "big"), Stored(b"x" * 20, 0))
    assert (file.size() or 0) <= 100_000
    assert file.get((2999).to_bytes(32, "big"))


def test_touched_values_are_written_in_time(path: Path) -> None:
    """What is only read is noted as used when the file is closed."""
    now = [1.0]
    file = CacheFile(path, 10**6, lambda: now[0])
    file.put(b"k", Stored(b"v", 1))
    now[0] = 5.0
    file.touch(b"k")
    file.close()
    assert sqlite3.connect(path).execute("SELECT used FROM entries").fetchall() == [(5.0,)]


# --- what cannot be used ----------------------------------------------------------------------------


def _garbage(path: Path) -> None:
    path.write_bytes(b"not a database, " * 1000)


def _other_program(path: Path) -> None:
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE mine (x)")


def _other_program_with_our_number(path: Path) -> None:
    with sqlite3.connect(path) as made:
        made.execute(f"PRAGMA user_version = {VERSION}")
        made.execute("CREATE TABLE entries (x)")


def _other_version(path: Path) -> None:
    CacheFile(path, 10**6, time.time).put(b"k", Stored(b"v", 0))
    with sqlite3.connect(path) as made:
        made.execute(f"PRAGMA user_version = {VERSION + 1}")


def _cut(path: Path) -> None:
    file = CacheFile(path, 10**6, time.time)
    file.put(b"k" * 32, Stored(b"v" * 9000, 0))
    file.close()
    path.write_bytes(path.read_bytes()[:5000])


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "spoil", [_garbage, _other_program, _other_program_with_our_number, _other_version, _cut, _folder]
)
def test_a_file_that_cannot_be_used(
    inner: CountingStore, path: Path, spoil: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """It is left as it is, said once, and everything works from memory."""
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    cached = again(inner, path)
    for query in ("1", "2", "1"):
        cached.select(query)
    cached.close()
    assert inner.asked == ["1", "2"]
    warnings = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert warnings[0].startswith(f"cache: {path} is not used: ")
    assert "\n" not in warnings[0]
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_no_folder(inner: CountingStore, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file in a folder that is not there is a warning."""
    again(inner, tmp_path / "none" / "cache").select("s")
    assert "No such file" in caplog.text


def test_flipped_bits_are_no_answers(inner: CountingStore, path: Path) -> None:
    """Whatever byte of the file is damaged, an answer is right or computed again."""
    first = again(inner, path)
    right = first.select("s")
    first.close()
    whole = path.read_bytes()
    found = whole.find(b"yyyyyyyy")
    dice = random.Random(7)  # noqa: S311 - dice for tests
    for at in [found, found + 500, *(dice.randrange(len(whole)) for _ in range(200))]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << dice.randrange(8))]) + whole[at + 1 :])
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        cached = again(CountingStore(), path)
        assert cached.select("s") == right
        cached.close()


def test_locked_file(inner: CountingStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """While another process holds the file, calls go without it; afterwards they use it again."""
    again(inner, path).select("0")
    cached = again(inner, path)
    cached.select("0")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    start = time.perf_counter()
    cached.select("1")
    assert time.perf_counter() - start < 2
    holder.execute("ROLLBACK")
    cached.select("2")
    assert again(inner, path).select("2")
    assert inner.asked == ["0", "1", "2"]
    again(inner, path).select("1")
    assert inner.asked == ["0", "1", "2", "1"]
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_locked_from_the_start(inner: CountingStore, path: Path) -> None:
    """A file that is locked before it was ever opened is used when it is free."""
    first = again(inner, path)
    first.select("0")
    first.close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    cached = again(inner, path)
    cached.select("1")
    holder.close()
    cached.select("2")
    again(inner, path).select("2")
    assert inner.asked == ["0", "1", "2"]


# --- threads and processes --------------------------------------------------------------------------


def test_threads(inner: CountingStore, path: Path) -> None:
    """Many threads share a cache, its file and its notes."""
    cached = again(inner, path, max_bytes=20_000)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(cached.select, [str(n % 40) for n in range(800)]))
    assert cached.hits + cached.misses == 800
    assert set(inner.asked) == {str(n) for n in range(40)}
    assert len(inner.asked) <= 40 * 8


_WRITER = """
import sys
from pathlib import Path
from hermes.store.cache_file import CacheFile, Stored
import time
file = CacheFile(Path(sys.argv[1]), 400_000, time.time)
print("ready", flush=True)
n = wrong = 0
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    key = (n % 97).to_bytes(32, "big")
    stored = file.get(key)
    wrong += stored is not None and stored.value != key * 300
    file.put(key, Stored(key * 300, time.time()))
    n += 1
print(n, wrong, flush=True)
"""


def _writer(path: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path), str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )


def test_two_processes_share_the_file(path: Path) -> None:
    """Two that write and read at the same time, from an empty file on, see only what was written."""
    writers = [_writer(path, 1.0) for _ in range(2)]
    for writer in writers:
        out, err = writer.communicate(timeout=60)
        count, wrong = map(int, out.split()[1:])
        assert (wrong, err) == (0, "")
        assert count > 20
    assert _sound(path)
    file = CacheFile(path, 400_000, time.time)
    kept = [n for n in range(97) if file.get(n.to_bytes(32, "big"))]
    assert 10 < len(kept) < 97
    assert (file.size() or 0) <= 400_000


def test_killed_while_writing(path: Path) -> None:
    """After `kill -9` in the middle of writing the file is whole and goes on being used."""
    dice = random.Random(3)  # noqa: S311 - dice for tests
    for _ in range(5):
        writer = _writer(path, 60)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(0.05 + dice.random() / 5)
        writer.kill()
        writer.communicate()
        file = CacheFile(path, 400_000, time.time)
        for n in range(97):
            key = n.to_bytes(32, "big")
            stored = file.get(key)
            assert stored is None or stored.value == key * 300
        file.put(b"new" * 8, Stored(b"v", 0))
        assert file.get(b"new" * 8)
        file.close()
        assert _sound(path)


def _sound(path: Path) -> bool:
    return sqlite3.connect(path).execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_process_opens_the_file_again(inner: CountingStore, path: Path) -> None:
    """A connection is not used in a forked process; both go on."""
    cached = again(inner, path)
    cached.select("1")
    child = os.fork()
    if child == 0:
        ok = False
        try:
            cached.select("2")
            ok = again(CountingStore(), path).select("2").rows[0]["x"] == Literal("y" * 1000)
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    cached.select("3")
    other = CountingStore()
    for query in ("1", "2", "3"):
        again(other, path).select(query)
    assert other.asked == []


# --- KG and the command line ------------------------------------------------------------------------


def test_kg_load(path: Path) -> None:
    """The file of `KG.load` is the cache's."""
    for hits in (0, 1):
        kg = KG.load("olympics", cache=path)
        assert len(kg.select("SELECT * { ?s ?p ?o } LIMIT 3").rows) == 3
        assert isinstance(kg.store, CachedStore)
        assert (kg.store.hits, kg.store.misses) == (hits, 1 - hits)
        kg.close()


def test_command_line(path: Path, tmp_path: Path) -> None:
    """Two real runs share a file; the second one asks nothing, and --verbose says so last."""
    _, _, cold = process("run", DOCUMENTED, "--cache", str(path), "--verbose")
    code, out, warm = process("run", DOCUMENTED, "--verbose", HERMES_CACHE=str(path))
    assert code == 0
    first, second = cold.splitlines()[-1], warm.splitlines()[-1]
    assert first.startswith("cache: 0 hits, ")
    misses = int(first.split()[3])
    assert second.startswith(f"cache: {misses} hits, 0 misses, ")
    assert out == process("run", DOCUMENTED)[1]
    trace = tmp_path / "trace.jsonl"
    process("run", DOCUMENTED, "--trace", str(trace), "--cache", str(path))
    code, _, err = process("replay", str(trace), "--cache", str(path), "-v")
    assert (code, " 0 misses, " in err.splitlines()[-1]) == (0, True)


def test_command_line_without_a_usable_file(
    path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The work is done, with a warning."""
    _garbage(path)
    assert main(["run", DOCUMENTED, "--cache", str(path)]) == 0
    assert "LakePlacid" in capsys.readouterr().out
    assert "is not used: file is not a database" in caplog.text


def test_verbose_ends_with_the_cache(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a file the line speaks of memory alone; without --verbose there is none."""
    assert main(["run", DOCUMENTED, "-v"]) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"cache: 0 hits, 7 misses, 0\.0\d\d MB", last)
    assert main(["run", DOCUMENTED]) == 0
    assert capsys.readouterr().err == ""
