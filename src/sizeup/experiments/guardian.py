"""A process of its own that outlives a killed driver, and ends what its workers have left behind.

It reads lines: ``+GROUP`` to look after a worker's process group, ``-GROUP`` when that has ended.
When the driver closes the pipe, or is killed, it ends the groups that are left, and on Linux also
what workers have started in other groups: the environment of all that carries the run's mark.

Run: python guardian.py MARK   (it imports nothing of Sizeup, so that it starts at once)
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

VARIABLE = "SIZEUP_WORKER"  # in the environment of whatever a worker starts
_ROUNDS = 20  # looks at all processes: those that are ended may be starting others


def end_marked(mark: str) -> None:
    """End all processes that were started with a variable that begins with this; Linux only."""
    wanted = f"\0{VARIABLE}={mark}".encode()
    for _ in range(_ROUNDS):
        found = [pid for pid in _processes() if wanted in b"\0" + _environment(pid)]
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> Iterator[int]:
    with suppress(OSError):
        yield from (int(name) for name in os.listdir("/proc") if name.isdigit())


def _environment(pid: int) -> bytes:
    """What a process was started with; nothing if that is not ours to know, or it has ended."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read()
    except OSError:
        return b""


def _guard(mark: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    end_marked(mark)


if __name__ == "__main__":
    _guard(sys.argv[1])
