"""The games behind the results page: play more of them, and write down what they say.

Rows that earlier runs left in docs/results are merged first, so that runs and machines add up.

Run: python tools/results.py play   (resumes until all of PROGRAMME is played; Ctrl-C is fine)
     python tools/results.py write  (rows, tables and pages into docs/results)
     python tools/results.py tables  (tables and pages anew, from the rows that are there)
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STORES, RESULTS = ROOT / "build" / "results", ROOT / "docs" / "results"
PAGES = RESULTS / "pages"
SIZEUP = Path(sys.executable).with_name("sizeup")

OPEN_ARMS = ("ca", "ora", "obl", "nu")  # of the ablation: MIN is far below, and EQ plays as OBL
LEADERBOARDS = (
    "wall-of-fire", "foraging", "connect-four", "checkers",
    "four-in-a-row", "harvest", "narrow-tunnel",
)  # fmt: skip

PROGRAMME: tuple[tuple[str, int | None, tuple[str, ...]], ...] = (
    # An experiment, how many seed blocks a cell gets (None is what its own file says), and which
    # arms (none named are all). First what was published, then until the claims are settled.
    ("wall-of-fire", None, ()),
    ("narrow-tunnel", None, ()),
    ("checkers-aware", None, ()),
    ("checkers-multi", None, ()),
    ("checkers-ablation", None, ()),
    ("minimiser", None, ()),
    ("checkers-change", 60, ()),
    ("checkers-outsider", None, ()),
    ("checkers-repeated", None, ()),
    ("checkers-three", None, ()),
    ("checkers-aware-5", None, ()),
    ("checkers-multi-5", None, ()),
    ("checkers-ablation-5", None, ()),
    ("checkers-aware", 130, ()),
    ("checkers-aware-5", 130, ()),
    ("checkers-multi", 170, ()),
    ("checkers-multi-5", 185, ()),
    ("checkers-ablation", 280, OPEN_ARMS),
    ("checkers-ablation-5", 280, OPEN_ARMS),
    # Leaderboards, all of them a little before any of them more.
    *((f"{game}-teammates", blocks, ()) for blocks in (2, 20) for game in LEADERBOARDS),
)


def main() -> None:
    """Play, or write, as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("play", "write", "tables"))
    parser.add_argument("--stores", type=Path, default=STORES, help="folder of the stores")
    parser.add_argument("--workers", default=str(os.cpu_count()), help="processes")
    parser.add_argument(
        "--allow-changes", action="store_true", help="continue although the code changed: verify"
    )
    given = parser.parse_args()
    given.stores.mkdir(parents=True, exist_ok=True)
    if given.what == "play":
        for name, blocks, arms in PROGRAMME:
            options = ["--workers", given.workers, *["--allow-changes"] * given.allow_changes]
            options += [word for arm in arms for word in ("--arm", arm)]
            options += [] if blocks is None else ["--blocks", str(blocks)]
            play(given.stores / f"{name}.db", name, options)
    elif given.what == "tables":
        for rows in sorted(RESULTS.glob("*.parquet")):
            tables(rows.stem)
    else:
        PAGES.mkdir(parents=True, exist_ok=True)
        for store in sorted(given.stores.glob("*.db")):
            write(store)
        (RESULTS / "machine.json").write_text(json.dumps(machine(), indent=1) + "\n")


def play(store: Path, name: str, options: list[str]) -> None:
    """Resume an experiment, from the rows of earlier runs if there is no store yet."""
    rows = RESULTS / f"{name}.parquet"
    if not store.exists() and rows.exists():
        changes = [word for word in options if word == "--allow-changes"]
        sizeup("merge", store, rows, "--experiment", experiment(name), *changes)
    sizeup("run", experiment(name), "--store", store, *options)


def experiment(name: str) -> str:
    """What to call an experiment: one of ours by its name, one of the examples by its file."""
    file = ROOT / "examples" / f"{name}.toml"
    return str(file) if file.exists() else name


def write(store: Path) -> None:
    """Rows to keep, and tables and a page that are made from these rows, with rounded beliefs."""
    sizeup("export", store, "--parquet", RESULTS / f"{store.stem}.parquet")
    tables(store.stem)


def tables(name: str) -> None:
    """Tables and a page from the rows that are kept."""
    kept, page = RESULTS / name, PAGES / f"report-{name}.html"
    named = ["--experiment", experiment(name)]
    files = ["--markdown", f"{kept}.md", "--csv", f"{kept}.csv", "--html", page]
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / f"{name}.db"
        sizeup("merge", again, f"{kept}.parquet", *named, "--allow-changes")
        sizeup("report", again, *named, *files)


def sizeup(*words: str | Path) -> None:
    """One command of Sizeup, shown before it runs."""
    print("$ sizeup", *words, flush=True)
    subprocess.run([SIZEUP, *words], check=True)


def machine() -> dict[str, str | int | None]:
    """What the games were played on."""
    cpu = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
         if line.startswith("model name")),
        platform.processor(),
    )  # fmt: skip
    return {"processor": cpu, "cores": os.cpu_count(), "system": platform.system()}


if __name__ == "__main__":
    main()
