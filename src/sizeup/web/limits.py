"""How fast a socket may talk."""

from __future__ import annotations

__all__ = ["Bucket"]


class Bucket:
    """A bucket of tokens that fills at a steady rate; each message takes one.

    Parameters
    ----------
    rate
        Tokens for each second.
    size
        Most that the bucket holds, which is also what it starts with.
    now
        Time in seconds, from any clock that does not go back.

    Examples
    --------
    >>> bucket = Bucket(rate=1.0, size=2, now=0.0)
    >>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, size: int, now: float) -> None:
        self._rate, self._size = rate, size
        self._held, self._at = float(size), now

    def take(self, now: float) -> bool:
        """Take a token, if there is one."""
        self._held = min(self._size, self._held + (now - self._at) * self._rate)
        self._at = now
        if self._held < 1:
            return False
        self._held -= 1
        return True
