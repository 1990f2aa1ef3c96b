"""Which terms a graph has, and of which signature each is: by 64-bit hashes in sorted arrays."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from operator import itemgetter
from typing import Self


def hash_of(key: str) -> int:
    """Return the hash of a key, the same in every process."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The terms of one kind, each with its signature.

    Two keys with the same hash are one entry with both signatures, so a term of the graph is never missed; of
    a term that the graph does not have, it may be said (once in 10^13 times) that it has it.

    `loose` are the signatures of terms without a key, `unseen` those that a term may have which is not among
    the keys: none where all terms are known.
    """

    hashes: array[int]
    signatures: array[int]
    loose: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()

    @classmethod
    def of(cls, keyed: Mapping[str, int], loose: Iterable[int] = (), unseen: Iterable[int] = ()) -> Self:
        """Return the entries for keys with their signatures, and the signatures of other terms."""
        return cls.of_several(((key, (at,)) for key, at in keyed.items()), loose, unseen)

    @classmethod
    def of_several(
        cls, keyed: Iterable[tuple[str, Iterable[int]]], loose: Iterable[int], unseen: Iterable[int]
    ) -> Self:
        """Return the same where a key may have one of several signatures."""
        entries = sorted(((hash_of(key), at) for key, places in keyed for at in places), key=itemgetter(0))
        hashes = array("Q", (each for each, _ in entries))
        return cls(
            hashes,
            array("I", (at for _, at in entries)),
            tuple(sorted(set(loose))),
            tuple(sorted(set(unseen))),
        )

    def __len__(self) -> int:
        return len(self.hashes)

    def signatures_of(self, key: str) -> tuple[int, ...]:
        """Return the signatures of what the key may be; none where the graph does not have it."""
        wanted = hash_of(key)
        at = bisect_left(self.hashes, wanted)
        found: tuple[int, ...] = ()
        while at < len(self.hashes) and self.hashes[at] == wanted:
            found = (*found, self.signatures[at])
            at += 1
        return (*self.loose, *(found or self.unseen))
