"""hermes as a real process, and the documented session that it should show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENTED: Final = str(ROOT / "examples" / "documented.jsonl")
STEPS: Final = """\
{"op": "triple", "pattern": "?city ex:hosted ?g"}  -> 19 solutions
{"op": "triple", "pattern": "?city ex:country ex:USA"}  -> 19 -> 8 solutions
{"op": "triple", "pattern": "?g ex:season \\"Winter\\""}  -> 8 -> 4 solutions
{"op": "distinct"}  -> 4 -> 3 solutions
"""
QUERY: Final = """\
PREFIX ex: <http://example.org/olympics/>
SELECT DISTINCT ?city
WHERE {
  ?city ex:hosted ?g .
  ?city ex:country ex:USA .
  ?g ex:season "Winter" .
}
"""
HOSTED: Final = '{"op": "triple", "pattern": "?city ex:hosted ?g"}'
UNKNOWN: Final = '{"op": "triple", "pattern": "?city no:such ?g"}'
CITIES: Final = {"LakePlacid", "SaltLakeCity", "SquawValley"}


def start(*words: str, **env: str) -> subprocess.Popen[bytes]:
    """Start hermes as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "hermes", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"HERMES_KG": ""} | env,
    )


def process(*words: str, stdin: bytes = b"", **env: str) -> tuple[int, str, str]:
    """Run hermes as a process; return its exit code, stdout and stderr."""
    with start(*words, **env) as started:
        out, err = started.communicate(stdin, timeout=60)
    return started.returncode, out.decode(), err.decode()
