"""`hermes load` and store directories: whole or not there, quick to open, the same answers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from hermes import KG
from hermes.errors import StoreError
from hermes.results import Table
from hermes.store import EmbeddedStore, Limits, directory, write_store
from hermes.store.processes import launch
from processes import DOCUMENTED, STEPS, process, start

LONG = 60.0
TURTLE = "@prefix e: <http://e/> . e:a e:p 1, 2 . e:b e:p 1 ."
GRAPHS = '<http://e/a> <http://e/p> "1" <http://e/G> .\n<http://e/a> <http://e/p> "2" <http://e/H> .\n'
SHARED = GRAPHS + '<http://e/a> <http://e/p> "1" <http://e/H> .\n'
ALL = "SELECT * { ?s ?p ?o }"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three triples."""
    found = tmp_path / "a.ttl"
    found.write_text(TURTLE, encoding="utf-8")
    return found


def rows(kg: KG) -> set[tuple[str, ...]]:
    """All triples, as texts."""
    return {tuple(map(str, row.values())) for row in kg.select(ALL).rows}


def left_over(folder: Path) -> list[str]:
    """What a load has left beside its target."""
    return [found.name for found in folder.iterdir() if found.name.startswith(".")]


# --- the command ------------------------------------------------------------------------------------


def test_load_and_run(tmp_path: Path) -> None:
    """A store directory is a graph like any other."""
    target = str(tmp_path / "store")
    code, out, err = process("load", "olympics", "--to", target)
    assert (code, err) == (0, "")
    assert out.startswith(f"478 triples in {target}, fingerprint ")
    code, out, _ = process("run", DOCUMENTED, "--kg", target)
    assert code == 0
    assert out.startswith(STEPS)


def test_json(path: Path, tmp_path: Path) -> None:
    """`--json` writes one object."""
    target = tmp_path / "store"
    code, out, _ = process("load", str(path), "--to", str(target), "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["format"], found["triples"], found["dataset"]) == (1, 3, "default")
    assert found["fingerprint"] == KG.load(path).fingerprint
    assert found["prefixes"]["e"] == "http://e/"


def test_a_trace_knows_the_store(tmp_path: Path) -> None:
    """Files and the store that was made of them have one fingerprint."""
    trace = str(tmp_path / "t.jsonl")
    process("run", DOCUMENTED, "--trace", trace)
    process("load", "olympics", "--to", str(tmp_path / "store"))
    _, out, _ = process("replay", trace, "--kg", str(tmp_path / "store"))
    assert "another graph" not in out


def test_an_existing_target(path: Path, tmp_path: Path) -> None:
    """It is refused; with `--replace` a store is replaced, and nothing else ever is."""
    target = tmp_path / "store"
    process("load", "olympics", "--to", str(target))
    code, _, err = process("load", str(path), "--to", str(target))
    assert code == 1
    assert err == f"hermes: cannot write {target}: it is there; --replace replaces it\n"
    assert len(KG.load(target).select(ALL).rows) == 478
    assert process("load", str(path), "--to", str(target), "--replace")[0] == 0
    assert len(KG.load(target).select(ALL).rows) == 3
    other = tmp_path / "precious"
    other.mkdir()
    for options in ((), ("--replace",)):
        code, _, err = process("load", str(path), "--to", str(other), *options)
        assert code == 1
        assert "it is there, and is not a store" in err
    code, _, err = process("load", str(path), "--to", str(tmp_path / "no" / "where"))
    assert code == 1
    assert "there is no folder" in err
    assert not left_over(tmp_path)


def test_a_failed_load_leaves_nothing(path: Path, tmp_path: Path) -> None:
    """A broken file, an unknown graph: one line, and neither a target nor anything beside it."""
    broken = tmp_path / "b.nt"
    broken.write_text("<http://e/a> <http://e/b> .", encoding="utf-8")
    target = str(tmp_path / "store")
    assert process("load", str(path), str(broken), "--to", target)[0] == 1
    assert process("load", str(path), "--to", target, "--graph", "http://e/none")[0] == 1
    assert process("load", "nothing", "--to", target)[0] == 1
    assert not Path(target).exists()
    assert not left_over(tmp_path)


@pytest.mark.parametrize("replaced", [False, True])
def test_an_interrupted_load_leaves_nothing(tmp_path: Path, replaced: bool) -> None:  # noqa: FBT001 - a case
    """Ctrl-C ends it with nothing half-done; what was to be replaced is still there."""
    target = tmp_path / "store"
    if replaced:
        process("load", "olympics", "--to", str(target))
    big = tmp_path / "big.nt"
    lines = (f'<http://e/{i}> <http://e/p> "{i}" .\n' for i in range(2_000_000))
    big.write_text("".join(lines), encoding="utf-8")
    with start("load", str(big), "--to", str(target), *(["--replace"] if replaced else [])) as started:
        assert started.stderr is not None
        first = started.stderr.readline()
        assert first.startswith(b"hermes: read ")
        assert left_over(tmp_path)
        started.send_signal(signal.SIGINT)
        assert started.wait(LONG) == 130
        assert b"Traceback" not in started.stderr.read()
    assert not left_over(tmp_path)
    assert target.exists() == replaced
    if replaced:
        assert len(KG.load(target).select(ALL).rows) == 478


# --- opening ----------------------------------------------------------------------------------------


def test_same_answers_names_and_fingerprint(path: Path, tmp_path: Path) -> None:
    """A store directory gives what the files give."""
    manifest = write_store([path], tmp_path / "store")
    kg, files = KG.load(tmp_path / "store"), KG.load(path)
    assert rows(kg) == rows(files)
    assert kg.fingerprint == files.fingerprint == manifest.about.fingerprint
    assert kg.prefixes["e"] == "http://e/"
    assert kg.vocabulary == files.vocabulary
    assert kg.source == str(tmp_path / "store")


def test_derived_prefixes_are_kept(tmp_path: Path) -> None:
    """Names for a graph that declares none are made once, when it is loaded."""
    file = tmp_path / "a.nt"
    file.write_text(
        "".join(f"<http://long/names#a{i}> <http://long/names#p> <http://x/y> .\n" for i in range(9)),
        encoding="utf-8",
    )
    process("load", str(file), "--to", str(tmp_path / "store"))
    assert dict(KG.load(tmp_path / "store").prefixes) == dict(KG.load(file).prefixes)


@pytest.mark.parametrize("text", [GRAPHS, SHARED])
def test_dataset(tmp_path: Path, text: str) -> None:
    """The choice at the load counts; another is possible where the store still has it."""
    file = tmp_path / "a.nq"
    file.write_text(text, encoding="utf-8")
    target = tmp_path / "store"
    write_store([file], target)
    kg = KG.load(target)
    assert kg.dataset == "union"
    assert rows(kg) == rows(KG.load(file))
    assert len(rows(KG.load(target, graph="http://e/G"))) == 1
    assert KG.load(target, graph="http://e/G").fingerprint == KG.load(file, graph="http://e/G").fingerprint
    with pytest.raises(StoreError, match="no graph http://e/none in this store"):
        KG.load(target, graph="http://e/none")
    if text == SHARED:
        with pytest.raises(StoreError, match="load it again with hermes load --graph default"):
            KG.load(target, graph="default")
    else:
        assert not rows(KG.load(target, graph="default"))
    write_store([file], target, "default", replace_store=True)
    with pytest.raises(StoreError, match="load it again with hermes load --graph union"):
        KG.load(target, graph="union")


def test_replaced_while_open(path: Path, tmp_path: Path) -> None:
    """A worker that opens a store later finds out that it is another one."""
    target = tmp_path / "store"
    write_store([path], target)
    store = EmbeddedStore([target])
    path.write_text(TURTLE + " e:c e:p 3 .", encoding="utf-8")
    write_store([path], target, replace_store=True)
    with pytest.raises(StoreError, match="was replaced since it was opened"):
        store.select(ALL)
    assert len(EmbeddedStore([target]).select(ALL).rows) == 4


def test_broken_stores(path: Path, tmp_path: Path) -> None:
    """What is not a store any more is one clear error."""
    target = tmp_path / "store"
    write_store([path], target)
    manifest = target / directory.MANIFEST
    text = manifest.read_text(encoding="utf-8")
    for broken in ("", "[]", "{}", text.replace('"format": 1', '"format": 2'), text.replace("digests", "d")):
        manifest.write_text(broken, encoding="utf-8")
        with pytest.raises(StoreError, match=r"the store .* has the format 2|cannot open the store"):
            KG.load(target)
    manifest.write_text(text, encoding="utf-8")
    shutil.rmtree(target / "triples")
    with pytest.raises(StoreError, match="cannot open the store"):
        EmbeddedStore([target]).select(ALL)


def test_alone(path: Path, tmp_path: Path) -> None:
    """A store directory is loaded by itself, and not loaded into another."""
    write_store([path], tmp_path / "store")
    with pytest.raises(StoreError, match="by itself, without other sources"):
        KG.load(tmp_path / "store", path)
    code, _, err = process("load", str(tmp_path / "store"), "--to", str(tmp_path / "other"))
    assert code == 1
    assert "this is a store already" in err


def test_read_only_folder(path: Path, tmp_path: Path) -> None:
    """Opening and asking writes nothing into the store."""
    target = tmp_path / "store"
    write_store([path], target)
    before = {found: found.stat().st_mtime_ns for found in target.rglob("*")}
    kg = KG.load(target)
    kg.select(ALL)
    kg.close()
    assert {found: found.stat().st_mtime_ns for found in target.rglob("*")} == before


def test_time_limit_on_disk(tmp_path: Path) -> None:
    """Queries over a store directory can be ended too."""
    file = tmp_path / "a.nt"
    file.write_text("".join(f'<http://e/{i}> <http://e/p> "{i}" .\n' for i in range(300)), encoding="utf-8")
    write_store([file], tmp_path / "store")
    store = EmbeddedStore([tmp_path / "store"], limits=Limits(time=0.5))
    with pytest.raises(StoreError) as caught:
        store.select("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }")
    assert caught.value.category == "timeout"
    assert len(store.select(ALL).rows) == 300


# --- where processes cannot be forked ---------------------------------------------------------------


@pytest.mark.parametrize("on_disk", [False, True])
def test_without_fork(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    on_disk: bool,  # noqa: FBT001 - a case
) -> None:
    """Workers are spawned, on a store directory; everything else is the same."""
    monkeypatch.setattr(launch, "CAN_FORK", False)
    if on_disk:
        write_store([path], tmp_path / "store")
    store = EmbeddedStore([tmp_path / "store" if on_disk else path], limits=Limits(time=2, rows=2))
    assert store.fingerprint == EmbeddedStore([path]).fingerprint
    assert store.select("SELECT ?s { ?s ?p 2 }").complete
    cut = store.select(ALL)
    assert isinstance(cut, Table)
    assert (len(cut.rows), cut.complete) == (2, False)
    (child,) = store._pool._idle  # noqa: SLF001 - to kill it
    pid = child._started.pid  # type: ignore[attr-defined]  # noqa: SLF001
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.2)
    assert store.ask("ASK { ?s ?p ?o }")
    with pytest.raises(StoreError, match="the engine crashed on this query"):
        store.select("SELECT * {" + "{" * 100_000 + "}" * 100_000 + "}")
    endless = "SELECT (COUNT(*) AS ?n) {" + " ".join(f"?s{i} ?p{i} ?o{i} ." for i in range(40)) + "}"
    with pytest.raises(StoreError) as caught:
        store.select(endless)
    assert caught.value.category == "timeout"
    assert store.ask("ASK { ?s ?p ?o }")
    store.close()
    store.close()
