"""A small, complete game to start from (``sizeup new-game``), and a test beside it."""

import keyword
import sys
import sysconfig
from importlib.machinery import PathFinder
from pathlib import Path

from sizeup.errors import InvalidInput

_SOURCE = Path(__file__).parent / "template.txt"
_TEST = '''"""{name} keeps the contract; run with: pytest test_{name}.py"""

from pathlib import Path

from sizeup.games.check import check_game
from sizeup.games.contract import load_game


def test_{name}_keeps_the_contract():
    game = load_game(str(Path(__file__).with_name("{name}.py")))
    assert check_game(game).moves > 0
'''


def write_new_game(name: str, folder: Path) -> list[Path]:
    """Write ``NAME.py`` and ``test_NAME.py``; refuse a bad name or files that are there already."""
    return write_template(name, folder, _SOURCE.read_text(), _TEST)


def write_template(name: str, folder: Path, source: str, test: str) -> list[Path]:
    """Write a module from a template, and a test beside it."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise InvalidInput(
            f"{name!r} cannot be the name of a Python module; use letters, digits and underscores, "
            "such as my_game"
        )
    if _is_installed(name):
        raise InvalidInput(
            f"{name!r} is the name of a Python module that is installed, and {name}.py would be "
            "taken for it; choose another name"
        )
    module, beside = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in (module, beside):
        if path.exists():
            raise InvalidInput(f"{path} is there already; choose another name or folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        module.write_text(source.replace("NAME", name))
        beside.write_text(test.format(name=name))
    except OSError as error:
        raise InvalidInput(f"cannot write to {folder}: {error}") from None
    return [module, beside]


def _is_installed(name: str) -> bool:
    if name == "sizeup" or name in sys.stdlib_module_names:
        return True
    return PathFinder.find_spec(name, [sysconfig.get_path("purelib")]) is not None
