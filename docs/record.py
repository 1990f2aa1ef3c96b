"""Record a session of `hermes explore` as a picture of the terminal: docs/explore.svg.

`python docs/record.py`
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

FOLDER: Final = Path(__file__).parent
PICTURE: Final = FOLDER / "explore.svg"
TITLE: Final = "A session of hermes explore on the graph that ships with hermes"
TYPED: Final = """\
lookup Placid
?city ex:hosted ?games
?city ex:country ex:USA
?games ex:season "Winter"
distinct
words
sparql
"""
COLUMNS: Final = 92
_PROMPT: Final = "hermes> "
_LINE: Final = 18
_CHARACTER: Final = 7.83
_MARGIN: Final = 16
_STYLE: Final = """\
rect { fill: #ffffff; stroke: #d0d7de }
text { font: 13px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.typed { font-weight: bold }
@media (prefers-color-scheme: dark) {
  rect { fill: #0d1117; stroke: #30363d }
  text { fill: #e6edf3 }
}"""


def transcript() -> list[str]:
    """Return the lines that the program shows to what is typed."""
    ran = subprocess.run(
        [sys.executable, "-m", "hermes", "explore", "--kg", "olympics"],
        input=TYPED.encode(),
        env=os.environ | {"COLUMNS": str(COLUMNS)},
        capture_output=True,
        check=True,
    )
    return ["$ hermes explore", *ran.stdout.decode().splitlines()]


def picture() -> str:
    """Return the session as SVG; a light and a dark page can both show it."""
    lines = transcript()
    width = round(COLUMNS * _CHARACTER) + 2 * _MARGIN
    height = len(lines) * _LINE + 2 * _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">',
            f"<title>{TITLE}</title>",
            f"<style>\n{_STYLE}\n</style>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *(_text(number, line) for number, line in enumerate(lines, start=1)),
            "</svg>\n",
        ]
    )


def _text(number: int, line: str) -> str:
    typed = ' class="typed"' if line.startswith((_PROMPT, "$ ")) else ""
    place = f'x="{_MARGIN}" y="{_MARGIN + number * _LINE - 5}"'
    return f'<text {place}{typed} xml:space="preserve">{escape(line)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
