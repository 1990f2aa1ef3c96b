"""One of the queries of a question: its text, its steps, its answer."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.evaluation.record import Shown
from hermes.evaluation.report.amount import Amount
from hermes.evaluation.report.wording import counted
from hermes.pages import Markup, highlighted, joined, tag
from hermes.printable import clip


def side(title: str, shown: Shown, amount: Amount, differs: int | None = None) -> Markup:
    """Return a query with its steps and its answer.

    Args:
        title: which of the queries it is.
        shown: the query.
        amount: the most that is shown of it.
        differs: the place, from 0, of the first step that the other query does not have.
    """
    return tag(
        "div",
        tag("h4", title),
        *_query(shown, amount),
        *_steps(shown, amount, differs),
        *_answer(shown, amount),
        class_="side",
    )


def _query(shown: Shown, amount: Amount) -> Iterator[Markup]:
    query = shown.sparql.strip("\n")
    if not query.strip():
        yield tag("p", "No query.", class_="note")
        return
    more = len(query) - amount.query
    text = query[: amount.query]
    code = tag("code", _marked(text, amount))
    yield tag("pre", code, class_="wide query cut" if more > 0 else "wide query")
    if more > 0:
        yield tag("p", f"Cut here: {counted(more, 'more character')}.", class_="note")


def _marked(text: str, amount: Amount) -> Markup:
    return highlighted(text) if amount.marked else joined(text)


# --- steps ---------------------------------------------------------------------------------------------


def _steps(shown: Shown, amount: Amount, differs: int | None) -> Iterator[Markup]:
    if not shown.steps:
        return
    items = [
        _step(text, left, amount, differs=place == differs)
        for place, (text, left) in enumerate(shown.steps[: amount.steps])
    ]
    if differs is not None and differs == len(shown.steps) <= amount.steps:
        items.append(tag("li", tag("strong", "first difference: no more steps", class_="mark")))
    if items:
        yield tag("ol", *items, class_="taken")
    more = len(shown.steps) - amount.steps
    if more > 0:
        where = (
            "" if differs is None or differs < amount.steps else f"; first difference at step {differs + 1}"
        )
        yield tag("p", f"and {counted(more, 'more step')}{where}", class_="note")


def _step(text: str, left: str, amount: Amount, *, differs: bool) -> Markup:
    step = tag("code", _marked(clip(text, 4 * amount.value), amount))
    mark = [" ", tag("strong", "first difference", class_="mark")] if differs else []
    count = clip(left, amount.value).replace("->", "\N{RIGHTWARDS ARROW}")
    return tag("li", step, " ", tag("span", count, class_="count"), *mark)


# --- the answer ----------------------------------------------------------------------------------------


def _answer(shown: Shown, amount: Amount) -> Iterator[Markup]:
    if shown.truth is not None:
        yield tag("p", "Answer: ", tag("strong", "true" if shown.truth else "false"))
    elif shown.size is None:
        yield tag("p", "No answer.", class_="note")
    else:
        yield tag("p", f"Answer: {counted(shown.size, 'row')}")
        if shown.rows and amount.rows:
            yield _table(shown, amount)
        if shown.rows:
            yield from _left_out(shown, amount)


def _table(shown: Shown, amount: Amount) -> Markup:
    head = (
        tag("th", f"?{clip(name, amount.value)}", scope="col") for name in shown.columns[: amount.columns]
    )
    body = (
        tag("tr", *(tag("td", _cell(value, amount)) for value in row[: amount.columns]))
        for row in shown.rows[: amount.rows]
    )
    table = tag("table", tag("caption", "First rows"), tag("thead", tag("tr", *head)), tag("tbody", *body))
    return tag("div", table, class_="wide")


def _cell(value: str, amount: Amount) -> Markup:
    if not value:
        return tag("span", "\N{EN DASH}", class_="unbound", title="unbound")
    return tag("code", clip(value, amount.value))


def _left_out(shown: Shown, amount: Amount) -> Iterator[Markup]:
    rows = (shown.size or 0) - min(len(shown.rows), amount.rows)
    columns = len(shown.columns) - amount.columns
    said = [counted(rows, "more row")] * (rows > 0) + [counted(columns, "more column")] * (columns > 0)
    if said:
        yield tag("p", f"and {', '.join(said)}", class_="note")
