"""Messages between two processes: a kind of one byte, a length, a payload."""

from __future__ import annotations

import math
import socket
import struct
from contextlib import suppress
from time import monotonic
from typing import Final

_HEAD: Final = struct.Struct("!cI")
_BLOCK: Final = 256 * 1024
_LONGEST_WAIT: Final = 3600.0  # one call of the system cannot wait for ever and be timed


def message(kind: bytes, payload: bytes | bytearray = b"") -> bytes:
    """Return the bytes of a message."""
    return _HEAD.pack(kind, len(payload)) + payload


class Channel:
    """One end of a stream socket on which both sides send messages.

    After an exception the state of the stream is not known: close it and start another.
    """

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._come = bytearray()

    def send(self, kind: bytes, payload: bytes | bytearray = b"") -> None:
        """Send a message.

        Raises:
            OSError: the other side is gone.
        """
        self.send_bytes(message(kind, payload))

    def send_bytes(self, messages: bytes) -> None:
        """Send what `message` made, of one or of several.

        Raises:
            OSError: the other side is gone.
        """
        self.end.settimeout(None)
        self.end.sendall(messages)

    def receive(self, deadline: float = math.inf) -> tuple[bytes, bytes]:
        """Return the kind and the payload of the next message.

        Args:
            deadline: what `time.monotonic` says when the wait is over.

        Raises:
            EOFError: the other side is gone.
            TimeoutError: it is past the deadline.
        """
        kind, size = _HEAD.unpack(self._take(_HEAD.size, deadline))
        return kind, self._take(size, deadline)

    @property
    def quiet(self) -> bool:
        """Whether the other side is there and has said nothing that was not received."""
        try:
            self.end.settimeout(0.0)
            self._come += self.end.recv(_BLOCK)
        except BlockingIOError:
            return not self._come
        except OSError:
            return False
        return False  # it said something, or that it has gone

    def hang_up(self) -> None:
        """End the conversation for both sides; a thread that waits for a message here is woken."""
        with suppress(OSError):
            self.end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of this end; the other side reads the end of the stream, unless a copy of it is open."""
        self.end.close()

    def _take(self, size: int, deadline: float) -> bytes:
        while len(self._come) < size:
            left = deadline - monotonic()
            if left <= 0:
                raise TimeoutError
            self.end.settimeout(None if deadline == math.inf else min(left, _LONGEST_WAIT))
            try:
                found = self.end.recv(_BLOCK)
            except TimeoutError:
                continue  # the deadline decides
            except OSError:
                raise EOFError from None
            if not found:
                raise EOFError
            self._come += found
        taken = bytes(memoryview(self._come)[:size])
        del self._come[:size]
        return taken
