"""A short try of an installed Sizeup without extras: it imports, plays, plans, and has its files.

Run by the environment to try: python -I tools/smoke.py   (part of make package)
"""

import subprocess
import sys
import tempfile
import time
from importlib import metadata, resources
from pathlib import Path

EXTRAS = (
    "fastapi", "gymnasium", "matplotlib", "pandas", "pettingzoo", "pyarrow", "pyspiel", "ray",
    "scipy",
)  # fmt: skip
DATA = ("py.typed", "games/template.txt", "report/page.css", "experiments/data/wall-of-fire.toml")
COMMANDS = {
    "--help": "watch",
    "--version": metadata.version("sizeup"),
    "plan": "checkers-aware",
    "plan wall-of-fire": "20 games of wall-of-fire",
    "watch wall-of-fire --team obl:2+obl:2 --delay 0": "0",
    "new-game my_game": "my_game.py",
    "check my_game.py --games 5": "keeps the contract",
}


def main() -> None:
    """Import, look at the files, play, and try the command."""
    begin = time.perf_counter()
    import sizeup

    seconds = time.perf_counter() - begin
    loaded = sorted(set(sys.modules) & {*EXTRAS, "numba", "numpy"})
    assert not loaded, f"import sizeup loads {loaded}"
    print(f"import sizeup: {1000 * seconds:.1f} ms")
    missing = [name for name in DATA if not resources.files("sizeup").joinpath(name).is_file()]
    assert not missing, f"the package has no {missing}"
    record = sizeup.play("wall-of-fire", ["ca:6+obl:2"], seed=1)
    assert type(record).from_json(record.to_json()) == record
    installed = [name for name in EXTRAS if name in sys.modules]
    assert not installed, f"a match loads {installed}"
    with tempfile.TemporaryDirectory() as folder:
        for words, expected in COMMANDS.items():
            said = sizeup_says(words.split(), folder)
            assert expected in said, f"sizeup {words} says {said!r}, which has no {expected!r}"
            print(f"sizeup {words}")


def sizeup_says(words: list[str], folder: str) -> str:
    """What the installed command prints."""
    command = [str(Path(sys.executable).with_name("sizeup")), *words]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ended.returncode == 0, f"{' '.join(command)} failed: {ended.stderr}"
    return ended.stdout


if __name__ == "__main__":
    main()
