"""OpenSpiel's bots as opponents and teammates, and their moves as ours."""

import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.bots.uniform_random import UniformRandomBot

from sizeup.adapters.open_spiel_bots import open_spiel_player
from sizeup.adapters.open_spiel_game import open_spiel_game
from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.play.replay import replay
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)
CHECKERS = View(checkers)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


def mcts(game, player, seed):
    rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    return pyspiel.MCTSBot(game, rollouts, 2.0, 20, 10, True, seed, False)


def uniform(game, player, seed):
    return pyspiel.make_uniform_random_bot(player, seed)


def python_uniform(game, player, seed):
    return UniformRandomBot(player, np.random.RandomState(seed))


def stateful(game, player, seed):
    return pyspiel.make_stateful_random_bot(game, player, seed)


BOTS = [mcts, uniform, python_uniform, stateful]
FEW = checkers.CheckersParams(most_plies=40)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", ["checkers", "connect-four"])
def test_a_bot_plays_a_whole_game(game, bot):
    record = play(game, [quick("obl:2"), [open_spiel_player(bot)]], seed=5)
    assert record.players == ("obl:2", bot.__name__)
    drawn = bot is mcts and game == "checkers"  # the only one that does not lose by playing on
    assert record.reason == ("40 plies without a capture" if drawn else "the game is over")
    assert len(list(replay(record))) == len(record.moves)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    "game", ["tic_tac_toe", "connect_four", "checkers", "breakthrough", "pig(winscore=20)"]
)
def test_a_bot_plays_a_game_brought_from_openspiel(game, bot):
    brought = open_spiel_game(game)
    for teams in ([["random"], [open_spiel_player(bot)]], [[open_spiel_player(bot)], ["random"]]):
        record = play(brought, teams, seed=5)
        assert bot.__name__ in record.players
        assert record == play(brought, teams, seed=5)
        assert len(list(replay(record, brought))) == len(record.moves)


def test_the_better_bot_wins_a_game_brought_from_openspiel():
    game = open_spiel_game("breakthrough(rows=6,columns=4)")
    for seed in range(2):
        assert play(game, [[open_spiel_player(mcts)], ["random"]], seed=seed).winner == 0
        assert play(game, [["random"], [open_spiel_player(mcts)]], seed=seed).winner == 1


@pytest.mark.slow
def test_bots_sit_with_agents_at_a_game_brought_from_openspiel():
    teams = [[*quick("ca:2@1,2"), open_spiel_player(mcts)], [open_spiel_player(uniform)]]
    record = play(open_spiel_game("breakthrough(rows=6,columns=4)"), teams, seed=3)
    assert record.players == ("ca:2@1,2", "mcts", "uniform")
    assert any(0 in move.seen for move in record.moves if move.player == 1)
    alone = play(open_spiel_game("catch"), [[open_spiel_player(mcts), "random"]], seed=3)
    assert alone.total in (1.0, -1.0)


@pytest.mark.slow
@pytest.mark.parametrize("bot", [mcts, stateful])
@pytest.mark.parametrize("game", ["checkers", "connect-four"])
def test_a_bot_is_a_teammate(game, bot):
    teams = [[*quick("ca:2@1,2"), open_spiel_player(bot)], ["random"]]
    record = play(game, teams, seed=3, params=FEW if game == "checkers" else None)
    assert (record.game, record.players) == (f"{game} 2v1", ("ca:2@1,2", bot.__name__, "random"))
    assert {move.player for move in record.moves} == {0, 1, 2}
    assert any(0 in move.seen for move in record.moves if move.player == 1)


def test_the_seed_decides_and_a_player_can_play_again():
    teams = [["random"], [open_spiel_player(mcts)]]
    first, second, other = (play("checkers", teams, seed=s, params=FEW) for s in (5, 5, 6))
    assert first == second
    assert first.moves != other.moves


@pytest.mark.slow
def test_one_player_takes_seats_of_both_sides():
    bot = open_spiel_player(uniform)
    record = play("checkers", [[bot, "random"], ["random", "random", bot]], seed=2, params=FEW)
    assert record.players == ("uniform", "random", "random", "random", "uniform")
    assert len(record.moves) == 40


def test_a_better_bot_wins():
    """So the bot is asked about the position and the side that it is to play."""

    def deep(game, player, seed):
        rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        return pyspiel.MCTSBot(game, rollouts, 2.0, 200, 10, True, seed, False)

    for seed in range(3):
        assert play("connect-four", [[open_spiel_player(deep)], ["random"]], seed=seed).winner == 0
        assert play("connect-four", [["random"], [open_spiel_player(deep)]], seed=seed).winner == 1


class Chooser:
    """Not a pyspiel.Bot: takes the action of the next number, and notes how many there were."""

    def __init__(self):
        self.numbers, self.counts = [], []

    def step(self, state):
        legal = state.legal_actions()
        self.counts.append(len(legal))
        number = self.numbers[len(self.counts) - 1] if len(self.counts) <= len(self.numbers) else 0
        return np.int64(legal[number])

    def every_move(self, ask):
        """What is answered for each sequence of numbers, like the counter of a lock."""
        self.numbers, answers = [], []
        while True:
            self.counts = []
            answers.append((ask(), len(self.counts)))
            self.numbers += [0] * (len(self.counts) - len(self.numbers))
            while self.numbers and self.numbers[-1] + 1 == self.counts[len(self.numbers) - 1]:
                self.numbers.pop()
            if not self.numbers:
                return answers
            self.numbers[-1] += 1


def generous(state, rng):
    """A random action, of those that offer most pieces to one jump, if not just one."""

    def offered(action):
        after, _ = CHECKERS.apply(state, action)
        most = max((checkers.captured(a).bit_count() for a in CHECKERS.actions(after)), default=0)
        return -1 if most == 1 else most

    return max(rng.permutation(CHECKERS.actions(state)).tolist(), key=offered)


def test_the_moves_that_bots_can_make_are_exactly_ours():
    """Every position of some games, in many of which a bot jumps step by step."""
    rng, bot = np.random.default_rng(9), Chooser()
    player = open_spiel_player(bot)
    steps = []
    for _ in range(3):
        state, quiet = CHECKERS.start(), 0
        while CHECKERS.actions(state) and checkers.adjourned(0, quiet) is None:
            answers = bot.every_move(lambda state=state: player(CHECKERS, state, 0))
            assert {action for action, _ in answers} == set(CHECKERS.actions(state))
            steps.append(max(count for _, count in answers))
            state, reward = CHECKERS.apply(state, generous(state, rng))
            quiet = quiet + 1 if reward == 0 else 0
    assert len(steps) > 100
    assert sum(count > 1 for count in steps) > 20
    assert max(steps) > 2


class Listener(pyspiel.Bot):
    """Follows the game by what it is told, and notes where that is not what it is asked about."""

    def __init__(self):
        super().__init__()
        self.asked, self.lost = 0, 0

    def restart(self):
        self.followed = pyspiel.load_game("checkers").new_initial_state()

    def inform_action(self, state, player, action):
        self.lost += str(state) != str(self.followed) or player != state.current_player()
        self.followed.apply_action(action)

    def step(self, state):
        self.asked += 1
        self.lost += str(state) != str(self.followed)
        action = state.legal_actions()[-1]
        self.followed.apply_action(action)
        return action


def test_a_bot_is_told_of_every_move():
    bot = Listener()
    record = play("checkers", [[open_spiel_player(bot), "random"], "random"], seed=1)
    assert record.players[0] == "Listener"
    assert bot.asked >= sum(move.player == 0 for move in record.moves) > 5
    assert bot.lost == 0


def test_what_players_are_called():
    seeds = []

    def noting(game, player, seed):
        seeds.append((player, seed))
        return uniform(game, player, seed)

    named = open_spiel_player(noting, name="note taker")
    record = play("connect-four", [["random"], [named]], seed=1)
    assert record.players[1] == "note taker"
    assert {player for player, _ in seeds} == {1}
    assert all(0 <= seed < 2**31 for _, seed in seeds)
    assert len(set(seeds)) == len(seeds)
    assert open_spiel_player(lambda game, player, seed: None).__name__ == "bot"
    assert open_spiel_player(Chooser()).__name__ == "Chooser"
    assert open_spiel_player(Listener).__name__ == "Listener"  # a class is a factory


class Stubborn:
    def step(self, state):
        return 511


def test_bad_bots_and_games():
    with pytest.raises(
        InvalidInput, match=r"7 is not a bot; expected an object with a method step"
    ):
        open_spiel_player(7)
    stubborn = open_spiel_player(Stubborn())
    with pytest.raises(InvalidInput, match=r"Stubborn chose 511, which is not legal in OpenSp"):
        play("checkers", [[stubborn], ["random"]])
    with pytest.raises(InvalidInput, match=r"Stubborn chose 511, .* legal are"):
        play(open_spiel_game("tic_tac_toe"), [[stubborn], ["random"]])
    for game, teams in (
        ("wall-of-fire", [[stubborn, "random"]]),
        ("four-in-a-row", [[stubborn], ["random"]]),  # whose states are those of connect four
    ):
        with pytest.raises(
            InvalidInput, match=f"cannot play {game}, only checkers and connect-four"
        ):
            play(game, teams)


def test_a_bot_must_have_seen_the_game():
    state = CHECKERS.state_from_text("B:WK5,18:B1,K30")
    with pytest.raises(InvalidInput, match="uniform cannot tell which moves led to B:WK5,18:B1"):
        open_spiel_player(uniform)(CHECKERS, state, 0)


def test_openspiel_ends_a_game_after_forty_quiet_plies():
    endless = checkers.CheckersParams(most_plies=400, most_quiet_plies=400)
    with pytest.raises(InvalidInput, match="is over here, after 40 plies without a capture"):
        play("checkers", [[open_spiel_player(uniform)], ["random"]], seed=0, params=endless)


def test_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InvalidInput, match=r"pip install 'sizeup\[open-spiel\]'"):
        open_spiel_player(Stubborn())
