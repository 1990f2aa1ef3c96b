"""A schema in a file: text and numbers alone, so that reading one runs nothing; what is broken is not used.

A line says what the file is, the next has the SHA-256 of all that follows. Then come one line of JSON, and
the occurrences as the bytes of their arrays. A name (of a predicate, a class or a graph) is written once;
elsewhere stands its place among the names.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal

from hermes.verifier.fragments import Fragments
from hermes.verifier.occurrences import Occurrences
from hermes.verifier.schema import Columns, Contents, Predicate, Schema, Signature

FORMAT: Final = 1

_TITLE: Final = b"hermes schema\n"
_DIGEST: Final = 65
"""The length of a digest in hexadecimal and a line end."""


class BrokenSchemaError(ValueError):
    """What was read is not a schema, or not the one that was wanted."""


# --- writing ------------------------------------------------------------------------------------


class _Names:
    """Names with their places, in the order in which they are first needed."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))


def to_bytes(schema: Schema, key: str) -> bytes:
    """Return a complete schema, with the key that it is known by, as the contents of a file."""
    names = _Names()
    head = {
        "key": key,
        "fingerprint": schema.fingerprint,
        "dataset": schema.dataset,
        "default": _contents(schema.contents(), names),
        "graphs": {name: _contents(graph, names) for name, graph in schema.graphs.items()},
        "graphs_unknown": schema.graphs_unknown,
        "signatures": [_signature(each, names) for each in schema.signatures],
        "occurrences": [(tag, len(each), each.loose) for tag, each in schema.occurrences.items()],
        "fragments": _fragments(schema.fragments),
        "names": list(names.places),
    }
    body = [json.dumps(head, separators=(",", ":")).encode(), b"\n"]
    for each in schema.occurrences.values():
        body += [_little(each.hashes).tobytes(), _little(each.signatures).tobytes()]
    digest = sha256()
    for part in body:
        digest.update(part)
    return b"".join([_TITLE, digest.hexdigest().encode(), b"\n", *body])


def _contents(graph: Contents, names: _Names) -> dict[str, Any]:
    return {
        "triples": graph.triples,
        "classes": [(names.place(name), count) for name, count in graph.classes.items()],
        "predicates": [
            (names.place(name), each.triples, each.subjects, each.objects, sorted(each.links))
            for name, each in graph.predicates.items()
        ],
    }


def _fragments(fragments: Fragments) -> list[Any]:
    """Return fragments; the sets of signatures in hexadecimal, as JSON has no large numbers everywhere."""
    pieces = {piece: f"{places:x}" for piece, places in fragments.pieces.items()}
    return [pieces, f"{fragments.read:x}", f"{fragments.values:x}"]


def _signature(signature: Signature, names: _Names) -> list[Any]:
    return [
        signature.kind,
        signature.tag,
        _columns(signature.columns(), names),
        signature.count,
        signature.low,
        signature.high,
        signature.exact,
        [(names.place(graph), _columns(each, names)) for graph, each in signature.named.items()],
        None if signature.graph is None else names.place(signature.graph),
    ]


def _columns(columns: Columns, names: _Names) -> list[Any]:
    sides = (columns.classes, columns.subject_of, columns.object_of)
    return [*([names.place(name) for name in side] for side in sides), columns.predicate]


def _little(numbers: array[int]) -> array[int]:
    """Return numbers with the lowest byte first."""
    if sys.byteorder == "little":
        return numbers
    turned = array(numbers.typecode, numbers)
    turned.byteswap()
    return turned


# --- reading ------------------------------------------------------------------------------------


def from_bytes(data: bytes, key: str) -> Schema:
    """Return the schema that the contents of a file hold.

    Raises:
        BrokenSchemaError: they are not whole, or hold a schema that is known by another key.
    """
    if not data.startswith(_TITLE):
        raise BrokenSchemaError("it does not begin as a schema does")
    start = len(_TITLE) + _DIGEST
    body = memoryview(data)[start:]
    if data[len(_TITLE) : start] != sha256(body).hexdigest().encode() + b"\n":
        raise BrokenSchemaError("its digest is another")
    try:
        end = data.index(b"\n", start)
        head = json.loads(data[start:end])
        if head["key"] != key:
            raise BrokenSchemaError("its key is another")
        return _schema(head, memoryview(data)[end + 1 :])
    except (AttributeError, KeyError, TypeError, IndexError, ValueError, RecursionError) as error:
        raise BrokenSchemaError(str(error)) from None


def _schema(head: Mapping[str, Any], arrays: memoryview) -> Schema:
    names: list[str] = head["names"]
    default = _read_contents(head["default"], names)
    graphs = {name: _read_contents(graph, names) for name, graph in head["graphs"].items()}
    signatures = tuple(_read_signature(each, names) for each in head["signatures"])
    occurrences = dict(_read_occurrences(head["occurrences"], arrays))
    fragments = _read_fragments(head["fragments"])
    if fragments.read.bit_length() > len(signatures):
        raise BrokenSchemaError("it speaks of texts of signatures that it does not have")
    for places in _places(occurrences, (default, *graphs.values())):
        if len(places) and not 0 <= min(places) <= max(places) < len(signatures):
            raise BrokenSchemaError("it speaks of signatures that it does not have")
    return Schema(
        fingerprint=head["fingerprint"],
        dataset=head["dataset"],
        complete=True,
        triples=default.triples,
        predicates=default.predicates,
        classes=default.classes,
        signatures=signatures,
        occurrences=occurrences,
        graphs=graphs,
        graphs_unknown=head["graphs_unknown"],
        fragments=fragments,
    )


def _places(occurrences: Mapping[str, Occurrences], graphs: Sequence[Contents]) -> Iterator[Sequence[int]]:
    """Yield the places of signatures that are spoken of."""
    for each in occurrences.values():
        yield each.signatures
        yield each.loose
    for graph in graphs:
        for predicate in graph.predicates.values():
            yield from predicate.links


def _read_contents(found: Mapping[str, Any], names: list[str]) -> Contents:
    return Contents(
        found["triples"],
        {
            names[place]: Predicate(
                triples, subjects, objects, frozenset((one, other) for one, other in links)
            )
            for place, triples, subjects, objects, links in found["predicates"]
        },
        {names[place]: count for place, count in found["classes"]},
    )


def _link(found: list[int]) -> tuple[int, int]:
    subject, object_ = found
    return subject, object_


def _read_signature(found: list[Any], names: list[str]) -> Signature:
    kind, tag, own, count, low, high, exact, named, graph = found
    columns = _read_columns(own, names)
    return Signature(
        kind,
        tag,
        columns.classes,
        columns.subject_of,
        columns.object_of,
        columns.predicate,
        count,
        low,
        high,
        exact,
        {names[place]: _read_columns(each, names) for place, each in named},
        None if graph is None else names[graph],
    )


def _read_columns(found: list[Any], names: list[str]) -> Columns:
    classes, subject_of, object_of, predicate = found
    one, two, three = (tuple(names[place] for place in side) for side in (classes, subject_of, object_of))
    return Columns(one, two, three, predicate)


def _read_fragments(found: list[Any]) -> Fragments:
    pieces, read, values = found
    return Fragments(
        {piece: int(places, 16) for piece, places in pieces.items()}, int(read, 16), int(values, 16)
    )


def _read_occurrences(found: list[Any], arrays: memoryview) -> Iterator[tuple[str, Occurrences]]:
    for tag, size, loose in found:
        hashes, arrays = _read_array("Q", size, arrays)
        signatures, arrays = _read_array("I", size, arrays)
        yield tag, Occurrences(hashes, signatures, tuple(loose))


def _read_array(typecode: Literal["Q", "I"], size: int, arrays: memoryview) -> tuple[array[int], memoryview]:
    found = array(typecode)
    length = size * found.itemsize
    found.frombytes(arrays[:length])
    if len(found) != size:
        raise BrokenSchemaError("it is too short")
    return _little(found), arrays[length:]
