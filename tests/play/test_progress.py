"""How far the looking has come, on a terminal and elsewhere."""

import io

from rich.console import Console

from sizeup.games.pdn import read_pdn
from sizeup.play.look import Look
from sizeup.play.progress import LookProgress

GAMES = read_pdn("11-15 23-19 8-11 22-17 * 11-15 23-19 *")


def looked(game, ply):
    return Look(game, ply, 0, "Ann", "a", 0, None)


def shown(console, games, looks):
    with LookProgress(games, console) as progress:
        for game, ply in looks:
            progress(looked(game, ply))
    return console.file.getvalue()


def test_plain_lines_at_first_and_at_every_tenth():
    console = Console(file=io.StringIO())
    many = GAMES[:1] * 25
    text = shown(console, many, [(game, ply) for game in range(25) for ply in (1, 3)])
    lines = text.splitlines()
    assert lines[0] == "game 1 of 25: 1 of 100 moves"
    assert lines[1] == "game 3 of 25: 11 of 100 moves"
    assert lines[-1] == "game 23 of 25: 91 of 100 moves"
    assert len(lines) == 10


def test_games_are_counted_by_their_own_length():
    text = shown(Console(file=io.StringIO()), GAMES, [(0, 1), (1, 2)])
    assert text == "game 1 of 2: 1 of 6 moves\ngame 2 of 2: 6 of 6 moves\n"


def test_a_bar_on_a_terminal_that_leaves_nothing_behind():
    settings = {"width": 70, "force_terminal": True, "color_system": None}
    for name, is_bar in (("xterm", True), ("dumb", False)):
        console = Console(file=io.StringIO(), _environ={"TERM": name}, **settings)
        text = shown(console, GAMES, [(0, 1), (1, 2)])
        assert ("100%" in text) == is_bar
        assert ("2 of 2: 6 of 6 moves" in text) == (not is_bar)
        assert text.endswith("\x1b[2K") == is_bar  # the line is empty again


def test_standard_error_unless_told_otherwise(capsys):
    with LookProgress(GAMES) as progress:
        progress(looked(1, 2))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "game 2 of 2: 6 of 6 moves\n")
