"""A GPU in one place: device twins of kernels, memory and launches, by way of numba-cuda.

numba-cuda is imported when a GPU is asked for, and by no other module. A *device twin* is made of
the same source as what runs on the CPU (:func:`sizeup.jit.twin`), and its numbers are the same to
the last bit: no product and sum are made one instruction, which rounds once where a CPU rounds
twice, and what rounds otherwise on a GPU (logarithms) is read from tables.
"""

from __future__ import annotations

import importlib
import os
import re
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.jit import fingerprint, twin

__all__ = [
    "Compiler", "Cpu", "DeviceError", "Gpu", "Machine", "chosen", "describe", "gpus", "load",
    "missing", "twin_of",
]  # fmt: skip

THREADS = 128  # in a block
WARP = 32  # threads that go in step
OPTIONS: dict[str, Any] = {"lto": False, "max_registers": 64}


class DeviceError(InvalidInput):
    """A GPU that is not there, is out of memory, or has died."""


@lru_cache(maxsize=1)
def _cuda() -> Any:
    """numba-cuda's module, with its settings made ours."""
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda names it, NumPy 2.5 has it no more
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")  # or kernels wait for each other
    try:
        importlib.import_module("numba_cuda")
        cuda = importlib.import_module("numba.cuda")
    except ImportError as error:
        raise DeviceError(
            f"searches on a GPU need numba-cuda ({error}): pip install 'sizeup[gpu]'"
        ) from None
    if not _simulated():
        _compile_our_way()
    return cuda


def _simulated() -> bool:
    """Whether a GPU is merely played (``NUMBA_ENABLE_CUDASIM=1``)."""
    return bool(getattr(numba.config, "ENABLE_CUDASIM", False))


_ONCE: set[str] = set()  # functions whose code is to stand once


def _compile_our_way() -> None:
    """Have code compiled with two things that numba-cuda has no option for.

    No product and sum become one instruction, which rounds once where the CPU rounds twice; and
    functions that say so (:func:`sizeup.jit.once`) are not copied to where they are called.
    """
    nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
    made, add_module = nvvm.CompilationUnit.__init__, nvvm.CompilationUnit.add_module

    def add(self: Any, source: bytes) -> None:
        names = "|".join(f"{len(name)}{name}" for name in sorted(_ONCE))
        definition = rf"(?m)^(define .*(?:{names})B.*\))(?= *[^)]*$)"
        text = source.decode()
        add_module(self, re.sub(definition, r"\1 noinline", text).encode() if names else source)

    nvvm.CompilationUnit.__init__ = lambda self, options: made(self, {**options, "fma": False})
    nvvm.CompilationUnit.add_module = add


def missing() -> str | None:
    """Why there is no GPU to work with; None if there is one."""
    try:
        cuda = _cuda()
        if not cuda.is_available():
            return "no GPU was found that CUDA can use"
    except DeviceError as error:
        return str(error)
    return None


def describe() -> str:
    """Name and memory of the GPU."""
    cuda = _require()
    if _simulated():
        return "a GPU played by numba-cuda's simulator"
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    free, total = cuda.current_context().get_memory_info()
    return f"{name}, {free / 2**30:.0f} of {total / 2**30:.0f} GiB of memory free"


DEVICES = ("cpu", "cuda", "auto", "lanes")
"""What searches can be made on; ``lanes`` is the CPU in a GPU's place, for tests."""


def chosen(device: str) -> str:
    """The device of this name, ``auto`` being a GPU if there is one.

    >>> chosen("cpu")
    'cpu'
    >>> chosen("tpu")
    Traceback (most recent call last):
    ...
    sizeup.device.DeviceError: there is no device 'tpu'; expected cpu, cuda or auto
    """
    if device not in DEVICES:
        raise DeviceError(f"there is no device {device!r}; expected cpu, cuda or auto")
    if device == "auto":
        return "cuda" if missing() is None else "cpu"
    if device == "cuda":
        _require()
    return device


def gpus() -> list[tuple[int, int]]:
    """Number and free memory of every GPU, in bytes."""
    cuda = _require()
    if _simulated():
        return [(0, 2**26)]
    found = []
    for number in range(len(cuda.gpus)):
        with cuda.gpus[number]:
            found.append((number, int(cuda.current_context().get_memory_info()[0])))
    return found


def _require() -> Any:
    why = missing()
    if why is not None:
        raise DeviceError(f"{why}; choose --device cpu to search without one")
    return _cuda()


# Forms on a device of what its own source is no good for there, by the name that it gives.


def _count_bits(x: Any) -> Any:
    return cuda.popc(x)


def _take_next(counter: Any) -> Any:
    return cuda.atomic.add(counter, 0, 1)


_FORMS: dict[str, Callable[..., Any]] = {"count_bits": _count_bits, "take_next": _take_next}
cuda: Any = None  # set on first use, for the forms above and the kernels below


def load() -> Any:
    """numba-cuda's module."""
    global cuda
    cuda = _cuda()
    return cuda


def _jit(function: Any, *, device: bool = False, **options: Any) -> Any:
    """What numba-cuda makes of a function; its simulator knows of no options."""
    return load().jit(function, device=device, **({} if _simulated() else options))


def twin_of(module: types.ModuleType) -> types.ModuleType:
    """The device twin of a bound kernel module, and of the game it is bound to."""
    forms = {name: _jit(form, device=True, lto=False) for name, form in _FORMS.items()}

    def made(function: types.FunctionType, form: Any) -> Any:
        if isinstance(form, str):
            return forms[form]
        if "once" in function.__dict__:
            _ONCE.add(function.__name__)
        return _jit(function, device=True, lto=False) if form is None else form

    return twin(module, made)


class Machine(Protocol):
    """Where searches run side by side, and the memory that is there."""

    lanes: int  # that keep it busy
    memory: int  # bytes for trees

    def put(self, array: NDArray[Any]) -> Any:
        """An array, there."""

    def get(self, array: Any) -> NDArray[Any]:
        """An array from there, when all that was launched is done."""

    def empty(self, shape: tuple[int, ...], kind: Any) -> Any:
        """A new array there."""

    def fill(self, array: Any, value: int) -> None:
        """Set an array of one dimension there."""

    def beside(self) -> AbstractContextManager[None]:
        """Have what is launched within run beside what is launched after it, until the next get."""

    def launcher(
        self, module: types.ModuleType, kernel_of: Callable[[Any], Callable[..., None]], key: Any
    ) -> Callable[..., None]:
        """What launches a kernel there, on so many lanes, with the arguments after them.

        ``kernel_of`` makes the kernel of the device twin of the module's function ``key[0]``;
        ``key`` tells kernels of one module apart.
        """


class Cpu:
    """The processor: lane after lane, in one thread."""

    lanes = 8
    memory = 2**28

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        """As it is."""
        return array

    get = put

    def empty(self, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        """A new array."""
        return np.empty(shape, dtype=kind)

    def fill(self, array: NDArray[Any], value: int) -> None:
        """Set an array."""
        array[:] = value

    def beside(self) -> AbstractContextManager[None]:
        """One thing after the other."""
        return nullcontext()

    def launcher(
        self, module: types.ModuleType, kernel_of: Callable[[Any], Callable[..., None]], key: Any
    ) -> Callable[..., None]:
        """A processor needs no kernel, only a loop."""
        raise NotImplementedError


class Gpu:
    """A GPU: a thread for each lane.

    Parameters
    ----------
    memory
        Bytes for trees; 85 % of what is free, if not given.
    lanes
        Searches at once; as many as keep all of it busy, if not given.
    number
        Which one, of several.
    """

    def __init__(
        self, memory: int | None = None, lanes: int | None = None, number: int = 0
    ) -> None:
        self._cuda = _require()
        if not _simulated():
            self._cuda.select_device(number)
        self._stream, self._side = self._cuda.stream(), self._cuda.stream()
        self._waits: list[Any] = []  # events on the side that a get has to wait for
        if _simulated():
            self.memory, self.lanes = memory or 2**24, lanes or 4
            return
        free, _ = self._cuda.current_context().get_memory_info()
        self.memory = int(0.85 * free) if memory is None else memory
        cores = self._cuda.get_current_device().MULTIPROCESSOR_COUNT
        self.lanes = lanes or cores * _BUSY

    def put(self, array: NDArray[Any]) -> Any:
        """Copy to the GPU."""
        return self._cuda.to_device(np.ascontiguousarray(array), stream=self._stream)

    def get(self, array: Any) -> NDArray[Any]:
        """Copy from the GPU, and wait for it."""
        while self._waits:
            self._waits.pop().wait(self._stream)
        found = array.copy_to_host(stream=self._stream)
        self._stream.synchronize()
        return np.asarray(found)

    def empty(self, shape: tuple[int, ...], kind: Any) -> Any:
        """Memory of the GPU."""
        return self._cuda.device_array(shape, dtype=kind, stream=self._stream)

    def fill(self, array: Any, value: int) -> None:
        """Set an array of the GPU's."""
        blocks = -(-len(array) // THREADS)
        _filler()[blocks, THREADS, self._stream](array, value)

    @contextmanager
    def beside(self) -> Iterator[None]:
        """On another stream, which begins when this one is here and is waited for by a get."""
        start, done = self._cuda.event(), self._cuda.event()
        start.record(self._stream)
        start.wait(self._side)
        self._stream, self._side = self._side, self._stream
        try:
            yield
        finally:
            done.record(self._stream)
            self._stream, self._side = self._side, self._stream
            self._waits.append(done)

    def launcher(
        self, module: types.ModuleType, kernel_of: Callable[[Any], Callable[..., None]], key: Any
    ) -> Callable[..., None]:
        """What launches a kernel, compiled once for all time."""
        with _LOCK:
            kernel = _compiled(module, kernel_of, key)

        def launch(lanes: int, *arguments: Any) -> None:
            # Neighbours in a warp wait for each other: where there is room, each has few.
            apart = max(1, min(WARP, self.lanes // lanes))
            stream = self._stream
            with _LOCK:  # the first launch compiles
                kernel[-(-lanes * apart // THREADS), THREADS, stream](lanes, apart, *arguments)

        return launch


class Compiler(Cpu):
    """A GPU that is not there: kernels are compiled for one, and never run."""

    def __init__(self) -> None:
        if _simulated():
            raise DeviceError("NUMBA_ENABLE_CUDASIM=1 plays a GPU and compiles nothing; unset it")
        load()
        nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
        try:
            nvvm.NVVM()
        except Exception as error:  # its kind depends on which part is missing
            raise DeviceError(
                f"code for a GPU is compiled by NVIDIA's NVVM ({error}): pip install 'sizeup[gpu]'"
            ) from None

    def routines(self, function: Any, arguments: tuple[Any, ...]) -> set[str]:
        """Compile one function of a device twin alone; what it calls of CUDA's mathematics."""
        with _pretended():
            found = function.compile_device(tuple(map(numba.typeof, arguments))).library
        texts = (library.get_llvm_str() for library in (found, *found.linking_libraries))
        return {name for text in texts for name in re.findall(r"@\"?__nv_(\w+)", text)}

    def launcher(
        self, module: types.ModuleType, kernel_of: Callable[[Any], Callable[..., None]], key: Any
    ) -> Callable[..., None]:
        """What compiles a kernel, for the kinds of its arguments."""
        kernel = kernel_of(getattr(twin_of(module), key[0]))

        def compiled(lanes: int, *arguments: Any) -> None:
            signature = numba.types.void(*map(numba.typeof, (lanes, 1, *arguments)))
            with _pretended():
                self.ptx, _ = cuda.compile(kernel, signature, device=False, abi="numba", cc=_MODEL)

        return compiled


_MODEL = (9, 0)  # that code is compiled for where there is no GPU


@contextmanager
def _pretended() -> Iterator[None]:
    """Have numba-cuda believe in a GPU, which it asks for its model even to compile."""
    dispatcher: Any = importlib.import_module("numba.cuda.dispatcher")
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=_MODEL)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


_LOCK = threading.Lock()
_BUSY = 1024  # lanes for each multiprocessor
_kept: dict[tuple[int, Any], tuple[Any, types.ModuleType]] = {}


def _compiled(
    module: types.ModuleType, kernel_of: Callable[[Any], Callable[..., None]], key: Any
) -> Any:
    """A kernel, compiled once for all time."""
    if (id(module), key) not in _kept:
        function = kernel_of(getattr(twin_of(module), key[0]))
        told = "-".join(map(str, (*key, *OPTIONS.values())))
        function.__qualname__ += f"-{fingerprint(module)[:16]}-{told}"
        compiled = _jit(function, **OPTIONS)
        if not _simulated():
            compiled.enable_caching()
        _kept[id(module), key] = (compiled, module)
    return _kept[id(module), key][0]


@lru_cache(maxsize=1)
def _filler() -> Any:
    def fill(array: Any, value: Any) -> None:
        at = cuda.grid(1)
        if at < len(array):
            array[at] = value

    return _jit(fill, lto=False)
