"""Question sets in JSON: an object with `questions`, a list of questions, or a question a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hermes.evaluation.question import Question
from hermes.evaluation.sets.faults import FileFault, place
from hermes.evaluation.sets.fields import id_of, question_of

_LISTS: Final = ("questions", "Questions", "data")


def read_json(
    text: str, root: Path, language: str
) -> tuple[str, list[Question], dict[str, tuple[Path, ...]]]:
    """Return the id of a set (or nothing), its questions, and the files of its graphs.

    Raises:
        FileFault: the text is no JSON, or no question set.
    """
    content = _content(text)
    if isinstance(content, list):
        return "", _questions(content, language), {}
    found = next((content[key] for key in _LISTS if isinstance(content.get(key), list)), None)
    if found is None:
        raise FileFault(
            f"it has no list `questions`; it has {', '.join(map(repr, list(content)[:5])) or 'nothing'}"
        )
    dataset = content.get("dataset")
    if not isinstance(dataset, dict):
        dataset = {}
    graphs = _graphs(dataset.get("kg"), root)
    questions = _questions(found, language)
    return str(dataset.get("id") or ""), questions, graphs


def _content(text: str) -> Any:
    try:
        content = json.loads(text)
    except RecursionError:
        raise FileFault("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if (
            error.msg != "Extra data"
            or error.lineno == 1
            or not all(line.lstrip()[0] == "{" for line in lines)
        ):
            raise FileFault(f"no JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
        return [_line(line, number) for number, line in enumerate(lines, 1)]
    if not isinstance(content, dict | list):
        raise FileFault(f"its JSON is a {type(content).__name__}, not an object with `questions`")
    # One line of JSON Lines is a question, not a set.
    return (
        [content]
        if isinstance(content, dict) and isinstance(content.get("question"), str | list)
        else content
    )


def _line(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FileFault(f"{place(number)}: no JSON: {error!s:.60}") from None


def _questions(found: list[Any], language: str) -> list[Question]:
    questions = []
    for number, each in enumerate(found, 1):
        try:
            questions.append(question_of(each, number, language))
        except FileFault as fault:
            raise FileFault(f"{place(number, id_of(each) or None)}: {fault}") from None
    return questions


def _graphs(found: Any, root: Path) -> dict[str, tuple[Path, ...]]:
    """Return the files of each graph; a path must stay inside `root`."""
    if found is None or isinstance(found, str):
        return {}
    if not isinstance(found, Mapping):
        raise FileFault(
            f"`dataset.kg` is a {type(found).__name__}, not an object of names and lists of files"
        )
    inside = root.resolve()
    graphs = {}
    for name, files in found.items():
        listed = [files] if isinstance(files, str) else files
        if (
            not isinstance(listed, list)
            or not listed
            or not all(isinstance(file, str) and file for file in listed)
        ):
            raise FileFault(f"the files of graph {name!r:.60} in `dataset.kg` are no list of names")
        graphs[name] = tuple(_file(inside, file, name) for file in listed)
    return graphs


def _file(inside: Path, file: str, name: str) -> Path:
    try:
        path = (inside / file).resolve()
    except (OSError, ValueError, RuntimeError):
        raise FileFault(f"{file!r:.60}, a file of graph {name!r:.60}, is no path") from None
    if not path.is_relative_to(inside):
        raise FileFault(f"{file!r:.60}, a file of graph {name!r:.60}, is outside of the data folder {inside}")
    return path
