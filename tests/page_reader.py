"""Pages of HTML, read strictly."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset({"input", "meta"})


class Reader(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element, which must have this name."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember a text."""
        self.texts.append(data)


def read(text: str) -> Reader:
    """Read a whole page."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader
