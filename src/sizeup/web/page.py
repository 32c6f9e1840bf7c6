"""The page's first file, with what runs before anything else arrives, and what a game needs.

Over a slow line every question costs more than a second. So the script that begins a game and the
styles are part of the first answer, which the policy for browsers allows by their hashes, and so is
all that the page of a game has to know. It arrives while the line would only wait for the code of
the page, which a browser asks for as soon as it has the answer's headers (``CODE``).
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from sizeup.web.guard import CSP

CODE = "</assets/app.js>; rel=modulepreload"
"""What every page needs beside its first file, as the value of a ``Link`` header."""

_EARLY = '<script src="/assets/early.js"></script>'
_STYLES = '<link rel="stylesheet" crossorigin href="/assets/app.css">'
_HERE = '<script type="application/json" id="sizeup-here">{}</script>'


class Page:
    """The first file of the built page; without one it is empty.

    ``policy`` is what browsers are told: which scripts may run and which styles count, and from
    where.
    """

    def __init__(self, static: Path) -> None:
        index = static / "index.html"
        self._text = index.read_text("utf-8") if index.is_file() else ""
        self.policy = CSP
        self._include(_EARLY, static / "assets" / "early.js", "script")
        self._include(_STYLES, static / "assets" / "app.css", "style")

    def _include(self, mark: str, file: Path, kind: str) -> None:
        """Put a file in place of the mark that asks for it, and allow it by its hash."""
        if mark in self._text:
            content = file.read_text("utf-8")
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self._text = self._text.replace(mark, f"<{kind}>{content}</{kind}>")
            own = f"{kind}-src 'self'"
            self.policy = self.policy.replace(own, f"{own} 'sha256-{digest}'")

    def html(self, here: Any = None) -> str:
        """The page, with what is known where it is opened."""
        known = json.dumps(here, separators=(",", ":")).replace("<", "\\u003c")
        return self._text.replace(_HERE.format("null"), _HERE.format(known))
