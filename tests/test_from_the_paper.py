"""The page "From the paper to the code" names functions, tests and commands that exist."""

import ast
import importlib
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from sizeup.agents import read_agent
from sizeup.cli import app
from sizeup.experiments.spec import shipped
from sizeup.games.contract import load_game

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "from_the_paper_to_the_code.md"
TEXT = PAGE.read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith("| paper")
]
TEX = ("Definition 4.1", *(f"Theorem 4.{n}" for n in range(2, 6)), "Lemma A.1")


def named(column, pattern):
    return sorted({found for row in ROWS for found in re.findall(pattern, row[column])})


FUNCTIONS = named(1, r"`~?(sizeup\.[\w.]+)`")
TESTS = named(2, r"`([^`]+)`")
COMMANDS = named(3, r"`([^`]+)`")


def test_every_row_has_a_function_a_test_and_a_command():
    assert len(ROWS) > 40
    for row in ROWS:
        assert len(row) == 4, row
        assert all(re.search(r"`[^`]+`", cell) for cell in row[1:]), row


def test_nothing_that_the_paper_numbers_is_left_out():
    said = " ".join(row[0] for row in ROWS)
    numbered = [
        *TEX,
        *(f"Algorithm {n}" for n in range(1, 5)),
        *(f"Table {n}" for n in range(1, 6)),
    ]
    numbered += [f"({n})" for n in range(1, 20)]
    assert [name for name in numbered if name not in said] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_exist(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        break
    for part in parts[length:]:
        found = getattr(found, part)


@cache
def names_in(path):
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", TESTS)
def test_tests_exist(name):
    path, _, test = name.partition("::")
    assert path.startswith("tests/")
    assert not test or test in names_in(path)
    assert names_in(path)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_exist(command):
    program, *words = shlex.split(command)
    {"sizeup": of_sizeup, "python": of_python, "make": of_make}[program](words)


def of_sizeup(words):
    verb, *given = words
    commands = get_command(app).commands
    assert verb in commands
    context = commands[verb].make_context(verb, list(given), resilient_parsing=False)
    if verb in ("run", "plan"):
        assert context.params["experiment"] in shipped()
    if verb in ("watch", "check"):
        load_game(given[0])
    for team in context.params.get("team") or ():
        for agent in team.split("+"):
            read_agent(agent)


def of_python(words):
    if words[:2] == ["-m", "pytest"]:
        words = words[2:]
    (file,) = words
    assert (ROOT / file).is_file()


def of_make(words):
    (target,) = words
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_a_name_that_is_not_there_would_be_found():
    with pytest.raises(AttributeError):
        test_functions_exist("sizeup.capability.beliefs.Beliefs.reduced")
    with pytest.raises(AssertionError):
        test_tests_exist("tests/planning/test_theorems.py::test_nothing")
    with pytest.raises(AssertionError):
        test_commands_exist("sizeup run checkers-awarer")
    with pytest.raises(AssertionError):
        test_commands_exist("make demos")
