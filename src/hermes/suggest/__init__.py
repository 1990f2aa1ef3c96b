"""Next steps that lead somewhere."""
