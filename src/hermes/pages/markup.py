"""HTML and SVG whose texts are texts: what comes from a graph or a query is escaped, whatever it holds."""

from __future__ import annotations

from html import escape
from typing import Final

from hermes.printable import printable

_EMPTY: Final = frozenset({"input", "meta"})
"""Elements of HTML that have no end."""


class Markup(str):
    """Text that is markup already; any other text is escaped where it becomes a part of markup."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Return a text as markup, without what could move the cursor or hide a part of it; lines stay."""
    shown = "\n".join(printable(line) for line in value.replace("\t", "  ").split("\n"))
    return Markup(escape(shown, quote=True))


def tag(name: str, /, *inside: str, **attributes: str | float | None) -> Markup:
    """Return an element with its attributes and content.

    Args:
        name: of the element.
        inside: texts, which are escaped, and markup.
        attributes: `class_` is `class`, and `_` inside a name is `-`; None leaves an attribute out.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(*inside)}</{name}>")


def joined(*parts: str) -> Markup:
    """Return texts, which are escaped, and markup as one markup."""
    return Markup("".join(part if isinstance(part, Markup) else text(part) for part in parts))
