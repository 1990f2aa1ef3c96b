"""Answers with no language model: drafts of a question over the classes of a graph, taken step by step.

So far the chase of a reconstruction of UniQGen (docs/chase.md): plans grow along the schema from what a
question mentions, and the first one that has solutions answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from hermes.algebra.explorer import Explorer
from hermes.algebra.observation import Rejected, Solutions
from hermes.algebra.plan import Plan
from hermes.errors import HermesError
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
from hermes.verifier import Kernel, Schema
from hermes.verifier.literals import NUMERIC, TEMPORAL

_TRIED: Final = 8
"""So many drafts are taken, until one has solutions."""
_SECONDS: Final = 3.0
"""How long the steps of one draft may take."""
_ALTERNATIVES: Final = 3


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a graph."""

    ground: Ground
    lexicon: Lexicon
    kernel: Kernel


_of_kg: Final[WeakKeyDictionary[KG, _Known]] = WeakKeyDictionary()


class UniQGen:
    """Answers with the best draft that has solutions, and that the kernel does not refuse.

    The same answer each time, but where the store has no time for a draft.
    """

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer; no query where a question says nothing of the graph, or no draft has solutions.

        Then the trace is that of the best attempt.

        Raises:
            StoreError: the store could not answer, for another reason than time.
        """
        known = _known(kg)
        reading = Reading(link(question, kg), known.lexicon)
        if not (reading.phrases or reading.picks):
            return Answer()
        ranked = [each for each in drafts(reading, known.ground) if each.said][:_TRIED]
        attempt: Explorer | None = None
        for place, draft in enumerate(ranked):
            explorer = Explorer(kg, sample_size=1, kernel=known.kernel)
            attempt = attempt or explorer
            with deadline(_SECONDS):
                if not _taken(explorer, draft):
                    continue
                rows = explorer.answer()
            others = [each for each in ranked if each is not draft][:_ALTERNATIVES]
            return Answer(
                explorer.plan,
                explorer.sparql,
                rows,
                explorer.trace,
                round(_share(draft, reading) / (1 + place), 4),
                tuple(_plans(kg, others, explorer.plan)),
                draft.left_out,
            )
        return Answer(
            trace=None if attempt is None else attempt.trace, missing=ranked[0].left_out if ranked else ()
        )


def _taken(explorer: Explorer, draft: Draft) -> bool:
    """Take the steps of a draft; return whether all were taken, and none left nothing."""
    for action in draft.actions(explorer.kg.prefixes):
        seen = explorer.run(action)
        nothing = isinstance(seen, Solutions) and not seen.count and not draft.ask
        if isinstance(seen, Rejected) or nothing:
            return False
    return True


def _share(draft: Draft, reading: Reading) -> float:
    """Return which part of the phrases of a question a draft says."""
    phrases = len(reading.phrases) + len(reading.picks)
    return max(0.0, 1 - len(draft.left_out) / phrases)


def _plans(kg: KG, others: Sequence[Draft], chosen: Plan) -> Iterator[Plan]:
    """Yield the plans of other drafts, each once; they have not been run."""
    seen = {chosen.key}
    for draft in others:
        plan = Plan(prefixes=kg.prefixes)
        try:
            for action in draft.actions(kg.prefixes):
                plan = action.apply(plan)
        except HermesError:
            continue
        if plan.key not in seen:
            seen.add(plan.key)
            yield plan


def _known(kg: KG) -> _Known:
    found = _of_kg.get(kg)
    if found is None:
        schema, names = Schema.mine(kg), kg.vocabulary
        valued = NUMERIC | TEMPORAL
        numeric = frozenset(
            iri
            for iri, predicate in schema.predicates.items()
            if any(schema.signatures[end].tag in valued for _, end in predicate.links)
        )
        named = {cls for each in schema.signatures if each.kind != "blank" for cls in each.classes}
        ground = Ground(ClassGraph.of(schema), numeric, frozenset(names.classes) - named)
        lexicon = Lexicon(names.predicates, names.classes, names.labels)
        found = _of_kg[kg] = _Known(ground, lexicon, Kernel(schema))
    return found
