"""An explanation as one page of HTML that needs nothing else: no script, no request, no font."""

from hermes.explanation.page.document import Names, page

__all__ = ["Names", "page"]
