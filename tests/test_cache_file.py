"""The file of the cache: what outlives the process, what is shared, and what cannot be used."""

from __future__ import annotations

import logging
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.errors import StoreError
from hermes.results import Result, Table, Triples, Truth
from hermes.store import CachedStore
from hermes.store.cache_file import VERSION, CacheFile, Stored
from hermes.store.compact import from_compact, to_compact
from hermes.store.scan import is_volatile
from hermes.terms import IRI, RDF, XSD, BlankNode, Literal, TripleTerm
from test_cache import CountingStore


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
    file = CacheFile(path, 10**6, time.time)
    file.put(b"k", Stored(b"v", 0))
    file.close()
    made = sqlite3.connect(path)
    made.execute(f"PRAGMA user_version = {VERSION + 1}")
    made.close()  # the last one to leave writes the log into the file


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
