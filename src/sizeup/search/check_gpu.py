"""Whether a game can run on a GPU: its rules and the search of it are compiled for one.

No GPU is needed. Each rule is compiled alone first, so that an error names the rule and its line.
"""

from __future__ import annotations

import dis
import inspect
import re
import traceback
import types
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sizeup.device import Compiler, twin_of
from sizeup.errors import InvalidGame, InvalidInput
from sizeup.games.check import calls
from sizeup.games.contract import View
from sizeup.jit import is_jitted, jit_is_off
from sizeup.search.batch import Batch
from sizeup.search.searcher import Searcher

__all__ = ["GpuReport", "check_gpu"]

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_CALLED = re.compile(r"(?:>>> |No definition for lowering )(.+?)(?: -> \w+)?")
_MAKES = re.compile(r"NRT required|^(zeros|ones|empty|full|array|arange|linspace|\w+_like)\(")
_MADE = re.compile(r"\b(list|set|DictType|ListType)\b[\[(]|\bunicode_type\b")
_NOISE = ("Failed in", "During:", "File ", "-", "<source", "^", "This error", "raised from")
_ROUNDED = re.compile(
    r"a?(cos|sin|tan)h?(pi)?|atan2|sincos(pi)?|cbrt|erfc?|exp(2|10|m1)?|hypot|[lt]gamma"
    r"|log(2|10|1p)?|powi?|rsqrt"
)


class GpuReport(NamedTuple):
    """What was compiled of a game, and what to know about it."""

    rules: int
    notes: tuple[str, ...]


def check_gpu(game: types.ModuleType) -> GpuReport:
    """Compile a game for a GPU; raise :class:`InvalidGame` with the first rule that cannot be.

    The game is taken to have passed :func:`~sizeup.games.check.check_game`.
    """
    if jit_is_off():
        raise InvalidInput("NUMBA_DISABLE_JIT=1 turns all compilation off; unset it for a GPU")
    compiler, view = Compiler(), View(game)
    rules = dict(calls(game, view.start()))
    _require_what_compiles(game, rules)
    twin = twin_of(game)
    notes: dict[str, None] = {}  # in order, each once
    for rule, arguments in rules.items():
        reached = list(_reached(getattr(twin, rule)))
        try:
            routines = compiler.routines(getattr(twin, rule), arguments)
        except Exception as error:  # numba-cuda has no error for some of what it cannot do
            raise _refusal(rule, reached, _gist(error), error) from None
        notes.update(dict.fromkeys(_notes(rule, reached, routines)))
    try:
        Batch(Searcher(view, types=(1, 2)), compiler).compile()
    except Exception as error:
        raise InvalidGame(
            f"{game.INFO.name} cannot run on a GPU: its rules compile, but not the search: "
            f"{_gist(error)}"
        ) from None
    return GpuReport(len(rules), tuple(notes))


def _require_what_compiles(game: types.ModuleType, rules: Iterable[str]) -> None:
    """Refuse what could not even be tried: rules in plain Python, parameters of other kinds."""
    for rule in rules:
        if not is_jitted(function := getattr(game, rule)):
            why = "it is not jitted: put @jit (from sizeup.jit) above it"
            raise _refusal(rule, [function], why)
    for field, value in game.INFO.params._asdict().items():
        if not _is_numeric(value):
            raise InvalidGame(
                f"{game.INFO.name} cannot run on a GPU: its parameter {field} is {value!r}, "
                "expected numbers or arrays of them"
            )


def _is_numeric(value: Any) -> bool:
    """Whether a parameter can be sent to a GPU."""
    if isinstance(value, tuple):
        return all(map(_is_numeric, value))
    return np.asarray(value).dtype.kind in "biuf"


def _reached(rule: Any) -> Iterator[types.FunctionType]:
    """The functions that a rule of a device twin calls, itself first."""
    waiting, seen = [rule], set()
    while waiting:
        function = waiting.pop(0).py_func
        if function in seen:
            continue
        seen.add(function)
        yield function
        used = inspect.getclosurevars(function)
        values = [*used.nonlocals.values(), *used.globals.values()]
        for module in filter(inspect.ismodule, list(values)):
            values += [getattr(module, name, None) for name in function.__code__.co_names]
        waiting += [value for value in values if hasattr(value, "py_func")]


def _refusal(
    rule: str, reached: Sequence[types.FunctionType], why: str, error: Exception | None = None
) -> InvalidGame:
    """One line: where, which rule, and what is wrong."""
    function, line = _where(reached, error)
    through = "" if function is reached[0] else f", because of {function.__name__}"
    return InvalidGame(f"{_place(function, line)}: {rule} cannot run on a GPU{through}: {why}")


def _where(
    reached: Sequence[types.FunctionType], error: Exception | None
) -> tuple[types.FunctionType, int]:
    """The function that an error is about, and the line; that of the rule itself, if none."""
    for path, line in () if error is None else _places(error):
        for function in reached:
            code = function.__code__
            end = max(at or 0 for _, _, at in code.co_lines())
            if Path(code.co_filename).resolve() == path and code.co_firstlineno <= line <= end:
                return function, line
    return reached[0], reached[0].__code__.co_firstlineno


def _places(error: Exception) -> Iterator[tuple[Path, int]]:
    """Places in source code that an error names; else those that numba-cuda was at, last first."""
    for found in _PLACE.finditer(_said(error)):
        yield Path(found[1]).resolve(), int(found[2])
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for name in ("loc", "inst", "self"):
            value = frame.f_locals.get(name)
            loc: Any = getattr(value, "loc", value)
            if isinstance(getattr(loc, "filename", None), str):
                yield Path(loc.filename).resolve(), loc.line


def _line_of(function: types.FunctionType, operation: str) -> int | None:
    """The line where a function does something, if it does."""
    for step in dis.get_instructions(function):
        if step.opname == operation and step.positions is not None:
            return step.positions.lineno
    return None


def _place(function: types.FunctionType, line: int) -> str:
    path = Path(function.__code__.co_filename)
    near = path.is_relative_to(Path.cwd())
    return f"{path.relative_to(Path.cwd()) if near else path}:{line}"


def _said(error: Exception) -> str:
    """What an error says, without the colours that Numba may give it."""
    return _COLOUR.sub("", str(error))


def _gist(error: Exception) -> str:
    """What numba-cuda says, in a line."""
    message = _said(error)
    if "set_try_status" in message:
        return "there is no try and except there"
    if isinstance(error, RecursionError):
        return "it calls something that numba-cuda cannot compile"
    lines = [line.strip() for line in message.splitlines()]
    useful = [line for line in lines if line and not line.startswith(_NOISE)]
    called = next(filter(None, map(_CALLED.fullmatch, useful)), None)
    subject = called[1] if called else (useful or [type(error).__name__])[0]
    if _MAKES.search(subject) or _MADE.search(subject):
        return (
            "rules cannot make arrays, lists or strings there; write to the buffer they are given"
        )
    return f"there is no {subject} there" if called else subject


def _notes(rule: str, reached: Sequence[types.FunctionType], routines: set[str]) -> Iterator[str]:
    """What a rule may do on a GPU that is not quite what it does on the CPU."""
    for function in reached:
        if (line := _line_of(function, "RAISE_VARARGS")) is not None:
            yield (
                f"{_place(function, line)}: {function.__name__} may raise an error; on a GPU such "
                "a search is made again on the CPU, which raises it"
            )
    if rounded := sorted(filter(_ROUNDED.fullmatch, routines)):
        yield (
            f"{_place(reached[0], reached[0].__code__.co_firstlineno)}: {rule} uses "
            f"{', '.join(rounded)}, whose last digit may differ on a GPU, and with it the search"
        )
