"""What may stand at the cursor: commands, options, variables in scope, and names that occur there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hermes.algebra import Plan, catalogue
from hermes.algebra.fields import EXPRESSION, ORDER, TRIPLE, WITH_AGGREGATES, Reader
from hermes.algebra.kind import Kind, field_rules, kind_of
from hermes.algebra.observation import Solutions
from hermes.algebra.operators.remove import Remove, removable
from hermes.algebra.reads import Inspect
from hermes.cli.explore.commands import COMMANDS
from hermes.cli.explore.occurring import Found, Occurrences, Occurring
from hermes.errors import HermesError
from hermes.formats import FORMATS
from hermes.printable import clip, printable
from hermes.sparql.functions import AGGREGATES, BUILT_INS
from hermes.sparql.parser import Parser
from hermes.terms import IRI, RDF_TYPE, Term, Variable, term_text

if TYPE_CHECKING:
    from hermes.cli.explore.session import Session

_WORD: Final = re.compile(r"""(?:"[^"]*|<[^<>\s]*|[^\s(){}\[\],|/^!=<>*+;&"]*)$""")
_PATTERN: Final = re.compile(r'"(?:[^"\\]|\\.)*"\S*|<[^<>\s]*>|[{};]|[^\s{};]+')
_FIRST: Final = re.compile(r"\s*([A-Za-z]\w*)(?![\w:.-])\s*")
_META: Final = 48
_VALUE: Final = 80
_FROM_LETTERS: Final = 3
"""Labels are searched for so many letters; fewer are in too many of them."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may stand in place of the last `replaces` characters, and what it is."""

    text: str
    replaces: int
    says: str = ""


class Completion:
    """Suggests what may come next in a line of a session; whatever it is given, it only suggests."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._occurrences = Occurrences(session.kg)

    def suggest(self, before: str) -> list[Suggestion]:
        """Return what may stand at the end of `before`, the text before the cursor; the likeliest first."""
        found = _WORD.search(before)
        word = found[0] if found else ""
        head = before[: len(before) - len(word)]
        wanted: dict[str, Suggestion] = {}
        for each in self._candidates(head, word):
            replaced = before[len(before) - each.replaces :]
            if each.text != replaced and _fits(each, replaced):
                wanted.setdefault(each.text, each)
        return list(wanted.values())

    def _candidates(self, head: str, word: str) -> Iterator[Suggestion]:
        head = _without_preview(head)
        found = _FIRST.match(head)
        if found is None:
            if not head.strip():
                yield from _first_words(word)
                yield from self._variables(word)
                yield from self._seen(word) if ":" in word else ()
            elif not head.lstrip().startswith('{"'):
                yield from self._pattern(head, word)
            return
        name, rest = found[1].lower(), head[found.end() :]
        if kind := kind_of(name):
            yield from self._fields(kind, rest, word)
        elif name in COMMANDS:
            yield from self._arguments(name, head + word, word)

    # --- the arguments of commands ----------------------------------------------------------------

    def _arguments(self, name: str, line: str, word: str) -> Iterator[Suggestion]:
        usage = COMMANDS[name].usage
        if usage.endswith("[WORD]"):
            yield from _first_words(word)
        elif usage.endswith("[FORMAT]"):
            yield from (Suggestion(each, len(word)) for each in FORMATS)
        elif usage.endswith("FILE"):
            typed = line.split(maxsplit=1)[1] if len(line.split(maxsplit=1)) > 1 else ""
            for path in sorted(glob(f"{escape(str(Path(typed).expanduser()) if typed else '')}*")):  # noqa: PTH207
                yield Suggestion(path + ("/" if Path(path).is_dir() else ""), len(typed))

    # --- the fields of actions --------------------------------------------------------------------

    def _fields(self, kind: type[Kind], rest: str, word: str) -> Iterator[Suggestion]:
        rules = [rule for rule, _ in field_rules(kind).values()]
        if kind is Remove:
            plan = self._session.explorer.plan
            yield from (Suggestion(text, len(rest) + len(word)) for text in removable(plan))
        elif kind is Inspect:
            found = (self._occurrences.vocabulary("classes"), self._occurrences.vocabulary("predicates"))
            yield from (self._suggestion(each, word) for names in found for each in names or ())
            yield from self._seen(word)
            yield from self._named(word)
        elif "{" in rest or TRIPLE in rules or any(rule.short and rule.short.braced for rule in rules):
            yield from self._pattern(rest, word)
        elif any(rule.short for rule in rules):
            yield from self._variables(word)
            if ORDER in rules:
                yield from (Suggestion(start, len(word)) for start in ("DESC(", "ASC("))
            if word and any(rule in (EXPRESSION, WITH_AGGREGATES, ORDER) for rule in rules):
                yield from _functions(word, aggregates=EXPRESSION not in rules)
            if word:
                yield from self._seen(word)

    def _pattern(self, head: str, word: str) -> Iterator[Suggestion]:
        """Suggest for the next place of a triple pattern."""
        terms = _terms_before(head)
        if word.startswith("?"):
            yield from self._variables(word)
        if not terms:
            yield from self._variables(word)
            yield from self._seen(word)
        elif len(terms) == 1:
            yield from self._predicates(terms[0], word)
        elif len(terms) == 2:  # noqa: PLR2004 - subject and predicate
            yield from self._objects(terms[0], terms[1], word)

    def _predicates(self, subject: str, word: str) -> Iterator[Suggestion]:
        found = None
        if (term := self._term(subject)) is not None:
            found = self._occurrences.predicates(self._session.explorer.plan, term)
        found = found or self._occurrences.vocabulary("predicates") or ()
        for each in found:
            if each.term == IRI(RDF_TYPE):
                yield Suggestion("a", len(word), _says(each, "is of a class"))
            else:
                yield self._suggestion(each, word)

    def _objects(self, subject: str, predicate: str, word: str) -> Iterator[Suggestion]:
        iri = IRI(RDF_TYPE) if predicate == "a" else self._term(predicate)
        start = self._term(subject)
        found: Found | None = None
        if isinstance(iri, IRI) and start is not None:
            found = self._occurrences.objects(self._session.explorer.plan, start, iri)
        if isinstance(iri, IRI) and iri.value == RDF_TYPE and not found:
            found = self._occurrences.vocabulary("classes")
        if isinstance(iri, IRI) and iri.value != RDF_TYPE and (name := _new_name(predicate)):
            yield Suggestion(f"?{name}", len(word), "a new variable")
        known = [self._suggestion(each, word) for each in found or ()]
        yield from known
        yield from self._variables(word)
        if not any(_fits(each, word) for each in known):
            yield from self._named(word)

    def _named(self, word: str) -> Iterator[Suggestion]:
        """Suggest the entities that have a label with these letters."""
        if word.isalpha() and len(word) >= _FROM_LETTERS:
            found = self._occurrences.named(word)
            yield from (self._suggestion(each, word) for each in found or ())

    # --- what names there are ---------------------------------------------------------------------

    def _variables(self, word: str) -> Iterator[Suggestion]:
        plan = self._session.explorer.plan
        names = dict.fromkeys((*plan.scope, *plan.aliases))
        yield from (Suggestion(str(name), len(word), "in scope") for name in names)

    def _seen(self, word: str) -> Iterator[Suggestion]:
        """Suggest the names in the rows that were shown last."""
        seen = self._session.explorer.observation
        rows = seen.sample if isinstance(seen, Solutions) else ()
        terms = dict.fromkeys(term for row in rows for term in row.values() if isinstance(term, IRI))
        labels = self._session.kg.stated_labels(terms)
        yield from (self._suggestion(Occurring(term, labels.get(term, ""), 0), word) for term in terms)

    def _suggestion(self, found: Occurring, word: str) -> Suggestion:
        return Suggestion(self._text(found.term), len(word), _says(found))

    def _text(self, term: Term) -> str:
        return term_text(term, self._session.kg.prefixes.names())

    def _term(self, text: str) -> Variable | IRI | None:
        """Return the term that a text is, or None where it is none that anything can be asked about."""
        plan: Plan = self._session.explorer.plan
        try:
            parser = Parser(text, Reader(plan).context)
            term = parser.verb_iri("") if parser.is_type_keyword() else parser.variable_or_iri()
            parser.expect_end("term")
        except HermesError:
            return None
        return term


def _without_preview(head: str) -> str:
    return re.sub(r"^\s*preview\s+", "", head, flags=re.IGNORECASE)


def _first_words(word: str) -> Iterable[Suggestion]:
    for kind in catalogue():
        yield Suggestion(kind.op, len(word), _sentence(kind.__doc__ or ""))
    for name, command in COMMANDS.items():
        yield Suggestion(name, len(word), _sentence(command.doc))


def _functions(word: str, *, aggregates: bool) -> Iterator[Suggestion]:
    names = [*sorted(AGGREGATES if aggregates else ()), *BUILT_INS]
    yield from (Suggestion(f"{name}(", len(word)) for name in names)


def _sentence(doc: str) -> str:
    return clip(doc.strip().split("\n", maxsplit=1)[0], _META)


def _says(found: Occurring, label: str = "") -> str:
    count = f"{found.count:,}" if found.count else ""
    name = clip(" ".join((label or found.label).split()), _META)
    return printable(", ".join(filter(None, (name, count))))


def _new_name(predicate: str) -> str:
    """Return a variable that says what a predicate leads to."""
    local = re.split(r"[:/#>]", predicate.rstrip(">"))[-1]
    return local if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", local) else ""


def _terms_before(head: str) -> list[str]:
    """Return the terms of the triple pattern that is being written."""
    terms: list[str] = []
    for found in _PATTERN.finditer(head):
        text = found[0]
        if text in ("{", "}", "."):
            terms = []
        elif text == ";":
            terms = terms[:1]
        elif text.endswith((".", ",")) and len(terms) > 1:
            terms = [] if text.endswith(".") else terms[:2]
        else:
            terms.append(text)
    return terms


def _fits(found: Suggestion, word: str) -> bool:
    """Whether a suggestion is what the word may become: by its text, its local name or its label."""
    if len(found.text) > _VALUE or not found.text.isprintable():
        return False
    text, typed = found.text.casefold(), word.casefold()
    if text.startswith(typed):
        return True
    if text.startswith('"') and typed[:1].isalnum() and text[1:].startswith(typed):
        return True
    if len(typed) < _FROM_LETTERS or typed.startswith(("?", '"', "<")):
        return False
    if ":" in typed:
        return False
    within = text if text.startswith('"') else found.says.casefold()
    return typed in within or re.split(r"[:/#]", text)[-1].startswith(typed)
