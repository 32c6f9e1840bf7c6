"""An experiment is a TOML file: what is played, what is compared, and what was published.

::

    name = "partners"                    # letters, digits and hyphens
    title = "Aware and oblivious partners"
    question = "Does awareness of a weaker partner win games?"
    game = "checkers"                    # a name, a module, or a Python file (beside this one)
    types = [2, 4, 6, 8]                 # the depths that agents take for possible
    blocks = 25                          # seed blocks for each cell; or games = 100, for each cell
    balance = ["sides", "team"]          # what varies within a block
    against = "obl:{opponent}"           # whom every arm plays, if it does not say otherwise
    comparisons = ["aware", "aware - oblivious"]

    [grid]                               # every combination of these is a point
    "novice < expert" = [2, 4, 6, 8]     # all pairs in ascending order (or triples, ...)
    opponent = ["novice", "expert"]      # a value that names a variable stands for its value
    delta = "expert - novice"            # computed, to group by

    [arms.aware]                         # an arm at a point is a cell
    team = "ca:{expert}+obl:{novice}"
    search = { teammate_iterations = 5 } # these two are for the team of this arm
    agents = { forget = 0.1 }

    [arms.oblivious]
    team = "obl:{expert}+obl:{novice}"

    [[tables]]                           # arms side by side, rows by a variable, and the total
    by = "opponent"
    published.aware = { novice = 26.0, expert = -21.2, total = 2.4 }

Every other key, all of them optional:

``params``
    Parameters of the game that differ from its own (``{ king_value = 1.5 }``).
``outsiders``
    Depths that agents may have although they are not among ``types``.
``rounds``
    Games one after the other, with the same seats, in which beliefs carry over.
``search``, ``agents``
    As in an arm, for everybody: options of :class:`~sizeup.search.SearchOptions`, and
    ``temperature``, ``clip``, ``forget``, ``prior`` and ``common_seed`` of
    :class:`~sizeup.agents.AgentConfig`, which concern agents that plan on beliefs.
``extends``
    Another experiment (a name, or a file beside this one) that this one is like: what is written
    here comes on top of it.
``grid``: ``"before, after" = [[2, 8], [8, 2]]``
    Values that belong together.
``arms.NAME``: ``title``, ``against``
    What the arm is called in tables, and whom it plays.
``tables``: ``title``, ``measure``, ``member``, ``about``
    ``measure`` is ``"score"`` (percent of wins minus losses), ``"reward"`` (median of the team's
    reward) or ``"deviation"`` (of the belief of ``member``, counted from 0, about the teammate
    ``about``, or all). ``by`` can also be ``"round"``, or ``"update"`` for deviations.

A member of a team is an agent such as ``ca:8``, ``ca:8@2,8`` (with its own idea of what is
possible) or ``random``, or one that changes: ``obl:2 until 10 then obl:8`` is an ``obl:8`` from the
moment when its team has made 10 moves. An oracle is told.

A block holds one game for each side (``"sides"``: the team plays both; side 0 moves first) and each
order of the team's (``"team"``) and of its opponents' seats (``"against"``); all its games, in all
arms, have the same seed.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.places import NAME, TEXT, Place, Source, parse
from sizeup.experiments.reading import Reader

__all__ = ["Experiment", "read_experiment", "shipped"]


def shipped() -> tuple[str, ...]:
    """Names of the experiments that come with Sizeup.

    >>> "checkers-aware" in shipped()
    True
    """
    folder = resources.files("sizeup.experiments") / "data"
    return tuple(
        sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    )


def read_experiment(name: str | Path) -> Experiment:
    """Read an experiment: the name of one that comes with Sizeup, or the path of a TOML file.

    Whatever is wrong is said in one line with the file, the line, the key and what was expected.

    >>> aware = read_experiment("checkers-aware")
    >>> aware.games, aware.cells[0].label, aware.cells[0].team.members
    (960, 'ca 2<4', ('ca:4@2,4,6,8', 'obl:2'))
    """
    files, data, home = _load(str(name), None, ())
    read = Reader(Place(Source(files), (), data), home).experiment()
    return replace(read, file=Path(name).name if str(name).endswith(".toml") else "")


def _load(
    name: str, folder: Path | None, below: tuple[str, ...]
) -> tuple[list[tuple[str, str]], dict[str, Any], str]:
    """Texts of a file and of what it extends, the merged data, and where the game's file is."""
    shown, text, beside = _text(name, folder)
    data = parse(shown, text)
    home = _near(data.get("game"), beside)
    base = data.get("extends")
    if base is None:
        return [(shown, text)], data, home
    here = Place(Source([(shown, text)]), (), data)
    here.get("extends", TEXT)
    here.get("name", NAME)  # not to be had from elsewhere
    if base in below:
        here.fail("extends", f"{base!r} extends itself, by way of {', '.join(below)}")
    try:
        files, merged, its_home = _load(base, beside, (*below, base))
    except _Missing as error:
        here.fail("extends", str(error))
    if "games" in data or "blocks" in data:  # one replaces the other
        merged = {key: value for key, value in merged.items() if key not in ("games", "blocks")}
    return [(shown, text), *files], _merge(merged, data), home if "game" in data else its_home


def _text(name: str, folder: Path | None) -> tuple[str, str, Path | None]:
    """What to call a file, its text, and the folder of files beside it."""
    if not name.endswith(".toml"):
        if name not in shipped():
            close = difflib.get_close_matches(name, shipped(), n=1)
            hint = f"did you mean {close[0]!r}? Experiments are" if close else "expected one of"
            raise _Missing(
                f"there is no experiment {name!r}; {hint} {', '.join(shipped())}, or a file that "
                "ends in .toml"
            )
        file = resources.files("sizeup.experiments") / "data" / f"{name}.toml"
        return f"{name}.toml", file.read_text(encoding="utf-8"), None
    path = Path(name) if folder is None else folder / name
    try:
        return str(path), path.read_text(encoding="utf-8-sig"), path.parent
    except (OSError, UnicodeDecodeError) as error:
        raise _Missing(f"cannot read {path}: {error}") from None


def _near(game: object, folder: Path | None) -> str:
    """Where a game's file is: beside the experiment's, or else where one stands."""
    if folder is None or not isinstance(game, str) or not game.endswith(".py"):
        return ""
    beside = folder / game
    return game if Path(game).is_file() and not beside.is_file() else str(beside)


class _Missing(InvalidInput):
    """A file that is not there."""


def _merge(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            value = _merge(below, value)
        merged[key] = value
    return merged
