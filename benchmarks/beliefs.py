"""How far beliefs about players can be trusted, on seeds that nothing was fitted to.

Run: python benchmarks/beliefs.py SECTION [SECTION ...] [--blocks N] [--seconds S] [--workers W]
                                 [--only CELL]

A section plays whole games and holds what was believed in the end against the truth; what each of
them shows is in its docstring below, and N is how often it goes through its cells. What was played
is kept in build/beliefs/SECTION.jsonl, so that a run can be stopped and goes on where it was; with
--blocks 0 it only prints the tables again. --save FILE writes what the documentation's figures
need.
"""

import argparse
import json
import statistics
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from sizeup.agents import Agent, SearchEngine, read_agent
from sizeup.capability import Beliefs, Sampled, Tempered, TypeSet
from sizeup.games.contract import View, load_game
from sizeup.play import play
from sizeup.play.infer import infer
from sizeup.play.table import seated_view
from sizeup.play.verdict import Verdict
from sizeup.search import Searcher
from sizeup.search.replicas import one_thread

HERE = Path(__file__).parent
FOLDER = Path("build/beliefs")
TYPES = (2, 4, 6, 8)
FIRST_SEED = 7_000_000
SURE = 0.9


# What is played. A section gives its cells; a cell and a number give rows, one for each player.


def checkers(cell, seed):
    """Oblivious players of depth 2, 4, 6 or 8 at checkers, each sized up from one game."""
    return _oblivious("checkers", TYPES, cell, seed)


def eight(cell, seed):
    """The same with the depths 1 to 8 as eight types."""
    return _oblivious("checkers", tuple(range(1, 9)), cell, seed)


def strangers(cell, seed):
    """Players that are none of the types (2, 4, 6, 8): random ones, and some of depth 3."""
    teams = [cell, "obl:4"] if seed % 2 else ["obl:4", cell]
    record = play("checkers", teams, seed=seed)
    found = infer([record], TYPES, by="name", players=[cell], seed=seed)
    return [_row(cell, found.players[0])]


def games(cell, seed):
    """Games of other kinds, and whether 64 searches a move say that types can be told apart."""
    game, types, depth = cell
    name = str(HERE / "rope.py") if game == "rope" else game
    module = load_game(name)
    seats = len(module.INFO.teams) if game in ("harvest", "rope") else 2
    one = f"obl:{depth}"
    teams = ["+".join([one] * seats)] if set(module.INFO.teams) == {0} else [one, one]
    record = play(module, teams, seed=seed)
    settings = {"types": types, "by": "seat", "seed": seed, "game": module}
    certain = Enough() if game in TUNNEL else Certain()
    found, sure = (infer([record], rule=r, **settings) for r in (Sampled(), certain))
    pairs = zip(found.players, sure.players, strict=True)
    return [_row(depth, one) | {"certain": list(two.posterior)} for one, two in pairs]


class Certain(Sampled):
    """So many samples, of every move, that how many there are does not matter any more."""

    looks = (64,)


class Enough(Sampled):
    """As many as one can wait for where a search looks 30 ahead."""

    looks = (16,)


def tunnel(cell, seed):
    """The same at Narrow Tunnel, where 16 searches a move take minutes."""
    return games(cell, seed)


def fire(cell, seed):
    """Wall of Fire: what an aware expert believes of its partner, and what teams score."""
    record = play("wall-of-fire", [cell], seed=seed)
    rows = _last_beliefs(record, believer=0, about=1) if cell.startswith("ca") else {}
    return [{"truth": cell, "total": record.total, **rows}]


def aware(cell, seed):
    """Partners that are themselves aware, sized up in the right form and in the wrong one."""
    form, kind, depth = cell
    types = ",".join(map(str, TYPES))
    partner = f"{kind}:{depth}" + ("" if kind == "obl" else f"@{types}")
    record = play("checkers", [f"{form}:8@{types}+{partner}", "obl:6"], seed=seed)
    return [{"truth": depth, "cell": [form, kind], **_last_beliefs(record, 0, 1)}]


def change(cell, seed):
    """A partner that changes its depth after its 8th move, with and without forgetting."""
    before, after, forget = cell
    view = seated_view("checkers", [2, 1])
    expert = Agent(_expert(forget), view, 0)
    partner = [Agent(read_agent(f"obl:{d}"), view, 1, TYPES) for d in (before, after)]
    other = Agent(read_agent("obl:6"), view, 2, TYPES)
    rows, moves, state, ply, quiet = [], 0, view.start(), 0, 0
    while view.actions(state) and not view.adjourned(ply, quiet):
        actor = view.actor(state)
        playing = (expert, partner[moves >= 8], other)[actor]
        action = playing.choose(state, seed * 1000 + ply).action
        if actor < 2:
            told = expert.observe(state, actor, action, seed * 1000 + 500 + ply)
            moves += actor == 1
            if actor == 1 and told is not None:
                rows.append([moves, *told.after.tolist()])
        state, reward = view.apply(state, action)
        ply, quiet = ply + 1, 0 if reward else quiet + 1
    return [{"cell": cell, "rows": rows}]


def filters(cell, seed):
    """A partner that may change at its 8th move, and what 64 searches a move make of it."""
    before, after = cell
    view = seated_view("checkers", [2, 1])
    mates = [Agent(read_agent(f"obl:{depth}"), view, 1, TYPES) for depth in (before, after)]
    others = {p: Agent(read_agent(f"obl:{c}"), view, p, TYPES) for p, c in ((0, 8), (2, 6))}
    engine, rule = SearchEngine(view, TypeSet(TYPES), read_agent("sa:8@2,4,6,8")), Sampled()
    held = {name: Beliefs.initial(TYPES, 8, 2, none=rule.none) for name in FILTERS}
    rows, moves, state, ply, quiet = [], 0, view.start(), 0, 0
    while view.actions(state) and not view.adjourned(ply, quiet):
        actor, actions = view.actor(state), view.actions(state)
        playing = mates[moves >= 8] if actor == 1 else others[actor]
        action = playing.choose(state, seed * 1000 + ply).action
        moves += actor == 1
        if actor == 1 and len(actions) > 1:
            counts = engine.counts(state, None, seed * 1000 + 500 + ply, range(64))
            evidence = -np.log(rule.pooled_chances(counts, actions.index(action)))
            for name, soften in FILTERS.items():
                held[name] = soften(held[name]).observe(1, evidence, none=np.log(len(actions)))
            rows.append([moves, {n: one.probabilities()[1].tolist() for n, one in held.items()}])
        state, reward = view.apply(state, action)
        ply, quiet = ply + 1, 0 if reward else quiet + 1
    return [{"cell": cell, "rows": rows}]


FILTERS = {
    "Bayes' rule": lambda held: held,
    "forgets 0.1": lambda held: held.forget(0.1),
    "forgets 0.3": lambda held: held.forget(0.3),
    "may change 0.01": lambda held: held.may_change(1, 0.01),
    "may change 0.02": lambda held: held.may_change(1, 0.02),
    "may change 0.05": lambda held: held.may_change(1, 0.05),
}


def multi(cell, seed):
    """The deviation of the last beliefs, in the setting of the paper's table of MA and SA."""
    kind, novice, expert, opponent = cell
    team = f"{kind}:{expert}@2,4,6,8+{kind}:{novice}@2,4,6,8"
    record = play("checkers", [team, f"obl:{opponent}"], seed=seed)
    truth = {0: min(novice, expert), 1: novice}  # a novice can think of nobody as deeper than it is
    rows = []
    for believer, about in ((0, 1), (1, 0)):
        odds = np.array(_last_beliefs(record, believer, about)["posterior"])
        far = (odds * (np.array(TYPES) - truth[believer]) ** 2).sum() / max(odds.sum(), 1e-300)
        rows.append({"cell": [kind, believer], "deviation": float(np.sqrt(far))})
    return rows


def rules(cell, seed):
    """The same searches read by three rules: published, a fitted choice model, and sampled."""
    record = play("checkers", [f"obl:{cell}"] * 2, seed=seed)
    module, found = View(load_game("checkers")), []
    searcher = Noting(module, TYPES)
    for player in (0, 1):
        energy = {name: np.zeros(len(TYPES)) for name in READ}
        state = module.start()
        for at, move in enumerate(record.moves):
            action = module.action_from_text(state, move.action)
            if move.player == player and len(module.actions(state)) > 1:
                chosen, searcher.shares = module.actions(state).index(action), []
                counts = searcher.choices(state, [seed * 8000 + 8 * at + k for k in range(8)])
                shares = np.mean(searcher.shares, axis=0)
                for name, read in READ.items():
                    energy[name] += read(counts, shares, chosen)
            state, _ = module.apply(state, action)
        for name, against in energy.items():
            odds = np.exp(against.min() - against)
            found.append({"truth": cell, "rule": name, "posterior": (odds / odds.sum()).tolist()})
    return found


class Noting(Searcher):
    """A searcher that remembers the shares of visits."""

    def search(self, *args, **kwargs):
        """Search, and remember."""
        result = super().search(*args, **kwargs)
        self.shares.append(result.shares)
        return result


# A softmax of share / largest share with a sharpness for each depth, 1 % of errors and a
# temperature: the choice model that Sizeup 0.1 fitted to 240 games of checkers.
SHARPNESS, ERROR, HEAT = {2: 19.31, 4: 4.94, 6: 4.29, 8: 4.13}, 0.01, 2.62


def _fitted(_, shares, chosen):
    against = []
    for row, depth in zip(shares, TYPES, strict=True):
        weights = np.exp(SHARPNESS[depth] * (row / row.max() - 1))
        chance = (1 - ERROR) * weights[chosen] / weights.sum() + ERROR / len(row)
        against.append(-np.log(chance) / HEAT)
    return np.array(against)


READ = {
    "published": lambda _, shares, at: Tempered(0.1, 0.5).evidence(shares, at) / 0.1,
    "fitted": _fitted,
    "sampled": lambda counts, _, at: -np.log(Sampled().pooled_chances(counts, at)),
}


def _oblivious(game, types, depth, seed):
    record = play(game, [f"obl:{depth}"] * 2, seed=seed)
    found = infer([record], types, by="seat", seed=seed)
    return [_row(depth, player) for player in found.players]


def _row(truth, player):
    path = [[round(p, 5) for p in step.posterior] for step in player.steps]
    samples = [step.samples for step in player.steps]
    final = {"posterior": list(player.posterior), "error": player.error, "types": player.types}
    return {"truth": truth, **final, "path": path, "samples": samples}


def _last_beliefs(record, believer, about):
    told = [m.seen[believer] for m in record.moves if m.player == about and believer in m.seen]
    last = told[-1].after if told else record.first_beliefs[believer][about]
    samples = [one.samples for one in told]
    return {"posterior": list(last), "types": record.types_of(believer), "samples": samples}


def _expert(forget):
    return replace(read_agent("ca:8@2,4,6,8"), forget=forget)


OTHERS = {
    "connect-four": TYPES, "harvest": (2, 4), "wall-of-fire": (2, 20),
    "rope": (1, 3),
}  # fmt: skip
TUNNEL = {"narrow-tunnel": (10, 30)}
CELLS = {
    checkers: TYPES,
    eight: tuple(range(1, 9)),
    strangers: ("random", "obl:3"),
    games: [(game, types, depth) for game, types in OTHERS.items() for depth in types],
    tunnel: [("narrow-tunnel", TUNNEL["narrow-tunnel"], depth) for depth in (10, 30)],
    fire: ("ca:20@2,20+obl:20", "ca:20@2,20+obl:2", "obl:20+obl:2", "obl:20+obl:20", "obl:2+obl:2"),
    aware: list(product(("ca", "sa"), ("obl", "sa", "ca"), (2, 4, 6))),
    change: list(product((2, 8), (2, 8), (0.0, 0.1, 0.3))),
    filters: list(product((2, 8), repeat=2)),
    multi: [
        (kind, novice, expert, opponent)
        for kind in ("ma", "sa")
        for novice, expert in product(TYPES, TYPES)
        if novice < expert
        for opponent in (novice, expert)
    ],
    rules: TYPES,
}
CELLS[change] = [cell for cell in CELLS[change] if cell[0] != cell[1]]
SECTIONS = {section.__name__: section for section in CELLS}


# What is told of it.


def tell_checkers(rows, save):
    print(f"{'':10} {'players':>8} {'right':>22} {'Brier':>7} {'sure':>14} {'moves':>6} {'K':>5}")
    for depth in [None, *sorted({row["truth"] for row in rows})]:
        some = [row for row in rows if depth in (None, row["truth"])]
        right = [_likeliest(row) == row["truth"] for row in some]
        sure = [ok for ok, row in zip(right, some, strict=True) if max(row["posterior"]) >= SURE]
        after = [when for row in some if (when := _sure_after(row))]
        samples = statistics.fmean(k for row in some for k in row["samples"])
        print(
            f"{'all' if depth is None else f'depth {depth}':10} {len(some):8} {_share(right):>22} "
            f"{statistics.fmean(map(_brier, some)):7.3f} {f'{sum(sure)} of {len(sure)}':>14} "
            f"{statistics.median(after or [float('nan')]):6.0f} {samples:5.1f}"
        )
    none = [1 - sum(row["posterior"]) >= 0.5 for row in rows]
    print(f"called none of these: {_share(none)}")
    tell_reliability(rows)
    if save:
        kept = [
            {
                "truth": row["truth"],
                "types": row["types"],
                "posterior": [round(p, 6) for p in row["posterior"]],
                "samples": [round(statistics.fmean(row["samples"]), 1)],
                "sure_after": _sure_after(row),
            }
            for row in rows
        ]
        save.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


tell_eight = tell_checkers


def tell_reliability(rows):
    print("given a probability of ..., true in")
    for mean, truths in reliability(rows):
        print(f"  {mean:6.3f}  {_share(truths)}, n = {len(truths)}")


def reliability(rows):
    """Of all types that were given such a probability, which were the true ones."""
    pairs = [(p, t == row["truth"]) for row in rows for p, t in _pairs(row)]
    edges = (0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0000001)
    for low, high in pairwise(edges):
        inside = [(p, ok) for p, ok in pairs if low <= p < high]
        if inside:
            yield statistics.fmean(p for p, _ in inside), [ok for _, ok in inside]


def tell_strangers(rows, save):
    for kind in sorted({row["truth"] for row in rows}):
        some = [row for row in rows if row["truth"] == kind]
        soon = [any(1 - sum(odds) >= SURE for odds in row["path"][:10]) for row in some]
        mean = np.mean([[*row["posterior"], 1 - sum(row["posterior"])] for row in some], axis=0)
        print(f"{kind:7} n = {len(some)}: none of these within 10 moves in {_share(soon)};")
        print(f"        mean of the last belief in 2, 4, 6, 8, none: {mean.round(2).tolist()}")


def tell_games(rows, save):
    for game, types in (OTHERS | TUNNEL).items():
        if game not in {row["cell"][0] for row in rows}:
            continue
        some = [row for row in rows if row["cell"][0] == game]
        apart = [row for row in some if max(row["certain"]) >= 0.95]
        alike = [row for row in some if max(row["certain"]) < 0.95]
        right = [_likeliest(row) == row["truth"] for row in apart]
        said = [Verdict(tuple(row["types"]), row["posterior"]).type for row in alike]
        print(
            f"{game} {types}: can be told apart in {len(apart)} of {len(some)}: right in", end=" "
        )
        print(
            f"{_share(right)}; the other {len(alike)}: cannot tell {said.count(None)}, right",
            end="",
        )
        named = [(a, row["truth"]) for a, row in zip(said, alike, strict=True) if a is not None]
        print(f" {sum(a == b for a, b in named)}, wrong {sum(a != b for a, b in named)}")


tell_tunnel = tell_games


def tell_fire(rows, save):
    for team in CELLS[fire]:
        some = [row for row in rows if row["truth"] == team]
        totals = [row["total"] for row in some] or [float("nan")]
        print(f"{team:20} n = {len(some)}: median {statistics.median(totals):g}", end="")
        print(f" in {totals.count(statistics.median(totals))}", end="")
        if team.startswith("ca") and some:
            at = 1 if team.endswith("20") else 0
            sure = [row["posterior"][at] > SURE for row in some]
            samples = statistics.fmean(k for row in some for k in row["samples"])
            print(f"; more than 90 % sure of the truth in {_share(sure)}; K {samples:.1f}", end="")
        print()


RIGHT_FORMS = (("ca", "ca"), ("sa", "obl"))  # the watcher models its partner as what it is


def tell_aware(rows, save):
    for form, kind in product(("ca", "sa"), ("obl", "sa", "ca")):
        some = [row for row in rows if row["cell"] == [form, kind]]
        right = [_likeliest(row) == row["truth"] for row in some]
        brier = statistics.fmean(map(_brier, some)) if some else 0
        fit = "right form" if (form, kind) in RIGHT_FORMS else "wrong form"
        print(
            f"{form} watches {kind:3} ({fit}): n = {len(some)}, right {_share(right)}, "
            f"Brier {brier:.3f}"
        )


def tell_change(rows, save):
    for before, after, forget in CELLS[change]:
        some = [row["rows"] for row in rows if row["cell"] == [before, after, forget]]
        some = [[row for row in moves if row[0] > 8] for moves in some]
        some = [moves for moves in some if moves]
        old, new = (1 + TYPES.index(depth) for depth in (before, after))
        found = _first([[row[0] - 8 for row in moves if row[new] >= SURE] for moves in some])
        left = _first([[row[0] - 8 for row in moves if row[old] <= 1 - SURE] for moves in some])
        print(
            f"{before} -> {after}, forgets {forget}: found to be {after} in {found}; "
            f"no longer taken for {before} in {left}"
        )


def _first(whens):
    """In how many games it came to that, and after how many moves."""
    firsts = [when[0] for when in whens if when]
    median = statistics.median(firsts) if firsts else float("nan")
    return f"{len(firsts)} of {len(whens)}, median after {median:g} of its moves"


def tell_filters(rows, save):
    for before, after in CELLS[filters]:
        games = [row["rows"] for row in rows if row["cell"] == [before, after]]
        old, new = TYPES.index(before), TYPES.index(after)
        if len(games) < 2:
            continue
        briers = {}
        for name in FILTERS:
            paths = [[(moves, told[name]) for moves, told in game] for game in games if game]
            late = [[(moves - 8, odds) for moves, odds in path if moves > 8] for path in paths]
            found = _first([[moves for moves, odds in path if odds[new] >= SURE] for path in late])
            left = _first([[moves for moves, odds in p if odds[old] <= 1 - SURE] for p in late])
            kept = sum(path[-1][1][new] >= SURE for path in paths)
            became = f"found to be {after} in {found}; no longer taken for {before} in {left}"
            stayed = f"found to be {after} in the end in {kept} of {len(paths)}"
            briers[name] = [_brier_of_moves(path, old, new) for path in paths]
            print(
                f"{before} -> {after}, {name}: {became if before != after else stayed}; "
                f"Brier at every move {statistics.fmean(briers[name]):.3f}"
            )
        for name in list(FILTERS)[:3]:
            less = np.subtract(briers["may change 0.02"], briers[name])
            half = 1.96 * less.std(ddof=1) / len(less) ** 0.5
            print(f"  Brier of may change 0.02 less that of {name}: {less.mean():.3f} ± {half:.3f}")


def _brier_of_moves(path, old, new):
    """Mean over the moves of a game of the Brier score of what was believed of a player then."""
    truths = [(odds, new if moves > 8 else old) for moves, odds in path]
    return statistics.fmean(
        sum((p - (at == truth)) ** 2 for at, p in enumerate(odds)) for odds, truth in truths
    )


def tell_multi(rows, save):
    for kind, believer in product(("ma", "sa"), (0, 1)):
        far = [row["deviation"] for row in rows if row["cell"] == [kind, believer]]
        if len(far) < 2:
            continue
        half = 1.96 * statistics.stdev(far) / len(far) ** 0.5
        print(
            f"{kind}, the {('expert', 'novice')[believer]}'s last belief: deviation "
            f"{statistics.fmean(far):.2f} ± {half:.2f} (n = {len(far)})"
        )


def tell_rules(rows, save):
    for rule in READ:
        some = [row | {"types": TYPES} for row in rows if row["rule"] == rule]
        right = [_likeliest(row) == row["truth"] for row in some]
        sure = [ok for ok, row in zip(right, some, strict=True) if max(row["posterior"]) >= SURE]
        print(
            f"{rule:10} n = {len(some)}: right {_share(right)}, Brier "
            f"{statistics.fmean(map(_brier, some)):.3f}, sure and right {sum(sure)} of {len(sure)}"
        )


def _pairs(row):
    return zip(row["posterior"], row["types"], strict=True)


def _likeliest(row):
    return row["types"][int(np.argmax(row["posterior"]))]


def _brier(row):
    return sum((p - (t == row["truth"])) ** 2 for p, t in _pairs(row))


def _sure_after(row):
    """After how many moves it was sure, and stayed so."""
    if "sure_after" in row:
        return row["sure_after"]
    sure = [max(odds) >= SURE for odds in row["path"]]
    if not sure or not sure[-1]:
        return None
    return len(sure) - next((at for at, one in enumerate(reversed(sure)) if not one), len(sure)) + 1


def _share(truths):
    """A share with its 95 % interval."""
    if not truths:
        return "nothing"
    low, high = wilson(truths)
    return f"{100 * sum(truths) / len(truths):.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def wilson(truths):
    """Ends of Wilson's 95 % interval of a share."""
    n, hits, z2 = len(truths), sum(truths), 1.96**2
    middle = (hits + z2 / 2) / (n + z2)
    half = 1.96 * (hits * (n - hits) / n + z2 / 4) ** 0.5 / (n + z2)
    return middle - half, middle + half


# How it is run.


def one_job(section, number):
    cells = CELLS[SECTIONS[section]]
    cell, seed = cells[number % len(cells)], FIRST_SEED + number
    with one_thread():
        return [{"number": number, "cell": cell, **row} for row in SECTIONS[section](cell, seed)]


def run(section, blocks, seconds, workers, only=""):
    """Play what is not kept yet, as long as there is time."""
    path = FOLDER / f"{section}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    done, cells = {row["number"] for row in kept(section)}, CELLS[SECTIONS[section]]
    numbers = range(blocks * len(cells))
    todo = [n for n in numbers if n not in done and only in str(cells[n % len(cells)])]
    end, told = time.monotonic() + seconds, time.monotonic()
    with ProcessPoolExecutor(workers) as pool, path.open("a") as file:
        waiting, left = set(), iter(todo)
        for _ in range(2 * (pool._max_workers or 1)):
            waiting |= {
                pool.submit(one_job, section, n) for n in [next(left, None)] if n is not None
            }
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                file.writelines(json.dumps(row) + "\n" for row in future.result())
                file.flush()
                if time.monotonic() < end and (number := next(left, None)) is not None:
                    waiting.add(pool.submit(one_job, section, number))
            if time.monotonic() > told + 30:
                told = time.monotonic()
                print(f"  {section}: {len({r['number'] for r in kept(section)})} games", flush=True)


def kept(section):
    path = FOLDER / f"{section}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="+", choices=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each section")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--only", default="", help="cells that have this in them")
    parser.add_argument("--save", type=Path)
    chosen = parser.parse_args()
    for section in chosen.sections:
        start = time.perf_counter()
        if chosen.blocks:
            run(section, chosen.blocks, chosen.seconds, chosen.workers, chosen.only)
        print(f"== {section}: {SECTIONS[section].__doc__} [{time.perf_counter() - start:.0f} s]")
        rows = sorted(kept(section), key=lambda row: row["number"])
        if rows:
            globals()[f"tell_{section}"](rows, chosen.save)


if __name__ == "__main__":
    main()
