"""Build SPARQL queries over any RDF knowledge graph one verified step at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.version import __version__

if TYPE_CHECKING:
    from hermes.kg import KG

__all__ = ["KG", "__version__"]


def __getattr__(name: str) -> object:
    # The store behind KG is loaded when it is first asked for, so that `import hermes` stays quick.
    if name != "KG":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hermes.kg import KG  # noqa: PLC0415

    return KG
