"""Write docs/actions.md from the catalogue, and docs/engines.md from the known differences.

`python docs/generate.py`
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING
from pathlib import Path
from typing import Final

from hermes.algebra import Plan, catalogue
from hermes.algebra.engines import Difference, differences
from hermes.algebra.hints.engines import RULES
from hermes.algebra.kind import Control, Kind, Operator, field_rules
from hermes.algebra.short import example
from hermes.terms import WELL_KNOWN

FOLDER: Final = Path(__file__).parent
_PLAN: Final = Plan(prefixes=WELL_KNOWN | {"ex": "http://example.org/olympics/"})
HEAD = """# Actions

An action is one JSON object with `op` and the fields of its operator. This page is written by
`python docs/generate.py` from the classes themselves; every example runs as a test, shown as JSON and
then in the short form that `hermes explore` reads too.

An item of `patterns` or of a branch is the text of one triple pattern, the text of another element of a group
(`FILTER(...)`, `BIND(...)`, `OPTIONAL { ... }`, `{ SELECT ... }`), or an action of its own.
"""
ENGINES_HEAD = """# How engines differ

Where engines are known to differ from SPARQL 1.1 or from each other, and what hermes does about it. This
page is written by `python docs/generate.py` from `src/hermes/algebra/engines.json`, which the tests with two
engines use too. What is said of Oxigraph (0.5.13) and rdflib (7.6.0) is shown by tests; that of Virtuoso
(7.2.5), Comunica (4.5) and Jena (4.5) was seen once, by hand.

Where a difference is *warned of*, a step that brings it into the plan has the hint `engine-difference` when
that engine serves the graph.
"""


def page() -> str:
    """Return the text of the page of actions."""
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
    shown = f"    {each.example}\n    {example(each, _PLAN)}"
    lines = [f"### {each.op}\n", inspect.cleandoc(each.__doc__ or ""), "", shown, ""]
    return "\n".join([*lines, *fields, *([""] if fields else [])])


def _shown(default: object) -> str:
    return "none" if default in (None, (), "") else f"`{str(default).lower()}`"


def engines_page() -> str:
    """Return the text of the page of engines."""
    known = list(differences().values())
    names = sorted({name for each in known for name in each.engines})
    lists = []
    for name in names:
        links = [f"[{each.id}](#{each.id})" for each in known if name in each.engines]
        lists.append(f"- **{name}**: {', '.join(links)}")
    return "\n".join([ENGINES_HEAD, *lists, "", *map(_difference, known)])


def _difference(each: Difference) -> str:
    warned = ", warned of" if each.id in RULES else ""
    lines = [f"## {each.id}\n", f"*{', '.join(each.engines)}*{warned}. {each.happens}.", ""]
    lines += [f"- SPARQL: {each.why}", f"- hermes: {each.hermes}"]
    lines += [f"- Way out: {each.advice}."] if each.advice else []
    return "\n".join([*lines, *(["", f"      {each.example}"] if each.example else []), ""])


PAGES: Final[dict[str, Callable[[], str]]] = {"actions.md": page, "engines.md": engines_page}


if __name__ == "__main__":
    for target, text in PAGES.items():
        (FOLDER / target).write_text(text(), encoding="utf-8")
