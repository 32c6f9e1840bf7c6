"""A small game written for OpenSpiel: the players hold one rope and have the same interests.

They take turns to wait or to pull. To pull costs all of them 3, and if the one before has pulled
too, all gain 6: whoever looks one move ahead does not begin. With ``slips`` chance decides first
whether the rope is wet, and then nothing is gained.
"""

import pyspiel

WAIT, PULL = 0, 1
TURNS = 6


def kind(name, **changes):
    """What OpenSpiel is told of a game; changes to that of the rope, by the names of values."""
    qualities = {
        "dynamics": "SEQUENTIAL",
        "information": "PERFECT_INFORMATION",
        "chance_mode": "EXPLICIT_STOCHASTIC",
        "utility": "IDENTICAL",
        "reward_model": "REWARDS",
        **changes,
    }
    classes = {
        "dynamics": pyspiel.GameType.Dynamics,
        "information": pyspiel.GameType.Information,
        "chance_mode": pyspiel.GameType.ChanceMode,
        "utility": pyspiel.GameType.Utility,
        "reward_model": pyspiel.GameType.RewardModel,
    }
    return pyspiel.GameType(
        short_name=name,
        long_name=name,
        **{quality: getattr(classes[quality], value) for quality, value in qualities.items()},
        max_num_players=4,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={"players": 2, "slips": False},
    )


KIND = kind("sizeup_rope")


class Rope(pyspiel.Game):
    def __init__(self, params=None, its_kind=KIND):
        params = params or {}
        self.players, self.slips = params.get("players", 2), params.get("slips", False)
        told = pyspiel.GameInfo(
            num_distinct_actions=2,
            max_chance_outcomes=2 if self.slips else 0,
            num_players=self.players,
            min_utility=-3.0 * TURNS,
            max_utility=3.0 * TURNS,
            utility_sum=None,
            max_game_length=TURNS,
        )
        super().__init__(its_kind, told, params)

    def new_initial_state(self):
        return RopeState(self)


class RopeState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.players, self.slips = game.players, game.slips
        self.turn, self.last, self.wet, self.total, self.gained = 0, WAIT, None, 0.0, 0.0

    def current_player(self):
        if self.turn == TURNS:
            return pyspiel.PlayerId.TERMINAL
        if self.slips and self.wet is None:
            return pyspiel.PlayerId.CHANCE
        return self.turn % self.players

    def _legal_actions(self, player):
        return [WAIT, PULL]

    def chance_outcomes(self):
        return [(1, 0.25), (0, 0.75)]  # not in the order of their numbers

    def _apply_action(self, action):
        if self.is_chance_node():
            self.wet = bool(action)
            return
        pays = 6.0 if self.last == PULL and not self.wet else 0.0
        self.gained = pays - 3.0 if action == PULL else 0.0
        self.total += self.gained
        self.last, self.wet = action, None
        self.turn += 1

    def _action_to_string(self, player, action):
        return ("dry", "WET")[action] if player == pyspiel.PlayerId.CHANCE else "pull"

    def is_terminal(self):
        return self.turn == TURNS

    def rewards(self):
        return [self.gained] * self.players

    def returns(self):
        return [self.total] * self.players

    def __str__(self):
        return f"turn {self.turn}\nlast {self.last}"


pyspiel.register_game(KIND, Rope)
