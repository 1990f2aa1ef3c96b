"""The explorer: a plan, its history and its trace, over one graph."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from time import perf_counter
from urllib.parse import urlsplit

from hermes.algebra import control
from hermes.algebra.action import Action
from hermes.algebra.control import Finish, Redo, Undo
from hermes.algebra.goal import Goal
from hermes.algebra.hints import hints
from hermes.algebra.hints.change import Change
from hermes.algebra.hints.goals import UNCHECKED, declared_hints, missed_hints
from hermes.algebra.hints.reads import read_hints, refused_read_hints
from hermes.algebra.hints.verdicts import KernelAlone, goal_hints, refuted, verdict_hints
from hermes.algebra.kind import Kind, Operator, Read
from hermes.algebra.observation import Declared, Empty, Finished, Observation, Rejected, Solutions, after
from hermes.algebra.observe import SAMPLE_SIZE, Position, observe, without_reserved
from hermes.algebra.operators.service import Service
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Adviser, Graph, Kernel, Suggester, Verdict, View
from hermes.algebra.render import render
from hermes.algebra.trace import Step, Trace
from hermes.errors import ActionError, HermesError, PlanError, VerifierError
from hermes.findings import Suggestions
from hermes.results import Result, Truth
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable


class Explorer:
    """Applies actions to a plan, one at a time, and reports what each changes.

    A step is committed only if the new plan is legal, brings no slip, the kernel accepts it, and it runs.
    Otherwise plan and undo history stay as they are. An explorer is not shared between threads; its graph
    is.

    Args:
        kg: the graph.
        sample_size: how many rows an observation shows (default 5).
        kernel: checks each plan before it runs (default: none).
        count_cap: solutions are counted up to here (default: exactly).
        adviser: says what a kernel knows of steps that are taken, and what mends those that leave nothing
            (default: what `kernel` says, and no repairs).
        suggester: finds next steps (default: `hermes.suggest.GraphSuggester(kg)`).
    """

    def __init__(  # noqa: PLR0913 - settings with defaults
        self,
        kg: Graph,
        sample_size: int = SAMPLE_SIZE,
        kernel: Kernel | None = None,
        *,
        count_cap: int | None = None,
        adviser: Adviser | None = None,
        suggester: Suggester | None = None,
    ) -> None:
        self.kg = kg
        self.sample_size = sample_size
        self.kernel = kernel
        self.count_cap = count_cap
        self.adviser: Adviser = adviser or KernelAlone(kernel)
        self._suggester = suggester
        self.goal = Goal()
        self._past: list[Position] = []
        self._now = Position(Plan(prefixes=kg.prefixes), Empty())
        self._future: list[Position] = []
        self._steps: list[Step] = []
        self._previewed: tuple[Action, Position, Position] | None = None

    # --- what is there --------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The committed plan."""
        return self._now.plan

    @property
    def observation(self) -> Observation:
        """What was observed of the committed plan."""
        return self._now.observation

    @property
    def sparql(self) -> str:
        """The committed plan as SPARQL text, with the prefixes of the graph."""
        return render(self.plan, self.kg.header)

    @property
    def trace(self) -> Trace:
        """All steps so far, the rejected ones too."""
        return Trace(
            tuple(self._steps),
            self.kg.source,
            self.kg.fingerprint,
            self.kg.dataset,
            self.sample_size,
            self.count_cap,
        )

    def answer(self) -> Result:
        """Return the whole result of the plan.

        Raises:
            StoreError: the store could not answer.
        """
        if self.plan.form == "ask":
            return Truth(self.kg.ask(self.sparql))
        if self.plan.form != "select":
            return self.kg.construct(self.sparql)
        table = without_reserved(self.kg.select(self.sparql))
        seen = self._now.observation
        if isinstance(seen, Solutions) and (not seen.capped or len(table.rows) < seen.count):
            # Some servers cut without a word; the count is the number to trust.
            return replace(table, complete=len(table.rows) >= seen.count)
        return table

    def suggest(
        self, focus: Variable | str | None = None, text: str | None = None, limit: int | None = 20
    ) -> Suggestions:
        """Return the next steps at a variable, none of which leads nowhere (see `hermes.suggest.suggest`).

        Args:
            focus: a variable in scope, such as `"?city"`; by default the one that answers.
            text: what is looked for, in words; steps that say it come first.
            limit: at most so many (default 20); None is all.

        Raises:
            PlanError: nothing binds the focus, or the plan has a limit or an offset.
            StoreError: the store could not answer.
        """
        if isinstance(focus, str):
            focus = Variable(focus.removeprefix("?"))
        return self.suggester.suggest(self.plan, focus, text or "", limit)

    @property
    def suggester(self) -> Suggester:
        """What finds next steps."""
        if self._suggester is None:
            # By name: what finds them stands above the algebra, which may not import it.
            self._suggester = import_module("hermes.suggest").GraphSuggester(self.kg)
        return self._suggester

    # --- steps ----------------------------------------------------------------------------------

    def run(self, action: Action) -> Observation:
        """Take a step: commit the new plan, or return why not."""
        start = perf_counter()
        try:
            position = self._take(action)
        except HermesError as error:
            seen: Observation = self._rejected(action, error)
        else:
            seen = position.observation
        self._steps.append(Step(action, seen, "" if self.plan.empty else self.sparql, perf_counter() - start))
        return seen

    def preview(self, action: Action) -> Observation:
        """Return what `run` would return; nothing is committed and the trace does not show it."""
        try:
            meant = action.read(self.plan)
            if isinstance(meant, Operator | Read):
                reached = self._reach(action, meant)
                self._previewed = (action, self._now, reached)
            else:
                reached = self._steer(meant)
        except HermesError as error:
            return self._rejected(action, error)
        return reached.observation

    def _rejected(self, action: Action, error: HermesError) -> Rejected:
        if isinstance(error, _RefusalError):
            hints = self.adviser.repairs(error.change, error.verdict, error.kernel, taken=False)
        else:
            hints = refused_read_hints(self.kg, action, error)
        return replace(Rejected.of(error), hints=hints)

    def declare(self) -> None:
        """Let actions use the prefixes that the graph has now; plans and counts stay as they are."""
        self._past = [self._declared(position) for position in self._past]
        self._now = self._declared(self._now)
        self._future = [self._declared(position) for position in self._future]

    def _declared(self, position: Position) -> Position:
        return replace(position, plan=position.plan.variant(prefixes=self.kg.prefixes))

    def undo(self) -> Observation:
        """Go back to the plan before the last committed step."""
        return self.run(Action.of(Undo()))

    def redo(self) -> Observation:
        """Take the last undone step again."""
        return self.run(Action.of(Redo()))

    def _take(self, action: Action) -> Position:
        meant = action.read(self.plan)
        if isinstance(meant, Operator):
            position = self._reach(action, meant)
            self._past.append(self._now)
            self._future.clear()
            self._now = position
            return position
        if isinstance(meant, Read):
            return self._reach(action, meant)
        position = self._steer(meant)
        if isinstance(meant, Undo):
            self._future.append(self._now)
            self._now = self._past.pop()
        elif isinstance(meant, Redo):
            self._past.append(self._now)
            self._now = self._future.pop()
        elif isinstance(meant, control.Goal):
            self.goal = meant.declared()
            self._previewed = None  # its hints were about another goal
        return position

    def _reach(self, action: Action, meant: Operator | Read) -> Position:
        """Return the plan after an operator, or beside a read, with what is observed of it."""
        if self._previewed is not None:
            previewed, start, reached = self._previewed
            if previewed == action and start is self._now:
                return reached
        if isinstance(meant, Read):
            read = meant.look(View(self.kg, self.plan, self.suggester))
            return Position(self.plan, replace(read, hints=read_hints(self.kg, read)))
        plan = meant.apply(self.plan)
        self._refuse(plan)
        self._verify(Change(meant, str(action), self.plan, plan, self.observation, self.observation))
        if plan == self.plan and plan.projected == self.plan.projected:
            seen = self._now.observation
        else:
            seen = observe(self.kg, plan, self.sample_size, known=self._now, count_cap=self.count_cap)
        seen = after(seen, self._now.observation)
        change = Change(meant, str(action), self.plan, plan, self._now.observation, seen)
        found = hints(self.kg, change)
        more = verdict_hints(change, found, self.adviser, None if self.goal.empty else self.goal)
        return Position(plan, replace(seen, hints=(*found, *more)))

    def _refuse(self, plan: Plan) -> None:
        """Refuse a plan that calls out, or that brings a new slip."""
        known = {id(part) for part in _parts(self.plan)}
        for part in walk(tuple(part for part in _parts(plan) if id(part) not in known)):
            if isinstance(part, Service):
                refuse_service(part, self.kg)
        if slips := plan.slips():
            allowed = self.plan.slips()
            for slip in slips:
                if slip not in allowed:
                    raise PlanError(slip.message, code=slip.code)

    def _verify(self, change: Change) -> None:
        """Refuse what the kernel refuses."""
        if self.kernel is not None:
            verdict = self.kernel.check(change.plan)
            if not verdict.accepted:
                raise _RefusalError(change, verdict, self.kernel)

    def _steer(self, meant: Kind) -> Position:
        """Return where a control leads and what it reports; nothing is moved yet."""
        if isinstance(meant, Undo):
            if not self._past:
                raise PlanError("there is no step to undo", code="nothing-to-undo")
            return self._seen_from_here(self._past[-1])
        if isinstance(meant, Redo):
            if not self._future:
                raise PlanError("there is no undone step to take again", code="nothing-to-redo")
            return self._seen_from_here(self._future[-1])
        if isinstance(meant, Finish):
            return Position(self.plan, self._finished())
        if isinstance(meant, control.Goal):
            return Position(self.plan, self._declared_goal(meant.declared()))
        raise ActionError(f'"{meant.op}" cannot be used with this graph yet', code="not-available")

    def _declared_goal(self, goal: Goal) -> Declared:
        """Return a goal with what is known of it so far."""
        seen = Declared(goal=goal, prefixes=self.kg.prefixes)
        if goal.empty:
            return seen
        named = declared_hints(self.kg, goal)
        kernel = self.adviser.kernel(needed=True)
        if kernel is None:
            return replace(seen, hints=(*named, UNCHECKED))
        parts = () if self.plan.empty else kernel.check(self.plan, goal).goal
        return replace(seen, hints=(*named, *goal_hints(parts)))

    def _finished(self) -> Finished:
        """Return the end of a session, unless the plan refutes a part of the goal.

        Raises:
            VerifierError: with code `goal-refuted`.
        """
        if self.goal.empty:
            return Finished()
        kernel = self.adviser.kernel(needed=True)
        if kernel is not None and (why := refuted(kernel, self.plan, self.goal)):
            raise VerifierError(f"{why}, or change the goal", code="goal-refuted")
        return Finished(hints=missed_hints(self.goal, self.observation))

    def _seen_from_here(self, there: Position) -> Position:
        seen = after(there.observation, self.observation)
        return Position(there.plan, replace(seen, hints=()))


class _RefusalError(VerifierError):
    """The kernel refused a step: what it would have changed, and why not."""

    def __init__(self, change: Change, verdict: Verdict, kernel: Kernel) -> None:
        super().__init__(verdict.reason, code=verdict.code)
        self.change = change
        self.verdict = verdict
        self.kernel = kernel


def _parts(plan: Plan) -> tuple[object, ...]:
    """Return the clauses, conditions and columns of a plan: where a SERVICE may stand."""
    return (
        *plan.where.elements,
        *plan.where.filters,
        *plan.group_by,
        *plan.having,
        *plan.projection,
        *plan.order_by,
    )


def refuse_service(service: Service, kg: Graph) -> None:
    """Refuse a SERVICE clause unless it names a host that the graph allows.

    Raises:
        PlanError: with code `service-refused`.
    """
    host = urlsplit(service.endpoint.value).hostname if isinstance(service.endpoint, IRI) else None
    if host is None or host not in kg.allow_services:
        allowed = ", ".join(sorted(kg.allow_services)) or "none"
        raise PlanError(
            f"service would call {service.endpoint}; hosts that this graph allows: {allowed}",
            code="service-refused",
        )
