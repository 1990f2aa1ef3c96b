"""A plan in words: a plain English sentence that says what the query asks, and nothing else.

`verbalize` is deterministic and asks the graph for labels only. An operator gets its words by a rule
registered with `phrase.register`; one without a rule is shown by its SPARQL text in backquotes.
"""

from __future__ import annotations

from collections import Counter

from hermes.algebra.plan import Plan
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable
from hermes.verbalize.clauses import phrase
from hermes.verbalize.lexicon import Lexicon, Names
from hermes.verbalize.preparation import prepared
from hermes.verbalize.sentences import sentence
from hermes.verbalize.speech import Speech
from hermes.verbalize.variables import naming

__all__ = ["Names", "phrase", "verbalize"]


def verbalize(plan: Plan, names: Names) -> str:
    """Return what a plan asks as one line of English.

    Args:
        plan: any plan; an empty one asks nothing.
        names: the labels and prefixes, as of a `KG`; asked once, for all IRIs of the plan.
    """
    if plan.empty:
        return "nothing yet"
    ready = prepared(plan)
    iris = dict.fromkeys(part for part in walk(ready) if isinstance(part, IRI))
    predicates = {
        part
        for triple in walk(ready)
        if isinstance(triple, TriplePattern)
        for part in walk(triple.predicate)
        if isinstance(part, IRI)
    }
    lexicon = Lexicon(iris, predicates, names)
    uses = Counter(part for part in walk(ready) if isinstance(part, Variable))
    called = naming(ready, lexicon)
    handles: frozenset[Variable] = frozenset()
    spelled: frozenset[Variable] = frozenset()
    while True:
        speech = Speech(lexicon, called, uses, sentence, handles, spelled)
        words = sentence(ready, speech)
        named = handles | speech.mentioned | speech.copied
        copied = spelled | speech.copied
        if (named, copied) == (handles, spelled):
            return words
        handles, spelled = named, copied
