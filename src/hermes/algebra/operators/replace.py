"""Put other clauses in the place of one: what is wrong with a query is mostly one of its clauses."""

from hermes.algebra.fields import TEXT, Reader, field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Operator, kind
from hermes.algebra.plan import Plan
from hermes.algebra.prune import prune
from hermes.errors import ActionError, HermesError, PlanError
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group


@kind
class Replace(Operator):
    """Put patterns in the place of a clause or filter of WHERE, which is named as for `remove`.

    They stand where it stood: before or after an OPTIONAL, inside a branch. A condition that it had to meet
    is then met by them, in one step: no plan without the clause lies between.
    """

    op = "replace"
    example = '{"op": "replace", "text": "?city ex:hosted ?games", "patterns": ["?games ^ex:hosted ?city"]}'
    text: str = field(TEXT)
    patterns: Group = field(PATTERNS)

    def apply(self, plan: Plan) -> Plan:
        """Return the plan with the patterns in that place."""
        if not (self.patterns.elements or self.patterns.filters):
            raise ActionError('replace needs patterns; to take a clause out use "remove"', code="wrong-type")
        for wanted in self._readings(plan):
            where = prune(plan.where, wanted, self.patterns)
            if where is not None:
                return plan.evolve(where=where)
        there = " | ".join(plan.where.items(plan.prefixes.names())) or "nothing"
        raise PlanError(
            f"WHERE has nothing that says {self.text!r}; to be replaced: {there}", code="not-in-plan"
        )

    def _readings(self, plan: Plan) -> list[Group]:
        """Return what the text may say: an element or FILTER, or the bare condition of a filter."""
        readings = []
        for rule in (lambda parser: parser.item(Group()), _bare_condition):
            try:
                parser = Parser(self.text, Reader(plan).context)
                wanted = rule(parser)
                parser.expect_end("text")
            except HermesError:
                continue
            readings.append(wanted)
        return readings


def _bare_condition(parser: Parser) -> Group:
    return Group(filters=(parser.expression(),))
