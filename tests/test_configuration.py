"""hermes.toml and the environment: what stands for an option that is not given."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hermes.cli.arguments import DEFAULT_KG, KG_VARIABLE, chosen_sources, load
from hermes.errors import HermesError
from hermes.store import CachedStore, EmbeddedStore

NONE = Namespace(kg=None)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and nothing in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in tuple(os.environ):
        if name.startswith("HERMES_"):
            monkeypatch.delenv(name)
    return tmp_path


def test_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes first, then the environment, then the file, then the shipped graph."""
    assert chosen_sources(NONE) == [DEFAULT_KG]
    (folder / "hermes.toml").write_text('kg = "https://example.org/sparql"', encoding="utf-8")
    assert chosen_sources(NONE) == ["https://example.org/sparql"]
    (folder / "hermes.toml").write_text('kg = ["a.ttl", "b.ttl"]', encoding="utf-8")
    assert chosen_sources(NONE) == ["a.ttl", "b.ttl"]
    monkeypatch.setenv(KG_VARIABLE, "c.ttl")
    assert chosen_sources(NONE) == ["c.ttl"]
    assert chosen_sources(Namespace(kg=["d.ttl"])) == ["d.ttl"]


def opened(**given: Any) -> dict[str, Any]:
    """What a graph is loaded with, where these options are given; whether a cache file is there."""
    options = Namespace(**dict.fromkeys(("graph", "allow_service", "cache", "timeout", "language")) | given)
    with ExitStack() as options.at_end:
        kg = load(options, ["olympics"])
        kg.ask("ASK {}")
        assert isinstance(kg.store, CachedStore)
        assert isinstance(kg.store.inner, EmbeddedStore)
        return {
            "graph": kg.dataset,
            "services": set(kg.allow_services),
            "time": kg.store.inner.limits.time,
            "language": kg.language,
            "file": Path("c.sqlite").exists(),
        }


def test_each_option(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file, before it the environment, before it the option."""
    standard = {"graph": "default", "services": set(), "time": 60.0, "language": "en", "file": False}
    assert opened() == standard
    (folder / "hermes.toml").write_text(
        'graph = "union"\nallow_service = ["a.org", "b.org"]\ncache = "c.sqlite"\n'
        'timeout = 2.5\nlanguage = "de"',
        encoding="utf-8",
    )
    configured = {
        "graph": "union",
        "services": {"a.org", "b.org"},
        "time": 2.5,
        "language": "de",
        "file": True,
    }
    assert opened() == configured
    monkeypatch.setenv("HERMES_TIMEOUT", "3")
    monkeypatch.setenv("HERMES_LANGUAGE", "fr")
    assert opened() == configured | {"time": 3.0, "language": "fr"}
    assert opened(timeout=4.0, language="it")["time"] == 4.0
    assert opened(timeout=4.0, language="it")["language"] == "it"


def test_tables_are_for_other_programs(folder: Path) -> None:
    """They are no concern of this one."""
    (folder / "hermes.toml").write_text("[other]\nkey = 1", encoding="utf-8")
    assert chosen_sources(NONE) == [DEFAULT_KG]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kg = 3", "kg is a text, or a list of texts"),
        ('kg = [""]', "kg is a text, or a list of texts"),
        ("kg = [1]", "kg is a text, or a list of texts"),
        ("kg = ", "cannot read"),
        ("timeout = 0", "expected a number of seconds > 0"),
        ("timeout = true", "timeout is a text or a number"),
        ('language = "very wrong"', "language: "),
        ("time_out = 3", 'there is no option "time_out" \\(did you mean "timeout"\\?\\); options: kg, '),
    ],
)
def test_wrong(folder: Path, text: str, said: str) -> None:
    """What cannot be meant is an error of one line."""
    (folder / "hermes.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HermesError, match=rf"hermes\.toml.*{said}|{said}.*hermes\.toml") as caught:
        opened() if chosen_sources(NONE) else None
    assert caught.value.code == "unreadable"
    assert "\n" not in str(caught.value)


def test_wrong_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named."""
    monkeypatch.setenv("HERMES_TIMEOUT", "soon")
    with pytest.raises(HermesError, match="HERMES_TIMEOUT: expected a number of seconds"):
        opened()
