"""Golden trees: what the search builds for fixed seeds, written down.

A change of these is a change of what the search computes: every stored game and figure of other
people changes with it. Regenerate only with a reason, which is kept with them:

    python -m tests.search.golden "chance no longer takes a step of the depth limit"
"""

import hashlib
import json
import sys
from pathlib import Path

from tests.search.cases import CASES, search

FILE = Path(__file__).with_name("golden.json")


def digest(name):
    """Root table of a case in full, and a hash of everything below it."""
    result = search(name)
    nodes = hashlib.sha256()
    for part in result.tree:
        nodes.update(part.tobytes())
    return {
        "action": result.action,
        "nodes": result.nodes,
        "visits": result.visits.tolist(),
        "values": [[float(value).hex() for value in row] for row in result.values],
        "sha256": nodes.hexdigest(),
    }


def main():
    if len(sys.argv) != 2 or len(sys.argv[1].split()) < 3:
        print(__doc__, file=sys.stderr)
        print("give a reason of some words; it is kept in golden.json", file=sys.stderr)
        sys.exit(2)
    reasons = json.loads(FILE.read_text())["reasons"] if FILE.exists() else []
    kept = {"reasons": [*reasons, sys.argv[1]], "trees": {name: digest(name) for name in CASES}}
    FILE.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
