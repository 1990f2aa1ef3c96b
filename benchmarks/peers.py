"""The parsers that are compared. Each refuses a text by an exception; heavy imports wait until it is made."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.samples import BASE

Parse = Callable[[str], object]
GRAMMAR: Final = Path(__file__).with_name("sparql.lark")


@dataclass(frozen=True, slots=True)
class Peer:
    """One parser.

    `make` returns it ready to use; `set_up` is a program that does the same in a fresh process. `gives` says
    what a caller gets.
    """

    name: str
    distributions: tuple[str, ...]
    modules: tuple[str, ...]
    make: Callable[[], Parse]
    set_up: str
    gives: str

    @property
    def installed(self) -> bool:
        """Whether all of its modules can be imported."""
        return all(find_spec(module) is not None for module in self.modules)


def hermes() -> Parse:
    """Return our own parser: text to a plan, scope checked."""
    parse_query = import_module("hermes.algebra").parse_query
    return lambda text: parse_query(text, base=BASE)


def lark() -> Parse:
    """Return Lark's LALR parser over `sparql.lark`."""
    parser = import_module("lark").Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", propagate_positions=True, maybe_placeholders=False
    )
    parse: Parse = parser.parse
    return parse


def rdflib() -> Parse:
    """Return rdflib's parser with the translation to its algebra, which is where it checks anything."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)  # its warnings on IRIs would cost it time
    parse_query = import_module("rdflib.plugins.sparql.parser").parseQuery
    translate = import_module("rdflib.plugins.sparql.algebra").translateQuery
    return lambda text: translate(parse_query(text), BASE)


def pyoxigraph() -> Parse:
    """Return Oxigraph's parser: a query on an empty store."""
    store = import_module("pyoxigraph").Store()

    def parse(text: str) -> None:
        with suppress(RuntimeError):  # it was read, but names a function that there is not
            store.query(text, base_iri=BASE)

    return parse


def tree_sitter() -> Parse:
    """Return tree-sitter's parser; a tree with an error in it is a refusal."""
    binding, grammar = import_module("tree_sitter"), import_module("tree_sitter_sparql")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the grammar hands itself over in the old way
        parser = binding.Parser(binding.Language(grammar.language()))

    def parse(text: str) -> object:
        tree = parser.parse(text.encode())
        if tree.root_node.has_error:
            raise ValueError("the tree has an error in it")
        return tree

    return parse


def sparqlib() -> Parse:
    """Return sparqlib's parser."""
    parse: Parse = import_module("sparqlib").parse_query
    return parse


def larql() -> Parse:
    """Return larql's parser."""
    parse: Parse = import_module("larql").SPARQLParser
    return parse


PEERS: Final = (
    Peer(
        "hermes: own recursive descent",
        ("hermes-kg",),
        ("hermes",),
        hermes,
        "from hermes.algebra import parse_query",
        "plan, scope checked; no spans",
    ),
    Peer(
        "Lark (LALR), sparql.lark",
        ("lark",),
        ("lark",),
        lark,
        "import lark\n"
        f"text = open({str(GRAMMAR)!r}, encoding='utf-8').read()\n"
        "lark.Lark(text, parser='lalr', propagate_positions=True, maybe_placeholders=False)",
        "tree with spans",
    ),
    Peer(
        "rdflib (parse and translate)",
        ("rdflib",),
        ("rdflib",),
        rdflib,
        "from rdflib.plugins.sparql.algebra import translateQuery",
        "tree, no spans",
    ),
    Peer("pyoxigraph", ("pyoxigraph",), ("pyoxigraph",), pyoxigraph, "import pyoxigraph", "no tree"),
    Peer(
        "tree-sitter-sparql",
        ("tree-sitter", "tree-sitter-sparql"),
        ("tree_sitter", "tree_sitter_sparql"),
        tree_sitter,
        "import tree_sitter, tree_sitter_sparql\n"
        "tree_sitter.Parser(tree_sitter.Language(tree_sitter_sparql.language()))",
        "tree with spans",
    ),
    Peer("sparqlib", ("sparqlib",), ("sparqlib",), sparqlib, "import sparqlib", "tree with spans"),
    Peer("larql", ("larql",), ("larql",), larql, "import larql", "tree, spans of tokens"),
)


def accepts(parse: Parse, text: str) -> bool:
    """Whether the parser takes the text."""
    try:
        parse(text)
    except Exception:  # noqa: BLE001 - every parser has exceptions of its own
        return False
    return True
