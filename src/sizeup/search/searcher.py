"""A searcher: one tree's memory, used for search after search of one game."""

from __future__ import annotations

import math
import threading
import types as python_types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.capability.arrays import as_floats
from sizeup.device import Cpu, Gpu, chosen
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games.contract import CHANCE, TERMINAL, View, is_integer, load_game
from sizeup.jit import bind
from sizeup.search.options import SearchOptions
from sizeup.search.result import SearchResult, snapshot, table_of
from sizeup.search.schedule import depths_of, phases, slots_of_mates
from sizeup.search.tree import Setting, Shape, allocate, bytes_per_node

_CHUNK = 4096  # iterations between two looks at what Python has to say, such as Ctrl-C
_RULES = {"mean": 0, "visits": 1, "ucb": 2, "replicas": 3}
_COPIES = {"all": 2**31 - 1, "some": 16, "values": 1, "none": 0}  # visits kept, at most
_ROOT = 0
_DEEPEST = 1_000_000  # plies: more than any game has
_CHANCE_ROOM = 64  # moves of chance that a line of play may hold beyond one for each step

BeliefsLike: TypeAlias = Mapping[int, ArrayLike] | Sequence[ArrayLike] | NDArray[np.float64]
"""Probabilities of each type, for each teammate: a mapping, or one row for every player."""


class Cancel:
    """A flag that stops a running search from another thread.

    >>> cancel = Cancel()
    >>> cancel.is_set
    False
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int64)

    def set(self) -> None:
        """Stop the search that was given this flag; its result says that it is not complete."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether the search is to stop."""
        return bool(self.flag[0])


class Ask(NamedTuple):
    """A search to be made, checked: for whom, of which rank, and what teammates are expected to do.

    The arrays are those of :class:`~sizeup.search.tree.Setting`.
    """

    state: Any
    player: int
    rank: int
    seed: int
    signs: NDArray[np.float64]
    modelled: NDArray[np.int64]
    odds: NDArray[np.float64]

    def words(self) -> NDArray[np.uint64]:
        """First states of the two generators."""
        words = np.random.SeedSequence(self.seed).generate_state(2, np.uint64)
        return np.asarray(words, dtype=np.uint64)


class Searcher:
    """Progressive, depth-bounded, capability-aware tree search of one game.

    One searcher runs one search at a time, and releases the GIL while it does; use one for each
    thread. The same seed gives the same result in any process, thread or order.

    Parameters
    ----------
    game
        A module of the contract, or a :class:`~sizeup.games.contract.View` for other parameters.
    types
        The capability types, weakest first: depths (or numbers of iterations, see
        :class:`SearchOptions`).
    options
        How to search.

    Examples
    --------
    The first side has three in a column and moves:

    >>> from sizeup.games import connect_four
    >>> searcher = Searcher(connect_four, types=(1, 4))
    >>> view = searcher.view
    >>> state = view.state_from_text("......./......./......./x....../xo...../xo..o.. x")
    >>> result = searcher.search(state, seed=1)
    >>> view.action_text(state, result.action)
    'a'
    >>> result.types, result.shares.argmax(axis=1)
    ((1, 4), array([0, 0]))
    """

    def __init__(
        self,
        game: python_types.ModuleType | View,
        types: Iterable[int],
        options: SearchOptions | None = None,
    ) -> None:
        self.view = game if isinstance(game, View) else View(game)
        self.types = _checked_types(types)
        self.options = SearchOptions() if options is None else options
        self.depths = depths_of(self.types, self.options)
        if max(self.depths) > _DEEPEST:
            raise InvalidInput(f"a search looks at most {_DEEPEST:,} ahead, got {max(self.depths)}")
        self._mate_slots, self._slots = slots_of_mates(self.depths, self.options)
        self._kernel = bind("sizeup.search.kernel", self.view.game)
        info = self.view.info
        if self.options.max_nodes <= info.max_actions:
            raise InvalidInput(
                f"SearchOptions.max_nodes must be above the {info.max_actions} actions that a "
                f"state of {info.name} can have, got {self.options.max_nodes}"
            )
        # A teammate's own search starts somewhere along the line and goes as deep again.
        longest = 2 * (2 * max(self.depths) + _CHANCE_ROOM)
        self.shape = Shape(self._slots, info.players, info.max_actions, longest)
        self._tree, self._work = allocate(self.options.max_nodes, *self.shape)
        self.always = self._first_setting()
        self._busy = threading.Lock()
        self._batches: dict[tuple[str, int | None], Any] = {}  # for many searches on a GPU

    def __repr__(self) -> str:
        return f"<Searcher of {self.view.info.name}: types {self.types}>"

    @property
    def memory(self) -> int:
        """Bytes the tree can take; what a search does not touch is never given by the system."""
        return self.options.max_nodes * bytes_per_node(self._slots)

    def search(
        self,
        state: Any,
        own: int | None = None,
        beliefs: BeliefsLike | None = None,
        *,
        minimise: bool = False,
        seed: int = 0,
        seconds: float | None = None,
        cancel: Cancel | None = None,
        keep_tree: bool = False,
    ) -> SearchResult:
        """Plan for the player who acts in ``state``.

        Parameters
        ----------
        state
            A state in which a player acts.
        own
            Type that searches; the strongest, if not given.
        beliefs
            Probabilities of each type for the teammates. Without, they count as equals: the
            oblivious search.
        minimise
            Expect the worst of every teammate.
        seed
            Any integer.
        seconds
            Stop after so much time. What is found then depends on the machine and its load: for
            people who wait, not for experiments.
        cancel
            A flag to stop the search from another thread.
        keep_tree
            Keep a copy of the tree with the result, for its explanations.
        """
        ask = self.ask(state, own, beliefs, minimise=minimise, seed=seed)
        return self.answer(ask, seconds=seconds, cancel=cancel, keep_tree=keep_tree)

    def answer(
        self, ask: Ask, *, seconds: float | None = None, cancel: Cancel | None = None,
        keep_tree: bool = False,
    ) -> SearchResult:  # fmt: skip
        """Make a search that was asked for; the parameters are those of :meth:`search`."""
        if not self._busy.acquire(blocking=False):
            raise InvalidInput("this searcher is searching already; use one for each thread")
        try:
            self._reset(ask)
            cancel = Cancel() if cancel is None else cancel
            timer = _timer(seconds, cancel)
            try:
                with np.errstate(over="ignore"):  # un-jitted, the generator's wrapping is told
                    done = self._run(ask, cancel)
            finally:
                if timer is not None:
                    timer.cancel()
            found = table_of(self._tree, ask.rank + 1, self._work.rng)
            return SearchResult.read(
                self.view, ask.state, ask.player, self.types[: ask.rank + 1], found,
                iterations=done, complete=not cancel.is_set, seed=ask.seed,
                tree=snapshot(self._tree, ask.rank + 1) if keep_tree else None,
            )  # fmt: skip
        finally:
            self._busy.release()

    def ask(
        self, state: Any, own: int | None = None, beliefs: BeliefsLike | None = None,
        *, minimise: bool = False, seed: int = 0,
    ) -> Ask:  # fmt: skip
        """Check what is asked of a search; the parameters are those of :meth:`search`."""
        rank, player = self._rank(own), self._player(state)
        believed = _read_beliefs(beliefs, player, self.view.teams, self.types, rank)
        if not is_integer(seed) or seed < 0:
            raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
        always, teams = self.always, self.view.info.teams
        signs, modelled, odds = always.signs, always.modelled, always.odds
        if minimise:
            mates = [p for p, team in enumerate(teams) if team == teams[player] and p != player]
            signs = signs.copy()
            signs[mates] *= -1.0
        if believed:
            modelled = np.array([p in believed for p in range(len(teams))], dtype=np.int64)
            odds = _odds_of(believed, len(self.types), len(teams), self.options)
        return Ask(state, player, rank, int(seed), signs, modelled, odds)

    def choices(
        self,
        state: Any,
        seeds: Sequence[int],
        own: int | None = None,
        beliefs: BeliefsLike | None = None,
        cancel: Cancel | None = None,
    ) -> NDArray[np.float64]:
        """``(types, actions)`` in how many searches, one for each seed, a type plays an action.

        Types are those up to ``own``, each at its stopping point of the search; actions that a type
        visited as often as each other share a search. The parameters are those of :meth:`search`.

        >>> from sizeup.games import connect_four
        >>> searcher = Searcher(connect_four, types=(1, 4))
        >>> view = searcher.view
        >>> state = view.state_from_text("......./......./......./x....../xo...../xo..o.. x")
        >>> searcher.choices(state, seeds=range(3))[:, 0]
        array([3., 3.])
        """
        counts = np.zeros((self._rank(own) + 1, len(self.view.actions(state))))
        for seed in seeds:
            found = self.search(state, own, beliefs, seed=seed, cancel=cancel)
            if not found.complete:
                break
            counts += found.choices
        return counts

    def search_many(
        self, asks: Sequence[Ask], device: str = "cpu", memory: int | None = None
    ) -> list[SearchResult]:
        """Make many searches that were asked for with :meth:`ask`, in the order of the asking.

        Parameters
        ----------
        asks
            The searches.
        device
            Where to make them: ``"cpu"``, ``"cuda"`` (a GPU, all at once) or ``"auto"``. What they
            find is the same.
        memory
            Bytes for all the trees together on a GPU; most of what is free, if not given.

        Examples
        --------
        >>> from sizeup.games import connect_four
        >>> searcher = Searcher(connect_four, types=(1, 4))
        >>> asks = [searcher.ask(searcher.view.start(), seed=seed) for seed in range(3)]
        >>> [found.seed for found in searcher.search_many(asks)]
        [0, 1, 2]
        """
        device = chosen(device)
        if device == "cpu":
            return [self.answer(ask) for ask in asks]
        from sizeup.search.batch import Batch  # which stands on this

        if (device, memory) not in self._batches:
            self._batches.clear()  # so that there is memory for another
            machine = Cpu() if device == "lanes" else Gpu(memory)
            self._batches[device, memory] = Batch(self, machine)
        found: list[SearchResult] = self._batches[device, memory].search_many(asks)
        return found

    def _rank(self, own: int | None) -> int:
        if own is not None and not (is_integer(own) and own in self.types):
            raise InvalidInput(
                f"{own!r} is not a capability type of this searcher, expected one of {self.types}"
            )
        return len(self.types) - 1 if own is None else self.types.index(own)

    def _player(self, state: Any) -> int:
        player = self.view.actor(state)
        if player in (TERMINAL, CHANCE):
            why = "the game is over" if player == TERMINAL else "chance decides"
            raise InvalidInput(f"nobody acts in {state}: {why}; search where a player acts")
        return player

    def _reset(self, ask: Ask) -> None:
        """An empty tree; children are cleared when they are made."""
        nodes, tree = self.options.max_nodes, self._tree
        tree.used[:5] = 1, 1, nodes, 0, 0
        tree.first[0] = tree.children[0] = tree.action[0] = 0
        tree.visits[::nodes], tree.mean[::nodes] = 0, 0.0  # the root's, in every slot
        tree.low[:], tree.high[:] = math.inf, -math.inf
        self._work.rng[0], self._work.mate_rng[0] = ask.words()

    def _first_setting(self) -> Setting:
        """That of a search without beliefs, in which nobody is expected to do harm."""
        options, info = self.options, self.view.info
        is_apart = options.teammate_statistics == "separate" and options.teammate_rule != "replicas"
        levels = np.array(list(phases(self.types, len(self.types) - 1, options)), dtype=np.int64)
        return Setting(
            nodes=options.max_nodes,
            longest=self.shape.longest,
            stride=options.max_nodes,
            page=options.max_nodes,
            slots=self._slots,
            copy=_COPIES[options.copy],
            playouts=options.rollouts,
            discount=float(info.discount if options.discount is None else options.discount),
            exploration=self._exploration(),
            by_range=(options.value_scale or info.value_scale) == "range",
            mate_rule=_RULES[options.teammate_rule],
            mate_iterations=options.teammate_iterations,
            mate_stride=int(is_apart),
            mate_slots=np.array(self._mate_slots, dtype=np.int64),
            signs=np.array([1.0 if team == 0 else -1.0 for team in info.teams]),
            modelled=np.zeros(info.players, dtype=np.int64),
            odds=_odds_of({}, len(self.types), info.players, options),
            depths=np.array(self.depths, dtype=np.int64),
            phases=levels,
            prices=np.cumsum(np.bincount(levels[:, 0], levels[:, 2])).astype(np.int64),
        )

    def _exploration(self) -> float:
        """The constant of the confidence bounds, in points of reward or of the range seen."""
        options, info = self.options, self.view.info
        constant = info.exploration if options.exploration is None else options.exploration
        if options.value_scale != "total":
            return float(constant)
        bounds = self.view.total_bounds()
        if bounds is None:
            raise InvalidInput(
                f"value_scale is 'total', and {info.name} does not say what a match can pay; add "
                "total_bounds(params) to its rules, or choose 'raw' or 'range'"
            )
        return float(constant) * (bounds[1] - bounds[0])

    def _run(self, ask: Ask, cancel: Cancel) -> int:
        """Run all phases, or until cancelled; return the iterations done."""
        setting = self.always._replace(signs=ask.signs, modelled=ask.modelled, odds=ask.odds)
        done, slot, limit = 0, 0, 0
        for phase in phases(self.types, ask.rank, self.options):
            if limit:
                deeper = phase.limit > limit
                self._kernel.open_level(_ROOT, slot, phase.slot, deeper, self._tree, setting)
            slot, limit = phase.slot, phase.limit
            # Where nobody below this slot can be drawn the plain kernel does the same, sooner.
            weaker = setting.odds[slot, :, :slot].any()
            kernel = self._kernel.aware_iterations if weaker else self._kernel.plain_iterations
            end = done + phase.iterations
            while done < end and not cancel.is_set:
                done += kernel(
                    _ROOT, ask.state, self.view.params, min(_CHUNK, end - done), limit, slot,
                    self._tree, self._work, setting, cancel.flag,
                )  # fmt: skip
            if cancel.is_set:
                break
        return done


def search(
    game: str | python_types.ModuleType | View,
    state: Any = None,
    types: Iterable[int] | int = 8,
    *,
    beliefs: BeliefsLike | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
) -> SearchResult:
    """Search one position; print the result's ``explain()`` for what was found.

    Parameters
    ----------
    game
        A name, a module, the path of a Python file, or a view for other parameters.
    state
        A state, or its text; the game's start if not given.
    types
        The capability types, weakest first, or one: what each of them finds is in the result.
    beliefs
        Probabilities of each type for the teammates; without, they count as equals.
    seed
        Any whole number of 0 or more.
    options
        How to search.

    Examples
    --------
    >>> found = search("connect-four", "......./......./......./x....../xo...../xo..o.. x", types=4)
    >>> found.view.action_text(found.state, found.action)
    'a'
    """
    module = load_game(game) if isinstance(game, str) else game
    view = module if isinstance(module, View) else View(module)
    searcher = Searcher(view, (types,) if isinstance(types, int) else types, options)
    at = view.start() if state is None else state
    where = view.state_from_text(at) if isinstance(at, str) else at
    return searcher.search(where, beliefs=beliefs, seed=seed, keep_tree=True)


def _timer(seconds: float | None, cancel: Cancel) -> threading.Timer | None:
    if seconds is None:
        return None
    if not isinstance(seconds, (int, float)) or not seconds > 0:
        raise InvalidInput(f"seconds must be above 0, got {seconds!r}")
    timer = threading.Timer(seconds, cancel.set)
    timer.daemon = True
    timer.start()
    return timer


def _checked_types(types: Iterable[int]) -> tuple[int, ...]:
    given = tuple(types) if isinstance(types, Iterable) else (types,)
    whole = all(type(c) is int and c >= 1 for c in given)
    if not given or not whole or sorted(set(given)) != list(given):
        raise InvalidInput(
            f"capability types are whole numbers of 1 or more in ascending order, got {given}"
        )
    return given


def _read_beliefs(
    beliefs: BeliefsLike | None, player: int, teams: Sequence[int], types: tuple[int, ...], own: int
) -> dict[int, NDArray[np.float64]]:
    """Probabilities over the types for each teammate of ``player`` that a belief is given for.

    Rows of the player itself and of its opponents play no part in a plan. Belief in types above the
    searching one is an error: a player reduces its beliefs to what it can evaluate.
    """
    if beliefs is None:
        return {}
    if not isinstance(beliefs, Mapping):
        if not isinstance(beliefs, (Sequence, np.ndarray)) or isinstance(beliefs, str):
            raise InvalidInput(
                f"beliefs are rows of probabilities, one for each player, got {beliefs!r}; those "
                "of an agent's Beliefs are beliefs.to_plan_with()"
            )
        if len(beliefs) != len(teams):
            raise InvalidInput(
                f"beliefs have one row for each of {len(teams)} players, or name players in a "
                f"mapping; got {len(beliefs)} rows"
            )
        beliefs = dict(enumerate(beliefs))
    for other in beliefs:
        if other not in range(len(teams)):
            raise InvalidInput(
                f"a belief is given about player {other!r}; expected a player from 0 to "
                f"{len(teams) - 1}"
            )
    mates = [p for p in beliefs if p != player and teams[p] == teams[player]]
    return {mate: _checked(beliefs[mate], mate, types, own) for mate in mates}


def _checked(row: ArrayLike, other: int, types: tuple[int, ...], own: int) -> NDArray[np.float64]:
    """One row as probabilities that sum to 1."""
    odds = as_floats(row, f"the belief about player {other}")
    given = f"the belief about player {other} is {odds.tolist()}"
    if odds.shape != (len(types),):
        raise InvalidInput(f"{given}; expected a probability for each of the types {types}")
    if not np.isfinite(odds).all() or (odds < 0).any():
        raise InvalidInput(f"{given}; expected probabilities of 0 or more")
    if (odds[own + 1 :] > 0).any():
        raise InfeasibleType(
            f"{given}, with weight on types above {types[own]}, the type that searches; reduce "
            "beliefs to that type first"
        )
    if abs(odds.sum() - 1) > 1e-6:
        raise InvalidInput(f"{given}; expected probabilities that sum to 1, not to {odds.sum():g}")
    return np.asarray(odds / odds.sum())


def _odds_of(
    beliefs: Mapping[int, NDArray[np.float64]], slots: int, players: int, options: SearchOptions
) -> NDArray[np.float64]:
    """``(slots, players, slots)`` chance that a player's type is at most c, in the eyes of a slot.

    Where no belief is given a player is an equal of whichever slot asks.
    """
    chances = np.zeros((slots, players, slots))
    for slot in range(slots):
        chances[slot, :, slot] = 1.0
        for player, belief in beliefs.items():
            seen = belief[: slot + 1].copy()
            if options.beyond == "cap" or seen.sum() == 0:
                seen[slot] += belief[slot + 1 :].sum()
            chances[slot, player, : slot + 1] = seen / seen.sum()
    return np.asarray(np.cumsum(chances, axis=-1))
