"""Where the shared measuring data is: beside the project, or where HERMES_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

SHARED: Final = Path(os.environ.get("HERMES_SHARED") or Path(__file__).resolve().parents[2] / "shared")
DATA: Final = SHARED / "data"

needs_data: Final = pytest.mark.skipif(
    not DATA.is_dir(), reason="the shared data folder is absent (set HERMES_SHARED)"
)
"""Marks a test, or a module through `pytestmark`, that cannot run without the data."""


def data_folder(name: str) -> Path:
    """Return the data folder `name`; skip the calling test, with the reason, when it is absent."""
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"the shared data folder {name} is absent (set HERMES_SHARED)")
    return folder
