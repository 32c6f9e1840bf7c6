"""Rooms that are verbs too: ``sizeup.play(...)`` plays a match, and is a module as well."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from typing import Any


class CallableModule(types.ModuleType):
    """A module that can be called as the function of its own name."""

    verb: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.verb(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.verb)


def make_callable(name: str, verb: Callable[..., Any]) -> None:
    """Let a module be called; its documentation begins with the function's."""
    module = sys.modules[name]
    module.__class__ = CallableModule
    vars(module)["verb"] = verb
    module.__doc__ = f"{inspect.getdoc(verb)}\n\n{module.__doc__}"
