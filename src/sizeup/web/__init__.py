"""The local web app: play with a partner that sizes you up, watch, replay, read results."""

import importlib.util

from sizeup.errors import InvalidInput

__all__ = ["require_web"]


def require_web() -> None:
    """Refuse, with what to install, where the web app's libraries are missing.

    >>> require_web()
    """
    needed = ("fastapi", "uvicorn", "websockets")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise InvalidInput(
            f"the web app needs {', '.join(missing)}: install it with pip install 'sizeup[web]'"
        )
