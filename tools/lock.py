"""Write constraints-hashes.txt: every package of constraints.txt with the hash of its archive.

pip checks what it downloads against these hashes (``pip install --require-hashes -r
constraints-hashes.txt``, then ``pip install --no-deps -e .``). They are those of the archives that
pip chooses on the system and the Python that this is run with; the file's first line names them.

Run: python tools/lock.py   (part of make lock)
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "constraints-hashes.txt"


def main() -> None:
    """Ask pip what it would install, and write down the hashes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [
                sys.executable, "-m", "pip", "install", "--quiet", "--dry-run",
                "--ignore-installed", "--report", report,
                "--constraint", ROOT / "constraints.txt", f"{ROOT}[dev]",
            ],
            check=True,
        )  # fmt: skip
        found = json.loads(report.read_text(encoding="utf-8"))
    TARGET.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    print(f"wrote {TARGET.name}")


def lines(report: dict[str, Any]) -> Iterator[str]:
    """The file, from pip's report."""
    system = f"{platform.system()} {platform.machine()}, CPython {platform.python_version()}"
    yield f"# Hashes of the archives of constraints.txt for {system} (python tools/lock.py)"
    packages = {}
    for one in report["install"]:
        hashes = one["download_info"].get("archive_info", {}).get("hashes", {})
        if "sha256" in hashes:  # all but Sizeup itself
            packages[one["metadata"]["name"].lower()] = one["metadata"]["version"], hashes["sha256"]
    for name, (version, digest) in sorted(packages.items()):
        yield f"{name}=={version} --hash=sha256:{digest}"


if __name__ == "__main__":
    main()
