"""The front end of lines alone: nothing is drawn again. For pipes, screen readers and simple terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Timer
from types import ModuleType
from typing import Final

from hermes.cli.explore.completion import Completion, Suggestion
from hermes.cli.explore.line_history import LineHistory
from hermes.cli.explore.queries import unfinished
from hermes.cli.explore.session import INTERRUPTED, Session
from hermes.cli.streams import say

PROMPT: Final = "hermes> "
CONTINUED: Final = "   ...> "

_SLOW: Final = 3.0
"""Seconds after which it is said how to end what is running."""
_DELIMITERS: Final = " \t\n(){}[],|"


def reply(session: Session, text: str) -> None:
    """Print what a session says to a line, each part as soon as it is there; Ctrl-C ends it."""
    patience = Timer(_SLOW, say, (sys.stdout, ["(still running; Ctrl-C ends it)"]))
    patience.daemon = True
    patience.start()
    try:
        for line in session.answer(text):
            say(sys.stdout, [line])
    except KeyboardInterrupt:
        say(sys.stdout, [INTERRUPTED])
    finally:
        patience.cancel()


def read_piped(session: Session) -> None:
    """Answer the lines of a stdin that is no terminal; each is shown, as a terminal would."""
    kept: list[str] = []
    for line in sys.stdin:
        text = line.rstrip("\r\n")
        say(sys.stdout, [f"{CONTINUED if kept else PROMPT}{text}".rstrip()])
        kept.append(text)
        if text.strip() and unfinished("\n".join(kept)):
            continue
        for answer in session.answer("\n".join(kept)):
            say(sys.stdout, [answer])
        kept = []
        if session.over:
            return
    for answer in session.answer("\n".join(kept)):
        say(sys.stdout, [answer])


def converse(session: Session) -> None:
    """Ask for lines and answer them until the person leaves, with completion by Tab where there is one."""
    history = LineHistory()
    readline = _readline()
    if readline is not None:
        _prepare(readline, Completion(session), history)
    while not session.over:
        try:
            text = _whole(input)
        except EOFError:
            say(sys.stdout, [""])
            return
        except KeyboardInterrupt:
            say(sys.stdout, [""])
            continue
        history.append(text)
        reply(session, text)


def _whole(ask: Callable[[str], str]) -> str:
    """Ask for a line, and for more where it is not finished, up to an empty one."""
    text = ask(PROMPT)
    while unfinished(text) and (more := ask(CONTINUED)).strip():
        text += "\n" + more
    return text


def _readline() -> ModuleType | None:
    try:
        import readline  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return readline


def _prepare(readline: ModuleType, completion: Completion, history: LineHistory) -> None:
    for line in history.lines():
        readline.add_history(line)
    readline.set_auto_history(True)
    readline.set_completer_delims(_DELIMITERS)
    readline.set_completer(_Completer(readline, completion))
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    with suppress(ValueError):
        readline.parse_and_bind("set completion-ignore-case on")


class _Completer:
    """Gives readline one suggestion after the other."""

    def __init__(self, readline: ModuleType, completion: Completion) -> None:
        self._readline = readline
        self._completion = completion
        self._texts: list[str] = []

    def __call__(self, word: str, state: int) -> str | None:
        if state == 0:
            before = self._readline.get_line_buffer()[: self._readline.get_endidx()]
            found = self._completion.suggest(before)
            self._texts = [text for each in found if (text := _after(each, word)) is not None]
            if len(found) == 1 and not self._texts:  # it has such a label, so it may stand for the word
                self._texts = [found[0].text]
            if len(self._texts) == 1 and not self._texts[0].endswith(("(", "/")):
                self._texts[0] += " "
        return self._texts[state] if state < len(self._texts) else None


def _after(found: Suggestion, word: str) -> str | None:
    """Return a suggestion as what the word becomes; readline's words may begin later than ours."""
    cut = found.replaces - len(word)
    text = found.text[cut:] if cut > 0 else found.text
    return text if text.casefold().startswith(word.casefold()) else None
