"""The operators, one class each: what they mean, their JSON, their text and their scope.

The order of the imports is the order of the catalogue. A new file in this folder is found without a line
here, and comes last.
"""

# ruff: noqa: I001 - the order is that of the documentation
from importlib import import_module
from pkgutil import iter_modules

from hermes.algebra.operators.triple import Triple
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.subquery import Nest, Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.values import Values
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.dataset import From
from hermes.algebra.operators.grouping import Aggregate, Group, Having
from hermes.algebra.operators.order import Limit, Offset, Order
from hermes.algebra.operators.project import Project
from hermes.algebra.operators.distinct import Distinct, Reduced
from hermes.algebra.operators.forms import Ask, Construct, Describe
from hermes.algebra.operators.remove import Remove
from hermes.algebra.operators.replace import Replace

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "Aggregate",
    "Ask",
    "Bind",
    "Construct",
    "Describe",
    "Distinct",
    "Filter",
    "From",
    "Graph",
    "Group",
    "Having",
    "Join",
    "Limit",
    "Minus",
    "Nest",
    "Offset",
    "Optional",
    "Order",
    "Project",
    "Reduced",
    "Remove",
    "Replace",
    "Service",
    "Subquery",
    "Triple",
    "Union",
    "Values",
]
