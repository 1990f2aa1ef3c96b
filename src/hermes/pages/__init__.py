"""Pages of HTML that need nothing else: texts as texts, queries with their words marked, one style."""

from hermes.pages.document import document
from hermes.pages.highlight import highlighted
from hermes.pages.markup import Markup, joined, tag

__all__ = ["Markup", "document", "highlighted", "joined", "tag"]
