"""Notebooks are kept with their outputs, so that they can be read where nothing runs.

The documentation's build executes them. ``write`` takes their outputs from there; ``check``, the
end of ``make docs``, finds out whether those that are kept are still what comes out. Pictures and
what depends on the clock are not compared.

Run: python tools/notebooks.py write|check   (after make docs)
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
KEPT, EXECUTED = DOCS / "notebooks", DOCS / "_build" / "jupyter_execute" / "notebooks"

_PLACE = re.compile(r" at 0x[0-9a-f]+")  # in memory: another one every time


def main() -> None:
    """Write the outputs, or check them."""
    what = sys.argv[1:]
    if what not in (["write"], ["check"]):
        sys.exit("usage: python tools/notebooks.py write|check")
    stale = [path.name for path in sorted(KEPT.glob("*.ipynb")) if differs(path)]
    if what == ["check"] and stale:
        sys.exit(f"outputs of {', '.join(stale)} are old: python tools/notebooks.py write")
    for name in stale:
        write(KEPT / name)


def differs(path: Path) -> bool:
    """Whether what a notebook shows is not what came out of it."""
    kept, executed = (read(folder / path.name) for folder in (KEPT, EXECUTED))
    return shown(kept) != shown(executed)


def read(path: Path) -> dict[str, Any]:
    """A notebook as it is on the disk."""
    if not path.is_file():
        sys.exit(f"{path} is missing: make docs executes notebooks")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def shown(notebook: dict[str, Any]) -> list[str]:
    """The text that each cell prints and ends with; progress is displayed, and depends on time."""
    return [
        "".join(
            _PLACE.sub("", text(output.get("text") or output["data"].get("text/plain", "")))
            for output in whole(cell.get("outputs", ()))
            if output["output_type"] in ("stream", "execute_result")
        )
        for cell in notebook["cells"]
    ]


def whole(outputs: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Outputs without what is printed twice.

    The build adds everything that a cell prints to the first piece, and leaves the others as they
    are. How many pieces there are depends on how fast the machine is.
    """
    seen = set()
    for output in outputs:
        if output["output_type"] == "stream":
            if output["name"] in seen:
                continue
            seen.add(output["name"])
        yield output


def text(lines: str | list[str]) -> str:
    """A text that may be written in pieces."""
    return "".join(lines)


def is_progress(output: dict[str, Any]) -> bool:
    """Whether an output says how far something was: all that is displayed as text."""
    return output["output_type"] == "display_data" and not any(
        kind.startswith("image/") for kind in output["data"]
    )


def write(path: Path) -> None:
    """Keep what came out, and nothing of when and by whom it was executed."""
    notebook, executed = read(path), read(EXECUTED / path.name)
    for cell, done in zip(notebook["cells"], executed["cells"], strict=True):
        if cell["cell_type"] == "code":
            cell["outputs"] = [one for one in whole(done["outputs"]) if not is_progress(one)]
            cell["execution_count"] = done["execution_count"]
    written = _PLACE.sub("", json.dumps(notebook, indent=1, ensure_ascii=False))
    path.write_text(f"{written}\n")
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
