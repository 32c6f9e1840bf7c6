"""Start the server: a socket, a token, a browser; and end it politely."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import uvicorn

from sizeup.errors import InvalidInput
from sizeup.experiments.store import Store
from sizeup.web.app import create_app
from sizeup.web.cookies import Keeper, key_in, state_folder
from sizeup.web.memory import give_back
from sizeup.web.pages import require_page
from sizeup.web.settings import Settings

__all__ = ["SWITCH_INTERVAL", "Server", "listen", "serve"]

SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes lets the event loop have its turn."""

_IN_A_BROWSER = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # all addresses are none to go to


def serve(settings: Settings, *, browser: bool, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    settings
        The caps, and where to listen; port 0 takes any that is free.
    browser
        Whether to open a browser.
    tell
        Called with each line for whoever started it.
    """
    require_page(settings.static)
    if settings.store is not None:
        Store.read(settings.store).close()  # said now if there is none
    keeper = Keeper(key_in(state_folder()))
    with listen(settings.host, settings.port) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        server = Server(settings, keeper)
        if not _is_loopback(settings.host):
            tell(
                f"warning: {settings.host} can be reached from other machines, and nothing between "
                "them and this one is encrypted; leave --host out to stay on this machine"
            )
        tell(f"Sizeup is at {server.address}\nCtrl-C stops it")
        if browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        sys.setswitchinterval(SWITCH_INTERVAL)
        give_back()
        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[listener]))
        tell("stopped")


class Server(uvicorn.Server):
    """The web server, which says goodbye before it closes sockets.

    Parameters
    ----------
    settings
        The caps; its host and port are those of the sockets that are served.
    keeper
        Who is let in.
    """

    def __init__(self, settings: Settings, keeper: Keeper) -> None:
        app, self.hub = create_app(settings, keeper)
        name = _IN_A_BROWSER.get(settings.host, settings.host)
        name = f"[{name}]" if ":" in name else name
        self.address = f"http://{name}:{settings.port}/?token={keeper.token}"
        super().__init__(
            uvicorn.Config(
                app, access_log=False, log_level="warning", lifespan="on",
                ws="websockets-sansio", ws_max_size=16 * settings.message_bytes,
                ws_per_message_deflate=False, h11_max_incomplete_event_size=16384,
                limit_concurrency=4 * settings.sockets, timeout_graceful_shutdown=5,
                server_header=False, date_header=False,
            )
        )  # fmt: skip

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop games and close sockets."""
        await self.hub.stop()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket to serve; one that cannot be had is said in one line."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except (OSError, OverflowError) as error:
        raise InvalidInput(f"cannot listen at {host!r}: {error}; give another --host") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InvalidInput(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --port"
        ) from None
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
