"""A table: a game with somebody in every seat."""

from __future__ import annotations

import inspect
import json
import types as python_types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from sizeup.agents import Agent, AgentConfig, Outsider, Player, PluginAgent, Seated, read_agent
from sizeup.agents.engine import MakeSearcher
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.games.contract import View, load_game, params_of
from sizeup.games.seats import seat, seated_params, teams_to_seat, with_players
from sizeup.search import Searcher

__all__ = ["AgentLike", "GameLike", "Table", "members_of", "seated_view", "set_table"]

AgentLike: TypeAlias = str | AgentConfig | Player
GameLike: TypeAlias = str | python_types.ModuleType | View


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A game with somebody in every seat.

    ``observer`` watches in silence from the seat of a player that does not learn, if anybody does.
    ``carried`` are beliefs from earlier games that agents, by seat, came with.
    """

    view: View
    seats: tuple[Seated, ...]
    types: tuple[int, ...]
    observer: Agent | None = None
    carried: Mapping[int, Beliefs] | None = None

    def __repr__(self) -> str:
        return f"<Table of {self.view.info.name}: {', '.join(self.names)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """What a record calls the players."""
        return tuple(seated.name for seated in self.seats)

    @property
    def teams(self) -> Sequence[int]:
        """Team of each player."""
        return self.view.teams

    def types_of(self, seat: int) -> tuple[int, ...]:
        """The types that whoever watches from a seat considers."""
        return tuple(self.watchers.get(seat, self.seats[seat]).types)

    def depth_of(self, seat: int) -> int:
        """The capability type of the player in a seat; 0 if it has none."""
        config = self.seats[seat].config
        return 0 if config is None else config.depth or 0

    @property
    def agents(self) -> dict[int, Seated]:
        """Agents by seat: all but people and functions."""
        return {p: seated for p, seated in enumerate(self.seats) if seated.config is not None}

    @property
    def watchers(self) -> dict[int, Seated]:
        """Whoever keeps beliefs that move, by seat; the observer in the seat it watches from."""
        found: dict[int, Seated] = {p: s for p, s in enumerate(self.seats) if s.is_adaptive}
        if self.observer is not None:
            found[self.observer.player] = self.observer
        return found

    @property
    def beliefs(self) -> dict[int, Beliefs]:
        """What adaptive agents believe by now, by seat, to be carried to the next match."""
        seats = enumerate(self.seats)
        return {p: s.beliefs for p, s in seats if s.is_adaptive and s.beliefs is not None}


def set_table(
    game: GameLike,
    teams: Sequence[str | Sequence[AgentLike]],
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    searcher: MakeSearcher = Searcher,
    observer: tuple[int, AgentConfig] | None = None,
    types: Sequence[int] = (),
) -> Table:
    """Seat teams at a game.

    Parameters
    ----------
    game
        A name, a module, or a view. A game of two sides, or of one whose players merely take
        turns, gets as many seats as the teams need (:mod:`sizeup.games.seats`).
    teams
        One entry for each team: agents as text with ``+`` between them (``"ca:8+obl:2"``), or a
        list of texts, configurations and functions.
    params, beliefs
        Parameters of the game, if not its own; what agents, by seat, believe from earlier games.
    searcher
        Makes what agents search with, if that is to be shared or stopped.
    observer, types
        A seat and an agent that watches from there in silence; types besides those of the agents.

    Examples
    --------
    >>> set_table("checkers", ["ca:8+obl:2", "obl:4"])
    <Table of checkers 2v1: ca:8, obl:2, obl:4>
    """
    members = members_of(teams)
    view = seated_view(game, [len(team) for team in members], params)
    order = {team: iter(team_members) for team, team_members in enumerate(members)}
    everybody = [next(order[team]) for team in view.teams]  # seats of two teams may take turns
    configs = {p: c for p, c in enumerate(everybody) if isinstance(c, AgentConfig)}
    truth = {p: c.own for p, c in configs.items() if not c.untyped}
    known = {*truth.values(), *types, *(t for c in configs.values() for t in c.types)}
    all_types, held = tuple(sorted(known)), beliefs or {}
    if not isinstance(held, Mapping):
        raise InvalidInput(f"beliefs are by seat, such as {{0: beliefs}}, got {held!r}")
    for player, believed in held.items():
        _require_believer(player, everybody)
        if not isinstance(believed, Beliefs):
            raise InvalidInput(f"expected the Beliefs of seat {player}, got {believed!r}")
    seats = tuple(
        sit_down(who, view, p, all_types, truth, held.get(p), searcher)
        for p, who in enumerate(everybody)
    )
    watching = observer and _observer(observer, seats, view, all_types, searcher)
    return Table(view, seats, all_types, watching or None, held)


def sit_down(
    who: AgentConfig | Player, view: View, player: int, types: tuple[int, ...] = (),
    truth: Mapping[int, int] | None = None, beliefs: Beliefs | None = None,
    searcher: MakeSearcher = Searcher,
) -> Seated:  # fmt: skip
    """Whoever plays, in a seat; the parameters are those of :class:`~sizeup.agents.Agent`."""
    if not isinstance(who, AgentConfig):
        return Outsider(who, view)
    if who.model == "plugin":
        return PluginAgent(who, view, player, types, searcher)
    return Agent(who, view, player, types, truth, beliefs=beliefs, searcher=searcher)


def _require_believer(player: int, everybody: Sequence[AgentConfig | Player]) -> None:
    """Beliefs are for an agent of ours: nobody else would know what to do with them."""
    if player not in range(len(everybody)):
        raise InvalidInput(
            f"there are beliefs for seat {player}, but seats are 0 to {len(everybody) - 1}"
        )
    who = everybody[player]
    if not isinstance(who, AgentConfig) or who.model == "plugin":
        name = getattr(who, "__name__", who)
        raise InvalidInput(
            f"there are beliefs for {name} in seat {player}, which cannot be given any"
        )


def _observer(
    observer: tuple[int, AgentConfig],
    seats: Sequence[Seated],
    view: View,
    types: tuple[int, ...],
    searcher: MakeSearcher,
) -> Agent:
    player, config = observer
    if player not in range(len(view.teams)):
        raise InvalidInput(
            f"there is no seat {player} to watch from; seats are 0 to {len(view.teams) - 1}"
        )
    if seats[player].is_adaptive:
        raise InvalidInput(
            f"{seats[player].name} in seat {player} keeps beliefs of its own: nobody else can "
            "watch from there"
        )
    return Agent(config, view, player, tuple(sorted({*types, config.own})), searcher=searcher)


def members_of(
    teams: Sequence[str | Sequence[AgentLike]], named: Mapping[str, Player] | None = None
) -> list[list[AgentConfig | Player]]:
    """Teams as lists of agents and functions; ``named`` are functions that a text may name.

    >>> [[str(member) for member in team] for team in members_of(["ca:8+obl:2", ["obl:4"]])]
    [['ca:8', 'obl:2'], ['obl:4']]
    """
    if isinstance(teams, str) or not isinstance(teams, Sequence):
        raise InvalidInput(
            f"teams is a list with an entry for each team, such as ['ca:8+obl:2', 'obl:4']; got "
            f"{teams!r}"
        )
    return [_members(team, named or {}) for team in teams]


def _members(
    team: str | Sequence[AgentLike], named: Mapping[str, Player]
) -> list[AgentConfig | Player]:
    parts: Sequence[AgentLike] = team.split("+") if isinstance(team, str) else team
    if not isinstance(parts, Sequence):
        raise InvalidInput(f"a team is a text like ca:8+obl:2 or a list of members, got {team!r}")
    if not parts:
        raise InvalidInput("a team needs a member, such as obl:2")
    return [_member(part, named) for part in parts]


def _member(part: AgentLike, named: Mapping[str, Player]) -> AgentConfig | Player:
    player = (named.get(part.strip()) or read_agent(part)) if isinstance(part, str) else part
    if not isinstance(player, AgentConfig):
        _require_player_function(player)
    return player


def _require_player_function(player: Any) -> None:
    if not callable(player):
        raise InvalidInput(f"{player!r} is not a player; expected a text like ca:8 or a function")
    try:
        inspect.signature(player).bind(None, None, 0)
    except TypeError as error:
        name = getattr(player, "__name__", type(player).__name__)
        raise InvalidInput(
            f"{name} cannot play: a player is called with (view, state, seed) and returns a legal "
            f"action; {error}"
        ) from None
    except ValueError:  # a function whose signature Python cannot tell
        return


def seated_view(game: GameLike, sizes: Sequence[int], params: Any = None) -> View:
    """A game with a seat for every member of teams of these sizes.

    >>> seated_view("checkers", [2, 1]).info.name
    'checkers 2v1'
    """
    if isinstance(game, View):
        game, params = game.game, game.params if params is None else params
    module = load_game(game) if isinstance(game, str) else game
    _require_params(module, params)
    name, teams, sides = module.INFO.name, module.INFO.teams, teams_to_seat(module)
    wanted = [teams.count(team) for team in sorted(set(teams))]
    if list(sizes) == wanted and not module.INFO.drawn_turns:
        return View(module, None if params is None else with_players(module, params, sizes[0]))
    if sizes and len(sizes) == sides:
        first, second = (*sizes, 0)[:2]
        own = None if params is None else seated_params(module, first, second, params)
        return View(seat(module, first=first, second=second), own)
    if sides:
        raise InvalidInput(
            f"{name} needs {sides} team{'s' * (sides > 1)} of 1 to 4 players, got {len(sizes)}: "
            f"for example {' and '.join(['obl:2+obl:4', 'obl:2'][:sides])}"
        )
    described = " against ".join(map(str, wanted))
    given = " against ".join(map(str, sizes)) or "nobody"
    raise InvalidInput(
        f"{name} needs teams of {described}, got teams of {given}: for example "
        f"{' and '.join('+'.join(['obl:2'] * size) for size in wanted)}"
    )


def arena(game: str, params: Mapping[str, Any], sizes: Sequence[int]) -> View:
    """A game with parameters by name and a seat for every member; equal questions share a game."""
    view = View(*_arena(game, json.dumps(params, sort_keys=True), tuple(sizes)))
    _PLACES[id(view.game), id(view.params)] = (view, (game, params, tuple(sizes)))
    return view


_PLACES: dict[tuple[int, int], tuple[View, tuple[str, Mapping[str, Any], tuple[int, ...]]]] = {}


def arena_of(view: View) -> tuple[str, Mapping[str, Any], tuple[int, ...]]:
    """What :func:`arena` was asked for when it gave a view, for another process to ask again."""
    return _PLACES[id(view.game), id(view.params)][1]


@lru_cache(maxsize=64)  # who searches a game keeps its tree as long as its parameters are the same
def _arena(game: str, params: str, sizes: tuple[int, ...]) -> tuple[python_types.ModuleType, Any]:
    module, given = load_game(game), json.loads(params)
    view = seated_view(module, sizes, params_of(module, given) if given else None)
    return view.game, view.params


def _require_params(module: python_types.ModuleType, params: Any) -> None:
    fields = module.INFO.params._fields
    fits = isinstance(params, tuple) and getattr(params, "_fields", None) == fields
    if params is not None and not fits:
        raise InvalidInput(
            f"params of {module.INFO.name} are a {type(module.INFO.params).__name__} with "
            f"{', '.join(fields)}, got {type(params).__name__}; "
            f"sizeup.params_of(game, {{...}}) makes one from names and values"
        )
