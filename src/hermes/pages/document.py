"""The frame of every page: its head, the style of the house, and a policy that lets nothing else in."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Final

from hermes.pages.markup import Markup, joined, tag

_HOUSE_STYLE: Final = files("hermes.pages").joinpath("house.css").read_text(encoding="utf-8")


def document(title: str, *body: str, style: str = "", script: str = "") -> str:
    """Return a whole page that asks nothing of the network.

    The page runs no script and uses no style but these, as its Content-Security-Policy says.

    Args:
        title: of the window.
        body: texts, which are escaped, and markup.
        style: rules of this page, after those of the house.
        script: one that the page runs once it is read; without it the page runs none.
    """
    style = _HOUSE_STYLE + style
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    code = tag("script", Markup(script)) if script else Markup("")
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', joined(*body), code), lang='en')}\n"


def _policy(style: str, script: str) -> str:
    rules = ["default-src 'none'", f"style-src {_digest(style)}"]
    if script:
        rules.append(f"script-src {_digest(script)}")
    return "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
