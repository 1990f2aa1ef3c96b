"""The exception tree. Every message is one line: what was wrong and what would be right.

    HermesError                 has a `stage` and a `code`
    +-- ActionError   parse     not an action
    |   +-- SparqlSyntaxError         text that the SPARQL grammar does not read; has `line` and `column`
    +-- PlanError     plan      does not fit this plan
    +-- VerifierError verify    raised by strict callers; the kernel itself returns a refusal
    +-- StoreError    run       what the store said, trimmed
    +-- ModelError    model     the language model could not be used

Domain code raises. The explorer and the rollout are the two places that turn a `HermesError`
into an observation; anything else is a bug and propagates.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar, Literal

from hermes.printable import printable

Stage = Literal["parse", "plan", "verify", "run", "model"]


class HermesError(Exception):
    """The root of all errors that hermes raises on purpose.

    `code` is a stable, documented word (see docs/codes.md); `str(error)` is one line for a reader.
    """

    stage: ClassVar[Stage] = "plan"
    default_code: ClassVar[str] = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(printable(" ".join(message.split())))
        self.code = code or self.default_code


class ActionError(HermesError):
    """The input is not an action: unknown operator or field, missing field, wrong type."""

    stage = "parse"
    default_code = "not-an-action"


class SparqlSyntaxError(ActionError):
    """Text that the SPARQL grammar does not read.

    `line` and `column` count from 1 and point into `source`, the text that was read.
    """

    default_code = "syntax"

    def __init__(self, message: str, *, source: str, offset: int, code: str | None = None) -> None:
        self.source = source
        self.line = source.count("\n", 0, offset) + 1
        self.column = offset - source.rfind("\n", 0, offset)
        super().__init__(f"line {self.line}, column {self.column}: {message}", code=code)


class PlanError(HermesError):
    """The action is well formed but does not fit the plan: SPARQL forbids the result."""

    stage = "plan"
    default_code = "plan"


class VerifierError(HermesError):
    """A strict caller asked for a certificate and the kernel refused."""

    stage = "verify"
    default_code = "refused"


class StoreError(HermesError):
    """The store failed or refused the query.

    `category` is one of `syntax`, `timeout`, `memory`, `rate_limited`, `forbidden`, `unreachable`,
    `bad_reply`, `too_large`, `unreadable`, `internal`; `retryable` says whether the same query may succeed
    later.
    """

    stage = "run"
    default_code = "store"

    def __init__(
        self,
        message: str,
        *,
        category: str = "internal",
        retryable: bool = False,
        code: str | None = None,
    ) -> None:
        super().__init__(message, code=code or category)
        self.category = category
        self.retryable = retryable


class ModelError(HermesError):
    """The language model could not be used."""

    stage = "model"
    default_code = "model"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean "x"?)` for the nearest of `known`, or an empty string."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{near[0]}"?)' if near else ""
