"""A browser without a window, spoken to through a pair of pipes (the Chrome DevTools Protocol)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from select import select
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self

import pytest

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
_LIMIT: Final = 60.0
"""Seconds for one answer; a machine may be busy."""


def installed() -> str:
    """Return the browser's program; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(_NAMES)} is installed")
    return found


class Browser:
    """One page of a browser; `events` are the names and contents of what it reported."""

    def __init__(self, program: str, folder: Path) -> None:
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()
        options = "--headless --no-sandbox --disable-gpu --no-first-run --disable-dev-shm-usage"
        command = f'exec "$0" {options} --remote-debugging-pipe "$@" 3<&{to_child} 4>&{from_child}'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", command, program, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(to_child, from_child),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_child)
        os.close(from_child)
        self._buffer, self._number, self._session = b"", 0, ""
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __enter__(self) -> Self:
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Return the answer to one command."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._number:
                assert "error" not in said, said
                result: dict[str, Any] = said["result"]
                return result
            self.events.append((said.get("method", ""), said.get("params", {})))

    def open(self, address: str) -> None:
        """Open an address afresh, and wait until its scripts have run."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page; a promise is waited for."""
        found = self.call(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = monotonic() + _LIMIT
        while not self.value(expression):
            assert monotonic() < end, f"never true: {expression}"
            sleep(0.02)

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press a key and let it go."""
        common = {"key": key, "windowsVirtualKeyCode": code, "code": key}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.call("Input.insertText", text=text)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select([self._read], [], [], _LIMIT)
            assert ready, "the browser does not answer"
            more = os.read(self._read, 1 << 20)
            assert more, "the browser has ended"
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found
