"""Write docs/actions.md from the catalogue: `python docs/generate.py`."""

from __future__ import annotations

import inspect
from dataclasses import MISSING
from pathlib import Path

from hermes.algebra import catalogue
from hermes.algebra.kind import Control, Kind, Operator, field_rules

TARGET = Path(__file__).parent / "actions.md"
HEAD = """# Actions

An action is one JSON object with `op` and the fields of its operator. This page is written by
`python docs/generate.py` from the classes themselves; every example runs as a test.

An item of `patterns` or of a branch is the text of one triple pattern, the text of another element of a group
(`FILTER(...)`, `BIND(...)`, `OPTIONAL { ... }`, `{ SELECT ... }`), or an action of its own.
"""


def page() -> str:
    """Return the text of the page."""
    sections: dict[str, list[type[Kind]]] = {"Operators": [], "Reads": [], "Control": []}
    for each in catalogue():
        name = (
            "Operators" if issubclass(each, Operator) else "Control" if issubclass(each, Control) else "Reads"
        )
        sections[name].append(each)
    parts = [HEAD]
    for title, kinds in sections.items():
        parts.append(f"## {title}\n")
        parts += [_entry(each) for each in kinds]
    return "\n".join(parts)


def _entry(each: type[Kind]) -> str:
    fields = [
        f"- `{name}`: {rule.wants}" + ("" if default is MISSING else f" (default: {_shown(default)})")
        for name, (rule, default) in field_rules(each).items()
    ]
    lines = [f"### {each.op}\n", inspect.cleandoc(each.__doc__ or ""), "", f"    {each.example}", ""]
    return "\n".join([*lines, *fields, *([""] if fields else [])])


def _shown(default: object) -> str:
    return "none" if default in (None, (), "") else f"`{str(default).lower()}`"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
