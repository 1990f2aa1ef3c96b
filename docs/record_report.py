"""Take a picture of the report of a small run: docs/report.png.

`python docs/record_report.py [BROWSER]`, where BROWSER is a program such as `chromium` (the default).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hermes.evaluation import Record
from hermes.evaluation.report import report_page
from hermes.evaluation.totals import totals

FOLDER: Final = Path(__file__).parent
RECORDS: Final = FOLDER.parent / "tests" / "golden" / "report" / "small.jsonl"
PICTURE: Final = FOLDER / "report.png"
SIZE: Final = "1000,2250"
"""Enough for the whole page with its first question open."""


def page() -> str:
    """Return the report of the small run, its first question open."""
    lines = RECORDS.read_text(encoding="utf-8").splitlines()
    records = [Record.from_json(json.loads(line)) for line in lines]
    text = report_page(records, totals(records), "A system on seven questions", source="olympics")
    return text.replace("<details>", "<details open>", 1)


def take(browser: str) -> None:
    """Write the picture; the browser is another program, and asks nothing of the network."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        path.write_text(page(), encoding="utf-8")
        options = ["--headless", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/browser"]
        options += [f"--window-size={SIZE}", f"--screenshot={PICTURE}"]
        subprocess.run([browser, *options, path.as_uri()], check=True)  # noqa: S603 - named by the caller


if __name__ == "__main__":
    take(*sys.argv[1:] or ["chromium"])
