"""The real server in a process of its own, as a user starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

_SIZEUP = Path(sys.executable).with_name("sizeup")


class Server:
    """``sizeup serve`` on a free port; it can be killed and started again at the same place.

    With ``own``, files of games and agents (``..._agent.py``) are offered beside those of Sizeup.
    With the file of a ``study``, that is run, and kept in the store.
    """

    def __init__(
        self,
        folder: Path,
        store: Path | None = None,
        own: Sequence[Path] = (),
        study: Path | None = None,
    ) -> None:
        self._verb = ["serve"] if study is None else ["study", str(study)]
        self._environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
        self._store = store
        self._own = [str(path) for path in own]
        self.process: subprocess.Popen[str] | None = None
        self.address = ""
        self.start(port=0)

    @property
    def root(self) -> str:
        """The address without the token."""
        return self.address.partition("/?")[0]

    def start(self, port: int | None = None) -> None:
        """Start, and wait until it says where it is."""
        wanted = urlsplit(self.root).port if port is None else port
        command = [str(_SIZEUP), *self._verb, "--no-browser", "--port", str(wanted)]
        for file in self._own:
            command += ["--agent", file] if file.endswith("_agent.py") else [file]
        if self._store is not None:
            command += ["--store", str(self._store)]
        self.process = subprocess.Popen(
            command,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said: list[str] = []
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
                # What it says later must not fill the pipe and stop it.
                self._listener = threading.Thread(target=self.process.stdout.read, daemon=True)
                self._listener.start()
                return
        raise AssertionError(f"sizeup serve did not start: {''.join(said)}")

    def kill(self) -> None:
        """End it as a crash does."""
        assert self.process is not None
        self.process.kill()
        self._gone()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
            self._gone()

    def _gone(self) -> None:
        assert self.process is not None
        self.process.wait(timeout=30)
        self._listener.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
