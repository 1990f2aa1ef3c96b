"""The terminals of SPARQL 1.1 (section 19.8) as one regular expression.

Signs are tokens of their own: whether `-1` is a number or a subtraction is decided by the grammar.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from hermes.errors import SparqlSyntaxError

_LETTERS: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MARKS: Final = "\u00b7\u0300-\u036f\u203f-\u2040"
_PLX: Final = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_CODEPOINT: Final = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_ESCAPE: Final = rf"\\[tbnrf\\\"']|{_CODEPOINT}"
_IRI: Final = rf"<(?:[^<>\"{{}}|^`\\\x00-\x20]|{_CODEPOINT})*>"
_STRING: Final = (
    rf'"""(?:"{{0,2}}(?:[^"\\]|{_ESCAPE}))*"""'
    rf"|'''(?:'{{0,2}}(?:[^'\\]|{_ESCAPE}))*'''"
    rf'|"(?:[^"\\\n\r]|{_ESCAPE})*"'
    rf"|'(?:[^'\\\n\r]|{_ESCAPE})*'"
)


def _terminals(letters: str, marks: str) -> re.Pattern[str]:
    """Return the expression for names of these letters, and these marks inside them."""
    start, inside = f"{letters}_", f"{letters}_0-9{marks}"
    local = rf"(?:[{start}:0-9]|{_PLX})(?:\.*(?:[{inside}\-:]|{_PLX}))*"
    return re.compile(
        rf"""
    (?P<SKIP>(?:[\x20\t\r\n]+|\#[^\r\n]*)+)
  | (?P<VAR>[?$][{start}0-9][{inside}]*)
  | (?P<PNAME>(?:[{letters}](?:\.*[{inside}\-])*)?:(?:{local})?)
  | (?P<IRI>{_IRI})
  | (?P<BLANK>_:[{start}0-9](?:\.*[{inside}\-])*)
  | (?P<WORD>[A-Za-z][A-Za-z0-9_]*)
  | (?P<STRING>{_STRING})
  | (?P<DOUBLE>(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)[eE][+-]?[0-9]+)
  | (?P<DECIMAL>[0-9]*\.[0-9]+)
  | (?P<INTEGER>[0-9]+)
  | (?P<LANGTAG>@[A-Za-z]{{1,8}}(?:-[A-Za-z0-9]{{1,8}})*(?![A-Za-z0-9]))
  | (?P<PUNCT>\^\^|&&|\|\||!=|<=|>=|[{{}}()\[\].,;|/^*+\-?!=<>])
        """,
        re.VERBOSE,
    )


_ASCII: Final = _terminals("A-Za-z", "")


@cache
def _unicode() -> re.Pattern[str]:
    # Large classes take long to compile, and most texts are ASCII.
    return _terminals(_LETTERS, _MARKS)


_STRAY_ESCAPE: Final = re.compile(
    rf"(?P<keep>{_STRING}|{_IRI}|\#[^\r\n]*)|(?P<code>{_CODEPOINT})|(?P<pair>\\.)", re.DOTALL
)
_UNESCAPE: Final = re.compile(rf"{_CODEPOINT}|\\(.)", re.DOTALL)
_UNESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATES: Final = range(0xD800, 0xE000)
_LAST_CODEPOINT: Final = 0x10FFFF


class Tokens(NamedTuple):
    """A text cut into tokens: three lists of one length, closed by a token of kind `END`."""

    text: str
    kinds: list[str]
    texts: list[str]
    starts: list[int]


def tokenize(text: str) -> Tokens:
    """Cut `text` into tokens; white space and comments are left out.

    Raises:
        SparqlSyntaxError: at the first character that begins no token.
    """
    if not text.isascii() and (found := _SURROGATE.search(text)):
        raise SparqlSyntaxError("half of a surrogate pair is no character", source=text, offset=found.start())
    if "\\u" in text or "\\U" in text:
        text = _decode_outside_strings(text)
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    at, end, match = 0, len(text), (_ASCII if text.isascii() else _unicode()).match
    while at < end:
        found = match(text, at)
        if found is None:
            raise SparqlSyntaxError(_explain(text, at), source=text, offset=at)
        kind = found.lastgroup
        if kind != "SKIP":
            kinds.append(kind or "")
            texts.append(found[0])
            starts.append(at)
        at = found.end()
    kinds.append("END")
    texts.append("")
    starts.append(end)
    return Tokens(text, kinds, texts, starts)


def unescape(body: str, text: str, at: int) -> str:
    """Undo the escapes of a string or IRI (section 19.7 and 19.2)."""
    if "\\" not in body:
        return body

    def plain(match: re.Match[str]) -> str:
        if match[1] is None:
            return _character(match[0], text, at)
        return _UNESCAPED.get(match[1], match[1])

    return _UNESCAPE.sub(plain, body)


def _character(escape: str, text: str, at: int) -> str:
    code = int.from_bytes(bytes.fromhex(escape[2:]), "big")
    if code in _SURROGATES or code > _LAST_CODEPOINT:
        raise SparqlSyntaxError(f"{escape} is not a Unicode character", source=text, offset=at)
    return chr(code)


def _decode_outside_strings(text: str) -> str:
    """Replace codepoint escapes in names (section 19.2) before the text is read.

    Inside strings and IRIs they are undone after the token is cut, so an escaped quote cannot close
    a string; elsewhere only characters of names may be escaped, so an escape never makes syntax.
    """

    def decode(match: re.Match[str]) -> str:
        if match["code"] is None:
            return match[0]
        character = _character(match["code"], text, match.start())
        if not _unicode().fullmatch("?x" + character) and character != "-":
            raise SparqlSyntaxError(
                f"the escape {match['code']} stands outside strings and is no character of a name",
                source=text,
                offset=match.start(),
            )
        return character

    return _STRAY_ESCAPE.sub(decode, text)


def _explain(text: str, at: int) -> str:
    """Say what is wrong where no token begins."""
    rest = text[at : at + 20].split("\n", maxsplit=1)[0]
    if text[at] in "\"'":
        return f"the string that begins at {rest!r} is never closed, or holds an unknown escape"
    if text[at] == "\\":
        return f'"\\" may only stand before a punctuation character of a prefixed name: {rest!r}'
    if text[at] == "_" and at and text[at - 1] in ",()'&":
        before = text[at - 1]
        return f"{before!r} ends a name; inside a name write \\{before} or use the whole IRI in <...>"
    if text[at] == "_":
        return f"a blank node is written _:label, a variable ?name: {rest!r}"
    if text[at] == "@":
        return f"a language tag has parts of at most 8 letters and digits: {rest!r}"
    return f"no SPARQL text begins with {text[at]!r}"
