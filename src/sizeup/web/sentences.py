"""Words: one sentence for each move, and what players are called.

A sentence says who plays what, and what the search's own numbers make of it; a plain one says the
same without the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.agents import AgentConfig
from sizeup.games.contract import CHANCE
from sizeup.games.look import Look
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import Table
from sizeup.play.verdict import Verdict
from sizeup.play.words import change, told_apart
from sizeup.web.offers import KINDS
from sizeup.words import figure, listed, one_line, percent, points

_Numbers: TypeAlias = NDArray[np.float64]

YOU = "you"
"""What a record calls the visitor."""

GUEST = "guest"
"""What a record calls a second person, whom the visitor has invited."""

PERSON = "person"
"""The kind of a player that is somebody else, and no agent."""

_PEOPLE = {  # what people are called, by who reads it; somebody who watches is nobody of them
    YOU: {YOU: "You", GUEST: "Your guest"},
    GUEST: {YOU: "Your host", GUEST: "You"},
    "": {YOU: "The host", GUEST: "The guest"},
}
_THEY = {words for seen in _PEOPLE.values() for words in seen.values()} - {"You"}

_TITLES = {kind: title for kind, title, _ in KINDS}
_SHOWN = 0.005  # what two decimals, or a whole per cent, can show
_A_LOOK = 0.1  # share of a search below which what it says of a move is mostly noise


def sentence(
    look: Look,
    called: Sequence[str],
    move: Move,
    types: Mapping[int, Sequence[int]],
    *,
    teams: Sequence[int],
    forced: bool = False,
    observer: int | None = None,
) -> str:
    """Say who moved, what, and what that told the one who watches best.

    Where nobody watches, the mover's own search says why it played so. ``types`` are the depths
    that each believer, by seat, considers; an ``observer`` sits there in silence.

    >>> seen = Seen(1, (0.1, 3.5), (0.5, 0.5), (0.97, 0.03), played=(4, 0), samples=4)
    >>> move = Move(2, 1, "W", 0.0, seen={0: seen})
    >>> look = Look(phrases={"W": "move west"})
    >>> print(sentence(look, ["Your partner", "You"], move, {0: (2, 20)}, teams=(0, 0)))
    You move west. A player that looks 2 ahead plays this in 4 of 4 searches and one that looks 20
    ahead in 0. Your partner is now 97 % sure of depth 2 (50 % before).
    """
    if move.player == CHANCE:
        return _by_chance(move, teams)
    what, best = _what(look, called, move, teams, forced), watcher_of(move, types)
    if best is None:
        return f"{what}{reason(look, move) or _note(move)}."
    holder = "A silent observer" if best == observer else called[best]
    return f"{what}. {_made_of_it(holder, types[best], move.seen[best])}"


def plain(
    look: Look,
    called: Sequence[str],
    move: Move,
    types: Mapping[int, Sequence[int]],
    *,
    teams: Sequence[int],
    forced: bool = False,
    observer: int | None = None,
    counting: str = "",
) -> str:
    """The same as :func:`sentence` in everyday words, without a number that is not a depth.

    ``counting`` is what the mover counts on, which is told with the reason for its move.

    >>> seen = Seen(1, (0.1, 3.5), (0.5, 0.5), (0.97, 0.03), played=(4, 0), samples=4)
    >>> move = Move(2, 1, "W", 0.0, seen={0: seen})
    >>> look = Look(phrases={"W": "move west"})
    >>> print(plain(look, ["Your partner", "You"], move, {0: (2, 20)}, teams=(0, 0)))
    You move west. Nearly all players who look 2 ahead do that, almost none who look 20 ahead. Your
    partner is now almost certain that you look 2 ahead.
    """
    if move.player == CHANCE:
        return _by_chance(move, teams)
    what, best = _what(look, called, move, teams, forced), watcher_of(move, types)
    if forced:
        return f"{what}."
    if best is None:
        why = _plain_reason(look, move)
        told = " ".join(filter(None, (f"{what}.", why, counting)))
        return told if why else f"{what}{_note(move)}."
    holder = "A silent observer" if best == observer else called[best]
    known, seen = types[best], move.seen[best]
    view = _view(holder, called[move.player], known, seen) if len(known) > 1 else ""
    return " ".join(filter(None, (f"{what}.", _crowd(known, seen), view)))


def _by_chance(move: Move, teams: Sequence[int]) -> str:
    return f"Chance decides: {one_line(move.action)}{_reward(move, '', teams)}."


def _what(look: Look, called: Sequence[str], move: Move, teams: Sequence[int], forced: bool) -> str:
    """Who did what, and what it was worth."""
    who = called[move.player]
    only = ", the only legal move" if forced else ""
    reward = _reward(move, who, teams)
    comma = "," if only and reward.startswith(" and") else ""
    return f"{does(who, look.phrase(move.action))}{only}{comma}{reward}"


def _note(move: Move) -> str:
    """What the player itself says of its move."""
    return f": {one_line(move.note).rstrip('.')}" if move.note else ""


_SHARES = ((0.9, "nearly all"), (0.6, "most"), (0.4, "about half"), (0.15, "some"), (0.03, "few"))


def _share(share: float) -> str:
    """How many of all players of a kind, in words."""
    return next((words for least, words in _SHARES if share >= least), "almost none")


def _crowd(types: Sequence[int], seen: Seen) -> str:
    """Which players do that; nothing if it is not known."""
    known = [(c, e) for c, e in zip(types, seen.evidence, strict=False) if e is not None]
    if not known:
        return ""
    if _is_unlike_all(seen):
        return "Almost no players do that, however far they look ahead."
    if len(known) > 1 and not told_apart(seen.evidence, seen.samples):
        return "Players of every depth do that about as often, so it tells nothing."
    often = [(c, n) for c, n in zip(types, seen.played, strict=False) if n is not None]
    if not seen.samples or len(often) != len(known):
        best = min(known, key=lambda one: one[1])[0]
        return f"That is most like players who look {best} ahead."
    groups: dict[str, list[int]] = {}
    for depth, count in sorted(often, key=lambda one: -one[1]):
        groups.setdefault(_share(count / seen.samples), []).append(depth)
    if len(groups) == 1 < len(often):
        best = max(often, key=lambda one: one[1])[0]
        return f"Players who look {best} ahead do that most often."
    (share, first), *others = groups.items()
    who = "Almost no" if share == "almost none" else share.capitalize()
    told = [f"{who} players who look {listed(sorted(first), 'or')} ahead do that"]
    told += [f"{words} who look {listed(sorted(c), 'or')} ahead" for words, c in others]
    return f"{', '.join(told)}."


def _is_unlike_all(seen: Seen) -> bool:
    """Whether players of all depths leave a move alone, and it was taken as a sign of none of them.

    >>> _is_unlike_all(Seen(0, (-3.0, -3.0), (0.5, 0.4), (0.3, 0.3), (0.0, 0.0), 32))
    True
    """
    asked = [count for count in seen.played if count is not None]
    least = min(share for share, _ in _SHARES)
    is_rare = bool(seen.samples and asked) and max(asked) < least * seen.samples
    return is_rare and sum(seen.after) < sum(seen.before) - _SHOWN


_SURE = ((0.95, "almost certain"), (0.75, "fairly sure"), (0.5, "inclined to think"))


def _view(holder: str, mover: str, types: Sequence[int], seen: Seen) -> str:
    """What whoever watches thinks by now."""
    person = "you" if mover == "You" else "they" if mover in _THEY else ""
    whom = (f"{person} look", f"{person} play") if person else ("it looks", "it plays")
    was, now = (_thought(types, odds, *whom) for odds in (seen.before, seen.after))
    if not now:
        return f"{holder} cannot tell yet how far {whom[0]} ahead."
    return f"{holder} is {'still' if was == now else 'now'} {now}."


def _thought(types: Sequence[int], odds: Sequence[float], looks: str, plays: str) -> str:
    """How sure somebody is of what; nothing if of nothing."""
    verdict = Verdict(tuple(types), odds)
    is_none = verdict.none > max(odds)
    likely = verdict.none if is_none else max(odds)
    what = f"{plays} like none of the depths it considers"
    what = what if is_none else f"{looks} {verdict.likeliest} ahead"
    return next((f"{sure} that {what}" for least, sure in _SURE if likely >= least), "")


def _plain_reason(look: Look, move: Move) -> str:
    """Why a search played so, without its numbers."""
    compared = _choice_of(move)
    if compared is None:
        return ""
    _, value, other, other_value = compared
    if other is None:
        return ""
    if other_value is None:
        return "It hardly considered anything else."
    named = look.phrase(other)
    if figure(value) == figure(other_value):
        return f"To {named} looked just as good."
    better = f"It expects more from that than from its next choice, to {named}."
    worse = f"It considered that most, though to {named} looked a little better in the end."
    return better if value > other_value else worse


def watcher_of(move: Move, types: Mapping[int, Sequence[int]]) -> int | None:
    """Whose view of a move is told: the deepest of those who watched it; None if nobody did."""
    watching = [p for p in move.seen if p != move.player and p in types]
    return max(watching, key=lambda p: _insight(types[p], move.seen[p]), default=None)


def _insight(types: Sequence[int], seen: Seen) -> tuple[int, int, float]:
    """The deepest player that a watcher can follow, or at least thinks of, and what it learnt."""
    known = [c for c, e in zip(types, seen.evidence, strict=False) if e is not None]
    return max(known, default=0), max(types), change(seen)


def does(who: str, phrase: str) -> str:
    """Say that somebody does something.

    >>> does("You", "move north"), does("Your partner", "move north"), does("Random", "pass")
    ('You move north', 'Your partner moves north', 'Random passes')
    >>> [does("It", verb) for verb in ("play", "try", "go", "reach")]
    ['It plays', 'It tries', 'It goes', 'It reaches']
    """
    verb, space, rest = phrase.partition(" ")
    return f"{who} {verb if who == 'You' else _third_person(verb)}{space}{rest}"


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def _reward(move: Move, who: str, teams: Sequence[int]) -> str:
    if move.reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", {points(move.reward)}"
    gain = move.reward if move.player == CHANCE or teams[move.player] == 0 else -move.reward
    verb = ("gain" if gain > 0 else "lose") + ("" if who == "You" else "s")
    return f" and {verb} {points(abs(gain))}"


def _made_of_it(holder: str, types: Sequence[int], seen: Seen) -> str:
    fit = _fit(types, seen)
    if not fit:
        return f"{holder} {_moved(types, seen)}."
    is_told = len(types) > 1 or _none(types, seen) >= 0.5
    return f"{fit}. {holder} {_moved(types, seen) if is_told else 'considers no other depth'}."


def _fit(types: Sequence[int], seen: Seen) -> str:
    """How often players of each depth would play the move; nothing if it is not known."""
    known = [(c, e) for c, e in zip(types, seen.evidence, strict=False) if e is not None]
    if not known:
        return ""
    if _is_unlike_all(seen) and not any(seen.played):
        return f"Players of no depth play this in any of {seen.samples} searches"
    if len(known) > 1 and not told_apart(seen.evidence, seen.samples):
        return "Players of every depth play this about as often, so it tells nothing"
    often = [(c, n) for c, n in zip(types, seen.played, strict=False) if n is not None]
    if not seen.samples or len(often) != len(known):  # of another rule, or from who knows where
        best = min(known, key=lambda one: one[1])[0]
        return f"It fits players that look {best} ahead best"
    first, *others = sorted(often, key=lambda one: -one[1])
    told = [f"A player that looks {first[0]} ahead plays this in {_of(first[1], seen.samples)}"]
    told += [f"one that looks {c} ahead in {count:.0f}" for c, count in others]
    return listed(told) if len(told) < 3 else ", ".join(told)


def _of(count: float, samples: int) -> str:
    return f"{count:.0f} of {samples} searches"


def _depths(depths: Sequence[int]) -> str:
    return f"depth{'s' if len(depths) > 1 else ''} {listed(depths)}"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """What is believed now, of what is most likely, and what was."""
    none = _none(types, seen)
    if none >= 0.5:
        return f"is now {percent(none)} sure that this is none of the depths it considers"
    top, was_top = _likeliest(seen.after), _likeliest(seen.before)
    odds, ago = percent(seen.after[top[0]]), percent(seen.before[top[0]])
    now = "still" if top == was_top and odds == ago else "now"
    if len(top) == len(types) > 1:
        return f"{now} finds all depths equally likely"
    depths = _depths([types[at] for at in top])
    if len(top) > 1:
        return f"{now} finds {depths} most likely, at {odds} each"
    then = "" if odds == ago else f" ({ago} before)"
    if seen.after[top[0]] >= 0.5:
        return f"is {now} {odds} sure of {depths}{then}"
    return f"{now} finds {depths} most likely, at {odds}{then}"


def _none(types: Sequence[int], seen: Seen) -> float:
    return Verdict(tuple(types), seen.after).none


def _likeliest(odds: Sequence[float]) -> list[int]:
    return [at for at, p in enumerate(odds) if max(odds) - p < _SHOWN]


def reason(look: Look, move: Move) -> str:
    """What the mover's search expected of the move, beside the one that it tried most after it.

    Nothing for a move that was not the search's choice, or whose search is not recorded.

    >>> search = {"types": [2], "actions": ["E", "N"]}
    >>> search |= {"visits": [[70, 30]], "values": [[12.5, 1.0]]}
    >>> reason(Look(), Move(1, 0, "E", -2.0, search=search))
    ': looking 2 moves ahead, it expects 12.5 points from this, and 1 from its next choice (play N)'
    """
    compared = _choice_of(move)
    if compared is None:
        return ""
    depth, value, other, other_value = compared
    looking = f": looking {depth} move{'s' * (depth != 1)} ahead, it"
    expects = f"{looking} expects {points(value)} from this"
    if other is None:
        return expects
    if other_value is None:
        return f"{expects}, and hardly tried anything else"
    words = _compared(value, other_value)
    return f"{looking} {words} from its next choice ({look.phrase(other)})"


def _choice_of(move: Move) -> tuple[int, float, str | None, float | None] | None:
    """The mover's depth, what it expected, and of which other move it expected what.

    No other move if there was none to compare with, and no value of one that was hardly tried.
    None for a move that was not the search's choice, or whose search is not recorded.
    """
    found = None if move.search is None else _own_row(move.search)
    if found is None or move.action not in found[1]:
        return None
    depth, actions, visits, values = found
    played = actions.index(move.action)
    if visits[played] < visits.max() or not np.isfinite(values[played]):
        return None
    others = [at for at in np.argsort(-visits, kind="stable") if at != played]
    value = float(values[played])
    if not others or not np.isfinite(values[others[0]]):
        return depth, value, None, None
    is_tried = visits[others[0]] >= _A_LOOK * visits.sum()
    return depth, value, actions[others[0]], float(values[others[0]]) if is_tried else None


def expectation(move: Move) -> float | None:
    """What the mover's search expected of its move; None if that is not known."""
    compared = _choice_of(move)
    return None if compared is None else compared[1]


def _compared(value: float, other: float) -> str:
    """It plays what it tried most, which need not be what promises most."""
    this, that = points(value), figure(other)
    if that == figure(value):
        return f"expects {this} from this, and as much"
    if other > value:
        return f"tried this most, though it expects {this} from it, and {that}"
    return f"expects {this} from this, and {that}"


def _own_row(search: dict[str, Any]) -> tuple[int, list[str], _Numbers, _Numbers] | None:
    """Depth of the mover itself, actions, visits, values; None if they make no sense.

    A record may come from anywhere.
    """
    try:
        depth, actions = int(search["types"][-1]), [str(action) for action in search["actions"]]
        visits = np.array(search["visits"][-1], dtype=np.float64)
        values = np.array(search["values"][-1], dtype=np.float64)  # None becomes NaN
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        return None
    fits = visits.shape == values.shape == (len(actions),)
    return (depth, actions, visits, values) if fits else None


def _configs_of(told: Record | Table) -> tuple[AgentConfig | None, ...]:
    """The agents of a match by seat; None for a person or a function."""
    if isinstance(told, Record):
        return told.agents
    return tuple(seated.config for seated in told.seats)


def players_data(told: Record | Table, viewer: str = YOU) -> list[dict[str, Any]]:
    """Players by seat, as plain data for whoever looks.

    >>> from sizeup.play import set_table
    >>> players_data(set_table("connect-four", ["ca:8@2,8", "random"]))[0]
    {'seat': 0, 'team': 0, 'called': 'Capability-aware 8', 'name': 'ca:8', 'kind': 'ca', 'depth': 8}
    """
    seats = zip(told.names, told.teams, _configs_of(told), called(told, viewer), strict=True)
    return [
        {"seat": seat, "team": team, "called": words, **_player(name, config, viewer)}
        for seat, (name, team, config, words) in enumerate(seats)
    ]


def _player(name: str, config: AgentConfig | None, viewer: str) -> dict[str, Any]:
    if config is None:
        kind = YOU if name == viewer else PERSON if name in (YOU, GUEST) else "other"
        return {"name": name, "kind": kind, "depth": None}
    return {"name": name.partition("@")[0], "kind": config.name, "depth": config.depth}


def called(told: Record | Table, viewer: str = YOU) -> list[str]:
    """What each player is called, in sentences and everywhere else; no two are called alike.

    A ``viewer`` who plays is "You"; the one with no name only watches.

    >>> from sizeup.play import set_table
    >>> called(set_table("connect-four", ["ca:8@2,8+obl:2", "obl:2"]))
    ['Capability-aware 8', 'Oblivious 2 (seat 2)', 'Oblivious 2 (seat 3)']
    """
    words = titles_of(told)
    people = _PEOPLE[viewer] if YOU in told.names else {}
    if viewer in told.names:
        mine = told.teams[told.names.index(viewer)]
        sides = {True: "Your partner", False: "Your opponent"}
        words = [sides[team == mine] for team in told.teams]
    agents = (config is not None for config in _configs_of(told))
    seats = zip(told.names, words, agents, strict=True)
    words = [word if is_agent else people.get(name, word) for name, word, is_agent in seats]
    return [
        word if words.count(word) == 1 else f"{word} (seat {seat})"
        for seat, word in enumerate(words, start=1)
    ]


def titles_of(told: Record | Table) -> list[str]:
    """Kind and depth of each agent in words; another player's own name."""
    return [
        _title(name, config) for name, config in zip(told.names, _configs_of(told), strict=True)
    ]


def _title(name: str, config: AgentConfig | None) -> str:
    if config is None:
        return _PEOPLE[YOU].get(name, name)
    title = _TITLES.get(config.name, config.name.removesuffix(".py"))
    return title if config.depth is None else f"{title} {config.depth}"
