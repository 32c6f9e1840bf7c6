"""The conformance check: whether a module is a game and its rules keep what it declares.

Rules run un-jitted first, where a wrong index or an overflow shows; then each is typed alone, so
that an error names the rule and its line; then jitted and un-jitted play the same random games and
every move is compared. The first problem is raised as :class:`~sizeup.errors.InvalidGame`.
"""

from __future__ import annotations

import inspect
import traceback
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numba
import numpy as np

from sizeup.errors import InvalidGame
from sizeup.games.contract import (
    CHANCE,
    NO_ACTION,
    GameInfo,
    View,
    is_integer,
    misfit,
    total_bounds_of,
)
from sizeup.games.drawing import check_look
from sizeup.games.rng import new_rng
from sizeup.jit import bind, is_jitted, jit_is_off, plain
from sizeup.words import one_line

__all__ = ["CheckReport", "check_game"]

RULES = ("start", "actor", "is_terminal", "legal_actions", "apply", "reward")
MOST_ACTIONS = 1_000_000
OPTIONAL = ("probabilities", "random_action", "evaluate")
FUNCTIONS = {
    "action_text": ("state", "action", "params"),
    "action_from_text": ("state", "text", "params"),
    "state_text": ("state", "params"),
    "state_from_text": ("text", "params"),
    "adjourned": ("plies", "quiet_plies", "params"),
    "total_bounds": ("params",),
    "board": (),
    "with_players": ("params", "players"),
}


@dataclass(frozen=True)
class CheckReport:
    """What a game that passed was put through."""

    name: str
    games: int
    moves: int
    chance_moves: int


def check_game(
    game: types.ModuleType, games: int = 50, most_moves: int = 200, seed: int = 0
) -> CheckReport:
    """Hold a game to the contract; raise :class:`InvalidGame` with the first problem found.

    >>> from sizeup.games import connect_four
    >>> check_game(connect_four, games=5).games
    5
    """
    check = _Check(game)
    check.declarations()
    check.walk(games, most_moves, seed)
    check.types()
    check.compare(games, most_moves, seed)
    check.random_actions(seed)
    check.texts()
    check_look(game, check.visited[:: max(1, len(check.visited) // 40)])
    return CheckReport(game.INFO.name, games, check.moves, check.chance_moves)


def calls(game: types.ModuleType, state: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each rule that a game has, with arguments to call it with in a state."""
    params, most = game.INFO.params, game.INFO.max_actions
    out, lots = np.zeros(most, dtype=np.int64), np.zeros(most)
    for rule, arguments in (
        ("start", (params,)),
        ("actor", (state, params)),
        ("is_terminal", (state, params)),
        ("legal_actions", (state, params, out)),
        ("apply", (state, 0, params)),
        ("reward", (state, 0, state, params)),
        ("probabilities", (state, params, lots)),
        ("random_action", (state, params, new_rng(0), out)),
        ("evaluate", (state, params, -1)),
    ):
        if hasattr(game, rule):
            yield rule, arguments


class _Check:
    """One game under examination; each public method is one stage."""

    def __init__(self, game: types.ModuleType) -> None:
        self.game = game
        self.name = getattr(game, "__name__", "the game")
        self.moves = self.chance_moves = 0
        self.visited: list[Any] = []

    def declarations(self) -> None:
        """Everything is there and of the right kind."""
        self.require(
            hasattr(self.game, "INFO"),
            "INFO is missing: a GameInfo that says its name, teams and more",
        )
        info = self.game.INFO
        self.require(isinstance(info, GameInfo), f"INFO must be a GameInfo, got {info!r}")
        self.info, self.params, teams, most = info, info.params, info.teams, info.max_actions
        named = isinstance(info.name, str) and info.name == one_line(info.name) != ""
        self.require(named, f"INFO.name must be a text of one line, got {info.name!r}")
        self.name = info.name
        known = set(teams) in ({0}, {0, 1})
        self.require(known, f"INFO.teams must be all 0, or 0 and 1; got {teams}")
        self.require(
            is_integer(most) and 0 < most <= MOST_ACTIONS,
            f"INFO.max_actions must be a whole number from 1 to {MOST_ACTIONS:,}, got {most!r}",
        )
        self.require(
            isinstance(info.params, tuple) and hasattr(info.params, "_fields"),
            f"INFO.params must be a NamedTuple, got {info.params!r}",
        )
        for rule in RULES:
            self.require(hasattr(self.game, rule), f"the rule {rule} is missing")
        for name in ("no_move_loses", "shared_turns"):
            value = getattr(info, name)
            self.require(isinstance(value, bool), f"INFO.{name} must be a {bool}, got {value!r}")
            there = hasattr(self.game, name.upper())  # where it was before INFO had it
            self.require(not there, f"{name.upper()} belongs in INFO: GameInfo({name}=...)")
        self.settings()
        self.options()
        for rule in (*RULES, *OPTIONAL):
            value = getattr(self.game, rule, None)
            self.require(
                value is None or is_jitted(value) or jit_is_off(),
                f"{rule} is not jitted: put @jit (from sizeup.jit) above it{_place(value)}",
            )

    def settings(self) -> None:
        """Bounds, and how to search the game: a search would take any of them as they are."""
        info = self.info
        for name in ("action_bounds", "reward_bounds"):
            self.check_range(f"INFO.{name}", getattr(info, name))
        explores, later, scale = info.exploration, info.discount, info.value_scale
        self.require(
            _is_number(explores) and 0 <= explores < np.inf,
            f"INFO.exploration must be a number of 0 or more, got {explores!r}",
        )
        self.require(
            _is_number(later) and 0 < later <= 1,
            f"INFO.discount must be a number above 0 and at most 1, got {later!r}",
        )
        self.require(
            scale in ("raw", "range"), f"INFO.value_scale must be 'raw' or 'range', got {scale!r}"
        )

    def check_range(self, what: str, bounds: Any) -> None:
        """Bounds are two numbers in order."""
        pair = isinstance(bounds, (tuple, list)) and len(bounds) == 2
        self.require(
            pair and all(map(_is_number, bounds)) and bounds[0] <= bounds[1],
            f"{what} must be two numbers, the smaller one first; got {bounds!r}",
        )

    def check_bounds(self, state: Any, bounds: Any, what: str = "INFO.state_bounds") -> None:
        """Bounds of a state are of fields that it has: a misspelt field would have none."""
        if not isinstance(bounds, dict):
            self.check_range(what, bounds)
            return
        fields = getattr(state, "_fields", ())
        for field, limits in bounds.items():
            self.require(
                field in fields, f"{what} has {field!r}; fields are {', '.join(fields) or 'none'}"
            )
            self.check_bounds(getattr(state, field), limits, f"{what}[{field!r}]")

    def options(self) -> None:
        """What a game may offer besides its rules has the arguments that the contract says."""
        for name, arguments in FUNCTIONS.items():
            function = getattr(self.game, name, None)
            if function is None:
                continue
            try:
                inspect.signature(function).bind(*arguments)
            except TypeError as error:
                raise InvalidGame(
                    f"{self.name}: {name} is called with {', '.join(arguments) or 'nothing'}, but "
                    f"{error}{_place(function)}"
                ) from None
        pairs = ("state_text", "state_from_text")
        given = [name for name in pairs if hasattr(self.game, name)]
        self.require(len(given) != 1, f"{' and '.join(pairs)} go together, got only {given}")

    def walk(self, games: int, most_moves: int, seed: int) -> None:
        """Random games with the plain twin of the rules, every promise checked at every state."""
        self.plain = plain(self.game)
        self.out = np.zeros(self.info.max_actions, dtype=np.int64)
        self.lots = np.zeros(self.info.max_actions)
        rng = np.random.default_rng(seed)
        frozen_params = _snapshot(self.params)
        state = self.call("start", self.params)
        self.check_is_state(state, "start")
        self.check_bounds(state, self.info.state_bounds)
        for _ in range(games):
            self.walk_once(most_moves, rng)
        if _snapshot(self.params) != frozen_params:
            self.fail(
                "a rule writes to params; they are shared by all games and must stay as they are"
            )

    def walk_once(self, most_moves: int, rng: np.random.Generator) -> None:
        """One random game, and what it pays until it is over or the match is adjourned."""
        state, total, plies, quiet, reason = self.call("start", self.params), 0.0, 0, 0, None
        self.check_state(state, "start")
        for _ in range(most_moves):
            actions = self.check_actions(state)
            self.visited.append(state)
            if not actions:
                self.check_total(total)
                return
            is_chance = self.call("actor", state, self.params) == CHANCE
            state, reward = self.check_move(state, actions, rng)
            if reason is None:  # afterwards it pays nothing, and is only looked at
                total += reward
                plies += not is_chance
                quiet = quiet if is_chance else quiet + 1 if reward == 0 else 0
                reason = self.adjourned(plies, quiet)
                if reason is not None:
                    self.check_total(total)

    def adjourned(self, plies: int, quiet: int) -> str | None:
        """Why a match ends here, if it does."""
        if not hasattr(self.game, "adjourned"):
            return None
        reason: str | None = self.call("adjourned", plies, quiet, self.params)
        return reason

    def check_total(self, total: float) -> None:
        """What a match has paid when it ends is what the game says that one can pay."""
        bounds = total_bounds_of(self.game, self.params)
        if bounds is not None and not bounds[0] - 1e-9 <= total <= bounds[1] + 1e-9:
            self.fail(f"a match has paid {total:g}, outside total_bounds {bounds}")

    def check_actions(self, state: Any) -> list[int]:
        """Legal actions of a state, with all that must hold of them."""
        actions = self.legal(state)
        if self.legal(type(state)(*state)) != actions:
            self.fail(
                f"legal_actions changes from one call to the next in {state}: rules may depend on "
                "the state and params only"
            )
        if len(set(actions)) != len(actions):
            self.fail(f"legal_actions lists an action twice in {state}")
        low, high = self.info.action_bounds
        for action in actions:
            if not low <= action <= high:
                self.fail(f"action {action} in {state} is outside INFO.action_bounds {(low, high)}")
        if self.call("is_terminal", state, self.params):
            self.require(not actions, f"{state} is terminal but has legal actions {actions[:5]}")
            return []
        self.check_actor(state, actions)
        return actions

    def legal(self, state: Any) -> list[int]:
        room = len(self.out)
        count = self.call("legal_actions", state, self.params, self.out)
        if not (is_integer(count) and 0 <= count <= room):
            self.fail(
                f"legal_actions returned {count!r} in {state}, expected a count from 0 to "
                f"INFO.max_actions ({room})"
            )
        return self.out[:count].tolist()

    def check_actor(self, state: Any, actions: list[int]) -> None:
        actor = self.call("actor", state, self.params)
        self.require(
            is_integer(actor) and CHANCE <= actor < self.info.players,
            f"actor returned {actor!r} in {state}, expected a player from 0 to "
            f"{self.info.players - 1} or CHANCE ({CHANCE})",
        )
        if actor != CHANCE or not actions:
            return
        if not hasattr(self.game, "probabilities"):
            self.fail(f"chance moves in {state} but there is no rule probabilities")
        self.lots[:] = np.nan
        self.call("probabilities", state, self.params, self.lots)
        given = self.lots[: len(actions)]
        self.require(
            bool((given >= 0).all()) and abs(given.sum() - 1.0) < 1e-9,
            f"the probabilities in {state} are {given.tolist()}, expected {len(actions)} numbers "
            "of 0 or more that sum to 1",
        )

    def check_move(
        self, state: Any, actions: list[int], rng: np.random.Generator
    ) -> tuple[Any, float]:
        chance = self.call("actor", state, self.params) == CHANCE
        weights = self.lots[: len(actions)].copy() if chance else None
        action = actions[int(rng.choice(len(actions), p=weights))]
        after = self.call("apply", state, action, self.params)
        self.check_state(after, f"apply({state}, {action})")
        reward = self.call("reward", state, action, after, self.params)
        low, high = self.info.reward_bounds
        self.require(
            isinstance(reward, (int, float, np.number)) and low <= reward <= high,
            f"reward({state}, {action}) is {reward!r}, outside INFO.reward_bounds {(low, high)}",
        )
        self.moves += not chance
        self.chance_moves += chance
        return after, float(reward)

    def check_is_state(self, state: Any, made_by: str) -> None:
        is_state = isinstance(state, tuple) and hasattr(state, "_fields")
        self.require(is_state, f"{made_by} gave {state!r}, expected a state, a NamedTuple")

    def check_state(self, state: Any, made_by: str) -> None:
        self.check_is_state(state, made_by)
        if problem := misfit(state, self.info.state_bounds):
            self.fail(f"{made_by} gave {problem}")

    def call(self, rule: str, *arguments: Any) -> Any:
        """Call a plain rule; what it raises is told with the user's file and line."""
        try:
            with np.errstate(over="ignore"):
                return getattr(self.plain, rule)(*arguments)
        except (Exception, SystemExit) as error:
            raise InvalidGame(
                f"{self.name}: {rule}{arguments[:2]!r} failed at {_told(error)}"
            ) from None

    def types(self) -> None:
        """Each rule alone compiles, and gives back what the contract says."""
        for rule, arguments in calls(self.game, self.visited[0]):
            if is_jitted(getattr(self.game, rule)):
                self._compile(rule, tuple(map(_type_of, arguments)))

    def _compile(self, rule: str, signature: tuple[Any, ...]) -> None:
        function = getattr(self.game, rule)
        try:
            function.compile(signature)
        except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
            raise InvalidGame(
                f"{self.name}: the rule {rule} does not compile{_place(function)}: "
                f"{_gist(str(error))}"
            ) from None
        given = function.overloads[signature].signature.return_type
        wanted = _type_of(self.visited[0])
        self.require(
            rule not in ("start", "apply") or given == wanted,
            f"the rule {rule} gives {given} when compiled, expected {wanted}{_place(function)}",
        )

    def compare(self, games: int, most_moves: int, seed: int) -> None:
        """Jitted and un-jitted rules agree at every move of the same random games."""
        jitted = bind("sizeup.games.steps", self.game)
        rng = np.random.default_rng(seed)
        out = np.zeros_like(self.out)
        for _ in range(games):
            state = self.call("start", self.params)
            self.same("start", (), state, jitted.start(self.params))
            for _ in range(most_moves):
                actions = self.check_actions(state)
                count = jitted.legal_actions(state, self.params, out)
                self.same("legal_actions", state, self.legal(state), out[:count].tolist())
                over = bool(self.call("is_terminal", state, self.params))
                self.same("is_terminal", state, over, bool(jitted.is_terminal(state, self.params)))
                if not actions:
                    break
                state = self._compare_move(jitted, state, actions, rng)

    def _compare_move(
        self, jitted: Any, state: Any, actions: list[int], rng: np.random.Generator
    ) -> Any:
        actor = self.call("actor", state, self.params)
        self.same("actor", state, actor, jitted.actor(state, self.params))
        action = actions[int(rng.integers(len(actions)))]
        after = self.call("apply", state, action, self.params)
        reward = self.call("reward", state, action, after, self.params)
        fast_after, fast_reward = jitted.step(state, action, self.params)
        self.same("apply", (state, action), after, fast_after)
        self.same("reward", (state, action), float(reward), float(fast_reward))
        return after

    def same(self, rule: str, given: Any, slow: Any, fast: Any) -> None:
        self.require(
            slow == fast,
            f"{rule}{given!r} is {slow!r} un-jitted but {fast!r} jitted; look for numbers beyond "
            "64 bits, or an index out of range",
        )

    def random_actions(self, seed: int) -> None:
        """``random_action`` is legal and uniform (a chi-square test over many draws)."""
        if not hasattr(self.game, "random_action"):
            return
        jitted = bind("sizeup.games.steps", self.game)
        rng, scratch = new_rng(seed), np.zeros_like(self.out)
        for state in self.visited[:: max(1, len(self.visited) // 20)]:
            legal = self.legal(state)
            draws = 60 * max(1, len(legal))
            drawn = [jitted.random_action(state, self.params, rng, scratch) for _ in range(draws)]
            expected = set(legal) or {NO_ACTION}
            if wrong := set(drawn) - expected:
                self.fail(f"random_action gave {wrong} in {state}, expected one of {expected}")
            counts = np.array([drawn.count(action) for action in expected])
            surprise = float(((counts - draws / len(counts)) ** 2).sum() / (draws / len(counts)))
            limit = len(counts) + 6 * np.sqrt(2 * len(counts)) + 12  # far in the tail
            if surprise > limit:
                found = f"{counts.tolist()} draws of {expected}"
                self.fail(f"random_action is not uniform in {state}: {found}")

    def texts(self) -> None:
        """What is written of states and actions reads back as what it was."""
        view = View(self.game)
        for state in self.visited[:: max(1, len(self.visited) // 40)]:
            try:
                self._read_back(view, state)
            except InvalidGame:
                raise
            except (Exception, SystemExit) as error:
                raise InvalidGame(
                    f"{self.name}: {state} or its actions cannot be written as text and read back: "
                    f"{_told(error)}"
                ) from None

    def _read_back(self, view: View, state: Any) -> None:
        text = view.state_text(state)
        if "\n" in text:
            self.fail(f"state_text({state}) is {text!r}, expected a text of one line")
        again = view.state_from_text(text)
        self.require(again == state, f"state_text({state}) is {text!r}, which reads as {again}")
        written: dict[str, int] = {}
        for action in view.actions(state):
            text, what = view.action_text(state, action), f"action_text({state}, {action})"
            self.require(
                text == one_line(text),
                f"{what} is {text!r}, expected a text of one line with single spaces between words",
            )
            if text in written:
                self.fail(f"{what} is {text!r}, expected a text that no other action has here")
            written[text] = action
        for text, action in written.items():
            found = view.action_from_text(state, text)
            if found != action:
                self.fail(f"action_text({state}, {action}) is {text!r}, which reads as {found}")

    def require(self, condition: bool, problem: str) -> None:
        if not condition:
            self.fail(problem)

    def fail(self, problem: str) -> NoReturn:
        raise InvalidGame(f"{self.name}: {problem}")


def _told(error: BaseException) -> str:
    """Return where an error was raised, and what it says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}: {type(error).__name__}: {error}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _snapshot(params: Any) -> Any:
    """Copy of parameters that can be compared, arrays included."""
    if isinstance(params, tuple):
        return tuple(_snapshot(value) for value in params)
    return params.tobytes() if isinstance(params, np.ndarray) else params


def _type_of(value: Any) -> Any:
    """Numba's type of a value."""
    return numba.typeof(value)  # type: ignore[no-untyped-call]  # Numba has no types


def _place(function: Any) -> str:
    """Return " (file:line)" of a rule, if it has one."""
    source = getattr(function, "py_func", function)
    try:
        return f" ({inspect.getsourcefile(source)}:{inspect.getsourcelines(source)[1]})"
    except (TypeError, OSError):
        return ""


def _gist(message: str) -> str:
    """Return the lines of a Numba error that say something, as one."""
    if "NRT required" in message:
        return "rules cannot make arrays, lists or strings; write to the buffer they are given"
    lines = [line.strip() for line in message.splitlines()]
    where = next((line for line in lines if line.startswith("File ")), "")
    noise = ("Failed in", "During:", "File ", "-", "<source", "^", "This error")
    useful = [line for line in lines if line and not line.startswith(noise)]
    return " ".join([*useful[:2], where]).strip()
