"""Slow references that share no code with the library: exact fractions, plain recursion.

``Values`` is the recursion of the exact typed planner written down word by word; ``Omniscient``
is a Bayes filter that can evaluate every type and knows nothing of energies, reductions or type
structures. Both read a game's arrays and nothing else.
"""

from fractions import Fraction
from itertools import product
from math import prod


class Values:
    """W(s, h, c, C) and Q^c(s, C, a) to the team of the planner."""

    def __init__(self, game, discount, leaf="zero"):
        self.game, self.discount, self.leaf = game, Fraction(discount), leaf
        self.memo = {}

    def actions(self, s):
        return [a for a, t in enumerate(self.game.successor[s]) if t >= 0]

    def reward(self, s, a, team):
        return Fraction(float(self.game.reward[s, a])) * (1 if team == 0 else -1)

    def next(self, s, a):
        return int(self.game.successor[s, a])

    def chance(self, s, a):
        return Fraction(float(self.game.chance[s, a]))

    def w(self, s, h, c, types, team):
        key = (s, h, c, types, team)
        if key not in self.memo:
            self.memo[key] = self._w(*key)
        return self.memo[key]

    def _w(self, s, h, c, types, team):
        actor = int(self.game.actor[s])
        if actor == -2:
            return Fraction(0)
        if actor == -1:
            return sum(
                self.chance(s, a)
                * (self.reward(s, a, team) + self.w(self.next(s, a), h, c, types, team))
                for a in self.actions(s)
            )
        if h == 0:
            return self.rollout(s, c, team) if self.leaf == "random" else Fraction(0)
        q = {
            a: self.reward(s, a, team)
            + self.discount * self.w(self.next(s, a), h - 1, c, types, team)
            for a in self.actions(s)
        }
        if self.game.teams[actor] != team or types[actor] == "worst":
            return min(q.values())
        if types[actor] >= c:
            return max(q.values())
        theirs = self.q(s, types[actor], types, team)
        best = [a for a in theirs if theirs[a] == max(theirs.values())]
        return sum(q[a] for a in best) / len(best)

    def rollout(self, s, steps, team):
        key = ("rollout", s, steps, team)
        if key not in self.memo:
            self.memo[key] = self._rollout(s, steps, team)
        return self.memo[key]

    def _rollout(self, s, steps, team):
        actor = int(self.game.actor[s])
        if actor == -2 or (actor >= 0 and steps == 0):
            return Fraction(0)
        if actor == -1:
            return sum(
                self.chance(s, a)
                * (self.reward(s, a, team) + self.rollout(self.next(s, a), steps, team))
                for a in self.actions(s)
            )
        total = sum(
            self.reward(s, a, team) + self.discount * self.rollout(self.next(s, a), steps - 1, team)
            for a in self.actions(s)
        )
        return total / len(self.actions(s))

    def q(self, s, c, types, team):
        """Value of each action to a planner of type c, everybody capped at c."""
        capped = tuple(t if t == "worst" else min(t, c) for t in types)
        return {
            a: self.reward(s, a, team)
            + self.discount * self.w(self.next(s, a), c - 1, c, capped, team)
            for a in self.actions(s)
        }


class Omniscient:
    """P(type of each player | history), with access to every type's values."""

    def __init__(self, game, types, discount, prior=None):
        self.game, self.types = game, types
        self.values = Values(game, discount)
        self.players = range(len(game.teams))
        prior = [Fraction(1, len(types))] * len(types) if prior is None else prior
        self.mass = [dict(zip(types, prior, strict=True)) for _ in self.players]

    def up_to(self, player, c):
        """P(type of player | type <= c, history), or None if that has probability 0."""
        below = {t: m for t, m in self.mass[player].items() if t <= c}
        total = sum(below.values())
        return {t: m / total for t, m in below.items()} if total else None

    def policy(self, state, c):
        """Chance of each action of the actor at ``state`` if it is of type c."""
        q = self.q(state, c)
        best = [a for a in q if q[a] == max(q.values())]
        return {a: Fraction(a in best, len(best)) for a in q}

    def q(self, state, c):
        """Value of each action to the actor at ``state`` if it is of type c."""
        actor = int(self.game.actor[state])
        team = self.game.teams[actor]
        belief = [self.up_to(player, c) or {c: Fraction(1)} for player in self.players]
        belief[actor] = {c: Fraction(1)}
        for player in self.players:
            if self.game.teams[player] != team:
                belief[player] = {c: Fraction(1)}
        q = dict.fromkeys(self.values.actions(state), Fraction(0))
        for assignment in product(*belief):
            weight = prod(belief[player][t] for player, t in enumerate(assignment))
            if weight:
                for a, value in self.values.q(state, c, assignment, team).items():
                    q[a] += weight * value
        return q

    def see(self, state, action):
        """Bayes' rule for the actor's type, after its action."""
        actor = int(self.game.actor[state])
        likelihood = {c: self.policy(state, c)[action] for c in self.types}
        for c in self.types:
            self.mass[actor][c] *= likelihood[c]


class HiddenTypes:
    """Planning while types stay hidden for some steps: by Bayes' rule."""

    def __init__(self, values, me, c, steps):
        self.values, self.game = values, values.game
        self.me, self.c, self.steps = me, c, steps
        self.team = self.game.teams[me]

    def ends(self, s):
        """Where chance leads: (probability, reward, state)."""
        if self.game.actor[s] != -1:
            return [(Fraction(1), Fraction(0), s)]
        return [
            (self.values.chance(s, a) * p, self.values.reward(s, a, self.team) + r, t)
            for a in self.values.actions(s)
            for p, r, t in self.ends(self.values.next(s, a))
        ]

    def q(self, s, belief, ahead):
        discount = self.values.discount
        return {
            a: self.values.reward(s, a, self.team)
            + discount
            * sum(
                p * (r + self.v(t, belief, ahead + 1))
                for p, r, t in self.ends(self.values.next(s, a))
            )
            for a in self.values.actions(s)
        }

    def v(self, s, belief, ahead):
        actor = int(self.game.actor[s])
        if ahead == self.steps or actor == -2:
            left = self.c - ahead
            return sum(w * self.values.w(s, left, self.c, C, self.team) for C, w in belief.items())
        if actor == self.me:
            return max(self.q(s, belief, ahead).values())
        if self.game.teams[actor] != self.team:
            return min(self.q(s, belief, ahead).values())
        total = Fraction(0)
        for a in self.values.actions(s):
            joint = {C: w * self.play(s, C, actor, ahead)[a] for C, w in belief.items()}
            mass = sum(joint.values())
            if mass:
                total += mass * self.q(s, {C: w / mass for C, w in joint.items()}, ahead)[a]
        return total

    def play(self, s, types, actor, ahead):
        if types[actor] < self.c:
            values = self.values.q(s, types[actor], types, self.team)
        else:
            left = self.c - ahead - 1
            values = {
                a: self.values.reward(s, a, self.team)
                + self.values.discount
                * self.values.w(self.values.next(s, a), left, self.c, types, self.team)
                for a in self.values.actions(s)
            }
        best = [a for a in values if values[a] == max(values.values())]
        return {a: Fraction(a in best, len(best)) for a in values}
