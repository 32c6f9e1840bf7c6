"""What a type checker has to find: each marked line is an error, and no other is."""

import sizeup
from sizeup.agents import AgentConfig, read_agent
from sizeup.games.contract import View
from sizeup.play import Record
from sizeup.search import SearchOptions


def mistakes(record: Record, view: View) -> None:
    """Never called."""
    total: str = record.total  # mistake
    print(record.winer)  # mistake
    sizeup.play("checkers", ["obl:2", "obl:2"], sed=1)  # mistake
    SearchOptions(iterations="200")  # mistake
    AgentConfig("ca", 8, model="clever")  # mistake
    read_agent(8)  # mistake
    sizeup.infer(record)  # mistake
    sizeup.search("checkers", deep=8)  # mistake
    view.actions()  # mistake
    record.total = 3.0  # mistake
    print(total)
