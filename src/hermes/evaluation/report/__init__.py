"""The report of a run as one page of HTML."""

from hermes.evaluation.report.document import report_page
from hermes.evaluation.report.failure import Failure, kind_of

__all__ = ["Failure", "kind_of", "report_page"]
