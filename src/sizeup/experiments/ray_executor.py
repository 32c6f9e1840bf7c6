"""Jobs played by Ray, on this machine or on a cluster. The only file that imports Ray.

Ray is asked for no retries and no answers other than the worker's: what to do about a lost worker
or node is the driver's business, the same as for local processes.
"""

from __future__ import annotations

import asyncio
import atexit
import faulthandler
import importlib
import logging
import os
import re
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments import executors
from sizeup.experiments.executors import (
    Executor,
    JobFailed,
    OtherCode,
    Result,
    Trouble,
    WorkerDied,
    one_line,
)
from sizeup.experiments.job import Job, Play

_PATIENCE = 10.0  # seconds to wait for a cluster's machine to answer at all
_SETTINGS = b"\x04"  # the kind of frame with which both sides of HTTP/2, and so gRPC, begin
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
_MOST_AT_ONCE = 100_000  # jobs that an actor may be asked for at a time
_RECOUNT = 5.0  # seconds after which the cluster's cores are counted again
_PULSE = 2.0  # seconds between two looks at the cluster's head
_MISSED = 3  # looks in a row without an answer: the head is gone


class ClusterLost(OtherCode):
    """The cluster's head does not answer any more, so every job would fail."""


class RayExecutor(Executor):
    """Tasks of Ray, each with a core of its own.

    Where Ray runs in this process already, that is used and left running; without an address, Ray
    is started on this machine until the executor is shut down. A cluster's nodes need the same
    version of Sizeup, and whatever the jobs import.
    """

    def __init__(
        self, address: str | None = None, workers: int | None = None, limit: float | None = None
    ) -> None:
        if address is not None and workers is not None:
            raise InvalidInput(
                f"the cluster at {address} uses all of its cores: leave out workers={workers!r}"
            )
        self.limit = executors.check_limit(limit)
        self._ray = _import_ray()
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            _connect(self._ray, address, workers)
        self._task = self._ray.remote(max_retries=0)(attempt_within)
        self._running: dict[Future[Result], Any] = {}
        self._cores, self._counted = 0, -_RECOUNT
        self._lost: ClusterLost | None = None
        self._is_over = threading.Event()
        self._is_watched = address is not None and self._is_ours
        if self._is_watched:
            self._count()
            for duty in (partial(self._watch_head, address), self._keep_counting):
                threading.Thread(target=duty, daemon=True).start()

    def _watch_head(self, address: str | None) -> None:
        """End everything once the head is gone; Ray itself would keep trying for minutes."""
        head = str(self._ray.get_runtime_context().gcs_address)
        missed = 0
        while missed < _MISSED:
            if self._is_over.wait(_PULSE):
                return
            try:
                _require_listening(head)
                missed = 0
            except OSError:
                missed += 1
        self._lost = ClusterLost(
            f"the Ray cluster at {address} is gone: its head does not answer any more; start it "
            "again and resume"
        )
        for future in list(self._running):
            self._running.pop(future, None)
            if future.set_running_or_notify_cancel():
                future.set_exception(self._lost)

    @property
    def workers(self) -> int:
        """How many cores the cluster has, which changes when nodes come and go."""
        if not self._is_watched and time.monotonic() - self._counted >= _RECOUNT:
            self._count()
        return self._cores

    def _count(self) -> None:
        self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        self._counted = time.monotonic()

    def _keep_counting(self) -> None:
        """Count in a thread of its own, for Ray answers late or never when the head is gone."""
        while not self._is_over.wait(_RECOUNT):
            self._count()

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played when a core is free."""
        future: Future[Result] = Future()
        if self._lost is not None:
            future.set_exception(self._lost)
            return future
        reference = self._task.remote(play, job, self.limit)
        self._running[future] = reference
        reference.future().add_done_callback(partial(self._hand_over, future))
        return future

    def shutdown(self) -> None:
        """End all tasks, also in the middle of a game, and Ray too if it was started for this."""
        self._is_over.set()
        if self._lost is not None:
            atexit.register(_leave_at_once)
            return
        for future, reference in list(self._running.items()):
            if future.cancel():
                self._ray.cancel(reference, force=True)
        if self._is_ours:
            self._ray.shutdown()

    def _hand_over(self, future: Future[Result], theirs: Future[Result | Trouble]) -> None:
        """Answer with what Ray answered, a lost worker or node being a failure of the job."""
        if self._running.pop(future, None) is None:
            return  # it was told that the cluster is lost
        if not future.set_running_or_notify_cancel():
            return
        error = theirs.exception()
        reply = None if error is not None else theirs.result()
        if isinstance(reply, Result):
            future.set_result(reply)
        elif reply is not None:
            future.set_exception(reply.failure())
        elif isinstance(error, self._ray.exceptions.RayTaskError):
            future.set_exception(JobFailed(one_line(error.cause), str(error)))
        else:
            late = f", or it exceeded the time limit of {self.limit:g} s" if self.limit else ""
            ending = f"its worker or node died ({type(error).__name__}){late}"
            future.set_exception(WorkerDied(ending, str(error)))


class RayCrowdExecutor(RayExecutor):
    """A crowd of games on every GPU of a cluster.

    Each GPU has an actor, which holds an executor of its own on that machine
    (:class:`~sizeup.experiments.crowd_executor.CrowdExecutor`), with its share of the cores.
    """

    def __init__(self, address: str | None = None, device: str = "cuda") -> None:
        super().__init__(address)
        found = self._ray.cluster_resources()
        gpus = int(found.get("GPU", 0)) if device == "cuda" else 1
        if not gpus:
            self.shutdown()
            raise InvalidInput("no machine of this Ray cluster has a GPU: leave out --device cuda")
        cores = max(1, int(found.get("CPU", 1)) // gpus)
        actor = self._ray.remote(
            num_cpus=cores, num_gpus=int(device == "cuda"), max_concurrency=_MOST_AT_ONCE
        )(CrowdActor)
        self._actors = [actor.remote(device, cores) for _ in range(gpus)]
        self._busy = [0] * gpus
        asked = [one.workers.remote() for one in self._actors]
        self._at_once = int(sum(self._ray.get(asked)))

    @property
    def workers(self) -> int:
        """Those of all GPUs together."""
        return self._at_once

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played on the GPU that has least to do."""
        future: Future[Result] = Future()
        number = min(range(len(self._actors)), key=self._busy.__getitem__)
        self._busy[number] += 1
        reference = self._actors[number].play.remote(play, job)
        self._running[future] = reference

        def done(theirs: Future[Result | Trouble]) -> None:
            self._busy[number] -= 1
            self._hand_over(future, theirs)

        reference.future().add_done_callback(done)
        return future

    def shutdown(self) -> None:
        """End all actors, also in the middle of a game, and Ray too if it was started for this."""
        for actor in getattr(self, "_actors", ()):
            self._ray.kill(actor)
        self._running.clear()
        super().shutdown()


class CrowdActor:
    """What a machine with a GPU does for a cluster: its methods wait side by side."""

    def __init__(self, device: str, hosts: int) -> None:
        from sizeup.experiments.crowd_executor import CrowdExecutor

        self._executor = CrowdExecutor(device, hosts)

    async def workers(self) -> int:
        """Half of the jobs that it plays at a time."""
        return self._executor.workers

    async def play(self, play: Play, job: Job) -> Result | Trouble:
        """Play a job among others."""
        try:
            return await asyncio.wrap_future(self._executor.submit(play, job))
        except JobFailed as error:
            return Trouble(str(error), error.details, isinstance(error, executors.OtherCode))


def _leave_at_once() -> None:
    """End a process whose Ray has lost its head: it would wait for a minute, and then crash."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(2)


def attempt_within(play: Play, job: Job, limit: float | None) -> Result | Trouble:
    """Play a job in this process, which ends if that takes longer than the limit.

    The watch is faulthandler's, because it also ends compiled code that never comes back.
    """
    if limit is not None:
        faulthandler.dump_traceback_later(limit, exit=True, file=2)
    try:
        return executors.attempt(play, job)
    except BaseException as error:  # such as SystemExit, which would end Ray's worker
        return Trouble(one_line(error), traceback.format_exc())
    finally:
        faulthandler.cancel_dump_traceback_later()


def _import_ray() -> Any:
    if has_token() and "ray" not in sys.modules:  # Ray asks once, but those it starts ask anew
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    try:
        import ray
    except ImportError:
        raise InvalidInput(
            "Ray is not installed: pip install 'sizeup[ray]', or use --on local"
        ) from None
    return ray


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Ray's workers give way to everything else (nice 15); local processes do not, nor here.
        os.environ.setdefault("RAY_worker_niceness", "0")
        cores = executors.check_workers(workers)
        ray.init(address="local", num_cpus=cores, include_dashboard=False, **quiet)
        return
    try:
        _require_listening(address)
        _require_welcome(ray, address)
        ray.init(address=address, **quiet)
    except ray.exceptions.AuthenticationError:
        mine = "the token here is another one" if has_token() else "there is none here"
        raise InvalidInput(
            f"the Ray cluster at {address} asks for a token, and {mine}: copy ~/.ray/auth_token "
            "from its first machine to this one, or set RAY_AUTH_TOKEN"
        ) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise InvalidInput(
            f"there is no Ray cluster at {address!r} ({one_line(error)}): start one with "
            "`ray start --head`, or give another address"
        ) from None


def has_token() -> bool:
    """Whether Ray would find a token for its clusters here."""
    named = os.environ.get("RAY_AUTH_TOKEN_PATH")
    file = Path(named) if named else Path.home() / ".ray" / "auth_token"
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or file.is_file()


def _require_welcome(ray: Any, address: str) -> None:
    """Raise Ray's AuthenticationError at once, where it would try again for half a minute."""
    if re.fullmatch(r"[^/]+:\d+", address):
        try:
            with _without_a_word():
                importlib.import_module("ray._raylet").GcsClient(address=address)
        except ray.exceptions.AuthenticationError:
            raise
        except Exception:
            return  # whatever else it is, Ray says better when it connects


@contextmanager
def _without_a_word() -> Iterator[None]:
    """Ray's core writes to standard error itself; what matters is said in our own words."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _require_listening(address: str) -> None:
    """Raise OSError unless Ray is listening there; Ray itself would keep trying for minutes."""
    found = re.fullmatch(r"(?:ray://)?\[?([^\[\]]+?)\]?:(\d+)", address)
    if not found:
        return
    with socket.create_connection((found[1], int(found[2])), timeout=_PATIENCE) as line:
        if os.environ.get("RAY_USE_TLS", "0") != "0":
            return
        line.sendall(_GREETING)
        answer = line.recv(9)
    if answer[3:4] != _SETTINGS:
        raise OSError("another program is listening there")
