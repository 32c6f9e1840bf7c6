"""Kernel: iterations of the tree search, for whatever game it is bound to.

One iteration walks down the tree to its depth limit or to a node without children, gives that node
its children, plays at random from there, and adds what came of it to every move on the way.
:func:`plain_iterations` takes every teammate for an equal. :func:`aware_iterations` draws a type
for each teammate first, and lets a weaker one choose as its own, shallower search would.

Chance takes no step of the depth limit and no discount, in the tree and in playouts. Values are to
team 0; a player's sign says whether it wants them high or low.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sizeup.games.rng import below, drawn, uniform
from sizeup.jit import injected, inner, jit, on_device, once, take_next

GAME: Any = injected()

NO_ACTION = np.int64(-(2**63))
CHANCE = np.int64(-1)
ZERO = np.int64(0)  # not a plain 0, of which Numba would make a type of its own
UNEXPANDED, DEAD_END = 0, -1
BY_MEAN, BY_VISITS, BY_UCB, BY_REPLICAS = 0, 1, 2, 3
COPY_ALL = 2**31 - 1  # visits that a deeper level keeps of one, at most
USED, NEXT, END, PAGE, SPILT, KEPT = 0, 1, 2, 3, 4, 5  # in Tree.used


if hasattr(GAME, "random_action"):
    _random_action = GAME.random_action
else:

    @inner
    def _random_action(state: Any, params: Any, rng: Any, out: Any) -> Any:
        """One legal action, uniformly at random, or NO_ACTION."""
        count = GAME.legal_actions(state, params, out)
        if count == 0:
            return NO_ACTION
        return out[below(rng, count)]


if hasattr(GAME, "probabilities"):

    @inner
    def _is_chance(state: Any, params: Any) -> Any:
        return GAME.actor(state, params) == CHANCE

    @inner
    def _outcome(state: Any, params: Any, count: Any, work: Any) -> Any:
        """Index of an outcome of chance, drawn by its probability; -1 if a player acts."""
        if GAME.actor(state, params) != CHANCE:
            return -1
        GAME.probabilities(state, params, work.lots)
        return drawn(work.rng, work.lots, count)

    @inner
    def _after_chance(state: Any, params: Any, work: Any) -> Any:
        """Play on until a player acts; return the state there and the reward on the way."""
        total = 0.0
        while not GAME.is_terminal(state, params) and GAME.actor(state, params) == CHANCE:
            count = GAME.legal_actions(state, params, work.actions)
            if count == 0:
                break
            action = work.actions[_outcome(state, params, count, work)]
            after = GAME.apply(state, action, params)
            total += GAME.reward(state, action, after, params)
            state = after
        return state, total

else:

    @inner
    def _is_chance(state: Any, params: Any) -> Any:
        return False

    @inner
    def _outcome(state: Any, params: Any, count: Any, work: Any) -> Any:
        """No chance in this game."""
        return -1

    @inner
    def _after_chance(state: Any, params: Any, work: Any) -> Any:
        """No chance in this game."""
        return state, 0.0


@inner
def _playout(state: Any, params: Any, limit: Any, discount: Any, work: Any) -> Any:
    """Discounted return of random play over at most ``limit`` moves of players."""
    state, total = _after_chance(state, params, work)
    weight = 1.0
    for _ in range(limit):
        action = _random_action(state, params, work.rng, work.actions)
        if action == NO_ACTION:
            break
        after = GAME.apply(state, action, params)
        total += weight * GAME.reward(state, action, after, params)
        weight *= discount
        state, gained = _after_chance(after, params, work)
        total += weight * gained
    return total


@inner
def _evaluate_briefly(
    node: Any, state: Any, params: Any, limit: Any, tree: Any, work: Any, setting: Any
) -> Any:
    """The same as below with one playout in the code: a GPU waits for code more than for steps."""
    total = 0.0
    listed = 0 if _is_chance(state, params) else tree.children[node]
    for _ in range(setting.playouts):
        start, moves, weight = state, limit, 1.0
        if listed > 0:
            action = tree.action[tree.first[node] + below(work.rng, listed)]
            start, moves, weight = GAME.apply(state, action, params), limit - 1, setting.discount
            total += GAME.reward(state, action, start, params)
        total += weight * _playout(start, params, moves, setting.discount, work)
    return total / setting.playouts


@on_device(_evaluate_briefly)
@inner
def _evaluate(
    node: Any, state: Any, params: Any, limit: Any, tree: Any, work: Any, setting: Any
) -> Any:
    """Mean of some playouts; where a node's moves are listed, they start with one of these."""
    total = 0.0
    listed = 0 if _is_chance(state, params) else tree.children[node]
    if listed > 0:
        first = tree.first[node]
        for _ in range(setting.playouts):
            action = tree.action[first + below(work.rng, listed)]
            after = GAME.apply(state, action, params)
            total += GAME.reward(state, action, after, params)
            total += setting.discount * _playout(after, params, limit - 1, setting.discount, work)
    else:
        for _ in range(setting.playouts):
            total += _playout(state, params, limit, setting.discount, work)
    return total / setting.playouts


@inner
def _reserve(count: Any, tree: Any, setting: Any) -> Any:
    """Room for so many nodes side by side; -1 if the tree is full, or no memory is left."""
    if tree.used[USED] + count > setting.nodes:
        return np.int64(-1)
    if tree.used[NEXT] + count > tree.used[END] and not _turn_page(tree, setting):
        return np.int64(-1)
    first = tree.used[NEXT]
    tree.used[NEXT] = first + count
    tree.used[USED] += count
    return first


@inner
def take_page(tree: Any) -> Any:
    """A page that no tree has; -1 if there is none."""
    at = take_next(tree.taken)
    if at >= tree.given[0]:
        return np.int64(-1)
    page = np.int64(tree.free[at % len(tree.free)])
    tree.link[page] = -1
    return page


@inner
def _turn_page(tree: Any, setting: Any) -> Any:
    """Go on in the next page of this tree, a new one if there is none; False if none is left."""
    page = tree.used[PAGE]
    if tree.link[page] < 0:
        new = take_page(tree)
        if new < 0:
            tree.used[SPILT] = 1
            return False
        tree.link[page] = new
    page = np.int64(tree.link[page])
    tree.used[PAGE] = page
    tree.used[NEXT] = page * setting.page
    tree.used[END] = (page + 1) * setting.page
    return True


@inner
def _expand(state: Any, params: Any, node: Any, tree: Any, work: Any, setting: Any) -> None:
    """Give a node its children, unless the tree is full."""
    count = 0
    if not GAME.is_terminal(state, params):
        count = GAME.legal_actions(state, params, work.actions)
    if count == 0:
        tree.children[node] = DEAD_END
        return
    first = _reserve(count, tree, setting)
    if first < 0:
        return
    tree.first[node] = first
    tree.children[node] = count
    for i in range(count):
        child = first + i
        tree.action[child] = work.actions[i]
        tree.children[child] = UNEXPANDED
        for slot in range(setting.slots):
            at = slot * setting.stride + child
            tree.visits[at] = 0
            tree.mean[at] = 0.0


@once
@inner
def _best_by_ucb(node: Any, slot: Any, sign: Any, tree: Any, work: Any, setting: Any) -> Any:
    """Child with the highest upper confidence bound; the first unvisited one before all others."""
    base = slot * setting.stride
    first = tree.first[node]
    end = first + tree.children[node]
    total = 0
    for child in range(first, end):
        visits = tree.visits[np.uint64(base + child)]
        if visits == 0:
            return child
        total += visits
    width = setting.exploration * _sqrt_log(total, work)
    if setting.by_range and tree.high[slot] > tree.low[slot]:
        width *= tree.high[slot] - tree.low[slot]
    best, highest = first, -math.inf
    for child in range(first, end):
        at = np.uint64(base + child)
        bound = sign * tree.mean[at] + width * _inverse_sqrt(tree.visits[at], work)
        if bound > highest:
            best, highest = child, bound
    return best


@inner
def _read_sqrt_log(n: Any, work: Any) -> Any:
    return work.sqrt_log[np.uint64(n)]


@inner
def _read_inverse_sqrt(n: Any, work: Any) -> Any:
    return work.inverse_sqrt[np.uint64(n)]


@on_device(_read_sqrt_log)  # where the tables are as long as any search can count
@inner
def _sqrt_log(n: Any, work: Any) -> Any:
    if n < len(work.sqrt_log):
        return work.sqrt_log[np.uint64(n)]
    return float(np.float32(math.sqrt(math.log(n))))


@on_device(_read_inverse_sqrt)
@inner
def _inverse_sqrt(n: Any, work: Any) -> Any:
    if n < len(work.inverse_sqrt):
        return work.inverse_sqrt[np.uint64(n)]
    return 1.0 / math.sqrt(n)


@inner
def _best_by_statistic(node: Any, slot: Any, sign: Any, tree: Any, work: Any, setting: Any) -> Any:
    """Child of the highest mean (or the most visits) in a slot, ties and unvisited ones by lot."""
    base = slot * setting.stride
    first = tree.first[node]
    best, highest, ties = first, -math.inf, 0
    for child in range(first, first + tree.children[node]):
        visits = tree.visits[base + child]
        score = sign * tree.mean[base + child]
        if setting.mate_rule == BY_VISITS:
            score = float(visits)
        elif visits == 0:
            score = math.inf
        if score > highest:
            best, highest, ties = child, score, 1
        elif score == highest:
            ties += 1
            if below(work.mate_rng, ties) == 0:
                best = child
    return best


@inner
def _walk(
    child: Any, slot: Any, weight: Any, state: Any, params: Any, length: Any, tree: Any, work: Any
) -> Any:
    """Make the move into a child and note it on the path, with the discount of what follows."""
    action = tree.action[child]
    after = GAME.apply(state, action, params)
    work.path[length] = child
    work.slot[length] = slot
    work.reward[length] = GAME.reward(state, action, after, params)
    work.discount[length] = weight
    return after


@once
@inner
def _finish(
    node: Any, state: Any, params: Any, depth: Any, start: Any, length: Any, limit: Any,
    tree: Any, work: Any, setting: Any,
) -> None:  # fmt: skip
    """End an iteration: expand the last node, play out, add the return to the moves from start."""
    if depth < limit and tree.children[node] == UNEXPANDED:
        _expand(state, params, node, tree, work, setting)
    value = _evaluate(node, state, params, limit, tree, work, setting)
    for step in range(length, start, -1):
        slot = work.slot[step]
        base = slot * setting.stride
        value = work.reward[step] + work.discount[step] * value
        at = base + work.path[step]
        visits = tree.visits[at] + 1
        tree.visits[at] = visits
        mean = tree.mean[at] + (value - tree.mean[at]) / visits
        tree.mean[at] = mean
        if setting.by_range:
            tree.low[slot] = min(tree.low[slot], mean)
            tree.high[slot] = max(tree.high[slot], mean)


@inner
def _iterate(
    node: Any, state: Any, params: Any, start: Any, limit: Any, slot: Any, stride: Any,
    tree: Any, work: Any, setting: Any,
) -> None:  # fmt: skip
    """One iteration from a node in which all teammates are equals.

    The path is noted from ``start`` on, behind that of the iteration this one is a part of. With
    each step the slot moves on by ``stride``: with 1, moves seen from different distances do not
    share statistics.
    """
    depth, length = 0, start
    work.path[length] = node
    while depth < limit and tree.children[node] > 0 and length < setting.longest:
        outcome = _outcome(state, params, tree.children[node], work)
        length += 1
        if outcome >= 0:
            node = tree.first[node] + outcome
            state = _walk(node, slot, 1.0, state, params, length, tree, work)
        else:
            sign = setting.signs[GAME.actor(state, params)]
            node = _best_by_ucb(node, slot, sign, tree, work, setting)
            state = _walk(node, slot, setting.discount, state, params, length, tree, work)
            depth += 1
            slot += stride
    _finish(node, state, params, depth, start, length, limit, tree, work, setting)


@inner
def _visits_of_children(node: Any, slot: Any, tree: Any, setting: Any) -> Any:
    first = slot * setting.stride + tree.first[node]
    total = 0
    for at in range(first, first + tree.children[node]):
        total += tree.visits[at]
    return total


@inner
def _drawn_by_visits(node: Any, slot: Any, total: Any, tree: Any, work: Any, setting: Any) -> Any:
    """A child, each with the chance that its share of the visits is."""
    child, left = tree.first[node], below(work.mate_rng, total)
    while left >= tree.visits[slot * setting.stride + child]:
        left -= tree.visits[slot * setting.stride + child]
        child += 1
    return child


@once
@inner
def _mates_choice(
    node: Any, type_: Any, own: Any, sign: Any, tree: Any, work: Any, setting: Any
) -> Any:
    """Child a weaker teammate would choose, by what is known of its own search.

    Of whom no replica was made it is not known, and it counts as an equal.
    """
    slot = setting.mate_slots[type_]
    if setting.mate_rule == BY_REPLICAS:
        replicas = _visits_of_children(node, slot, tree, setting)
        if replicas > 0:
            return _drawn_by_visits(node, slot, replicas, tree, work, setting)
        slot = own
    if setting.mate_rule == BY_UCB or setting.mate_rule == BY_REPLICAS:
        return _best_by_ucb(node, slot, sign, tree, work, setting)
    return _best_by_statistic(node, slot, sign, tree, work, setting)


@once
@jit
def open_level(root: Any, source: Any, slot: Any, is_deeper: Any, tree: Any, setting: Any) -> None:
    """Start the statistics of a level, or of the next type on it, from those before, page by page.

    Visits of a shallower level say where it looked, not where this one should: of those a level
    keeps ``setting.copy`` at most, and of the values all, unless it keeps no visit.
    """
    copy = setting.copy if is_deeper else COPY_ALL
    if source == slot and copy == COPY_ALL:
        return
    page, first = root // setting.page, root
    new, old = slot * setting.stride, source * setting.stride
    while True:
        is_last = page == tree.used[PAGE]
        end = tree.used[NEXT] if is_last else (page + 1) * setting.page
        for node in range(first, end):
            tree.visits[new + node] = min(tree.visits[old + node], copy)
            tree.mean[new + node] = tree.mean[old + node] if copy > 0 else 0.0
        if is_last:
            break
        page = np.int64(tree.link[page])
        first = page * setting.page
    tree.low[slot], tree.high[slot] = tree.low[source], tree.high[source]
    if copy == 0:
        tree.low[slot], tree.high[slot] = math.inf, -math.inf


@inner
def _is_replica_due(node: Any, slot: Any, type_: Any, tree: Any, setting: Any) -> Any:
    """Whether what the visits so far may spend together pays for one more replica of a teammate.

    Each costs twice as much as the one before it, so that most are made where there was none. In
    the slots of replicas a child's visits are how many of them chose it, and a node's mean is how
    often the plan came to it.
    """
    at = slot * setting.stride + node
    tree.mean[at] += 1.0
    replicas = _visits_of_children(node, slot, tree, setting)
    return tree.mean[at] * setting.mate_iterations >= float(setting.prices[type_] << replicas)


@inner
def _open_replica(slot: Any, tree: Any, setting: Any) -> Any:
    """Root of an empty tree on top of this one, or -1 if there is no room."""
    for i in range(USED, SPILT):
        tree.used[KEPT + i] = tree.used[i]
    root = _reserve(1, tree, setting)
    if root >= 0:
        tree.children[root] = UNEXPANDED
        tree.low[slot], tree.high[slot] = math.inf, -math.inf
    return root


@inner
def _close_replica(node: Any, root: Any, slot: Any, tree: Any, work: Any, setting: Any) -> None:
    """Count what a replica plays, its most visited move, at the node it stands for; drop its tree.

    Ties are broken by lot.
    """
    base, first = slot * setting.stride, tree.first[root]
    best, most, ties = 0, 0, 0
    for i in range(tree.children[root]):
        visits = tree.visits[base + first + i]
        if visits > most:
            best, most, ties = i, visits, 1
        elif visits == most:
            ties += 1
            if below(work.mate_rng, ties) == 0:
                best = i
    if most > 0:
        tree.visits[base + tree.first[node] + best] += 1
    for i in range(USED, SPILT):
        tree.used[i] = tree.used[KEPT + i]


@once
@inner
def _begin_mates_search(node: Any, type_: Any, tree: Any, setting: Any) -> Any:
    """Iterations that a teammate makes before it chooses at a node, this time, and from where."""
    if setting.mate_rule != BY_REPLICAS:
        return setting.mate_iterations, node
    slot = setting.mate_slots[type_]
    if not _is_replica_due(node, slot, type_, tree, setting):
        return ZERO, node
    root = _open_replica(slot, tree, setting)
    return (setting.phases[0, 2] if root >= 0 else ZERO), root


@once
@inner
def _go_on_with_mates_search(
    waits: Any, phase: Any, type_: Any, node: Any, root: Any, tree: Any, work: Any, setting: Any
) -> Any:
    """Iterations that it has still to make after one more, and its phase."""
    slot = setting.mate_slots[type_]
    if waits > 1 or setting.mate_rule != BY_REPLICAS:
        return waits - 1, phase
    phase += 1
    if phase == len(setting.phases) or setting.phases[phase, 0] > type_:
        _close_replica(node, root, slot, tree, work, setting)
        return ZERO, phase
    deeper = setting.phases[phase, 1] > setting.phases[phase - 1, 1]
    open_level(root, slot, slot, deeper, tree, setting)
    return setting.phases[phase, 2], phase


@inner
def _descend(
    at: Any, state: Any, params: Any, depth: Any, length: Any, limit: Any, into: Any, stride: Any,
    slot: Any, alone: Any, decided: Any, tree: Any, work: Any, setting: Any,
) -> Any:  # fmt: skip
    """Walk on to a leaf, or to a weaker teammate that has not ``decided`` yet; say which.

    ``alone`` is a walk of a teammate's own search, in which everybody is its equal.
    """
    while depth < limit and tree.children[at] > 0 and length < setting.longest:
        outcome, weight = _outcome(state, params, tree.children[at], work), 1.0
        if outcome >= 0:
            at = tree.first[at] + outcome
        else:
            actor = GAME.actor(state, params)
            sign, drawn = setting.signs[actor], work.drawn[actor]
            if alone or drawn >= slot:
                at = _best_by_ucb(at, into, sign, tree, work, setting)
            elif decided:
                at = _mates_choice(at, drawn, slot, sign, tree, work, setting)
                decided = False
            else:
                return at, state, depth, length, True
            weight = setting.discount
            depth += 1
        length += 1
        state = _walk(at, into, weight, state, params, length, tree, work)
        if outcome < 0:
            into += stride
    return at, state, depth, length, False


@inner
def _frame(
    waits: Any, length: Any, limit: Any, slot: Any, type_: Any, phase: Any, setting: Any
) -> Any:
    """Of the walk under way: where its path starts, how far it looks, and the slot it fills."""
    if waits == 0:
        return ZERO, limit, slot, ZERO
    bound = setting.depths[type_]
    if setting.mate_rule == BY_REPLICAS:
        bound = setting.phases[phase, 1]
    return length, bound, setting.mate_slots[type_], setting.mate_stride


@inner
def _is_anybody_weaker(slot: Any, setting: Any) -> Any:
    """Whether somebody weaker than a slot may be drawn; where not, nobody is drawn at all."""
    for player in range(len(setting.modelled)):
        if slot > 0 and setting.odds[slot, player, slot - 1] > 0.0:
            return True
    return False


@inner
def _draw_types(slot: Any, is_drawn: Any, work: Any, setting: Any) -> None:
    """Draw a slot for each teammate that may be weaker than this one; all others get this one."""
    for player in range(len(work.drawn)):
        work.drawn[player] = slot
        if is_drawn and setting.modelled[player]:
            left, drawn = uniform(work.mate_rng), 0
            while drawn < slot and left >= setting.odds[slot, player, drawn]:
                drawn += 1
            work.drawn[player] = drawn


@jit
def plain_iterations(
    root: Any, state: Any, params: Any, iterations: Any, limit: Any, slot: Any,
    tree: Any, work: Any, setting: Any, cancel: Any,
) -> Any:  # fmt: skip
    """Run iterations until ``cancel[0]`` is set; return how many were run."""
    for done in range(iterations):
        if cancel[0]:
            return done
        _iterate(root, state, params, ZERO, limit, slot, ZERO, tree, work, setting)
    return iterations


@jit
def aware_iterations(
    root: Any, state: Any, params: Any, iterations: Any, limit: Any, slot: Any,
    tree: Any, work: Any, setting: Any, cancel: Any,
) -> Any:  # fmt: skip
    """Run capability-aware iterations until ``cancel[0]`` is set; return how many were run.

    Each teammate plays as a type drawn for it would. An iteration that comes to a weaker one waits
    there until that one has made some iterations of its own. Every pass of the loop is one walk to
    a leaf, of the iteration or of the teammate it waits for: so the threads of a GPU, which search
    in step, do the same thing at the same time.
    """
    is_drawn = _is_anybody_weaker(slot, setting)
    done, waits, decided = 0, ZERO, False
    node, here, depth, length = root, state, 0, ZERO  # where the iteration stands
    mates_root, phase, type_ = root, 0, ZERO
    while done < iterations and not cancel[0]:
        if length == 0:
            work.path[0] = root
            _draw_types(slot, is_drawn, work, setting)
        at, there, steps, end, walks = node, here, depth, length, True
        if waits > 0:
            at, steps = mates_root, 0
        while walks:
            start, bound, into, stride = _frame(waits, length, limit, slot, type_, phase, setting)
            at, there, steps, end, walks = _descend(
                at, there, params, steps, end, bound, into, stride, slot, waits > 0, decided,
                tree, work, setting,
            )  # fmt: skip
            decided = False
            if walks:
                node, here, depth, length = at, there, steps, end
                type_, phase = work.drawn[GAME.actor(there, params)], 0
                waits, mates_root = _begin_mates_search(at, type_, tree, setting)
                decided = waits == 0
                if waits > 0:
                    at, steps = mates_root, 0
        _finish(at, there, params, steps, start, end, bound, tree, work, setting)
        if waits > 0:
            waits, phase = _go_on_with_mates_search(
                waits, phase, type_, node, mates_root, tree, work, setting
            )
            decided = waits == 0
        else:
            done += 1
            node, here, depth, length = root, state, 0, ZERO
    return done
