"""todo."""

from hermes.kg import KG
from hermes.verifier.mining import mine
from hermes.verifier.schema import Schema


def remembered(kg: KG) -> Schema:
    """Todo."""
    return mine(kg)
