"""A lock on a file beside a store, which the system lets go of when its process ends.

It is the writer's, on every system: whoever holds it is the only one to write.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from sizeup.errors import SizeupError

_BYTE = 1 << 30  # far behind the text, which others must be able to read


class LockHeld(SizeupError):
    """Another process has the lock; the error says which."""


def take_lock(beside: Path) -> int:
    """Lock a file, which is made if needed, until it is closed or this process ends.

    Raises OSError if the file cannot be had.
    """
    lock = os.open(beside, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        _lock_now(lock)
    except OSError:
        holder = os.read(lock, 200).decode(errors="replace").strip()
        os.close(lock)
        raise LockHeld(holder) from None
    with suppress(OSError):  # to say who holds it is a courtesy, not needed on a full disk
        os.ftruncate(lock, 0)
        os.lseek(lock, 0, os.SEEK_SET)
        os.write(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    return lock


if sys.platform == "win32":
    import msvcrt

    def _lock_now(lock: int) -> None:
        os.lseek(lock, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(lock, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock_now(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
