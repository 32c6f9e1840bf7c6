"""Three players of different depth size each other up; planning is exact.

They share one avatar in a hall with burning corridors. A longer corridor hides a larger prize, but
a player that cannot look as far as the prize sees only fire, and turns back.
"""

from itertools import permutations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sizeup.capability import TypeSet, assemble, distance
from sizeup.planning import Planner, corridors, play_episode

NAMES = ("Ann", "Ben", "Cat")
DEPTHS = (6, 4, 2)
LENGTHS, PRIZES = (1, 3, 5), (3.0, 16.0, 100.0)
SHOWN, TURNS = 10, 40


def main():
    console = Console(highlight=False)
    planner = Planner(corridors(3, LENGTHS, PRIZES), TypeSet(sorted(DEPTHS)))
    introduce(console)
    episode = play_episode(planner, DEPTHS, turns=SHOWN, seed=0)
    total = 0.0
    for move in episode.moves:
        total += move.reward
        show_move(console, planner, move, total)
    compare(console, planner)


def introduce(console):
    console.print("\n[bold]Three players size each other up[/bold]\n")
    for length, prize in zip(LENGTHS, PRIZES, strict=True):
        road = Text.assemble("  hall ", ("🔥 " * length, "red"), (f"prize {prize:g}", "yellow"))
        console.print(road)
    console.print(
        "\nThree players take turns moving one avatar. Each tile of fire costs 1. Ann looks 6 "
        "steps ahead, Ben 4, Cat 2; nobody knows how far the others look. After each move, "
        "everyone updates their belief about the mover, alone, and only over depths up to their "
        "own. A belief about yourself is what your moves tell the others.\n\n"
        "Beliefs form one type structure if each of them is a deeper player's, cut off at the "
        "holder's own depth. That is checked after each move.\n"
    )


def show_move(console, planner, move, total):
    where = planner.game.state_names[move.state]
    action = planner.game.action_names[move.action]
    words = {
        "stay": "stays in the hall",
        "back": "goes back to the hall",
        "on": f"goes on ({where.step + 1} deep)" if move.reward < 0 else "goes on, to the prize",
    }.get(action, f"enters the corridor of {action.removeprefix('enter ')}")
    actor = NAMES[move.actor]
    console.print(
        f"[bold]{move.turn + 1}. {actor}[/bold] {words}   "
        f"[dim]reward {move.reward:+g}, so far {total:+g}[/dim]"
    )
    for holder, name in enumerate(NAMES):
        belief = move.beliefs[holder]
        who = "self" if holder == move.actor else actor
        line = Text(f"   {name} ({DEPTHS[holder]}) about {who:6} ")
        if belief.stronger_than_me()[move.actor]:
            line.append(f" deeper than me: I treat {who} as {DEPTHS[holder]}", "cyan")
        else:
            append_bars(line, planner.types, belief.probabilities()[move.actor], DEPTHS[holder])
        console.print(line)
    assemble(move.beliefs)  # raises if any two beliefs disagree
    gap = distance(move.beliefs)
    console.print(
        "   [green]✓ one type structure[/green] "
        f"[dim](largest difference after reduction: {gap:g})[/dim]\n"
    )


def append_bars(line, types, shares, own):
    for depth, share in zip(types, shares, strict=True):
        if depth <= own:
            filled = round(8 * share)
            line.append(f" {depth} ")
            line.append("█" * filled + "░" * (8 - filled), "cyan")
            line.append(f" {share:4.0%} ")


def compare(console, planner):
    table = Table(title=f"Total reward in {TURNS} moves (with any seed)")
    table.add_column("depths, in seat order")
    for plan in ("oblivious", "public", "aware"):
        table.add_column(plan, justify="right")
    for order in permutations(DEPTHS):
        totals = [
            play_episode(planner, order, turns=TURNS, seed=0, plan=plan).total
            for plan in ("oblivious", "public", "aware")
        ]
        table.add_row(" ".join(map(str, order)), *(f"{total:g}" for total in totals))
    console.print(table)
    console.print(
        "[bold]oblivious[/bold]: everyone sees what I see.  [bold]public[/bold]: only what even "
        "the weakest can infer.  [bold]aware[/bold]: each plans on its own typed belief.\n\n"
        "Ann finds out that Ben will carry on through 3 tiles of fire but not through 5, and plans "
        "for it. Cat cannot work that out, so a public agent has to do without it.\n"
    )


if __name__ == "__main__":
    main()
