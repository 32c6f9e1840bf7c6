"""Random numbers for kernels: splitmix64 over an array of one ``uint64``.

The same seed gives the same numbers jitted and un-jitted, on any machine. Un-jitted code wraps
around too, but NumPy warns of it: call it under ``np.errstate(over="ignore")``.
"""

import numpy as np
from numpy.typing import NDArray

from sizeup.jit import jit

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_U11 = np.uint64(11)


def new_rng(seed: int) -> NDArray[np.uint64]:
    """State of a generator, from any integer seed."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64).astype(np.uint64)


@jit
def next_word(rng: NDArray[np.uint64]) -> np.uint64:
    """Next 64 random bits; advances ``rng``."""
    z = rng[0] + _STEP
    rng[0] = z
    z = (z ^ (z >> _U30)) * _FIRST
    z = (z ^ (z >> _U27)) * _SECOND
    return z ^ (z >> _U31)


@jit
def below(rng: NDArray[np.uint64], n: int) -> int:
    """Random integer from 0 to n - 1, for n below 2**32."""
    return int(((next_word(rng) >> _U32) * np.uint64(n)) >> _U32)


@jit
def uniform(rng: NDArray[np.uint64]) -> np.float64:
    """Random float, at least 0 and below 1."""
    return np.float64(next_word(rng) >> _U11) * (1.0 / 9007199254740992.0)


@jit
def drawn(rng: NDArray[np.uint64], lots: NDArray[np.float64], count: int) -> int:
    """Random index below ``count``, each as likely as its entry in ``lots``."""
    left = uniform(rng)
    for outcome in range(count - 1):
        left -= lots[outcome]
        if left < 0.0:
            return outcome
    return count - 1
