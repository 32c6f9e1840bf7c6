"""Start the server: a socket, a token, a browser; and end it politely."""

from __future__ import annotations

import asyncio
import ctypes
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
from sizeup.web.app import create_app, require_page
from sizeup.web.guard import Keeper, key_in, state_folder
from sizeup.web.settings import Settings

SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes lets the event loop have its turn."""

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_LARGE = 2**20
_IN_A_BROWSER = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # where to go if it listens everywhere


def serve(settings: Settings, *, browser: bool, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C."""
    require_page(settings.static)
    if settings.store is not None:
        Store.read(settings.store).close()  # said now if there is none
    keeper = Keeper(key_in(state_folder()))
    with listen(settings.host, settings.port) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        server = Server(settings, keeper)
        if not _is_loopback(settings.host):
            tell(
                f"warning: other machines can reach {settings.host}, and the connection is not "
                "encrypted; leave out --host to serve this machine only"
            )
        tell(f"Sizeup is running at {server.address}\nPress Ctrl-C to stop")
        if browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        sys.setswitchinterval(SWITCH_INTERVAL)
        _return_freed_memory()
        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[listener]))
        tell("stopped")


class Server(uvicorn.Server):
    """The web server, which says goodbye before it closes sockets."""

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
                server_header=False, date_header=False
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
        raise InvalidInput(f"cannot listen on {host!r}: {error}; choose another --host") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InvalidInput(
            f"cannot listen on {host}, port {port}: {error.strerror}; choose another with --port"
        ) from None
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _return_freed_memory() -> None:
    """Have every array of a megabyte or more mapped on its own, so that it goes when it is dropped.

    Left alone, glibc puts arrays of up to 32 MB side by side with whatever else its threads keep,
    once one of that size was dropped; what is between two things that are kept stays with the
    process. Where the C library has no such setting, nothing is done.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
