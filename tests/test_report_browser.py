"""The report in a real browser: its filters, its address, its keys, its buttons, and its contrast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from browser import Browser, installed
from hermes.evaluation.report import report_page
from hermes.evaluation.totals import totals
from test_report import small

_SHOWN: Final = """[...document.querySelectorAll("#questions > article")]
  .filter(item => item.offsetParent !== null).map(item => item.querySelector("h3").textContent)"""
_STATUS: Final = "document.getElementById('shown').textContent"
_COUNTS: Final = (
    "Object.fromEntries([...document.getElementById('%s').options].map(o => [o.value, o.textContent]))"
)

_CONTRASTS: Final = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
    const [one, other] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) low.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(low)];
})()"""
"""Elements whose text has a contrast below 4.5 with what is behind it (WCAG 2.2, 1.4.3)."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests of this file."""
    with Browser(installed(), tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page of a small run, compared with one where all went wrong."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    before = [replace(record, f1=0.1, error="") for record in small()]
    page = report_page(small(), totals(small()), "a run", other=before)
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


def test_filters_work_together_and_are_kept(browser: Browser, address: str) -> None:
    """Each choice narrows the list; counts say what another would show; the address brings it all back."""
    browser.open(address)
    assert browser.value(_STATUS) == "7 of 7 questions"
    browser.value("document.getElementById('feature').focus()")
    browser.press("j", 74, "j")
    browser.wait("location.hash === '#feature=JOIN'")
    assert browser.value(_STATUS) == "5 of 7 questions"
    kinds = browser.value(_COUNTS % "kind")
    assert kinds["SELECT for ASK"] == "SELECT for ASK (0)"
    assert kinds["right"] == "right (1)"
    assert browser.value(_COUNTS % "feature")["COUNT"] == "COUNT (1)"
    browser.value("document.getElementById('text').focus()")
    browser.type("AMERICAN")
    browser.wait("location.hash === '#feature=JOIN&text=AMERICAN'")
    together = browser.value(_SHOWN)
    assert together == ["Give me the American cities of winter games.", "Which American cities hosted games?"]
    browser.open(f"{address}#feature=JOIN&text=AMERICAN&kind=too+few+rows")
    assert browser.value(_SHOWN) == together[1:]
    assert browser.value("document.getElementById('kind').value") == "too few rows"
    browser.value("document.getElementById('clear').click()")
    assert browser.value(_STATUS) == "7 of 7 questions"


def test_unknown_filters_are_no_filters(browser: Browser, address: str) -> None:
    """An address from elsewhere cannot hide the list or put anything into the page."""
    browser.open(f"{address}#kind=<img src=x onerror=alert(1)>&nothing=x")
    assert browser.value(_STATUS) == "7 of 7 questions"
    browser.open(f"{address}#%E0%A4%A")
    assert browser.value(_STATUS) == "7 of 7 questions"
    assert browser.value("document.querySelectorAll('img').length") == 0


def test_a_link_opens_its_question(browser: Browser, address: str) -> None:
    """From the table of changes to the question, which is open and has the focus."""
    browser.open(f"{address}#text=nothing+like+it")
    assert browser.value(_SHOWN) == []
    browser.value("document.querySelector('a[href]').click()")
    browser.wait("document.activeElement.tagName === 'SUMMARY'")
    assert browser.value("document.activeElement.parentElement.open") is True
    linked = browser.value("document.querySelector('a[href]').textContent")
    assert browser.value("document.activeElement.querySelector('h3').textContent") == linked


def test_queries_can_be_copied(browser: Browser, address: str) -> None:
    """The button gives the query as it was given, with the mouse or the keyboard."""
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.open(address)
    browser.value("document.getElementById('open').click()")
    browser.wait("document.querySelectorAll('.side button').length > 7")
    browser.value("document.querySelector('.side button').focus()")
    browser.press("Enter", 13, "\r")
    browser.wait("document.querySelector('.side button').textContent === 'Copied'")
    first = browser.value("document.querySelector('.side code').textContent")
    assert browser.value("navigator.clipboard.readText()") == first
    assert first in {record.gold.sparql for record in small()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser: Browser, address: str, scheme: str) -> None:
    """Every text can be told from what is behind it, in the light and in the dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    browser.open(address)
    browser.value("document.getElementById('open').click()")
    browser.wait("document.querySelectorAll('.side button').length > 7")
    background = browser.value("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(251, 251, 249)", "dark": "rgb(20, 24, 28)"}[scheme]
    assert browser.value(_CONTRASTS) == []


def test_reads_without_scripts_and_prints(browser: Browser, address: str) -> None:
    """Without its script the page has all questions and no form; in print there are no controls."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(address)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert len(browser.value(_SHOWN)) == 7
    assert browser.value("document.getElementById('filters').offsetParent") is None
    browser.open(address)
    assert browser.value("document.getElementById('filters').checkVisibility()") is True
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.value("document.getElementById('filters').checkVisibility()") is False
    browser.call("Emulation.setEmulatedMedia", media="")


def test_nothing_is_asked_and_nothing_goes_wrong(browser: Browser, address: str) -> None:
    """After all of the above: only files were opened, the policy was not broken, no script failed."""
    browser.open(address)
    asked = [said["request"]["url"] for name, said in browser.events if name == "Network.requestWillBeSent"]
    assert asked
    assert all(url.startswith("file:") or url == "about:blank" for url in asked)
    wrong = [said for name, said in browser.events if name in {"Runtime.exceptionThrown", "Log.entryAdded"}]
    assert wrong == []


def test_narrow(browser: Browser, address: str) -> None:
    """On a small screen nothing but a query or a table scrolls sideways."""
    browser.call(
        "Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False
    )
    browser.open(address)
    browser.value("document.getElementById('open').click()")
    assert browser.value("document.documentElement.scrollWidth") <= 360
    browser.call("Emulation.clearDeviceMetricsOverride")
