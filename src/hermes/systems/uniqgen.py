"""Answers without a language model: drafts of the question over the classes of the graph, taken step by step."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from hermes.algebra.explorer import Explorer
from hermes.algebra.observation import Asked, Rejected, Solutions
from hermes.kg import KG
from hermes.linking import link
from hermes.linking.lexicon import Lexicon
from hermes.policies.class_graph import ClassGraph
from hermes.policies.draft import Draft
from hermes.policies.drafting import drafts
from hermes.policies.phrases import Ground
from hermes.policies.reading import Reading
from hermes.store import deadline
from hermes.systems.answer import Answer
from hermes.verifier import Schema
from hermes.verifier.literals import NUMERIC, TEMPORAL

_TRIED: Final = 8
_SECONDS: Final = 3.0

_of_kg: Final[WeakKeyDictionary[KG, tuple[Ground, Lexicon]]] = WeakKeyDictionary()


class UniQGen:
    """Answers with the best draft that has solutions."""

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer; without a query where no draft has solutions."""
        ground, lexicon = _ground(kg)
        reading = Reading(link(question, kg), lexicon)
        for draft in drafts(reading, ground)[:_TRIED]:
            explorer = Explorer(kg, sample_size=1)
            with deadline(_SECONDS):
                if _taken(explorer, draft, kg):
                    return Answer(explorer.plan, explorer.sparql, explorer.answer(), explorer.trace)
        return Answer()


def _taken(explorer: Explorer, draft: Draft, kg: KG) -> bool:
    for action in draft.actions(kg.prefixes):
        seen = explorer.run(action)
        if isinstance(seen, Rejected) or (isinstance(seen, Solutions) and not seen.count and not draft.ask):
            return False
    return isinstance(explorer.observation, Asked | Solutions)


def _ground(kg: KG) -> tuple[Ground, Lexicon]:
    found = _of_kg.get(kg)
    if found is None:
        schema, known = Schema.mine(kg), kg.vocabulary
        numeric = frozenset(
            iri
            for iri, predicate in schema.predicates.items()
            if any(schema.signatures[end].tag in NUMERIC | TEMPORAL for _, end in predicate.links)
        )
        found = _of_kg[kg] = (
            Ground(ClassGraph.of(schema), numeric),
            Lexicon(known.predicates, known.classes, known.labels),
        )
    return found
