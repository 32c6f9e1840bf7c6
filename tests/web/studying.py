"""Simulated participants of a study, who talk to the server as a page does.

``python -m tests.web.studying 40`` runs a whole study of so many, with the server and the
participants' connections killed in between, and says what was found.
"""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

import httpx
from websockets.exceptions import WebSocketException

from sizeup.experiments.store import Store
from sizeup.experiments.study import read_study
from sizeup.experiments.study_log import study_rows
from sizeup.report import report
from tests.web.clients import Process, Visitor, page

EXAMPLE = Path("examples/partners_study.toml")

BEFORE = """
import sizeup.web.settings as settings_module
from sizeup.experiments.study import read_study
from pathlib import Path
_plain = settings_module.Settings
def Settings(study, study_store, **caps):
    return _plain(study=read_study(study), study_store=Path(study_store), **caps)
settings_module.Settings = Settings
"""


class StudyProcess(Process):
    """A server with a study, in a process that can be killed and started again."""

    def __init__(self, folder, static, study, store, port=0):
        self._made_of = folder, static, study, store
        given = {"study": str(study), "study_store": str(store)}
        super().__init__(folder, static, port, BEFORE, **given)

    def restarted(self):
        """The same again after a crash."""
        self.end(signal.SIGKILL)
        return StudyProcess(*self._made_of, port=self.port)


class Participant:
    """One browser: does the next thing, whatever that is, and notes what it was told is kept."""

    def __init__(self, server, number, inattentive=False):
        self.visitor = server.visitor()
        self.random = random.Random(number)
        self.inattentive = inattentive
        self.told = {}  # moves by the number of the game, as far as the page knows them
        self.answers = []
        self.code = None

    def moved_to(self, server):
        """The server is another process now; the cookie is the same."""
        self.visitor.http.close()
        self.visitor = Visitor(server.base, self.visitor.cookie)

    def act(self, most_moves=None):
        """Go one step further, or only so many moves of a game; whether all is over."""
        step = self.visitor.get("/api/study")["step"]
        if step["kind"] == "consent":
            self.visitor.post("/api/study", data={"agree": True})
        elif step["kind"] == "questions":
            self._answer(step)
        elif step["kind"] == "game":
            self._play(step["place"][0], most_moves)
        else:
            assert step["kind"] == "done", step
            self.code = step["code"]
        return self.code is not None

    def _answer(self, step):
        given = {}
        for question in step["questions"]:
            options = question["options"] or ["some words"]
            right = "Fire" in options
            given[question["name"]] = "Fire" if right else self.random.choice(options)
            if right and self.inattentive:
                given[question["name"]] = "Water"
        data = {"step": step["number"], "answers": given, "seconds": 1.5}
        self.visitor.post("/api/study", data=data)
        self.answers += given.values()
        self.visitor.post("/api/study", data=data)  # a double click counts once

    def _play(self, number, most_moves):
        with self.visitor.socket() as talk:
            talk.send(type="study")
            game = talk.until("game")
            seat = next(player["seat"] for player in game["players"] if player["kind"] == "you")
            told, actions = self.told.setdefault(number, []), [m["action"] for m in game["moves"]]
            assert actions[: len(told)] == told  # nothing that the page was told of is lost
            told[:] = actions
            state, made = game["state"], 0
            while True:
                if state["actor"] == seat:
                    if made == most_moves:
                        return
                    action = self.random.choice(state["legal"])["action"]
                    asked = {"game_id": game["game_id"], "ply": state["ply"], "action": action}
                    talk.send(type="move", thought=1200, **asked)
                    made += 1
                message = talk.until("moved", "ended")
                if message["type"] == "ended":
                    return
                told.append(message["move"]["action"])
                state = message["state"]


LOST = (httpx.TransportError, WebSocketException, OSError, EOFError, TimeoutError)
"""What a participant sees of a server that is killed."""


def run_study(study, folder, participants, *, inattentive=(), kills=3, seed=1):
    """Let participants go through a study side by side, and kill the server now and then.

    Returns the participants and the path of the store.
    """
    chance, static, store = random.Random(seed), page(folder / "page"), folder / "study.db"
    server = StudyProcess(folder, static, study, store)
    people = [Participant(server, n, n in inattentive) for n in range(participants)]
    going, acts = list(people), 0
    # About ten acts each; the first kills come while games are played.
    deadly = {chance.randrange(2, 6 * participants) for _ in range(kills)}
    while going:
        one, acts = chance.choice(going), acts + 1
        killer = threading.Timer(chance.random() / 4, server.process.kill)
        if acts in deadly:
            killer.start()
        try:
            is_over = one.act(most_moves=chance.choice([1, 2, None]))
        except LOST:
            is_over = False
        if acts in deadly:
            killer.join()
            server = server.restarted()
            for other in people:
                other.moved_to(server)
        if is_over:
            going.remove(one)
            one.visitor.http.close()
    server.end(signal.SIGKILL)
    return people, store


def check_study(study, people, store, inattentive=()):
    """Nothing is lost, conditions are balanced, and report and tables say what happened."""
    read, rows = read_study(study), study_rows(store)
    counted = [row["participant"] for row in rows["participants"] if row["counted"]]
    assert len(rows["participants"]) == len(people)
    assert len(counted) == len(people) - len(inattentive)
    assert {one.code for one in people} == {read.completion_code}
    # Every move and every answer that a page was told is kept is there, once, and in its place.
    names = names_of(store)
    lines = {}
    for row in rows["moves"]:
        line = lines.setdefault((row["participant"], row["game_id"]), [])
        assert row["ply"] == len(line)
        line.append(row["action"])
        assert (row["thought"] == 1.2) == row["own"]
    for one in people:
        name = names[one.visitor.cookie.partition(".")[0]]
        kept = [line for (who, _), line in lines.items() if who == name]
        assert len(kept) == len(read.conditions)
        for told, line in zip(one.told.values(), kept, strict=True):
            assert line[: len(told)] == told
        given = Counter(row["answer"] for row in rows["answers"] if row["participant"] == name)
        assert not Counter(one.answers) - given
        assert given.total() == len(read.questions) + len(read.conditions) - 1
    # Each order of conditions was played equally often by those who count.
    places = [row["place"] for row in rows["participants"] if row["counted"]]
    assert len(set(places)) == len(places)
    orders = Counter(read.places[place].conditions for place in places)
    if not inattentive:
        assert max(orders.values()) - min(orders.values()) <= 1
    # The report has the games of those who count, and their rewards.
    found = report(store, str(study))
    assert found.counts.played == len(counted) * len(read.conditions)
    for entry in found.tables[0].entries:
        mine = [r["total"] for r in rows["games"] if r["counted"] and r["condition"] == entry.arm]
        assert len(mine) == len(counted)
        assert abs(entry.value.value - sum(mine) / len(mine)) < 1e-9
    return orders


def names_of(store):
    """What participants are called, by their cookies."""
    with Store.read(store) as opened:
        came = (event for event in opened.events() if event.what == "came")
        return {event.data["visitor"]: event.who for event in came}


def study_of(folder, participants, quick=True):
    """The example for another number of participants, with partners that look less far ahead."""
    text = EXAMPLE.read_text().replace("participants = 40", f"participants = {participants}")
    if quick:
        text = text.replace(":20", ":4").replace("[2, 20]", "[2, 4]")
    path = Path(folder) / "partners_study.toml"
    path.write_text(text)
    return path


def main():
    """Run a whole study."""
    participants = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = study_of(folder, participants, quick=False)
        people, store = run_study(study, folder, participants, kills=max(3, participants // 4))
        orders = check_study(study, people, store)
        moves = sum(len(moves) for one in people for moves in one.told.values())
        print(f"{len(people)} participants, {moves} moves, orders {dict(orders)}: nothing lost")
        print(report(store, str(study)))


if __name__ == "__main__":
    main()
