"""Schemas that are remembered, in memory and in files: one for each graph; a broken file is none."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.store import write_store
from hermes.verifier import Schema, mining, remembered
from hermes.verifier.schema_file import BrokenSchemaError, from_bytes, to_bytes
from kernel_graphs import GraphDice, dataset, graph

EX = "http://example.org/"
GRAPH = f"<{EX}a> <{EX}p> <{EX}b> .\n<{EX}b> <{EX}p> 1 .\n<{EX}b> <{EX}q> 2, 'x'@en .\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of a few triples."""
    path = tmp_path / "graph.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory, where a graph of any size is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(remembered, "_SMALL", 0)
    return tmp_path / "cache" / "hermes"


@pytest.fixture
def mined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The fingerprints of the graphs that are mined, one after the other."""
    found: list[str] = []

    def counted(kg: KG) -> Schema:
        found.append(kg.fingerprint)
        return mining.mine(kg)

    monkeypatch.setattr(remembered, "mine", counted)
    return found


def _again(source: Path) -> bytes:
    """Return the schema that another program would get, written: nothing is in memory any more."""
    gc.collect()
    kg = KG.load(source)
    try:
        return to_bytes(Schema.mine(kg), "")
    finally:
        kg.close()


# --- in memory --------------------------------------------------------------------------------------


def test_a_graph_has_one_schema(file: Path, mined: list[str]) -> None:
    """Of the same contents and dataset; a graph that differs has another."""
    one, two = KG.load(file), KG.load(file)
    schema = Schema.mine(one)
    assert Schema.mine(one) is schema
    assert Schema.mine(two) is schema
    assert mined == [one.fingerprint]
    file.write_text(GRAPH.replace("2", "3"), encoding="utf-8")
    assert Schema.mine(KG.load(file)) is not schema


def test_threads_get_one_schema(file: Path, mined: list[str]) -> None:
    """Asked for by several threads at the same time, it is mined once."""
    kg = KG.load(file)
    with ThreadPoolExecutor(8) as pool:
        found = set(map(id, pool.map(lambda _: Schema.mine(kg), range(32))))
    assert len(found) == len(mined) == 1


def test_a_schema_is_forgotten_with_its_graph(file: Path) -> None:
    """Nothing keeps a schema that nobody has."""
    kg = KG.load(file)
    schema = weakref.ref(Schema.mine(kg))
    assert schema() is not None
    kg.close()
    del kg
    gc.collect()
    assert schema() is None


def test_other_bounds_make_another_schema(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was mined with other bounds is not used."""
    kg = KG.load(file)
    assert Schema.mine(kg).complete
    monkeypatch.setattr(mining, "MOST_TRIPLES", 1)
    assert not Schema.mine(kg).complete


# --- in files ---------------------------------------------------------------------------------------


def test_a_small_graph_is_not_kept(file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mining it takes no longer than to look for a file."""
    monkeypatch.setattr(remembered, "_SMALL", 4)
    Schema.mine(KG.load(file))
    assert not cache.exists()


def test_a_schema_is_kept(file: Path, cache: Path, mined: list[str]) -> None:
    """Another program reads it, and it is the same."""
    first = _again(file)
    (path,) = cache.iterdir()
    assert path.stat().st_mode & 0o077 == 0
    assert _again(file) == first
    assert len(mined) == 1
    file.write_text(GRAPH + f"<{EX}a> <{EX}r> 1 .\n", encoding="utf-8")
    assert _again(file) != first
    assert len(list(cache.iterdir())) == 2


def test_that_of_a_store_directory_is_kept_beside_it(file: Path, cache: Path, tmp_path: Path) -> None:
    """It goes where the triples go."""
    store = tmp_path / "store"
    write_store([file], store)
    first = _again(store)
    (path,) = store.glob("schema-*")
    assert not cache.exists()
    moved = tmp_path / "moved"
    store.rename(moved)
    assert _again(moved) == first
    assert [each.name for each in moved.glob("schema-*")] == [path.name]


def test_where_nothing_can_be_written(file: Path, cache: Path) -> None:
    """The schema is mined all the same."""
    cache.parent.mkdir()
    cache.write_text("a file, where the directory should be")
    assert _again(file)


def _cut(data: bytes) -> bytes:
    return data[:-3]


def _changed(data: bytes) -> bytes:
    at = data.index(b'"exact"') if b'"exact"' in data else len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _pickled(_: bytes) -> bytes:
    return pickle.dumps(Harmful())


class Harmful:
    """What a pickle would run."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str, str]]:
        """Set a variable of the environment when it is read."""
        return os.putenv, ("HERMES_HARMED", "1")


@pytest.mark.parametrize("broken", [_cut, _changed, _pickled, lambda _: b"", lambda _: b"hermes schema\n"])
def test_a_broken_file_is_not_used(
    broken: Callable[[bytes], bytes], file: Path, cache: Path, mined: list[str]
) -> None:
    """One that was cut, changed, or is something else: the schema is mined anew, and the file mended."""
    first = _again(file)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(broken(whole))
    assert _again(file) == first
    assert len(mined) == 2
    assert path.read_bytes() == whole
    assert "HERMES_HARMED" not in os.environ


def test_a_file_of_another_graph_is_not_used(file: Path, cache: Path) -> None:
    """A file says which graph it is of; its name alone is not believed."""
    _again(file)
    (path,) = cache.iterdir()
    other = path.read_bytes()
    file.write_text(GRAPH.replace("2", "3"), encoding="utf-8")
    second = _again(file)
    (new,) = (each for each in cache.iterdir() if each != path)
    new.write_bytes(other)
    assert _again(file) == second


def test_what_is_no_schema_is_refused_in_words() -> None:
    """A file with the right digest and wrong contents is broken too."""
    kg = graph(Random(1))  # noqa: S311 - dice for a test
    data = to_bytes(mining.mine(kg), "key")
    title, _, rest = data.split(b"\n", 2)
    head, _, arrays = rest.partition(b"\n")
    for key, value in (
        ("names", []),
        ("signatures", [[]]),
        ("occurrences", [["iri", 9999, []]]),
        ("key", "x"),
    ):
        found = json.dumps(json.loads(head) | {key: value}).encode() + b"\n" + arrays
        with pytest.raises(BrokenSchemaError):
            from_bytes(title + b"\n" + sha256(found).hexdigest().encode() + b"\n" + found, "key")


@given(st.integers(0, 10**9))
def test_what_is_written_is_read(seed: int) -> None:
    """Every schema comes back equal, and is written the same again."""
    schema = mining.mine(dataset(GraphDice(seed)))
    data = to_bytes(schema, "key")
    assert from_bytes(data, "key") == schema
    assert to_bytes(from_bytes(data, "key"), "key") == data


def test_old_schemas_are_removed(file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache directory is bounded, and other files stay."""
    monkeypatch.setattr(remembered, "CACHE_BYTES", 1)
    _again(file)
    (cache / "lookup-other.sqlite").write_text("not a schema")
    file.write_text(GRAPH.replace("2", "3"), encoding="utf-8")
    _again(file)
    assert sorted(path.suffix for path in cache.iterdir()) == [".schema", ".sqlite"]


def test_programs_that_write_at_the_same_time(file: Path, tmp_path: Path) -> None:
    """Do not disturb each other."""
    code = (
        "import sys; from hermes import KG; from hermes.verifier import Schema, remembered; "
        "remembered._SMALL = 0; print(len(Schema.mine(KG.load(sys.argv[1])).signatures))"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(file)], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    assert len({program.communicate()[0] for program in running}) == 1
    assert [path.suffix for path in (tmp_path / "cache" / "hermes").iterdir()] == [".schema"]
