"""An operator is added in one class of one file: the one of CONTRIBUTING.md, exactly as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECK = """
import json
import sys
sys.path.insert(0, sys.argv[1])
import hermes.algebra.operators as operators
operators.__path__.append(sys.argv[1])
import hermes.algebra.operators.lateral
from hermes import KG
from hermes.algebra import Explorer, Plan, catalogue, parse_action, parse_query, render
from hermes.algebra.short import example, parse_short
from hermes.verbalize import verbalize

kg = KG.load("olympics")
kind = {each.op: each for each in catalogue()}["lateral"]
explorer = Explorer(kg)
explorer.run(parse_action({"op": "triple", "pattern": "?city a ex:City"}))
explorer.run(parse_action(kind.example))
assert "LATERAL { { SELECT ?twin WHERE {" in explorer.sparql, explorer.sparql
plan = explorer.plan
assert parse_query(render(plan)) == plan
assert parse_query(render(plan, kg.header)) == plan
rebuilt = Plan()
for action in plan.actions():
    rebuilt = parse_action(str(action)).apply(rebuilt)
assert rebuilt == plan
assert plan.key == rebuilt.key
assert example(kind, plan).startswith("lateral { { SELECT ?twin")
assert parse_short(example(kind, plan), plan).read(plan) == parse_action(kind.example).read(plan)
from hermes.verifier import Kernel, Schema, recheck

schema = Schema.mine(kg)
inner = '{"op": "lateral", "patterns": ["?city ex:absent ?x"]}'
unknown = parse_action(inner).apply(plan)
verdict = Kernel(schema).check(unknown)
assert verdict.accepted and verdict.unknowns[0].at.startswith("LATERAL"), verdict
assert recheck(verdict, unknown, schema) == "undecided"
for around in ("optional", "minus", "join"):
    wrapped = parse_action({"op": around, "patterns": [json.loads(inner)]}).apply(plan)
    assert Kernel(schema).check(wrapped).accepted, around
nested = parse_action({"op": "optional", "patterns": [parse_action(kind.example).to_json()]})
assert "OPTIONAL { LATERAL {" in render(nested.apply(Plan(prefixes=kg.prefixes)), kg.header)
words = verbalize(plan, kg)
assert words.startswith("every city ?city; where as in `LATERAL { { SELECT ?twin WHERE {"), words
text = "LATERAL { { SELECT ?twin { ?city ex:twin ?twin } LIMIT 1 } }"
explorer.run(parse_action({"op": "remove", "text": text}))
assert "LATERAL" not in explorer.sparql
print(explorer.observation.summary())
"""


def test_the_operator_of_the_guide_works_everywhere(tmp_path: Path) -> None:
    """JSON, text, query, actions, words, nesting and removal of a new operator need nothing but its file."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = re.search(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert block is not None
    (tmp_path / "lateral.py").write_text(block[1], encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", CHECK, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().endswith("13 solutions")
