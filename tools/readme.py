"""The README as a package index shows it: addresses within the repository become whole ones.

A hook of hatchling, which builds the packages. Where the repository is says ``Repository`` in
``[project.urls]``; as long as nothing does, the README is packed as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s]+)\)")


class Readme(MetadataHookInterface):
    """Gives the packages their README."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add it to what is known of the project."""
        root = Path(self.root)
        text = (root / "README.md").read_text(encoding="utf-8")
        source = (root / "src" / "sizeup" / "__init__.py").read_text(encoding="utf-8")
        (version,) = re.findall(r'^__version__ = "(.+)"', source, re.MULTILINE)
        if home := metadata.get("urls", {}).get("Repository"):
            text = with_whole_addresses(text, home.rstrip("/"), f"v{version}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_whole_addresses(text: str, home: str, tag: str) -> str:
    """A text whose pictures and links are found from anywhere.

    >>> with_whole_addresses("![A](docs/a.svg), [B](B.md)", "https://host/us/it", "v1")
    '![A](https://host/us/it/raw/v1/docs/a.svg), [B](https://host/us/it/blob/v1/B.md)'
    """

    def whole(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}[{link[2]}]({home}/{kind}/{tag}/{link[3]})"

    return _LINK.sub(whole, text)
