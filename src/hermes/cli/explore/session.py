"""A session: a line in, lines out. It knows no terminal, so that every front end says the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hermes.algebra import Action, Explorer, Observation, catalogue, parse_action
from hermes.algebra.kind import kind_of
from hermes.algebra.observation import Built, Finished, Rejected, Solutions, Suggested
from hermes.algebra.short import parse_several, short
from hermes.cli.explore.commands import COMMANDS
from hermes.cli.explore.queries import is_query, lines_of, query_actions
from hermes.cli.tables import table_lines
from hermes.cli.verify import NOT_VERIFIED, Verification
from hermes.errors import HermesError, did_you_mean
from hermes.finding_text import suggestion_lines
from hermes.findings import Suggestion
from hermes.printable import clip
from hermes.sparql.functions import AGGREGATES, BUILT_INS
from hermes.terms import Row, Variable

if TYPE_CHECKING:
    from hermes.kg import KG

INTERRUPTED: Final = "interrupted; what was running changed nothing"

_NO_QUERY: Final = "a whole query has patterns in braces; to choose the columns of this one: project ?x ?y"

_WORD: Final = re.compile(r"([A-Za-z?][\w-]*)(?![\w:.-])\s*")
_TERM: Final = re.compile(r"""[?$<{\["'(_\d]|[\w.-]*:""")
_ECHO: Final = 60
_NAME_WORDS: Final = 3
"""A line of more words is no name that somebody looks for."""


class Session:
    """What a person and hermes say to each other about one graph.

    Args:
        kg: the graph.
        width: returns the columns of the terminal.
        verified: what verifies the steps (default: nothing).

    Attributes:
        kg: see above.
        width: see above.
        explorer: holds the plan and its history.
        shared_prefixes: those that every session on this graph has.
        repairs: the steps that mend the last one, as JSON texts.
        suggested: the steps that were suggested last, as JSON texts.
        over: whether the person has said goodbye.
    """

    def __init__(
        self, kg: KG, width: Callable[[], int] = lambda: 100, verified: Verification = NOT_VERIFIED
    ) -> None:
        self.kg = kg
        self.width = width
        self.explorer = Explorer(kg, kernel=verified.kernel, adviser=verified.adviser)
        self.repairs: tuple[str, ...] = ()
        self.suggested: tuple[str, ...] = ()
        self.shared_prefixes = kg.prefixes
        self.over = False

    def answer(self, text: str) -> Iterator[str]:
        """Do what a line says, or several, and yield what there is to say; a failure is said in one line."""
        for line in lines_of(text):
            if self.over:
                return
            try:
                yield from self._answer(line)
            except HermesError as error:
                yield f"-> rejected: {error}"
                yield from _ways_out(error.code)

    def _answer(self, line: str) -> Iterator[str]:
        found = _WORD.match(line)
        command = COMMANDS.get(found[1].lower()) if found and not is_query(line) else None
        if found and command:
            yield from command.run(self, line[found.end() :].strip())
        elif is_query(line):
            yield from self._take_query(line)
        elif unknown := _unknown(line):
            yield unknown
        else:
            actions = self.actions(line)
            yield from self.take_all(actions) if len(actions) > 1 else self.take(actions[0])

    def _take_query(self, text: str) -> Iterator[str]:
        try:
            actions = query_actions(text, self.kg)
        except HermesError as error:
            raise error if "{" in text else HermesError(_NO_QUERY, code="syntax") from error
        self.begin_anew()
        yield from self.take_all(actions)

    def actions(self, line: str) -> list[Action]:
        """Return the actions that a line says.

        Raises:
            HermesError: it says none.
        """
        return parse_several(line, self.explorer.plan)

    def begin_anew(self) -> int:
        """Undo every step; return how many there were."""
        count = 0
        while not isinstance(self.explorer.undo(), Rejected):
            count += 1
        return count

    def declare(self, prefixes: Mapping[str, str]) -> None:
        """Let names be written with more prefixes in this session."""
        self.kg.declare(prefixes)
        self.explorer.declare()

    # --- steps ------------------------------------------------------------------------------------

    def take(self, action: Action) -> Iterator[str]:
        """Take a step; yield what changed, the hints, and the first rows."""
        scope = self.explorer.plan.scope
        seen = self.explorer.run(action)
        yield from self.said("", seen)
        yield from _ways_out(seen.code) if isinstance(seen, Rejected) else self._not_shown(scope)
        yield from self.sample(seen)

    def _not_shown(self, scope: Sequence[Variable]) -> Iterator[str]:
        """Say of new variables that they are not among the columns that were chosen."""
        plan = self.explorer.plan
        new = [str(each) for each in plan.scope if each not in scope and each not in plan.columns]
        if new and plan.form == "select" and (plan.projected or plan.distinct) and not plan.grouped:
            yield f"    {', '.join(new)} is not among the columns; project * shows all of them"

    def take_all(self, actions: Sequence[Action]) -> Iterator[str]:
        """Take steps up to one that is rejected, each on a line; then yield the first rows."""
        for action in actions:
            text = short(action, self.explorer.plan)
            seen = self.explorer.run(action)
            yield from self.said(f"{clip(text, _ECHO)}  ", seen)
            if isinstance(seen, Rejected):
                return
        yield from self.sample(self.explorer.observation)

    def said(self, before: str, seen: Observation) -> Iterator[str]:
        """Yield an observation: an arrow and its summary, then its hints; repairs can be taken by number."""
        if isinstance(seen, Suggested):
            self.suggested = tuple(item.action for item in seen.found.items)
            lines = suggestion_lines(seen.found, self._numbered)
        else:
            lines = seen.summary().split("\n")
        summary, *more = lines
        yield f"{before}-> {summary}"
        yield from more
        self.repairs = tuple(hint.action for hint in seen.hints if hint.action)
        number = 0
        for hint in seen.hints:
            number += bool(hint.action)
            yield f"    {hint}{f'; to take it: repair {number}' if hint.action else ''}"

    def _numbered(self, item: Suggestion) -> str:
        """Return a suggestion as it is typed, with its number."""
        number = self.suggested.index(item.action) + 1
        return f"{number:>2}. {short(parse_action(item.action), self.explorer.plan)}"

    def sample(self, seen: Observation) -> Iterable[str]:
        """Return the first rows of what was seen, as a table."""
        if isinstance(seen, Solutions) and seen.sample:
            more = seen.count - len(seen.sample)
            return self.table(seen.sample, seen.variables, more, at_least=seen.capped)
        if isinstance(seen, Built) and seen.sample:
            parts = ("subject", "predicate", "object")
            rows = [dict(zip(parts, (t.subject, t.predicate, t.object), strict=True)) for t in seen.sample]
            return self.table(rows, parts, seen.count - len(rows), at_least=seen.capped)
        if isinstance(seen, Finished):
            return [
                *COMMANDS["words"].run(self, ""),
                "    sparql shows the query, answer all of its result; save FILE keeps either",
            ]
        return ()

    def table(
        self, rows: Sequence[Row], variables: Sequence[str], more: int = 0, *, at_least: bool = False
    ) -> list[str]:
        """Return rows with labels, as wide as the terminal."""
        return table_lines(rows, variables, self.kg, self.width(), more=more, at_least=at_least)


def _ways_out(code: str) -> Iterator[str]:
    """Yield what a session offers where a step was refused for this reason."""
    if code == "unknown-prefix":
        yield "    to declare it: prefix NAME: <IRI>"


def _unknown(line: str) -> str | None:
    """Return what to say to a line that is neither a command, nor an action, nor begins with a term."""
    if _TERM.match(line):
        return None
    found = _WORD.match(line)
    word = found[1] if found else line.split(maxsplit=1)[0]
    if kind_of(word.lower()):
        return None
    if (name := word.upper()) in AGGREGATES | BUILT_INS.keys():
        op = "aggregate" if name in AGGREGATES else "bind"
        step = line if "(" in line and " AS " in line.upper() else f"{name}(?x) AS ?y"
        return f"{name} is a function of expressions; as a step of its own: {op} {clip(step, _ECHO)}"
    near = did_you_mean(word.lower(), [*COMMANDS, *(each.op for each in catalogue())])
    if near:
        return f'there is no command "{clip(word, _ECHO)}"{near}; help lists them all'
    if len(line.split()) > _NAME_WORDS:
        return f'there is no command "{clip(word, _ECHO)}"; help lists them all'
    return (
        f'there is no command "{clip(word, _ECHO)}"; to find something by its name: '
        f"lookup {clip(line, _ECHO)}"
    )
