"""Scores of a running experiment, when to stop, and how it is shown."""

import io

import numpy as np
import pytest
from rich.console import Console

from benchmarks.simulate_statistics import confidence_sequence
from sizeup.cli.progress import ReadProgress, ReplayProgress, RunProgress, duration
from sizeup.errors import InvalidInput
from sizeup.experiments import stakes
from sizeup.experiments.driver import Block, Progress
from sizeup.experiments.experiment import Comparison
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.status import Live, Score
from sizeup.statistics import Weighing, decide
from tests.experiments import tiny


@pytest.fixture(scope="module")
def multi():
    return read_experiment("checkers-multi")


def blocks(experiment, means, rounds, seed=0):
    """Blocks in plan order, their games drawn with a mean for each arm."""
    rng = np.random.default_rng(seed)
    for number in range(rounds):
        for cell in experiment.cells:
            won = (1 + means[cell.arm]) / 2
            scores = rng.choice([1, -1], size=4, p=[won, 1 - won])
            yield Block(cell.label, number, tuple(int(s) for s in scores), (0.0,) * 4)


def by_round(experiment, played, arm):
    scores = {(b.number, b.cell): np.mean(b.scores) for b in played}
    cells = [cell.label for cell in experiment.cells if cell.arm == arm]
    rounds = 1 + max(block.number for block in played)
    return np.array([[scores[number, cell] for cell in cells] for number in range(rounds)])


def test_the_interval_is_that_of_the_blocks_in_plan_order(multi):
    played = list(blocks(multi, {"ma": 0.3, "sa": -0.1}, 30))
    live = Live(multi)
    assert not any(live(block) for block in played)
    ma, sa = (by_round(multi, played, arm) for arm in ("ma", "sa"))
    for score, rounds, bound in zip(live.scores, (ma, sa, ma - sa), (1, 1, 2), strict=True):
        trail = confidence_sequence(rounds, bound=bound)
        assert score.interval.rounds == 30
        assert (score.interval.low, score.interval.high) == (trail.low[-1], trail.high[-1])
        ends = f"({100 * trail.low[-1]:+.1f} to {100 * trail.high[-1]:+.1f})"
        name = {"ma": "ma - its opponents", "sa": "sa - its opponents"}.get(
            str(score.comparison), "ma - sa"
        )
        assert str(score) == f"{name}: {100 * rounds.mean():+.1f} points {ends} after 30 rounds"


def test_only_whole_rounds_count(multi):
    played = list(blocks(multi, {"ma": 0.3, "sa": 0.3}, 2))
    live = Live(multi)
    assert list(live.lines()) == ["not enough games yet"]
    for block in played[:-1]:
        live(block)
    ma, sa, both = live.scores
    assert [one.interval.rounds for one in (ma, sa, both)] == [2, 1, 1]
    assert str(sa).endswith("after 1 round")
    live(played[-1])
    assert len(list(live.lines())) == 3
    assert both.interval.rounds == 2


def test_blocks_in_quarantine_are_passed_over(multi):
    played = list(blocks(multi, {"ma": 0.0, "sa": 0.5}, 4))
    lost = multi.cells[3].label  # of sa, at the second point
    score = Score(multi, Comparison("ma", "sa"))
    live = Live(multi)
    live.scores = [score]
    for block in played:
        if (block.cell, block.number) != (lost, 1):
            live(block)
    rounds = by_round(multi, played, "ma") - by_round(multi, played, "sa")
    columns = [list(column) for column in rounds.T]
    del columns[1][1]
    kept = np.array([column[:3] for column in columns]).T
    trail = confidence_sequence(kept, bound=2)
    assert (score.interval.low, score.interval.high) == (trail.low[-1], trail.high[-1])


@pytest.mark.parametrize(
    ("mean", "smaller_than", "outcome"),
    [(0.4, 2, "positive"), (-0.4, 2, "negative"), (0.0, 25, "smaller")],
)
def test_it_stops_when_everything_is_decided(mean, smaller_than, outcome):
    aware = read_experiment("checkers-aware")
    live = Live(aware, until_decided=True, smaller_than=smaller_than)
    played = []
    for block in blocks(aware, {"ca": mean}, 400):
        played.append(block)
        if live(block):
            break
    rounds = by_round(aware, played, "ca")
    decision = decide(rounds, smaller_than=smaller_than / 100)
    assert (decision.outcome, decision.blocks) == (outcome, rounds.size)


def test_it_goes_on_while_anything_is_undecided(multi):
    live = Live(multi, until_decided=True)
    assert not any(live(block) for block in blocks(multi, {"ma": 0.5, "sa": 0.5}, 60))
    ma, sa, both = live.scores
    assert (ma.verdict(2), sa.verdict(2), both.verdict(2)) == ("above 0", "above 0", None)
    assert not live.is_decided
    assert list(live.verdicts()) == ["ma: above 0", "sa: above 0", "ma - sa: undecided"]


def test_without_comparisons_it_is_every_arm(tmp_path):
    plain = tiny.experiment(tmp_path, ('comparisons = ["aware - oblivious"]', ""))
    assert [str(score.comparison) for score in Live(plain).scores] == ["aware", "oblivious"]


def one_team(folder, extra="", game="harvest"):
    """Two teams of three farmers, whose range the exact planner finds."""
    path = folder / "seasons.toml"
    path.write_text(f"""
name = "seasons"
title = "Seasons"
question = "Does awareness pay?"
game = "{game}"
types = [1, 2]
blocks = 4
balance = ["team"]
{extra}
[arms.aware]
team = "ca:2+obl:1+obl:1"
[arms.plain]
team = "obl:2+obl:1+obl:1"
""")
    return read_experiment(path)


def seasons(experiment, rewards):
    """Blocks in plan order, of the rewards of each arm."""
    for number, paid in enumerate(zip(*rewards.values(), strict=True)):
        for arm, reward in zip(rewards, paid, strict=True):
            slots = len(experiment.cell(arm).slots)
            yield Block(arm, number, (None,) * slots, (float(reward),) * slots)


COMPARED = 'comparisons = ["aware - plain"]'


def test_one_team_has_rewards(tmp_path):
    seasonal = one_team(tmp_path)
    live = Live(seasonal)
    assert live.stakes.low == 0
    for block in seasons(seasonal, {"aware": [1, 1, 4], "plain": [0, 1, 0]}):
        assert not live(block)
    low, high = live.scores[0].ends
    assert 0 <= low < 2 < high <= live.stakes.high
    assert list(live.lines()) == [
        f"aware: mean reward 2.00 ({low:.2f} to {high:.2f}) after 3 rounds",
        "plain: mean reward 0.33 ({:.2f} to {:.2f}) after 3 rounds".format(*live.scores[1].ends),
    ]
    with pytest.raises(InvalidInput, match="seasons compares nothing, so there is nothing to"):
        Live(seasonal, until_decided=True)


def test_a_difference_of_rewards_is_decided(tmp_path):
    """It is the sequence of scores, on the scale of what a match can pay."""
    seasonal = one_team(tmp_path, COMPARED)
    live = Live(seasonal, until_decided=True)
    half = live.stakes.half
    rng = np.random.default_rng(1)
    aware, plain = rng.uniform(0.5 * half, 2 * half, 300), rng.uniform(0, 1.5 * half, 300)
    stopped = None
    for block in seasons(seasonal, {"aware": aware, "plain": plain}):
        if live(block):
            stopped = block.number + 1
            break
    decision = decide((aware - plain) / half, bound=2)
    assert (decision.outcome, decision.blocks) == ("positive", stopped)
    assert live.scores[0].ends == pytest.approx((half * decision.low, half * decision.high))
    assert list(live.verdicts()) == ["aware - plain: above 0"]


def test_a_difference_of_rewards_too_small_to_matter(tmp_path):
    seasonal = one_team(tmp_path, COMPARED)
    live = Live(seasonal, until_decided=True, smaller_than=8)
    rewards = {"aware": [9.0] * 200, "plain": [9.5] * 200}
    assert any(live(block) for block in seasons(seasonal, rewards))
    assert list(live.verdicts()) == ["aware - plain: within 8 of 0"]
    with pytest.raises(InvalidInput, match="--smaller-than must be above 0 and at most"):
        Live(seasonal, smaller_than=1000)


def test_where_the_range_is_not_known_seeds_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.stakes._MOST_STATES", 5)
    stakes._rewards.cache_clear()
    seasonal = one_team(tmp_path, COMPARED)
    live = Live(seasonal, until_decided=True)
    stakes._rewards.cache_clear()
    assert not live.stakes.is_known
    rewards = {"aware": [1e9] * 40, "plain": [1.0] * 40}
    stopped = next(b.number + 1 for b in seasons(seasonal, rewards) if live(b))
    assert decide([1.0] * 40).blocks == stopped
    assert list(live.verdicts()) == ["aware - plain: above 0 on most seeds that differ"]
    assert list(live.lines()) == [
        f"aware - plain: mean reward +999,999,999.00 after {stopped} rounds"
    ]


def test_a_reward_that_cannot_be_paid_decides_nothing(tmp_path):
    seasonal = one_team(tmp_path, f"{COMPARED}\ntotal_bounds = [0, 10]")
    live = Live(seasonal, until_decided=True)
    rewards = {"aware": [9.0] * 20 + [12.0] * 60, "plain": [1.0] * 80}
    assert not any(live(block) for block in seasons(seasonal, rewards) if block.number >= 20)
    (line,) = live.lines()
    assert line == (
        "a match of 'aware' has paid 12, but the range is 0 to 10 as the experiment's file says: "
        "nothing can be decided; correct total_bounds"
    )


@pytest.mark.parametrize("points", [0.0, -1.0, 150, float("nan")])
def test_a_margin_is_a_number_of_points(multi, points):
    with pytest.raises(InvalidInput, match="--smaller-than must be above 0 and at most 100 points"):
        Live(multi, smaller_than=points)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def progress(done, total=40, **more):
    given = {"new": done, "per_second": 2.0, "seconds_left": (total - done) / 2, **more}
    return Progress(
        done, total, given["new"], given["per_second"], given["seconds_left"],
        more.get("failures", 0), more.get("quarantined", 0),
    )  # fmt: skip


def test_plain_lines_at_every_tenth_and_every_minute(multi):
    console, clock = Console(file=io.StringIO()), Clock()
    with RunProgress(Live(multi), console, clock) as shown:
        shown(progress(0, new=0, seconds_left=None))
        shown(progress(4))  # too soon after the first
        clock.now = 6.0
        for done in (4, 5):
            shown(progress(done))
        clock.now = 59.0
        shown(progress(6))
        clock.now = 67.0
        shown(progress(6))
        shown(progress(40, seconds_left=0.0, failures=3, quarantined=1))
    nothing = "not enough games yet"
    assert console.file.getvalue().splitlines() == [
        f"0 of 40 games; {nothing}",
        f"4 of 40 games, 2.0 games/s, 18 s left; {nothing}",
        f"6 of 40 games, 2.0 games/s, 17 s left; {nothing}",
        f"40 of 40 games, 2.0 games/s, 3 failed attempt(s), 1 in quarantine; {nothing}",
    ]


def test_a_bar_on_a_terminal_that_leaves_nothing_behind(multi):
    settings = {"width": 90, "force_terminal": True, "color_system": None}
    live, clock = Live(multi), Clock()
    for block in blocks(multi, {"ma": 0.3, "sa": 0.3}, 1):
        live(block)
    for name, is_bar in (("xterm", True), ("dumb", False)):
        console = Console(file=io.StringIO(), _environ={"TERM": name}, **settings)
        with RunProgress(live, console, clock) as shown:
            shown(progress(4))
            shown(progress(5))  # too soon after the last picture
            clock.now += 6  # longer than the pause between two lines
            shown(progress(9))
        text = console.file.getvalue()
        assert ("━" in text) == is_bar
        assert "4 of 40 games, 2.0 games/s, 18 s left" in text
        assert "5 of 40 games" not in text
        assert "9 of 40 games" in text
        assert "ma - sa" in text
        assert text.rstrip("\x1b[?25h").endswith("\x1b[2K") == is_bar


def test_games_played_again_in_plain_lines():
    console, clock = Console(file=io.StringIO()), Clock()
    with ReplayProgress(30, console, clock) as played_again:
        for _ in range(30):
            clock.now += 25
            played_again()
    lines = console.file.getvalue().splitlines()
    assert lines[0] == "3 of 30 games replayed, 11 min 15 s left"
    assert lines[-1] == "30 of 30 games replayed"
    assert len(lines) == 10


@pytest.mark.parametrize(
    ("seconds", "lines"),
    [
        (12.0, ["42 % read, 7 s left", "83 % read, 2 s left", "100 % read"]),
        (0.9, []),
    ],
)
def test_a_long_file_tells_how_much_of_it_was_read_and_a_short_one_nothing(seconds, lines):
    console, clock = Console(file=io.StringIO()), Clock()
    with ReadProgress("many.pdn", console, clock) as read:
        for game in range(1, 1201):
            clock.now = seconds * game / 1200
            read(game / 1200)
    assert console.file.getvalue().splitlines() == [f"many.pdn: {line}" for line in lines]


def test_a_long_silence_is_broken():
    console, clock = Console(file=io.StringIO()), Clock()
    with ReplayProgress(100, console, clock) as played_again:
        for _ in range(4):
            clock.now += 40
            played_again()
    assert console.file.getvalue().splitlines() == [
        "2 of 100 games replayed, 1 h 5 min left",
        "4 of 100 games replayed, 1 h 4 min left",
    ]


def test_games_played_again_as_a_bar_that_leaves_nothing_behind():
    for total, is_bar in ((3, True), (0, False)):
        console = Console(
            file=io.StringIO(), force_terminal=True, width=90, _environ={"TERM": "xterm"}
        )
        with ReplayProgress(total, console, Clock()) as played_again:
            for _ in range(total):
                played_again()
        text = console.file.getvalue()
        assert ("━" in text) == is_bar
        assert ("3 of 3 games replayed" in text) == is_bar
        assert text.rstrip("\x1b[?25h").endswith("\x1b[2K") == is_bar


def test_standard_error_unless_told_otherwise(multi, capsys):
    with RunProgress(Live(multi)) as shown:
        shown(progress(40, seconds_left=0.0))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("40 of 40 games, 2.0 games/s; ")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3599.6, "1 h 0 min"),
        (86399, "1 d 0 h"), (90000, "1 d 1 h"),
    ],
)  # fmt: skip
def test_durations_for_people(seconds, text):
    assert duration(seconds) == text


@pytest.mark.slow
def test_a_published_difference_is_decided_too(multi):
    """As published or none: told long before the interval has left 0 behind."""
    played = list(blocks(multi, {"ma": 0.04, "sa": 0.0}, 300))
    live = Live(multi.only(["ma", "sa"]), until_decided=True)
    score = live.scores[-1]
    ma, sa = (by_round(multi, played, arm) for arm in ("ma", "sa"))
    weighed = Weighing(0.041, bound=2).seen(ma - sa)
    assert weighed.is_final
    last = weighed.blocks // 12
    for block in played:
        if block.number < last:
            assert score.verdict(0.1) is None
            live(block)
    assert score.verdict(0.1) == "agrees with the published +4.1, not with 0"
    assert score.interval.low < 0 < score.interval.high


def test_a_part_has_the_comparisons_of_its_arms():
    ablation = read_experiment("checkers-ablation")
    assert [str(c) for c in ablation.only(["obl", "nu"]).comparisons] == ["nu - obl"]
    assert [c.arm for c in ablation.only(["min"]).cells] == ["min"] * 12
    assert [score.comparison for score in Live(ablation.only(["min"])).scores] == [
        Comparison("min")
    ]


def test_published_differences(multi):
    found = {str(c): multi.published(c) for c in multi.comparisons}
    assert found == {"ma": 3.7, "sa": -0.4, "ma - sa": pytest.approx(4.1)}
    assert multi.published(Comparison("ma", "obl")) is None


def test_what_was_decided_first_stays_decided_as_in_the_report():
    """An interval that first lies close to 0, and later on one side of it."""
    aware = read_experiment("checkers-aware")
    score = Live(aware).scores[0]
    count = len(aware.points)
    rounds = np.full((3000, count), 0.01)
    for number, row in enumerate(rounds):
        for point, value in zip(aware.points, row, strict=True):
            for arm, sign in zip(score.comparison.arms, (1, 0), strict=False):
                score.add(arm, point.label, number, 100 * sign * value)
        if number % 100 == 0:
            score.verdict(5.0)
    bound = float(len(score.comparison.arms))
    assert decide(rounds, smaller_than=0.05, bound=bound).outcome == "smaller"
    assert score.interval.low >= 0
    assert score.verdict(5.0) == "within 5 points of 0"
    assert score.verdict(0.1) == "above 0"
