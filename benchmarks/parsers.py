"""What the maker of the grammar was chosen by: our own parser and its peers on the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from benchmarks.peers import PEERS, Parse, Peer, accepts
from benchmarks.report import Row, conditions, number, table
from benchmarks.samples import Query, data_line, real_queries, sample, syntax_tests
from benchmarks.timing import in_fresh_processes, times

_SAMPLE: Final = 300
_RUNS: Final = 3
_PROCESSES: Final = 7
_LEAST: Final = 0.99
"""The share of the valid texts that `sparql.lark` must accept, so that its time means something."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What the parsers are given: real queries, and the W3C's valid and invalid ones."""

    real: list[Query]
    valid: list[Query]
    invalid: list[Query]

    @classmethod
    def load(cls) -> Texts:
        """Return the fixed sample and the syntax tests."""
        return cls(sample(real_queries(), _SAMPLE), syntax_tests("Positive"), syntax_tests("Negative"))


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of one parser."""

    real: int
    valid: int
    refused: int
    milliseconds: float
    slowest: float

    @classmethod
    def of(cls, parse: Parse, texts: Texts) -> Found:
        """Measure one parser; times are of the real queries that it accepts."""
        taken = [query.text for query in texts.real if accepts(parse, query.text)]
        spent = [value / 1000 for value in times(parse, taken, _RUNS)] or [0.0]
        return cls(
            real=len(taken),
            valid=sum(accepts(parse, query.text) for query in texts.valid),
            refused=sum(not accepts(parse, query.text) for query in texts.invalid),
            milliseconds=median(spent),
            slowest=max(spent),
        )


def import_times(peers: Sequence[Peer]) -> dict[str, float]:
    """Return the milliseconds that each parser adds to the start of a process."""
    programs = {"": "pass"} | {peer.name: peer.set_up for peer in peers}
    found = in_fresh_processes(programs, _PROCESSES)
    bare = median(found.pop(""))
    return {name: max(0.0, median(values) - bare) for name, values in found.items()}


def lines(texts: Texts, found: dict[str, Found], imports: dict[str, float]) -> Iterator[Row]:
    """Yield the rows of the table."""
    for peer in PEERS:
        if peer.name not in found:
            yield (peer.name, *[""] * 5, f"not installed (pip install {' '.join(peer.distributions)})")
            continue
        one = found[peer.name]
        yield (
            peer.name,
            f"{one.real} of {len(texts.real)}",
            f"{one.valid} of {len(texts.valid)}",
            f"{one.refused} of {len(texts.invalid)}",
            f"{number(one.milliseconds)} / {number(one.slowest)}",
            number(imports[peer.name]),
            peer.gives,
        )


def lark_is_complete(texts: Texts, found: Found) -> bool:
    """Whether `sparql.lark` accepts enough of the valid texts for its time to mean something."""
    return found.real + found.valid >= _LEAST * (len(texts.real) + len(texts.valid))


def main(_: Sequence[str] = ()) -> int:
    """Print the table; the exit code is 1 when `sparql.lark` is too incomplete to be measured."""
    names = [name for peer in PEERS for name in peer.distributions if name != "hermes-kg"]
    print("\n".join([*conditions(*names), data_line()]))
    print(f"time: of each accepted real query the median of {_RUNS} runs, all in turn; then over the queries")
    print(f"start: a fresh process that makes the parser ready, less bare python; median of {_PROCESSES}")
    print("the real queries were chosen by what pyoxigraph reads, so its first figure says nothing\n")
    texts = Texts.load()
    there = [peer for peer in PEERS if peer.installed]
    found = {peer.name: Found.of(peer.make(), texts) for peer in there}
    header = ("", "real accepted", "W3C valid accepted", "W3C invalid refused", "ms median / largest")
    rows = lines(texts, found, import_times(there))
    print(table((*header, "start ms", "gives"), rows) + "\n")
    lark = next((one for name, one in found.items() if name.startswith("Lark")), None)
    return int(lark is not None and not lark_is_complete(texts, lark))


if __name__ == "__main__":
    raise SystemExit(main())
