"""Where expectations come from: the graph itself, and files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hermes.errors import StoreError
from hermes.kg import KG
from hermes.verifier.expectations import NOTHING_EXPECTED, Expectations
from hermes.verifier.ontology import ontology
from hermes.verifier.shapes import shapes


def expected_by(kg: KG) -> Expectations:
    """Return what the ontology and the shapes in a graph expect."""
    return ontology(kg) | shapes(kg)


def expected_beside(ontologies: Sequence[str | Path], shape_files: Sequence[str | Path]) -> Expectations:
    """Return what files with ontologies and shapes expect.

    Raises:
        StoreError: a file cannot be read, or says nothing of the kind.
    """
    found = NOTHING_EXPECTED
    for files, read, what in ((ontologies, ontology, "ontology"), (shape_files, shapes, "SHACL shapes")):
        if not files:
            continue
        beside = KG.load(*files)
        try:
            said = read(beside)
        finally:
            beside.close()
        if not said:
            raise StoreError(
                f"{', '.join(map(str, files))}: no {what} in it",
                category="unreadable",
                code="nothing-expected",
            )
        found |= said
    return found
