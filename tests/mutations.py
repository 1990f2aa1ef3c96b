"""Random edits of texts and JSON values: what a careless, or an ill-meaning, writer may send."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

_DATA: Final = Path(__file__).parent / "fuzz"
SNIPPETS: Final[Sequence[str]] = json.loads((_DATA / "snippets.json").read_text(encoding="utf-8"))
ACTIONS: Final[Sequence[dict[str, Any]]] = [
    json.loads(line) for line in (_DATA / "actions.jsonl").read_text(encoding="utf-8").splitlines()
]
QUERIES: Final[Sequence[str]] = (_DATA / "queries.txt").read_text(encoding="utf-8").strip().split("\n---\n")
Edit = Callable[[str, int, int, Random], str]


def _insert(text: str, start: int, _: int, random: Random) -> str:
    return text[:start] + random.choice(SNIPPETS) + text[start:]


def _insert_apart(text: str, start: int, _: int, random: Random) -> str:
    return f"{text[:start]} {random.choice(SNIPPETS)} {text[start:]}"


def _replace(text: str, start: int, end: int, random: Random) -> str:
    return text[:start] + random.choice(SNIPPETS) + text[end:]


def _delete(text: str, start: int, end: int, _: Random) -> str:
    return text[:start] + text[end:]


def _repeat(text: str, start: int, end: int, random: Random) -> str:
    return text[:end] + text[start:end] * random.choice((1, 1, 2, 6)) + text[end:]


def _character(text: str, start: int, _: int, random: Random) -> str:
    return (
        text[:start]
        + chr(random.choice((random.randrange(128), random.randrange(0x3000))))
        + text[start + 1 :]
    )


def _swap_case(text: str, start: int, end: int, _: Random) -> str:
    return text[:start] + text[start:end].swapcase() + text[end:]


def _move(text: str, start: int, end: int, random: Random) -> str:
    rest = text[:start] + text[end:]
    place = random.randrange(len(rest) + 1)
    return rest[:place] + text[start:end] + rest[place:]


def _exchange(text: str, start: int, _: int, random: Random) -> str:
    """Put another word, of the text or of the snippets, in place of one."""
    words = text.split(" ")
    place = min(len(words) - 1, text[:start].count(" "))
    words[place] = random.choice((random.choice(words), random.choice(SNIPPETS)))
    return " ".join(words)


_EDITS: Final[Sequence[Edit]] = (
    *(_insert, _insert, _insert, _insert_apart, _insert_apart, _replace, _replace),
    *(_delete, _repeat, _character, _swap_case, _move, _exchange, _exchange, _exchange),
)


def mutated(text: str, random: Random) -> str:
    """Return `text` after one to three random edits."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((1, 1, 2, 4, 12)))
        text = random.choice(_EDITS)(text, start, end, random)
    return text


def _deep(depth: int, inner: Any, step: Callable[[Any], Any]) -> Any:
    for _ in range(depth):
        inner = step(inner)
    return inner


def odd_value(random: Random) -> Any:
    """Return a JSON value, or nearly one, that hardly any field expects."""
    depth = random.choice((1, 15, 17, 80, 500))
    return random.choice(
        (
            *(
                None,
                True,
                False,
                0,
                1,
                -1,
                1.0,
                1.5,
                float("nan"),
                float("inf"),
                10**30,
                10**5000,
                -(10**5000),
                2**63,
            ),
            *(
                "",
                "?x",
                "*",
                "1",
                [],
                {},
                [[]],
                [None],
                [{}],
                [1],
                ["?x", 1],
                {"op": "undo"},
                {"op": 1},
                {"": ""},
                [["?x"]],
            ),
            *("\ud800", "\x00", "a" * 3000, "(" * 500, "{" * 500, "?x " * 900, b"?x", ("?x",), {"?x"}),
            _deep(depth, [], lambda inner: [inner]),
            _deep(depth, {"op": "distinct"}, lambda inner: {"op": "optional", "patterns": [inner]}),
            _deep(depth, {"op": "distinct"}, lambda inner: {"op": "subquery", "actions": [inner]}),
            _deep(depth, "?x ?y ?z", lambda inner: "OPTIONAL { " + str(inner) + " }"),
            _deep(depth, "1", lambda inner: f"({inner})"),
        )
    )


def mutated_json(value: Any, random: Random) -> Any:
    """Return a JSON value with one thing in it changed: a text, a name, a type, a number of members."""
    kind = random.random()
    if kind < 0.15:
        return odd_value(random)
    if isinstance(value, str):
        return mutated(value, random)
    if isinstance(value, dict):
        return _mutated_object(value, random)
    if isinstance(value, list | tuple) and value:
        place = random.randrange(len(value))
        changed = [*value[:place], mutated_json(value[place], random), *value[place + 1 :]]
        return random.choice((changed, changed, changed, value[:place], [*value, *value], tuple(changed)))
    return odd_value(random)


def _mutated_object(value: dict[str, Any], random: Random) -> Any:
    name = random.choice(list(value) or [""])
    rest = {key: each for key, each in value.items() if key != name}
    change = random.randrange(8)
    if change == 0:
        return rest
    if change == 1:
        return {**rest, mutated(name, random): value.get(name)}
    if change == 2:
        return {**value, random.choice(("op", "silent", "at", "named", "", "Op", "n")): odd_value(random)}
    return {**value, name: mutated_json(value.get(name), random)}
