"""OpenSpiel itself, which is an extra: imported only when it is asked for."""

from __future__ import annotations

from typing import Any

from sizeup.errors import InvalidInput

__all__ = ["import_pyspiel"]


def import_pyspiel() -> Any:
    """Return the module ``pyspiel``, or say how to come by it.

    >>> import_pyspiel().load_game("tic_tac_toe").num_players()
    2
    """
    try:
        import pyspiel
    except ImportError:
        raise InvalidInput(
            "OpenSpiel is not installed; pip install 'sizeup[open-spiel]' brings it"
        ) from None
    return pyspiel
