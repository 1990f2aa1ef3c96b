"""The commands of a session beside the actions, each a function of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hermes.cli.explore import files, guide, looking

if TYPE_CHECKING:
    from hermes.cli.explore.session import Session


@dataclass(frozen=True, slots=True)
class Command:
    """A command: how it is used, and what it does with the rest of its line."""

    usage: str
    run: Callable[[Session, str], Iterable[str]]

    @property
    def doc(self) -> str:
        """What it says of itself; the first line is a sentence."""
        return inspect.cleandoc(self.run.__doc__ or "")


_LISTED: Final = {
    command.usage.split()[0]: command
    for command in (
        Command("classes [TEXT]", looking.classes),
        Command("predicates [TEXT]", looking.predicates),
        Command("suggest [?VAR] [TEXT]", looking.suggest),
        Command("pick [N]", looking.pick),
        Command("preview ACTION", looking.preview),
        Command("repair [N]", looking.repair),
        Command("table [N]", looking.table),
        Command("words", looking.words),
        Command("sparql", looking.sparql),
        Command("history", looking.history),
        Command("answer [FORMAT]", looking.answer),
        Command("save FILE", files.save),
        Command("load FILE", files.load),
        Command("new", looking.new),
        Command("prefixes", looking.prefixes),
        Command("prefix NAME: <IRI>", looking.prefix),
        Command("help [WORD]", guide.help_with),
        Command("quit", guide.quit_session),
    )
}

COMMANDS: Final[dict[str, Command]] = _LISTED | {
    "show": _LISTED["table"],
    "exit": _LISTED["quit"],
    "?": _LISTED["help"],
}
"""By name, in the order of the help; three have a second name."""
