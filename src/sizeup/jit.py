"""Numba in one place: the options, and kernels compiled for a game, cached on disk, never stale.

Rules are written with :func:`jit`. A *kernel* is a module that asks for its game with
:func:`injected` and calls the game's rules; :func:`bind` loads such a module anew for each game.
What is cached on disk carries a fingerprint of every function and constant that the compiled code
can reach, in whatever file it stands, and of the flags that change code. So an edited rule is
never answered by old code, and two games never share any.

With ``NUMBA_DISABLE_JIT=1`` everything runs as plain Python. :func:`plain` gives the un-jitted twin
of a module in a process where Numba is on. A game that has no jitted rule at all, because they call
what Numba cannot compile, is bound to such a twin.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

from sizeup.errors import InvalidInput

__all__ = [
    "bind",
    "fingerprint",
    "injected",
    "inner",
    "is_jitted",
    "jit",
    "jit_is_off",
    "on_device",
    "once",
    "plain",
    "take_next",
    "twin",
]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
_INNER: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Without Numba's run-time (_nrt) no code counts references to the arrays it is handed: rules that
# pass a buffer on run 1.3 to 4 times as fast. The price is that rules and kernels cannot allocate,
# which they should not do anyway. forceinline: an array is seven numbers, and a call that is not
# inlined hands all of them over; searches run 1.3 times as fast. fastmath stays off: it changes the
# tree. boundscheck is left to NUMBA_BOUNDSCHECK.

_game: ContextVar[types.ModuleType | None] = ContextVar("game", default=None)
_bound: dict[tuple[str, int], tuple[types.ModuleType, types.ModuleType]] = {}


def _load_numba_without_scipy() -> None:
    """Keep Numba from importing SciPy on its first compilation, a third of the time to start.

    It does so only to learn whether SciPy is there; linear algebra still imports it when used.
    """
    from numba.np import linalg

    def is_installed() -> None:
        if importlib.util.find_spec("scipy") is None:
            raise ImportError("SciPy is not installed")

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = is_installed
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = ensure_blas  # type: ignore[attr-defined]  # it imports the name
    finally:
        linalg.ensure_blas = ensure_blas


_load_numba_without_scipy()


def jit(function: F) -> F:
    """Compile a rule or a kernel with Sizeup's options, on its first call.

    >>> @jit
    ... def twice(x):
    ...     return 2 * x
    >>> twice(21)
    42
    """
    compiled: F = numba.njit(**_OPTIONS)(function)
    return compiled


def inner(function: F) -> F:
    """Compile a part of a kernel that only compiled code calls, without a door for Python.

    The door of a function with many arrays takes longer to compile than the function.
    """
    compiled: F = numba.njit(**_INNER)(function)
    return compiled


def on_device(form: Any) -> Callable[[F], F]:
    """Say what stands for a function on a GPU, where its own source is no good or slow there.

    ``form`` is another jitted function, or the name of one of those in :mod:`sizeup.device`.
    Results must be the same.
    """

    def noted(function: F) -> F:
        getattr(function, "py_func", function).__dict__["on_device"] = form
        return function

    return noted


def once(function: F) -> F:
    """Say that a function's code is to stand once on a GPU, and not wherever it is called.

    A GPU holds little code near at hand, and waits for the rest: of the aware search's it is a
    third of what it was. What that gains has not been measured yet.
    """
    getattr(function, "py_func", function).__dict__["once"] = True
    return function


@on_device("take_next")
@inner
def take_next(counter: Any) -> Any:
    """The next number of a counter in an array of one, also where many count at once.

    >>> import numpy as np
    >>> counter = np.array([4])
    >>> int(plain(sys.modules[__name__]).take_next(counter)), counter
    (4, array([5]))
    """
    taken = counter[0]
    counter[0] = taken + 1
    return taken


def injected() -> Any:
    """Return the game that this kernel module is being bound to; None on a plain import."""
    return _game.get()


def bind(kernel: str, game: types.ModuleType) -> types.ModuleType:
    """Load the kernel module of this name anew, for ``game``, with its functions cached on disk.

    Binding the same kernel to the same game again returns the same module.
    """
    key = (kernel, id(game))
    if key not in _bound:
        module = _load_with(kernel, game)
        if inspect.getmembers(game, is_jitted):
            _enable_caching(module)
        elif not jit_is_off():
            module = plain(module)
        _bound[key] = (module, game)  # the game is kept, so that its id stays its own
    return _bound[key][0]


def _load_with(kernel: str, game: types.ModuleType) -> types.ModuleType:
    """Execute the source of ``kernel`` as a new module, with ``game`` injected."""
    spec = importlib.util.find_spec(kernel)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"there is no kernel module {kernel!r}")
    module = importlib.util.module_from_spec(spec)
    token = _game.set(game)
    try:
        spec.loader.exec_module(module)
    finally:
        _game.reset(token)
    return module


class _Cache(FunctionCache):
    """Numba's cache on disk, in which what cannot be read any more counts as missing.

    Numba takes two types of the same name for one here and there, so that compiled code may
    mention the State of another game that was loaded in the same process, in a file that is gone.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except (ImportError, AttributeError):
            return None


_warned = False


def _enable_caching(module: types.ModuleType) -> None:
    """Cache every jitted function of a bound module under a name that holds its fingerprint."""
    global _warned
    mark = fingerprint(module)[:16]
    for function in list(vars(module).values()):
        if is_jitted(function) and function.py_func.__module__ == module.__name__:
            function.py_func.__qualname__ += f"-{mark}"
            try:
                function._cache = _Cache(function.py_func)  # type: ignore[no-untyped-call]
            except (RuntimeError, OSError) as error:
                if not _warned:
                    warnings.warn(
                        f"compiled code cannot be cached ({error}); each start will compile anew. "
                        "Set NUMBA_CACHE_DIR to a directory that can be written to.",
                        RuntimeWarning,
                        stacklevel=3,
                    )
                    _warned = True


def fingerprint(module: types.ModuleType) -> str:
    """Digest of all code and constants that the functions of a module can reach.

    Functions in other files count, and so do the flags and versions that change compiled code.
    """
    flags = (numba.__version__, sys.version, _setting("BOUNDSCHECK"), str(_setting("OPT")))
    digest = hashlib.sha256(repr((flags, sorted(_OPTIONS.items()))).encode())
    for part in _Reach().parts(module):
        digest.update(part)
    return digest.hexdigest()


def plain(module: types.ModuleType) -> types.ModuleType:
    """Un-jitted twin of a module: the same source, all jitted functions replaced by plain ones.

    >>> from sizeup.games import rng
    >>> type(plain(rng).below).__name__
    'function'
    """
    return twin(module, lambda function, form: function)


def twin(
    module: types.ModuleType, made: Callable[[types.FunctionType, Any], Any]
) -> types.ModuleType:
    """A copy of a module and of all that it calls, with something else made of what is jitted.

    ``made`` is given each plain function, which calls other twins, and what stands for it on a GPU
    (:func:`on_device`; None if its own source does).
    """
    return _Twins(made).module(module)


def jit_is_off() -> bool:
    """Whether everything runs as plain Python (``NUMBA_DISABLE_JIT=1``)."""
    return bool(_setting("DISABLE_JIT"))


def _setting(name: str) -> Any:
    """One of Numba's settings, as its NUMBA_ environment variable set it."""
    return getattr(numba.config, name)


def is_jitted(value: object) -> bool:
    """Whether a value is a function that Numba compiles."""
    return isinstance(value, Dispatcher)


class _Reach:
    """A walk over everything that compiled code can depend on, in a stable order."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._kept: list[object] = []  # ids stay valid while their objects live

    def parts(self, module: types.ModuleType) -> Iterator[bytes]:
        for name, value in sorted(vars(module).items()):
            if is_jitted(value):
                yield name.encode()
                yield from self._value(value)

    def _value(self, value: Any) -> Iterator[bytes]:
        if is_jitted(value):
            value = value.py_func
        if inspect.isfunction(value):
            yield from self._function(value)
        elif isinstance(value, types.CodeType):
            yield from self._code(value)
        elif isinstance(value, (tuple, list)):
            yield f"{type(value).__qualname__}{len(value)}".encode()
            for item in value:
                yield from self._value(item)
        else:
            yield self._plain(value)

    def _plain(self, value: Any) -> bytes:
        """What stands for a value that leads nowhere else.

        An object that shows its address gives a new fingerprint in every process: such code is
        compiled anew each time, but never stale.
        """
        if isinstance(value, np.ndarray):
            return f"{value.dtype}{value.shape}".encode() + value.tobytes()
        if isinstance(value, type):
            fields = getattr(value, "_fields", ""), getattr(value, "__annotations__", "")
            return f"{value.__qualname__}{fields!r}".encode()
        if isinstance(value, types.ModuleType):
            return f"{value.__name__}{getattr(value, '__version__', '')}".encode()
        return f"{type(value).__qualname__}:{value!r}".encode()

    def _function(self, function: types.FunctionType) -> Iterator[bytes]:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        self._kept.append(function)
        yield function.__name__.encode()
        yield from self._code(function.__code__)
        yield from self._value(function.__defaults__ or ())
        for cell in function.__closure__ or ():
            yield from self._value(cell.cell_contents)
        for value in _globals_used(function):
            yield from self._value(value)
        yield from self._value(function.__dict__.get("on_device", ()))
        yield repr(function.__dict__.get("once", False)).encode()

    def _code(self, code: types.CodeType) -> Iterator[bytes]:
        yield code.co_code
        yield repr((code.co_names, code.co_varnames, code.co_freevars)).encode()
        for constant in code.co_consts:
            yield from self._value(constant)


def _globals_used(function: types.FunctionType) -> Iterator[Any]:
    """Every global that a function names, and what it reaches through global modules."""
    names = set(_names(function.__code__))
    for name in sorted(names):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield value
            if isinstance(value, types.ModuleType) and not _is_library(value):
                yield from (vars(value)[other] for other in sorted(names & set(vars(value))))


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _is_library(module: types.ModuleType) -> bool:
    """NumPy, Numba, math and the like: their version is in the fingerprint, their code is not."""
    return module.__name__.split(".")[0] in {"numpy", "numba", *sys.stdlib_module_names}


class _Twins:
    """Copies of modules in which jitted functions, and what they call, are something else."""

    def __init__(self, made: Callable[[types.FunctionType, Any], Any]) -> None:
        self._made = made
        self._twins: dict[int, Any] = {}

    def module(self, module: types.ModuleType) -> types.ModuleType:
        if id(module) not in self._twins:
            twin = self._twins[id(module)] = types.ModuleType(module.__name__)
            twin.__dict__.update(self._namespace(vars(module)))
        found: types.ModuleType = self._twins[id(module)]
        return found

    def _namespace(self, names: dict[str, Any]) -> dict[str, Any]:
        if id(names) not in self._twins:
            copy = self._twins[id(names)] = dict(names)
            copy.update({name: self._value(value) for name, value in names.items()})
        found: dict[str, Any] = self._twins[id(names)]
        return found

    def _value(self, value: Any) -> Any:
        if is_jitted(value):
            return self._function(value.py_func)
        if isinstance(value, types.ModuleType) and any(map(is_jitted, vars(value).values())):
            return self.module(value)
        return value

    def _function(self, function: types.FunctionType) -> Any:
        if id(function) not in self._twins:
            names = self._namespace(function.__globals__)
            given = function.__closure__ or ()
            cells = tuple(types.CellType() for _ in given)
            copy = types.FunctionType(function.__code__, names, function.__name__, None, cells)
            copy.__defaults__ = function.__defaults__
            copy.__dict__.update(function.__dict__)
            form = function.__dict__.get("on_device")
            self._twins[id(function)] = self._made(copy, self._value(form))
            for cell, own in zip(cells, given, strict=True):  # by now it may stand in one itself
                cell.cell_contents = self._value(own.cell_contents)
        return self._twins[id(function)]
