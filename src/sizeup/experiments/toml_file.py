"""The TOML file of an experiment: found and read, with errors that say the line and the key.

The parser of the standard library forgets lines; they are found again by a look at the text.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Axis, GridSpec

_Path: TypeAlias = tuple[str | int, ...]  # names of tables and keys, numbers in lists of tables

_NEEDED: Any = object()  # the default of a key that has none
_MOST_ROUNDS = 10_000
_DEEPEST = 1_000_000  # plies: more than any game has

_NAME = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_NAMES})\s*\]")
_KEY = re.compile(rf"\s*({_NAMES})\s*=")


class Kind(NamedTuple):
    """A kind of value: in words, and how to tell."""

    words: str
    fits: Callable[[Any], bool]


def _is_whole(value: Any, least: int = 1, most: float = math.inf) -> bool:
    return type(value) is int and least <= value <= most


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _ascending(value: Any) -> bool:
    depths = _is_list(value, lambda one: _is_whole(one, 1, _DEEPEST))
    return depths and bool(value) and sorted(set(value)) == value


def _is_value(value: Any) -> bool:
    return type(value) in (int, str)


def _different(value: Any) -> bool:
    return _is_list(value, _is_value) and len(set(value)) == len(value) > 0


TEXT = Kind("a non-empty string", lambda value: isinstance(value, str) and value.strip() != "")
NAME = Kind(
    "at most 100 letters, digits and hyphens, not starting with a hyphen",
    lambda value: (
        isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{,99}", value) is not None
    ),
)
ROUNDS = Kind(
    f"a whole number from 1 to {_MOST_ROUNDS:,}", lambda value: _is_whole(value, 1, _MOST_ROUNDS)
)
COUNT = Kind("a whole number of 1 or more", _is_whole)
PLACE = Kind("a whole number of 0 or more", lambda value: _is_whole(value, 0))
NUMBER = Kind("a number", _is_number)
POSITIVE = Kind("a number above 0", lambda value: _is_number(value) and value > 0)
RANGE = Kind(
    "two numbers, the smaller one first, such as [0, 100]",
    lambda value: _is_list(value, _is_number) and len(value) == 2 and value[0] < value[1],
)
SCORE = Kind("a percentage from -100 to 100", lambda value: _is_number(value) and abs(value) <= 100)
NUMBERS = Kind("a list of numbers", lambda value: _is_list(value, _is_number))
TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
TEXTS = Kind("a list of non-empty strings", lambda value: _is_list(value, TEXT.fits))
AGENTS = Kind(
    "a list of 2 or more different agents, such as ['ca:3', 'obl:1']",
    lambda value: _is_list(value, TEXT.fits) and len(set(value)) == len(value) > 1,
)
SEATS = Kind("a whole number from 2 to 4", lambda value: _is_whole(value, 2, 4))
DEPTHS = Kind("different depths in ascending order, such as [2, 4, 6, 8]", _ascending)
VALUES = Kind("a list of different whole numbers or strings", _different)


def one_of(*choices: str) -> Kind:
    """A kind of a few texts."""
    return Kind(f"one of {', '.join(choices)}", lambda value: value in choices)


def some_of(*choices: str) -> Kind:
    """A list of different texts out of a few."""
    return Kind(
        f"a list of some of {', '.join(choices)}, each once",
        lambda value: value == [] or (_different(value) and all(v in choices for v in value)),
    )


def _parse(name: str, text: str) -> dict[str, Any]:
    """Read TOML, or say in which line it is invalid."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem, _, where = str(error).partition(" (at ")
        place = where.rstrip(")").replace("end of document", f"line {len(text.splitlines())}")
        raise InvalidInput(f"{name}: {place}: {problem[:1].lower()}{problem[1:]}") from None
    except (ValueError, RecursionError):
        problem = "a number is too long, or a list is nested too deeply"
        raise InvalidInput(f"{name}: {problem}") from None


def _lines(text: str) -> dict[_Path, int]:
    """Every key and table of a text with its line; values inside a line have the line's key."""
    lines: dict[_Path, int] = {}
    counts: dict[_Path, int] = {}
    table: _Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            path = table = _numbered(_split(header[2]), header[1] == "[[", counts)
        elif key is not None:
            path = (*table, *_split(key[1]))
        else:
            continue
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], number)
    return lines


def _numbered(names: tuple[str, ...], is_new: bool, counts: dict[_Path, int]) -> _Path:
    """Path of a header: lists of tables on the way are at their last table."""
    path: _Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if is_new and place == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip("\"' ") for name in re.findall(_NAME, names))


@dataclass(frozen=True)
class TomlTable:
    """A table of a file, which gives values of the right kind, or an error that says where."""

    files: tuple[tuple[str, Mapping[_Path, int]], ...]  # names and lines, the most special first
    path: _Path
    data: Mapping[str, Any]

    def fail(self, key: str | None, problem: str) -> NoReturn:
        """Say what is wrong with a key, or with the table, and where that stands."""
        path = self.path if key is None else (*self.path, key)
        name, line = self._find(path)
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
        what = "".join(steps).removeprefix(".") + ": " if path else ""
        raise InvalidInput(f"{name}: line {line}: {what}{problem}")

    def _find(self, path: _Path) -> tuple[str, int]:
        """File and line of a path, or of the nearest thing around it that has a line."""
        for length in range(len(path), 0, -1):
            for name, lines in self.files:
                if path[:length] in lines:
                    return name, lines[path[:length]]
        return self.files[0][0], 1

    @contextmanager
    def blamed(self, key: str | None) -> Iterator[None]:
        """Say of what goes wrong in here that the value of a key is wrong."""
        try:
            yield
        except InvalidInput as error:
            self.fail(key, str(error))

    def only(self, known: Iterable[str], what: str = "keys") -> None:
        """Refuse keys that mean nothing."""
        names = list(known)
        for key in self.data:
            if key not in names:
                close = difflib.get_close_matches(key.lower(), names, n=1)
                hint = f"did you mean {close[0]!r}? " if close else ""
                self.fail(key, f"unknown; {hint}{what} are {', '.join(names)}")

    def get(self, key: str, kind: Kind, default: Any = _NEEDED) -> Any:
        """The value of a key, which must be of a kind."""
        if key not in self.data:
            if default is _NEEDED:
                self.fail(None, f"{key} is missing; expected {kind.words}")
            return default
        value = self.data[key]
        if not kind.fits(value):
            self.fail(key, f"expected {kind.words}, got {value!r}")
        return value

    def table(self, key: str) -> TomlTable:
        """A table within, empty if it is not there."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"expected a table, got {value!r}")
        return TomlTable(self.files, (*self.path, key), value)

    def tables(self, key: str) -> Iterator[TomlTable]:
        """The tables of a list of tables, none if it is not there."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.fail(key, f"expected tables that start with [[{key}]], got {value!r}")
        for number, one in enumerate(value):
            yield TomlTable(self.files, (*self.path, key, number), one)


_MOST_POINTS = 10_000
_TOO_MANY = f"the grid has more than {_MOST_POINTS:,} points; expected fewer values"
_RESERVED = ("round", "update", "total")


def read_grid(place: TomlTable) -> GridSpec:
    """Read the table ``[grid]``; see :mod:`~sizeup.experiments.spec`."""
    names: list[str] = []
    axes: list[Axis] = []
    for key, value in place.data.items():
        sign = "<" if "<" in key else ","
        new = tuple(name.strip() for name in key.split(sign))
        for name in new:
            if not name.isidentifier() or name in (*names, *_RESERVED):
                place.fail(key, f"expected new variable names, such as novice, got {name!r}")
            names.append(name)
        if not isinstance(value, str):
            axes.append(Axis(key, sign, new, _values(place, key, new, sign)))
        if axes and math.prod(len(axis.values) for axis in axes) > _MOST_POINTS:
            place.fail(key, _TOO_MANY)
    grid = GridSpec(tuple(axes), dict(_differences(place, axes)))
    _check_labels(place, grid)
    return grid


def _check_labels(place: TomlTable, grid: GridSpec) -> None:
    """Cells are named after their values, so no two points may look the same."""
    seen: set[str] = set()
    for point in grid.points():
        if point.label in seen:
            place.fail(
                grid.axes[-1].key,
                f"two points of the grid would both be called {point.label!r}; expected values "
                "that look different as text",
            )
        seen.add(point.label)


def _values(
    place: TomlTable, key: str, names: tuple[str, ...], sign: str
) -> tuple[tuple[int | str, ...], ...]:
    if sign == "<":
        depths = place.get(key, DEPTHS)
        if math.comb(len(depths), len(names)) > _MOST_POINTS:
            place.fail(key, _TOO_MANY)
        values = tuple(combinations(depths, len(names)))
        if not values:
            place.fail(key, f"expected {len(names)} depths or more, got {place.data[key]}")
        return values
    if len(names) == 1:
        return tuple((value,) for value in place.get(key, VALUES))

    def is_row(row: Any) -> bool:
        return _is_list(row, _is_value) and len(row) == len(names)

    words = f"a list of lists of {len(names)} values"
    together = Kind(words, lambda value: bool(value) and _is_list(value, is_row))
    return tuple(dict.fromkeys(map(tuple, place.get(key, together))))


def _differences(place: TomlTable, axes: list[Axis]) -> Iterator[tuple[str, tuple[str, str]]]:
    numbers = {
        name
        for axis in axes
        for column, name in enumerate(axis.names)
        if all(isinstance(together[column], int) for together in axis.values)
    }
    for key, value in place.data.items():
        if isinstance(value, str):
            high, _, low = (part.strip() for part in value.partition("-"))
            if high not in numbers or low not in numbers:
                place.fail(
                    key,
                    "expected a list of values, or the difference of two variables that are "
                    f"numbers, such as 'expert - novice'; got {value!r}",
                )
            yield key, (high, low)


def in_toml(message: str) -> str:
    """A message with the keys of the file in place of Python's names for them.

    >>> in_toml("my.toml: line 9: search.beyond: SearchOptions.beyond must be one of cap, zero")
    'my.toml: line 9: search.beyond must be one of cap, zero'
    """
    message = re.sub(r"\bSearchOptions\.(?=\w)", "search.", message)
    return re.sub(r"\b(search\.\w+): \1\b", r"\1", message)


def shipped() -> tuple[str, ...]:
    """Names of the experiments that come with Sizeup."""
    files = (resources.files("sizeup.experiments") / "data").iterdir()
    return tuple(sorted(f.name[:-5] for f in files if f.name.endswith(".toml")))


def read_toml(name: str) -> tuple[TomlTable, str, str]:
    """The top of an experiment's file on what it extends, its game's file, and its own folder."""
    files, data, home = _load(name, None, ())
    folder = str(Path(name).parent) if name.endswith(".toml") else ""
    return TomlTable(tuple(files), (), data), home, folder


def _load(
    name: str, folder: Path | None, below: tuple[str, ...]
) -> tuple[list[tuple[str, dict[_Path, int]]], dict[str, Any], str]:
    """Names and lines of a file and of what it extends, merged data, where the game's file is."""
    shown, text, beside = _text(name, folder)
    data, file = _parse(shown, text), (shown, _lines(text))
    home = _near(data.get("game"), beside)
    base = data.get("extends")
    if base is None:
        return [file], data, home
    here = TomlTable((file,), (), data)
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
    return [file, *files], _merged(merged, data), home if "game" in data else its_home


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
    except UnicodeDecodeError as error:
        raise _Missing(f"cannot read {path}: {error}") from None
    except OSError as error:
        raise _Missing(f"cannot read {path}: {error.strerror or error}") from None


def _near(game: object, folder: Path | None) -> str:
    """Where a game's file is: beside the experiment's, or else where one stands."""
    if folder is None or not isinstance(game, str) or not game.endswith(".py"):
        return ""
    from sizeup.games.contract import untagged  # here: who drives a run needs no NumPy

    file = untagged(game)
    tag, beside = game.removesuffix(file), folder / file
    return game if Path(file).is_file() and not beside.is_file() else f"{tag}{beside}"


class _Missing(InvalidInput):
    """A file that is not there."""


def _merged(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**base, **top}
    for key in base.keys() & top.keys():
        if isinstance(base[key], dict) and isinstance(top[key], dict):
            merged[key] = _merged(base[key], top[key])
    return merged
