"""Memory that is not used any more goes back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress

__all__ = ["give_back"]

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_LARGE = 2**20


def give_back() -> None:
    """Have every array of a megabyte or more mapped on its own, so that it goes when it is dropped.

    Left alone, glibc puts arrays of up to 32 MB side by side with whatever else its threads keep,
    once one of that size was dropped; what is between two things that are kept stays with the
    process. Where the C library has no such setting, nothing is done.

    >>> give_back()
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
