"""The index of names: where it is kept, that it is what it should be, and how it is made."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes import KG, kept_files
from hermes.errors import StoreError
from hermes.labels import index_build, index_file, index_search, kept_index, progress
from hermes.labels.hits import Named
from hermes.labels.index_build import Progress, Source, build, build_from
from hermes.labels.index_file import in_memory, key_of, open_index
from hermes.store import embedded, write_store
from hermes.terms import RDFS

EX = "http://example.org/"
GRAPH = "".join(f'<{EX}{n}> <{RDFS}label> "label {n}"@en .\n' for n in range(50))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of the test's own; each graph is large enough for an index that is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_index, "_SMALL", 0)
    return tmp_path / "cache" / "hermes"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A file of labels."""
    path = tmp_path / "graph.nt"
    path.write_text(GRAPH, encoding="utf-8")
    return path


def found(*sources: Path, text: str = "label 7") -> list[str]:
    """Return what a fresh graph finds."""
    kg = KG.load(*sources)
    try:
        return [entry.term.value for entry in kg.lookup(text).entries]
    finally:
        kg.close()


def count_builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that has an item for each index that is made from now on."""
    made: list[str] = []

    def counted(database: sqlite3.Connection, source: Source, key: str, tell: Progress) -> None:
        made.append(key)
        build(database, source, key, tell)

    monkeypatch.setattr(index_search, "build", counted)
    return made


# --- where it is kept -----------------------------------------------------------------------------


def test_small_graphs_leave_nothing(graph: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of a small graph is in memory."""
    monkeypatch.setattr(kept_index, "_SMALL", 50)
    assert found(graph) == [EX + "7"]
    assert not cache.exists()


def test_kept_in_the_cache_directory(graph: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made once for a graph; another graph, or the same with other triples, has another one."""
    made = count_builds(monkeypatch)
    assert found(graph) == found(graph) == [EX + "7"]
    assert len(made) == len(list(cache.iterdir())) == 1
    assert cache.stat().st_mode & 0o077 == 0
    graph.write_text(GRAPH.replace("label 7", "seven"), encoding="utf-8")
    assert found(graph, text="seven") == [EX + "7"]
    assert len(made) == len(list(cache.iterdir())) == 2


def test_kept_beside_a_store_directory(graph: Path, cache: Path, tmp_path: Path) -> None:
    """A store directory that can be written has its index inside; it goes where the directory goes."""
    directory = tmp_path / "store"
    write_store([graph], directory)
    assert found(directory) == [EX + "7"]
    assert [path.suffix for path in directory.glob("lookup-*")] == [".sqlite"]
    assert not cache.exists()
    shutil.copytree(directory, tmp_path / "copy")
    assert found(tmp_path / "copy") == [EX + "7"]
    assert not cache.exists()


def test_a_store_directory_that_cannot_be_written(graph: Path, cache: Path, tmp_path: Path) -> None:
    """Then the index is in the cache directory."""
    directory = tmp_path / "store"
    write_store([graph], directory)
    key = key_of("f", "names")
    file = tmp_path / "file"
    file.write_text("where a folder should be")
    index = open_index(key, _fill, [file / "store", cache])
    assert [each.iri for each in index.equal("a name", None, 9)] == [EX]
    assert len(list(cache.iterdir())) == 1


def test_nowhere(graph: Path, cache: Path) -> None:
    """Where nothing can be written the index is in memory."""
    cache.parent.mkdir()
    cache.write_text("a file, where the directory should be")
    assert found(graph) == [EX + "7"]
    assert cache.read_text() == "a file, where the directory should be"


def test_a_relative_cache_directory_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the specification of XDG_CACHE_HOME wants it."""
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert kept_files.cache_folder() == Path.home() / ".cache" / "hermes"


def _fill(database: sqlite3.Connection, key: str) -> None:
    build_from(database, [Named(EX, "entity", "A name", "a name")], key)


# --- what is in the file --------------------------------------------------------------------------


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8192])


def _garbled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(2048, len(data), 7):
        data[at] ^= 0x5A
    path.write_bytes(bytes(data))


def _replaced(path: Path) -> None:
    path.write_bytes(b"not a database")


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    """Another schema: a view instead of the table of names, which would run what is in it."""
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE name RENAME TO old")
        database.execute(
            "CREATE VIEW name AS SELECT id, term, 'forged' AS text, folded, alternative FROM old"
        )
    database.close()


def _of_another_graph(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE about SET value = 'another' WHERE name = 'key'")
    database.close()


@pytest.mark.parametrize("spoil", [_truncated, _garbled, _replaced, _emptied, _foreign, _of_another_graph])
def test_what_is_broken_or_foreign_is_made_anew(
    graph: Path, cache: Path, spoil: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is not what was written is never an answer and never a crash."""
    assert found(graph) == [EX + "7"]
    (path,) = cache.iterdir()
    assert callable(spoil)
    spoil(path)
    made = count_builds(monkeypatch)
    assert found(graph) == [EX + "7"]
    assert len(made) == 1
    assert len(list(cache.iterdir())) == 1


def test_broken_while_in_use(graph: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An index that breaks while it is open is made anew, in memory."""
    kg = KG.load(graph)
    kg.lookup("label 7")
    index = kg._finder._names.index._index  # noqa: SLF001 - what breaks is inside
    assert index is not None
    index.close()
    assert [entry.term.value for entry in kg.lookup("label 7").entries] == [EX + "7"]
    assert "made anew" in caplog.text


def test_the_store_fails_meanwhile(graph: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the store says is passed on; a part of an index is never kept."""
    kg = KG.load(graph)
    store = embedded(kg.store)
    assert store is not None
    assert kg.label_names

    def fail(_: str) -> None:
        raise StoreError("out of order", category="internal")

    monkeypatch.setattr(store, "select", fail)
    with pytest.raises(StoreError, match="out of order"):
        kg.lookup("label")
    assert list(cache.iterdir()) == []


def test_not_all_terms_can_be_listed(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the terms of a graph are too many for a query, the labels are found, and said not to be all."""
    kg = KG.load(graph)
    store = embedded(kg.store)
    assert store is not None
    select = store.select

    def limited(query: str) -> object:
        if "DISTINCT ?s" in query:
            raise StoreError("too long", category="timeout")
        return select(query)

    monkeypatch.setattr(store, "select", limited)
    seen = kg.lookup("label 7")
    assert [entry.term.value for entry in seen.entries] == [EX + "7"]
    assert not seen.complete


def test_pages(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in pages of any size, the index is the same."""
    whole = found(graph, text="label")
    for size in (1, 7, 50, 51):
        monkeypatch.setattr(index_build, "PAGE", size)
        monkeypatch.setenv("XDG_CACHE_HOME", str(graph.parent / str(size)))
        assert found(graph, text="label") == whole


def test_old_indexes_are_removed(graph: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache directory is bounded: the index not used for longest goes, other files stay."""
    found(graph)
    (cache / "other.txt").write_text("not ours")
    monkeypatch.setattr(index_file, "CACHE_BYTES", 1)
    graph.write_text(GRAPH + f'<{EX}x> <{RDFS}label> "x" .\n', encoding="utf-8")
    assert found(graph) == [EX + "7"]
    assert sorted(path.suffix for path in cache.iterdir()) == [".sqlite", ".txt"]


def test_what_a_killed_program_left_is_removed(graph: Path, cache: Path) -> None:
    """An index that was never completed goes after a day; one that may be in the making stays."""
    cache.mkdir(parents=True)
    for name, age in ("lookup-old.partial", 100_000), ("lookup-new.partial", 10):
        path = cache / name
        path.write_text("")
        os.utime(path, (time.time() - age, time.time() - age))
    found(graph)
    assert [path.name for path in cache.glob("*.partial")] == ["lookup-new.partial"]


def test_without_fts5(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SQLite cannot do it, that is the error."""
    monkeypatch.setattr(index_build, "SCHEMA", "CREATE VIRTUAL TABLE search USING fts99 (folded);")
    with pytest.raises(StoreError, match="SQLite cannot make an index of labels: no such module: fts99"):
        KG.load(graph).lookup("label")


def test_two_programs_at_once(graph: Path, cache: Path) -> None:
    """Programs that make the same index at the same time both have it."""
    code = (
        "import sys; from hermes import KG; from hermes.labels import kept_index as e; e._SMALL = 0; "
        "print(KG.load(sys.argv[1]).lookup('label 7').entries[0].term.value)"
    )
    command = [sys.executable, "-c", code, str(graph)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [each.communicate(timeout=60)[0].strip() for each in running] == [EX + "7"] * 4
    assert [path.suffix for path in cache.iterdir()] == [".sqlite"]


def test_progress(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes more than a second says how far it is, ever less often."""
    now = iter([0.0, 0.5, 1.2, 2.0, 3.5, 4.0, 99.0])
    monkeypatch.setattr(progress, "monotonic", lambda: next(now))
    tell = progress.Progress("indexing the labels")
    with caplog.at_level(logging.INFO, "hermes"):
        for done in range(0, 6000, 1000):
            tell(done)
    assert caplog.messages == [
        "indexing the labels: 1,000 read, 1 s",
        "indexing the labels: 3,000 read, 4 s",
        "indexing the labels: 5,000 read, 99 s",
    ]


def test_in_memory() -> None:
    """An index of names that are known is complete."""
    assert in_memory("k", _fill).complete
