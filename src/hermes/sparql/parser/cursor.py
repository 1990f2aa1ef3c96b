"""A cursor over tokens, and messages that say what was expected in words."""

from __future__ import annotations

from typing import Final, NoReturn

from hermes.errors import SparqlSyntaxError
from hermes.printable import clip, printable
from hermes.sparql.tokens import Tokens, tokenize

DEEPEST = 64
"""How deep groups, parentheses and brackets may nest; deeper text is refused, not crashed upon."""

_OTHER_LANGUAGES: Final = {
    "AND": "&&",
    "OR": "||",
    "LIKE": "CONTAINS(...) or REGEX(...)",
    "IS": "BOUND(?x) or !BOUND(?x)",
    "BETWEEN": "?x >= 1 && ?x <= 2",
}
"""Words of other query languages, and what SPARQL has for them."""


class Cursor:
    """Reads the tokens of one text from left to right."""

    def __init__(self, text: str) -> None:
        tokens: Tokens = tokenize(text)
        self.source = tokens.text
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.at = 0
        self.depth = 0

    # --- looking ------------------------------------------------------------------------------

    def next_is(self, punctuation: str) -> bool:
        """Whether the next token is this punctuation."""
        return self.texts[self.at] == punctuation and self.kinds[self.at] == "PUNCT"

    def keyword(self) -> str:
        """Return the next token in capitals if it is a word, else an empty string."""
        return self.texts[self.at].upper() if self.kinds[self.at] == "WORD" else ""

    def touches(self, at: int) -> bool:
        """Whether no white space stands between the token at `at` and the one after it."""
        return self.starts[at] + len(self.texts[at]) == self.starts[at + 1]

    # --- moving -------------------------------------------------------------------------------

    def take(self, punctuation: str) -> bool:
        """Step over the punctuation if it comes next."""
        if self.next_is(punctuation):
            self.at += 1
            return True
        return False

    def take_word(self, word: str) -> bool:
        """Step over the keyword, in any case, if it comes next."""
        if self.keyword() == word:
            self.at += 1
            return True
        return False

    def expect(self, punctuation: str, why: str = "") -> None:
        """Step over the punctuation, or fail."""
        if not self.take(punctuation):
            self.fail(f'"{punctuation}"{why}')

    def expect_word(self, word: str) -> None:
        """Step over the keyword, or fail."""
        if not self.take_word(word):
            self.fail(word)

    def expect_end(self, whole: str) -> None:
        """Fail unless the text ends here; `whole` names what has just been read."""
        if self.kinds[self.at] != "END":
            meant = _OTHER_LANGUAGES.get(self.keyword())
            hint = f"; SPARQL writes {meant}" if meant else ""
            self.fault(f'one {whole} ends here, and "{shown(self.texts[self.at])}" follows it{hint}')

    def enter(self) -> None:
        """Go one level deeper.

        Raises:
            SparqlSyntaxError: with code `too-deep` below the deepest level.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            self.fault(f"nested more than {DEEPEST} levels deep; write it flatter", code="too-deep")

    def leave(self) -> None:
        """Come back one level."""
        self.depth -= 1

    # --- failing ------------------------------------------------------------------------------

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise a SparqlSyntaxError at the next token: what was expected, what stands there, and where."""
        text = shown(self.texts[self.at])
        found = "the end" if self.kinds[self.at] == "END" else f'"{text}"'
        after = f' after "{shown(self.texts[self.at - 1])}"' if self.at else ""
        self.fault(f"expected {expected}{after}, found {found}{hint}")

    def fault(self, message: str, at: int | None = None, code: str | None = None) -> NoReturn:
        """Raise a SparqlSyntaxError with `message` at the token `at` (default: the next one)."""
        offset = self.starts[self.at if at is None else at]
        raise SparqlSyntaxError(message, source=self.source, offset=offset, code=code)


def shown(text: str) -> str:
    """Return a token for a message: on one line and clipped."""
    return clip(printable(text), 40)
