"""The pictures that environments make: text, pixels, or print in the terminal."""

from __future__ import annotations

from typing import Any

from sizeup.adapters.pixels import Pixels, pixels_of
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.games.drawing import Picture, describe
from sizeup.play.show import board, print_board

__all__ = ["RENDER_MODES", "checked_mode", "render"]

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed in the terminal, as text, as pixels."""


def render(view: View, state: Any, mode: str | None) -> str | Pixels | None:
    """Draw a state the way a render mode wants it; None draws nothing.

    >>> from sizeup.games import connect_four
    >>> four = View(connect_four)
    >>> render(four, four.start(), "rgb_array").shape
    (390, 552, 3)
    """
    if mode == "rgb_array":
        return pixels_of(describe(view.game, state, view.params))
    if mode == "ansi":
        return str(Picture(view.game, state, view.params)) + "\n"
    if mode == "human":
        from rich.console import Console

        print_board(Console(highlight=False), board(view, state))
    return None


def checked_mode(mode: str | None) -> str | None:
    """One of the modes, or None."""
    if mode is None or mode in RENDER_MODES:
        return mode
    raise InvalidInput(
        f"there is no render mode {mode!r}; expected one of {', '.join(RENDER_MODES)}"
    )
