"""Measurements over the shared data. They use the oracles of the test suite, which stand in `tests`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
