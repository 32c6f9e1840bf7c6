"""Results of a real small store, also while it grows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser.axe import findings, smallest_letters, width
from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import DESK, MINUS, PHONE

pytestmark = pytest.mark.slow

_SIZEUP = str(Path(sys.executable).with_name("sizeup"))


_EXPERIMENT = """
name = "small-fire"
title = "Wall of Fire, with players that look less far"
question = "Does a small store look like a large one?"
game = "wall-of-fire"
types = [2, 4]
blocks = 3
balance = []

[arms.oblivious]
title = "oblivious expert + novice"
team = "obl:4+obl:2"

[arms.aware]
title = "aware expert + novice"
team = "ca:4+obl:2"

[[tables]]
title = "Median reward"
published = { oblivious = -20, aware = -2 }
"""


def _run(store: Path, games: int) -> None:
    """Play the first games of the experiment, or go on with them."""
    experiment = store.with_suffix(".toml")
    experiment.write_text(_EXPERIMENT)
    command = [_SIZEUP, "run", str(experiment), "--store", str(store), "--workers", "1"]
    subprocess.run([*command, "--max-games", str(games)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A server of a store with the first of three blocks."""
    folder = tmp_path_factory.mktemp("store")
    store = folder / "games.db"
    _run(store, 2)
    server = Server(folder, store)
    yield server, store
    server.stop()


def test_from_a_number_to_its_games_to_a_replay(visit: Visit, shown: tuple[Server, Path]) -> None:
    visitor = visit(shown[0])
    page = visitor.open("/results", ".experiment")
    assert "unfinished" in page.locator(".experiment").inner_text()
    page.locator(".experiment").click()
    page.wait_for_selector(".results")
    table = page.locator(".results").inner_text()
    assert "published" in table
    assert f"{MINUS}20" in table
    assert "1, 2 to come" in table
    assert page.locator(".forest .published").count() == 2
    assert "sizeup run games.toml" in page.locator(".command").inner_text()
    page.locator(".results tr", has_text="oblivious expert").get_by_role("link").click()
    page.wait_for_selector("tbody button")
    assert page.locator("tbody tr").count() == 1
    page.locator("tbody button").click()
    page.wait_for_selector(".scrubber")
    page.get_by_role("button", name="To the end").click()
    assert "Score" in page.locator(".score").inner_text()


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", DESK), ("dark", PHONE)], ids=["desk", "phone"]
)
def test_tables_and_games_are_accessible(
    visit: Visit, shown: tuple[Server, Path], scheme: str, size: dict[str, int], tmp_path: Path
) -> None:
    visitor = visit(shown[0], size=size, scheme=scheme)
    page = visitor.open("/results/small-fire", ".forest")
    page.locator("details.result > summary").click()
    for name, ready in (("experiment", ".cell-list a"), ("cell", "tbody button")):
        page.wait_for_selector(ready)
        assert findings(page) == []
        assert width(page) <= size["width"]
        assert smallest_letters(page) >= 9
        page.screenshot(path=tmp_path / f"{name}-{scheme}.png", full_page=True)
        if name == "experiment":
            page.locator(ready).first.click()


def test_a_growing_store_is_shown_as_it_grows(visit: Visit, shown: tuple[Server, Path]) -> None:
    server, store = shown
    visitor = visit(server)
    page = visitor.open("/results/small-fire", ".results")
    assert "2 of 6 games" in page.locator("main [role=status]").inner_text()
    _run(store, 4)
    page.wait_for_selector('main [role=status]:has-text("4 of 6 games")')


def test_no_store_is_explained(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/results", ".cards code")
    assert "without a store" in page.locator("main").inner_text()
