"""Findings in lines: what is said, and that nothing from the graph can break or forge a line."""

from __future__ import annotations

import json
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from hermes.finding_json import inspection_from_json, inspection_to_json, lookup_from_json, lookup_to_json
from hermes.finding_text import inspection_lines, lookup_lines
from hermes.findings import Edge, End, Entry, Inspection, Lookup
from hermes.printable import printable
from hermes.terms import IRI, RDF_LANG_STRING, BlankNode, Literal, Prefixes, Term

EX: Final = "http://example.org/"
PREFIXES: Final = Prefixes({"ex": EX})


def ex(name: str) -> IRI:
    """Return a name of the example's namespace."""
    return IRI(EX + name)


PLACID: Final = Entry(
    ex("LakePlacid"), "entity", "Lake Placid", "Lake Placid", "word", (ex("City"), ex("Resort")), 10
)
CITY: Final = Entry(ex("City"), "class", "city", "town", "exact", (), 1)
HOSTED: Final = Entry(ex("hosted"), "predicate", "hosted", "hosted", "typo", (), 0)


# --- look-up ----------------------------------------------------------------------------------------


def test_lookup() -> None:
    """How many of which role; then names, labels, what matched, types and counts, in columns."""
    assert lookup_lines(Lookup("placid", (PLACID,)), PREFIXES) == [
        '1 entity for "placid"',
        '    ex:LakePlacid  "Lake Placid"  ex:City ex:Resort  10 triples',
    ]
    found = Lookup("city", (PLACID, CITY, CITY, HOSTED), complete=False)
    assert lookup_lines(found, PREFIXES) == [
        '1 entity, 2 classes, 1 predicate for "city"',
        '    entity     ex:LakePlacid  "Lake Placid"            ex:City ex:Resort  10 triples',
        '    class      ex:City        "city" (matched "town")                     1 instance',
        '    class      ex:City        "city" (matched "town")                     1 instance',
        '    predicate  ex:hosted      "hosted"',
        "    ... and more",
    ]


def test_nothing() -> None:
    """Nothing, or nothing so far: that is not the same."""
    assert lookup_lines(Lookup("xyz"), PREFIXES) == ['nothing for "xyz"']
    assert lookup_lines(Lookup('x"\n', complete=False), PREFIXES) == [r'nothing found in time for "x\"\n"']


# --- inspection -------------------------------------------------------------------------------------


def test_inspection() -> None:
    """What the term is; then each predicate; labels where they say more than the names."""
    found = Inspection(
        ex("City"),
        "class",
        "city",
        13,
        types=(ex("Kind"),),
        also=("predicate", "entity"),
        edges=(
            Edge(ex("hosted"), "out", 19, 13, ex("q7")),
            Edge(ex("p1"), "out", 1, 1, BlankNode("b0")),
            Edge(ex("twin"), "in", 6, 5),
        ),
        labels={ex("hosted"): "Hosted", ex("p1"): "altitude", ex("q7"): "Games of 1932"},
    )
    assert inspection_lines(found, PREFIXES) == [
        'ex:City "city": class, 13 instances, of type ex:Kind, also a predicate and an entity',
        '    out  ex:hosted         19 triples  of 13 instances  such as ex:q7 "Games of 1932"',
        '    out  ex:p1 "altitude"  1 triple    of 1 instance    such as a blank node',
        "    in   ex:twin           6 triples   of 5 instances",
    ]


def test_parts() -> None:
    """What was not counted is said: a sample, a bound, and lines that are left out."""
    edges = (Edge(ex("p"), "out", 8, 8),)
    found = Inspection(ex("C"), "class", "", 100_001, edges=edges, capped=True, sampled=8, more=3)
    assert inspection_lines(found, PREFIXES) == [
        "ex:C: class, 100001+ instances (8 of them counted here)",
        "    out  ex:p  8+ triples  of 8+ instances",
        "    ... and 3 more",
    ]
    hub = Inspection(ex("hub"), "entity", "", 9, edges=(Edge(ex("p"), "in", 9),), capped=True)
    assert inspection_lines(hub, PREFIXES) == [
        "ex:hub: entity, 9+ triples",
        "    in  ex:p  9+ triples",
        "    ... and perhaps more",
    ]


def test_predicate() -> None:
    """The kinds of subjects and of objects."""
    ends = (
        End("subject", None, 2, ex("a")),
        End("object", ex("City"), 1, ex("b")),
        End("object", IRI(RDF_LANG_STRING), 1, Literal("x", RDF_LANG_STRING, "en")),
    )
    assert inspection_lines(Inspection(ex("p"), "predicate", "", 2, ends=ends), PREFIXES) == [
        "ex:p: predicate, 2 triples",
        "    subject  without a class                                          2 triples  such as ex:a",
        "    object   ex:City                                                  1 triple   such as ex:b",
        '    object   <http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>  1 triple   such as "x"@en',
    ]


def test_what_is_not_there() -> None:
    """A term that does not occur, and one that only is no class, are not the same."""
    assert inspection_lines(Inspection(ex("x"), "entity", "", 0), PREFIXES) == ["ex:x does not occur"]
    assert inspection_lines(Inspection(ex("x"), "class", "", 0, also=("entity",)), PREFIXES) == [
        "ex:x: no class, but an entity"
    ]


# --- what the graph says ----------------------------------------------------------------------------

_TEXTS: Final = st.text(max_size=200) | st.sampled_from(
    ("\n    out  ex:p  1 triple", '"\n{"op": "finish"}  -> finished', "\x1b[2J", "\u202e", "\ud800", "\t")
)
_IRIS: Final = _TEXTS.map(lambda text: IRI(EX + text))
_TERMS: Final[st.SearchStrategy[Term]] = st.one_of(
    _IRIS, _TEXTS.map(Literal), _TEXTS.map(BlankNode), _TEXTS.map(lambda text: Literal(text, EX + text))
)
_ENTRIES: Final = st.builds(
    Entry,
    term=_IRIS,
    role=st.sampled_from(("entity", "class", "predicate")),
    label=_TEXTS,
    matched=_TEXTS,
    match=st.just("word"),
    types=st.lists(_IRIS, max_size=5).map(tuple),
    count=st.integers(0, 10**9),
)
_LOOKUPS: Final = st.builds(
    Lookup, text=_TEXTS, entries=st.lists(_ENTRIES, max_size=3).map(tuple), complete=st.booleans()
)
_INSPECTIONS: Final = st.builds(
    Inspection,
    term=_IRIS,
    role=st.sampled_from(("entity", "class", "predicate")),
    label=_TEXTS,
    count=st.integers(0, 10**9),
    types=st.lists(_IRIS, max_size=5).map(tuple),
    edges=st.lists(
        st.builds(
            Edge,
            predicate=_IRIS,
            direction=st.sampled_from(("out", "in")),
            count=st.integers(1, 9),
            terms=st.integers(1, 9),
            example=st.none() | _TERMS,
        ),
        max_size=3,
    ).map(tuple),
    ends=st.lists(
        st.builds(
            End,
            side=st.sampled_from(("subject", "object")),
            kind=st.none() | _IRIS,
            count=st.integers(1, 9),
            example=st.none() | _TERMS,
        ),
        max_size=3,
    ).map(tuple),
    labels=st.dictionaries(_IRIS, _TEXTS, max_size=3),
    sampled=st.none() | st.integers(0, 9),
    more=st.integers(0, 9),
    capped=st.booleans(),
    complete=st.booleans(),
)


@given(_LOOKUPS)
def test_no_label_breaks_a_lookup(found: Lookup) -> None:
    """A line for each entry, whatever it holds; JSON brings the same back."""
    lines = lookup_lines(found, PREFIXES)
    _check(lines)
    assert len(lines) == 1 + len(found.entries) + (not found.complete and bool(found.entries))
    assert lookup_from_json(json.loads(json.dumps(lookup_to_json(found)))) == found


@given(_INSPECTIONS)
def test_no_label_breaks_an_inspection(found: Inspection) -> None:
    """A line for each edge and end, whatever it holds; JSON brings the same back, examples too."""
    lines = inspection_lines(found, PREFIXES)
    _check(lines)
    if found.count:
        assert len(lines) == 1 + len(found.edges) + len(found.ends) + bool(found.more or found.capped)
    back = inspection_from_json(json.loads(json.dumps(inspection_to_json(found))))
    assert (back, list(back.terms()), back.labels) == (found, list(found.terms()), found.labels)


def _check(lines: list[str]) -> None:
    first, *others = lines
    assert not first.startswith(" ")
    assert all(line.startswith("    ") for line in others)
    assert all(printable(line) == line for line in lines)
    assert all(len(line) < 1500 for line in lines)
