"""Ray: the same games as everywhere, also when a node of a real cluster dies in the middle.

Clusters of two nodes are started twice, which takes most of the time.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments import ray_executor
from sizeup.experiments.driver import run
from sizeup.experiments.executors import JobFailed, Result, WorkerDied, attempt, open_executor
from sizeup.experiments.ray_executor import RayExecutor, attempt_within
from sizeup.experiments.store import Store
from tests.experiments import small

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ray = pytest.importorskip("ray")


class Here:
    """An executor that plays at once, in this process."""

    workers = 1

    def submit(self, play, job):
        future = Future()
        future.set_result(attempt(play, job))
        return future


@pytest.fixture
def expected(tmp_path):
    """Digest of the small experiment."""
    with Store.open(tmp_path / "expected.db", small.ORIGIN) as store:
        run(small.plan(), small.play, store, Here())
        return store.digest()


def test_a_node_that_dies_costs_nothing_but_an_attempt(tmp_path, monkeypatch, expected):
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("SIZEUP_TEST_MARKS", str(tmp_path))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        node = cluster.add_node(num_cpus=1)
        (tmp_path / "doomed").write_text(node.node_id)
        killer = threading.Thread(target=kill_when_caught, args=(cluster, node, tmp_path))
        killer.start()
        with (
            RayExecutor(cluster.address) as executor,
            Store.open(tmp_path / "games.db", small.ORIGIN) as store,
        ):
            assert executor.workers == 2
            summary = run(small.plan(), small.play_on_a_cluster, store, executor)
            killer.join()
            assert (summary.progress.done, summary.quarantined) == (24, ())
            assert store.digest() == expected
            (failure,) = store.failures()
            assert failure.error == "its worker or node died (NodeDiedError)"
            assert list(store.rows("attempt", job_id=failure.job_id)) == [(2,)]
    finally:
        cluster.shutdown()


def kill_when_caught(cluster, node, marks):
    while not (marks / "caught").exists():
        time.sleep(0.01)
    cluster.remove_node(node, allow_graceful=False)


def test_games_and_failures_are_the_same_as_with_local_processes(tmp_path, expected):
    with (
        open_executor("ray", workers=2) as executor,
        Store.open(tmp_path / "games.db", small.ORIGIN) as store,
    ):
        assert executor.workers == 2
        assert run(small.plan(), small.play, store, executor).progress.done == 24
        assert store.digest() == expected
        check_failures(executor)
        with RayExecutor(limit=3) as second:  # in the same Ray, which it leaves running
            late = second.submit(small.misbehave, job_that("hang")).exception()
            assert isinstance(late, WorkerDied)
            assert "or it exceeded the time limit of 3 s" in str(late)
            hanging = second.submit(small.hang, small.plan()[0])
        assert hanging.cancelled()
        assert executor.submit(small.pretend, small.plan()[0]).exception() is None
    assert not ray.is_initialized()


def check_failures(executor):
    error = executor.submit(small.misbehave, job_that("complain")).exception()
    assert (type(error), str(error)) == (JobFailed, "ValueError: no luck")
    assert "in complain" in error.details
    error = executor.submit(small.misbehave, job_that("exit")).exception()
    assert (type(error), str(error)) == (
        WorkerDied,
        "its worker or node died (WorkerCrashedError)",
    )
    error = executor.submit(small.misbehave, job_that("no data")).exception()
    assert type(error) is JobFailed


def job_that(deed):
    return small.plan(deed=deed, where=[0])[0]


def test_a_cluster_has_its_own_number_of_workers():
    with pytest.raises(InvalidInput, match=r"cluster at auto uses all .* leave out workers=2"):
        open_executor("auto", workers=2)


@pytest.mark.parametrize("address", ["auto", "127.0.0.1:1", "ray://127.0.0.1:1", "no.invalid:1"])
def test_no_cluster_is_said_in_one_line(address):
    with pytest.raises(InvalidInput, match=f"there is no Ray cluster at '{address}'") as caught:
        open_executor(address)
    assert "\n" not in str(caught.value)


def test_what_is_no_ray_is_said_at_once():
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=_answer_as_a_web_server, args=(server,))
        answering.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InvalidInput, match="another program is listening there"):
            open_executor(address)
        answering.join()


def _answer_as_a_web_server(server):
    line, _ = server.accept()
    with line:
        line.recv(100)
        line.sendall(b"HTTP/1.0 400 Bad request\r\n\r\n")


def test_ray_must_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InvalidInput, match=r"Ray is not installed: pip install 'sizeup\[ray\]'"):
        open_executor("ray")


class FakeReference:
    def __init__(self):
        self.theirs = Future()

    def future(self):
        return self.theirs


class FakeRay:
    """As much of Ray as an executor sees, with answers that the test gives."""

    exceptions = ray.exceptions

    def __init__(self):
        self.references, self.cancelled, self.nodes, self.counted = [], [], 2, 0

    def is_initialized(self):
        return True

    def cluster_resources(self):
        self.counted += 1
        return {"CPU": float(self.nodes)} if self.nodes else {}

    def remote(self, **options):
        assert options == {"max_retries": 0}
        return lambda function: SimpleNamespace(remote=self.submitted)

    def submitted(self, *args):
        self.references.append(FakeReference())
        return self.references[-1]

    def cancel(self, reference, force):
        self.cancelled.append(reference)


@pytest.fixture
def fake(monkeypatch):
    """Ray's answers come in threads that coverage cannot see; here they come in this one."""
    made = FakeRay()
    monkeypatch.setattr(ray_executor, "_import_ray", lambda: made)
    return made


def test_every_answer_of_ray_becomes_a_result_or_a_failure(fake):
    executor = RayExecutor(limit=2.5)
    result = attempt(small.pretend, small.plan()[0])
    trouble = attempt(small.misbehave, job_that("complain"))
    task_error = ray.exceptions.RayTaskError("play", "trace", ValueError("cannot import\nit"))
    died = ray.exceptions.WorkerCrashedError()
    futures = [executor.submit(small.play, small.plan()[0]) for _ in range(4)]
    for reference, answer in zip(fake.references, (result, trouble), strict=False):
        reference.theirs.set_result(answer)
    for reference, answer in zip(fake.references[2:], (task_error, died), strict=True):
        reference.theirs.set_exception(answer)
    assert futures[0].result() == result
    assert [(type(future.exception()), str(future.exception())) for future in futures[1:]] == [
        (JobFailed, "ValueError: no luck"),
        (JobFailed, "ValueError: cannot import"),
        (
            WorkerDied,
            "its worker or node died (WorkerCrashedError), or it exceeded the time limit of 2.5 s",
        ),
    ]
    executor.shutdown()
    assert fake.cancelled == []


def test_what_is_not_wanted_any_more_is_cancelled(fake):
    with RayExecutor() as executor:
        future, other = (executor.submit(small.play, small.plan()[0]) for _ in range(2))
        future.cancel()
        other.set_running_or_notify_cancel()  # it is just being answered
    assert fake.cancelled == [fake.references[0]]
    fake.references[0].theirs.set_exception(ray.exceptions.WorkerCrashedError())
    assert future.cancelled()


def test_the_cluster_may_grow_and_shrink(fake, monkeypatch):
    executor = RayExecutor()
    assert [executor.workers, executor.workers] == [2, 2]
    assert fake.counted == 1
    monkeypatch.setattr(ray_executor, "_RECOUNT", 0)
    for fake.nodes in (3, 0):
        assert executor.workers == max(fake.nodes, 1)


@pytest.mark.parametrize("limit", [None, 600])
def test_the_limit_does_not_touch_what_is_in_time(limit):
    job = small.plan()[0]
    assert isinstance(attempt_within(small.pretend, job, limit), Result)


CLUSTER = """
import sys, time
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
cluster.add_node(num_cpus=1)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""

DRIVER = """
import sys
from sizeup.errors import SizeupError
from sizeup.experiments import ray_executor
from sizeup.experiments.driver import run
from sizeup.experiments.executors import open_executor
from sizeup.experiments.store import Store
from tests.experiments import small
address, path, play = sys.argv[1:]
try:
    with open_executor(address) as executor, Store.open(path, small.ORIGIN) as store:
        tell = lambda progress: print(progress.done, executor.workers, flush=True)
        run(small.plan(), getattr(small, play), store, executor, on_progress=tell)
        print(store.digest())
except SizeupError as error:
    print(error)
    sys.exit(2)
"""


@pytest.fixture(scope="module")
def token(tmp_path_factory):
    """A token for clusters and for those who want to use them."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text("5eed" * 16)
    return file


@pytest.fixture(scope="module")
def cluster(token):
    """Two nodes in a process of their own, which ask for a token; the last test ends them."""
    asking = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
    with subprocess.Popen(
        [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, cwd=ROOT, env=asking,
    ) as process:  # fmt: skip
        yield process.stdout.readline().strip(), process
        process.stdin.close()


def drive(address, path, play="play", **environment):
    command = [sys.executable, "-c", DRIVER, address, path, play]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        env={**kept, **environment},
    )  # fmt: skip


def test_a_cluster_of_two_nodes_that_asks_for_a_token(tmp_path, cluster, token, expected):
    address, _ = cluster
    path = str(tmp_path / "games.db")
    for wrong, said in (
        ({"HOME": str(tmp_path)}, "asks for a token, and there is none here"),
        ({"RAY_AUTH_TOKEN": "bad0" * 16}, "asks for a token, and the token here is another one"),
    ):
        with drive(address, path, **wrong) as refused:
            told, trouble = refused.communicate()
        assert (refused.returncode, trouble) == (2, "")
        assert f"the Ray cluster at {address} {said}: copy ~/.ray/auth_token" in told
        assert told.count("\n") == 1
    with drive(address, path, RAY_AUTH_TOKEN_PATH=str(token)) as welcome:
        *progress, digest = welcome.communicate()[0].split()
    assert (welcome.returncode, digest) == (0, expected)
    assert progress[1] == "2"


def test_a_lost_head_ends_the_run_with_one_line(tmp_path, cluster, token, expected):
    address, process = cluster
    path = str(tmp_path / "games.db")
    with drive(address, path, "play_then_wait", RAY_AUTH_TOKEN_PATH=str(token)) as driver:
        while not driver.stdout.readline().startswith("4 "):
            assert driver.poll() is None
        for pid in processes_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        *_, last = driver.communicate()[0].splitlines()
    assert driver.returncode == 2
    assert last == (
        f"the Ray cluster at {address} is gone: its head does not answer any more; start it again "
        "and resume"
    )
    with Store.open(path, small.ORIGIN) as store:
        assert len(store.done_jobs()) == 4
        run(small.plan(), small.play, store, Here())
        assert store.digest() == expected


def processes_of(pid):
    """Everybody who descends from a process, the youngest first."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(stat[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[::-1]
