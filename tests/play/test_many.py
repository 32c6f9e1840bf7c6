"""Many matches at once, and inference and searches side by side: as one after the other."""

import pytest

import sizeup
from sizeup import play_many
from sizeup.device import DeviceError
from sizeup.errors import InvalidInput
from sizeup.experiments.store import Store
from sizeup.games import connect_four
from sizeup.play import play
from sizeup.play.infer import infer
from sizeup.search import Searcher
from tests.experiments import tiny
from tests.play.conftest import QUICK, quick
from tests.search.side_by_side import asks_of, assert_same

pytest.importorskip("greenlet")

DEVICES = ("cpu", "lanes")  # the second is the CPU in a GPU's place


@pytest.mark.slow
def test_matches_side_by_side_are_those_that_are_played_alone():
    teams = ["ca:4@2,4+obl:2"]
    alone, together = (
        play_many("wall-of-fire", teams, seeds=range(4), device=device) for device in DEVICES
    )
    assert alone == together
    assert [one.to_json() for one in alone] == [one.to_json() for one in together]
    assert alone[3] == play("wall-of-fire", teams, seed=3)


@pytest.mark.parametrize("device", DEVICES)
def test_every_match_is_told_as_it_ends(device):
    seen = []
    teams = [quick("obl:2"), quick("obl:1")]
    records = play_many("connect-four", teams, [7, 3, 7], device=device, watch=seen.append)
    assert [record.seed for record in records] == [7, 3, 7]
    assert records[0] == records[2]
    assert sorted(record.seed for record in seen) == [3, 7, 7]
    assert play_many("connect-four", teams, [], device=device) == []


@pytest.mark.parametrize("device", DEVICES)
def test_a_match_that_cannot_be_played_is_an_error(device):
    with pytest.raises(InvalidInput, match="a seed is a whole number"):
        play_many("connect-four", [quick("obl:2"), quick("obl:1")], [1, -1], device=device)


def test_a_device_that_there_is_not_is_named(monkeypatch, four):
    monkeypatch.setattr("sizeup.device.missing", lambda: "there is no GPU")
    searcher = Searcher(connect_four, (1,), QUICK)
    for device, message in (
        ("tpu", "there is no device 'tpu'; expected cpu, cuda or auto"),
        ("cuda", "there is no GPU; choose --device cpu to search without one"),
    ):
        for asked in (
            lambda device=device: play_many("connect-four", ["obl:1", "obl:1"], [1], device=device),
            lambda device=device: infer([four], (1, 3), options=QUICK, device=device),
            lambda device=device: searcher.search_many([], device),
        ):
            with pytest.raises(DeviceError, match=message):
                asked()
    assert play_many("connect-four", [quick("obl:1"), quick("obl:1")], [1], device="auto")


@pytest.mark.parametrize("rule", ["sampled", "published"])
def test_players_that_are_looked_at_side_by_side_are_told_apart_as_alone(four, rule):
    swapped = play("connect-four", [quick("obl:1"), quick("obl:3")], seed=6)
    seen = {device: [] for device in DEVICES}
    alone, together = (
        infer([four, swapped], (1, 3), rule=rule, options=QUICK, seed=2, device=device,
              watch=seen[device].append)
        for device in DEVICES
    )  # fmt: skip
    assert alone == together
    moves = {device: sorted((one.game, one.ply) for one in seen[device]) for device in DEVICES}
    assert moves["cpu"] == moves["lanes"]
    assert len(moves["cpu"]) == len(four.moves) + len(swapped.moves)


@pytest.mark.slow
def test_players_of_several_games_are_told_apart_as_alone(four, draughts):
    """Whoever is looked at meanwhile plays another game, with another search."""
    alone, together = (
        infer([four, draughts], (1, 2), options=QUICK, device=device, by="seat")
        for device in DEVICES
    )
    assert alone == together


def test_many_searches_are_those_that_are_made_alone():
    searcher = Searcher(connect_four, (1, 3), QUICK)
    asks = asks_of(searcher, {}, moves=4)
    alone, together = (searcher.search_many(asks, device) for device in DEVICES)
    assert len(alone) == len(asks)
    for one, other in zip(alone, together, strict=True):
        assert_same(one, other)
    assert searcher.search_many([], "lanes") == []
    (again,) = searcher.search_many(asks[:1], "lanes", memory=2**22)  # with other memory
    assert_same(again, alone[0])


def digest(path):
    with Store.read(path) as store:
        return store.digest()


@pytest.mark.slow
def test_an_experiment_side_by_side_is_that_of_workers(tmp_path):
    file = tiny.written(tmp_path)
    for device in DEVICES:
        store = tmp_path / f"{device}.db"
        found = sizeup.run_experiment(file, store, blocks=1, workers=1, device=device)
        assert repr(found) == "<Summary of tiny: 8 of 16 games>"
    assert digest(tmp_path / "cpu.db") == digest(tmp_path / "lanes.db")
    with pytest.raises(DeviceError, match="there is no device 'tpu'"):
        sizeup.run_experiment(file, tmp_path / "tpu.db", device="tpu")
    assert not (tmp_path / "tpu.db").exists()
