"""Independent verification of verdicts: a second derivation that shares no code with the kernel.

The kernel keeps what each variable can be by itself. This one enumerates whole solutions, with signatures in
place of terms, so it knows what variables can be *together*. What has no solution here has none in the graph.
"""

from hermes.verifier.again.recheck import Finding, recheck

__all__ = ["Finding", "recheck"]
