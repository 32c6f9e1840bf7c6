"""A crowd on a Ray cluster: the games of a machine with a GPU, with the CPU in the GPU's place."""

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.executors import JobFailed, open_executor
from sizeup.experiments.worker import play_job
from tests.experiments import small
from tests.experiments.tiny import jobs_of

pytestmark = pytest.mark.slow


def test_a_cluster_plays_the_same_games():
    pytest.importorskip("ray")
    jobs = list(jobs_of("checkers-ablation", ["ca:", "ora:", "obl:"]))
    with open_executor("ray", device="lanes") as executor:
        assert executor.workers > 1
        futures = [executor.submit(play_job, job) for job in jobs]
        (bad,) = small.plan(blocks=1, deed="complain", where=[0])[:1]
        wrong = executor.submit(small.misbehave, bad)
        assert [f.result(120).outcomes for f in futures] == [play_job(job) for job in jobs]
        with pytest.raises(JobFailed, match="ValueError: no luck"):
            wrong.result(60)


def test_a_cluster_without_a_gpu_is_said_to_have_none():
    pytest.importorskip("ray")
    with pytest.raises(InvalidInput, match="no machine of this Ray cluster has a GPU"):
        open_executor("ray", device="cuda")


def test_what_a_crowd_has_no_use_for_is_refused():
    with pytest.raises(InvalidInput, match="--workers 2"):
        open_executor("ray", workers=2, device="lanes")
    with pytest.raises(InvalidInput, match="--limit 5"):
        open_executor(limit=5.0, device="lanes")
