"""As whom an endpoint is asked, what is never shown, and what works without the HTTP client."""

from __future__ import annotations

import base64
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from endpoints import FakeClock, open_store, refusal
from hermes.errors import StoreError
from hermes.store import EndpointStore
from hermes.store.http.credentials import Credentials, find_credentials
from http_server import ScriptedServer, answer

LATER = answer("later", "text/plain", 503)

# --- as whom -------------------------------------------------------------------------------------


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_credentials(tmp_path: Path) -> None:
    """The file decides for its hosts, the environment for the others."""
    path = tmp_path / "credentials.toml"
    path.write_text(
        '["e.org"]\nuser = "ada"\npassword = "pässword"\n["e.org:81"]\ntoken = "of-the-port"\n'
        '["bad.org"]\nuser = "x"\n["odd.org"]\ntoken = 3\n',
        encoding="utf-8",
    )
    environment = {"HERMES_CREDENTIALS": str(path), "HERMES_TOKEN": "of-all"}
    assert find_credentials("e.org", environment).header == _basic("ada", "pässword")
    assert find_credentials("e.org:82", environment).header == _basic("ada", "pässword")
    assert find_credentials("e.org:81", environment).header == "Bearer of-the-port"
    assert find_credentials("f.org", environment).header == "Bearer of-all"
    assert find_credentials("f.org", {"HERMES_USER": "u", "HERMES_PASSWORD": "p"}).header == _basic("u", "p")
    assert find_credentials("f.org", {}).header == ""
    for host in ("bad.org", "odd.org"):
        with pytest.raises(StoreError, match="expected token, or user and password"):
            find_credentials(host, environment)
    for wrong in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(StoreError, match="cannot read") as caught:
            find_credentials("e.org", {"HERMES_CREDENTIALS": str(wrong)})
        assert caught.value.code == "credentials"
    path.write_text("token = s3cret!", encoding="utf-8")
    with pytest.raises(StoreError, match="is not TOML") as caught:
        find_credentials("e.org", environment)
    assert "s3cret" not in str(caught.value)
    with pytest.raises(StoreError, match="one line of ASCII"):
        Credentials.bearer("a\r\nHost: b")


def test_credentials_from_the_environment_are_sent_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that sends back what it was sent does not bring a secret into a message or a log."""
    monkeypatch.setenv("HERMES_USER", "ada")
    monkeypatch.setenv("HERMES_PASSWORD", "s3cret-word")
    monkeypatch.setenv("HERMES_CONTACT", "mail:\nada@example.org é")
    header = _basic("ada", "s3cret-word")
    coded = header.split()[1]
    echo = [
        answer(f"you sent {header}, password s3cret-word", "text/plain", status) for status in (403, 200, 500)
    ]
    with ScriptedServer(LATER, *echo) as server, caplog.at_level(logging.DEBUG):
        store = EndpointStore(server.url, clock=FakeClock())
        messages = [str(refusal(store)) for _ in echo]
        assert all(seen.headers["authorization"] == header for seen in server.requests)
        assert "(mail: ada@example.org ?)" in server.requests[0].headers["user-agent"]
    shown = " ".join([*messages, caplog.text, repr(store.exchange), repr(store.exchange.caller)])
    assert "you sent" in shown
    assert "s3cret" not in shown
    assert coded not in shown
    assert "the credentials are not the right ones" in messages[0]


def test_credentials_in_the_address() -> None:
    """They are refused, and the refusal does not repeat them."""
    with pytest.raises(StoreError, match="out of its address") as caught:
        open_store("https://ada:s3cret@example.org/sparql")
    assert "s3cret" not in str(caught.value)
    assert "ada" not in str(caught.value).replace("example.org", "")


# --- the extra -----------------------------------------------------------------------------------


def test_the_client_is_optional() -> None:
    """Without httpx2 everything else works, and one line says what to install."""
    code = (
        "import sys; sys.modules['httpx2'] = None; from hermes import KG\n"
        "kg = KG.load('http://127.0.0.1:9/sparql')\n"
        "try: kg.ask('ASK {}')\n"
        "except Exception as error: print(type(error).__name__, error.code, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "StoreError missing-extra endpoints need httpx2, which is not installed: "
        "pip install 'hermes-kg[endpoint]'\n"
    )


def test_the_client_is_imported_late() -> None:
    """Neither hermes nor a KG of files imports the client."""
    code = (
        "import sys; from hermes import KG; KG.load('olympics'); KG.load('http://127.0.0.1:9/')\n"
        "print('httpx2' in sys.modules, 'httpcore2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
