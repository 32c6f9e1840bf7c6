"""``sizeup new-game``: a small, complete game to start from, and a test beside it."""

from __future__ import annotations

import keyword
from pathlib import Path

from sizeup.errors import InvalidInput

__all__ = ["write_new_game"]

_SOURCE = Path(__file__).parent / "new_game.txt"
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
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise InvalidInput(
            f"{name!r} cannot be the name of a Python module; use letters, digits and underscores, "
            "such as my_game"
        )
    game, test = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in (game, test):
        if path.exists():
            raise InvalidInput(f"{path} is there already; choose another name or folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        game.write_text(_SOURCE.read_text().replace("NAME", name))
        test.write_text(_TEST.format(name=name))
    except OSError as error:
        raise InvalidInput(f"cannot write to {folder}: {error}") from None
    return [game, test]
