"""What people see of a match in a terminal: sentences, bars, boards, replays, their own turn."""

from __future__ import annotations

import math
import re
import sys
import time
import types as python_types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.agents import AgentConfig, read_agent
from sizeup.errors import InvalidInput, SizeupError
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.games.drawing import draw_text
from sizeup.games.scenes import one_line
from sizeup.games.seats import Params as SeatedParams
from sizeup.games.seats import seat
from sizeup.play.match import AgentLike, Player, Table, winner
from sizeup.play.record import Move, Record, Seen

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

__all__ = [
    "HumanPlayer",
    "MatchView",
    "Quit",
    "belief_bars",
    "replay",
    "sentence",
    "view_of",
    "with_person",
]

Beliefs = Mapping[int, Sequence[ArrayLike]]
"""Rows of probabilities, one for each player, by the seat of who believes them."""

_DOES, _WOULD_NOT = 0.05, 0.2  # losses below which, and from which on, words are this plain
_SHOWN = 0.005  # what two decimals, or a whole per cent, can show


# Sentences and bars


def sentence(
    record_or_names: Record | Sequence[str],
    move: Move,
    types: Sequence[int] = (),
    teams: Sequence[int] = (),
) -> str:
    """Say who moved, what, and why beliefs about the mover changed.

    Of several teammates who watched, the one of the strongest type is told about.

    Parameters
    ----------
    record_or_names
        The record, or the players' names by seat.
    move
        A move of the match.
    types, teams
        The types of the match and the team of each player; a record knows them.

    Examples
    --------
    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.INFO.params._replace(most_turns=2)
    >>> record = play(wall_of_fire, ["ca:20+obl:2"], seed=1, params=world)
    >>> sentence(record, record.moves[0])
    'player 0 (ca:20) plays E, reward -2.'
    >>> print(sentence(record, record.moves[1]))
    player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player would not
    (loss 0.50); P(type 2) 50 % -> 99 %.
    """
    if isinstance(record_or_names, Record):
        types, teams = types or record_or_names.types, teams or record_or_names.teams
        record_or_names = record_or_names.players
    what = one_line(move.action) + _reward(move.reward, teams)
    if move.player == CHANCE:
        return f"chance: {what}."
    return f"{_who(record_or_names, move.player)} plays {what}{_why(record_or_names, move, types)}."


def belief_bars(
    probabilities: ArrayLike, types: Sequence[int], width: int = 20, mark: str = "█"
) -> str:
    """One line for each type with a bar as long as the type is likely.

    Parameters
    ----------
    probabilities
        Probability of each type.
    types
        The types.
    width
        Length of the longest bar.
    mark
        What bars are made of.

    Examples
    --------
    >>> print(belief_bars([0.75, 0.25], (2, 20), width=8))
    type 2   ██████    75 %
    type 20  ██        25 %
    """
    odds = np.asarray(probabilities, dtype=np.float64)
    if odds.shape != (len(types),) or not ((odds >= 0) & (odds <= 1)).all():
        raise InvalidInput(
            f"expected a probability for each of the types {tuple(types)}, got {odds.tolist()}"
        )
    digits = max(len(str(c)) for c in types)
    return "\n".join(
        f"type {c:<{digits}}  {mark * round(p * width):<{width}} {_percent(p):>5}"
        for c, p in zip(types, odds.tolist(), strict=True)
    )


def _who(names: Sequence[str], player: int) -> str:
    return f"player {player} ({one_line(names[player])})"


def _reward(reward: float, teams: Sequence[int]) -> str:
    if reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", reward {reward:g}"
    return f", reward {abs(reward):g} to team {int(reward < 0)}"


def _why(names: Sequence[str], move: Move, types: Sequence[int]) -> str:
    """What the move told the strongest teammate, or nothing if it told nobody anything."""
    watching = [player for player in move.seen if player != move.player]
    if not watching:
        return ""
    strongest = max(watching, key=lambda p: (_own_type(names[p]), _change(move.seen[p])))
    seen = move.seen[strongest]
    known = _types_of(names[strongest], types)
    if not len(known) == len(seen.evidence) == len(seen.before) == len(seen.after):
        raise InvalidInput(
            f"player {strongest} considers the types {tuple(known)}; expected a number for each, "
            f"got evidence {seen.evidence} and beliefs {seen.before} and {seen.after}"
        )
    fit = _fit(known, seen)
    if not fit:
        return ""
    holder = f"player {strongest}'s " if len(watching) > 1 else ""
    return f"{fit}; {holder}{_moved(known, seen)}"


def _fit(types: Sequence[int], seen: Seen) -> str:
    """Which types the move fits, which it does not; nothing if that changed no belief."""
    losses = {c: loss for c, loss in zip(types, seen.evidence, strict=True) if loss is not None}
    if not losses or max(losses.values()) - min(losses.values()) < _SHOWN:
        return ", which fits every type alike" if _change(seen) >= _SHOWN else ""
    best, worst = min(losses.values()), max(losses.values())
    likely, unlikely = _players(losses, best), _players(losses, worst)
    if _verb(best) == _verb(worst):
        return f": this fits {likely} better (loss {best:.2f}) than {unlikely} (loss {worst:.2f})"
    return (
        f": {likely} {_verb(best)} (loss {best:.2f}), {unlikely} {_verb(worst)} (loss {worst:.2f})"
    )


def _players(losses: Mapping[int, float], loss: float) -> str:
    alike = [f"type-{c}" for c, value in losses.items() if value == loss or _near(value, loss)]
    return f"a {' or '.join(alike)} player"


def _near(value: float, other: float) -> bool:
    return abs(value - other) < _SHOWN


def _verb(loss: float) -> str:
    if loss < _DOES:
        return "does this"
    return "might" if loss < _WOULD_NOT else "would not"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """How the probability that changed most did so; of two that changed as much, the one gained."""
    changes = np.subtract(seen.after, seen.before)
    if _change(seen) < _SHOWN:
        at = int(np.argmax(seen.after))
        return f"P(type {types[at]}) stays at {_percent(seen.after[at])}"
    at = int(np.argmax(np.abs(changes).round(9) + (changes > 0) * 1e-9))
    return f"P(type {types[at]}) {_percent(seen.before[at])} -> {_percent(seen.after[at])}"


def _change(seen: Seen) -> float:
    return float(np.abs(np.subtract(seen.after, seen.before)).max())


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f} %"


def _config(name: str) -> AgentConfig | None:
    """The agent of this name; None for a player of one's own."""
    try:
        return read_agent(name)
    except InvalidInput:
        return None


def _own_type(name: str) -> int:
    config = _config(name)
    return 0 if config is None else config.own


def _types_of(name: str, types: Sequence[int]) -> Sequence[int]:
    """Types that a player considers: its own list, or those of the match."""
    config = _config(name)
    return types if config is None else config.types or types


# A match on the screen


class MatchView:
    """A match as it is played, or played back: board, what happened, beliefs and score.

    On a terminal the board stays in its place, there is a pause after each move, and what happened
    scrolls by above; anywhere else it is all plain lines. Use it for one match, as ``watch`` of
    :func:`~sizeup.play.play`, in a ``with`` block.

    Parameters
    ----------
    console
        Where to show it; the standard output if None.
    delay
        Seconds between moves on a terminal.
    boards
        Whether the board and beliefs are shown after every move, or only what happened.
    in_place
        Whether the board stays in its place on a terminal that can do that.

    Examples
    --------
    >>> from rich.console import Console
    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.board("SFC", most_turns=2)
    >>> with MatchView(Console(width=80), boards=False) as shown:
    ...     record = play(wall_of_fire, ["obl:2+obl:2"], seed=1, params=world, watch=shown)
    player 0 (obl:2) plays E, reward -2.
    player 1 (obl:2) plays E, reward 100.
    """

    def __init__(
        self,
        console: Console | None = None,
        delay: float = 0.4,
        boards: bool = True,
        in_place: bool = True,
    ) -> None:
        from rich.console import Console

        if not 0 <= delay < math.inf:
            raise InvalidInput(f"a delay is a number of seconds of 0 or more, got {delay!r}")
        self.console = Console(highlight=False) if console is None else console
        self.delay, self.boards = delay, boards
        able = self.console.is_terminal and not self.console.is_dumb_terminal
        self._in_place = boards and in_place and able
        self._mark = "█" if self.console.encoding.startswith("utf") else "#"
        self._live: Live | None = None
        self._board: Text | None = None
        self._score = 0.0

    def __enter__(self) -> MatchView:
        from rich.live import Live

        if self._in_place:
            self._live = Live(console=self.console, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, table: Table, before: Any, move: Move) -> None:
        """Show a move as it is made."""
        adaptive = {p: a for p, a in table.agents.items() if a.config.is_adaptive}
        beliefs = {p: list(agent.probabilities()) for p, agent in adaptive.items()}
        if self._board is None:
            first = {p: list(rows) for p, rows in beliefs.items()}
            for player, seen in move.seen.items():
                first[player][seen.actor] = seen.before
            self._begin(table, before, first)
        self._show(table, before, move, beliefs)

    def play_back(self, record: Record, game: python_types.ModuleType | None = None) -> None:
        """Show a recorded match, after checking all of it; the parameters of :func:`replay`.

        Beliefs are shown as they are recorded: about a player, when it moves.
        """
        steps = list(replay(record, game))
        table = Table(view_of(record, game), (), record.players, record.types)
        beliefs = _first_beliefs(record)
        with self:
            self._begin(table, table.view.start(), beliefs)
            for before, move in steps:
                for player, seen in move.seen.items():
                    beliefs[player][seen.actor] = seen.after
                self._show(table, before, move, beliefs)
        self.end(record)

    def end(self, record: Record) -> None:
        """Say how the match ended, with the last board if it was not shown."""
        if self._board is not None and not self.boards:
            _print_board(self.console, self._board)
        _print_line(self.console, _result(record))

    def _begin(self, table: Table, state: Any, beliefs: Beliefs) -> None:
        self._board = _board(table.view, state)
        if self.boards:
            self._frame(self._bars(table, beliefs))
            self._pause()

    def _show(self, table: Table, before: Any, move: Move, beliefs: Beliefs) -> None:
        view = table.view
        after, _ = view.apply(before, view.action_from_text(before, move.action))
        self._board, self._score = _board(view, after), self._score + move.reward
        _print_line(self.console, sentence(table.names, move, table.types, view.teams))
        if self.boards:
            self._frame([*self._bars(table, beliefs), _score(self._score, view.teams)])
        self._pause()

    def _bars(self, table: Table, beliefs: Beliefs) -> list[str]:
        """Everybody's beliefs about their teammates, line by line."""
        lines: list[str] = []
        for player, rows in beliefs.items():
            known = _types_of(table.names[player], table.types)
            for mate in _teammates(table.view.teams, player):
                lines.append(f"{_who(table.names, player)} about {_who(table.names, mate)}:")
                bars = belief_bars(rows[mate], known, mark=self._mark)
                lines += [f"  {line}" for line in bars.splitlines()]
        return lines

    def _frame(self, told: list[str]) -> None:
        """The board with what is told below it."""
        from rich.console import Group
        from rich.text import Text

        assert self._board is not None
        below = "".join(f"{line}\n" for line in told)
        if self._live is not None:
            self._live.update(Group(self._board, Text(below)), refresh=True)
        else:
            _print_board(self.console, self._board)
            _print_line(self.console, below)

    def _pause(self) -> None:
        if self.console.is_terminal and self.delay:
            time.sleep(self.delay)


def _print_line(console: Console, line: str) -> None:
    """Print text as it is, on lines as long as they are unless a terminal shows them."""
    plain = not console.is_terminal
    console.print(line, markup=False, highlight=False, emoji=False, soft_wrap=plain)


def _print_board(console: Console, board: Text) -> None:
    if console.is_terminal:
        console.print(board)
    else:
        _print_line(console, "\n".join(line.rstrip() for line in board.plain.splitlines()))


def _board(view: View, state: Any) -> Text:
    return draw_text(view.game, state, view.params)


def _teammates(teams: Sequence[int], player: int) -> list[int]:
    return [p for p, team in enumerate(teams) if team == teams[player] and p != player]


def _score(score: float, teams: Sequence[int]) -> str:
    if len(set(teams)) < 2:
        return f"score {score:g}"
    return f"score: team {int(score < 0)} leads by {abs(score):g}" if score else "score: level"


def _result(record: Record) -> str:
    score = _score(record.total, record.teams)
    if len(set(record.teams)) < 2:
        return f"{one_line(record.reason)}; {score}."
    won = "a draw" if record.winner is None else f"team {record.winner} wins"
    return f"{one_line(record.reason)}: {won}; {score}."


# Records played back


def replay(
    record: Record, game: python_types.ModuleType | None = None
) -> Iterator[tuple[Any, Move]]:
    """Every move of a record with the state before it, checked against the rules as it goes.

    Parameters
    ----------
    record
        A match.
    game
        The game's module, if it is not one of ours.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> [move.action for _, move in replay(record)] == [move.action for move in record.moves]
    True
    >>> from dataclasses import replace
    >>> list(replay(replace(record, total=5.0)))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record's total is 5, but its moves are worth -1
    """
    view = view_of(record, game)
    if tuple(record.teams) != tuple(view.teams) or len(record.players) != len(view.teams):
        raise InvalidInput(
            f"the record has players {record.players} in teams {record.teams}, but {record.game} "
            f"has teams {tuple(view.teams)}"
        )
    _first_beliefs(record)
    start = view.state_text(view.start())
    if record.start != start:
        raise InvalidInput(f"the record starts at {record.start!r}, but the game at {start!r}")
    return _steps(record, view)


def _steps(record: Record, view: View) -> Iterator[tuple[Any, Move]]:
    state, total, ply = view.start(), 0.0, 0
    for move in record.moves:
        ply += move.player != CHANCE
        try:
            after = _checked(view, state, move, ply)
            _check_seen(record, move)
        except InvalidInput as error:
            raise InvalidInput(f"ply {ply} of the record: {error}") from None
        yield state, move
        state, total = after, total + move.reward
    _check_end(record, view, state, total)


def _checked(view: View, state: Any, move: Move, ply: int) -> Any:
    """The state after a move that follows the rules."""
    actor = view.actor(state)
    if move.ply != ply:
        raise InvalidInput(f"it is numbered {move.ply}")
    if move.player != actor:
        turn = "chance's" if actor == CHANCE else f"player {actor}'s" if actor >= 0 else "nobody's"
        raise InvalidInput(f"player {move.player} moves, but it is {turn} turn")
    after, reward = view.apply(state, view.action_from_text(state, move.action))
    if not _same(reward, move.reward):
        raise InvalidInput(f"{move.action} is worth {reward:g}, not {move.reward:g}")
    return after


def _check_seen(record: Record, move: Move) -> None:
    """Whoever learnt from a move sits at the table, and learnt about this move."""
    for player, seen in move.seen.items():
        if player not in record.first_beliefs or seen.actor != move.player:
            raise InvalidInput(
                f"player {player} learnt about player {seen.actor}, but player {move.player} moved "
                f"and the players that learn are {sorted(record.first_beliefs)}"
            )
        count = len(_types_of(record.players[player], record.types))
        _check_numbers([0.0 if e is None else e for e in seen.evidence], count, player)
        _check_numbers(seen.before, count, player)
        _check_numbers(seen.after, count, player)


def _check_numbers(numbers: Sequence[Any], count: int, player: int) -> None:
    if len(numbers) != count or not all(isinstance(n, (int, float)) for n in numbers):
        raise InvalidInput(
            f"player {player} considers {count} types; expected a number for each, got "
            f"{list(numbers)}"
        )


def _check_end(record: Record, view: View, state: Any, total: float) -> None:
    if not _same(total, record.total):
        raise InvalidInput(
            f"the record's total is {record.total:g}, but its moves are worth {total:g}"
        )
    over = not view.actions(state)
    if over != (record.reason == "the game is over"):
        after = record.moves[-1].ply if record.moves else 0
        raise InvalidInput(
            f"the record ends after ply {after} with {record.reason!r}, but the game is "
            f"{'over' if over else 'not over'}"
        )
    won = winner(view, state, total)
    if record.winner != won:
        raise InvalidInput(f"the record's winner is {record.winner}, but the moves say {won}")


def _same(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)


def _first_beliefs(record: Record) -> dict[int, list[Any]]:
    """Beliefs before the first move, checked."""
    beliefs: dict[int, list[Any]] = {}
    for player, rows in record.first_beliefs.items():
        seated = player in range(len(record.players))
        count = len(_types_of(record.players[player], record.types)) if seated else 0
        try:
            shape = np.asarray(rows, dtype=np.float64).shape
        except (TypeError, ValueError):
            shape = ()
        if len(shape) != 2 or shape[0] < len(record.players) or shape[1] != count:
            raise InvalidInput(
                f"the record's first beliefs of player {player} are {rows!r}; expected a row of "
                "probabilities for each player"
            )
        beliefs[player] = list(rows)
    return beliefs


def view_of(record: Record, game: python_types.ModuleType | None = None) -> View:
    """The game of a record, with its seats and parameters; the parameters of :func:`replay`.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random+random", "random"], seed=3)
    >>> view_of(record).info.name
    'connect-four 2v1'
    """
    module, sizes = _module_of(record.game, game)
    if sizes is None:
        return View(module, _params_like(module.INFO.params, record.params, "params"))
    seated = SeatedParams(module.INFO.params, *sizes)
    params = _params_like(seated, record.params, "params")
    if params[1:] != sizes:
        raise InvalidInput(
            f"the record is of {record.game}, but its params are for {params[1]}v{params[2]}"
        )
    return View(seat(module, first=sizes[0], second=sizes[1], params=params.base))


def _module_of(
    name: str, game: python_types.ModuleType | None
) -> tuple[python_types.ModuleType, tuple[int, int] | None]:
    """The module of a record's game, and how many sit on each side if the game was seated."""
    if game is not None and game.INFO.name == name:
        return game, None
    match = re.fullmatch(r"(.+) (\d)v(\d)", name)
    plain = match[1] if match else name
    if game is None:
        if plain.replace("-", "_") not in GAMES:
            raise InvalidInput(
                f"{name!r} is not a game of ours; pass the game's module, as in replay(record, "
                "game=my_game) or sizeup replay --game my_game.py"
            )
        game = load_game(plain)
    elif game.INFO.name != plain:
        raise InvalidInput(f"the record is of {name!r}, but the given game is {game.INFO.name!r}")
    return game, (int(match[2]), int(match[3])) if match else None


def _params_like(model: Any, given: Any, where: str) -> Any:
    """Parameters of the kinds that a model has, from plain data."""
    if not isinstance(given, Mapping) or set(given) != set(model._fields):
        held = list(given) if isinstance(given, Mapping) else given
        raise InvalidInput(
            f"the record's {where} hold {held!r}, expected the fields {', '.join(model._fields)}"
        )
    return type(model)(
        *(
            _value_like(value, given[name], f"{where}.{name}")
            for name, value in zip(model._fields, model, strict=True)
        )
    )


def _value_like(model: Any, given: Any, where: str) -> Any:
    if isinstance(model, tuple):
        return _params_like(model, given, where)
    if isinstance(model, np.ndarray):
        return _array_like(model, given, where)
    allowed: tuple[type, ...] = (int, float) if isinstance(model, float) else (type(model),)
    if type(given) not in allowed:
        raise InvalidInput(f"the record's {where} is {given!r}, expected something like {model!r}")
    return type(model)(given)


def _array_like(model: NDArray[Any], given: Any, where: str) -> NDArray[Any]:
    """An array of the model's kind; whole numbers will do where any number does."""
    try:
        array = np.array(given)
    except ValueError:  # rows of unequal length
        array = np.array(None)
    kinds = {"f": "fiu", "i": "iu", "u": "iu"}.get(model.dtype.kind, model.dtype.kind)
    if array.ndim != model.ndim or (array.size and array.dtype.kind not in kinds):
        raise InvalidInput(
            f"the record's {where} is {given!r}, expected a list of {model.dtype} in {model.ndim} "
            "dimension(s)"
        )
    return array.astype(model.dtype)


# A person at the table


class Quit(SizeupError):
    """The person at the table has left the game."""


class HumanPlayer:
    r"""A person in a seat: sees the board and the legal moves, and types one.

    ``?`` lists the moves again; ``quit``, or the end of the input, raises :class:`Quit`.

    Parameters
    ----------
    console
        Where the board is shown; the standard output if None.
    stream
        Where lines are read from; the standard input if None.
    name
        What the record calls the person.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from sizeup.games import connect_four
    >>> person = HumanPlayer(Console(file=io.StringIO()), stream=io.StringIO("z\nd\n"))
    >>> board = View(connect_four)
    >>> person(board, board.start(), seed=0)
    3
    """

    def __init__(
        self, console: Console | None = None, stream: TextIO | None = None, name: str = "person"
    ) -> None:
        from rich.console import Console

        self.console = Console(highlight=False) if console is None else console
        self.stream = stream
        self.__name__ = name  # what a match calls a player that is a function

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Ask until there is a legal move."""
        _print_board(self.console, _board(view, state))
        self._list_moves(view, state)
        while True:
            line = self._line()
            if line.lower() == "quit":
                raise Quit("you have left the game")
            if line == "?":
                self._list_moves(view, state)
                continue
            try:
                return view.action_from_text(state, line)
            except InvalidInput as error:
                _print_line(self.console, str(error))

    def _list_moves(self, view: View, state: Any) -> None:
        texts = [one_line(view.action_text(state, action)) for action in view.actions(state)]
        _print_line(self.console, f"moves: {', '.join(texts)}")

    def _line(self) -> str:
        """One line of input without the space around it."""
        try:
            line = self.console.input(
                "your move (? lists the moves, quit leaves): ", markup=False, stream=self.stream
            )
        except EOFError:
            raise Quit("the input has ended") from None
        if self.stream is not None and not line:  # an empty line still has its end
            raise Quit("the input has ended")
        if not (self.stream or sys.stdin).isatty():
            _print_line(self.console, line.strip())  # as a terminal shows what is typed
        return line.strip()


def with_person(teams: Sequence[str], seat_number: int, person: Player) -> list[list[AgentLike]]:
    """Teams in which a person has somebody's seat.

    Adaptive agents go on considering the type of the agent whose seat is taken.

    Parameters
    ----------
    teams
        Agents as text with ``+`` between them, one text for each team.
    seat_number
        The seat, counted from 0 over all teams.
    person
        Who takes it.

    Examples
    --------
    >>> teams = with_person(["ca:8+obl:2", "obl:4"], 1, HumanPlayer(name="Ada"))
    >>> str(teams[0][0]), teams[0][1].__name__, str(teams[1][0])
    ('ca:8@2,4,8', 'Ada', 'obl:4')
    """
    members = [[read_agent(part) for part in team.split("+")] for team in teams]
    everybody = [agent for team in members for agent in team]
    if seat_number not in range(len(everybody)):
        raise InvalidInput(
            f"there is no seat {seat_number}; the teams have the seats 0 to {len(everybody) - 1}"
        )
    types = tuple(sorted({c for a in everybody if a.model != "random" for c in (a.own, *a.types)}))
    seats: list[AgentLike] = [
        replace(a, types=types) if a.is_adaptive and not a.types else a for a in everybody
    ]
    seats[seat_number] = person
    taken = iter(seats)
    return [[next(taken) for _ in team] for team in members]
