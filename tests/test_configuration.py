"""hermes.toml: where it stands among the option, the environment and the shipped graph."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from hermes.cli.arguments import DEFAULT_KG, KG_VARIABLE, chosen_sources
from hermes.errors import HermesError

NONE = Namespace(kg=None)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and nothing in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(KG_VARIABLE, raising=False)
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


def test_a_file_without_it(folder: Path) -> None:
    """Other keys are no concern of this one."""
    (folder / "hermes.toml").write_text("[other]\nkey = 1", encoding="utf-8")
    assert chosen_sources(NONE) == [DEFAULT_KG]


@pytest.mark.parametrize("text", ["kg = 3", 'kg = [""]', "kg = [1]", "kg = "])
def test_wrong(folder: Path, text: str) -> None:
    """What cannot be meant is an error of one line."""
    (folder / "hermes.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HermesError, match=r"hermes\.toml") as caught:
        chosen_sources(NONE)
    assert caught.value.code == "unreadable"
