"""Messages about Python's names in the words of an experiment's file."""

from __future__ import annotations

import re

__all__ = ["in_toml"]


def in_toml(message: str) -> str:
    """A message with the keys of a file in place of the names that they have in Python.

    >>> in_toml("SearchOptions.rollouts must be a whole number of 1 or more, got 0")
    'search.rollouts must be a whole number of 1 or more, got 0'
    >>> in_toml("my.toml: line 9: search.beyond: SearchOptions.beyond must be one of cap, zero")
    'my.toml: line 9: search.beyond must be one of cap, zero'
    """
    message = re.sub(r"\bSearchOptions\.(?=\w)", "search.", message)
    return re.sub(r"\b(search\.\w+): \1\b", r"\1", message)
