"""The report of a run: what it shows, what it calls a failure, data that stays text, a bounded size."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.evaluation.record import Record, Shown
from hermes.evaluation.report import Failure, kind_of, report_page
from hermes.evaluation.report.step_difference import first_difference
from hermes.evaluation.totals import totals
from hermes.printable import printable
from hermes.version import __version__
from page_reader import Reader, read

FOLDER: Final = Path(__file__).parent / "golden" / "report"
_BLOCK: Final = re.compile(
    r"(?=<(?:article|li|tr|section|h\d|p|table|div|ol|details|summary|pre|form|option|footer)\b)"
)

ROWS: Final = Shown("SELECT ?a { ?a ?b ?c }", columns=("a",), rows=(("ex:a",),), size=1)
TRUE: Final = Shown("ASK { ?a ?b ?c }", truth=True)
NONE: Final = replace(ROWS, rows=(), size=0)
WIDER: Final = replace(ROWS, columns=("a", "b"))


def small() -> list[Record]:
    """Return the records of a small run."""
    lines = (FOLDER / "small.jsonl").read_text(encoding="utf-8").splitlines()
    return [Record.from_json(json.loads(line)) for line in lines]


def page_of(records: list[Record], other: list[Record] | None = None) -> str:
    """Return the report of records."""
    return report_page(records, totals(records), "a run", other=other)


# --- kinds of failure ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "gold", "shown", "scores"),
    [
        (None, ROWS, ROWS, {"f1": 1.0}),
        (None, NONE, NONE, {"f1": 1.0}),
        (Failure.ERROR, ROWS, ROWS, {"f1": 1.0, "error": "it fell over"}),
        (Failure.ERROR, ROWS, Shown(), {"error": "it fell over"}),
        (Failure.NO_GOLD, Shown(), ROWS, {}),
        (Failure.NO_QUERY, ROWS, Shown(), {}),
        (Failure.NO_QUERY, ROWS, Shown("  \n"), {}),
        (Failure.NO_ANSWER, ROWS, Shown("SELECT * {}"), {}),
        (Failure.ASK_FOR_SELECT, ROWS, TRUE, {}),
        (Failure.SELECT_FOR_ASK, TRUE, ROWS, {}),
        (Failure.WRONG_TRUTH, TRUE, replace(TRUE, truth=False), {}),
        (Failure.EMPTY, ROWS, NONE, {}),
        (Failure.NOT_EMPTY, NONE, ROWS, {}),
        (Failure.EXTRA_COLUMN, ROWS, WIDER, {"lenient": 1.0}),
        (Failure.MISSING_COLUMN, WIDER, ROWS, {"lenient": 1.0}),
        (Failure.OTHER_TERMS, ROWS, ROWS, {"lenient": 1.0}),
        (Failure.OTHER_COLUMNS, ROWS, WIDER, {"lenient": 0.5}),
        (Failure.NOTHING_RIGHT, ROWS, ROWS, {}),
        (Failure.TOO_FEW, ROWS, ROWS, {"precision": 1.0, "recall": 0.5, "f1": 0.67}),
        (Failure.TOO_MANY, ROWS, ROWS, {"precision": 0.5, "recall": 1.0, "f1": 0.67}),
        (Failure.MIXED, ROWS, ROWS, {"precision": 0.5, "recall": 0.5, "f1": 0.5}),
    ],
)
def test_kinds_of_failure(
    kind: Failure | None, gold: Shown, shown: Shown, scores: dict[str, float | str]
) -> None:
    """The first kind that holds; none where the answer is right."""
    found = Record.from_json({**Record("1", "?", gold=gold, given=shown).to_json(), **scores})
    assert kind_of(found) == kind


def test_where_steps_part() -> None:
    """Names of variables do not count; what is left does; a longer query parts where the shorter one ends."""
    one = [("?a ex:p ?b", "9 solutions"), ("?b ex:q ex:C", "9 -> 4 solutions")]
    same = [("?x ex:p ?y", "9 solutions"), ("?y  ex:q ex:C", "9 -> 4 solutions")]
    assert first_difference(one, same) is None
    assert first_difference(one, [same[0], ("?x ex:q ex:C", "9 -> 4 solutions")]) == 1
    assert first_difference(one, [("?x ex:p ?y", "8 solutions"), same[1]]) == 0
    assert first_difference(one, same[:1]) == first_difference(same[:1], one) == 1
    assert first_difference(one, []) is None
    assert first_difference([('"', "1 solution")], [("'", "1 solution")]) == 0


# --- the page ----------------------------------------------------------------------------------------------


def test_the_page_is_as_expected(update: bool) -> None:  # noqa: FBT001 - a fixture
    """The body of the page of a small run, a block a line, without the version."""
    body = page_of(small()).partition("<body>")[2].partition("<script>")[0]
    shown = _BLOCK.sub("\n", body).replace(__version__, "VERSION").strip() + "\n"
    path = FOLDER / "small.html"
    if update:
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


def test_stands_alone() -> None:
    """One script and one style, which the policy names; nothing is fetched, no element has code or style."""
    text = page_of(small(), small())
    found = read(text)
    names = [name for name, _ in found.elements]
    assert names.count("script") == names.count("style") == 1
    assert not {"link", "iframe", "object", "embed", "img", "base"} & set(names)
    for _, attributes in found.elements:
        assert not {"src", "action", "data", "srcset", "poster", "background", "style"} & attributes.keys()
        assert not any(key.startswith("on") for key in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] for _, a in found.elements if a.get("http-equiv"))
    for name in ("style", "script"):
        content = text.partition(f"<{name}>")[2].partition(f"</{name}>")[0]
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in (policy or "")
        assert "http" not in content
    assert (policy or "").startswith("default-src 'none'; ")


def test_can_be_read_without_seeing_it() -> None:
    """Headings in order, tables with names and headers, fields with labels, names used once."""
    found = read(page_of(small(), [replace(record, f1=0.5) for record in small()]))
    levels = [int(name[1]) for name, _ in found.elements if re.fullmatch(r"h\d", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [name for name, _ in found.elements]
    assert names.count("table") == names.count("caption") > 4
    assert {a["scope"] for name, a in found.elements if name == "th"} == {"col", "row"}
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))
    labelled = {a["for"] for name, a in found.elements if name == "label"}
    assert {a["id"] for name, a in found.elements if name in {"select", "input"}} == labelled
    assert {a["aria-labelledby"] for name, a in found.elements if name == "section"} <= set(ids)
    links = {(a["href"] or "")[1:] for name, a in found.elements if name == "a"}
    assert links
    assert links <= set(ids)
    assert all(a["aria-hidden"] == "true" for name, a in found.elements if name == "svg")
    assert next(a for _, a in found.elements if a.get("id") == "shown")["role"] == "status"


def test_failures_come_first() -> None:
    """The worst first, those that are right last, in their order; an error is a failure whatever its F1."""
    scores = (1.0, 0.5, 1.0, 0.0, 1.0)
    records = [Record(f"q{n}", f"question {n}", gold=ROWS, given=ROWS, f1=f) for n, f in enumerate(scores)]
    records[2] = replace(records[2], error="it fell over")
    shown = re.findall(r"<h3>question (\d)</h3>", page_of(records))
    assert shown == ["2", "3", "1", "0", "4"]


def test_what_changed() -> None:
    """Better and worse with links to the questions, and what the other run gave beside them."""
    scores = {"up": (0.2, 1.0), "down": (1.0, 0.4), "same": (0.5, 0.5)}
    before, now = (
        [Record(name, f"is it {name}", gold=ROWS, given=ROWS, f1=pair[n]) for name, pair in scores.items()]
        for n in (0, 1)
    )
    page = page_of([*now, Record("new", "is it new")], [*before, Record("old", "is it old")])
    assert "1 better, 1 worse, 1 the same, 1 only in this run, 1 only in the other run" in page
    assert '<a href="#question-2">is it down</a></td><td class="number">1.00</td>' in page
    assert '<td class="number">-0.60</td>' in page
    assert page.count("Given in the other run (F1 ") == 2
    assert '<option value="only in this run">only in this run (1)</option>' in page


def test_an_empty_run_has_a_page() -> None:
    """No question is no reason to fail."""
    read(page_of([], []))


# --- data is text ------------------------------------------------------------------------------------------

_TEXT: Final = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            '</script><script>alert("1")</script>',
            "<!--",
            "]]>",
            "'\"><img src=x>",
            "&lt;",
            "\x1b[31m",
            "\u202eabc",
        ]
    ),
)
_SHOWN: Final = st.builds(
    Shown,
    sparql=_TEXT,
    steps=st.lists(st.tuples(_TEXT, _TEXT), max_size=3).map(tuple),
    columns=st.just(("a", "b")),
    rows=st.lists(st.tuples(_TEXT, _TEXT), max_size=2).map(tuple),
    size=st.integers(0, 5),
)
_RECORD: Final = st.builds(
    Record,
    id=_TEXT,
    question=_TEXT,
    kg=_TEXT,
    features=st.lists(_TEXT, max_size=3).map(tuple),
    gold=_SHOWN,
    given=_SHOWN,
    error=_TEXT,
)


@given(_RECORD, _TEXT)
def test_any_text_is_text(record: Record, title: str) -> None:
    """The page has the elements of its own and no others; the texts are found in it as they were put in."""
    second = Record("second", "plain")
    found = read(report_page([record, second], totals([record, second]), title))
    plain = read(
        page_of(
            [
                Record("first", "plain", gold=replace(ROWS, steps=(("a", "b"),)), given=WIDER, error="none"),
                second,
            ]
        )
    )
    assert {name for name, _ in found.elements} <= {name for name, _ in plain.elements} | {"option", "select"}
    assert [name for name, _ in found.elements].count("script") == 1
    shown = "".join(found.texts)
    for text in (
        title,
        record.question,
        record.error,
        record.gold.sparql.strip("\n"),
        record.given.sparql.strip("\n"),
    ):
        if text.strip():
            assert _shown(text) in shown
    for row in (*record.gold.rows, *record.given.rows):
        assert all(_shown(value) in shown for value in row)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", shown)


def _shown(text: str) -> str:
    return "\n".join(printable(line) for line in text.replace("\t", "  ").split("\n"))


# --- it stays small --------------------------------------------------------------------------------------


def _long(number: int, patterns: int) -> Record:
    body = "".join(f"  ?city ex:property{n} ?value{n} . # a remark\n" for n in range(patterns))
    rows = tuple((f"ex:City{n}", "x" * 500) for n in range(100))
    steps = tuple((f"?city ex:property{n} ?value{n}", f"{n + 1} -> {n} solutions") for n in range(patterns))
    shown = Shown(f"SELECT * {{\n{body}}}", steps, ("city", "value"), rows, 1000)
    return Record(f"q{number}", f"question {number}", gold=shown, given=shown)


def test_a_thousand_long_questions_are_a_page() -> None:
    """It has at most 3 MB; what is cut says how much is missing, and a cut query has no button to copy it."""
    records = [_long(number, 80) for number in range(1000)]
    text = page_of(records)
    assert len(text.encode()) < 3_000_000
    found = read(text)
    queries = [a["class"] or "" for name, a in found.elements if name == "pre"]
    assert len(queries) == 2000
    assert queries.count("wide query cut") == len(re.findall(r"Cut here: [\d,]+ more characters\.", text))
    assert "wide query cut" in queries
    assert len(re.findall(r"and [\d,]+ more rows", text)) == 2000


def test_a_few_questions_are_whole() -> None:
    """The same queries are not cut where there is room, and their words are marked."""
    text = page_of([_long(number, 80) for number in range(5)])
    assert "Cut here" not in text
    assert '<span class="comment">' in text
    assert "".join(_queries(text)[:1]) == _long(0, 80).gold.sparql


def _queries(text: str) -> list[str]:
    found = []
    for part in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", text, re.DOTALL):
        reader = Reader()
        reader.feed(part)
        found.append("".join(reader.texts))
    return found
