"""The page's first file, with what runs before anything else arrives, and what a game needs.

Over a slow line every question costs more than a second. So the script that begins a game is part
of the first answer, which the policy for browsers allows by its hash, and so is all that the page
of a game has to know.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from sizeup.web.guard import CSP

_EARLY = '<script src="/assets/early.js"></script>'
_HERE = '<script type="application/json" id="sizeup-here">{}</script>'


class Page:
    """The first file of the built page; without one it is empty.

    ``policy`` is what browsers are told: which scripts may run, and from where.
    """

    def __init__(self, static: Path) -> None:
        index, early = static / "index.html", static / "assets" / "early.js"
        self._text = index.read_text("utf-8") if index.is_file() else ""
        self.policy = CSP
        if _EARLY in self._text:
            script = early.read_text("utf-8")
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            self._text = self._text.replace(_EARLY, f"<script>{script}</script>")
            self.policy = CSP.replace("script-src 'self'", f"script-src 'self' 'sha256-{digest}'")

    def html(self, here: Any = None) -> str:
        """The page, with what is known where it is opened."""
        known = json.dumps(here, separators=(",", ":")).replace("<", "\\u003c")
        return self._text.replace(_HERE.format("null"), _HERE.format(known))
