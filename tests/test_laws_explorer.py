"""The explorer as a state machine: what a step may change, what it costs, and what replays."""

from __future__ import annotations

from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hermes import KG
from hermes.algebra import Action, Explorer, Observation, Plan, Trace, observe, parse_action
from hermes.algebra.observation import Found, Rejected, Solutions
from hermes.errors import HermesError
from hermes.printable import printable
from hermes.results import Table, Triples, Truth
from hermes.store import Store
from hermes.terms import full_iri
from oracle.sizes import affordable
from strategies import Json, fitting_steps, fitting_triples, olympics, reads, services, steps

UNDO: Final = parse_action({"op": "undo"})
REDO: Final = parse_action({"op": "redo"})
FINISH: Final = parse_action({"op": "finish"})

_QUERIES_OF_A_READ: Final = 16
"""Labels, what gives names, and the index for the names nearest to one that does not occur included."""


class CountingStore:
    """A store that counts the queries that it is asked."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.engine = inner.engine
        self.source = inner.source
        self.fingerprint = inner.fingerprint
        self.asked = 0

    def select(self, query: str) -> Table:
        """Count and pass on."""
        self.asked += 1
        return self.inner.select(query)

    def ask(self, query: str) -> bool:
        """Count and pass on."""
        self.asked += 1
        return self.inner.ask(query)

    def construct(self, query: str) -> Triples:
        """Count and pass on."""
        self.asked += 1
        return self.inner.construct(query)

    def close(self) -> None:
        """Leave the inner store open: other tests use it."""


def _seen(observation: Observation) -> tuple[Observation, tuple[str, ...]]:
    """Return an observation with its hints, which equality leaves out."""
    return observation, tuple(map(str, observation.hints))


class Exploring(RuleBasedStateMachine):
    """Takes random steps and keeps beside the explorer what its history must be."""

    def __init__(self) -> None:
        super().__init__()
        self.store = CountingStore(olympics().store)
        self.kg = KG(self.store, olympics().prefixes)
        self.explorer = Explorer(self.kg, sample_size=3)
        self.past: list[Plan] = []
        self.future: list[Plan] = []

    # --- steps ---------------------------------------------------------------------------------

    def _runs(self, action: Action) -> bool:
        """Whether the step can be tried: the engine could not be stopped."""
        try:
            return affordable(action.apply(self.explorer.plan))
        except HermesError:
            return True

    def _run(self, action: Action, most: int) -> Observation:
        """Take a step; check what it cost, and that a refusal changed nothing."""
        plan, observation, before = self.explorer.plan, self.explorer.observation, self.store.asked
        trace = len(self.explorer.trace.steps)
        seen = self.explorer.run(action)
        assert self.store.asked - before <= most, f"{action}: {self.store.asked - before} queries"
        assert len(self.explorer.trace.steps) == trace + 1
        first, *more = seen.summary().split("\n")
        assert first
        assert not more or isinstance(seen, Found)
        assert all(line.startswith("    ") for line in more)
        assert all(printable(line) == line for line in (first, *more))
        if isinstance(seen, Rejected):
            assert self.explorer.plan is plan
            assert self.explorer.observation is observation
            assert seen.code
            assert seen.message
        return seen

    def _committed(self, before: Plan, seen: Observation) -> None:
        if not isinstance(seen, Rejected):
            self.past.append(before)
            self.future.clear()

    def _take(self, step: Json) -> None:
        action, before = parse_action(step), self.explorer.plan
        if self._runs(action):
            # What is ordered and cut is asked at each end of the slice whether it cuts a tie.
            ends = 2 * (bool(before.order_by) or action.op == "order")
            self._committed(before, self._run(action, most=2 + ends))

    @initialize(steps_of=st.lists(fitting_triples(), max_size=2))
    def begin(self, steps_of: list[Json]) -> None:
        """Most plans begin with something that the graph answers."""
        for step in steps_of:
            self._take(step)

    @rule(step=steps())
    def run(self, step: Json) -> None:
        """An operator asks two queries at most."""
        self._take(step)

    @rule(steps_of=st.lists(fitting_steps(), min_size=1, max_size=2))
    def run_fitting(self, steps_of: list[Json]) -> None:
        """So does one that is likely to be taken."""
        for step in steps_of:
            self._take(step)

    @rule(step=st.one_of(steps(), fitting_steps()))
    def preview_and_run(self, step: Json) -> None:
        """A preview commits nothing and returns what `run` returns, which then asks nothing."""
        action, before = parse_action(step), self.explorer.plan
        if not self._runs(action):
            return
        observation, trace, asked = self.explorer.observation, self.explorer.trace, self.store.asked
        preview = self.explorer.preview(action)
        assert self.store.asked - asked <= 2
        assert self.explorer.plan is before
        assert self.explorer.observation is observation
        assert self.explorer.trace == trace
        taken = self._run(action, most=2 if isinstance(preview, Rejected) else 0)
        assert _seen(taken) == _seen(preview)
        self._committed(before, taken)

    @precondition(lambda self: self.explorer.plan.where.elements or self.explorer.plan.where.filters)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """What the plan prints for a clause can be taken out."""
        before = self.explorer.plan
        text = data.draw(st.sampled_from(before.where.items(full_iri)))
        action = parse_action({"op": "remove", "text": text})
        if self._runs(action):
            # What is ordered and cut is asked at each end of the slice whether it cuts a tie.
            ends = 2 * (bool(before.order_by) or action.op == "order")
            self._committed(before, self._run(action, most=2 + ends))

    @rule(step=reads(), before=st.booleans())
    def read(self, step: Json, *, before: bool) -> None:
        """A read is a step of the trace, and changes neither the plan nor what can be undone or redone."""
        action, plan, observation = parse_action(step), self.explorer.plan, self.explorer.observation
        expected = self.explorer.preview(action) if before else None
        seen = self._run(action, most=_QUERIES_OF_A_READ)
        assert expected is None or _seen(expected) == _seen(seen)
        assert self.explorer.plan is plan
        assert self.explorer.observation is observation

    # --- history -------------------------------------------------------------------------------

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        """Undo leads to the plan before, and asks nothing."""
        now = self.explorer.plan
        assert not isinstance(self._run(UNDO, most=0), Rejected)
        self.future.append(now)
        assert self.explorer.plan == self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        """Redo leads to the plan that was undone, and asks nothing."""
        now = self.explorer.plan
        assert not isinstance(self._run(REDO, most=0), Rejected)
        self.past.append(now)
        assert self.explorer.plan == self.future.pop()

    @precondition(lambda self: self.past)
    @rule()
    def undo_and_redo(self) -> None:
        """Redo after undo restores plan, query and observation."""
        plan, sparql, observation = self.explorer.plan, self.explorer.sparql, self.explorer.observation
        self._run(UNDO, most=0)
        assert self.explorer.plan == self.past[-1]
        again = self._run(REDO, most=0)
        assert self.explorer.plan == plan
        assert self.explorer.sparql == sparql
        assert self.explorer.observation == observation
        if isinstance(again, Solutions) and isinstance(observation, Solutions):
            assert (again.count, again.sample) == (observation.count, observation.sample)

    @rule(call=services(), choice=st.sampled_from(("call", "finish", "undo", "redo")))
    def change_nothing(self, call: Json, choice: str) -> None:
        """Calling out, finishing, and going where there is nothing: no query, and the plan stays."""
        plan = self.explorer.plan
        if choice == "finish":
            assert not isinstance(self._run(FINISH, most=0), Rejected)
        elif choice == "call":
            assert isinstance(self._run(parse_action(call), most=0), Rejected)
        elif choice == "undo" and not self.past:
            assert isinstance(self._run(UNDO, most=0), Rejected)
        elif not self.future:
            assert isinstance(self._run(REDO, most=0), Rejected)
        else:
            return
        assert self.explorer.plan is plan

    # --- what always holds ---------------------------------------------------------------------

    @invariant()
    def counts_are_true(self) -> None:
        """The count is the number of rows of the whole result, and the sample its first ones."""
        seen, plan = self.explorer.observation, self.explorer.plan
        if not isinstance(seen, Solutions):
            return
        most = [seen.count, self.explorer.sample_size] + ([] if plan.limit is None else [plan.limit])
        assert len(seen.sample) == min(most)
        answer = self.explorer.answer()
        assert isinstance(answer, Table)
        if not plan.reduced:
            assert seen.count == len(answer.rows), f"{seen}\n{self.explorer.sparql}"

    @invariant()
    def the_pure_core_agrees(self) -> None:
        """What was observed on the way is what is observed of the plan alone."""
        seen = self.explorer.observation
        alone = observe(olympics(), self.explorer.plan, self.explorer.sample_size)
        if isinstance(seen, Solutions) and isinstance(alone, Solutions):
            assert (seen.count, seen.variables, seen.sample) == (alone.count, alone.variables, alone.sample)
        else:
            assert type(seen) is type(alone)

    @invariant()
    def truth_is_the_answer(self) -> None:
        """Observing and answering agree on the form of the result."""
        answer = self.explorer.answer()
        assert isinstance(answer, Truth) == (self.explorer.plan.form == "ask")

    def teardown(self) -> None:
        """The trace, read back from its text, replays without a difference."""
        trace = Trace.from_jsonl(self.explorer.trace.to_jsonl())
        replay = trace.replay(self.kg)
        assert replay.difference is None
        assert [step.query for step in replay.trace.steps] == [step.query for step in trace.steps]
        assert [step.observation for step in replay.trace.steps] == [
            step.observation for step in self.explorer.trace.steps
        ]


Exploring.TestCase.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=12)
test_exploring = Exploring.TestCase
