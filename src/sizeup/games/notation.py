"""Actions and states as people write them: what a game says itself, or else a plain default.

An action is by default its number. A state is by default its fields, ``first=0 second=8 side=1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sizeup.errors import IllegalAction, InvalidInput

if TYPE_CHECKING:
    from sizeup.games.contract import View

__all__ = ["action_from_text", "action_text", "state_from_text", "state_text"]


def action_text(view: View, state: Any, action: int) -> str:
    """Write a legal action.

    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.games.contract import View
    >>> world = View(wall_of_fire)
    >>> [world.action_text(world.start(), action) for action in world.actions(world.start())]
    ['N', 'E', 'S', 'W']
    """
    if action not in view.actions(state):
        raise IllegalAction(f"action {action!r} is not legal here; legal are {view.actions(state)}")
    written = getattr(view.game, "action_text", None)
    if written is None:
        return str(action)
    text: str = written(state, action, view.params)
    return text


def action_from_text(view: View, state: Any, text: str) -> int:
    """Read a legal action; capitals and space around it do not matter."""
    reader = getattr(view.game, "action_from_text", None)
    if reader is not None:
        found: int = reader(state, text, view.params)
        return found
    legal = {action_text(view, state, action): action for action in view.actions(state)}
    meant = {action for name, action in legal.items() if name.lower() == str(text).strip().lower()}
    if len(meant) == 1:
        return meant.pop()
    options = ", ".join(legal) or "none: the game is over"
    raise InvalidInput(f"{text!r} is not a legal action here; legal are {options}")


def state_text(view: View, state: Any) -> str:
    """Write a state on one line."""
    written = getattr(view.game, "state_text", None)
    if written is not None:
        text: str = written(state, view.params)
        return text
    return " ".join(f"{name}={value}" for name, value in _fields(state))


def state_from_text(view: View, text: str) -> Any:
    """Read a state.

    >>> from sizeup.games import harvest
    >>> from sizeup.games.contract import View
    >>> View(harvest).state_from_text("turn=4 growth=2 sown=0")
    State(turn=4, growth=2, sown=0)
    """
    from sizeup.games.contract import misfit

    reader = getattr(view.game, "state_from_text", None)
    state = _read_fields(view, text) if reader is None else reader(text, view.params)
    problem = misfit(state, view.info.state_bounds)
    if problem:
        raise InvalidInput(f"{text!r} is not a state of {view.info.name}: it has {problem}")
    return state


def _fields(state: Any, prefix: str = "") -> list[tuple[str, int]]:
    """Names and values of a state's fields, those of inner states with their path."""
    fields: list[tuple[str, int]] = []
    for name, value in zip(state._fields, state, strict=True):
        inner = isinstance(value, tuple)
        fields += _fields(value, f"{prefix}{name}.") if inner else [(prefix + name, int(value))]
    return fields


def _read_fields(view: View, text: str) -> Any:
    model = view.start()
    names = [name for name, _ in _fields(model)]
    given = dict(part.partition("=")[::2] for part in str(text).split())
    try:
        values = {name: int(value) for name, value in given.items()}
    except ValueError:
        values = {}
    if list(values) != names:
        raise InvalidInput(
            f"{text!r} is not a state of {view.info.name}; expected a text like "
            f"{state_text(view, model)!r}"
        )
    return _filled(model, values, "")


def _filled(model: Any, values: dict[str, int], prefix: str) -> Any:
    """Return a state like ``model`` with other values."""
    fields = (
        _filled(value, values, f"{prefix}{name}.")
        if isinstance(value, tuple)
        else values[prefix + name]
        for name, value in zip(model._fields, model, strict=True)
    )
    return type(model)(*fields)
