"""The four teams of Wall of Fire: what an expert gets if it assumes its partner sees what it sees.

A novice looks 2 moves ahead, an expert 20. Between them and a field of coins lie five columns of
fire. `make demo` runs this file.
"""

import sys
import time
from pathlib import Path

import sizeup
from sizeup.experiments.spec import read_experiment
from sizeup.play.pictures import animate
from sizeup.words import figure, percent

SEED = 1


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    begin = time.monotonic()
    print(__doc__.split("`make")[0])
    print("(the first run compiles the search for this game, which takes 10 to 40 seconds)\n")
    print(f"{'team':28}{'score':>8}{'published median':>18}")
    experiment = read_experiment("wall-of-fire")
    published = experiment.tables[0].published
    records = {}
    for arm in experiment.arms:
        record = records[arm.name] = sizeup.play(experiment.game, [arm.team], seed=SEED)
        median = published[arm.name]["total"]
        print(f"{arm.title:28}{figure(record.total):>8}{figure(median):>18}", flush=True)
    aware = records["aware"]
    print("\nWhat the aware expert believes about its partner:")
    for move in aware.moves[:4]:
        told = move.seen.get(0)
        who = ("expert", "novice")[move.player]
        learned = ""
        if told and who == "novice":
            learned = f"   P(novice) {percent(told.before[0])} -> {percent(told.after[0])}"
        print(f"  move {move.ply}: the {who} steps {move.action}{learned}")
    print("One step into the fire, one look at what the novice does, and it never goes in again.")
    picture = folder / "wall_of_fire.svg"
    picture.write_text(
        animate(
            [records["oblivious"], aware],
            ["oblivious expert and novice", "aware expert and novice"],
        )
    )
    print(f"\nwrote {picture} (open it in a browser); took {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
