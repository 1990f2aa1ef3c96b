"""The page of an explanation: it stands alone, shows data as text, and can be read without seeing it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.explanation import explain
from hermes.explanation.page import page
from hermes.explanation.page.drawing import drawn, in_words
from hermes.explanation.page.layout import layout
from hermes.explanation.page.pattern_graph import pattern_graph
from hermes.pages.highlight import highlighted
from hermes.pages.markup import Markup, joined, tag
from oracle.sizes import affordable
from page_reader import Reader, read
from strategies import olympics, plans

ALARM: Final = '"><script>alert(1)</script>&amp;\x1b[31m'
_FETCHING: Final = frozenset({"src", "href", "action", "data", "srcset", "poster", "background"})


def page_of(query: str, kg: KG | None = None, sentence: str = "a sentence") -> str:
    """Return the page of a query."""
    kg = kg or olympics()
    return page(explain(kg, parse_query(query, prefixes=kg.prefixes), samples=True), query, sentence, kg)


EVERYTHING: Final = """\
SELECT DISTINCT ?city ?n { ?city ex:hosted ?g ; a ex:City . ?g ex:year ?y OPTIONAL { ?city ex:nickname ?n }
  MINUS { ?city ex:twin ?x } FILTER NOT EXISTS { ?city ex:altitude ?a . ?a ?p ?q } FILTER(?y > 1900)
  { ?city ex:country ex:USA } UNION { ?city ex:country ex:Japan }
  { SELECT ?city (COUNT(?h) AS ?k) { ?city ex:hosted ?h } GROUP BY ?city }
  VALUES ?y { 1932 1964 1984 } FILTER(?k > 0 && ?y > 3) BIND(STR(?y) AS ?text) } # end"""


# --- what the page is -------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [EVERYTHING, "ASK { ?a ex:hosted ?g }", "DESCRIBE ex:Tokyo", "ASK {}"])
def test_stands_alone(query: str) -> None:
    """No script, no request, a policy that allows neither, and the style that the policy names."""
    text = page_of(query)
    found = read(text)
    names = {name for name, _ in found.elements}
    assert not names & {"script", "link", "iframe", "object", "embed", "img", "base", "form"}
    for _, attributes in found.elements:
        assert not _FETCHING & attributes.keys()
        assert "style" not in attributes
        assert not any(key.startswith("on") for key in attributes)
    policy = next(a["content"] for n, a in found.elements if a.get("http-equiv") == "Content-Security-Policy")
    style = text.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy is not None
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style


def test_can_be_read_without_seeing_it() -> None:
    """A language, a title, one first heading, named tables, a drawing with a name and the same in words."""
    found = read(page_of(EVERYTHING, sentence="cities that hosted games"))
    by_name: dict[str, list[dict[str, str | None]]] = {}
    for name, attributes in found.elements:
        by_name.setdefault(name, []).append(attributes)
    assert by_name["html"][0]["lang"] == "en"
    assert len(by_name["h1"]) == len(by_name["main"]) == 1
    assert len(by_name["table"]) == len(by_name["caption"])
    assert all(attributes["scope"] == "col" for attributes in by_name["th"])
    bars = [a for a in by_name["svg"] if a.get("class") == "bar"]
    assert bars
    assert all(attributes["aria-hidden"] == "true" for attributes in bars)
    drawing = next(a for a in by_name["svg"] if a.get("class") == "drawing")
    assert drawing["role"] == "img"
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {drawing["aria-labelledby"], drawing["aria-describedby"]} <= set(ids)
    assert "?city \u2014 twin city \u2192 ?x (minus)" in found.texts
    assert "cities that hosted games" in found.texts


def test_data_is_text(tmp_path: Path) -> None:
    """Labels, values, sentences and queries that look like markup are shown, not obeyed."""
    file = tmp_path / "alarm.ttl"
    literal = ALARM.replace('"', '\\"').replace("\x1b", "\\u001b")
    file.write_text(
        f"""@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a rdfs:label "{literal}" ; :p :b , "{literal}"@en . :p rdfs:label "{literal}" . :b :p :c .""",
        encoding="utf-8",
    )
    kg = KG.load(file)
    query = f'PREFIX : <urn:x:> SELECT * {{ ?x :p ?y FILTER(?y != "{literal}") }}'
    found = read(page_of(query, kg, ALARM))
    kg.close()
    assert "script" not in {name for name, _ in found.elements}
    shown = "".join(found.texts)
    assert shown.count("<script>alert(1)</script>&amp;") > 5
    assert "\x1b" not in shown


@given(plans())
def test_every_plan_has_a_page(plan: Plan) -> None:
    """It is well formed whatever the plan holds, and its drawing is XML."""
    assume(affordable(plan))
    text = page(explain(olympics(), plan, samples=True), render(plan), "words", olympics())
    read(text)
    drawing = re.search(r'<svg class="drawing".*?</svg>', text, re.DOTALL)
    assert drawing is not None
    ET.fromstring(drawing[0])  # noqa: S314 - our own text


@given(st.text())
def test_any_text_is_text(text: str) -> None:
    """What is not markup is escaped; a query text keeps its characters in the highlighting."""
    assert not re.search(r"[<>\"']", joined(text))
    assert tag("p", text, title=text).count("<") == 2
    assert isinstance(highlighted(text), Markup)


def test_highlighting_keeps_the_text() -> None:
    """Only spans are added; words, names, variables, literals and comments are told apart."""
    found = Reader()
    found.feed(highlighted(EVERYTHING))
    assert "".join(found.texts) == EVERYTHING
    assert {attributes["class"] for _, attributes in found.elements} == {
        "word", "name", "variable", "literal", "comment",
    }  # fmt: skip


# --- the drawing ------------------------------------------------------------------------------------------


def test_what_is_drawn() -> None:
    """Patterns are arrows that say which groups are around them; classes and conditions are in their node."""
    graph = pattern_graph(parse_query(EVERYTHING, prefixes=olympics().prefixes), {})
    shown = list(in_words(graph))
    assert "?city: a ex:City" in shown
    assert "?y: VALUES ?y { 1932 1964 1984 }; ?y > 1900" in shown
    assert "?city \u2014 ex:nickname \u2192 ?n (optional)" in shown
    assert "?a \u2014 ?p \u2192 ?q (not exists)" in shown
    assert "?city \u2014 ex:country \u2192 ex:Japan (or 2)" in shown
    assert "?city \u2014 ex:hosted \u2192 ?h (sub-query)" in shown
    assert "?k > 0 && ?y > 3" in shown
    assert [node.name for node in graph.nodes if node.answers] == ["?city", "?n"]
    picture = drawn(graph)
    assert picture.count('class="cross"') == 3
    assert picture.count('class="arrow optional"') == 1


def test_a_variable_inside_is_another_one() -> None:
    """What a sub-query does not select, and what MINUS binds, has a node of its own."""
    inner = "{ SELECT ?a { ?a ex:country ?g } }"
    query = f"SELECT * {{ ?a ex:hosted ?g MINUS {{ ?a ex:twin ?t }} ?a ex:twin ?t {inner} }}"
    graph = pattern_graph(parse_query(query, prefixes=olympics().prefixes), {})
    assert sorted(node.name for node in graph.nodes) == ["?a", "?g", "?g", "?t", "?t"]


@given(
    st.lists(st.tuples(st.floats(20, 300), st.floats(20, 80)), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.floats(0, 200)), max_size=20),
)
def test_nodes_do_not_overlap(sizes: list[tuple[float, float]], lines: list[tuple[int, int, float]]) -> None:
    """Each node has its own place, within the size of the whole; the same graph has the same places."""
    between = [(a % len(sizes), b % len(sizes), width) for a, b, width in lines]
    placed = layout(sizes, between)
    assert placed == layout(sizes, between)
    for place, one in enumerate(placed.boxes):
        assert one.width / 2 <= one.x <= placed.width - one.width / 2 + 1e-6
        assert one.height / 2 <= one.y <= placed.height - one.height / 2 + 1e-6
        for other in placed.boxes[:place]:
            apart_across = abs(one.x - other.x) >= (one.width + other.width) / 2 - 1e-6
            apart_down = abs(one.y - other.y) >= (one.height + other.height) / 2 - 1e-6
            assert apart_across or apart_down


def test_a_graph_that_is_too_large_is_told_in_words() -> None:
    """Hundreds of nodes make no drawing."""
    patterns = " ".join(f"?v{n} ex:next ?v{n + 1} ." for n in range(400))
    graph = pattern_graph(parse_query(f"SELECT * {{ {patterns} }}", prefixes=olympics().prefixes), {})
    found = read(drawn(graph))
    assert "svg" not in {name for name, _ in found.elements}
    assert "?v0 \u2014 ex:next \u2192 ?v1" in found.texts
