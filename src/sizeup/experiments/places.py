"""Where in a TOML file a value stands, so that an error can say the line and the key.

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
from typing import Any, NamedTuple, NoReturn, TypeAlias

from sizeup.errors import InvalidInput

__all__ = [
    "NEEDED",
    "Kind",
    "Path",
    "Place",
    "Source",
    "is_list",
    "is_number",
    "is_whole",
    "one_of",
    "parse",
    "some_of",
]

Path: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of tables and keys, numbers in lists of tables."""

NEEDED: Any = object()
"""The default of a key that has none."""

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


def is_whole(value: Any, least: int = 1, most: float = math.inf) -> bool:
    """Whether a value is a whole number, neither less nor more than these."""
    return type(value) is int and least <= value <= most


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return type(value) in (int, float) and math.isfinite(value)


def is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    """Whether a value is a list of things that fit."""
    return isinstance(value, list) and all(map(fits, value))


def _ascending(value: Any) -> bool:
    depths = is_list(value, lambda one: is_whole(one, 1, _DEEPEST))
    return depths and bool(value) and sorted(set(value)) == value


def _different(value: Any) -> bool:
    listed = is_list(value, lambda one: type(one) in (int, str))
    return listed and len(set(value)) == len(value) > 0


TEXT = Kind("a text", lambda value: isinstance(value, str) and value.strip() != "")
NAME = Kind(
    "at most 100 letters, digits and hyphens, of which the first is no hyphen",
    lambda value: (
        isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{,99}", value) is not None
    ),
)
ROUNDS = Kind(
    f"a whole number from 1 to {_MOST_ROUNDS}", lambda value: is_whole(value, 1, _MOST_ROUNDS)
)
COUNT = Kind("a whole number of 1 or more", is_whole)
PLACE = Kind("a whole number of 0 or more", lambda value: is_whole(value, 0))
NUMBER = Kind("a number", is_number)
SCORE = Kind("percent from -100 to 100", lambda value: is_number(value) and abs(value) <= 100)
NUMBERS = Kind("a list of numbers", lambda value: is_list(value, is_number))
TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
TEXTS = Kind("a list of texts", lambda value: is_list(value, TEXT.fits))
DEPTHS = Kind("different depths in ascending order, such as [2, 4, 6, 8]", _ascending)
VALUES = Kind("a list of different whole numbers or texts", _different)


def one_of(*choices: str) -> Kind:
    """A kind of a few texts."""
    return Kind(f"one of {', '.join(choices)}", lambda value: value in choices)


def some_of(*choices: str) -> Kind:
    """A list of different texts out of a few."""
    return Kind(
        f"a list of some of {', '.join(choices)}, each once",
        lambda value: value == [] or (_different(value) and all(v in choices for v in value)),
    )


def parse(name: str, text: str) -> dict[str, Any]:
    """Read TOML, or say in which line it is none.

    >>> parse("a.toml", "x = ?")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: a.toml: line 1, column 5: invalid value
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem, _, where = str(error).partition(" (at ")
        place = where.rstrip(")").replace("end of document", f"line {len(text.splitlines())}")
        raise InvalidInput(f"{name}: {place}: {problem[:1].lower()}{problem[1:]}") from None
    except (ValueError, RecursionError):
        raise InvalidInput(
            f"{name}: a number in it is too long, or a list nested too deeply"
        ) from None


class Source:
    """The files that an experiment was read from, the most special one first."""

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self._files = [(name, dict(_lines(text))) for name, text in files]

    def fail(self, path: Path, problem: str) -> NoReturn:
        """Say what is wrong with the value at a path, and where it stands."""
        name, line = self._find(path)
        raise InvalidInput(f"{name}: line {line}: {_dotted(path)}{problem}")

    def _find(self, path: Path) -> tuple[str, int]:
        """File and line of a path, or of the nearest thing around it that has a line."""
        for length in range(len(path), 0, -1):
            for name, lines in self._files:
                if path[:length] in lines:
                    return name, lines[path[:length]]
        return self._files[0][0], 1


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    """Every key and table of a text with its line; values inside a line have the line's key."""
    seen: set[Path] = set()
    counts: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            table = _numbered(_split(header[2]), header[1] == "[[", counts)
            paths = [table[: i + 1] for i in range(len(table))]
        elif key is not None:
            names = _split(key[1])
            paths = [(*table, *names[: i + 1]) for i in range(len(names))]
        else:
            continue
        for path in paths:
            if path not in seen:
                seen.add(path)
                yield path, number


def _numbered(names: tuple[str, ...], is_new: bool, counts: dict[Path, int]) -> Path:
    """Path of a header: lists of tables on the way are at their last table."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if is_new and place == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip("\"' ") for name in re.findall(_NAME, names))


def _dotted(path: Path) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return f"{text.lstrip('.')}: " if text else ""


@dataclass(frozen=True)
class Place:
    """A table of a file, which gives values of the right kind, or an error that says where."""

    source: Source
    path: Path
    data: Mapping[str, Any]

    def fail(self, key: str | None, problem: str) -> NoReturn:
        """Say what is wrong with a key, or with the table."""
        self.source.fail(self.path if key is None else (*self.path, key), problem)

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
                close = difflib.get_close_matches(key, names, n=1)
                hint = f"did you mean {close[0]!r}? " if close else ""
                self.fail(key, f"not known; {hint}{what} are {', '.join(names)}")

    def get(self, key: str, kind: Kind, default: Any = NEEDED) -> Any:
        """The value of a key, which must be of a kind."""
        if key not in self.data:
            if default is NEEDED:
                self.fail(None, f"{key} is missing; expected {kind.words}")
            return default
        value = self.data[key]
        if not kind.fits(value):
            self.fail(key, f"expected {kind.words}, got {value!r}")
        return value

    def table(self, key: str) -> Place:
        """A table within, empty if it is not there."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"expected a table, got {value!r}")
        return Place(self.source, (*self.path, key), value)

    def tables(self, key: str) -> Iterator[Place]:
        """The tables of a list of tables, none if it is not there."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.fail(key, f"expected tables that begin with [[{key}]], got {value!r}")
        for number, one in enumerate(value):
            yield Place(self.source, (*self.path, key, number), one)
