"""Boards of Narrow Tunnel on which an aware expert tests its partner, by the exact planner.

Blue is the novice (depth 10), red the expert (depth 30). A board is good if the four teams score
4 (two novices), 90 (two experts), 0 (novice and oblivious expert) and 4 (novice and aware expert)
in 20 turns, and the aware expert enters the tunnel, meets blue there, becomes sure from what blue
does that it is a novice, and backs out.

Values and beliefs are those of ``sizeup.planning`` (the tests compare them), but the rules are
walked by a compiled loop, and scores are exact distributions over all ties, not samples.

Run: python benchmarks/tunnel_boards.py (half a minute), with --search (some minutes), or with
--sampled 10: what agents that search do on MEETING, by the paper's rule of inference (minutes).
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from sizeup.agents import read_agent
from sizeup.capability.updates import best_actions
from sizeup.games import narrow_tunnel
from sizeup.games.contract import View
from sizeup.games.narrow_tunnel import BLUE, BOARD, MEETING, RED, STAY, WAITING, NarrowTunnelState
from sizeup.play import Record, play

Floats: TypeAlias = NDArray[np.float64]
Plan: TypeAlias = Literal["novice", "oblivious", "aware"]
Belief: TypeAlias = tuple[float, float]  # chance that blue, that red is a novice, to an expert

DISCOUNTS = (0.8, 0.85, 0.9, 0.95, 0.99)
EVEN: Belief = (0.5, 0.5)
SURE = 0.99
FOUND_OUT = ("enters, a turn of deadlock", "enters, meets blue")  # what makes red sure
ILLEGAL = -1e9  # the reward of what is not legal: finite, so that a chance of 0 makes it 0

TEAMS: dict[str, tuple[Plan, Plan]] = {
    "N+N": ("novice", "novice"),
    "E+E": ("oblivious", "oblivious"),
    "N+oblivious": ("novice", "oblivious"),
    "N+aware": ("novice", "aware"),
}
WANTED = {"N+N": 4.0, "E+E": 90.0, "N+oblivious": 0.0, "N+aware": 4.0}


class Board(NamedTuple):
    """All states that can be reached, by number; ``successor`` and ``reward`` by action first."""

    params: narrow_tunnel.NarrowTunnelParams
    states: NDArray[np.int64]
    successor: NDArray[np.int64]
    reward: Floats

    def actor(self, state: int) -> int:
        """Player to move."""
        return int(self.states[state, 3])

    def in_tunnel(self, tile: int) -> bool:
        """Whether a tile between the two starts has its column to itself."""
        width = self.params.width
        ends = sorted((self.params.blue % width, self.params.red % width))
        free = self.params.wall[tile % width :: width] == 0
        return bool(ends[0] <= tile % width <= ends[1] and free.sum() == 1)


@numba.njit(nogil=True)
def _walk(step, legal, params, number, states, successor, reward):  # type: ignore[no-untyped-def]
    """Breadth first from the start with the game's own rules; return how many states there are."""
    actions = np.zeros(5, np.int64)
    states[0] = params.blue, params.red, params.all_coins, BLUE
    number[params.blue, params.red, params.all_coins, BLUE] = 0
    count, done = 1, 0
    while done < count:
        blue, red, coins, player = states[done]
        state = NarrowTunnelState(blue, red, coins, player)
        for action in actions[: legal(state, params, actions)]:
            to, gained = step(state, action, params)
            if number[to.blue, to.red, to.coins, to.player] < 0:
                number[to.blue, to.red, to.coins, to.player] = count
                states[count] = to.blue, to.red, to.coins, to.player
                count += 1
            successor[action, done] = number[to.blue, to.red, to.coins, to.player]
            reward[action, done] = gained
        done += 1
    return count


def read(text: str) -> Board:
    """Write a board's game down as arrays."""
    view = View(narrow_tunnel, narrow_tunnel.board(text))
    params, rules = view.params, view._steps
    number = np.full((params.wall.size, params.wall.size, params.all_coins + 1, 2), -1)
    states, successor = np.zeros((number.size, 4), np.int64), np.zeros((5, number.size), np.int64)
    reward = np.full((5, number.size), ILLEGAL)
    count = _walk(rules.step, rules.legal_actions, params, number, states, successor, reward)
    return Board(params, states[:count], successor[:, :count].copy(), reward[:, :count].copy())


class Plans:
    """What a novice and an expert make of every state, for each type their partner may have."""

    def __init__(self, board: Board, discount: float, depths: tuple[int, int] = (10, 30)) -> None:
        self.board, self.discount, self.depths = board, discount, depths
        self.novice = self._values(depths[0])
        best = best_actions(self._action_values(self.novice).T).T
        self.novice_play: Floats = best / best.sum(axis=0)

    @cached_property
    def equal(self) -> Floats:
        """Values to an expert whose partner is one too."""
        return self._values(self.depths[1])

    @cached_property
    def unequal(self) -> tuple[Floats, Floats]:
        """Values to an expert if blue, or if red, is a novice."""
        return self._values(self.depths[1], BLUE), self._values(self.depths[1], RED)

    def q(self, state: int, plan: Plan, belief: Belief = EVEN) -> Floats:
        """Value of each action to the actor."""
        to, partner = self.board.successor[:, state], 1 - self.board.actor(state)
        ahead = (self.novice if plan == "novice" else self.equal)[to]
        if plan == "aware":
            weak = belief[partner]
            ahead = (1 - weak) * ahead + weak * self.unequal[partner][to]
        return np.asarray(self.board.reward[:, state] + self.discount * ahead)

    def chances(self, state: int, plan: Plan, belief: Belief = EVEN) -> Floats:
        """Chance of each action: uniform over the best."""
        best = best_actions(self.q(state, plan, belief))
        return np.asarray(best / best.sum())

    def observe(self, state: int, action: int, belief: Belief) -> Belief:
        """Belief after an action; who acts as neither type would counts as an expert."""
        actor = self.board.actor(state)
        novice = belief[actor] * self.novice_play[action, state]
        expert = (1 - belief[actor]) * self.chances(state, "aware", belief)[action]
        # Rounded, so that histories that say the same are one node of the distribution.
        now = round(float(novice / (novice + expert)), 12) if novice + expert else 0.0
        return (now, belief[RED]) if actor == BLUE else (belief[BLUE], now)

    def _action_values(self, ahead: Floats) -> Floats:
        return np.asarray(self.board.reward + self.discount * ahead[self.board.successor])

    def _values(self, depth: int, weaker: int | None = None) -> Floats:
        """Value of every state that lies one step ahead of a planner of this depth."""
        value = np.zeros(len(self.board.states))
        theirs = self.board.states[:, 3] == weaker
        for _ in range(depth - 1):
            q = self._action_values(value)
            value = q.max(axis=0)
            if weaker is not None:
                value[theirs] = (self.novice_play[:, theirs] * q[:, theirs]).sum(axis=0)
        return value


class Node(NamedTuple):
    """Where an episode stands, and how far the expert's test has come."""

    state: int = 0
    belief: Belief = EVEN
    score: float = 0.0
    story: str = "stays out"


def advance(plans: Plans, node: Node, action: int, watched: bool = True) -> Node:
    """One move on; if nobody watches, belief and story stay as they are."""
    to = int(plans.board.successor[action, node.state])
    gained = float(plans.board.reward[action, node.state])
    after = node._replace(state=to, score=node.score + gained)
    if not watched:
        return after
    after = after._replace(belief=plans.observe(node.state, action, node.belief))
    tell = _after_red if plans.board.actor(node.state) == RED else _after_blue
    return after._replace(story=tell(plans.board, node, after, action == STAY))


def _after_red(board: Board, node: Node, after: Node, stays: bool) -> str:
    inside = board.in_tunnel(int(board.states[after.state, RED]))
    if node.story == "stays out":
        return "enters" if inside and node.belief[BLUE] < SURE else node.story
    if node.story in FOUND_OUT:
        return "lingers" if stays else node.story if inside else f"{node.story}, backs out"
    return node.story


def _after_blue(board: Board, node: Node, after: Node, stays: bool) -> str:
    blue, red = board.states[after.state, :2].tolist()
    face_to_face = abs(blue - red) in (1, board.params.width)
    if node.story == "enters" and face_to_face and after.belief[BLUE] >= SURE:
        return FOUND_OUT[0] if stays else FOUND_OUT[1]
    return node.story


def episodes(plans: Plans, team: tuple[Plan, Plan], turns: int = 20) -> dict[Node, float]:
    """Chance of every way in which an episode can end, over all ties."""
    nodes = {Node(): 1.0}
    for _ in range(turns):
        following: dict[Node, float] = defaultdict(float)
        for node, mass in nodes.items():
            chances = plans.chances(node.state, team[plans.board.actor(node.state)], node.belief)
            for action in np.flatnonzero(chances).tolist():
                after = advance(plans, node, action, watched="aware" in team)
                following[after] += mass * float(chances[action])
        nodes = following
    return nodes


def shares(nodes: dict[Node, float], of: Literal["score", "story"]) -> dict[Any, float]:
    """Chance of each score, or of each story."""
    found: dict[Any, float] = defaultdict(float)
    for node, mass in nodes.items():
        found[getattr(node, of)] += mass
    return {what: round(mass, 9) for what, mass in sorted(found.items())}


def brief(chances: dict[Any, float]) -> str:
    """What is certain without its chance, else all with theirs."""
    words = [f"{what:g}" if isinstance(what, float) else what for what in chances]
    if len(words) > 1:
        words = [f"{a} ({b:.3f})" for a, b in zip(words, chances.values(), strict=True)]
    return " or ".join(words)


def compare(text: str) -> None:
    """Print the four numbers and the story at each discount."""
    board = read(text)
    print(f"{text}{len(board.states)} states")
    for discount in DISCOUNTS:
        plans = Plans(board, discount)
        ends = {name: episodes(plans, team) for name, team in TEAMS.items()}
        numbers = ", ".join(f"{name} {brief(shares(ends[name], 'score'))}" for name in ends)
        print(f"  {discount}: {numbers}; red {brief(shares(ends['N+aware'], 'story'))}", flush=True)


def show(text: str, discount: float) -> None:
    """Print the moves of novice and aware expert, the first of equally good ones."""
    plans, node = Plans(read(text), discount), Node()
    print(f"{text}discount {discount}; moves, and how many are equally good")
    for turn in range(1, 21):
        player = plans.board.actor(node.state)
        chances = plans.chances(node.state, TEAMS["N+aware"][player], node.belief)
        action = int(chances.argmax())
        node = advance(plans, node, action)
        at = divmod(int(plans.board.states[node.state, player]), plans.board.params.width)
        print(
            f"{turn:4} {('blue', 'red')[player]:5}{('stay', *'NESW')[action]:5}of "
            f"{(chances > 0).sum()} to row {at[0]} column {at[1]:2}, score {node.score:g}, "
            f"P(blue is a novice) {node.belief[BLUE]:.2f}, red {node.story}"
        )


def draw(tunnel: int, blue: int, red: tuple[int, int], coin: int, far: int, rooms: bool) -> str:
    """A board, or nothing if its parts do not fit.

    Blue stands ``blue`` tiles before the tunnel (-1: in it), red ``red`` (rows, columns) off its
    other end; the first blue coin is ``coin`` moves from blue, the first red one ``far`` from red.
    Beside the middle row there are rooms, or only pockets for one.
    """
    end = 2 + far - sum(red)  # the first column behind the tunnel; red coins are in 0, 1, 2
    mouth, at = end - tunnel, end + red[1]
    start = mouth - 1 - blue
    first = start + coin
    if start <= 3 or first <= end or at <= start or (red[0] == 0 and at >= first):
        return ""
    width, pockets = first + 4, {mouth - 1, end, at}
    beside = [x for x in range(width) if not mouth <= x < end and (rooms or x in pockets)]
    side = ["." if x in beside else "#" for x in range(width)]
    rows = [side, [*"rrr", *"." * (first - 3), *"bbbb"], *([side[:]] if rooms else [])]
    rows[1][start], rows[1 - red[0]][at] = "B", "R"
    return "\n".join(["", *map("".join, rows), ""])


def search() -> None:
    """Judge a family of boards at every discount; print those with the numbers and the story."""
    off = ((0, 0), (0, 1), (1, 0), (1, 1))
    parts = itertools.product((1, 2, 3, 4), (-1, 0, 1), off, (4, 5), (7, 8), (False, True))
    boards = sorted({draw(*part) for part in parts} - {""}, key=lambda x: (len(x), x))
    begin, counts = time.monotonic(), Counter[str]()
    for done, text in enumerate(boards, start=1):
        board = read(text)
        for discount in DISCOUNTS:
            verdict = judge(Plans(board, discount))
            counts[verdict] += 1
            if verdict.endswith("backs out"):
                print(f"{text}discount {discount}: {verdict}")
        print(f"{done}/{len(boards)}, {time.monotonic() - begin:.0f} s, {dict(counts)}", flush=True)


def judge(plans: Plans) -> str:
    """Which number a board misses first, or what red does if it has all four."""
    for name, team in TEAMS.items():
        ends = episodes(plans, team)
        if shares(ends, "score") != {WANTED[name]: 1.0}:
            return f"misses {name}"
    return f"red {brief(shares(ends, 'story'))}"


def sampled(games: int) -> None:
    """The four teams as agents that search, and how often the aware one tells the story."""
    params = narrow_tunnel.board(MEETING)
    rule = {"rule": "published"}
    for team in ("obl:10+obl:10", "obl:30+obl:30", "obl:10+obl:30", "obl:10+ca:30@10,30"):
        agents = [read_agent(text) for text in team.split("+")]
        agents = [replace(one, **rule) if one.is_adaptive else one for one in agents]
        records = [
            play("narrow-tunnel", [agents], seed=seed, params=params) for seed in range(games)
        ]
        told = sum(tells_the_story(record) for record in records)
        scores = Counter(record.total for record in records)
        print(f"{team:20} rewards {dict(scores)}, tells the story in {told} of {games}")


def tells_the_story(record: Record) -> bool:
    """Whether red goes into the tunnel, becomes sure of a novice there, and comes out again."""
    view, columns = View(narrow_tunnel, narrow_tunnel.board(MEETING)), []
    sure, state = len(record.moves), view.start()
    for made, move in enumerate(record.moves):
        state, _ = view.apply(state, view.action_from_text(state, move.action))
        columns.append(state.red % view.params.width)
        seen = move.seen.get(RED)
        if seen is not None and seen.actor == BLUE and seen.after[0] > SURE:
            sure = min(sure, made)
    outside = view.start().red % view.params.width
    inside = [at for at, column in enumerate(columns) if column < outside]
    return bool(inside) and inside[0] < sure < len(columns) and max(columns[sure:]) >= outside


def main() -> None:
    if "--search" in sys.argv[1:]:
        search()
        return
    if "--sampled" in sys.argv[1:]:
        sampled(int(sys.argv[sys.argv.index("--sampled") + 1]))
        return
    for text in (BOARD, MEETING, WAITING):
        compare(text)
    for text, discount in ((BOARD, 0.95), (MEETING, 0.9), (WAITING, 0.99)):
        show(text, discount)


if __name__ == "__main__":
    main()
