"""The fields of a question in JSON: QALD, its extended form, and LC-QuAD 1.0 and 2.0, in one reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hermes.evaluation.question import Question
from hermes.evaluation.sets.faults import FileFault
from hermes.evaluation.sets.gold_answers import stated_answers

_IDS: Final = ("id", "_id", "uid", "qid")
_TEXTS: Final = ("corrected_question", "question", "paraphrased_question", "NNQT_question")
"""The first that says something counts: LC-QuAD 1.0 corrects its questions, and 2.0 leaves some out."""
_QUERIES: Final = ("query", "sparql_query", "sparql_wikidata", "sparql")
_ANSWERS: Final = ("answers", "answer")
_NOTHING: Final = frozenset(["", "n/a", "none", "out of scope"])
_SECOND: Final = "en"


def question_of(found: Any, number: int, language: str) -> Question:
    """Return the question of a JSON object; features and group only where it states them.

    Args:
        found: the object.
        number: which question of the file it is, from 1: its id where it has none.
        language: which of several languages; where a question lacks it, English, and then the first.

    Raises:
        FileFault: it is no question.
    """
    if not isinstance(found, dict):
        raise FileFault(f"it is a {type(found).__name__}, not an object")
    text = next((said for key in _TEXTS if (said := _said(found.get(key), language))), "")
    if not text:
        raise FileFault(f"it has no text in any of {', '.join(_TEXTS)}")
    return Question(
        id=id_of(found) or str(number),
        text=text,
        sparql=next((query for key in _QUERIES if (query := _query(found.get(key)))), ""),
        answers=stated_answers(next((found[key] for key in _ANSWERS if key in found), None)),
        kg=_word(found, "kg"),
        features=_words(found.get("features")),
        ordered=found.get("ordered") is True,
        tie=found.get("tie") is True,
        group=_word(found, "group"),
    )


def id_of(found: Any) -> str:
    """Return the id of a question as text; empty where it has none."""
    if not isinstance(found, dict):
        return ""
    ids = (found.get(key) for key in _IDS)
    return next((str(each).strip() for each in ids if isinstance(each, str | int) and str(each).strip()), "")


def _said(found: Any, language: str) -> str:
    """Return a text, or that of the language among several."""
    if isinstance(found, str):
        return "" if found.strip().lower() in _NOTHING else " ".join(found.split())
    if not isinstance(found, list):
        return ""
    texts = [
        (str(each.get("language", "")), _said(each.get("string"), ""))
        for each in found
        if isinstance(each, dict)
    ]
    texts = [(tag.lower(), text) for tag, text in texts if text]
    for wanted in (language.lower(), language.lower().partition("-")[0], _SECOND):
        for tag, text in texts:
            if tag == wanted or tag.startswith(f"{wanted}-"):
                return text
    return texts[0][1] if texts else ""


def _query(found: Any) -> str:
    if isinstance(found, Mapping):
        found = found.get("sparql")
    if not isinstance(found, str) or found.strip().lower() in _NOTHING:
        return ""
    return found.strip()


def _word(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    if value is None:
        return ""
    if not isinstance(value, str | int):
        raise FileFault(f"its {key} is a {type(value).__name__}, not a name")
    return str(value)


def _words(found: Any) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list) else ()
