"""One cache file, several threads and processes; one that is killed; KG and the command line."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes import KG
from hermes.cli import main
from hermes.store import CachedStore
from hermes.store.cache_file import CacheFile, Stored
from hermes.terms import Literal
from processes import DOCUMENTED, ROOT, process
from test_cache import CountingStore


@pytest.fixture
def inner() -> CountingStore:
    """A store that counts what it is asked."""
    return CountingStore()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is to be."""
    return tmp_path / "cache.sqlite"


def again(inner: CountingStore, path: Path, max_bytes: int = 10**6) -> CachedStore:
    """What the next process would have: nothing in memory, the same file."""
    return CachedStore(inner, max_bytes, file=path)


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
    path.write_bytes(b"not a database, " * 1000)
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
