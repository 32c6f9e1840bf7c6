"""How large the house is: files, lines, who imports whom, what one move and one report touch.

``python tools/house.py`` prints a table; ``python tools/house.py --beside COMMIT`` puts another
commit's figures beside it (its files are read from Git, its code is run from a copy).
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SHIPPED_WEB = ("node_modules", "dist")

# Run in a process of its own: prints in which of the package's files a function has run.
_TOUCHED = """
import json, sys
from pathlib import Path
files, root = set(), {root!r}
def started(code, _):
    if code.co_filename.startswith(root) and code.co_flags & 1:  # of a function
        files.add(code.co_filename)
    return sys.monitoring.DISABLE if hasattr(sys, "monitoring") else None
def traced(frame, event, arg):
    started(frame.f_code, 0)
def watch(on):
    if hasattr(sys, "monitoring"):
        tool = sys.monitoring.PROFILER_ID
        if on:
            sys.monitoring.use_tool_id(tool, "house")
            sys.monitoring.register_callback(tool, sys.monitoring.events.PY_START, started)
            sys.monitoring.set_events(tool, sys.monitoring.events.PY_START)
        else:
            sys.monitoring.set_events(tool, 0)
    else:
        sys.setprofile(traced if on else None)
{body}
print("touched", json.dumps(sorted(files)))
"""
_STEP = """
from sizeup.play.match import Match, set_table
match = Match(set_table("checkers", ["ca:4@2,4+ca:2@2,4", "obl:2"]), seed=1)
for _ in range(4):
    match.step()
watch(True)
match.step()
watch(False)
"""
_RUN = """
import os, tempfile
os.chdir(tempfile.mkdtemp())
from sizeup.cli import main
watch(True)
run = "run checkers-aware --max-games 48 --workers 1 --store a.db"
for words in (run, "report a.db --html a.html"):
    sys.argv = ["sizeup", *words.split()]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end.code
watch(False)
"""


def modules(src: Path) -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for file in sorted(src.rglob("*.py")):
        parts = file.relative_to(src).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(name: str, file: Path, known: dict[str, Path]) -> set[str]:
    """Modules of the package that a module imports, anywhere in it, or binds as a kernel."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in known else node.module for one in inner}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} & set(known)
    return {one for one in found if one in known and one != name}


def with_one_importer(src: Path) -> dict[str, str]:
    """Modules (packages' doors aside) that exactly one other module imports, with that other."""
    known = modules(src)
    importers: dict[str, set[str]] = {name: set() for name in known}
    for name, file in known.items():
        for other in imports_of(name, file, known):
            importers[other].add(name)
    return {
        name: who.pop()
        for name, who in importers.items()
        if len(who) == 1 and known[name].name != "__init__.py"
    }


def served_alone(src: Path) -> list[str]:
    """Of these, modules that are neither behind their own package's door nor bound as a kernel."""
    known = modules(src)
    return [
        name
        for name, importer in with_one_importer(src).items()
        if importer != name.rpartition(".")[0] and f'"{name}"' not in known[importer].read_text()
    ]


def public_names(src: Path) -> tuple[int, int]:
    """How many names modules list in ``__all__``, and how many modules list any."""
    names = doors = 0
    for file in modules(src).values():
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                names += len(getattr(node.value, "elts", ()))
                doors += 1
    return names, doors


def meanings(src: Path) -> dict[str, list[str]]:
    """Public classes and types of one name that several modules define."""
    found: dict[str, list[str]] = {}
    for name, file in modules(src).items():
        for node in ast.parse(file.read_text()).body:
            defined = node.name if isinstance(node, ast.ClassDef) else None
            if isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation):
                defined = getattr(node.target, "id", None)
            if defined and not defined.startswith("_"):
                found.setdefault(defined, []).append(name)
    return {name: where for name, where in found.items() if len(where) > 1}


def typescript(root: Path) -> tuple[int, int]:
    """Lines of TypeScript, tests apart, and files."""
    files = [
        file
        for file in (root / "web").rglob("*.ts")
        if not set(SHIPPED_WEB) & set(file.parts) and not file.name.endswith(".test.ts")
    ]
    return sum(len(file.read_text().splitlines()) for file in files), len(files)


def touched(root: Path, body: str) -> list[str]:
    """Files of the package in which a function ran."""
    package = str(root / "src" / "sizeup")
    code = _TOUCHED.format(root=package, body=body)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
    )  # fmt: skip
    for line in done.stdout.splitlines():
        if line.startswith("touched "):
            return [os.path.relpath(file, package) for file in json.loads(line[8:])]
    raise SystemExit(f"the code could not be followed:\n{done.stderr[-2000:]}")


def figures(root: Path) -> dict[str, int]:
    """All figures of a checkout."""
    src = root / "src"
    files = list(modules(src).values())
    names, doors = public_names(src / "sizeup")
    script, script_files = typescript(root)
    return {
        "lines of src": sum(len(file.read_text().splitlines()) for file in files),
        "files of src": len(files),
        "modules with one importer": len(with_one_importer(src)),
        "of these, behind no door, and no kernels": len(served_alone(src)),
        "public names": names,
        "modules with public names": doors,
        "type names with several meanings": len(meanings(src)),
        "lines of TypeScript": script,
        "files of TypeScript": script_files,
        "files touched by one aware Match.step()": len(touched(root, _STEP)),
        "files touched by run and report --html": len(touched(root, _RUN)),
    }


def checkout(commit: str, folder: Path) -> Path:
    """Another commit's files in a folder of their own."""
    packed = subprocess.run(
        ["git", "-C", str(HERE), "archive", commit], capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder


def lists(root: Path) -> Iterator[str]:
    """What the figures count, by name."""
    src = root / "src"
    yield "modules with one importer: " + " ".join(with_one_importer(src))
    yield "of these, behind no door, and no kernels: " + " ".join(served_alone(src))
    for name, where in meanings(src).items():
        yield f"{name}: {' '.join(where)}"
    yield "one step: " + " ".join(touched(root, _STEP))
    yield "run and report: " + " ".join(touched(root, _RUN))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", help="a commit to put beside this checkout")
    parser.add_argument("--list", action="store_true", help="name what is counted")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(lists(HERE)))
        return
    now = figures(HERE)
    before: dict[str, int] = {}
    if asked.beside:
        with tempfile.TemporaryDirectory() as folder:
            before = figures(checkout(asked.beside, Path(folder)))
    for name, value in now.items():
        beside = f"{before[name]:>8,}" if before else ""
        print(f"{name:44}{beside}{value:>8,}")


if __name__ == "__main__":
    main()
