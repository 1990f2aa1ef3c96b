"""`hermes check`: what the graph proves of a query before it runs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from hermes.algebra import parse_query
from hermes.cli.arguments import (
    DEFAULT_KG,
    KG_VARIABLE,
    Command,
    add_graph_options,
    chosen_sources,
    load,
)
from hermes.cli.configuration import configured
from hermes.cli.streams import complain, read_all, say, title
from hermes.kg import KG
from hermes.store import is_endpoint
from hermes.terms import IRI, Prefixes, display
from hermes.verifier import Kernel, Refusal, Schema, Verdict, recheck
from hermes.verifier.sampling import PATIENCE
from hermes.verifier.verdict import Judgement

FORMAT: Final = 1
_SHOWN: Final = 4
"""So many classes, datatypes or languages are named."""
_KIND_NAMES: Final = {"iri": "an IRI", "blank": "a blank node", "triple": "a triple"}

_EXAMPLES: Final = """\
The query is not run: the graph is read once, and the verdict follows from what was read. A query is refused
only where its WHERE has no solution in the graph; then the exit code is 1. An endpoint is sampled, and an
ontology or shapes say what to expect: by these it is warned of alone.

example:
  $ echo 'SELECT ?c { ?c a ex:City ; ex:season ?s }' | hermes check -
  refused (no-common-terms): ..."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("query", metavar="QUERY.rq", help="a SPARQL 1.1 query; - reads stdin")
    add_graph_options(parser, default=f"default: {KG_VARIABLE}, else kg in hermes.toml, else {DEFAULT_KG}")
    for name, what in (("ontology", "an ontology (RDFS, OWL)"), ("shapes", "SHACL shapes")):
        parser.add_argument(
            f"--{name}",
            action="append",
            metavar="FILE",
            help=f"a file with {what}: what to expect of the graph, beside what it says itself; may be "
            f"repeated (default: HERMES_{name.upper()}, else {name} in hermes.toml)",
        )
    parser.add_argument(
        "--recheck", action="store_true", help="derive the verdict by another way too, which takes longer"
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object: the verdict")


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether the query is accepted."""
    text = read_all(options.query)
    kg = load(options, chosen_sources(options))
    plan = parse_query(text, prefixes=kg.prefixes)
    schema = _schema(options, kg)
    verdict = Kernel(schema).check(plan)
    again = recheck(verdict, plan, schema) if options.recheck else None
    if options.json:
        content = verdict_to_json(verdict) | ({} if again is None else {"recheck": again})
        sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, verdict_lines(verdict, plan.prefixes))
        say(sys.stdout, [] if again is None else [f"    recheck: {again}"])
    if again == "contradicted":
        complain(f"a second derivation contradicts the verdict on {title(options.query)}: please report it")
        return False
    if not verdict.accepted:
        complain(f"{title(options.query)} is refused: {verdict.reason}")
    return verdict.accepted


def _schema(options: argparse.Namespace, kg: KG) -> Schema:
    if is_endpoint(kg.store):
        say(sys.stderr, [f"asking the endpoint for a sample, for at most {PATIENCE:g} s"])
    return Schema.mine(
        kg,
        ontology=options.ontology or configured("ontology") or (),
        shapes=options.shapes or configured("shapes") or (),
    )


def verdict_lines(verdict: Verdict, prefixes: Prefixes) -> list[str]:
    """Return a verdict for a reader: what it is, what the variables can be, warnings and unknowns."""
    if isinstance(verdict, Refusal):
        lines = [f"refused ({verdict.code}): {verdict.reason}", f"    at: {verdict.at}"]
    else:
        lines = [f"accepted; rows: {verdict.multiplicity}"]
        lines += [f"    {name}: {_judged(judged, prefixes)}" for name, judged in verdict.judgements.items()]
    lines += [f"    warning ({warned.code}): {warned.message}" for warned in verdict.warnings]
    return lines + [
        f"    unknown: {f'{each.at}: ' if each.at else ''}{each.reason}" for each in verdict.unknowns
    ]


def _judged(judged: Judgement, prefixes: Prefixes) -> str:
    """Return what a variable can be, such as `ex:City, ex:Capital (iri)`."""
    if judged.computed and {"iri", "literal"} <= set(judged.kinds):
        return "anything"
    parts = [
        *_some(judged.classes, prefixes),
        *_some(judged.datatypes, prefixes),
        *(f"text @{tag}" for tag in judged.languages[:_SHOWN]),
    ]
    kinds = [kind for kind in judged.kinds if kind != "literal" and not judged.classes]
    parts += [_KIND_NAMES[kind] for kind in kinds]
    if judged.computed:
        parts.append("a computed value")
    return f"{', '.join(parts) or 'nothing'}{'; or unbound' if judged.may_be_unbound else ''}"


def _some(names: Sequence[str], prefixes: Prefixes) -> list[str]:
    shown = [display(IRI(name), prefixes) for name in names[:_SHOWN]]
    return shown + [f"and {len(names) - _SHOWN} more"] * (len(names) > _SHOWN)


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON; terms are absolute IRIs."""
    found: dict[str, Any] = {"format": FORMAT, "accepted": verdict.accepted}
    if isinstance(verdict, Refusal):
        found |= {"code": verdict.code, "reason": verdict.reason, "at": verdict.at}
    else:
        found |= {
            "multiplicity": verdict.multiplicity,
            "judgements": {name.name: asdict(judged) for name, judged in verdict.judgements.items()},
        }
    return found | {
        "warnings": [asdict(warned) for warned in verdict.warnings],
        "unknowns": [asdict(unknown) for unknown in verdict.unknowns],
    }


COMMAND: Final = Command(
    says="say what the graph proves of a query before it runs",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
