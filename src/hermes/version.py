"""The version of hermes."""

__version__ = "0.1.0"
