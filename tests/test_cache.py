"""The cache: what it answers from memory, what it keeps, and how much."""

from __future__ import annotations

import pytest

from hermes.errors import StoreError
from hermes.results import Table, Triples
from hermes.store import CachedStore
from hermes.terms import IRI, Literal, TripleTerm

E = "http://e/"


class CountingStore:
    """A store that counts what it is asked."""

    engine = "counting"
    source = "nowhere"
    fingerprint = "0"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.closed = False

    def select(self, query: str) -> Table:
        """Answer with a row; fail or cut the result where the text says so."""
        self.asked.append(query)
        if "fail" in query:
            raise StoreError("it failed")
        return Table(("x",), ({"x": Literal("y" * 1000)},), complete="cut" not in query)

    def ask(self, query: str) -> bool:
        """Answer yes."""
        self.asked.append(query)
        return True

    def construct(self, query: str) -> Triples:
        """Answer with a triple."""
        self.asked.append(query)
        return Triples((TripleTerm(IRI(E + "a"), IRI(E + "b"), Literal("c")),))

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


@pytest.fixture
def inner() -> CountingStore:
    """A store that counts what it is asked."""
    return CountingStore()


def test_cache_answers_once(inner: CountingStore) -> None:
    """Each query form is executed once, and what the cache did is visible."""
    cached = CachedStore(inner)
    first = (cached.select("s"), cached.ask("a"), cached.construct("c"))
    assert (cached.select("s"), cached.ask("a"), cached.construct("c")) == first
    assert inner.asked == ["s", "a", "c"]
    assert (cached.hits, cached.misses) == (3, 3)
    assert cached.bytes > 1000
    assert (cached.engine, cached.source, cached.fingerprint) == ("counting", "nowhere", "0")
    cached.close()
    assert inner.closed
    assert cached.bytes == 0


def test_cache_is_bounded(inner: CountingStore) -> None:
    """The least recently used result goes first, and a result beyond the limit is not kept."""
    cached = CachedStore(inner, max_bytes=4000)
    for query in ("1", "2", "1", "3", "1", "2"):
        cached.select(query)
        assert cached.bytes <= 4000
    assert inner.asked == ["1", "2", "3", "2"]
    tiny = CachedStore(inner, max_bytes=1000)
    tiny.select("1")
    assert tiny.bytes == 0


def test_cache_keeps_no_errors_and_nothing_cut(inner: CountingStore) -> None:
    """What failed or was cut is asked again."""
    cached = CachedStore(inner)
    for _ in range(2):
        with pytest.raises(StoreError):
            cached.select("fail")
        assert not cached.select("cut").complete
    assert inner.asked == ["fail", "cut", "fail", "cut"]
    assert cached.bytes == 0


def test_cache_knows_the_form(inner: CountingStore) -> None:
    """A text that was answered by one method is not answered from memory by another."""
    cached = CachedStore(inner)
    assert isinstance(cached.select("x"), Table)
    assert isinstance(cached.construct("x"), Triples)
    assert inner.asked == ["x", "x"]
