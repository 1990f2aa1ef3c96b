"""Phrases with clauses that follow them, bracketed so that each clause can belong to one phrase only."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.verbalize.lexicon import listed


@dataclass(frozen=True)
class Clause:
    """What follows a phrase: `that hosted ...`; a phrase may stand inside."""

    before: str
    phrase: Phrase | None = None
    after: str = ""

    @property
    def nested(self) -> bool:
        """Whether clauses stand inside."""
        return self.phrase is not None and bool(self.phrase.clauses)

    def text(self, *, last: bool) -> str:
        """Return the clause; what another clause may follow is closed by brackets."""
        if self.phrase is None:
            return self.before + self.after
        return f"{self.before} {self.phrase.text(closed=not last or bool(self.after))}{self.after}".lstrip()


@dataclass(frozen=True)
class Phrase:
    """A noun with its clauses: `a city` + `that hosted ...` + `whose country is ...`."""

    head: str
    clauses: tuple[Clause, ...] = ()

    def text(self, *, closed: bool = True) -> str:
        """Return the phrase; its clauses are in brackets unless there is one and nothing comes after."""
        if not self.clauses:
            return self.head
        if closed or len(self.clauses) > 1:
            return f"{self.head} ({joined(self.clauses)})"
        return f"{self.head} {self.clauses[0].text(last=True)}"

    def open_text(self) -> str:
        """Return the phrase without brackets around its clauses, for where nothing else is near."""
        return f"{self.head} {joined(self.clauses)}" if self.clauses else self.head


def joined(clauses: tuple[Clause, ...]) -> str:
    """Return clauses one after the other."""
    last = len(clauses) - 1
    return listed(clause.text(last=place == last) for place, clause in enumerate(clauses))
