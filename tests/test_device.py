"""A GPU, mostly without one: kernels are compiled for it, and run by its simulator."""

import math
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from sizeup import device
from sizeup.device import Compiler, Cpu, DeviceError, Gpu, twin_of
from sizeup.games import bits, checkers, connect_four, wall_of_fire
from sizeup.games.contract import View, load_game
from sizeup.games.seats import seat
from sizeup.jit import inner, is_jitted, jit, on_device, plain, take_next, twin
from sizeup.search import Searcher, batch
from sizeup.search.batch import Batch
from tests.search.cases import EVEN, options
from tests.search.side_by_side import asks_of, assert_as_alone, node_bytes

ROPE = str(Path(__file__).parents[1] / "benchmarks" / "rope.py")


@pytest.fixture
def compiler():
    return Compiler()


# -- compiled without a GPU ---------------------------------------------------------------------


def instructions(ptx, kind):
    """Those of one kind for floating-point numbers, with all that modifies them."""
    return re.findall(rf"\b{kind}[.a-z]*\.f(?:32|64)\b", ptx)


def assert_rounds_as_a_cpu_does(ptx):
    """Whatever does not say how it rounds may be merged with another, and is rounded once then."""
    for kind in ("add", "sub", "mul"):
        found = instructions(ptx, kind)
        assert found
        assert set(found) <= {f"{kind}.rn.f64", f"{kind}.rn.f32"}
    assert not instructions(ptx, "mad")


def ptx_of(compiler, function):
    """Code of a kernel that has one jitted function compute something of three numbers."""
    module = types.ModuleType("alone")
    module.function = function

    def kernel_of(device_function):
        def kernel(lanes, apart, numbers):
            numbers[0] = device_function(numbers)

        return kernel

    compiler.launcher(module, kernel_of, ("function",))(1, np.zeros(3))
    return compiler.ptx


@jit
def _line(numbers):
    return numbers[0] * numbers[1] + numbers[2]


@jit
def _logarithm(numbers):
    return math.log(numbers[0])


@pytest.mark.slow
def test_no_product_and_sum_become_one_instruction(compiler):
    ptx = ptx_of(compiler, _line)
    assert "mul.rn.f64" in ptx
    assert "add.rn.f64" in ptx
    assert not instructions(ptx, "fma")


BOARDS_OF_BITS = ("checkers", "connect-four", "four-in-a-row")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "turn"),
    [
        ("checkers", "go_on"),
        ("checkers", "go_on_plainly"),
        ("connect-four", "go_on"),
        ("foraging", "go_on"),
        ("four-in-a-row", "go_on"),
        ("harvest", "go_on"),
        ("narrow-tunnel", "go_on"),
        ("wall-of-fire", "go_on"),
        pytest.param(ROPE, "go_on", id="rope"),
    ],
)
def test_searches_are_compiled_for_a_gpu_and_round_as_a_cpu_does(compiler, game, turn):
    Batch(Searcher(load_game(game), (1, 2)), compiler).compile(turn)
    assert_rounds_as_a_cpu_does(compiler.ptx)
    assert re.search(r"\batom[.a-z]*\.add", compiler.ptx)  # lanes take pages from one pool
    assert ("popc.b64" in compiler.ptx) == (game in BOARDS_OF_BITS)
    # NVIDIA's own logarithm has some, for numbers beyond our tables, which are rounded anyway.
    fused = len(instructions(compiler.ptx, "fma"))
    assert fused % len(instructions(ptx_of(compiler, _logarithm), "fma")) == 0


# -- run by the simulator -----------------------------------------------------------------------


def simulate():
    """In a process where a GPU is played: searches on it find what they find on the CPU."""
    checkered = View(seat(checkers, 2, 1))
    believed = {"beliefs": {1: EVEN}}
    for game, requested in ((connect_four, {}), (wall_of_fire, believed), (checkered, believed)):
        searcher = Searcher(game, (1, 2), options(iterations=2, rollouts=1))
        assert_as_alone(searcher, asks_of(searcher, requested, moves=2), machine=Gpu(), lanes=2)
    rope = Searcher(load_game(ROPE), (1, 2), options(iterations=2, rollouts=1))
    assert_as_alone(rope, asks_of(rope, {"beliefs": {1: EVEN, 2: [1, 0]}}), machine=Gpu(), lanes=2)
    replicas = options(iterations=2, rollouts=1, teammate_rule="replicas", teammate_iterations=6)
    rope = Searcher(load_game(ROPE), (1, 2), replicas)
    assert_as_alone(rope, asks_of(rope, {"beliefs": {1: EVEN, 2: [1, 0]}}), machine=Gpu(), lanes=2)
    _simulate_pages()
    print("the same on", device.describe())


def _simulate_pages():
    """Trees that take small pages side by side, and begin anew where there are too few."""
    batch._PAGE = 8
    searcher = Searcher(connect_four, (1, 3), options(iterations=4, rollouts=1))
    asks = asks_of(searcher, {}, moves=2)
    memory = 20 * 8 * node_bytes(searcher)
    assert max(searcher.answer(ask).nodes for ask in asks) > 10 * 8
    assert_as_alone(searcher, asks, machine=Gpu(memory, lanes=4), memory=memory, lanes=4)
    with pytest.raises(DeviceError, match="bytes for trees are more than the"):
        Batch(searcher, Gpu(memory), memory=2 * memory).search_many(asks)


@pytest.mark.slow
@pytest.mark.parametrize("is_jit_off", ["0", "1"])
def test_the_simulator_of_a_gpu_finds_the_same(is_jit_off):
    command = "from tests.test_device import simulate; simulate()"
    settings = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": is_jit_off}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", command],  # un-jitted, NumPy tells of wrapping
        env={**os.environ, **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "the same on a GPU played by numba-cuda's simulator\n", done.stderr


# -- device twins -------------------------------------------------------------------------------


@inner
def _slow(x):
    return x + 1


@on_device(_slow)
@jit
def _quick(x):
    return 1 + x


@on_device("count_bits")
@jit
def _bits(x):
    return 0


def module_of(**functions):
    module = types.ModuleType("rules")
    module.__dict__.update(functions)
    return module


def test_a_twin_is_told_what_stands_for_a_function_on_a_device():
    told = {}

    def made(function, form):
        told[function.__name__] = form
        return f"twin of {function.__name__}"

    copy = twin(module_of(quick=_quick, bits=_bits, slow=_slow, other=7), made)
    assert told["_quick"] == "twin of _slow"
    assert told["_bits"] == "count_bits"
    assert told["_slow"] is None
    assert (copy.quick, copy.other) == ("twin of _quick", 7)


def test_plain_python_is_not_a_device():
    copy = plain(module_of(quick=_quick, bits=_bits, take_next=take_next))
    assert copy.quick(4) == 5
    assert copy.quick.__name__ == "_quick"
    assert copy.bits(7) == 0
    counter = np.array([3])
    assert (copy.take_next(counter), counter.tolist()) == (3, [4])


def test_functions_in_closures_have_twins_too():
    def moved_by(step):
        @jit
        def moved(x):
            return step(x) + shift

        shift = 10
        return moved

    @jit
    def doubled(x):
        return 2 * x

    original = module_of(moved=moved_by(doubled))
    copy = plain(original)
    assert copy.moved(4) == original.moved(4) == 18
    held = [cell.cell_contents for cell in copy.moved.__closure__]
    assert not any(map(is_jitted, held))
    assert is_jitted(original.moved.py_func.__closure__[1].cell_contents)


def test_a_function_that_calls_itself_from_a_closure_has_a_twin():
    def falling():
        @jit
        def steps(x):
            return 0 if x < 1 else 1 + steps(x - 1)

        return steps

    assert plain(module_of(steps=falling())).steps(5) == 5


def test_a_device_twin_has_the_forms_of_its_device():
    pytest.importorskip("numba_cuda")
    copy = twin_of(bits)
    assert copy.count_bits.py_func is device._count_bits
    assert copy._by_deposit is copy._by_halves  # of which a GPU has the instruction for neither
    assert twin_of(module_of(quick=_quick)).quick.py_func.__name__ == "_slow"


# -- no GPU -------------------------------------------------------------------------------------


@pytest.fixture
def without_gpu(monkeypatch):
    monkeypatch.setattr(device, "_cuda", lambda: types.SimpleNamespace(is_available=lambda: False))


@pytest.fixture
def without_numba_cuda(monkeypatch):
    monkeypatch.setattr(device, "_cuda", device._cuda.__wrapped__)
    monkeypatch.setitem(sys.modules, "numba_cuda", None)


def test_no_gpu_is_told_in_a_sentence(without_gpu):
    assert device.missing() == "no GPU was found that CUDA can use"
    with pytest.raises(DeviceError, match=r"no GPU was found .* choose --device cpu"):
        Gpu()
    with pytest.raises(DeviceError, match="choose --device cpu"):
        device.describe()


def test_a_package_that_is_missing_is_named(without_numba_cuda):
    assert re.fullmatch(r"searches on a GPU need numba-cuda .*: pip install .*", device.missing())
    with pytest.raises(DeviceError, match=r"pip install 'sizeup\[gpu\]'; choose --device cpu"):
        Gpu()


@pytest.mark.parametrize("missing", ["without_gpu", "without_numba_cuda"])
def test_devices_by_name(missing, request):
    request.getfixturevalue(missing)
    assert [device.chosen(name) for name in ("cpu", "auto")] == ["cpu", "cpu"]
    with pytest.raises(DeviceError, match="choose --device cpu"):
        device.chosen("cuda")
    with pytest.raises(DeviceError, match="there is no device 'tpu'; expected cpu, cuda or auto"):
        device.chosen("tpu")


def test_a_processor_has_no_kernels():
    with pytest.raises(NotImplementedError):
        Cpu().launcher(bits, lambda function: function, ("count_bits",))
