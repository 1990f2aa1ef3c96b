"""The front end of prompt_toolkit: a line editor with history and a menu of what may come next."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Item
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from hermes.cli.explore.completion import Completion
from hermes.cli.explore.line_history import LineHistory
from hermes.cli.explore.plain import CONTINUED, PROMPT, reply
from hermes.cli.explore.queries import unfinished
from hermes.cli.explore.session import Session
from hermes.cli.streams import say

_log: Final = logging.getLogger("hermes")

# What is chosen is reversed, not only coloured: it is seen without colours too.
_STYLE: Final = Style.from_dict(
    {
        "prompt": "bold",
        "completion-menu": "noreverse",
        "completion-menu.completion.current": "reverse",
        "completion-menu.meta.completion.current": "reverse",
    }
)


def converse(session: Session) -> None:
    """Ask for lines and answer them until the person leaves."""
    asked = PromptSession[str](
        history=_Remembered(),
        completer=_Suggesting(Completion(session)),
        complete_in_thread=True,
        complete_while_typing=True,
        multiline=True,
        prompt_continuation=CONTINUED,
        key_bindings=_keys(),
        style=_STYLE,
        color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
    )
    while not session.over:
        try:
            text = asked.prompt([("class:prompt", PROMPT)])
        except EOFError:
            return
        except KeyboardInterrupt:  # the line is gone, the session is not
            continue
        reply(session, text)
        say(sys.stdout, [])


def _keys() -> KeyBindings:
    """Let Enter end a line, unless more belongs to it; an empty line ends it all the same."""
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if unfinished(buffer.text) and buffer.document.current_line.strip():
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    return keys


class _Suggesting(Completer):
    """What prompt_toolkit asks while a line is typed."""

    def __init__(self, completion: Completion) -> None:
        self._completion = completion

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Item]:
        """Yield what may stand at the cursor."""
        try:
            found = self._completion.suggest(document.text_before_cursor)
        except Exception:  # noqa: BLE001 - a suggestion is not worth the line that is being typed
            _log.debug("no suggestion for %r", document.text_before_cursor, exc_info=True)
            return
        for each in found:
            yield Item(each.text, -each.replaces, display_meta=each.says)


class _Remembered(History):
    """The lines of earlier sessions, for the arrow keys."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = LineHistory()

    def load_history_strings(self) -> Iterable[str]:
        """Yield the lines, the newest first."""
        return reversed(self._lines.lines())

    def store_string(self, string: str) -> None:
        """Keep a line."""
        self._lines.append(string)
