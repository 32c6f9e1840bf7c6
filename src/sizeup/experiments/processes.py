"""Processes that play: what they start ends with them, what they print stays out of the results.

A worker leads a process group of its own. Whoever a game starts, such as an engine, is in it, and
the whole group is ended with the worker. On Linux so is whoever has left the group: its environment
carries the worker's mark. If it is the driver that is killed, a small guardian, which does nothing
but wait for that, ends what is left. Systems other than POSIX have no process groups: there only
the workers themselves are ended.
"""

from __future__ import annotations

import ctypes
import io
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

from sizeup.experiments import guardian

_PR_SET_PDEATHSIG = 1  # of Linux: the signal that a process gets when the thread it came from ends
_MOST_OUTPUT = 20_000_000  # bytes of what games print that are kept
_RUN = secrets.token_hex(8)  # marks what the workers of this process start

HAS_GROUPS = hasattr(os, "killpg")


@dataclass(frozen=True)
class Surroundings:
    """Where a worker lives: the file for what games print, and how much memory it may use."""

    output: Path | None = None
    memory: int | None = None  # bytes
    run: str = _RUN

    def enter(self) -> None:
        """Make this process such a worker."""
        if HAS_GROUPS:
            os.setpgid(0, 0)
        os.environ[guardian.VARIABLE] = f"{self.run}-{os.getpid()}-"
        if self.output is not None:
            _print_to(self.output)
        if self.memory is not None:
            _use_at_most(self.memory)

    def cut_output(self) -> None:
        """Begin the output anew where a game has printed without end."""
        if self.output is not None:
            with suppress(OSError):
                if self.output.stat().st_size > _MOST_OUTPUT:
                    self.output.write_text("(what was printed before is left out)\n")

    def leave(self) -> None:
        """Leave no empty file behind."""
        if self.output is not None:
            with suppress(OSError):
                if not self.output.stat().st_size:
                    self.output.unlink()


def _print_to(file: Path) -> None:
    """Have all that this process prints, and what it starts, go to a file."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError:
        handle = os.open(os.devnull, os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(handle, standard)
    os.close(handle)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # or a game that hangs loses its last words


def _use_at_most(memory: int) -> None:
    """Limit this process's own memory, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        if most == resource.RLIM_INFINITY or memory <= most:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, most))


def fair_memory(workers: int) -> int | None:
    """Each worker's share of most of this machine's memory, if that is known."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
    return max(2 << 30, int(0.9 * whole) // workers)


class Guardian:
    """Ends the workers of a killed driver and what they started; needs process groups."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        if HAS_GROUPS:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", guardian.__file__, _RUN],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                text=True, start_new_session=True,
            )  # fmt: skip

    def watch(self, group: int) -> None:
        """Look after a worker's group from now on."""
        self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        """It has ended."""
        self._tell(f"-{group}\n")

    def close(self) -> None:
        """Let the guardian end; it ends the groups that it still watches."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
            self._process.wait()

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with self._lock, suppress(OSError, ValueError):  # somebody may have killed it
                self._process.stdin.write(line)
                self._process.stdin.flush()


def end_group(process: BaseProcess) -> None:
    """End a worker and all that it has started; it must not have been waited for yet."""
    if process.pid is not None and HAS_GROUPS:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def end_strays(worker: int) -> None:
    """End what a worker, which has ended, has started in sessions of their own; Linux only."""
    guardian.end_marked(f"{_RUN}-{worker}-")


def wait_for(process: BaseProcess) -> int:
    """Wait until a worker has ended by itself, end what it has started, and give its exit code."""
    if process.pid is not None and hasattr(os, "waitid"):
        with suppress(OSError):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        end_group(process)  # its number is not given to another before it was waited for
    process.join()
    return process.exitcode or 0


def end_with_parent() -> None:
    """See to it that this process does not outlive the one that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # needs no turn of the GIL
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(process: BaseProcess) -> None:
    process.join()
    os._exit(1)


def leave_signals_to_the_driver() -> None:
    """Go on after Ctrl-C and SIGTERM: the driver has heard it too, and gives games a moment.

    What a game starts is not to inherit that: a handler, unlike SIG_IGN, ends with ``exec``.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _go_on)


def _go_on(number: int, frame: object) -> None:
    """Do nothing."""
